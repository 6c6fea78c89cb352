/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_filter.h
 *		Which whole numbers may be among some: never says no of one that is.
 *
 * One bit for each number, at its hash (seeded_hash.h): numbers next to each other have bits next to each other.
 * Its size follows from privacct.owner_memory alone; with too many numbers it says yes too often.  Of its memory
 * only those parts are touched that numbers fall into, so that few numbers take little time.
 */
#ifndef PA_KEY_FILTER_H
#define PA_KEY_FILTER_H

#include "postgres.h"

#include "lookup/seeded_hash.h"

#define PA_FILTER_PART 4096		/* bytes */

typedef struct PaKeyFilter
{
	uint32		mask;			/* number of bits - 1 */
	uint64	   *bits;
	bool	   *parts;			/* which of its parts have been emptied; of others nothing is set */
} PaKeyFilter;

/* In the current memory context. */
extern PaKeyFilter *pa_key_filter_create(void);

static inline void
pa_key_filter_add(PaKeyFilter *filter, uint32 hash)
{
	uint32		place = hash & filter->mask;
	uint32		part = place / (PA_FILTER_PART * BITS_PER_BYTE);

	if (!filter->parts[part])
	{
		memset((char *) filter->bits + part * PA_FILTER_PART, 0, PA_FILTER_PART);
		filter->parts[part] = true;
	}
	filter->bits[place / 64] |= UINT64CONST(1) << (place % 64);
}

static inline bool
pa_key_filter_may_have(const PaKeyFilter *filter, uint32 hash)
{
	uint32		place = hash & filter->mask;

	return filter->parts[place / (PA_FILTER_PART * BITS_PER_BYTE)] && ((filter->bits[place / 64] >> (place % 64)) & 1);
}

#endif							/* PA_KEY_FILTER_H */
