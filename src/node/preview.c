/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview.c
 *		privacct.preview(query): what a query would cost and how exact it would be.
 *
 * The query is parsed, guarded and planned as its caller's, and not executed:
 * no row of a protected table is read, nothing is charged.
 */
#include "postgres.h"

#include <math.h>

#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "node/dry_plan.h"
#include "node/leaf.h"
#include "node/plan_tree.h"
#include "errors.h"

#define MOST_OWNERS 1e15
#define MOST_ROWS 1e15

static bool
is_leaf(const CustomScan *scan)
{
	return pa_leaf_kind(scan) != NULL;
}

static List *
plan_leaves(const char *query)
{
	List	   *leaves = pa_plan_custom_scans(pa_dry_plan(query), is_leaf);

	if (leaves == NIL)
		pa_refuse_text("It reads no row of a protected table, or the current role may read it without protection.", PA_PREVIEW_ROW_HINT);
	return leaves;
}

static double
owners_argument(FunctionCallInfo fcinfo)
{
	double		owners = PG_ARGISNULL(1) ? NAN : PG_GETARG_FLOAT8(1);

	if (!PG_ARGISNULL(1) && !(owners >= 0 && owners <= MOST_OWNERS))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("owners is out of range"),
				errdetail("It is how many owners contribute, from 0 to 1e15."),
				errhint("Leave it out if it is not known."));
	return owners;
}

static double
rows_argument(FunctionCallInfo fcinfo)
{
	double		rows = PG_ARGISNULL(2) ? NAN : PG_GETARG_FLOAT8(2);

	if (!PG_ARGISNULL(2) && !(rows >= 1 && rows <= MOST_ROWS))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("rows is out of range"),
				errdetail("It is how many values a group has, from 1 to 1e15."),
				errhint("Leave it out if it is not known."));
	return rows;
}

PG_FUNCTION_INFO_V1(pa_preview);
PGDLLEXPORT Datum
pa_preview(PG_FUNCTION_ARGS)
{
	PaPreview	preview = {.result = (ReturnSetInfo *) fcinfo->resultinfo};
	char	   *query;
	ExprContext *context;
	List	   *leaves;
	ListCell   *cell;

	if (PG_ARGISNULL(0))
		pa_refuse_text("The text is null.", PA_PREVIEW_ROW_HINT);
	preview.owners = owners_argument(fcinfo);
	preview.rows = rows_argument(fcinfo);
	query = text_to_cstring(PG_GETARG_TEXT_PP(0));
	leaves = plan_leaves(query);
	context = CreateStandaloneExprContext();
	InitMaterializedSRF(fcinfo, 0);
	foreach(cell, leaves)
	{
		CustomScan *scan = lfirst(cell);

		preview.release++;
		pa_leaf_kind(scan)->preview(pa_leaf_spec(scan, query), scan, context, &preview);
	}
	FreeExprContext(context, true);
	return (Datum) 0;
}
