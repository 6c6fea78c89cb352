/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * intervals.c
 *		privacct.intervals(): confidence intervals of what was released to this session.
 *
 * Kept in the backend's memory, for the releases that fit into MAX_ROWS; shown
 * only to the role that asked.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "errors.h"
#include "node/intervals.h"

#define MAX_ROWS 10000

typedef struct Remembered
{
	int64		charge_id;
	Oid			user;
	int			nkeys;
	char	  **keys;
	char	   *aggregate;
	PaEstimate	estimate;
	int64		answered;		/* owners: of so many asked; not known: of none */
	int64		asked;
} Remembered;

/* Rows or values of a table in the smallest group of a release. */
typedef struct Count
{
	Oid			relation;		/* InvalidOid: none */
	Oid			user;
	double		count;
} Count;

static MemoryContext memory = NULL;
static Remembered *rows = NULL;
static int	nrows = 0;			/* of releases that were handed up */
static int	nmore = 0;			/* behind them: of the one under way */
static bool begun = false;		/* one is under way that is remembered */
static int64 last_charge = 0;	/* that was handed up */
static int64 current_charge = 0;
static Oid	current_user_id = InvalidOid;
static Count current_count = {0};
static Count last_count = {0};	/* that was handed up */
static int64 current_admitted = 0;
static int64 current_known = 0;

static void
forget_all(void)
{
	if (memory == NULL)
		memory = AllocSetContextCreate(TopMemoryContext, "privacct intervals", ALLOCSET_DEFAULT_SIZES);
	MemoryContextReset(memory);
	rows = MemoryContextAlloc(memory, sizeof(Remembered) * MAX_ROWS);
	nrows = 0;
}

void
pa_intervals_begin(int64 charge_id, Oid user)
{
	if (rows == NULL || nrows > MAX_ROWS / 2)
		forget_all();
	begun = true;
	current_charge = charge_id;
	current_user_id = user;
	current_count = (Count) {0};
	pa_intervals_owners(0, 0);
}

bool
pa_intervals_begin_again(int64 charge_id, Oid user)
{
	int			last = nrows - 1;

	while (last >= 0 && (rows[last].charge_id != charge_id || rows[last].user != user))
		last--;
	if (last < 0)
	{
		pa_intervals_begin(charge_id, user);
		return false;
	}
	begun = true;
	current_charge = charge_id;
	return true;
}

void
pa_intervals_owners(int64 admitted, int64 known)
{
	current_admitted = admitted;
	current_known = known;
}

void
pa_intervals_add(int nkeys, char **keys, const char *aggregate, const PaEstimate *estimate)
{
	MemoryContext caller;
	Remembered *row;

	if (nrows + nmore == MAX_ROWS)
		return;
	caller = MemoryContextSwitchTo(memory);
	row = &rows[nrows + nmore];
	*row = (Remembered) {.charge_id = current_charge,.user = current_user_id,.nkeys = nkeys,.estimate = *estimate,
		.answered = estimate->asked > 0 ? estimate->answered : current_admitted,
		.asked = estimate->asked > 0 ? estimate->asked : current_known};
	row->aggregate = pstrdup(aggregate);
	row->keys = palloc0(sizeof(char *) * Max(nkeys, 1));
	for (int i = 0; i < nkeys; i++)
		if (keys[i])
			row->keys[i] = pstrdup(keys[i]);
	nmore++;
	MemoryContextSwitchTo(caller);
}

void
pa_intervals_count(Oid relation, double count)
{
	if (!OidIsValid(current_count.relation) || count < current_count.count)
		current_count = (Count) {relation, current_user_id, count};
}

double
pa_intervals_last_count(Oid relation, Oid user)
{
	return last_count.relation == relation && last_count.user == user ? last_count.count : NAN;
}

void
pa_intervals_drop(void)
{
	nmore = 0;
	begun = false;
}

void
pa_intervals_publish(void)
{
	if (!begun)
		return;
	begun = false;
	nrows += nmore;
	nmore = 0;
	last_charge = current_charge;
	if (OidIsValid(current_count.relation))
		last_count = current_count;
}

static Datum
keys_array(const Remembered *row)
{
	Datum	   *values = palloc(sizeof(Datum) * Max(row->nkeys, 1));
	bool	   *nulls = palloc(sizeof(bool) * Max(row->nkeys, 1));
	int			dims[1] = {row->nkeys};
	int			lower[1] = {1};

	if (row->nkeys == 0)
		return PointerGetDatum(construct_empty_array(TEXTOID));
	for (int i = 0; i < row->nkeys; i++)
	{
		nulls[i] = row->keys[i] == NULL;
		values[i] = nulls[i] ? (Datum) 0 : CStringGetTextDatum(row->keys[i]);
	}
	return PointerGetDatum(construct_md_array(values, nulls, 1, dims, lower, TEXTOID, -1, false, TYPALIGN_INT));
}

PG_FUNCTION_INFO_V1(pa_intervals);
PGDLLEXPORT Datum
pa_intervals(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	int64		wanted = PG_ARGISNULL(0) ? last_charge : PG_GETARG_INT64(0);

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < nrows; i++)
	{
		const Remembered *row = &rows[i];
		bool		local = row->estimate.asked > 0;
		Datum		values[11];
		bool		nulls[11] = {false};

		if (row->charge_id != wanted || row->user != GetUserId())
			continue;
		values[0] = Int64GetDatum(row->charge_id);
		values[1] = keys_array(row);
		values[2] = CStringGetTextDatum(row->aggregate);
		values[3] = Float8GetDatum(row->estimate.value);
		values[4] = Float8GetDatum(row->estimate.low);
		values[5] = Float8GetDatum(row->estimate.high);
		values[6] = Float8GetDatum(PA_CONFIDENCE);
		values[7] = Float8GetDatum(row->estimate.acceptance);
		nulls[4] = isnan(row->estimate.low);
		nulls[5] = isnan(row->estimate.high);
		nulls[7] = isnan(row->estimate.acceptance);
		values[8] = Float8GetDatum(row->estimate.error);
		nulls[8] = !local || isnan(row->estimate.error);
		values[9] = Int64GetDatum(row->answered);
		values[10] = Int64GetDatum(row->asked);
		nulls[9] = nulls[10] = row->asked == 0;
		nulls[3] = nulls[3] || isnan(row->estimate.value);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* Of an aggregate over protected rows the release node shows it, and this is never called. */
PG_FUNCTION_INFO_V1(pa_interval_end);
PGDLLEXPORT Datum
pa_interval_end(PG_FUNCTION_ARGS)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("intervals can only be asked for of aggregates over protected rows"),
			errdetail("The table is not protected, the current role may read it without protection, or the argument is no aggregate."),
			errhint("What is exact needs no interval; of protected tables, write it around the aggregate, as in privacct.dp_interval_low(count(*)), as a role that has a privacy budget."));
	PG_RETURN_NULL();
}
