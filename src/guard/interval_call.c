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

static PaShown
shown_by(const FuncExpr *call)
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
	return node && IsA(node, FuncExpr) && shown_by((const FuncExpr *) node) != PA_SHOWN_VALUE;
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

FuncExpr *
pa_interval_call(const Aggref *aggref, PaShown end)
{
	Oid			argument = ANYELEMENTOID;
	Oid			function = pa_own_function(end == PA_SHOWN_LOW ? "dp_interval_low" : "dp_interval_high", 1, &argument);
	FuncExpr   *call = makeFuncExpr(function, FLOAT8OID, list_make1(copyObject(unconstify(Aggref *, aggref))), InvalidOid, InvalidOid,
									COERCE_EXPLICIT_CALL);

	call->location = aggref->location;
	return call;
}

Node *
pa_expand_interval_call(PaBlock *block, const FuncExpr *call)
{
	return pa_expand_interval(block, linitial_node(Aggref, call->args), shown_by(call));
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
pa_shown(PaShown shown)
{
	return (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(shown), false, true);
}

Aggref *
pa_show_interval(const FuncExpr *call, const Aggref *canonical)
{
	Aggref	   *copy = copyObject(unconstify(Aggref *, canonical));

	list_nth_node(TargetEntry, copy->args, PA_ARG_SHOWN)->expr = (Expr *) pa_shown(shown_by(call));
	copy->aggtype = call->funcresulttype;
	return copy;
}

bool
pa_shows_interval(const TargetEntry *column)
{
	const Aggref *aggref = (const Aggref *) column->expr;

	return IsA(aggref, Aggref) && !column->resjunk &&
		!equal(list_nth_node(TargetEntry, aggref->args, PA_ARG_SHOWN)->expr, pa_shown(PA_SHOWN_VALUE));
}
