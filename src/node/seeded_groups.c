/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seeded_groups.c
 *		See seeded_groups.h.
 *
 * Owners' groups are PostgreSQL's own (lookup/protected_group.h).  Its hash functions can be
 * computed by anybody, and keys be chosen by which all groups are in one place: then each row
 * would go through those of all owners.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"

#include "compat/hash_join.h"
#include "descend.h"
#include "lookup/lookup.h"
#include "lookup/seeded_hash.h"
#include "node/seeded_groups.h"

static bool
seed_walker(PlanState *plan, void *nothing)
{
	PlanState  *protected = pa_lookup_outer(plan);

	pa_descend();
	if (protected)				/* groups of public rows are no matter of ours */
		return seed_walker(protected, nothing);
	if (IsA(plan, AggState))
		pa_replace_group_hashes((AggState *) plan, pa_seed_hash);
	return planstate_tree_walker(plan, seed_walker, nothing);
}

void
pa_seed_groups(PlanState *plan)
{
	(void) seed_walker(plan, NULL);
}
