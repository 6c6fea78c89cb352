/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * number_set.h
 *		A set of public whole numbers that are not far from each other: one bit for each between the least and
 *		the greatest.
 */
#ifndef PA_NUMBER_SET_H
#define PA_NUMBER_SET_H

#include "postgres.h"

typedef struct PaNumberSet
{
	int64		first;			/* of the numbers that have a bit, a multiple of 64 */
	uint64		nbits;			/* 0: the set is empty, or they are too far from each other */
	uint64	   *bits;
	bool		too_wide;
	int64		least;			/* of its numbers */
	int64		greatest;
	uint64		count;			/* of its numbers */
} PaNumberSet;

/* In the current memory context. */
extern PaNumberSet *pa_number_set_create(void);
extern void pa_number_set_add(PaNumberSet *set, int64 number);

/* Whether most numbers between the least and the greatest are missing, and it is worth asking. */
extern bool pa_number_set_is_sparse(const PaNumberSet *set);

static inline bool
pa_number_set_has(const PaNumberSet *set, int64 number)
{
	uint64		place = (uint64) number - (uint64) set->first;

	return place < set->nbits && ((set->bits[place / 64] >> (place % 64)) & 1);
}

#endif							/* PA_NUMBER_SET_H */
