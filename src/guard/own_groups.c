/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own_groups.c
 *		See own_groups.h.
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "guard/column.h"
#include "guard/own_groups.h"
#include "guard/related.h"

/* --- keys --- */

static Node *
as_input(Node *node, Oid type)
{
	return exprType(node) == VARCHAROID && type == TEXTOID ?
		(Node *) makeRelabelType((Expr *) node, type, -1, exprCollation(node), COERCE_IMPLICIT_CAST) : node;
}

/* WHERE key IS NOT NULL */
static bool
is_required(const Query *query, const Node *key)
{
	List	   *conditions = make_ands_implicit((Expr *) query->jointree->quals);
	ListCell   *cell;

	foreach(cell, conditions)
	{
		const NullTest *test = lfirst(cell);

		if (IsA(test, NullTest) && test->nulltesttype == IS_NOT_NULL && !test->argisrow && equal(test->arg, key))
			return true;
	}
	return false;
}

bool
pa_has_value(const Query *query, Node *key)
{
	return pa_is_never_null(query, key) || is_required(query, key);
}

/* key = column; where the key may be null, both may be. */
static Node *
same_key(const Query *query, const SortGroupClause *clause, Node *key, Node *column)
{
	OpExpr	   *equality;
	DistinctExpr *difference;
	Oid			left,
				right;

	op_input_types(clause->eqop, &left, &right);
	equality = (OpExpr *) make_opclause(clause->eqop, BOOLOID, false, (Expr *) as_input(copyObject(key), left),
										(Expr *) as_input(column, right), InvalidOid, exprCollation(key));
	if (pa_has_value(query, key))
		return (Node *) equality;
	difference = makeNode(DistinctExpr);
	memcpy(difference, equality, sizeof(OpExpr));
	NodeSetTag(difference, T_DistinctExpr);
	return (Node *) make_notclause((Expr *) difference);
}

/* --- groups of the rows of a query --- */

Query *
pa_copy_rows(PaGuard *guard, const Query *query, int location)
{
	Query	   *copy;

	if (query->setOperations || query->limitCount || query->limitOffset || query->hasTargetSRFs || query->rowMarks ||
		contain_vars_of_level((Node *) query, 1))
		pa_refuse(guard, location, "A window function, or DISTINCT, stands in a query that does more than SELECT ... FROM ... WHERE, or refers to the query around it.",
				  "Put SELECT ... FROM ... WHERE into a subquery of its own, and the window function, or count(DISTINCT ...), around it.");
	copy = pa_copy(guard, query);
	pa_bound_expansion(guard, copy);
	copy->targetList = copy->windowClause = copy->groupClause = copy->distinctClause = copy->sortClause = NIL;
	copy->hasWindowFuncs = copy->hasAggs = copy->hasDistinctOn = false;
	copy->havingQual = NULL;
	return copy;
}

Aggref *
pa_aggregate_of(Oid function, Oid type, Node *value, int location)
{
	Aggref	   *aggref = makeNode(Aggref);

	aggref->aggfnoid = function;
	aggref->aggtype = type;
	aggref->aggargtypes = list_make1_oid(exprType(value));
	aggref->args = list_make1(makeTargetEntry((Expr *) value, 1, NULL, false));
	aggref->aggkind = AGGKIND_NORMAL;
	aggref->aggno = aggref->aggtransno = -1;
	aggref->location = location;
	return aggref;
}

void
pa_group_as(Query *query, const Query *other, List *clauses)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		SortGroupClause *clause = copyObject(lfirst_node(SortGroupClause, cell));
		TargetEntry *key = pa_add_output(query, copyObject((Node *) get_sortgroupclause_tle(lfirst(cell), other->targetList)->expr));

		key->ressortgroupref = clause->tleSortGroupRef = list_length(query->targetList);
		query->groupClause = lappend(query->groupClause, clause);
	}
}

void
pa_join_groups(PaGuard *guard, Query *query, Query *groups, List *clauses)
{
	PaRelated	related = {guard, groups, list_length(query->rtable) + 1, -1};
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, clauses)
	{
		Node	   *key = (Node *) get_sortgroupclause_tle(lfirst(cell), query->targetList)->expr;
		Var		   *column = makeVar(related.rtindex, foreach_current_index(cell) + 1, exprType(key), exprTypmod(key), exprCollation(key), 0);

		conditions = lappend(conditions, same_key(query, lfirst(cell), key, (Node *) column));
	}
	pa_join_subquery(query, JOIN_INNER, &related, conditions);
}
