/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * related.c
 *		See related.h.
 *
 * A condition of a subquery that refers to the row outside holds of a pair: of a row
 * of the subquery and that row.  So it is a condition of their join.  A subquery that
 * makes one row of many can be joined if the condition is an equality: grouped by the
 * column that is compared, it has the row for each value that there may be outside.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_oper.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "guard/column.h"
#include "guard/related.h"
#include "guard/subquery_entry.h"

#define INSTEAD "Relate the subquery to the row outside in its own WHERE, by conditions joined by AND, among them an equality of the owners."

/* --- what refers to the query around --- */

/* Anywhere but in WHERE and what it hands up. */
static void
require_related_in_where(const PaRelated *related)
{
	Query		rest = *related->subquery;

	rest.targetList = NIL;
	rest.jointree = makeFromExpr(rest.jointree->fromlist, NULL);
	if (contain_vars_of_level((Node *) &rest, 1))
		pa_refuse(related->guard, related->location,
				  "A subquery over protected rows refers to the query around it elsewhere than in its WHERE.", INSTEAD);
}

Node *
pa_as_outside(Node *node)
{
	node = copyObject(node);
	IncrementVarSublevelsUp(node, -1, 1);
	return node;
}

/* --- the columns that are compared --- */

/* The column of the subquery, which hands it up from now on. */
static Node *
output_of(const PaRelated *related, Node *expression, TargetEntry **entry)
{
	List	  **columns = &related->subquery->targetList;
	ListCell   *cell;

	*entry = NULL;
	foreach(cell, *columns)
		if (equal(((TargetEntry *) lfirst(cell))->expr, expression))
			*entry = lfirst(cell);
	if (*entry == NULL)
	{
		*entry = makeTargetEntry(copyObject((Expr *) expression), list_length(*columns) + 1, pstrdup("value"), false);
		*columns = lappend(*columns, *entry);
	}
	return (Node *) makeVar(related->rtindex, (*entry)->resno, exprType(expression), exprTypmod(expression),
							exprCollation(expression), 0);
}

/* The condition of the subquery as it reads in the query around it. */
static Node *
lift_mutator(Node *node, const PaRelated *related)
{
	TargetEntry *entry;

	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Var) && ((Var *) node)->varlevelsup == 0)
		return output_of(related, node, &entry);
	if (IsA(node, Var))
		return pa_as_outside(node);
	return expression_tree_mutator(node, lift_mutator, unconstify(PaRelated *, related));
}

/* --- groups --- */

static void
group_by(Query *subquery, TargetEntry *key)
{
	SortGroupClause *clause = makeNode(SortGroupClause);
	Index		last = 0;
	ListCell   *cell;

	if (key->ressortgroupref > 0 && get_sortgroupref_clause_noerr(key->ressortgroupref, subquery->groupClause))
		return;
	foreach(cell, subquery->targetList)
		last = Max(last, ((TargetEntry *) lfirst(cell))->ressortgroupref);
	get_sort_group_operators(exprType((Node *) key->expr), false, true, false,
							 &clause->sortop, &clause->eqop, NULL, &clause->hashable);
	key->ressortgroupref = clause->tleSortGroupRef = last + 1;
	subquery->groupClause = lappend(subquery->groupClause, clause);
}

/* Whether it is "inside = outside" where equal values are the same; inside: which side is of the subquery. */
static bool
is_plain_equality(const OpExpr *test, int *inside)
{
	if (!IsA(test, OpExpr) || list_length(test->args) != 2 || !op_hashjoinable(test->opno, exprType(linitial(test->args))))
		return false;
	for (int i = 0; i < 2; i++)
		if (!pa_is_exact(exprType(list_nth(test->args, i)), test->inputcollid))
			return false;
	*inside = contain_vars_of_level(linitial(test->args), 1) ? 1 : 0;
	return !contain_vars_of_level(list_nth(test->args, *inside), 1) &&
		!contain_vars_of_level(list_nth(test->args, 1 - *inside), 0);
}

static Node *
lift_equality(const PaRelated *related, Node *condition)
{
	OpExpr	   *test = (OpExpr *) condition;
	int			inside;
	TargetEntry *key;
	Node	   *sides[2];

	if (!is_plain_equality(test, &inside))
		pa_refuse(related->guard, exprLocation(condition),
				  "A subquery that aggregates protected rows is related to the row outside by another condition than an equality.",
				  INSTEAD);
	sides[1 - inside] = pa_as_outside(list_nth(test->args, 1 - inside));
	sides[inside] = output_of(related, list_nth(test->args, inside), &key);
	group_by(related->subquery, key);
	test = copyObject(test);
	test->args = list_make2(sides[0], sides[1]);
	return (Node *) test;
}

/* --- the conditions --- */

/* Those that refer to the query around it are for the join; others stay. */
static List *
take_conditions(const PaRelated *related, List *conditions, bool grouped)
{
	List	   *lifted = NIL;
	List	   *kept = NIL;
	ListCell   *cell;

	require_related_in_where(related);
	foreach(cell, conditions)
	{
		Node	   *condition = lfirst(cell);

		if (!contain_vars_of_level(condition, 1))
			kept = lappend(kept, condition);
		else if (contain_subplans(condition))
			pa_refuse(related->guard, related->location,
					  "A condition on the row outside has a subquery, in a subquery over protected rows.", INSTEAD);
		else
			lifted = lappend(lifted, grouped ? lift_equality(related, condition) : lift_mutator(condition, related));
	}
	related->subquery->jointree->quals = kept == NIL ? NULL : (Node *) make_ands_explicit(kept);
	return lifted;
}

List *
pa_take_conditions(const PaRelated *related, List *conditions)
{
	return take_conditions(related, list_concat(conditions, make_ands_implicit((Expr *) related->subquery->jointree->quals)), false);
}

List *
pa_take_group_conditions(const PaRelated *related)
{
	pa_keep_keys(related->subquery);
	return take_conditions(related, make_ands_implicit((Expr *) related->subquery->jointree->quals), true);
}

/* --- the join --- */

void
pa_join_subquery(Query *query, JoinType type, const PaRelated *related, List *conditions)
{
	JoinExpr   *join = makeNode(JoinExpr);
	RangeTblRef *reference = makeNode(RangeTblRef);
	List	   *from = query->jointree->fromlist;

	Assert(related->rtindex == list_length(query->rtable) + 1);
	query->rtable = lappend(query->rtable, pa_subquery_entry(related->subquery, "related"));
	reference->rtindex = related->rtindex;
	join->jointype = type;
	join->larg = list_length(from) == 1 ? linitial(from) : (Node *) makeFromExpr(from, NULL);
	join->rarg = (Node *) reference;
	join->quals = (Node *) make_ands_explicit(conditions);
	query->jointree->fromlist = list_make1(join);
}
