/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.h
 *		Shared memory for books: privacct.shared_book_memory, set aside when the server
 *		starts.  It is at the same address in every process, so what is kept there may
 *		point to itself.
 *
 * Whoever takes pages gives them back, also when the process ends; a crash empties
 * them all.  The lock is held for a few instructions, and nothing here raises an error.
 */
#ifndef PA_BOOK_PAGES_H
#define PA_BOOK_PAGES_H

#include "postgres.h"

#include "storage/lwlock.h"

/* From the hooks of shared memory: how much is asked for, and what is made of it. */
extern Size pa_pages_shmem_size(Size bytes);
extern void pa_pages_shmem_startup(Size bytes, LWLock *lock);

/* NULL: there are not so many in a row. */
extern void *pa_pages_take(Size size);
extern void pa_pages_give(void *start, Size size);

/* Whether that is in the pages. */
extern bool pa_pages_hold(const void *pointer);

#endif							/* PA_BOOK_PAGES_H */
