/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * checked_bounds.c
 *		Between which numbers CHECK constraints keep a column of a public table.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "access/table.h"
#include "access/transam.h"
#include "nodes/nodeFuncs.h"
#include "nodes/readfuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat/planner.h"
#include "descend.h"
#include "guard/guard.h"

typedef struct Limits
{
	AttrNumber	column;
	Node	   *least;			/* Const; NULL: none */
	Node	   *largest;
} Limits;

/* A constant, or one that PostgreSQL's own functions have to convert; NULL: something else. */
static Node *
constant_of(Node *node)
{
	const FuncExpr *cast = (const FuncExpr *) node;

	if (IsA(node, FuncExpr) && cast->funcid < FirstNormalObjectId && list_length(cast->args) == 1 && IsA(linitial(cast->args), Const))
		node = eval_const_expressions(NULL, node);
	return IsA(node, Const) && !((Const *) node)->constisnull ? node : NULL;
}

static void
limit(Limits *limits, int strategy, Node *constant)
{
	if (strategy == BTLessStrategyNumber || strategy == BTLessEqualStrategyNumber || strategy == BTEqualStrategyNumber)
		limits->largest = constant;
	if (strategy == BTGreaterStrategyNumber || strategy == BTGreaterEqualStrategyNumber || strategy == BTEqualStrategyNumber)
		limits->least = constant;
}

static void
look_at_comparison(Limits *limits, const OpExpr *test)
{
	Node	   *left = list_length(test->args) == 2 ? linitial(test->args) : NULL;
	Oid			operator = test->opno;
	Node	   *constant;

	if (left == NULL)
		return;
	constant = constant_of(lsecond(test->args));
	if (constant == NULL)
	{
		constant = constant_of(left);
		left = lsecond(test->args);
		operator = get_commutator(operator);
	}
	if (constant == NULL || !OidIsValid(operator) || !IsA(left, Var) || ((Var *) left)->varattno != limits->column)
		return;
	limit(limits, pa_order_strategy(operator), constant);
}

static void
look_at(Limits *limits, Node *condition)
{
	ListCell   *cell;

	pa_descend();
	if (is_andclause(condition))
		foreach(cell, ((BoolExpr *) condition)->args)
			look_at(limits, lfirst(cell));
	else if (IsA(condition, OpExpr))
		look_at_comparison(limits, (OpExpr *) condition);
}

bool
pa_checked_bounds(Oid relation, AttrNumber column, Const **least, Const **largest)
{
	Relation	rel = table_open(relation, AccessShareLock);
	const TupleConstr *constraints = RelationGetDescr(rel)->constr;
	Limits		limits = {.column = column};

	for (int i = 0; constraints && i < constraints->num_check; i++)
		if (constraints->check[i].ccvalid && !constraints->check[i].ccnoinherit)
			look_at(&limits, stringToNode(constraints->check[i].ccbin));
	table_close(rel, NoLock);
	*least = (Const *) limits.least;
	*largest = (Const *) limits.largest;
	return *least && *largest;
}
