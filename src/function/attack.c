/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * attack.c
 *		What an adversary makes of a channel, or of what was seen.
 *
 * Thin wrappers over core/bayes/attack.h; they read nothing but their arguments.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "compat/version.h"
#include "core/bayes/attack.h"
#include "server_environment.h"
#include "function/measure.h"

#define GAIN_FORM "A gain has a row for each guess with a number for each input, not negative."

static double *
numbers(size_t count)
{
	return MemoryContextAllocHuge(CurrentMemoryContext, sizeof(double) * Max(count, 1));
}

/* NaN becomes null. */
static Datum
array_of(const double *values, int ndimensions, int *dimensions)
{
	int			lower[2] = {1, 1};
	int64		count = (int64) dimensions[0] * (ndimensions > 1 ? dimensions[1] : 1);
	Datum	   *elements = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(Datum) * Max(count, 1));
	bool	   *nulls = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(bool) * Max(count, 1));

	for (int64 i = 0; i < count; i++)
	{
		nulls[i] = isnan(values[i]);
		elements[i] = Float8GetDatum(values[i]);
	}
	return PointerGetDatum(construct_md_array(elements, nulls, ndimensions, dimensions, lower, FLOAT8OID,
											  sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/* The gain in argument 2, or that of the right input. */
static PaGain
gain_of(FunctionCallInfo fcinfo, size_t inputs)
{
	PaArray		array;
	const double *gain;

	if (PG_ARGISNULL(2))
		return (PaGain) {inputs, NULL};
	gain = pa_measure_numbers(fcinfo, 2, 2, 2, &array);
	if (array.size[1] != inputs)
		pa_measure_refuse("The gain does not have one number for each input in a row.");
	return (PaGain) {array.size[0], gain};
}

/* posterior(channel or likelihood, prior) */
PG_FUNCTION_INFO_V1(pa_posterior);
PGDLLEXPORT Datum
pa_posterior(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *given = pa_measure_numbers(fcinfo, 0, 1, 2, &array);
	double	   *posterior = numbers(array.length);
	PaChannel	channel;

	if (array.dimensions == 1)
	{
		(void) pa_measure_realised(fcinfo, given, array.length, posterior);
		return array_of(posterior, 1, (int[]) {(int) array.length});
	}
	channel = pa_measure_channel(fcinfo, given, &array);
	pa_measure_check(pa_channel_posterior(&channel, pa_server_environment(), posterior), PA_CHANNEL_FORM);
	return array_of(posterior, 2, (int[]) {array.size[1], array.size[0]});
}

static void
put_guess(ReturnSetInfo *result, int output, const PaGuess *guess)
{
	Datum		values[4] = {Int32GetDatum(output), Float8GetDatum(guess->probability),
	Int32GetDatum((int) guess->guess + 1), Float8GetDatum(guess->gain)};
	bool		nulls[4] = {output == 0, isnan(guess->probability)};

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* map_attack(channel or likelihood, prior, gain): a row for each output that can be seen */
PG_FUNCTION_INFO_V1(pa_map_attack);
PGDLLEXPORT Datum
pa_map_attack(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	PaArray		array;
	const double *given = pa_measure_numbers(fcinfo, 0, 1, 2, &array);
	PaGain		gain = gain_of(fcinfo, array.size[0]);
	PaChannel	channel;
	PaGuess    *guess;

	InitMaterializedSRF(fcinfo, 0);
	guess = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(PaGuess) * (array.dimensions == 1 ? 1 : array.size[1]));
	if (array.dimensions == 1)
	{
		double	   *posterior = numbers(array.length);

		(void) pa_measure_realised(fcinfo, given, array.length, posterior);
		pa_measure_check(pa_realised_guess(posterior, array.length, &gain, pa_server_environment(), guess), GAIN_FORM);
		put_guess(result, 0, guess);
		return (Datum) 0;
	}
	channel = pa_measure_channel(fcinfo, given, &array);
	pa_measure_check(pa_channel_guesses(&channel, &gain, pa_server_environment(), guess), PA_CHANNEL_FORM " " GAIN_FORM);
	for (int w = 0; w < array.size[1]; w++)
		if (guess[w].probability > 0)
			put_guess(result, w + 1, &guess[w]);
	return (Datum) 0;
}

/* g_leakage(channel or likelihood, prior, gain): before, after, leakage, most */
PG_FUNCTION_INFO_V1(pa_g_leakage);
PGDLLEXPORT Datum
pa_g_leakage(PG_FUNCTION_ARGS)
{
	PaArray		array;
	const double *given = pa_measure_numbers(fcinfo, 0, 1, 2, &array);
	PaGain		gain = gain_of(fcinfo, array.size[0]);
	PaLeakage	leakage;

	if (array.dimensions == 1)
	{
		double	   *posterior = numbers(array.length);
		double		loss = pa_measure_realised(fcinfo, given, array.length, posterior).loss;

		pa_measure_check(pa_realised_leakage(posterior, pa_measure_prior(fcinfo, array.length), array.length, loss, &gain,
											 pa_server_environment(), &leakage), GAIN_FORM);
	}
	else
	{
		PaChannel	channel = pa_measure_channel(fcinfo, given, &array);

		pa_measure_check(pa_channel_leakage(&channel, &gain, pa_server_environment(), &leakage),
						 PA_CHANNEL_FORM " " GAIN_FORM);
	}
	return pa_measure_row(fcinfo, (double[]) {leakage.before, leakage.after, leakage.leakage, leakage.most}, 4);
}
