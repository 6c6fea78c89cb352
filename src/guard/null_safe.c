/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * null_safe.c
 *		Comparisons by which nulls are equal, of columns of which one is never null: there they
 *		are the equalities that joins are known by.
 *
 *	 a = b OR a IS NULL AND b IS NULL	a = b
 *	 a IS NOT DISTINCT FROM b			a = b, where NULL means the same as false
 *
 * Tools write them since they do not know what is declared.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "descend.h"
#include "guard/rephrase.h"

typedef struct Place
{
	const Query *query;
	List	   *from;			/* parts of FROM whose rows the condition sees */
} Place;

static bool
is_never_null(const Place *place, Node *node)
{
	const ListCell *cell;

	foreach(cell, place->from)
		if (pa_is_never_null_in(place->query, lfirst(cell), node))
			return true;
	return false;
}

static bool
is_never_true(const Place *place, Node *condition)
{
	const NullTest *test = (const NullTest *) condition;
	ListCell   *cell;

	pa_descend();
	if (is_andclause(condition))
	{
		foreach(cell, ((BoolExpr *) condition)->args)
			if (is_never_true(place, lfirst(cell)))
				return true;
		return false;
	}
	return IsA(condition, NullTest) && test->nulltesttype == IS_NULL && !test->argisrow && is_never_null(place, (Node *) test->arg);
}

static Node *
without_what_is_never_true(const Place *place, BoolExpr *either)
{
	List	   *rest = NIL;
	ListCell   *cell;

	foreach(cell, either->args)
		if (!is_never_true(place, lfirst(cell)))
			rest = lappend(rest, lfirst(cell));
	return rest == NIL ? makeBoolConst(false, false) : list_length(rest) == 1 ? linitial(rest) : (Node *) make_orclause(rest);
}

/* NOT (a IS DISTINCT FROM b) */
static Node *
as_equality(const Place *place, Node *negation)
{
	DistinctExpr *distinct = linitial(((BoolExpr *) negation)->args);
	OpExpr	   *equality;

	if (!IsA(distinct, DistinctExpr) ||
		!(is_never_null(place, linitial(distinct->args)) || is_never_null(place, lsecond(distinct->args))))
		return negation;
	equality = (OpExpr *) copyObject(distinct);
	NodeSetTag(equality, T_OpExpr);
	return (Node *) equality;
}

/* Of what has to be true, not of what must not be. */
static Node *
settle_condition(const Place *place, Node *condition)
{
	ListCell   *cell;

	pa_descend();
	if (condition == NULL || !IsA(condition, BoolExpr))
		return condition;
	if (is_notclause(condition))
		return as_equality(place, condition);
	foreach(cell, ((BoolExpr *) condition)->args)
		lfirst(cell) = settle_condition(place, lfirst(cell));
	return is_orclause(condition) ? without_what_is_never_true(place, (BoolExpr *) condition) : condition;
}

static void
settle_from(const Query *query, Node *from)
{
	ListCell   *cell;

	pa_descend();
	if (IsA(from, FromExpr))
	{
		Place		place = {query, list_make1(from)};

		foreach(cell, ((FromExpr *) from)->fromlist)
			settle_from(query, lfirst(cell));
		((FromExpr *) from)->quals = settle_condition(&place, ((FromExpr *) from)->quals);
	}
	if (IsA(from, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) from;
		Place		place = {query, list_make2(join->larg, join->rarg)};

		settle_from(query, join->larg);
		settle_from(query, join->rarg);
		join->quals = settle_condition(&place, join->quals);
	}
}

void
pa_settle_null_safe(Query *query)
{
	if (query->jointree)
		settle_from(query, (Node *) query->jointree);
}
