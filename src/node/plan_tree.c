/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan_tree.c
 *		See plan_tree.h.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"

#include "lookup/lookup.h"
#include "node/plan_tree.h"

/* --- children --- */

/* Children that are not the left and right one. */
static List *
other_children(const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_Append:
			return ((const Append *) plan)->appendplans;
		case T_MergeAppend:
			return ((const MergeAppend *) plan)->mergeplans;
		case T_BitmapAnd:
			return ((const BitmapAnd *) plan)->bitmapplans;
		case T_BitmapOr:
			return ((const BitmapOr *) plan)->bitmapplans;
		case T_CustomScan:
			return ((const CustomScan *) plan)->custom_plans;
		case T_SubqueryScan:
			return list_make1(((const SubqueryScan *) plan)->subplan);
		default:
			return NIL;
	}
}

void
pa_plan_visit(Plan *plan, bool (*visit) (Plan *plan, void *context), void *context)
{
	ListCell   *cell;

	if (plan == NULL)
		return;
	check_stack_depth();
	if (!visit(plan, context))
		return;
	pa_plan_visit(plan->lefttree, visit, context);
	pa_plan_visit(plan->righttree, visit, context);
	foreach(cell, other_children(plan))
		pa_plan_visit(lfirst(cell), visit, context);
}

/* --- what a node evaluates --- */

/* Beside output and condition; other nodes do not read protected rows (lookup/lookup_path.c). */
static List *
own_expressions(const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_SeqScan:
		case T_SubqueryScan:
		case T_Append:
		case T_Gather:
			return NIL;
		case T_Result:
			return list_make1(((const Result *) plan)->resconstantqual);
		case T_CustomScan:
			return list_make1(((const CustomScan *) plan)->custom_exprs);
		default:
			elog(ERROR, "a protected table is read by a plan node of unexpected type %d", (int) nodeTag(plan));
	}
	return NIL;
}

List *
pa_plan_expressions(const Plan *plan)
{
	return lcons(plan->targetlist, lcons(plan->qual, own_expressions(plan)));
}

/* --- lists --- */

static bool
unhash_walker(Node *node, void *nothing)
{
	if (node == NULL)
		return false;
	if (IsA(node, ScalarArrayOpExpr))
		((ScalarArrayOpExpr *) node)->hashfuncid = ((ScalarArrayOpExpr *) node)->negfuncid = InvalidOid;
	return expression_tree_walker(node, unhash_walker, nothing);
}

static bool
unhash(Plan *plan, void *nothing)
{
	(void) unhash_walker((Node *) pa_plan_expressions(plan), nothing);
	if (!IsA(plan, CustomScan) || !pa_is_lookup_scan((CustomScan *) plan))
		return true;
	pa_plan_visit(linitial(((CustomScan *) plan)->custom_plans), unhash, nothing);
	return false;
}

void
pa_plan_unhash_lists(Plan *plan)
{
	pa_plan_visit(plan, unhash, NULL);
}

/* --- search --- */

typedef struct SearchContext
{
	bool		(*wanted) (const CustomScan *scan);
	List	   *found;
} SearchContext;

static bool
search(Plan *plan, void *opaque)
{
	SearchContext *context = opaque;

	if (IsA(plan, CustomScan) && context->wanted((CustomScan *) plan))
		context->found = lappend(context->found, plan);
	return true;
}

List *
pa_plan_custom_scans(const PlannedStmt *statement, bool (*wanted) (const CustomScan *scan))
{
	SearchContext context = {wanted, NIL};
	ListCell   *cell;

	pa_plan_visit(statement->planTree, search, &context);
	foreach(cell, statement->subplans)
		pa_plan_visit(lfirst(cell), search, &context);
	return context.found;
}
