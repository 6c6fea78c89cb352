/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lookup_plan.h
 *		What the planner's side of a lookup tells the executor's side.
 */
#ifndef PA_LOOKUP_PLAN_H
#define PA_LOOKUP_PLAN_H

#include "postgres.h"

#include "custom_node.h"

/*
 * The scan tuple is the outer row followed by the inner row.  The node's
 * expressions, over it, are three lists: keys of the outer row, keys of the
 * inner row, conditions that a pair has to meet.  Its private list is:
 */
enum
{
	PA_LOOKUP_JOINTYPE,			/* JOIN_INNER, JOIN_LEFT, JOIN_SEMI or JOIN_ANTI */
	PA_LOOKUP_OUTER_COLUMNS,	/* of the scan tuple */
	PA_LOOKUP_OPERATORS,		/* OIDs of outer key = inner key */
	PA_LOOKUP_COLLATIONS		/* OIDs, one for each */
};

enum
{
	PA_LOOKUP_OUTER_KEYS, PA_LOOKUP_INNER_KEYS, PA_LOOKUP_CONDITIONS
};

/* lookup_exec.c */
extern const PaCustomNode pa_lookup_node;

/* lookup_path.c: for its table */
extern Plan *pa_lookup_plan(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses, List *children);

#endif							/* PA_LOOKUP_PLAN_H */
