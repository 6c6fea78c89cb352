/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * aggregate.c
 *		Which aggregate functions mean what: the ordinary ones by OID, ours by
 *		their row in pg_proc.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
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
};

/* Names of member functions of the extension. */
static const struct DpAggregate
{
	const char *name;
	PaAggregateKind kind;
}			explicit_ones[] = {
	{"dp_count", PA_AGG_COUNT}, {"dp_count_owners", PA_AGG_COUNT_OWNERS},
	{"dp_sum", PA_AGG_SUM}, {"dp_avg", PA_AGG_AVG},
	{"dp_var_pop", PA_AGG_VAR_POP}, {"dp_var_samp", PA_AGG_VAR_SAMP}, {"dp_variance", PA_AGG_VAR_SAMP},
	{"dp_stddev_pop", PA_AGG_STDDEV_POP}, {"dp_stddev_samp", PA_AGG_STDDEV_SAMP}, {"dp_stddev", PA_AGG_STDDEV_SAMP},
	{"dp_topk", PA_AGG_TOPK}, {"dp_mode", PA_AGG_TOPK}, {"_score", PA_AGG_SCORE},
	{"ldp_avg", PA_AGG_LDP_AVG}, {"ldp_sum", PA_AGG_LDP_SUM}, {"ldp_count", PA_AGG_LDP_COUNT},
	{"ldp_histogram", PA_AGG_LDP_HISTOGRAM}, {"ldp_response", PA_AGG_LDP_RESPONSE},
	{"_owner_marker", PA_AGG_OWNER}, {"_local_marker", PA_AGG_OWNER},
};

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
			if (strcmp(name, explicit_ones[i].name) == 0)
			{
				*kind = explicit_ones[i].kind;
				if (*kind == PA_AGG_COUNT && get_func_nargs(function) == 0)
					*kind = PA_AGG_COUNT_ROWS;
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
	Oid			args[] = {ANYOID, OIDOID, INT8OID, INT4OID, INT4OID, ANYOID};

	return pa_own_function("_owner_marker", PA_MARK_COUNT, args);
}

Oid
pa_local_marker_aggregate(void)
{
	Oid			args[] = {ANYOID, OIDOID, INT8OID};

	return pa_own_function("_local_marker", lengthof(args), args);
}

Oid
pa_owners_aggregate(void)
{
	return pa_own_function("dp_count_owners", 0, NULL);
}

Oid
pa_score_aggregate(void)
{
	Oid			args[] = {ANYELEMENTOID, INT4OID, TEXTOID};

	return pa_own_function("_score", lengthof(args), args);
}

Oid
pa_ranking_aggregate(bool array)
{
	Oid			args[] = {ANYELEMENTOID, FLOAT8OID, INT4OID};

	return pa_own_function(array ? "_first" : "_top", lengthof(args), args);
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
