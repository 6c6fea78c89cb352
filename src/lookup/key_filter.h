/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_filter.h
 *		Which whole numbers may be among some: never says no of one that is.
 *
 * One bit for each number, in runs: numbers next to each other have bits next to each other, those of 64 that share
 * all but their last six binary digits behind a place that is drawn for the run.  Its size follows from
 * privacct.owner_memory alone; with too many numbers it says yes too often.  Of its memory only those parts are
 * touched that numbers fall into, so that few numbers take little time.
 *
 * Places are h(r) = (a r + b mod 2^128) / 2^96 of the run r, a and b being drawn for each filter: of two runs they are
 * independent, and uniform (Dietzfelbinger 1996), whatever the numbers are.
 */
#ifndef PA_KEY_FILTER_H
#define PA_KEY_FILTER_H

#include "postgres.h"

#include "core/random/random.h"

#define PA_FILTER_PART 512		/* bytes */
#define PA_FILTER_RUN 64

typedef struct PaKeyFilter
{
	PaUint128	factor;
	PaUint128	addend;
	uint32		mask;			/* number of bits - 1 */
	uint64	   *bits;
	bool	   *parts;			/* which of its parts have been emptied; of others nothing is set */
} PaKeyFilter;

/* In the current memory context. */
extern PaKeyFilter *pa_key_filter_create(void);

static inline uint32
pa_key_filter_place(const PaKeyFilter *filter, int64 number)
{
	uint64		place = (uint64) number % PA_FILTER_RUN;
	uint64		run = (uint64) number / PA_FILTER_RUN;

	return ((uint32) ((filter->factor * run + filter->addend) >> 96) + (uint32) place) & filter->mask;
}

static inline void
pa_key_filter_add(PaKeyFilter *filter, int64 number)
{
	uint32		place = pa_key_filter_place(filter, number);
	uint32		part = place / (PA_FILTER_PART * BITS_PER_BYTE);

	if (!filter->parts[part])
	{
		memset((char *) filter->bits + part * PA_FILTER_PART, 0, PA_FILTER_PART);
		filter->parts[part] = true;
	}
	filter->bits[place / 64] |= UINT64CONST(1) << (place % 64);
}

static inline bool
pa_key_filter_may_have(const PaKeyFilter *filter, int64 number)
{
	uint32		place = pa_key_filter_place(filter, number);

	return filter->parts[place / (PA_FILTER_PART * BITS_PER_BYTE)] && ((filter->bits[place / 64] >> (place % 64)) & 1);
}

#endif							/* PA_KEY_FILTER_H */
