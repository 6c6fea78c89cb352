/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * aggregate.c
 *		Which aggregate functions mean what: the ordinary ones by OID, ours by
 *		their row in pg_proc.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "nodes/execnodes.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "bound/aggregate.h"
#include "catalog/policy.h"
#include "errors.h"
#include "position.h"

static const struct OrdinaryAggregate
{
	Oid			function;
	PaAggregateKind kind;
}			ordinary[] = {
	{F_COUNT_, PA_AGG_COUNT_ROWS}, {F_COUNT_ANY, PA_AGG_COUNT},
	{F_SUM_INT2, PA_AGG_SUM}, {F_SUM_INT4, PA_AGG_SUM}, {F_SUM_INT8, PA_AGG_SUM},
	{F_SUM_FLOAT4, PA_AGG_SUM}, {F_SUM_FLOAT8, PA_AGG_SUM}, {F_SUM_NUMERIC, PA_AGG_SUM},
	{F_AVG_INT2, PA_AGG_AVG}, {F_AVG_INT4, PA_AGG_AVG}, {F_AVG_INT8, PA_AGG_AVG},
	{F_AVG_FLOAT4, PA_AGG_AVG}, {F_AVG_FLOAT8, PA_AGG_AVG}, {F_AVG_NUMERIC, PA_AGG_AVG},
	{F_VAR_POP_INT2, PA_AGG_VAR_POP}, {F_VAR_POP_INT4, PA_AGG_VAR_POP}, {F_VAR_POP_INT8, PA_AGG_VAR_POP},
	{F_VAR_POP_FLOAT4, PA_AGG_VAR_POP}, {F_VAR_POP_FLOAT8, PA_AGG_VAR_POP}, {F_VAR_POP_NUMERIC, PA_AGG_VAR_POP},
	{F_VAR_SAMP_INT2, PA_AGG_VAR_SAMP}, {F_VAR_SAMP_INT4, PA_AGG_VAR_SAMP}, {F_VAR_SAMP_INT8, PA_AGG_VAR_SAMP},
	{F_VAR_SAMP_FLOAT4, PA_AGG_VAR_SAMP}, {F_VAR_SAMP_FLOAT8, PA_AGG_VAR_SAMP}, {F_VAR_SAMP_NUMERIC, PA_AGG_VAR_SAMP},
	{F_VARIANCE_INT2, PA_AGG_VAR_SAMP}, {F_VARIANCE_INT4, PA_AGG_VAR_SAMP}, {F_VARIANCE_INT8, PA_AGG_VAR_SAMP},
	{F_VARIANCE_FLOAT4, PA_AGG_VAR_SAMP}, {F_VARIANCE_FLOAT8, PA_AGG_VAR_SAMP}, {F_VARIANCE_NUMERIC, PA_AGG_VAR_SAMP},
	{F_STDDEV_POP_INT2, PA_AGG_STDDEV_POP}, {F_STDDEV_POP_INT4, PA_AGG_STDDEV_POP}, {F_STDDEV_POP_INT8, PA_AGG_STDDEV_POP},
	{F_STDDEV_POP_FLOAT4, PA_AGG_STDDEV_POP}, {F_STDDEV_POP_FLOAT8, PA_AGG_STDDEV_POP}, {F_STDDEV_POP_NUMERIC, PA_AGG_STDDEV_POP},
	{F_STDDEV_SAMP_INT2, PA_AGG_STDDEV_SAMP}, {F_STDDEV_SAMP_INT4, PA_AGG_STDDEV_SAMP}, {F_STDDEV_SAMP_INT8, PA_AGG_STDDEV_SAMP},
	{F_STDDEV_SAMP_FLOAT4, PA_AGG_STDDEV_SAMP}, {F_STDDEV_SAMP_FLOAT8, PA_AGG_STDDEV_SAMP}, {F_STDDEV_SAMP_NUMERIC, PA_AGG_STDDEV_SAMP},
	{F_STDDEV_INT2, PA_AGG_STDDEV_SAMP}, {F_STDDEV_INT4, PA_AGG_STDDEV_SAMP}, {F_STDDEV_INT8, PA_AGG_STDDEV_SAMP},
	{F_STDDEV_FLOAT4, PA_AGG_STDDEV_SAMP}, {F_STDDEV_FLOAT8, PA_AGG_STDDEV_SAMP}, {F_STDDEV_NUMERIC, PA_AGG_STDDEV_SAMP},
	{F_PERCENTILE_CONT_FLOAT8_FLOAT8, PA_AGG_QUANTILE}, {F_PERCENTILE_CONT__FLOAT8_FLOAT8, PA_AGG_QUANTILE},
	{F_PERCENTILE_DISC_FLOAT8_ANYELEMENT, PA_AGG_QUANTILE}, {F_PERCENTILE_DISC__FLOAT8_ANYELEMENT, PA_AGG_QUANTILE},
	{F_MIN_INT2, PA_AGG_LEAST}, {F_MIN_INT4, PA_AGG_LEAST}, {F_MIN_INT8, PA_AGG_LEAST},
	{F_MIN_FLOAT4, PA_AGG_LEAST}, {F_MIN_FLOAT8, PA_AGG_LEAST}, {F_MIN_NUMERIC, PA_AGG_LEAST},
	{F_MIN_DATE, PA_AGG_LEAST}, {F_MIN_TIMESTAMP, PA_AGG_LEAST}, {F_MIN_TIMESTAMPTZ, PA_AGG_LEAST},
	{F_MAX_INT2, PA_AGG_GREATEST}, {F_MAX_INT4, PA_AGG_GREATEST}, {F_MAX_INT8, PA_AGG_GREATEST},
	{F_MAX_FLOAT4, PA_AGG_GREATEST}, {F_MAX_FLOAT8, PA_AGG_GREATEST}, {F_MAX_NUMERIC, PA_AGG_GREATEST},
	{F_MAX_DATE, PA_AGG_GREATEST}, {F_MAX_TIMESTAMP, PA_AGG_GREATEST}, {F_MAX_TIMESTAMPTZ, PA_AGG_GREATEST},
	{F_MODE, PA_AGG_TOPK},
};

/* Member functions of the extension. */
static const struct DpAggregate
{
	PaAggregateKind kind;
	const char *name;
	const char *arguments;
	const char *result;
	bool		options;
	const char *remark;
}			explicit_ones[] = {
#define PA_AGGREGATE(kind, name, arguments, result, options, remark) {kind, #name, arguments, #result, options, remark},
#include "bound/aggregate_list.h"
};

static bool
takes_nothing(const struct DpAggregate *aggregate)
{
	return strcmp(aggregate->arguments, "*") == 0;
}

bool
pa_is_dp_aggregate(Oid function)
{
	return pa_is_own_function(function);
}

bool
pa_aggregate_kind(Oid function, PaAggregateKind *kind)
{
	if (pa_is_dp_aggregate(function))
	{
		const char *name = get_func_name(function);

		for (int i = 0; i < lengthof(explicit_ones); i++)
			if (strcmp(name, explicit_ones[i].name) == 0 &&
				takes_nothing(&explicit_ones[i]) == (get_func_nargs(function) == 0))
			{
				*kind = explicit_ones[i].kind;
				return true;
			}
		return false;
	}
	for (int i = 0; i < lengthof(ordinary); i++)
		if (ordinary[i].function == function)
		{
			*kind = ordinary[i].kind;
			return true;
		}
	return false;
}

Oid
pa_marker_aggregate(void)
{
	Oid			args[] = {ANYOID, OIDARRAYOID, INT8ARRAYOID, INT4OID, INT4OID, INT4OID, INT4OID, ANYOID, TEXTOID, INT4ARRAYOID, TEXTOID,
	TEXTOID, INT4OID, TEXTOID};

	return pa_own_function("_owner_marker", PA_MARK_COUNT, args);
}

Oid
pa_local_marker_aggregate(void)
{
	Oid			args[] = {ANYOID, OIDARRAYOID, INT8ARRAYOID};

	return pa_own_function("_local_marker", lengthof(args), args);
}

Oid
pa_owners_aggregate(void)
{
	return pa_own_function("dp_count_owners", 0, NULL);
}

Oid
pa_distinct_aggregate(void)
{
	Oid			args[] = {ANYOID};

	return pa_own_function("dp_count_distinct", lengthof(args), args);
}

Oid
pa_score_aggregate(void)
{
	Oid			args[] = {ANYELEMENTOID, INT4OID, TEXTOID};

	return pa_own_function("_score", lengthof(args), args);
}

Oid
pa_candidate_aggregate(void)
{
	Oid			args[] = {FLOAT8OID, FLOAT8OID, FLOAT8OID, INT4OID, TEXTOID};

	return pa_own_function("_candidate", lengthof(args), args);
}

Oid
pa_response_aggregate(void)
{
	Oid			args[] = {ANYELEMENTOID, TEXTOID};

	return pa_own_function("_response", lengthof(args), args);
}

Oid
pa_ranking_aggregate(bool array)
{
	Oid			args[] = {ANYELEMENTOID, FLOAT8OID, INT4OID};

	return pa_own_function(array ? "_first" : "_top", lengthof(args), args);
}

/* --- for SQL --- */

static void
put_aggregate(ReturnSetInfo *result, const struct DpAggregate *aggregate, const char *last_argument, const char *addition)
{
	Datum		values[] = {
		CStringGetTextDatum(aggregate->name),
		CStringGetTextDatum(psprintf("%s%s", aggregate->arguments, last_argument)),
		CStringGetTextDatum(aggregate->result),
		CStringGetTextDatum(psprintf("%s%s", aggregate->remark, addition))
	};
	bool		nulls[lengthof(values)] = {false};

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* _aggregates() */
PG_FUNCTION_INFO_V1(pa_aggregates);
PGDLLEXPORT Datum
pa_aggregates(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < lengthof(explicit_ones); i++)
	{
		put_aggregate(result, &explicit_ones[i], "", "");
		if (explicit_ones[i].options)
			put_aggregate(result, &explicit_ones[i], ", options text", ", with options");
	}
	return (Datum) 0;
}

/*
 * Transition and final function of every aggregate of the extension: they are
 * computed by the release node of a guarded block and by nothing else.
 */
PG_FUNCTION_INFO_V1(pa_only_in_block);
PGDLLEXPORT Datum
pa_only_in_block(PG_FUNCTION_ARGS)
{
	const Aggref *call = AggGetAggref(fcinfo);
	const char *text = fcinfo->context && IsA(fcinfo->context, AggState) ?
		((AggState *) fcinfo->context)->ss.ps.state->es_sourceText : NULL;

	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("dp_ aggregates can only be used on a protected table"),
			errdetail("The table is not protected, or the current role may read it without protection."),
			errhint("Use the ordinary aggregates, or query as a role that has a privacy budget."),
			pa_position(text, call ? call->location : -1));
	PG_RETURN_NULL();
}
