/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bayes.c
 *		Bayesian measures of privacy of what is given: channels, likelihoods, bounds.
 *
 * Thin wrappers over core/bayes/measures.h; they read nothing but their arguments.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "utils/memutils.h"

#include "server_environment.h"
#include "function/measure.h"

/* --- measures --- */

/* ldp(channel) */
PG_FUNCTION_INFO_V1(pa_ldp);
PGDLLEXPORT Datum
pa_ldp(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *probability = pa_measure_numbers(fcinfo, 0, 2, 2, &array);
	PaChannel	channel = pa_measure_channel(fcinfo, probability, &array);
	double		level;

	pa_measure_check(pa_channel_level(&channel, pa_server_environment(), &level), PA_CHANNEL_FORM);
	PG_RETURN_FLOAT8(level);
}

/* realized_loss(likelihood) */
PG_FUNCTION_INFO_V1(pa_realized_loss);
PGDLLEXPORT Datum
pa_realized_loss(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *likelihood = pa_measure_numbers(fcinfo, 0, 1, 1, &array);

	PG_RETURN_FLOAT8(pa_measure_realised(fcinfo, likelihood, array.length, NULL).loss);
}

/* mbp(channel or likelihood, prior) */
PG_FUNCTION_INFO_V1(pa_mbp);
PGDLLEXPORT Datum
pa_mbp(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *given = pa_measure_numbers(fcinfo, 0, 1, 2, &array);
	PaChannel	channel;
	double		mbp;

	if (array.dimensions == 1)
		PG_RETURN_FLOAT8(pa_measure_realised(fcinfo, given, array.length, NULL).mbp);
	channel = pa_measure_channel(fcinfo, given, &array);
	pa_measure_check(pa_channel_mbp(&channel, pa_server_environment(), &mbp), PA_CHANNEL_FORM);
	PG_RETURN_FLOAT8(mbp);
}

/* abp(channel or likelihood, prior): of a channel the largest over its inputs */
PG_FUNCTION_INFO_V1(pa_abp);
PGDLLEXPORT Datum
pa_abp(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *given = pa_measure_numbers(fcinfo, 0, 1, 2, &array);
	PaChannel	channel;
	double	   *abp;
	double		most = 0;

	if (array.dimensions == 1)
		PG_RETURN_FLOAT8(pa_measure_realised(fcinfo, given, array.length, NULL).abp);
	channel = pa_measure_channel(fcinfo, given, &array);
	abp = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(double) * channel.inputs);
	pa_measure_check(pa_channel_abp(&channel, pa_server_environment(), abp), PA_CHANNEL_FORM);
	for (size_t i = 0; i < channel.inputs; i++)
		if (abp[i] > most)		/* an input without prior mass has none */
			most = abp[i];
	PG_RETURN_FLOAT8(most);
}

/* --- bounds --- */

/* mbp_bound(ldp, least_prior) */
PG_FUNCTION_INFO_V1(pa_mbp_bound);
PGDLLEXPORT Datum
pa_mbp_bound(PG_FUNCTION_ARGS)
{
	return pa_measure_bound(pa_mbp_of_ldp(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1)));
}

/* ldp_bound(mbp) */
PG_FUNCTION_INFO_V1(pa_ldp_bound);
PGDLLEXPORT Datum
pa_ldp_bound(PG_FUNCTION_ARGS)
{
	return pa_measure_bound(pa_ldp_of_mbp(PG_GETARG_FLOAT8(0)));
}

/* The two smallest masses; nothing follows for values without any, so they must not be there. */
static void
smallest_masses(const double *prior, size_t inputs, double *least, double *second)
{
	double		sum = 0;

	*least = *second = INFINITY;
	for (size_t i = 0; i < inputs; i++)
	{
		if (!(prior[i] > 0))
			pa_measure_refuse("The prior has a number that is not above 0: nothing follows for a value without mass.");
		sum += prior[i];
		*second = fmin(*second, fmax(*least, prior[i]));
		*least = fmin(*least, prior[i]);
	}
	if (!(fabs(sum - 1) <= 1e-9))
		pa_measure_refuse(PA_CHANNEL_FORM);
}

/* ldp_bound(mbp, prior): nobody can tell one value from itself */
PG_FUNCTION_INFO_V1(pa_ldp_bound_of_prior);
PGDLLEXPORT Datum
pa_ldp_bound_of_prior(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *prior = pa_measure_numbers(fcinfo, 1, 1, 1, &array);
	double		least;
	double		second;

	smallest_masses(prior, array.length, &least, &second);
	if (array.length == 1)
		return pa_measure_bound(PG_GETARG_FLOAT8(0) >= 0 ? 0 : NAN);
	return pa_measure_bound(pa_ldp_of_mbp_tight(PG_GETARG_FLOAT8(0), least, second));
}

/* abp_bound(mbp, prior_error): bound, printed */
PG_FUNCTION_INFO_V1(pa_abp_bound);
PGDLLEXPORT Datum
pa_abp_bound(PG_FUNCTION_ARGS)
{
	double		xi = PG_GETARG_FLOAT8(0);
	double		prior_error = PG_GETARG_FLOAT8(1);

	return pa_measure_row(fcinfo, (double[]) {pa_abp_of_mbp_near(xi, prior_error), pa_abp_of_mbp_printed(xi + prior_error)}, 2);
}
