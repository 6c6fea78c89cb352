/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * aggregate_call.c
 *		One aggregate as the user wrote it, made into its canonical form.
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"

#include "bound/aggregate.h"
#include "price/form/form.h"
#include "errors.h"
#include "guard/block_rules.h"
#include "guard/column.h"
#include "guard/interval_call.h"
#include "guard/moments.h"
#include "guard/quantile_call.h"
#include "number.h"

static bool
is_of_conditions(Oid function)
{
	return function == F_BOOL_AND || function == F_BOOL_OR || function == F_EVERY;
}

/* count(DISTINCT owner) counts owners. */
static PaAggregateKind
kind_of_count(const PaBlock *block, const Aggref *aggref, PaAggregateKind kind)
{
	if (kind != PA_AGG_COUNT_DISTINCT && !(kind == PA_AGG_COUNT && aggref->aggdistinct))
		return kind;
	return pa_is_owner_column(block->leaf, (Node *) linitial_node(TargetEntry, aggref->args)->expr) ?
		PA_AGG_COUNT_OWNERS : PA_AGG_COUNT_DISTINCT;
}

/* DISTINCT is for counts; ORDER BY has no private form but in quantiles. */
static PaAggregateKind
kind_of_call(const PaBlock *block, const Aggref *aggref)
{
	PaAggregateKind kind;

	if (!pa_aggregate_kind(aggref->aggfnoid, &kind) || kind == PA_AGG_OWNER)
		pa_refuse(block->guard, aggref->location,
				  psprintf("Aggregate %s is not allowed on a protected table.", format_procedure(aggref->aggfnoid)),
				  is_of_conditions(aggref->aggfnoid) ?
				  "Count the rows that meet the condition, as in count(*) FILTER (WHERE x), or those that do not: where there are none, that is about 0." :
				  list_member_oid(aggref->aggargtypes, INTERVALOID) ?
				  "Aggregate numbers, as in privacct.dp_avg(extract(epoch FROM x), 0, 3600)." :
				  "Use count, sum, avg, variance, stddev, percentile_cont, min or max of numbers or times, or their dp_ forms; or group, and aggregate the groups that are released, as in SELECT max(x) FROM (SELECT x FROM t GROUP BY x) AS g.");
	kind = kind_of_count(block, aggref, kind);
	block->rules->validate_call(block, aggref, kind);
	pa_validate_ordered_set(block->guard, aggref);
	if (aggref->aggorder && aggref->aggkind == AGGKIND_NORMAL)
		pa_refuse(block->guard, aggref->location, "An aggregate over protected rows has ORDER BY.",
				  "Leave ORDER BY out of the aggregate.");
	if (aggref->aggdistinct && kind != PA_AGG_COUNT_OWNERS && kind != PA_AGG_COUNT_DISTINCT)
		pa_refuse(block->guard, aggref->location, "DISTINCT is allowed in count(DISTINCT x) only.",
				  "Count different values, or leave DISTINCT out.");
	return kind;
}

static Node *
argument(const Aggref *aggref, int position)
{
	return (Node *) ((TargetEntry *) list_nth(aggref->args, position))->expr;
}

static Node *
at(Node *constant, int location)
{
	((Const *) constant)->location = location;
	return constant;
}

/* What decides the noise, or what is drawn, must not come from data, nor from functions of others. */
static Node *
constant(PaBlock *block, Node *node, const char *detail, const char *hint)
{
	if (contain_var_clause(node) || contain_subplans(node))
		pa_refuse(block->guard, exprLocation(node), detail, hint);
	pa_validate_expression(block, block->leaf, node);
	return node;
}

static Node *
constant_quantile(PaBlock *block, Node *node)
{
	return constant(block, node, "Which quantile is asked for must be a constant or a parameter.",
					"Write the number, as in percentile_cont(0.5) WITHIN GROUP (ORDER BY x).");
}

static Node *
constant_argument(PaBlock *block, Node *node)
{
	return constant(block, node, "Bounds and options of an aggregate must be constants or parameters.",
					"Write the numbers, as in privacct.dp_sum(x, 0, 100), or have the table's owner declare bounds with privacct.set_bounds().");
}

/* What a dp_ aggregate is given after its value: options are a text, a rank or a number is an int, others are in order. */
static void
explicit_arguments(PaBlock *block, const Aggref *aggref, PaAggregateKind kind, Node **args)
{
	int			next = kind == PA_AGG_QUANTILE ? PA_ARG_QUANTILE : PA_ARG_LO;

	if (!pa_is_dp_aggregate(aggref->aggfnoid))
		return;
	for (int i = 1; i < list_length(aggref->args); i++)
	{
		Node	   *node = argument(aggref, i);

		node = kind == PA_AGG_QUANTILE && i == 1 ? constant_quantile(block, node) : constant_argument(block, node);
		if (exprType(node) == TEXTOID)
			args[PA_ARG_OPTIONS] = node;
		else if (exprType(node) == INT4OID)
			args[PA_ARG_RANKS] = node;
		else
		{
			args[next] = node;
			next = next == PA_ARG_QUANTILE ? PA_ARG_LO : next + 1;
		}
	}
}

static Node *
number(double value, int location)
{
	return at((Node *) makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(value), false, FLOAT8PASSBYVAL),
			  location);
}

/* The aggregate that takes bounds, with some: numbers. */
static char *
bounded_form(const Aggref *aggref, const PaAggregateForm *form, Oid type)
{
	const char *bounded = pa_is_time_type(type) ? "extract(epoch FROM x), %s0, 2e9" : "x, %s0, 100";

	if (form->quantile)
		return psprintf("privacct.dp_quantile(%s)", psprintf(bounded, "0.5, "));
	return psprintf("privacct.%s%s(%s)", pa_is_dp_aggregate(aggref->aggfnoid) ? "" : "dp_",
					get_func_name(aggref->aggfnoid), psprintf(bounded, ""));
}

/* Bounds of the others, which are of public tables, cannot be declared. */
static bool
has_protected_column(const PaBlock *block, Node *value)
{
	ListCell   *cell;

	foreach(cell, pull_var_clause(value, 0))
		if (pa_protected_column(block->leaf, lfirst(cell), NULL) != InvalidAttrNumber)
			return true;
	return false;
}

static void
declared_bounds(PaBlock *block, const Aggref *aggref, const PaAggregateForm *form, Node **args)
{
	double		lo,
				hi;

	if (!pa_infer_bounds(block, block->leaf, args[PA_ARG_VALUE], &lo, &hi))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("no bounds are known for the argument of %s", get_func_name(aggref->aggfnoid)),
				errdetail("Each value must be clamped to bounds that do not depend on data."),
				errhint("Give bounds, as in %s%s.", bounded_form(aggref, form, exprType(args[PA_ARG_VALUE])),
						has_protected_column(block, args[PA_ARG_VALUE]) ?
						", or have the table's owner declare them with privacct.set_bounds()" : ""),
				pa_error_position(block->guard, aggref->location));
	args[PA_ARG_LO] = number(lo, aggref->location);
	args[PA_ARG_HI] = number(hi, aggref->location);
}

/* Of a sum: bounds of what an owner has in a group, if they follow from declared ones; an array that is NULL if not. */
static Node *
declared_owner_bounds(PaBlock *block, Node *value, int location)
{
	double		bounds[2];
	Datum		elements[2];
	ArrayType  *array;

	if (!pa_infer_owner_bounds(block, block->leaf, value, &bounds[0], &bounds[1]))
		return at((Node *) makeNullConst(FLOAT8ARRAYOID, -1, InvalidOid), location);
	for (int i = 0; i < lengthof(bounds); i++)
		elements[i] = Float8GetDatum(bounds[i]);
	array = construct_array(elements, lengthof(bounds), FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE);
	return at((Node *) makeConst(FLOAT8ARRAYOID, -1, InvalidOid, -1, PointerGetDatum(array), false, false), location);
}

static void
validate_number(PaBlock *block, const PaAggregateForm *form, Node *value)
{
	if (!pa_is_number_type(exprType(value)) && !(form->times && pa_is_time_type(exprType(value))))
		pa_refuse(block->guard, exprLocation(value),
				  form->times ? "The argument of the aggregate is neither a number nor a time." :
				  "The argument of the aggregate is not a number.",
				  form->times ? "Use numbers, booleans, dates or timestamps; of other values, count the groups." :
				  "Aggregate numbers or booleans; for times, use extract(epoch FROM ...).");
}

Node *
pa_apply_filter(Node *value, Node *filter)
{
	CaseExpr   *expression = makeNode(CaseExpr);
	CaseWhen   *when = makeNode(CaseWhen);

	if (filter == NULL)
		return value;
	when->expr = (Expr *) filter;
	when->result = (Expr *) value;
	when->location = -1;
	expression->casetype = exprType(value);
	expression->casecollid = exprCollation(value);
	expression->args = list_make1(when);
	expression->defresult = (Expr *) makeNullConst(exprType(value), exprTypmod(value), exprCollation(value));
	expression->location = exprLocation(value);
	return (Node *) expression;
}

static List *
target_list(Node **nodes, int count)
{
	List	   *list = NIL;

	for (int i = 0; i < count; i++)
		list = lappend(list, makeTargetEntry((Expr *) nodes[i], i + 1, NULL, false));
	return list;
}

/* What decides which rows count, and what is counted: a value, or all fields of a row. */
static Node *
take_value(PaBlock *block, const PaAggregateForm *form, Node *value, List **fields)
{
	ListCell   *cell;

	if (!form->distinct || !IsA(value, RowExpr))
		*fields = list_make1(value);
	else
	{
		*fields = ((RowExpr *) value)->args;
		value = makeBoolConst(true, false);
	}
	foreach(cell, *fields)
	{
		pa_validate_expression(block, block->leaf, lfirst(cell));
		block->rules->validate_value(block, lfirst(cell));
	}
	return form->draws ? pa_uncast_whole(value) : value;
}

/* Behind the arguments that all have. */
static void
append_fields(Aggref *canonical, List *fields)
{
	ListCell   *cell;

	foreach(cell, fields)
		canonical->args = lappend(canonical->args,
								  makeTargetEntry(lfirst(cell), list_length(canonical->args) + 1, NULL, false));
}

Aggref *
pa_canonical_aggregate(PaBlock *block, const Aggref *aggref)
{
	PaAggregateKind kind = kind_of_call(block, aggref);
	Node	   *filter = (Node *) aggref->aggfilter;
	const PaAggregateForm *form = pa_aggregate_form(kind);
	Node	   *args[PA_ARG_COUNT] = {
		[PA_ARG_SHOWN] = pa_value_shown(),
		[PA_ARG_LO] = at((Node *) makeNullConst(FLOAT8OID, -1, InvalidOid), aggref->location),
		[PA_ARG_HI] = at((Node *) makeNullConst(FLOAT8OID, -1, InvalidOid), aggref->location),
		[PA_ARG_OWNER] = at((Node *) makeNullConst(FLOAT8ARRAYOID, -1, InvalidOid), aggref->location),
		[PA_ARG_RANKS] = at((Node *) makeNullConst(INT4OID, -1, InvalidOid), aggref->location),
		[PA_ARG_QUANTILE] = at((Node *) makeNullConst(FLOAT8OID, -1, InvalidOid), aggref->location),
		[PA_ARG_OPTIONS] = at((Node *) makeNullConst(TEXTOID, -1, DEFAULT_COLLATION_OID), aggref->location)
	};
	Node	   *no_bound = args[PA_ARG_LO];
	List	   *fields = NIL;
	Aggref	   *canonical = copyObject(unconstify(Aggref *, aggref));

	if (list_length(aggref->args) > 0)
	{
		args[PA_ARG_VALUE] = take_value(block, form, argument(aggref, 0), &fields);
		explicit_arguments(block, aggref, kind, args);
	}
	if (kind == PA_AGG_MEDIAN)
		args[PA_ARG_QUANTILE] = number(0.5, aggref->location);
	else if (kind == PA_AGG_QUANTILE)
		args[PA_ARG_QUANTILE] = constant_quantile(block, pa_quantile_of(aggref));
	if (form->bounds == PA_BOUNDS_REQUIRED)
	{
		validate_number(block, form, args[PA_ARG_VALUE]);
		if (args[PA_ARG_LO] == no_bound)
			declared_bounds(block, aggref, form, args);
		if (form->owner_bounds != PA_OWNER_BOUNDS_NONE)
			args[PA_ARG_OWNER] = declared_owner_bounds(block, args[PA_ARG_VALUE], aggref->location);
	}
	if (args[PA_ARG_VALUE] == NULL)
		args[PA_ARG_VALUE] = filter ? makeBoolConst(true, false) : (Node *) makeNullConst(PA_NO_VALUE_TYPE, -1, InvalidOid);
	if (filter)
	{
		pa_validate_expression(block, block->leaf, filter);
		block->rules->validate_value(block, filter);
		args[PA_ARG_VALUE] = pa_apply_filter(args[PA_ARG_VALUE], filter);
	}
	if (kind == PA_AGG_COUNT_OWNERS)
		canonical->aggfnoid = pa_owners_aggregate();
	canonical->args = target_list(args, PA_ARG_COUNT);
	if (kind == PA_AGG_COUNT_DISTINCT)
	{
		canonical->aggfnoid = pa_distinct_aggregate();
		append_fields(canonical, fields);
	}
	canonical->aggstar = false;
	canonical->aggfilter = NULL;
	canonical->aggdistinct = NIL;
	canonical->aggkind = AGGKIND_NORMAL;
	canonical->aggorder = canonical->aggdirectargs = NIL;
	return canonical;
}

void
pa_keep_places(Query *leaf)
{
	ListCell   *cell;

	foreach(cell, leaf->targetList)
	{
		Aggref	   *aggref = (Aggref *) lfirst_node(TargetEntry, cell)->expr;

		if (!IsA(aggref, Aggref) || lfirst_node(TargetEntry, cell)->resjunk)
			continue;			/* a key, or the marker */
		for (int i = PA_ARG_LO; i < PA_ARG_COUNT; i++)
		{
			TargetEntry *entry = list_nth(aggref->args, i);
			int			location = exprLocation((Node *) entry->expr);

			entry->expr = (Expr *) eval_const_expressions(NULL, (Node *) entry->expr);
			if (IsA(entry->expr, Const))
				(void) at((Node *) entry->expr, location);
		}
	}
}

/* Which quantile, if the text says so. */
static const char *
quantile_text(const Aggref *call)
{
	PaAggregateKind kind;
	const Const *quantile;

	if (!pa_aggregate_kind(call->aggfnoid, &kind) || kind != PA_AGG_QUANTILE)
		return "";
	quantile = (const Const *) eval_const_expressions(NULL, pa_quantile_of(call));
	if (!IsA(quantile, Const) || quantile->constisnull)
		return "";
	return psprintf(", %g", DatumGetFloat8(quantile->constvalue));
}

/* As it was called, where the guard wrote another call. */
static const char *
name_of(Oid function)
{
	if (function == pa_score_aggregate())
		return "dp_topk";
	if (function == pa_candidate_aggregate())
		return "dp_choose";
	return function == pa_response_aggregate() ? "dp_response" : get_func_name(function);
}

/* A plain column has a name, perhaps under a cast. */
static const char *
text_of_value(const PaBlock *block, Node *value)
{
	while (IsA(value, FuncExpr) && list_length(((FuncExpr *) value)->args) == 1)
		value = linitial(((FuncExpr *) value)->args);
	if (!IsA(value, Var) || ((Var *) value)->varattno <= 0)
		return "...";
	return get_rte_attribute_name(rt_fetch(((Var *) value)->varno, block->leaf->rtable), ((Var *) value)->varattno);
}

/* A short name for reports: the function, and its columns if they are plain ones. */
char *
pa_aggregate_label(const PaBlock *block, const Aggref *aggref)
{
	const char *name = name_of(aggref->aggfnoid);
	const char *of = "*";

	if (aggref->aggfnoid == pa_candidate_aggregate())
		of = "...";				/* it is a score of several */
	else if (pa_is_of_two_variables(aggref->aggfnoid))
		of = psprintf("%s, %s", text_of_value(block, argument(aggref, 0)), text_of_value(block, argument(aggref, 1)));
	else if (aggref->args)
		of = text_of_value(block, argument(aggref, 0));
	return psprintf("%s(%s%s%s)%s", name, aggref->aggdistinct ? "distinct " : "", of, quantile_text(aggref),
					aggref->aggfilter ? " filter" : "");
}
