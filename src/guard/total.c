/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * total.c
 *		Replaces, in a validated leaf, what could raise an error on some row, and
 *		keeps from functions what would take them long.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "leaf_tag.h"
#include "allow/allowlist.h"
#include "guard/guard.h"
#include "guard/call_work.h"
#include "guard/work.h"
#include "price/form/form.h"

typedef struct TotalContext
{
	bool		limit;			/* long values of rows are NULL, too */
} TotalContext;

/* The function's total twin if it has one, else the function itself. */
static Oid
total_function(Oid function)
{
	int			constants;

	if (pa_function_class(function, &constants) == PA_FUNCTION_PARTIAL)
		return pa_total_twin(function);
	return function;
}

/* A parameter of a type without a fixed length is NULL if its value is huge. */
static Node *
limit_parameter(Param *parameter)
{
	Oid			type = parameter->paramtype;

	if (parameter->paramkind != PARAM_EXTERN || get_typlen(type) != -1)
		return (Node *) parameter;
	return (Node *) makeFuncExpr(pa_parameter_function(type), type, list_make1(parameter),
								 parameter->paramcollid, parameter->paramcollid, COERCE_EXPLICIT_CALL);
}

static Node *make_total_mutator(Node *node, TotalContext *context);

/*
 * A question to owners is evaluated for points of the domain, whose length the
 * table's owner chose, and never for a row.
 */
static bool
asks_owner(const Aggref *aggref)
{
	PaAggregateKind kind;

	return pa_aggregate_kind(aggref->aggfnoid, &kind) && pa_aggregate_form(kind)->asks_owners;
}

/* Those of the block are in canonical form, and the marker is none of them. */
static bool
has_options(const Aggref *aggref)
{
	PaAggregateKind kind;

	return list_length(aggref->args) >= PA_ARG_COUNT && pa_aggregate_kind(aggref->aggfnoid, &kind) && kind != PA_AGG_OWNER;
}

/* What a subquery that groups by the owner adds up: the sum of long numerics could be too large. */
static void
limit_input(TargetEntry *argument)
{
	argument->expr = (Expr *) pa_limit_argument(WORK_NUMERIC_READ, 0, (Node *) argument->expr, NULL);
}

/*
 * The options of an aggregate are evaluated once, before anything is charged or
 * read: an error of theirs tells nothing, and a long text must not vanish.
 */
static Node *
make_aggregate_total(Aggref *aggref)
{
	TotalContext context = {!asks_owner(aggref)};
	Aggref	   *total = (Aggref *) expression_tree_mutator((Node *) aggref, make_total_mutator, &context);

	if (aggref->aggfnoid == F_SUM_NUMERIC || aggref->aggfnoid == F_AVG_NUMERIC)
		limit_input(linitial_node(TargetEntry, total->args));
	if (has_options(aggref))
		((TargetEntry *) list_nth(total->args, PA_ARG_OPTIONS))->expr =
			copyObject(((TargetEntry *) list_nth(aggref->args, PA_ARG_OPTIONS))->expr);
	return (Node *) total;
}

/* The arguments of a call, limited to what the work of a function of the kind is bounded for. */
static void
limit_arguments(PaWorkKind kind, List *args)
{
	for (int i = 0; i < list_length(args); i++)
	{
		ListCell   *cell = list_nth_cell(args, i);

		lfirst(cell) = pa_limit_argument(kind, i, lfirst(cell), list_length(args) == 2 ? list_nth(args, 1 - i) : NULL);
	}
}

/* A cast from text to another type, for which there is a total one. */
static bool
reads_text(const CoerceViaIO *cast)
{
	return pa_is_text_type(exprType((Node *) cast->arg)) && OidIsValid(pa_text_cast(cast->resulttype));
}

static Node *
text_as_text(Node *value)
{
	if (exprType(value) == TEXTOID)
		return value;
	return (Node *) makeRelabelType((Expr *) value, TEXTOID, -1, exprCollation(value), COERCE_IMPLICIT_CAST);
}

/* The arguments of a node, which is no longer shared. */
static void
limit_work(Node *node)
{
	switch (nodeTag(node))
	{
		case T_FuncExpr:
			limit_arguments(pa_function_work(((FuncExpr *) node)->funcid), ((FuncExpr *) node)->args);
			break;
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			set_opfuncid((OpExpr *) node);
			limit_arguments(pa_function_work(((OpExpr *) node)->opfuncid), ((OpExpr *) node)->args);
			break;
		case T_ScalarArrayOpExpr:
			{
				ScalarArrayOpExpr *test = (ScalarArrayOpExpr *) node;

				linitial(test->args) = pa_limit_argument(pa_function_work(get_opcode(test->opno)), 0, linitial(test->args), NULL);
				break;
			}
		case T_ArrayExpr:
			limit_arguments(pa_element_work(((ArrayExpr *) node)->element_typeid), ((ArrayExpr *) node)->elements);
			break;
		case T_MinMaxExpr:
			limit_arguments(pa_comparison_work(((MinMaxExpr *) node)->minmaxtype), ((MinMaxExpr *) node)->args);
			break;
		case T_CoerceViaIO:
			{
				CoerceViaIO *cast = (CoerceViaIO *) node;

				cast->arg = (Expr *) pa_limit_argument(reads_text(cast) ? WORK_TEXT_READ : WORK_NUMERIC_COPY, 0, (Node *) cast->arg, NULL);
				break;
			}
		default:
			break;
	}
}

static Node *
make_total_mutator(Node *node, TotalContext *context)
{
	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Aggref))
		return make_aggregate_total((Aggref *) node);
	if (IsA(node, Query))
	{
		pa_make_query_total((Query *) node);
		return node;
	}
	node = expression_tree_mutator(node, make_total_mutator, context);
	if (IsA(node, Param))
		return limit_parameter((Param *) node);
	if (context->limit)
		limit_work(node);
	if (IsA(node, CoerceViaIO) && reads_text((CoerceViaIO *) node))
	{
		CoerceViaIO *cast = (CoerceViaIO *) node;

		return (Node *) makeFuncExpr(pa_text_cast(cast->resulttype), cast->resulttype, list_make1(text_as_text((Node *) cast->arg)),
									 InvalidOid, exprCollation((Node *) cast->arg), COERCE_EXPLICIT_CALL);
	}
	if (IsA(node, FuncExpr))
	{
		FuncExpr   *call = (FuncExpr *) node;

		call->funcid = total_function(call->funcid);
	}
	else if (IsA(node, OpExpr))
	{
		OpExpr	   *operator = (OpExpr *) node;
		Oid			function;

		set_opfuncid(operator);
		function = total_function(operator->opfuncid);
		if (function != operator->opfuncid)
			return (Node *) makeFuncExpr(function, operator->opresulttype, operator->args,
										 operator->opcollid, operator->inputcollid, COERCE_EXPLICIT_CALL);
	}
	return node;
}

/* --- keys --- */

typedef struct KeyContext
{
	const Node *key;
	Node	   *limited;
} KeyContext;

/* What is aggregated is no part of a group. */
static Node *
limit_key_mutator(Node *node, KeyContext *context)
{
	pa_descend();
	if (node == NULL || IsA(node, Aggref))
		return node;
	if (equal(node, context->key))
		return copyObject(context->limited);
	return expression_tree_mutator(node, limit_key_mutator, context);
}

/* What protected rows are grouped by is hashed and kept; the keys of the leaf are limited where it reads them. */
static void
limit_keys(Query *query)
{
	ListCell   *cell;

	foreach(cell, query->groupClause)
	{
		Node	   *key = (Node *) get_sortgroupclause_tle(lfirst(cell), query->targetList)->expr;
		KeyContext	context = {copyObject(key), pa_limit_argument(WORK_TEXT_EQUAL, 0, key, NULL)};

		if (context.limited == key)
			continue;
		query->targetList = (List *) limit_key_mutator((Node *) query->targetList, &context);
		query->havingQual = limit_key_mutator(query->havingQual, &context);
	}
}

/* The whole query in place, with its subqueries. */
void
pa_make_query_total(Query *query)
{
	TotalContext context = {true};

	query_tree_mutator(query, make_total_mutator, &context, QTW_DONT_COPY_QUERY);
	if (!pa_is_leaf(query) && pa_reads_stamped(query, (Node *) query->jointree))
		limit_keys(query);
}

Node *
pa_total_expression(Node *expression)
{
	TotalContext context = {false};

	return make_total_mutator(expression, &context);
}
