/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * date_format.c
 *		See date_format.h.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "compat/version.h"
#include "descend.h"
#include "catalog/policy.h"
#include "quiet/date_format.h"
#include "errors.h"

bool
pa_writes_date(const FuncExpr *call)
{
	if (call->funcid == F_TO_CHAR_TIMESTAMP_TEXT || call->funcid == F_TO_CHAR_TIMESTAMPTZ_TEXT)
		return true;
	return get_func_namespace(call->funcid) == pa_schema() &&
		strcmp(get_func_name(call->funcid), "total_to_char") == 0;
}

/* The guard has seen that it is a constant or a parameter. */
static bool
is_not_there(Node *node, void *unused)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Var) || (IsA(node, Param) && ((Param *) node)->paramkind != PARAM_EXTERN))
		return true;
	return expression_tree_walker(node, is_not_there, unused);
}

bool
pa_format_names_zone(const text *format)
{
	const char *characters = VARDATA_ANY(format);

	for (int i = 0; i + 1 < (int) VARSIZE_ANY_EXHDR(format); i++)
		if (pg_strncasecmp(characters + i, "TZ", 2) == 0)
			return true;
	return false;
}

static void
refuse_zone(const text *format)
{
	if (pa_format_names_zone(format))
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail(PA_FORMAT_NAMES_ZONE),
				errhint(PA_FORMAT_WITHOUT_ZONE));
}

text *
pa_format_of(const FuncExpr *call, ParamListInfo params)
{
	Expr	   *format = lsecond(call->args);
	ExprContext *context;
	Datum		value;
	bool		isnull;
	text	   *result = NULL;

	if (is_not_there((Node *) format, NULL))
		elog(ERROR, "the format of a date is not known before the rows");
	context = CreateStandaloneExprContext();
	context->ecxt_param_list_info = params;
	value = ExecEvalExpr(ExecInitExprWithParams(format, params), context, &isnull);
	if (!isnull)
	{
		result = DatumGetTextPCopy(value);
		refuse_zone(result);
	}
	FreeExprContext(context, true);
	return result;
}

/* The collation only matters for what is written; an empty format writes nothing, and is not kept. */
void
pa_use_format(const text *format)
{
	Datum		written;

	if (VARSIZE_ANY_EXHDR(format) == 0)
		return;
	written = DirectFunctionCall2Coll(timestamp_to_char, C_COLLATION_OID, TimestampGetDatum(0), PointerGetDatum(format));
	pfree(DatumGetPointer(written));
}
