/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pairs.h
 *		Which owners have which values: what numbers of different values are computed from.
 *
 * Owners are 0..owners-1 and values 0..values-1.  Both orders count: owners are
 * numbered in a keyed order, and each owner's values stand in a keyed order of
 * their own.  What is proved (docs/theory-derived.md) asks that these orders are
 * functions of the owners and the values: the order of two owners, or of two
 * values of an owner, does not depend on what else is there, nor on how rows
 * arrived.  The numbers of values may: they say only which are equal.
 *
 * An owner's values were bounded before, by a rule that looks at that owner
 * alone, so memory is known from the number of owners.
 */
#ifndef PA_PAIRS_H
#define PA_PAIRS_H

#include <stdint.h>

#include "core/environment.h"

typedef struct PaPairs
{
	int32_t		owners;
	int32_t		values;
	const int64_t *start;		/* [owners + 1]: where an owner's values begin; start[0] = 0 */
	const int32_t *value;		/* [start[owners]]: each value of an owner once */
} PaPairs;

/* The most values that one owner may cover */
#define PA_MOST_CAP 4096

/*
 * PA_INVALID unless starts do not fall and all values are below "values"; that an owner
 * has each value once is up to the caller (twice would change no number).
 */
extern PaStatus pa_pairs_check(const PaPairs *pairs);

/* Whether these are 1 to PA_MOST_CAP, each above the one before, and at least one. */
extern bool pa_caps_valid(const int32_t *cap, int caps);

#endif							/* PA_PAIRS_H */
