/*
 * plan_tree.c
 *		See plan_tree.h.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "aggregate/plan_tree.h"

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

static List *
join_expressions(const Plan *plan)
{
	List	   *conditions = list_make1(((const Join *) plan)->joinqual);

	if (IsA(plan, HashJoin))
		return lappend(lappend(conditions, ((const HashJoin *) plan)->hashclauses), ((const HashJoin *) plan)->hashkeys);
	if (IsA(plan, MergeJoin))
		return lappend(conditions, ((const MergeJoin *) plan)->mergeclauses);
	return lappend(conditions, ((const NestLoop *) plan)->nestParams);
}

static List *
index_expressions(const Plan *plan)
{
	if (IsA(plan, IndexScan))
	{
		const IndexScan *scan = (const IndexScan *) plan;

		return list_make4(scan->indexqual, scan->indexqualorig, scan->indexorderby, scan->indexorderbyorig);
	}
	if (IsA(plan, IndexOnlyScan))
	{
		const IndexOnlyScan *scan = (const IndexOnlyScan *) plan;

		return list_make3(scan->indexqual, scan->recheckqual, scan->indexorderby);
	}
	return list_make2(((const BitmapIndexScan *) plan)->indexqual, ((const BitmapIndexScan *) plan)->indexqualorig);
}

/* Beside output and condition. */
static List *
own_expressions(const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_SeqScan:
		case T_SubqueryScan:
		case T_NamedTuplestoreScan:
		case T_Append:
		case T_MergeAppend:
		case T_BitmapAnd:
		case T_BitmapOr:
		case T_Gather:
		case T_GatherMerge:
		case T_Material:
		case T_Sort:
		case T_IncrementalSort:
		case T_Group:
		case T_Agg:
		case T_Unique:
			return NIL;
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			return join_expressions(plan);
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapIndexScan:
			return index_expressions(plan);
		case T_BitmapHeapScan:
			return list_make1(((const BitmapHeapScan *) plan)->bitmapqualorig);
		case T_Result:
			return list_make1(((const Result *) plan)->resconstantqual);
		case T_Hash:
			return list_make1(((const Hash *) plan)->hashkeys);
		case T_Memoize:
			return list_make1(((const Memoize *) plan)->param_exprs);
		case T_Limit:
			return list_make2(((const Limit *) plan)->limitOffset, ((const Limit *) plan)->limitCount);
		case T_ForeignScan:
			return list_make2(((const ForeignScan *) plan)->fdw_exprs, ((const ForeignScan *) plan)->fdw_recheck_quals);
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

#define ORDER(node, number, op, coll) \
	(*count = ((const node *) plan)->number, \
	 *operators = ((const node *) plan)->op, *collations = ((const node *) plan)->coll)

void
pa_plan_order(const Plan *plan, int *count, const Oid **operators, const Oid **collations)
{
	*count = 0;
	switch (nodeTag(plan))
	{
		case T_Sort:
			ORDER(Sort, numCols, sortOperators, collations);
			break;
		case T_IncrementalSort:
			ORDER(IncrementalSort, sort.numCols, sort.sortOperators, sort.collations);
			break;
		case T_MergeAppend:
			ORDER(MergeAppend, numCols, sortOperators, collations);
			break;
		case T_GatherMerge:
			ORDER(GatherMerge, numCols, sortOperators, collations);
			break;
		case T_Group:
			ORDER(Group, numCols, grpOperators, grpCollations);
			break;
		case T_Agg:
			ORDER(Agg, numCols, grpOperators, grpCollations);
			break;
		case T_Unique:
			ORDER(Unique, numCols, uniqOperators, uniqCollations);
			break;
		case T_Memoize:
			ORDER(Memoize, numKeys, hashOperators, collations);
			break;
		default:
			break;				/* joins have clauses, whose operators say by what */
	}
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
