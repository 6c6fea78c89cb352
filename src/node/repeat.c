/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * repeat.c
 *		See repeat.h.  Kept releases are rows of privacct.stored_release, which the ledger's
 *		worker writes: so they are there for all, whatever becomes of the transaction that
 *		paid, also if that may not write.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "compat/version.h"
#include "catalog/extension.h"
#include "ledger/rows.h"
#include "node/editions.h"
#include "node/repeat.h"
#include "settings.h"

/* Of an aggregate of a row that is kept; the rest of an estimate is of the local regime. */
typedef struct KeptEstimate
{
	double		value;
	double		low;
	double		high;
	double		acceptance;
} KeptEstimate;

static bytea *
as_bytea(const void *bytes, Size length)
{
	bytea	   *result = palloc(VARHDRSZ + length);

	SET_VARSIZE(result, VARHDRSZ + length);
	memcpy(VARDATA(result), bytes, length);
	return result;
}

/* --- what was kept --- */

static Datum
column(HeapTuple tuple, TupleDesc desc, int attnum)
{
	bool		isnull;
	Datum		value = heap_getattr(tuple, attnum, desc, &isnull);

	if (isnull)
		elog(ERROR, "null column %d in privacct.stored_release", attnum);
	return value;
}

/* Where the clock went back, nobody knows how old it is. */
static bool
is_young_enough(TimestampTz made_at, int64 age)
{
	TimestampTz now = GetCurrentTimestamp();

	return made_at <= now && now - made_at <= age;
}

static PaRepeat *
read_repeat(HeapTuple tuple, TupleDesc desc)
{
	PaRepeat   *repeat = palloc0(sizeof(PaRepeat));
	bytea	   *rows = DatumGetByteaPCopy(column(tuple, desc, PA_STORED_ROWS));

	repeat->charge_id = DatumGetInt64(column(tuple, desc, PA_STORED_CHARGE));
	repeat->made_at = DatumGetTimestampTz(column(tuple, desc, PA_STORED_MADE));
	repeat->position = VARDATA_ANY(rows);
	repeat->end = repeat->position + VARSIZE_ANY_EXHDR(rows);
	return repeat;
}

static List *
stored_editions(HeapTuple tuple, TupleDesc desc)
{
	bool		isnull;
	Datum		value = heap_getattr(tuple, PA_STORED_EDITIONS, desc, &isnull);
	ArrayType  *array;
	List	   *editions = NIL;

	if (isnull)
		return NIL;
	array = DatumGetArrayTypeP(value);
	for (int i = 0; i < ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)); i++)
		editions = lappend(editions, &((int64 *) ARR_DATA_PTR(array))[i]);
	return editions;
}

/* By its age, or because its tables are as they were. */
static bool
is_valid(HeapTuple tuple, TupleDesc desc, const PaPolicy *policy, List *editions)
{
	TimestampTz made_at = DatumGetTimestampTz(column(tuple, desc, PA_STORED_MADE));

	return (policy->repeat_age > 0 && is_young_enough(made_at, policy->repeat_age)) ||
		(policy->repeats_unchanged && pa_same_editions(editions, stored_editions(tuple, desc)));
}

/* A standby may not know yet that a policy was closed, or a budget revoked. */
PaRepeat *
pa_repeat_find(const PaRelease *release, const PaRepeatKey *key, List *editions)
{
	PaRepeat   *found = NULL;
	Relation	rel;
	ScanKeyData by_key;
	SysScanDesc scan;
	HeapTuple	tuple;

	if (RecoveryInProgress())
		return NULL;
	rel = table_open(pa_catalog_relation("stored_release"), AccessShareLock);
	ScanKeyInit(&by_key, PA_STORED_KEY, BTEqualStrategyNumber, F_BYTEAEQ, PointerGetDatum(as_bytea(key->hash, PA_REPEAT_KEY)));
	scan = systable_beginscan(rel, pa_catalog_relation("stored_release_pkey"), true, NULL, 1, &by_key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		TimestampTz made_at = DatumGetTimestampTz(column(tuple, RelationGetDescr(rel), PA_STORED_MADE));

		if (is_valid(tuple, RelationGetDescr(rel), release->policy, editions) && (found == NULL || made_at > found->made_at))
			found = read_repeat(tuple, RelationGetDescr(rel));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}

/* --- others of the same rows --- */

typedef struct SourceScan
{
	const PaRelease *release;
	List	   *editions;
	const unsigned char *source;
	bool		others;			/* there are some that nothing can be derived from */
	List	   *charges;		/* int64, of those that it can */
	int64		least;			/* from this charge on ... */
	List	   *kept;			/* ... they are read whole */
} SourceScan;

static int
younger(const ListCell *a, const ListCell *b)
{
	int64		first = *(int64 *) lfirst(a);
	int64		second = *(int64 *) lfirst(b);

	return first > second ? -1 : first < second;
}

static PaKept *
read_kept(HeapTuple tuple, TupleDesc desc)
{
	bytea	   *parts = DatumGetByteaPCopy(column(tuple, desc, PA_STORED_PARTS));
	PaKept	   *kept = palloc0(sizeof(PaKept));

	kept->charge_id = DatumGetInt64(column(tuple, desc, PA_STORED_CHARGE));
	kept->editions = stored_editions(tuple, desc);
	kept->parts = pa_parts_read(VARDATA_ANY(parts), VARSIZE_ANY_EXHDR(parts));
	return kept->parts ? kept : NULL;
}

static void
take_charge(SourceScan *scan, HeapTuple tuple, TupleDesc desc)
{
	int64	   *charge = palloc(sizeof(int64));

	*charge = DatumGetInt64(column(tuple, desc, PA_STORED_CHARGE));
	scan->charges = lappend(scan->charges, charge);
}

static void
take_kept(SourceScan *scan, HeapTuple tuple, TupleDesc desc)
{
	PaKept	   *kept = DatumGetInt64(column(tuple, desc, PA_STORED_CHARGE)) < scan->least ? NULL : read_kept(tuple, desc);

	if (kept)
		scan->kept = lappend(scan->kept, kept);
}

/* Those of the source that the role may see, and that may be repeated. */
static void
scan_source(SourceScan *scan, void (*take) (SourceScan *scan, HeapTuple tuple, TupleDesc desc))
{
	const PaPolicy *policy = scan->release->policy;
	Oid			role = policy->repeats_shared ? InvalidOid : scan->release->user;
	Relation	rel = table_open(pa_catalog_relation("stored_release"), AccessShareLock);
	ScanKeyData by_source;
	SysScanDesc rows;
	HeapTuple	tuple;

	ScanKeyInit(&by_source, PA_STORED_SOURCE, BTEqualStrategyNumber, F_BYTEAEQ, PointerGetDatum(as_bytea(scan->source, PA_SOURCE_BYTES)));
	rows = systable_beginscan(rel, pa_catalog_relation("stored_release_source"), true, NULL, 1, &by_source);
	while (HeapTupleIsValid(tuple = systable_getnext(rows)))
	{
		CHECK_FOR_INTERRUPTS();
		if (DatumGetObjectId(column(tuple, RelationGetDescr(rel), PA_STORED_ROLE)) != role ||
			!is_valid(tuple, RelationGetDescr(rel), policy, scan->editions))
			continue;
		if (heap_attisnull(tuple, PA_STORED_PARTS, RelationGetDescr(rel)))
			scan->others = true;
		else
			take(scan, tuple, RelationGetDescr(rel));
	}
	systable_endscan(rows);
	table_close(rel, AccessShareLock);
}

List *
pa_repeat_of_source(const PaRelease *release, List *editions, const unsigned char *source, int most, bool *others)
{
	SourceScan	scan = {release, editions, source};

	*others = false;
	if (RecoveryInProgress())
		return NIL;
	scan_source(&scan, take_charge);
	list_sort(scan.charges, younger);
	if (list_length(scan.charges) > most)
		scan.least = *(int64 *) list_nth(scan.charges, most - 1);
	scan_source(&scan, take_kept);
	*others = scan.others;
	list_sort(scan.kept, younger);	/* they begin with their charges */
	return scan.kept;
}

/* --- its rows --- */

bool
pa_repeat_next(PaRepeat *repeat, const PaLeafSpec *spec, uint32 *level, Datum *keys, bool *nulls, PaEstimate *estimates)
{
	char	   *position = unconstify(char *, repeat->position);

	if (position == repeat->end)
		return false;
	memcpy(level, position, sizeof(*level));
	position += sizeof(*level);
	for (int i = 0; i < spec->nkeys; i++)
		keys[i] = datumRestore(&position, &nulls[i]);
	for (int i = 0; i < spec->naggregates; i++)
	{
		KeptEstimate kept;

		memcpy(&kept, position, sizeof(kept));
		position += sizeof(kept);
		estimates[i] = (PaEstimate) {.value = kept.value,.low = kept.low,.high = kept.high,.acceptance = kept.acceptance};
	}
	repeat->position = position;
	return true;
}

char *
pa_repeat_describe(const PaRelease *release, List *expressions, ExprContext *context, Snapshot snapshot)
{
	PaRepeatKey key;
	const PaRepeat *repeat;

	if (!pa_repeat_key(release, expressions, context, &key))
		return NULL;
	repeat = pa_repeat_find(release, &key, pa_editions_seen(release, snapshot));
	if (repeat == NULL)
		return NULL;
	return psprintf("free: charge " INT64_FORMAT ", " INT64_FORMAT " s old", repeat->charge_id,
					(GetCurrentTimestamp() - repeat->made_at) / USECS_PER_SEC);
}

/* --- what is being kept --- */

/* A release is as old as the oldest snapshot that it may have been made with. */
PaKeeping *
pa_keep_begin(const PaRelease *release, const PaRepeatKey *key, const PaAsked *asked, List *editions, int64 charge_id)
{
	PaKeeping  *keeping = palloc0(sizeof(PaKeeping));

	keeping->key = *key;
	keeping->charge_id = charge_id;
	keeping->made_at = GetCurrentTransactionStartTimestamp();
	keeping->asked = asked;
	keeping->parts = pa_parts_begin(release, asked);
	keeping->editions = editions;
	initStringInfo(&keeping->rows);
	return keeping;
}

/* False if it leaves no room for what the release may have. */
static bool
make_room(PaKeeping *keeping, Size needed)
{
	keeping->too_large |= keeping->rows.len + needed > (Size) pa_repeat_size * 1024;
	if (!keeping->too_large)
		enlargeStringInfo(&keeping->rows, (int) needed);
	return !keeping->too_large;
}

static bool
keep_key(PaKeeping *keeping, Oid type, Datum key, bool isnull)
{
	int16		length;
	bool		by_value;
	char	   *end;

	get_typlenbyval(type, &length, &by_value);
	if (!isnull && length == -1)
		key = PointerGetDatum(PG_DETOAST_DATUM(key));
	if (!make_room(keeping, datumEstimateSpace(key, isnull, by_value, length)))
		return false;
	end = keeping->rows.data + keeping->rows.len;
	datumSerialize(key, isnull, by_value, length, &end);
	keeping->rows.len = (int) (end - keeping->rows.data);
	return true;
}

void
pa_keep_row(PaKeeping *keeping, const PaLeafSpec *spec, uint32 level, const Datum *keys, const bool *nulls,
			const PaEstimate *estimates, const double *totals)
{
	if (keeping->parts && totals)
		pa_parts_add(keeping->parts, level, keys, nulls, totals);
	if (make_room(keeping, sizeof(level)))
		appendBinaryStringInfo(&keeping->rows, (char *) &level, sizeof(level));
	for (int i = 0; i < spec->nkeys && !keeping->too_large; i++)
		(void) keep_key(keeping, spec->keys[i].type, keys[i], nulls[i]);
	for (int i = 0; i < spec->naggregates && make_room(keeping, sizeof(KeptEstimate)); i++)
	{
		KeptEstimate kept = {estimates[i].value, estimates[i].low, estimates[i].high, estimates[i].acceptance};

		appendBinaryStringInfo(&keeping->rows, (char *) &kept, sizeof(kept));
	}
}

static Datum
editions_datum(List *editions)
{
	Datum	   *values = palloc(sizeof(Datum) * list_length(editions));
	ListCell   *cell;

	foreach(cell, editions)
		values[foreach_current_index(cell)] = Int64GetDatum(*(int64 *) lfirst(cell));
	return PointerGetDatum(construct_array(values, list_length(editions), INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/* While the edition lasts, and longer if it is younger; else until it is too old.  Without either nobody would read it. */
static TimestampTz
expiry(const PaKeeping *keeping, const PaPolicy *policy)
{
	if (policy->repeats_unchanged && keeping->editions != NIL)
		return DT_NOEND;
	return keeping->made_at + policy->repeat_age;
}

void
pa_keep_end(PaKeeping *keeping, const PaRelease *release)
{
	const PaPolicy *policy = release->policy;
	bytea	   *parts = keeping->parts ? pa_parts_end(keeping->parts) : NULL;
	PaRows	   *rows;
	Datum		values[PA_STORED_COLUMNS] = {0};
	bool		nulls[PA_STORED_COLUMNS] = {false};

	if (keeping->too_large || (policy->repeat_age == 0 && keeping->editions == NIL))
		return;
	values[PA_STORED_KEY - 1] = PointerGetDatum(as_bytea(keeping->key.hash, PA_REPEAT_KEY));
	values[PA_STORED_CHARGE - 1] = Int64GetDatum(keeping->charge_id);
	values[PA_STORED_POLICY - 1] = Int64GetDatum(policy->unit);
	values[PA_STORED_ROLE - 1] = ObjectIdGetDatum(policy->repeats_shared ? InvalidOid : release->user);
	values[PA_STORED_MADE - 1] = TimestampTzGetDatum(keeping->made_at);
	values[PA_STORED_EXPIRES - 1] = TimestampTzGetDatum(expiry(keeping, policy));
	values[PA_STORED_ROWS - 1] = PointerGetDatum(as_bytea(keeping->rows.data, keeping->rows.len));
	nulls[PA_STORED_EDITIONS - 1] = keeping->editions == NIL;
	if (keeping->editions != NIL)
		values[PA_STORED_EDITIONS - 1] = editions_datum(keeping->editions);
	nulls[PA_STORED_SOURCE - 1] = keeping->asked == NULL;
	if (keeping->asked)
		values[PA_STORED_SOURCE - 1] = PointerGetDatum(as_bytea(keeping->asked->source, PA_SOURCE_BYTES));
	nulls[PA_STORED_PARTS - 1] = parts == NULL;
	values[PA_STORED_PARTS - 1] = PointerGetDatum(parts);
	rows = pa_rows_start(policy->unit, PA_ROWS_AFTER_ANY);
	pa_rows_add(rows, PA_ROWS_STORED_RELEASE, values, nulls);
	pa_rows_offer(rows);
}
