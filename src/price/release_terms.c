/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * release_terms.c
 *		privacct._terms_of(relation): what follows from what a policy says of its releases.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "catalog/policy.h"
#include "price/price.h"
#include "amount.h"
#include "errors.h"
#include "size_limits.h"

static Datum
interval_of(int64 steps)
{
	Interval   *interval = palloc0(sizeof(Interval));

	interval->time = steps * PA_ROW_WORK_MICROSECONDS;
	return IntervalPGetDatum(interval);
}

/* All rows that an owner may have: a table of one row per owner may do with less. */
static PaDelayLaw
delay_of(const PaPolicy *policy)
{
	PaDelayLaw	delay;

	if (pa_price_delay(policy, false, &delay) != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_POLICY),
				errmsg("noise on time would hold releases back for too long"),
				errdetail("It hides the time of all rows that an owner may have, and may last at most %d seconds.",
						  PA_LONGEST_DELAY / 1000000),
				errhint("Choose a larger time_epsilon, or smaller max_groups_contributed and max_rows_contributed."));
	return delay;
}

/* The owner of the table, and whoever may ask it. */
static bool
is_entitled(const PaPolicy *policy)
{
	return pa_reads_raw(policy->relation, GetUserId()) || OidIsValid(pa_policy_payer(policy, GetUserId()));
}

PG_FUNCTION_INFO_V1(pa_release_terms);
PGDLLEXPORT Datum
pa_release_terms(PG_FUNCTION_ARGS)
{
	const PaPolicy *policy = pa_policy_of(PG_GETARG_OID(0));
	TupleDesc	shape;
	Datum		values[4];
	bool		nulls[4] = {false};

	if (policy == NULL || !is_entitled(policy))
		PG_RETURN_NULL();
	if (get_call_result_type(fcinfo, NULL, &shape) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	nulls[0] = pa_accountant(policy->accountant)->counts_uses;
	nulls[1] = nulls[2] = nulls[3] = policy->time_epsilon == 0;
	if (!nulls[0])
		values[0] = pa_amount_datum(policy->floor);
	if (policy->time_epsilon > 0)
	{
		PaDelayLaw	delay = delay_of(policy);

		values[1] = pa_amount_datum(pa_price_of_time(policy, &delay).delta);
		values[2] = interval_of(delay.reach);
		values[3] = interval_of(2 * delay.reach);
	}
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(shape), values, nulls)));
}
