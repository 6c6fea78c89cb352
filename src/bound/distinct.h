/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * distinct.h
 *		Statistics of different values: how many values owners cover, each so many at most.
 *
 * A value is known by a keyed hash.  An owner covers M of its values in a group at most, in
 * turns (core/distinct/greedy.h), and of these PA_VALUES_PER_CAP times as many are looked
 * at.  Which ones, and who comes first, follows from owners and values alone, never from
 * the order of rows (docs/theory-derived.md).
 *
 * Where the cap is drawn, the number of values that are covered with the one that was is
 * multiplied by M over it: whatever the cap is, an owner changes the product by M at most, and so
 * it is noised as others are, on a lattice on which all of these quotients are whole.
 */
#ifndef PA_DISTINCT_H
#define PA_DISTINCT_H

#include "postgres.h"

#include "core/distinct/cap.h"

#include "bound/group_table.h"
#include "bound/sorted_values.h"
#include "bound/statistic.h"

#define PA_MOST_COVERED 256		/* M of such a statistic */
#define PA_VALUES_PER_CAP 64
#define PA_CAP_BITS 8			/* a value is 1 << PA_CAP_BITS steps of the lattice, which any power of two below M divides */

StaticAssertDecl(PA_MOST_COVERED <= 1 << PA_CAP_BITS, "caps below M divide a value");

/* Of a statistic DISTINCT and the statistic CAP that goes with it */
typedef struct PaCapChoice
{
	int			counted;		/* index of the one, */
	int			chosen;			/* and of the other */
	int			caps;
	int32		cap[PA_CAP_BITS + 1];	/* 1, 2, 4, ... and M */
	PaCapTerms	terms;			/* set by the release */
} PaCapChoice;

extern bool pa_has_distinct(const PaStatistics *set);

/* What a row has in a group, as one of an owner's; or where each row is an owner. */
extern void pa_distinct_take_row(const PaStatistics *set, const PaValue *inputs, int group, const PaOwner *owner,
								 PaSortedValues *values);
extern void pa_distinct_take_owner(const PaStatistics *set, const PaValue *inputs, int group, PaSortedValues *values);

/* The owner counts in the group: of others the values are left out. */
extern void pa_distinct_admit(const PaStatistics *set, int group, const PaOwner *owner, PaSortedValues *values);

/*
 * Sets the groups' totals, from the values, which are sorted and used up.  The total of a
 * statistic CAP is the cap, drawn.
 */
extern void pa_distinct_total(const PaStatistics *set, PaSortedValues *values, PaGroupTable *groups);

#endif							/* PA_DISTINCT_H */
