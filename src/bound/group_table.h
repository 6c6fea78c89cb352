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

#include "bound/key_rows.h"
#include "bound/leaf_spec.h"
#include "bound/statistic.h"
#include "catalog/policy.h"

typedef struct PaGroup
{
	uint64		hash;			/* keyed hash of the key values, for an owner's choice */
	MinimalTuple row;			/* a row of the child with these keys; NULL without keys */
	PaInt128   *totals;			/* one for each statistic */
	int64	   *direct;			/* accumulators of the path without owners; NULL with them */
} PaGroup;

typedef struct PaGroupTable PaGroupTable;

extern PaGroupTable *pa_groups_create(PlanState *parent, TupleDesc child, const PaLeafSpec *spec,
									  const PaStatistics *set, const uint8 *secret, MemoryContext context);

/*
 * Creates every combination of public rows (NULL: there are none) with the declared keys,
 * in the order of the rows and of the declaration.
 */
extern void pa_groups_add_public(PaGroupTable *table, const PaPolicy *const *policies, const PaKeyRows *rows);

/* Number of the row's group; -1 if it has none. */
extern int	pa_groups_find(PaGroupTable *table, TupleTableSlot *row);

extern int	pa_groups_count(const PaGroupTable *table);
extern PaGroup *pa_groups_get(const PaGroupTable *table, int number);

/* Key values of a group. */
extern void pa_groups_keys(PaGroupTable *table, int number, Datum *values, bool *nulls);

/* One of them. */
extern Datum pa_groups_key(PaGroupTable *table, int number, int key, bool *isnull);

/* How many keys there are; the order of two values of one, nulls last; whether the numbers of groups are in the order that they are shown in. */
extern int	pa_groups_key_count(const PaGroupTable *table);
extern int	pa_groups_compare_keys(const PaGroupTable *table, int key, Datum left, bool left_null, Datum right, bool right_null);
extern bool pa_groups_are_in_order(const PaGroupTable *table);

/* The declared keys of a key that is a column, by the policies of the leaf's tables; NULL if there are none. */
extern const PaKeys *pa_groups_keys_of(const PaLeafKey *key, const PaPolicy *const *policies);

/* How many groups these make; -1 unless every key is a column with declared keys, or listed by public rows. */
extern int64 pa_groups_public_count(const PaLeafSpec *spec, const PaPolicy *const *policies, const PaKeyRows *rows);

/* About how many bytes these take until their numbers are released. */
extern double pa_groups_public_room(const PaLeafSpec *spec, const PaPolicy *const *policies, const PaKeyRows *rows,
									const PaStatistics *set);

/*
 * Whether all public keys are told apart.  Those that are too long are not: they are one
 * group, that of null, and there are fewer groups than keys combine to.
 */
extern bool pa_groups_told_apart(const PaLeafSpec *spec, const PaPolicy *const *policies, const PaKeyRows *rows);

#endif							/* PA_GROUP_TABLE_H */
