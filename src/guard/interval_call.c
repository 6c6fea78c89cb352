/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * interval_call.c
 *		See interval_call.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "utils/lsyscache.h"

#include "catalog/extension.h"
#include "guard/block_rules.h"
#include "guard/interval_call.h"
#include "guard/moments.h"
#include "price/form/form.h"

PaShown
pa_end_of_interval(const FuncExpr *call)
{
	const char *name;

	if (!pa_is_own_function(call->funcid))
		return PA_SHOWN_VALUE;
	name = get_func_name(call->funcid);
	return strcmp(name, "dp_interval_low") == 0 ? PA_SHOWN_LOW :
		strcmp(name, "dp_interval_high") == 0 ? PA_SHOWN_HIGH : PA_SHOWN_VALUE;
}

bool
pa_is_interval_call(const Node *node)
{
	return node && IsA(node, FuncExpr) && pa_end_of_interval((const FuncExpr *) node) != PA_SHOWN_VALUE;
}

int
pa_interval_level(const FuncExpr *call)
{
	const Aggref *aggref = linitial(call->args);

	return IsA(aggref, Aggref) ? (int) aggref->agglevelsup : -1;
}

/* Errors of ranks and of choices are none of values; a histogram is many numbers. */
bool
pa_has_interval(const Aggref *aggref)
{
	PaAggregateKind kind;

	if (pa_is_of_two_variables(aggref->aggfnoid))
		return aggref->aggdistinct == NIL && aggref->aggorder == NIL;
	return pa_aggregate_kind(aggref->aggfnoid, &kind) &&
		!pa_aggregate_form(kind)->draws && !pa_aggregate_form(kind)->ranks &&
		!pa_aggregate_form(kind)->candidate && !pa_aggregate_form(kind)->responds &&
		kind != PA_AGG_TOPK && kind != PA_AGG_RESPONSE && kind != PA_AGG_CHOOSE && kind != PA_AGG_LDP_HISTOGRAM && kind != PA_AGG_LDP_RESPONSE && kind != PA_AGG_OWNER;
}

static Node *
whole_number(int number)
{
	return (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(number), false, true);
}

/* Of how many it is to hold at once is a second argument, which nobody else can write. */
FuncExpr *
pa_interval_call(const Aggref *aggref, PaShown end, int together)
{
	Oid			argument = ANYELEMENTOID;
	Oid			function = pa_own_function(end == PA_SHOWN_LOW ? "dp_interval_low" : "dp_interval_high", 1, &argument);
	FuncExpr   *call = makeFuncExpr(function, FLOAT8OID, list_make1(copyObject(unconstify(Aggref *, aggref))), InvalidOid, InvalidOid,
									COERCE_EXPLICIT_CALL);

	if (together > 1)
		call->args = lappend(call->args, whole_number(together));
	call->location = aggref->location;
	return call;
}

static int
together_of(const FuncExpr *call)
{
	return list_length(call->args) > 1 ? DatumGetInt32(castNode(Const, lsecond(call->args))->constvalue) : 1;
}

Aggref *
pa_aggregate_of_interval(PaBlock *block, const FuncExpr *call)
{
	Aggref	   *aggref = linitial_node(Aggref, call->args);

	if (!pa_has_interval(aggref))
		pa_refuse(block->guard, call->location, "An interval is asked for of an aggregate whose error is not one of values.",
				  "Look at privacct.preview() for the error of quantiles in ranks, and at privacct.intervals() for that of histograms.");
	return aggref;
}

Node *
pa_value_shown(void)
{
	return whole_number(PA_SHOWN(PA_SHOWN_VALUE, 1));
}

Aggref *
pa_show_interval(const FuncExpr *call, const Aggref *canonical)
{
	Aggref	   *copy = copyObject(unconstify(Aggref *, canonical));

	list_nth_node(TargetEntry, copy->args, PA_ARG_SHOWN)->expr =
		(Expr *) whole_number(PA_SHOWN(pa_end_of_interval(call), together_of(call)));
	copy->aggtype = call->funcresulttype;
	return copy;
}

bool
pa_shows_interval(const TargetEntry *column)
{
	const Aggref *aggref = (const Aggref *) column->expr;

	return IsA(aggref, Aggref) && !column->resjunk &&
		!equal(list_nth_node(TargetEntry, aggref->args, PA_ARG_SHOWN)->expr, pa_value_shown());
}
