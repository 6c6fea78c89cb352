/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_filter.h
 *		Which whole numbers may be among some: never says no of one that is.
 *
 * One bit for each number, at its hash (seeded_hash.h): numbers next to each other have bits next to each other.
 * Its size follows from privacct.owner_memory alone; with too many numbers it says yes too often.
 */
#ifndef PA_KEY_FILTER_H
#define PA_KEY_FILTER_H

#include "postgres.h"

#include "lookup/seeded_hash.h"

typedef struct PaKeyFilter
{
	uint32		mask;			/* number of bits - 1 */
	uint64	   *bits;
} PaKeyFilter;

/* In the current memory context. */
extern PaKeyFilter *pa_key_filter_create(void);

static inline void
pa_key_filter_add(PaKeyFilter *filter, uint32 hash)
{
	filter->bits[(hash & filter->mask) / 64] |= UINT64CONST(1) << (hash % 64);
}

static inline bool
pa_key_filter_may_have(const PaKeyFilter *filter, uint32 hash)
{
	return (filter->bits[(hash & filter->mask) / 64] >> (hash % 64)) & 1;
}

#endif							/* PA_KEY_FILTER_H */
