/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sampling.c
 *		privacct.best_sample_rate(): whether a sample of owners pays.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"

#include "core/accounting/sampling.h"
#include "errors.h"

PG_FUNCTION_INFO_V1(pa_best_sample_rate);
PGDLLEXPORT Datum
pa_best_sample_rate(PG_FUNCTION_ARGS)
{
	TupleDesc	shape;
	Datum		values[3];
	bool		nulls[3] = {false};
	double		rate,
				error,
				error_without;
	PaStatus	status = pa_sampling_best_rate(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2),
											   PG_GETARG_FLOAT8(3), &rate, &error, &error_without);

	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("no sample rate for these numbers"),
				errdetail("The computation reports: %s.", pa_status_text(status)),
				errhint("epsilon and sensitivity are above 0, delta is in [0, 1), owners is not negative."));
	if (get_call_result_type(fcinfo, NULL, &shape) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	values[0] = Float8GetDatum(rate);
	values[1] = Float8GetDatum(error);
	values[2] = Float8GetDatum(error_without);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(shape), values, nulls)));
}
