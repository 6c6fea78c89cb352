/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decorrelate.c
 *		See decorrelate.h.
 *
 * Where no group of the release matches, the value is null; so it is where a row outside
 * has no rows, but for counts.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_oper.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "descend.h"
#include "guard/decorrelate.h"

#define JOIN_RELEASE "Join one release of all groups: WITH r AS (SELECT k, avg(x) AS v FROM t GROUP BY k) SELECT ... FROM ... JOIN r USING (k) WHERE ... r.v ..."

/* --- what refers to rows outside --- */

static bool
refers_outside_walker(Node *node, int *depth)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		bool		found;

		(*depth)++;
		found = query_tree_walker((Query *) node, refers_outside_walker, depth, 0);
		(*depth)--;
		return found;
	}
	if (IsA(node, Var))
		return (int) ((Var *) node)->varlevelsup >= *depth;
	if (IsA(node, Aggref) && (int) ((Aggref *) node)->agglevelsup >= *depth)
		return true;
	if (IsA(node, GroupingFunc) && (int) ((GroupingFunc *) node)->agglevelsup >= *depth)
		return true;
	return expression_tree_walker(node, refers_outside_walker, depth);
}

bool
pa_refers_outside(const Query *query)
{
	int			depth = 0;

	return refers_outside_walker((Node *) query, &depth);
}

/* The same of an expression of a query. */
static bool
expression_refers_outside(Node *node)
{
	int			depth = 1;

	return refers_outside_walker(node, &depth);
}

/* --- keys --- */

/* By the equality that a grouping of the values goes by, or one of other types that agrees with it. */
static bool
is_equality_of_groups(const OpExpr *test)
{
	return list_length(test->args) == 2 && op_hashjoinable(test->opno, exprType(linitial(test->args))) &&
		equality_ops_are_compatible(test->opno, lookup_type_cache(exprType(linitial(test->args)), TYPECACHE_EQ_OPR)->eq_opr);
}

/* The side of the comparison that is a key: of this query's rows alone, where the other is of the next query's alone. */
static int
key_side(const OpExpr *test)
{
	if (!IsA(test, OpExpr) || !is_equality_of_groups(test) || contain_subplans((Node *) test) || contain_volatile_functions((Node *) test))
		return -1;
	for (int i = 0; i < 2; i++)
	{
		Node	   *outside = list_nth(test->args, 1 - i);

		if (contain_vars_of_level(list_nth(test->args, i), 0) && !expression_refers_outside(list_nth(test->args, i)) &&
			contain_vars_of_level(outside, 1) && !contain_vars_of_level(outside, 0))
			return i;
	}
	return -1;
}

/* A column of the query for the key, by which it groups; the same one for the same key. */
static AttrNumber
group_by(Query *query, Node *key)
{
	SortGroupClause *clause = makeNode(SortGroupClause);
	TargetEntry *entry;
	ListCell   *cell;

	foreach(cell, query->groupClause)
	{
		entry = get_sortgroupclause_tle(lfirst(cell), query->targetList);
		if (equal(entry->expr, key))
			return entry->resno;
	}
	get_sort_group_operators(exprType(key), false, true, false, &clause->sortop, &clause->eqop, NULL, &clause->hashable);
	entry = makeTargetEntry((Expr *) copyObject(key), list_length(query->targetList) + 1, pstrdup("key"), false);
	entry->ressortgroupref = clause->tleSortGroupRef = list_length(query->groupClause) + 1;
	query->targetList = lappend(query->targetList, entry);
	query->groupClause = lappend(query->groupClause, clause);
	return entry->resno;
}

static PaKeyMatch *
take_match(const PaGuard *guard, Query *query, const OpExpr *test)
{
	int			side = key_side(test);
	PaKeyMatch *match = palloc(sizeof(PaKeyMatch));

	if (side < 0)
		pa_refuse(guard, exprLocation((Node *) test),
				  "A subquery that is a release depends on a row outside other than by equality with a column of its own.", JOIN_RELEASE);
	*match = (PaKeyMatch) {copyObject(unconstify(OpExpr *, test)), side, group_by(query, list_nth(test->args, side))};
	lfirst(list_nth_cell(match->test->args, side)) = makeNullConst(exprType(list_nth(test->args, side)), -1, InvalidOid);
	IncrementVarSublevelsUp((Node *) match->test, -1, 1);
	return match;
}

static void
require_plain(const PaGuard *guard, const SubLink *sublink, const Query *query)
{
	if (!query->hasAggs || query->groupClause || query->groupingSets || query->distinctClause || query->hasWindowFuncs ||
		query->hasTargetSRFs || query->setOperations || query->limitCount || query->limitOffset || query->cteList)
		pa_refuse(guard, sublink->location,
				  "A correlated subquery that is a release does more than SELECT an aggregate FROM ... WHERE.", JOIN_RELEASE);
}

List *
pa_take_matches(const PaGuard *guard, const SubLink *sublink)
{
	Query	   *query = castNode(Query, sublink->subselect);
	List	   *matches = NIL;
	List	   *kept = NIL;
	ListCell   *cell;

	if (!pa_refers_outside(query))
		return NIL;
	require_plain(guard, sublink, query);
	pa_flatten_joins(query);
	query->targetList = list_make1(linitial(query->targetList));	/* the order of its row is none */
	query->sortClause = NIL;
	linitial_node(TargetEntry, query->targetList)->ressortgroupref = 0;
	foreach(cell, make_ands_implicit((Expr *) query->jointree->quals))
		if (expression_refers_outside(lfirst(cell)))
			matches = lappend(matches, take_match(guard, query, lfirst(cell)));
		else
			kept = lappend(kept, lfirst(cell));
	query->jointree->quals = kept == NIL ? NULL : (Node *) make_ands_explicit(kept);
	if (pa_refers_outside(query))
		pa_refuse(guard, sublink->location,
				  "A subquery that is a release depends on a row outside other than by an equality in its WHERE.", JOIN_RELEASE);
	return matches;
}
