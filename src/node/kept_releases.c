/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kept_releases.c
 *		How many releases of a table are kept to be repeated, for privacct.repeats.
 *
 * They are in a table that is not logged, which no query can name on a standby: there
 * nothing is repeated, and it is not known what the primary keeps.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "catalog/extension.h"
#include "catalog/policy.h"
#include "node/repeat.h"

typedef struct Kept
{
	int64		number;
	TimestampTz oldest;
} Kept;

static Kept
count_kept(int64 policy_id)
{
	Kept		kept = {0, DT_NOEND};
	Relation	rel = table_open(pa_catalog_relation("stored_release"), AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;

	ScanKeyInit(&key, PA_STORED_POLICY, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy_id));
	scan = systable_beginscan(rel, pa_catalog_relation("stored_release_policy"), true, GetActiveSnapshot(), 1, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		bool		isnull;
		TimestampTz made_at = DatumGetTimestampTz(heap_getattr(row, PA_STORED_MADE, RelationGetDescr(rel), &isnull));

		kept.number++;
		kept.oldest = Min(kept.oldest, made_at);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return kept;
}

/* _kept_releases(relation): kept, made_at of the oldest; nulls where that is not known, or not the caller's to know. */
PG_FUNCTION_INFO_V1(pa_kept_releases);
PGDLLEXPORT Datum
pa_kept_releases(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);
	const PaPolicy *policy = RecoveryInProgress() || !pa_reads_raw(relation, GetUserId()) ? NULL : pa_policy_of(relation);
	Datum		values[2] = {0};
	bool		nulls[2] = {true, true};
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	if (policy)
	{
		Kept		kept = count_kept(policy->unit);

		values[0] = Int64GetDatum(kept.number);
		values[1] = TimestampTzGetDatum(kept.oldest);
		nulls[0] = false;
		nulls[1] = kept.number == 0;
	}
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(desc, values, nulls)));
}
