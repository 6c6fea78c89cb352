/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * once.c
 *		Each condition of a block is evaluated as often as it was written.
 *
 * From "x = e1 AND x = e2 AND x = e3" PostgreSQL concludes that e1 = e2 and
 * e2 = e3, and may look at these as well, or at these instead: one expression of a
 * row is then computed several times, which nobody counted.  It concludes nothing
 * from "(x = e1) IS TRUE", which means the same in a condition.
 *
 * What is of one public table, or compares plain columns of several, stays as it
 * is, so that public tables are read by their indexes and joined with each other; and
 * what makes owners of protected tables equal, by which these are joined.  What an OR demands of
 * one public table is written beside it, which PostgreSQL would conclude otherwise: fewer rows of it are read.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "allow/allowlist.h"
#include "catalog/policy.h"
#include "guard/branches.h"
#include "guard/call_work.h"
#include "guard/column.h"
#include "guard/decorrelate.h"
#include "guard/guard.h"
#include "lookup/owner_equality.h"

bool
pa_makes_rows(const Query *subquery)
{
	return pa_groups_rows(subquery) || subquery->setOperations || subquery->limitCount || subquery->limitOffset ||
		subquery->hasWindowFuncs || subquery->hasTargetSRFs;
}

bool
pa_is_read_first(const Query *subquery)
{
	return pa_makes_rows(subquery) && !pa_query_reads_stamped(subquery);
}

static bool
is_public(const RangeTblEntry *rte)
{
	return (rte->rtekind == RTE_RELATION && !pa_is_stamped(rte)) || rte->rtekind == RTE_VALUES ||
		rte->rtekind == RTE_CTE ||
		(rte->rtekind == RTE_SUBQUERY && pa_is_read_first(rte->subquery));
}

/* Limited in length or not. */
static bool
is_column(const Node *node)
{
	pa_descend();
	while (IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	if (IsA(node, FuncExpr) && pa_is_limited_type(((const FuncExpr *) node)->funcresulttype) &&
		((const FuncExpr *) node)->funcid == pa_short_function(((const FuncExpr *) node)->funcresulttype))
		return is_column(linitial(((const FuncExpr *) node)->args));
	return IsA(node, Var);
}

static bool
compares_columns(const Node *condition)
{
	const OpExpr *comparison = (const OpExpr *) condition;

	return IsA(condition, OpExpr) && list_length(comparison->args) == 2 &&
		is_column(linitial(comparison->args)) && is_column(lsecond(comparison->args));
}

/*
 * By which rows of one owner meet.  What PostgreSQL concludes from such conditions are others of the kind, as long
 * as it has only these to conclude from; and of columns that are all equal no more pairs are
 * compared than were written.
 */
static bool
joins_owners(const Query *query, Node *condition)
{
	const OpExpr *comparison = (const OpExpr *) condition;
	PaSourceEquality equality;

	if (!compares_columns(condition) || !op_hashjoinable(comparison->opno, exprType(linitial(comparison->args))))
		return false;
	for (int i = 0; i < 2; i++)
		equality.sides[i] = pa_source_of(query, list_nth(comparison->args, i));
	return equality.sides[0].table != equality.sides[1].table && pa_is_of_owners(&equality);
}

/* True if a row of the protected table is not needed to evaluate it more than once. */
static bool
may_be_repeated(const Query *query, Node *condition)
{
	Bitmapset  *tables = pull_varnos(NULL, condition);
	int			table = -1;

	while ((table = bms_next_member(tables, table)) >= 0)
		if (!is_public(rt_fetch(table, query->rtable)))
			return false;
	return bms_membership(tables) != BMS_MULTIPLE || compares_columns(condition);
}

static Node *
evaluate_once(const Query *query, Node *condition)
{
	BooleanTest *test;
	ListCell   *cell;

	pa_descend();
	if (condition == NULL || IsA(condition, Const))
		return condition;
	if (is_andclause(condition))
	{
		foreach(cell, ((BoolExpr *) condition)->args)
			lfirst(cell) = evaluate_once(query, lfirst(cell));
		return condition;
	}
	if (joins_owners(query, condition) || may_be_repeated(query, condition))
		return condition;
	test = makeNode(BooleanTest);
	test->arg = (Expr *) condition;
	test->booltesttype = IS_TRUE;
	test->location = exprLocation(condition);
	return (Node *) test;
}

/* --- what an OR demands of a public table --- */

static Node *demand_of(Node *condition, int table);

static List *
demands_of(List *conditions, int table)
{
	List	   *demands = NIL;
	ListCell   *cell;

	foreach(cell, conditions)
	{
		Node	   *demand = demand_of(lfirst(cell), table);

		if (demand)
			demands = lappend(demands, demand);
	}
	return demands;
}

/* A condition of rows of the table alone that is met where this one is; NULL: none is seen. */
static Node *
demand_of(Node *condition, int table)
{
	List	   *demands;

	pa_descend();
	if (bms_equal(pull_varnos(NULL, condition), bms_make_singleton(table)))
		return contain_subplans(condition) ? NULL : copyObject(condition);
	if (!is_andclause(condition) && !is_orclause(condition))
		return NULL;
	demands = demands_of(((BoolExpr *) condition)->args, table);
	if (is_andclause(condition))
		return demands == NIL ? NULL : (Node *) make_ands_explicit(demands);
	return list_length(demands) == list_length(((BoolExpr *) condition)->args) ? (Node *) make_orclause(demands) : NULL;
}

static List *
demands_of_public_tables(const Query *query, Node *condition)
{
	Bitmapset  *tables = pull_varnos(NULL, condition);
	List	   *demands = NIL;
	int			table = -1;

	if (!is_orclause(condition) || bms_membership(tables) != BMS_MULTIPLE)
		return NIL;
	while ((table = bms_next_member(tables, table)) >= 0)
	{
		Node	   *demand = is_public(rt_fetch(table, query->rtable)) ? demand_of(condition, table) : NULL;

		if (demand)
			demands = lappend(demands, demand);
	}
	return demands;
}

/* A column of a query around this one, which is no constant there, would be looked at twice. */
static Node *
with_demands(const Query *query, Node *where)
{
	List	   *conditions = make_ands_implicit((Expr *) where);
	List	   *all = list_copy(conditions);
	ListCell   *cell;

	if (conditions == NIL || pa_refers_outside(query))
		return where;
	foreach(cell, conditions)
		all = list_concat(all, demands_of_public_tables(query, lfirst(cell)));
	return (Node *) make_ands_explicit(all);
}

/* --- all of a block --- */

static void
evaluate_from_once(Query *query, Node *node)
{
	ListCell   *cell;

	pa_descend();
	if (IsA(node, FromExpr))
	{
		FromExpr   *from = (FromExpr *) node;

		foreach(cell, from->fromlist)
			evaluate_from_once(query, lfirst(cell));
		from->quals = evaluate_once(query, with_demands(query, from->quals));
	}
	else if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		evaluate_from_once(query, join->larg);
		evaluate_from_once(query, join->rarg);
		join->quals = evaluate_once(query, join->quals);
	}
	else
	{
		RangeTblEntry *rte = rt_fetch(castNode(RangeTblRef, node)->rtindex, query->rtable);

		ListCell   *branch;

		if (rte->rtekind == RTE_SUBQUERY && !pa_is_read_first(rte->subquery))
			foreach(branch, pa_branches(rte->subquery))
				pa_evaluate_once(lfirst(branch));
	}
}

void
pa_evaluate_once(Query *query)
{
	evaluate_from_once(query, (Node *) query->jointree);
	query->havingQual = evaluate_once(query, query->havingQual);
}
