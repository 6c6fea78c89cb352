/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parameters.c
 *		See parameters.h.
 */
#include "postgres.h"

#include "access/transam.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"

#include "allow/allowlist.h"
#include "catalog/extension.h"
#include "descend.h"
#include "errors.h"
#include "guard/parameters.h"

#define NOT_TO_BE_CHOSEN 1e20	/* more than any plan costs */

/* --- constants --- */

typedef struct ConstantContext
{
	ParamListInfo values;
	bool		varies;			/* something else than constants, parameters and built-in functions */
	bool		waits;
} ConstantContext;

/* As the planner takes them. */
static Node *
value_of(ConstantContext *context, Param *parameter)
{
	ParamExternData space;
	const ParamExternData *value;
	int16		length;
	bool		by_value;

	context->waits |= context->values == NULL;
	if (context->values == NULL || parameter->paramid <= 0 || parameter->paramid > context->values->numParams)
		return (Node *) parameter;
	value = context->values->paramFetch ? context->values->paramFetch(context->values, parameter->paramid, true, &space) :
		&context->values->params[parameter->paramid - 1];
	if (value->ptype != parameter->paramtype || !(value->pflags & PARAM_FLAG_CONST))
	{
		context->waits = true;
		return (Node *) parameter;
	}
	get_typlenbyval(parameter->paramtype, &length, &by_value);
	return (Node *) makeConst(parameter->paramtype, parameter->paramtypmod, parameter->paramcollid, length,
							  value->isnull || by_value ? value->value : datumCopy(value->value, false, length),
							  value->isnull, by_value);
}

static bool
is_built_in(const Node *node)
{
	if (IsA(node, FuncExpr))
		return ((const FuncExpr *) node)->funcid < FirstNormalObjectId;
	if (IsA(node, OpExpr))
		return ((const OpExpr *) node)->opfuncid < FirstNormalObjectId;
	return IsA(node, Const) || IsA(node, BoolExpr) || IsA(node, RelabelType) || IsA(node, NamedArgExpr) || IsA(node, List);
}

static Node *
substitute_mutator(Node *node, ConstantContext *context)
{
	pa_descend();
	if (node == NULL || context->varies)
		return node;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXTERN)
		return value_of(context, (Param *) node);
	if (IsA(node, OpExpr))
		set_opfuncid((OpExpr *) node);
	if (!is_built_in(node))
	{
		context->varies = true;
		return node;
	}
	return expression_tree_mutator(node, substitute_mutator, context);
}

Const *
pa_constant(const PaGuard *guard, Node *expression, bool *waits)
{
	ConstantContext context = {guard->parameters, false, false};

	*waits = false;
	if (expression == NULL)
		return NULL;
	expression = substitute_mutator(expression, &context);
	*waits = context.waits && !context.varies;
	if (context.varies || context.waits)
		return NULL;
	expression = eval_const_expressions(NULL, expression);
	return IsA(expression, Const) ? (Const *) expression : NULL;
}

/* --- arguments that have to be constants --- */

static void
settle_arguments(PaGuard *guard, Oid function, List *args)
{
	int			known = contain_var_clause((Node *) args) ? pa_known_arguments(function) : 0;

	for (int i = 0; known >> i && i < list_length(args); i++)
	{
		ListCell   *cell = list_nth_cell(args, i);
		bool		waits;
		Const	   *value;

		if (!(known & (1 << i)) || IsA(lfirst(cell), Const))
			continue;
		value = pa_constant(guard, lfirst(cell), &waits);
		guard->waits |= waits;
		if (value == NULL)
			continue;
		value = copyObject(value);
		value->location = exprLocation(lfirst(cell));
		lfirst(cell) = value;
	}
}

static bool
settle_walker(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, settle_walker, guard, 0);
	if (IsA(node, FuncExpr))
		settle_arguments(guard, ((FuncExpr *) node)->funcid, ((FuncExpr *) node)->args);
	if (IsA(node, OpExpr))
	{
		set_opfuncid((OpExpr *) node);
		settle_arguments(guard, ((OpExpr *) node)->opfuncid, ((OpExpr *) node)->args);
	}
	return expression_tree_walker(node, settle_walker, guard);
}

void
pa_settle_parameters(PaGuard *guard, Query *query)
{
	(void) settle_walker((Node *) query, guard);
}

/* --- the plan that waits --- */

/* _waits_for_values() */
PG_FUNCTION_INFO_V1(pa_waits_for_values);
PGDLLEXPORT Datum
pa_waits_for_values(PG_FUNCTION_ARGS)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("query on a protected table is not allowed"),
			errdetail("A parameter stands where its value has to be known to the planner, in LIMIT, the bounds of an aggregate, a unit, time zone or pattern, or a function that is allowed for constants only."),
			errhint("Set plan_cache_mode to auto, or write a constant."));
	PG_RETURN_NULL();
}

/* SELECT NULL, NULL, ... WHERE privacct._waits_for_values() */
Query *
pa_waiting_query(const Query *query)
{
	Query	   *waiting = makeNode(Query);
	ListCell   *cell;

	waiting->commandType = CMD_SELECT;
	waiting->canSetTag = true;
	waiting->jointree = makeFromExpr(NIL, (Node *) makeFuncExpr(pa_own_function("_waits_for_values", 0, NULL), BOOLOID, NIL,
																InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst(cell);
		Node	   *column = (Node *) entry->expr;

		if (entry->resjunk)
			continue;
		waiting->targetList = lappend(waiting->targetList,
									  makeTargetEntry((Expr *) makeNullConst(exprType(column), exprTypmod(column), exprCollation(column)),
													  list_length(waiting->targetList) + 1, entry->resname, false));
	}
	return waiting;
}

void
pa_discourage(PlannedStmt *plan)
{
	plan->planTree->total_cost = NOT_TO_BE_CHOSEN;
}
