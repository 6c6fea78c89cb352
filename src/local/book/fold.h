/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fold.h
 *		States that do not fit into memory: their tables become numbers.
 */
#ifndef PA_BOOK_FOLD_H
#define PA_BOOK_FOLD_H

#include "local/book/book.h"

/*
 * How many states there may be after the next question: as many as fit into
 * privacct.book_memory.  It is recorded with the answers, so that all who read
 * them fold the same tables.
 */
extern int	pa_book_most_states(const PaBook *book);

/* The table, with the answer to the question in it, becomes a number. */
extern void pa_state_fold(PaOwnerState *state, const PaQuestion *question);

/* Of the states from `first` on the one with the least number that bounds that of a folded state; -1: none. */
extern int	pa_find_bound(const PaStateRoom *room, int first, const PaOwnerState *state);

#endif							/* PA_BOOK_FOLD_H */
