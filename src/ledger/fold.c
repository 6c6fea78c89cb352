/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fold.c
 *		Takes lines out of the ledger whose sums are kept.
 *
 * The ledger is append-only: no statement deletes from it.  This goes below statements,
 * and takes out nothing but charges that privacct.ledger_sum says it has.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/jsonb.h"
#include "utils/rel.h"

#include "catalog/extension.h"
#include "errors.h"

/* column numbers of privacct.ledger_line and ledger_sum; see migrations/ */
enum
{
	LEDGER_CHARGE = 1, LEDGER_POLICY, LEDGER_DETAIL = 9
};
enum
{
	SUM_POLICY = 1, SUM_CHARGE
};

/* The last line that is in the sums of the policy; 0 if there are none. */
static int64
last_summed(int64 policy_id)
{
	Relation	sums = table_open(pa_catalog_relation("ledger_sum"), AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		isnull;
	int64		last = 0;

	ScanKeyInit(&key, SUM_POLICY, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy_id));
	scan = systable_beginscan(sums, pa_catalog_relation("ledger_sum_pkey"), true, NULL, 1, &key);
	if (HeapTupleIsValid(tuple = systable_getnext(scan)))
		last = DatumGetInt64(heap_getattr(tuple, SUM_CHARGE, RelationGetDescr(sums), &isnull));
	systable_endscan(scan);
	table_close(sums, AccessShareLock);
	return last;
}

/* Else it says what was carried over from an earlier policy, which is in no sum. */
static bool
is_charge(HeapTuple tuple, TupleDesc desc)
{
	JsonbValue	key = {.type = jbvString};
	bool		isnull;
	Datum		detail = heap_getattr(tuple, LEDGER_DETAIL, desc, &isnull);

	if (isnull)
		return true;
	key.val.string.val = "carried_from_policy";
	key.val.string.len = strlen(key.val.string.val);
	return findJsonbValueFromContainer(&DatumGetJsonbP(detail)->root, JB_FOBJECT, &key) == NULL;
}

static int
compare(const void *a, const void *b)
{
	int64		one = DatumGetInt64(*(const Datum *) a);
	int64		other = DatumGetInt64(*(const Datum *) b);

	return one < other ? -1 : one > other;
}

/* Lines that stay, in ascending order. */
typedef struct Kept
{
	Datum	   *lines;
	int			count;
} Kept;

static Kept
read_kept(ArrayType *array)
{
	Kept		kept;

	deconstruct_array(array, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &kept.lines, NULL, &kept.count);
	qsort(kept.lines, kept.count, sizeof(Datum), compare);
	return kept;
}

static bool
is_kept(const Kept *kept, HeapTuple tuple, TupleDesc desc)
{
	bool		isnull;
	Datum		charge = heap_getattr(tuple, LEDGER_CHARGE, desc, &isnull);

	return bsearch(&charge, kept->lines, kept->count, sizeof(Datum), compare) != NULL;
}

/*
 * _take_out_lines(policy_id, last, but): the charges of a policy up to a line, which is
 * summed, but for some; how many they were
 */
PG_FUNCTION_INFO_V1(pa_take_out_lines);
PGDLLEXPORT Datum
pa_take_out_lines(PG_FUNCTION_ARGS)
{
	int64		policy_id = PG_GETARG_INT64(0);
	int64		last = PG_GETARG_INT64(1);
	Kept		kept = read_kept(PG_GETARG_ARRAYTYPE_P(2));
	Relation	ledger;
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	int64		count = 0;

	pa_require_version();
	if (last > last_summed(policy_id))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_POLICY),
				errmsg("lines of the ledger are not in its sums yet"));
	ledger = table_open(pa_catalog_relation("ledger_line"), RowExclusiveLock);
	ScanKeyInit(&key[0], LEDGER_POLICY, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy_id));
	ScanKeyInit(&key[1], LEDGER_CHARGE, BTLessEqualStrategyNumber, F_INT8LE, Int64GetDatum(last));
	scan = systable_beginscan(ledger, pa_catalog_relation("ledger_of_policy"), true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		if (!is_charge(tuple, RelationGetDescr(ledger)) || is_kept(&kept, tuple, RelationGetDescr(ledger)))
			continue;
		CatalogTupleDelete(ledger, &tuple->t_self);
		count++;
	}
	systable_endscan(scan);
	table_close(ledger, RowExclusiveLock);
	PG_RETURN_INT64(count);
}
