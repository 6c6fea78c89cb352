/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shuffle.h
 *		Things in a random order, before they are sorted.
 *
 * PostgreSQL sorts by quicksort, which takes as many comparisons as there are pairs if what
 * it sorts comes in an order that was made for it, and rows may come in such an order.  With
 * one row more or less it is another order, so that the time would tell.
 */
#ifndef PA_SHUFFLE_H
#define PA_SHUFFLE_H

#include "postgres.h"

typedef struct PaShuffle PaShuffle;

/* Takes the next one. */
typedef void (*PaTakeShuffled) (void *taker, const void *element);

/* Of elements of one size. */
extern PaShuffle *pa_shuffle_create(Size size, PaTakeShuffled take, void *taker);

/* As many as are in a cache are kept, and then handed on in a random order. */
extern void pa_shuffle_add(PaShuffle *shuffle, const void *element);

/* Hands on those that are left. */
extern void pa_shuffle_end(PaShuffle *shuffle);

#endif							/* PA_SHUFFLE_H */
