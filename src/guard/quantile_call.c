/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quantile_call.c
 *		Calls that name quantiles: dp_quantile and ordered sets.
 *
 *	 percentile_cont(q) WITHIN GROUP (ORDER BY x)
 *	 percentile_cont(ARRAY[q, ...]) WITHIN GROUP (ORDER BY x)
 *
 * An array becomes an array of calls of one quantile each, which are one statistic
 * of the release.
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "parser/parse_oper.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "bound/aggregate.h"
#include "bound/order.h"
#include "guard/quantile_call.h"
#include "node/leaf.h"
#include "price/form/form.h"

#define QUANTILE_POSITION 1		/* in the arguments of dp_quantile */

static bool
is_ordered_set(const Aggref *call)
{
	return call->aggkind == AGGKIND_ORDERED_SET;
}

Node *
pa_quantile_of(const Aggref *call)
{
	if (is_ordered_set(call))
		return linitial(call->aggdirectargs);
	return (Node *) ((TargetEntry *) list_nth(call->args, QUANTILE_POSITION))->expr;
}

/* A whole number that is cast has the cells of whole numbers, and not those between them. */
Node *
pa_uncast_whole(Node *value)
{
	if (IsA(value, FuncExpr))
		switch (((FuncExpr *) value)->funcid)
		{
			case F_FLOAT8_INT2:
			case F_FLOAT8_INT4:
			case F_FLOAT8_INT8:
				return linitial(((FuncExpr *) value)->args);
		}
	return value;
}

static bool
sorts_ascending(const Aggref *call)
{
	const SortGroupClause *clause = linitial_node(SortGroupClause, call->aggorder);
	Oid			less;

	get_sort_group_operators(linitial_oid(list_copy_tail(call->aggargtypes, list_length(call->aggdirectargs))), true, false, false, &less, NULL, NULL, NULL);
	return clause->sortop == less;
}

void
pa_validate_ordered_set(PaGuard *guard, const Aggref *call)
{
	if (is_ordered_set(call) && !sorts_ascending(call))
		pa_refuse(guard, call->location, "The values of a quantile are sorted in another order than the ascending one.",
				  "Sort by the value itself, and ask for the quantile from the other end: 1 - 0.9 for 0.9.");
}

/* --- arrays of quantiles --- */

static void
refuse_array(PaGuard *guard, Node *quantiles)
{
	pa_refuse(guard, exprLocation(quantiles),
			  psprintf("Several quantiles must be written as an array of 1 to %d of them.", PA_QUANTILES_MOST),
			  "Write ARRAY[0.25, 0.5, 0.75], with constants or parameters as elements.");
}

static List *
elements_of_constant(const Const *constant, int location)
{
	ArrayType  *array;
	Datum	   *values;
	bool	   *nulls;
	int			count;
	List	   *elements = NIL;

	if (constant->constisnull)
		return NIL;
	array = DatumGetArrayTypeP(constant->constvalue);
	if (ARR_NDIM(array) != 1)
		return NIL;
	deconstruct_array(array, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		Const	   *element = makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), values[i], nulls[i], FLOAT8PASSBYVAL);

		element->location = location;
		elements = lappend(elements, element);
	}
	return elements;
}

/* ARRAY[...] of another type of numbers is one of the same numbers. */
static List *
elements_of_cast(PaGuard *guard, ArrayCoerceExpr *cast)
{
	List	   *elements = NIL;
	ListCell   *cell;

	if (!IsA(cast->arg, ArrayExpr) || ((ArrayExpr *) cast->arg)->multidims)
		return NIL;
	foreach(cell, ((ArrayExpr *) cast->arg)->elements)
		elements = lappend(elements, coerce_to_target_type(NULL, lfirst(cell), exprType(lfirst(cell)), FLOAT8OID, -1,
														   COERCION_ASSIGNMENT, COERCE_IMPLICIT_CAST, exprLocation(lfirst(cell))));
	return list_member_ptr(elements, NULL) ? NIL : elements;
}

static List *
elements_of(PaGuard *guard, Node *quantiles)
{
	Node	   *folded = eval_const_expressions(NULL, quantiles);
	List	   *elements = NIL;

	if (IsA(folded, Const))
		elements = elements_of_constant((Const *) folded, exprLocation(quantiles));
	else if (IsA(quantiles, ArrayExpr) && !((ArrayExpr *) quantiles)->multidims)
		elements = ((ArrayExpr *) quantiles)->elements;
	else if (IsA(quantiles, ArrayCoerceExpr))
		elements = elements_of_cast(guard, (ArrayCoerceExpr *) quantiles);
	if (elements == NIL || list_length(elements) > PA_QUANTILES_MOST)
		refuse_array(guard, quantiles);
	return elements;
}

/* The function of one quantile that is like a function of an array of them. */
static Oid
function_of_one(const Aggref *call)
{
	Oid			types[] = {FLOAT8OID, FLOAT8OID, FLOAT8OID, FLOAT8OID, TEXTOID};
	int			given = list_length(call->args);

	switch (call->aggfnoid)
	{
		case F_PERCENTILE_CONT__FLOAT8_FLOAT8:
			return F_PERCENTILE_CONT_FLOAT8_FLOAT8;
		case F_PERCENTILE_DISC__FLOAT8_ANYELEMENT:
			return F_PERCENTILE_DISC_FLOAT8_ANYELEMENT;
	}
	types[given - 1] = exprType((Node *) llast_node(TargetEntry, call->args)->expr);
	if (given == QUANTILE_POSITION + 1)
		types[QUANTILE_POSITION] = FLOAT8OID;
	return pa_own_function("dp_quantile", given, types);
}

static Aggref *
call_of_one(const Aggref *call, Node *quantile)
{
	Aggref	   *one = copyObject(unconstify(Aggref *, call));

	one->aggfnoid = function_of_one(call);
	one->aggtype = get_element_type(call->aggtype);
	if (is_ordered_set(call))
	{
		one->aggdirectargs = list_make1(quantile);
		linitial_oid(one->aggargtypes) = FLOAT8OID;
	}
	else
	{
		((TargetEntry *) list_nth(one->args, QUANTILE_POSITION))->expr = (Expr *) quantile;
		lfirst_oid(list_nth_cell(one->aggargtypes, QUANTILE_POSITION)) = FLOAT8OID;
	}
	return one;
}

List *
pa_calls_of_array(PaGuard *guard, const Aggref *call)
{
	PaAggregateKind kind;
	Node	   *quantiles;
	List	   *calls = NIL;
	ListCell   *cell;

	if (!pa_aggregate_kind(call->aggfnoid, &kind) || kind != PA_AGG_QUANTILE)
		return NIL;
	quantiles = pa_quantile_of(call);
	if (exprType(quantiles) != FLOAT8ARRAYOID)
		return NIL;
	foreach(cell, elements_of(guard, quantiles))
		calls = lappend(calls, call_of_one(call, lfirst(cell)));
	return calls;
}

/* --- calls in canonical form --- */

static bool
is_null(const Node *argument)
{
	return IsA(argument, Const) && ((const Const *) argument)->constisnull;
}

static bool
is_quantile(const Aggref *call)
{
	PaAggregateKind kind;

	return pa_aggregate_kind(call->aggfnoid, &kind) && pa_aggregate_form(kind)->quantile;
}

bool
pa_are_drawn_together(const Aggref *a, const Aggref *b)
{
	if (!is_quantile(a) || !is_quantile(b))
		return false;
	for (int i = 0; i < PA_ARG_COUNT; i++)
		if (i != PA_ARG_QUANTILE && !equal(pa_aggregate_argument(a, i), pa_aggregate_argument(b, i)))
			return false;
	return is_null(pa_aggregate_argument(a, PA_ARG_OPTIONS)) || a->location == b->location;
}
