/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan_tree.c
 *		See plan_tree.h.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"

#include "descend.h"
#include "lookup/lookup.h"
#include "node/plan_tree.h"

#define ASSUMED_HASHED 10000	/* rows of a hash join's table, which makes as many buckets, in one batch, and grows */

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
	pa_descend();
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
		case T_Agg:
			return NIL;
		case T_Result:
			return list_make1(((const Result *) plan)->resconstantqual);
		case T_CustomScan:
			return list_make1(((const CustomScan *) plan)->custom_exprs);
		case T_Hash:
			return list_make1(((const Hash *) plan)->hashkeys);
		case T_HashJoin:
			return list_make3(((const HashJoin *) plan)->join.joinqual, ((const HashJoin *) plan)->hashclauses,
							  ((const HashJoin *) plan)->hashkeys);
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

static List *
own_public_expressions(const Plan *plan)
{
	const Join *join = (const Join *) plan;
	const IndexScan *index = (const IndexScan *) plan;
	const IndexOnlyScan *only = (const IndexOnlyScan *) plan;

	switch (nodeTag(plan))
	{
		case T_Gather:
		case T_GatherMerge:
		case T_MergeAppend:
		case T_BitmapAnd:
		case T_BitmapOr:
		case T_Material:
		case T_Sort:
		case T_IncrementalSort:
		case T_Group:
		case T_Unique:
		case T_CteScan:
			return NIL;			/* columns of what is below, or of a release, and operators of sorting */
		case T_IndexScan:
			return list_make4(index->indexqual, index->indexqualorig, index->indexorderby, index->indexorderbyorig);
		case T_IndexOnlyScan:
			return list_make3(only->indexqual, only->recheckqual, only->indexorderby);
		case T_BitmapIndexScan:
			return list_make2(((const BitmapIndexScan *) plan)->indexqual, ((const BitmapIndexScan *) plan)->indexqualorig);
		case T_BitmapHeapScan:
			return list_make1(((const BitmapHeapScan *) plan)->bitmapqualorig);
		case T_TidScan:
			return list_make1(((const TidScan *) plan)->tidquals);
		case T_TidRangeScan:
			return list_make1(((const TidRangeScan *) plan)->tidrangequals);
		case T_ValuesScan:
			return list_make1(((const ValuesScan *) plan)->values_lists);
		case T_NestLoop:
			return list_make1(join->joinqual);
		case T_MergeJoin:
			return list_make2(join->joinqual, ((const MergeJoin *) plan)->mergeclauses);
		case T_Memoize:
			return list_make1(((const Memoize *) plan)->param_exprs);
		case T_Limit:
			return list_make2(((const Limit *) plan)->limitOffset, ((const Limit *) plan)->limitCount);
		default:
			return own_expressions(plan);
	}
}

List *
pa_plan_public_expressions(const Plan *plan)
{
	return lcons(plan->targetlist, lcons(plan->qual, own_public_expressions(plan)));
}

/* --- lists --- */

static bool
unhash_walker(Node *node, void *nothing)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, ScalarArrayOpExpr))
		((ScalarArrayOpExpr *) node)->hashfuncid = ((ScalarArrayOpExpr *) node)->negfuncid = InvalidOid;
	return expression_tree_walker(node, unhash_walker, nothing);
}

static bool
make_steady(Plan *plan, void *nothing)
{
	pa_descend();
	(void) unhash_walker((Node *) pa_plan_expressions(plan), nothing);
	if (IsA(plan, Hash))
	{
		((Hash *) plan)->skewTable = InvalidOid;
		plan->lefttree->plan_rows = ASSUMED_HASHED;
	}
	if (!pa_is_lookup_scan(plan))
		return true;
	pa_plan_visit(linitial(((CustomScan *) plan)->custom_plans), make_steady, nothing);
	return false;
}

void
pa_plan_make_steady(Plan *plan)
{
	pa_plan_visit(plan, make_steady, NULL);
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

	foreach(cell, statement->subplans)
		pa_plan_visit(lfirst(cell), search, &context);
	pa_plan_visit(statement->planTree, search, &context);
	return context.found;
}
