/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * protected_group.c
 *		See protected_group.h.
 */
#include "postgres.h"

#include "optimizer/pathnode.h"
#include "optimizer/planner.h"
#include "optimizer/prep.h"

#include "compat/planner.h"
#include "catalog/policy.h"
#include "lookup/lookup.h"
#include "lookup/protected_group.h"
#include "leaf_tag.h"

#define ASSUMED_GROUPS 10000

static create_upper_paths_hook_type previous_upper_paths = NULL;

static Path *
make_groups(PlannerInfo *root, RelOptInfo *grouped_rel, Path *rows)
{
	AggClauseCosts costs = {0};

	get_agg_clause_costs(root, AGGSPLIT_SIMPLE, &costs);
	return (Path *) create_agg_path(root, grouped_rel, rows, grouped_rel->reltarget, AGG_HASHED, AGGSPLIT_SIMPLE,
									pa_group_clauses(root), (List *) root->parse->havingQual, &costs, ASSUMED_GROUPS);
}

static void
group_paths(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input_rel, RelOptInfo *output_rel, void *extra)
{
	Path	   *rows;

	if (previous_upper_paths)
		previous_upper_paths(root, stage, input_rel, output_rel, extra);
	if (stage != UPPERREL_GROUP_AGG || IS_OTHER_REL(output_rel) || root->parse->groupClause == NIL ||
		!pa_policies_exist() || pa_is_leaf(root->parse) || !pa_lookup_reads_protected(root))
		return;
	rows = pa_lookup_path(root, input_rel, false);
	if (rows == NULL)
		return;					/* there will be no way to read the block either */
	output_rel->pathlist = list_make1(make_groups(root, output_rel, rows));
	output_rel->partial_pathlist = NIL;
}

void
pa_protected_group_init(void)
{
	previous_upper_paths = create_upper_paths_hook;
	create_upper_paths_hook = group_paths;
}
