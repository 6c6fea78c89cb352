/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * derive_function.c
 *		privacct.derive(query): the answer of a query from releases that were paid for.
 *
 * The query is parsed, guarded and planned as its caller's, as for privacct.preview().
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "errors.h"
#include "node/central.h"
#include "node/composed.h"
#include "node/derive.h"
#include "node/dry_plan.h"
#include "node/plan_tree.h"

#define HINT_ASK "Ask the query itself; privacct.preview() says what it costs."

static PA_NORETURN void
refuse(const char *detail)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("the answer does not follow from earlier releases"),
			errdetail("%s", detail),
			errhint(HINT_ASK));
}

static bool
is_leaf(const CustomScan *scan)
{
	return pa_leaf_kind(scan) != NULL;
}

/* The release that the query would make. */
static CustomScan *
plan_leaf(const char *query)
{
	List	   *leaves = pa_plan_custom_scans(pa_dry_plan(query), is_leaf);

	if (leaves == NIL)
		pa_refuse_text("It reads no row of a protected table, or the current role may read it without protection.", PA_PREVIEW_ROW_HINT);
	if (list_length(leaves) > 1)
		refuse("The query makes several releases.");
	if (!pa_leaf_is_central(linitial(leaves)))
		refuse("The query is not about totals over owners.");
	return linitial(leaves);
}

static Datum
keys_datum(const PaLeafSpec *spec, const PaDerivedRow *row)
{
	Datum	   *values = palloc(sizeof(Datum) * Max(spec->nkeys, 1));
	int			lower = 1;

	if (spec->nkeys == 0)
		return PointerGetDatum(construct_empty_array(TEXTOID));
	for (int i = 0; i < spec->nkeys; i++)
	{
		Oid			output;
		bool		varlena;

		getTypeOutputInfo(spec->keys[i].type, &output, &varlena);
		values[i] = row->nulls[i] ? (Datum) 0 : CStringGetTextDatum(OidOutputFunctionCall(output, row->keys[i]));
	}
	return PointerGetDatum(construct_md_array(values, row->nulls, 1, (int *) &spec->nkeys, &lower, TEXTOID, -1, false, TYPALIGN_INT));
}

static Datum
charges_datum(const PaDerived *derived)
{
	Datum	   *values = palloc(sizeof(Datum) * Max(list_length(derived->charges), 1));
	ListCell   *cell;

	foreach(cell, derived->charges)
		values[foreach_current_index(cell)] = Int64GetDatum(*(int64 *) lfirst(cell));
	return PointerGetDatum(construct_array(values, list_length(derived->charges), INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

static void
put_row(ReturnSetInfo *result, const PaLeafSpec *spec, const PaDerived *derived, const PaDerivedRow *row, const char *label,
		const PaEstimate *estimate)
{
	Datum		values[8];
	bool		nulls[8] = {false};

	values[0] = keys_datum(spec, row);
	values[1] = CStringGetTextDatum(label);
	values[2] = Float8GetDatum(estimate->value);
	values[3] = Float8GetDatum(estimate->low);
	values[4] = Float8GetDatum(estimate->high);
	values[5] = Float8GetDatum(PA_CONFIDENCE);
	values[6] = charges_datum(derived);
	values[7] = derived->scope ? CStringGetTextDatum(derived->scope) : (Datum) 0;
	nulls[2] = isnan(estimate->value);
	nulls[3] = isnan(estimate->low);
	nulls[4] = isnan(estimate->high);
	nulls[7] = derived->scope == NULL;
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

static void
put_rows(ReturnSetInfo *result, const PaLeafSpec *spec, const PaDerived *derived)
{
	PaComposing *composing = pa_composing_begin(spec);
	ListCell   *cell;

	foreach(cell, derived->rows)
	{
		const PaDerivedRow *row = lfirst(cell);

		for (int i = 0; i < spec->ncomposed; i++)
		{
			PaEstimate	estimate = pa_compose_estimate(composing, i, row->estimates);

			put_row(result, spec, derived, row, spec->composed[i].label, &estimate);
		}
		for (int i = 0; i < spec->naggregates; i++)
			if (spec->aggregates[i].together == 0)
				put_row(result, spec, derived, row, spec->aggregates[i].label, &row->estimates[i]);
	}
}

PG_FUNCTION_INFO_V1(pa_derive_sql);
PGDLLEXPORT Datum
pa_derive_sql(PG_FUNCTION_ARGS)
{
	ExprContext *context;
	char	   *query;
	CustomScan *scan;
	PaLeafSpec *spec;
	PaRelease  *release;
	PaDerived  *derived;

	if (PG_ARGISNULL(0))
		pa_refuse_text("The text is null.", PA_PREVIEW_ROW_HINT);
	query = text_to_cstring(PG_GETARG_TEXT_PP(0));
	scan = plan_leaf(query);
	context = CreateStandaloneExprContext();
	InitMaterializedSRF(fcinfo, 0);
	spec = pa_leaf_spec(scan, query);
	release = pa_release_sketch(spec, pa_leaf_arguments(scan), context, GetUserId(), GetActiveSnapshot());
	derived = pa_derive(release, pa_leaf_arguments(scan), context, GetActiveSnapshot());
	if (derived->problem)
		refuse(derived->problem);
	put_rows((ReturnSetInfo *) fcinfo->resultinfo, spec, derived);
	FreeExprContext(context, true);
	return (Datum) 0;
}
