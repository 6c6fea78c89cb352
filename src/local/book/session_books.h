/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_books.h
 *		The process's copies of books.
 *
 * What the catalog's relations say is kept from one statement to the next and brought
 * up to date by what was recorded since: by the process, or for all of them in an image
 * (image.h), which a process has until its transaction ends.  Whoever changes a book
 * ahead of the catalog (applies answers that are not recorded yet) marks it so first; it
 * is thrown away unless they say it was.
 */
#ifndef PA_SESSION_BOOKS_H
#define PA_SESSION_BOOKS_H

#include "local/book/book.h"

/*
 * As of now.  Whoever is going to ask holds the policy's lock (pa_book_lock), so
 * that nobody else asks before the answers are recorded; with the lock they hand
 * on what they recorded.
 */
extern PaBook *pa_book_open(const PaPolicy *policy);
extern void pa_book_lock(int64 policy_id);
extern void pa_book_unlock(int64 policy_id);

#endif							/* PA_SESSION_BOOKS_H */
