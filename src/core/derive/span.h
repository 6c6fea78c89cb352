/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * span.h
 *		Which linear queries are combinations of others, decided with whole numbers.
 *
 * Rows of whole numbers are reduced modulo the prime 2^61 - 1.  What is independent
 * modulo a prime is independent; what is not may still be, for the few primes that
 * divide a certain determinant.  So pivots are always sound, and that a row is spanned
 * is sound but for such a prime: whoever builds on it checks the combination that it
 * finds (least_squares.c does).
 */
#ifndef PA_SPAN_H
#define PA_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/environment.h"

typedef struct PaSpan
{
	int			columns;
	int			most;			/* rank it has room for */
	int			rank;			/* rows that were independent so far */
	int		   *pivot;			/* [rank]: the column where only this row is not 0 */
	uint64_t   *row;			/* [rank][columns]: reduced, 1 at its pivot */
	uint64_t   *scratch;		/* [columns] */
} PaSpan;

/*
 * Nothing is spanned yet; room for so many rows (>= 0).  columns in 1..2^15.  PA_INVALID,
 * PA_NO_MEMORY; after PA_OK release it with pa_span_free.
 */
extern PaStatus pa_span_make(int columns, int rows, const PaEnvironment *environment, PaSpan *span);

extern void pa_span_free(PaSpan *span, const PaEnvironment *environment);

/* Adds a row; whether it was independent of those before, and so got the pivot of number rank - 1. */
extern bool pa_span_add(PaSpan *span, const int64_t *row);

/*
 * Whether a row is a combination of those that were added.  If missing is not NULL,
 * missing[column] says where it is not: with these columns known as well it would be.
 */
extern bool pa_span_has(PaSpan *span, const int64_t *row, bool *missing);

#endif							/* PA_SPAN_H */
