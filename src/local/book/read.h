/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * read.h
 *		A book from the catalog.
 */
#ifndef PA_BOOK_READ_H
#define PA_BOOK_READ_H

#include "local/book/book.h"

/* Brings the book up to date; false if it has to be started over. */
extern bool pa_book_read(PaBook *book);

/* The book's states were written as they are: its answers are those after them. */
extern void pa_book_read_base(PaBook *book);

#endif							/* PA_BOOK_READ_H */
