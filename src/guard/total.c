/*
 * total.c
 *		Replaces, in a validated leaf, what could raise an error on some row.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "aggregate/aggregate.h"
#include "guard/allowlist.h"
#include "guard/guard.h"

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

static Node *make_total_mutator(Node *node, void *context);

/*
 * The options of an aggregate are evaluated once, before anything is charged or
 * read: an error of theirs tells nothing, and a long text must not vanish.
 */
static Node *
make_aggregate_total(Aggref *aggref, void *context)
{
	Aggref	   *total = (Aggref *) expression_tree_mutator((Node *) aggref, make_total_mutator, context);

	if (list_length(aggref->args) == PA_ARG_COUNT)
		((TargetEntry *) list_nth(total->args, PA_ARG_OPTIONS))->expr =
			copyObject(((TargetEntry *) list_nth(aggref->args, PA_ARG_OPTIONS))->expr);
	return (Node *) total;
}

static Node *
make_total_mutator(Node *node, void *context)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Aggref))
		return make_aggregate_total((Aggref *) node, context);
	if (IsA(node, Query))
	{
		pa_make_query_total((Query *) node);
		return node;
	}
	node = expression_tree_mutator(node, make_total_mutator, context);
	if (IsA(node, Param))
		return limit_parameter((Param *) node);
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

/* The whole query in place, with its subqueries. */
void
pa_make_query_total(Query *query)
{
	query_tree_mutator(query, make_total_mutator, NULL, QTW_DONT_COPY_QUERY);
}
