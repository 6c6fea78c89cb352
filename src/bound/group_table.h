/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * group_table.h
 *		The groups of a release: from key values to a dense number.
 *
 * Either the groups are public (declared keys): all exist from the start and a
 * row of any other is left out; or each group comes into being with its first
 * row, and whether it is released is decided by private selection.
 */
#ifndef PA_GROUP_TABLE_H
#define PA_GROUP_TABLE_H

#include "postgres.h"

#include "executor/tuptable.h"
#include "nodes/execnodes.h"

#include "core/random/random.h"

#include "bound/leaf_spec.h"
#include "bound/statistic.h"
#include "catalog/policy.h"

typedef struct PaGroup
{
	uint64		hash;			/* keyed hash of the key values, for an owner's choice */
	MinimalTuple row;			/* a row of the child with these keys; NULL without keys */
	PaInt128   *totals;			/* one for each statistic */
	int64	   *direct;			/* accumulators of the path without owners */
} PaGroup;

typedef struct PaGroupTable PaGroupTable;

extern PaGroupTable *pa_groups_create(PlanState *parent, TupleDesc child, const PaLeafSpec *spec,
									  const PaStatistics *set, const uint8 *secret, MemoryContext context);

/* Creates every combination of the declared keys, in declared order. */
extern void pa_groups_add_public(PaGroupTable *table, const PaPolicy *policy);

/* Number of the row's group; -1 if it has none. */
extern int	pa_groups_find(PaGroupTable *table, TupleTableSlot *row);

extern int	pa_groups_count(const PaGroupTable *table);
extern PaGroup *pa_groups_get(const PaGroupTable *table, int number);

/* Key values of a group. */
extern void pa_groups_keys(PaGroupTable *table, int number, Datum *values, bool *nulls);

/* Numbers of all groups: public ones as declared, others in the order of their keys, never in that of rows. */
extern int *pa_groups_order(PaGroupTable *table);

/* How many groups the declared keys make; 0 unless every key is a column with declared keys. */
extern int64 pa_groups_public_count(const PaLeafSpec *spec, const PaPolicy *policy);

#endif							/* PA_GROUP_TABLE_H */
