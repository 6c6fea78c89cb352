/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bayes.c
 *		Bayesian measures of privacy of what is given: channels, likelihoods, bounds.
 *
 * Thin wrappers over core/bayes/measures.h; they read nothing but their arguments.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "compat/version.h"
#include "core/bayes/estimate.h"
#include "core/bayes/measures.h"
#include "server_environment.h"
#include "errors.h"
#include "function/arrays.h"

static const PaArguments arguments = {.message = "invalid argument of a privacy measure"};

static void PA_NORETURN
refuse(const char *detail)
{
	pa_arguments_refuse(&arguments, detail);
}

static void
check(PaStatus status, const char *detail)
{
	CHECK_FOR_INTERRUPTS();
	if (status == PA_INVALID)
		refuse(detail);
	if (status != PA_OK)
		ereport(ERROR,
				errcode(status == PA_NO_MEMORY ? ERRCODE_OUT_OF_MEMORY : ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("the measure cannot be computed: %s", pa_status_text(status)));
}

/* --- arguments --- */

/* The prior in argument 1, or NULL for uniform. */
static const double *
prior_of(FunctionCallInfo fcinfo, size_t inputs)
{
	const double *prior;
	PaArray		array;

	if (PG_NARGS() < 2 || PG_ARGISNULL(1))
		return NULL;
	prior = pa_array_floats(&arguments, fcinfo, 1, "An array", 0, PA_ARRAY_DIMENSIONS, &array);
	if (array.dimensions != 1 || array.length != inputs)
		refuse("The prior does not have one number for each input.");
	return prior;
}

static PaChannel
channel_of(FunctionCallInfo fcinfo, const double *probability, const PaArray *array)
{
	return (PaChannel) {
		.inputs = array->size[0],.outputs = array->size[1],.probability = probability,
		.prior = prior_of(fcinfo, array->size[0])
	};
}

#define CHANNEL_FORM "A channel has a row of probabilities for each input, which add up to 1, and so does a prior."
#define LIKELIHOOD_FORM "A likelihood has a number from 0 to 1 for each input, one with prior mass above 0."

/* What one output that was seen says, from Pr[seen | x] for each x. */
static PaRealisedMeasures
realised(FunctionCallInfo fcinfo, const double *likelihood, size_t size)
{
	double	   *logs = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(double) * size);
	PaRealisedMeasures measures;

	for (size_t i = 0; i < size; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!(likelihood[i] >= 0 && likelihood[i] <= 1))
			refuse(LIKELIHOOD_FORM);
		logs[i] = log(likelihood[i]);
	}
	check(pa_realised_measures(logs, prior_of(fcinfo, size), size, pa_server_environment(), &measures, NULL), LIKELIHOOD_FORM);
	return measures;
}

/* --- measures --- */

static const double *
first_array(FunctionCallInfo fcinfo, int least_dimensions, int most_dimensions, PaArray *array)
{
	return pa_array_floats(&arguments, fcinfo, 0, "An array", least_dimensions, most_dimensions, array);
}

/* ldp(channel) */
PG_FUNCTION_INFO_V1(pa_ldp);
PGDLLEXPORT Datum
pa_ldp(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *probability = first_array(fcinfo, 2, 2, &array);
	PaChannel	channel = channel_of(fcinfo, probability, &array);
	double		level;

	check(pa_channel_level(&channel, pa_server_environment(), &level), CHANNEL_FORM);
	PG_RETURN_FLOAT8(level);
}

/* realized_loss(likelihood) */
PG_FUNCTION_INFO_V1(pa_realized_loss);
PGDLLEXPORT Datum
pa_realized_loss(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *likelihood = first_array(fcinfo, 1, 1, &array);

	PG_RETURN_FLOAT8(realised(fcinfo, likelihood, array.length).loss);
}

/* mbp(channel or likelihood, prior) */
PG_FUNCTION_INFO_V1(pa_mbp);
PGDLLEXPORT Datum
pa_mbp(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *given = first_array(fcinfo, 1, 2, &array);
	PaChannel	channel;
	double		mbp;

	if (array.dimensions == 1)
		PG_RETURN_FLOAT8(realised(fcinfo, given, array.length).mbp);
	channel = channel_of(fcinfo, given, &array);
	check(pa_channel_mbp(&channel, pa_server_environment(), &mbp), CHANNEL_FORM);
	PG_RETURN_FLOAT8(mbp);
}

/* abp(channel or likelihood, prior): of a channel the largest over its inputs */
PG_FUNCTION_INFO_V1(pa_abp);
PGDLLEXPORT Datum
pa_abp(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *given = first_array(fcinfo, 1, 2, &array);
	PaChannel	channel;
	double	   *abp;
	double		most = 0;

	if (array.dimensions == 1)
		PG_RETURN_FLOAT8(realised(fcinfo, given, array.length).abp);
	channel = channel_of(fcinfo, given, &array);
	abp = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(double) * channel.inputs);
	check(pa_channel_abp(&channel, pa_server_environment(), abp), CHANNEL_FORM);
	for (size_t i = 0; i < channel.inputs; i++)
		if (abp[i] > most)		/* an input without prior mass has none */
			most = abp[i];
	PG_RETURN_FLOAT8(most);
}

/* --- bounds --- */

static Datum
bound(double value)
{
	if (isnan(value))
		refuse("A number is out of its range.");
	return Float8GetDatum(value);
}

static Datum
bound_and_printed(FunctionCallInfo fcinfo, double value, double printed)
{
	TupleDesc	shape;
	Datum		values[2] = {bound(value), bound(printed)};
	bool		nulls[2] = {false};

	if (get_call_result_type(fcinfo, NULL, &shape) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(shape), values, nulls));
}

/* mbp_bound(ldp, least_prior) */
PG_FUNCTION_INFO_V1(pa_mbp_bound);
PGDLLEXPORT Datum
pa_mbp_bound(PG_FUNCTION_ARGS)
{
	return bound(pa_mbp_of_ldp(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1)));
}

/* ldp_bound(mbp) */
PG_FUNCTION_INFO_V1(pa_ldp_bound);
PGDLLEXPORT Datum
pa_ldp_bound(PG_FUNCTION_ARGS)
{
	return bound(pa_ldp_of_mbp(PG_GETARG_FLOAT8(0)));
}

/* abp_bound(mbp, prior_error): bound, printed */
PG_FUNCTION_INFO_V1(pa_abp_bound);
PGDLLEXPORT Datum
pa_abp_bound(PG_FUNCTION_ARGS)
{
	double		a = PG_GETARG_FLOAT8(0) + PG_GETARG_FLOAT8(1);

	if (!(PG_GETARG_FLOAT8(0) >= 0 && PG_GETARG_FLOAT8(1) >= 0))
		a = NAN;
	return bound_and_printed(fcinfo, pa_abp_of_mbp(a), pa_abp_of_mbp_printed(a));
}

/* pac_accuracy(epsilon, owners, alpha, lo, hi): beta, gamma, printed */
PG_FUNCTION_INFO_V1(pa_pac_accuracy);
PGDLLEXPORT Datum
pa_pac_accuracy(PG_FUNCTION_ARGS)
{
	double		epsilon = PG_GETARG_FLOAT8(0);
	int64		owners = PG_GETARG_INT64(1);
	PaBinary	binary;
	double		beta;
	TupleDesc	shape;
	Datum		values[3];
	bool		nulls[3] = {false};

	if (owners < 1 || pa_binary_make(PG_GETARG_FLOAT8(3), PG_GETARG_FLOAT8(4), epsilon, &binary) != PA_OK)
		refuse("A number is out of its range.");
	if (get_call_result_type(fcinfo, NULL, &shape) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	beta = pa_estimate_miss(&binary, owners, PG_GETARG_FLOAT8(2));
	values[0] = bound(beta);
	/* another value of one owner changes any event by a factor of e^epsilon; the bound is for twice an MBP */
	values[1] = bound(pa_pac_gamma(epsilon / 2, beta));
	values[2] = bound(pa_pac_gamma_printed(epsilon, beta));
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(shape), values, nulls));
}

/* pac_robustness(epsilon, beta): gamma, printed */
PG_FUNCTION_INFO_V1(pa_pac_robustness);
PGDLLEXPORT Datum
pa_pac_robustness(PG_FUNCTION_ARGS)
{
	double		epsilon = PG_GETARG_FLOAT8(0);
	double		beta = PG_GETARG_FLOAT8(1);

	return bound_and_printed(fcinfo, pa_pac_gamma(epsilon, beta), pa_pac_gamma_printed(epsilon, beta));
}
