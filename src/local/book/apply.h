/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * apply.h
 *		What answers make of the states.
 */
#ifndef PA_BOOK_APPLY_H
#define PA_BOOK_APPLY_H

#include "local/book/book.h"

/* The answers to a question become part of the states. */
extern void pa_book_apply(PaBook *book, PaQuestion *question, const PaAnswers *answers);

#endif							/* PA_BOOK_APPLY_H */
