/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure.c
 *		See measure.h.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "server_environment.h"
#include "function/measure.h"

#define MOST_NUMBERS 8			/* of a row */

static const PaArguments arguments = {.message = "invalid argument of a privacy measure"};

void
pa_measure_refuse(const char *detail)
{
	pa_arguments_refuse(&arguments, detail);
}

void
pa_measure_check(PaStatus status, const char *detail)
{
	CHECK_FOR_INTERRUPTS();
	if (status == PA_INVALID)
		pa_measure_refuse(detail);
	if (status != PA_OK)
		ereport(ERROR,
				errcode(status == PA_NO_MEMORY ? ERRCODE_OUT_OF_MEMORY : ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("the measure cannot be computed: %s", pa_status_text(status)));
}

const double *
pa_measure_numbers(FunctionCallInfo fcinfo, int i, int least_dimensions, int most_dimensions, PaArray *array)
{
	return pa_array_floats(&arguments, fcinfo, i, "An array", least_dimensions, most_dimensions, array);
}

const double *
pa_measure_prior(FunctionCallInfo fcinfo, size_t inputs)
{
	const double *prior;
	PaArray		array;

	if (PG_NARGS() < 2 || PG_ARGISNULL(1))
		return NULL;
	prior = pa_measure_numbers(fcinfo, 1, 0, PA_ARRAY_DIMENSIONS, &array);
	if (array.dimensions != 1 || array.length != inputs)
		pa_measure_refuse("The prior does not have one number for each input.");
	return prior;
}

PaChannel
pa_measure_channel(FunctionCallInfo fcinfo, const double *probability, const PaArray *array)
{
	return (PaChannel) {
		.inputs = array->size[0],.outputs = array->size[1],.probability = probability,
		.prior = pa_measure_prior(fcinfo, array->size[0])
	};
}

PaRealisedMeasures
pa_measure_realised(FunctionCallInfo fcinfo, const double *likelihood, size_t size, double *posterior)
{
	double	   *logs = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(double) * size);
	PaRealisedMeasures measures;

	for (size_t i = 0; i < size; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!(likelihood[i] >= 0 && likelihood[i] <= 1))
			pa_measure_refuse(PA_LIKELIHOOD_FORM);
		logs[i] = log(likelihood[i]);
	}
	pa_measure_check(pa_realised_measures(logs, pa_measure_prior(fcinfo, size), size, pa_server_environment(), &measures, posterior),
					 PA_LIKELIHOOD_FORM);
	return measures;
}

Datum
pa_measure_bound(double value)
{
	if (isnan(value))
		pa_measure_refuse("A number is out of its range.");
	return Float8GetDatum(value);
}

Datum
pa_measure_row(FunctionCallInfo fcinfo, const double *values, int count)
{
	TupleDesc	shape;
	Datum		datums[MOST_NUMBERS];
	bool		nulls[MOST_NUMBERS] = {false};

	Assert(count <= MOST_NUMBERS);
	for (int i = 0; i < count; i++)
		datums[i] = pa_measure_bound(values[i]);
	if (get_call_result_type(fcinfo, NULL, &shape) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(shape), datums, nulls));
}
