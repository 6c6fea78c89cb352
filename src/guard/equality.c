/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * equality.c
 *		See equality.h.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "parser/parse_node.h"
#include "parser/parse_oper.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "compat/names.h"
#include "descend.h"
#include "guard/branches.h"
#include "guard/equality.h"
#include "guard/expose.h"
#include "guard/guard.h"

/* --- conditions --- */

/* The kinds of types that owners and the keys of their tables have. */
static char
kind_of_owner(Oid type)
{
	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
			return 'n';
		case TEXTOID:
		case VARCHAROID:
			return 't';
		case UUIDOID:
			return 'u';
		default:
			return '\0';
	}
}

/* By which equal values are the same. */
static bool
is_exact_equality(const OpExpr *test)
{
	Oid			left,
				right;

	if (!IsA(test, OpExpr) || list_length(test->args) != 2)
		return false;
	op_input_types(test->opno, &left, &right);
	return op_hashjoinable(test->opno, left) && kind_of_owner(left) != '\0' && kind_of_owner(left) == kind_of_owner(right) &&
		pa_is_exact(left, test->inputcollid);
}

static List *
add_equality(List *equalities, const Query *query, const OpExpr *test)
{
	PaEquality *equality;

	if (!is_exact_equality(test))
		return equalities;
	equality = palloc(sizeof(PaEquality));
	for (int i = 0; i < 2; i++)
	{
		equality->sides[i] = pa_column_of(query, list_nth(test->args, i));
		if (equality->sides[i].table == NULL)
			return equalities;
	}
	return lappend(equalities, equality);
}

static List *
add_condition(List *equalities, const Query *query, Node *condition)
{
	ListCell   *cell;

	pa_descend();
	if (condition == NULL)
		return equalities;
	if (!IsA(condition, List) && !is_andclause(condition))
		return add_equality(equalities, query, (const OpExpr *) condition);
	foreach(cell, IsA(condition, List) ? (List *) condition : ((BoolExpr *) condition)->args)
		equalities = add_condition(equalities, query, lfirst(cell));
	return equalities;
}

List *
pa_with_equalities(List *equalities, const Query *query, Node *condition)
{
	return add_condition(list_copy(equalities), query, condition);
}

static List *add_established(List *equalities, const Query *query, Node *from);

static List *
add_established_by_join(List *equalities, const Query *query, const JoinExpr *join)
{
	switch (join->jointype)
	{
		case JOIN_INNER:
			equalities = add_condition(equalities, query, join->quals);
			equalities = add_established(equalities, query, join->larg);
			return add_established(equalities, query, join->rarg);
		case JOIN_LEFT:
		case JOIN_SEMI:
		case JOIN_ANTI:
			return add_established(equalities, query, join->larg);
		case JOIN_RIGHT:
			return add_established(equalities, query, join->rarg);
		case JOIN_FULL:
		PA_CASE_PLANNERS_JOINS:
			return equalities;
	}
	return equalities;
}

static List *
add_established(List *equalities, const Query *query, Node *from)
{
	ListCell   *cell;
	const RangeTblEntry *rte;

	pa_descend();
	if (IsA(from, JoinExpr))
		return add_established_by_join(equalities, query, (const JoinExpr *) from);
	if (IsA(from, FromExpr))
	{
		equalities = add_condition(equalities, query, ((FromExpr *) from)->quals);
		foreach(cell, ((FromExpr *) from)->fromlist)
			equalities = add_established(equalities, query, lfirst(cell));
		return equalities;
	}
	rte = rt_fetch(castNode(RangeTblRef, from)->rtindex, query->rtable);
	/* what holds of rows that become groups, or of those of an input, is not about what comes out */
	if (rte->rtekind != RTE_SUBQUERY || pa_is_union(rte) || pa_groups_rows(rte->subquery))
		return equalities;
	return add_established(equalities, rte->subquery, (Node *) rte->subquery->jointree);
}

List *
pa_with_established(List *equalities, const Query *query, Node *from)
{
	return add_established(list_copy(equalities), query, from);
}

/* --- what is equal --- */

bool
pa_same_column(PaColumn a, PaColumn b)
{
	return a.table == b.table && a.attnum == b.attnum;
}

bool
pa_are_equal(PaColumn from, PaColumn to, List *equalities)
{
	List	   *reached = list_make1(&from);
	ListCell   *cell;
	ListCell   *step;

	foreach(cell, reached)
	{
		const PaColumn *column = lfirst(cell);

		CHECK_FOR_INTERRUPTS();
		if (pa_same_column(*column, to))
			return true;
		foreach(step, equalities)
		{
			PaEquality   *equality = lfirst(step);

			for (int i = 0; i < 2; i++)
			{
				PaColumn   *next = &equality->sides[1 - i];
				bool		known = !pa_same_column(equality->sides[i], *column);
				ListCell   *seen;

				foreach(seen, reached)
					known |= pa_same_column(*(PaColumn *) lfirst(seen), *next);
				if (!known)
					reached = lappend(reached, next);
			}
		}
	}
	return false;
}

/* --- writing them out --- */

static bool
stands_in(List *written, const PaEquality *equality)
{
	ListCell   *cell;

	foreach(cell, written)
	{
		const PaEquality *other = lfirst(cell);

		for (int i = 0; i < 2; i++)
			if (pa_same_column(other->sides[0], equality->sides[i]) && pa_same_column(other->sides[1], equality->sides[1 - i]))
				return true;
	}
	return false;
}

/* The texts are the same, so that any collation will do for which they are. */
static Oid
collation_of(const Var *var)
{
	if (!type_is_collatable(var->vartype))
		return InvalidOid;
	return OidIsValid(var->varcollid) && get_collation_isdeterministic(var->varcollid) ? var->varcollid : C_COLLATION_OID;
}

static Node *
make_equality(Var *left, Var *right)
{
	OpExpr	   *test = (OpExpr *) make_op(make_parsestate(NULL), list_make2(makeString("pg_catalog"), makeString("=")),
										  (Node *) left, (Node *) right, NULL, -1);

	test->inputcollid = collation_of(left);
	return (Node *) test;
}

/* What the condition says; inner joins may meet their conditions in any order. */
static List *
written_in(const Query *query, Node *join)
{
	if (IsA(join, JoinExpr) && ((JoinExpr *) join)->jointype != JOIN_INNER)
		return pa_with_equalities(NIL, query, ((JoinExpr *) join)->quals);
	return pa_with_established(NIL, query, join);
}

bool
pa_write_equalities(Query *query, Node *join, List *equalities)
{
	Node	  **condition = IsA(join, FromExpr) ? &((FromExpr *) join)->quals : &((JoinExpr *) join)->quals;
	List	   *written = written_in(query, join);
	List	   *tests = NIL;
	ListCell   *cell;

	foreach(cell, equalities)
	{
		const PaEquality *equality = lfirst(cell);
		Var		   *left,
				   *right;

		if (stands_in(written, equality))
			continue;
		left = pa_expose_column(query, equality->sides[0]);
		right = pa_expose_column(query, equality->sides[1]);
		if (left == NULL || right == NULL)
			return false;
		tests = lappend(tests, make_equality(left, right));
	}
	if (tests != NIL)
		*condition = (Node *) make_ands_explicit(list_concat(make_ands_implicit((Expr *) *condition), tests));
	return true;
}
