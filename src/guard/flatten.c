/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flatten.c
 *		Merged columns, views and subqueries become the columns and tables behind them;
 *		conditions that are hidden in an OR are seen.
 *
 * Of a = b AND false only the last would be left, and nobody could say any more which rows meet.  So what a condition
 * says without looking at rows, c, becomes (c OR a <> b): the same where a = b, whatever c turns out to be.
 */
#include "postgres.h"

#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "compat/planner.h"
#include "descend.h"
#include "guard/branches.h"
#include "guard/guard.h"

/* --- hidden conditions --- */

static bool
looks_at_rows(Node *node, void *nothing)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Var) || IsA(node, SubLink) || IsA(node, Aggref) || (IsA(node, Param) && ((Param *) node)->paramkind != PARAM_EXTERN))
		return true;
	return expression_tree_walker(node, looks_at_rows, nothing);
}

static const Var *
column_here(const OpExpr *test, int side)
{
	const Var  *column = list_nth(test->args, side);

	return IsA(column, Var) && column->varlevelsup == 0 ? column : NULL;
}

/* By which rows of two tables meet. */
static bool
is_equality_of_tables(const OpExpr *test)
{
	if (!IsA(test, OpExpr) || list_length(test->args) != 2 || !column_here(test, 0) || !column_here(test, 1))
		return false;
	return column_here(test, 0)->varno != column_here(test, 1)->varno && OidIsValid(get_negator(test->opno)) &&
		op_hashjoinable(test->opno, exprType(linitial(test->args)));
}

/* NULL: there is none. */
static OpExpr *
unequal(List *conditions)
{
	ListCell   *cell;

	foreach(cell, conditions)
	{
		OpExpr	   *test;

		if (!is_equality_of_tables(lfirst(cell)))
			continue;
		test = copyObject(lfirst(cell));
		test->opno = get_negator(test->opno);
		test->opfuncid = InvalidOid;
		return test;
	}
	return NULL;
}

/* In canonical form, with the equalities that it had. */
static Node *
factor(Node *quals)
{
	List	   *conditions = make_ands_implicit((Expr *) quals);
	OpExpr	   *test = unequal(conditions);
	ListCell   *cell;

	if (test == NULL)
		return (Node *) canonicalize_qual((Expr *) quals, false);
	foreach(cell, conditions)
		if (!looks_at_rows(lfirst(cell), NULL))
			lfirst(cell) = make_orclause(list_make2(lfirst(cell), copyObject(test)));
	return (Node *) canonicalize_qual(make_ands_explicit(conditions), false);
}

static bool
factor_walker(Node *node, void *nothing)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, factor_walker, nothing, 0);
	if (IsA(node, FromExpr))
		((FromExpr *) node)->quals = factor(((FromExpr *) node)->quals);
	if (IsA(node, JoinExpr))
		((JoinExpr *) node)->quals = factor(((JoinExpr *) node)->quals);
	return expression_tree_walker(node, factor_walker, nothing);
}

void
pa_factor_conditions(Query *query)
{
	(void) factor_walker((Node *) query, NULL);
}

/* --- lifting --- */

typedef struct LiftContext
{
	const PaGuard *guard;
	bool		(*wanted) (Node *condition, void *argument);
	void	   *argument;
	List	   *lifted;
} LiftContext;

static void
lift(LiftContext *context, Node *node, bool below_outer)
{
	ListCell   *cell;

	pa_descend();
	if (IsA(node, FromExpr))
		foreach(cell, ((FromExpr *) node)->fromlist)
			lift(context, lfirst(cell), below_outer);
	if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;
		bool		outer = below_outer || join->jointype != JOIN_INNER;

		lift(context, join->larg, outer);
		lift(context, join->rarg, outer);
		if (!context->wanted(join->quals, context->argument))
			return;
		if (outer)
			pa_refuse(context->guard, exprLocation(join->quals), "The condition of an outer join has a subquery.",
					  "Put the subquery into WHERE, or into a subquery in FROM.");
		context->lifted = list_concat(context->lifted, make_ands_implicit((Expr *) join->quals));
		join->quals = NULL;
	}
}

void
pa_lift_conditions(const PaGuard *guard, Query *query, bool (*wanted) (Node *condition, void *argument), void *argument)
{
	LiftContext context = {guard, wanted, argument};
	FromExpr   *from = query->jointree;

	lift(&context, (Node *) from, false);
	if (context.lifted != NIL)
		from->quals = (Node *) make_ands_explicit(list_concat(make_ands_implicit((Expr *) from->quals), context.lifted));
}

void
pa_flatten_joins(Query *query)
{
	query->targetList = (List *) pa_flatten_join_columns(query, (Node *) query->targetList);
	query->havingQual = pa_flatten_join_columns(query, query->havingQual);
	query->jointree = (FromExpr *) pa_flatten_join_columns(query, (Node *) query->jointree);
}

static bool
only_subquery(const Query *query, int *rtindex)
{
	const RangeTblEntry *rte;
	RangeTblRef *reference = list_length(query->jointree->fromlist) == 1 ? linitial(query->jointree->fromlist) : NULL;

	if (reference == NULL || !IsA(reference, RangeTblRef))
		return false;
	*rtindex = reference->rtindex;
	rte = rt_fetch(reference->rtindex, query->rtable);
	return rte->rtekind == RTE_SUBQUERY && !pa_is_union(rte);
}

bool
pa_is_plain(const Query *query)
{
	return query->commandType == CMD_SELECT && !query->hasAggs && !query->hasWindowFuncs && !query->hasTargetSRFs &&
		query->groupClause == NIL && query->groupingSets == NIL && query->havingQual == NULL &&
		query->distinctClause == NIL && query->limitCount == NULL && query->limitOffset == NULL &&
		query->setOperations == NULL && query->cteList == NIL && query->rowMarks == NIL && query->jointree->fromlist != NIL;
}

/* FROM without the entry. */
static List *
other_items(const List *items, int rtindex)
{
	List	   *others = NIL;
	const ListCell *cell;

	foreach(cell, items)
		if (!IsA(lfirst(cell), RangeTblRef) || ((RangeTblRef *) lfirst(cell))->rtindex != rtindex)
			others = lappend(others, lfirst(cell));
	return others;
}

/*
 * Its range table comes along whole, since it says what the owners of views may read;
 * the entry of the subquery itself is left empty.
 */
void
pa_pull_up(Query *query, int rtindex)
{
	RangeTblEntry *rte = rt_fetch(rtindex, query->rtable);
	Query	   *subquery = copyObject(rte->subquery);
	int			offset = list_length(query->rtable);
	List	   *columns;
	Node	   *quals;

	if (pa_groups_rows(subquery))
		elog(ERROR, "a subquery of a block that groups rows is taken for one that does not");
	OffsetVarNodes((Node *) subquery, offset, 0);
	columns = subquery->targetList;
	query->targetList = (List *) pa_replace_columns((Node *) query->targetList, rtindex, rte, columns, &query->hasSubLinks);
	query->havingQual = pa_replace_columns(query->havingQual, rtindex, rte, columns, &query->hasSubLinks);
	quals = pa_replace_columns(query->jointree->quals, rtindex, rte, columns, &query->hasSubLinks);
	query->jointree = makeFromExpr(list_concat(other_items(query->jointree->fromlist, rtindex), subquery->jointree->fromlist),
								   (Node *) make_ands_explicit(list_concat(make_ands_implicit((Expr *) quals),
																		   make_ands_implicit((Expr *) subquery->jointree->quals))));
	query->rtable = list_concat(query->rtable, subquery->rtable);
	query->hasSubLinks |= subquery->hasSubLinks;
	rte->rtekind = RTE_RESULT;
	rte->subquery = NULL;
	rte->security_barrier = false;
}

void
pa_flatten_subqueries(Query *query)
{
	int			rtindex;

	while (only_subquery(query, &rtindex))
		pa_pull_up(query, rtindex);
}
