/*
 * date_format.c
 *		See date_format.h.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "aggregate/date_format.h"
#include "catalog/policy.h"

bool
pa_writes_date(const FuncExpr *call)
{
	if (call->funcid == F_TO_CHAR_TIMESTAMP_TEXT || call->funcid == F_TO_CHAR_TIMESTAMPTZ_TEXT)
		return true;
	return get_func_namespace(call->funcid) == pa_schema() &&
		strcmp(get_func_name(call->funcid), "total_to_char") == 0;
}

/* The guard has seen that it is free of rows; what a plan fills in for a subquery is not there yet. */
static bool
is_not_there(Node *node, void *unused)
{
	if (node == NULL)
		return false;
	if (IsA(node, Var) || (IsA(node, Param) && ((Param *) node)->paramkind != PARAM_EXTERN))
		return true;
	return expression_tree_walker(node, is_not_there, unused);
}

void
pa_keep_date_format(const FuncExpr *call, ParamListInfo params)
{
	Expr	   *format = lsecond(call->args);
	ExprContext *context;
	Datum		value;
	bool		isnull;

	if (is_not_there((Node *) format, NULL))
		return;
	context = CreateStandaloneExprContext();
	value = ExecEvalExpr(ExecInitExprWithParams(format, params), context, &isnull);
	if (!isnull)
		(void) DirectFunctionCall2Coll(timestamp_to_char, call->inputcollid, TimestampGetDatum(0), value);
	FreeExprContext(context, true);
}
