/*
 * preview.c
 *		privacct.preview(query): what a query would cost and how exact it would be.
 *
 * The query is parsed, guarded and planned as its caller's, and not executed:
 * nothing is read, nothing is charged.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "parser/analyze.h"
#include "tcop/tcopprot.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/tuplestore.h"

#include "aggregate/leaf.h"
#include "aggregate/release.h"
#include "errors.h"
#include "catalog/account.h"

static void
refuse_preview(const char *detail)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("cannot preview this statement"),
			errdetail("%s", detail),
			errhint("Give the text of one SELECT over a protected table."));
}

static Query *
analyze_select(const char *text)
{
	List	   *statements = pg_parse_query(text);
	List	   *queries;

	if (list_length(statements) != 1)
		refuse_preview("The text is not one statement.");
	queries = pg_analyze_and_rewrite_fixedparams(linitial_node(RawStmt, statements), text, NULL, 0, NULL);
	if (list_length(queries) != 1 || linitial_node(Query, queries)->commandType != CMD_SELECT)
		refuse_preview("The statement is not a SELECT.");
	return linitial_node(Query, queries);
}

/* Plans the query and returns the leaves that came out. */
static List *
plan_leaves(const char *text)
{
	List	   *leaves = NIL;
	List	  **outer = pa_leaf_observer;
	Query	   *query = analyze_select(text);

	PG_TRY();
	{
		pa_leaf_observer = &leaves;
		(void) pg_plan_query(query, text, CURSOR_OPT_PARALLEL_OK, NULL);
	}
	PG_FINALLY();
	{
		pa_leaf_observer = outer;
	}
	PG_END_TRY();
	return leaves;
}

static Datum
amount_datum(PaAmount amount)
{
	char		text[PA_AMOUNT_TEXT];

	pa_amount_print(amount, text);
	return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

static void
put_statistic(ReturnSetInfo *result, int number, const PaRelease *release, const PaStatistic *statistic)
{
	const PaCalibration *calibration = &statistic->calibration;
	double		step = pa_statistic_value(statistic, 1);
	Datum		values[11];
	bool		nulls[11] = {false};

	values[0] = Int32GetDatum(number);
	values[1] = CStringGetTextDatum(statistic->label);
	values[2] = CStringGetTextDatum(pa_kernel_name(calibration->kernel.kind));
	values[3] = Float8GetDatum(pa_kernel_scale(&calibration->kernel) * step);
	values[4] = Float8GetDatum(calibration->shift * step);
	values[5] = Int32GetDatum(release->max_groups);
	values[6] = Float8GetDatum(pa_statistic_error(statistic, PA_CONFIDENCE));
	nulls[7] = nulls[8] = nulls[9] = nulls[10] = true;
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

static void
put_total(ReturnSetInfo *result, int number, const PaRelease *release)
{
	Datum		values[11];
	bool		nulls[11] = {false};

	values[0] = Int32GetDatum(number);
	values[1] = CStringGetTextDatum("release");
	for (int i = 2; i <= 6; i++)
		nulls[i] = true;
	values[7] = amount_datum(release->cost.epsilon);
	values[8] = amount_datum(release->cost.delta);
	values[9] = amount_datum(release->cost.rho);
	values[10] = Int64GetDatum(pa_releases_left(release->policy->policy_id, release->policy->accountant,
													release->payer, &release->cost));
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

PG_FUNCTION_INFO_V1(pa_preview);
PGDLLEXPORT Datum
pa_preview(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	List	   *leaves = plan_leaves(text_to_cstring(PG_GETARG_TEXT_PP(0)));
	ExprContext *context = CreateStandaloneExprContext();
	int			number = 0;
	ListCell   *cell;

	if (leaves == NIL)
		refuse_preview("It reads no protected table, or the current role may read it without protection.");
	InitMaterializedSRF(fcinfo, 0);
	foreach(cell, leaves)
	{
		CustomScan *scan = lfirst(cell);
		PaLeafSpec *spec = pa_leaf_spec_decode(scan->custom_private);
		PaRelease  *release = pa_release_prepare(spec, pa_release_arguments(spec, scan->custom_exprs, context),
												 GetUserId(), GetActiveSnapshot());

		number++;
		for (int i = 0; i < release->statistics->nstatistics; i++)
			put_statistic(result, number, release, &release->statistics->statistics[i]);
		put_total(result, number, release);
	}
	FreeExprContext(context, true);
	return (Datum) 0;
}
