/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alike_lock.c
 *		A lock for each name and list of columns that tables may have in common, and for
 *		books that were theirs.  Who declares a table asks which others there are; of two
 *		who do so at the same time the second sees what the first has declared.  Nobody
 *		waits for tables that are not asked about.
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "compat/version.h"
#include "catalog/charge_lock.h"

static int
compare_hashes(const void *a, const void *b)
{
	uint64		x = *(const uint64 *) a;
	uint64		y = *(const uint64 *) b;

	return (x > y) - (x < y);
}

static uint64
hash_of(Datum key)
{
	text	   *string = DatumGetTextPP(key);

	return DatumGetUInt64(hash_any_extended((const unsigned char *) VARDATA_ANY(string), VARSIZE_ANY_EXHDR(string), 0));
}

static void
lock(uint64 hash)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, (uint32) (hash >> 32), (uint32) hash, PA_LOCK_ALIKE);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
}

/*
 * _hold_alike(keys): waits for all who hold one of the keys, and holds them until the
 * transaction ends; in the order of their hashes, so that two of these do not wait for
 * each other.
 */
PG_FUNCTION_INFO_V1(pa_hold_alike);
PGDLLEXPORT Datum
pa_hold_alike(PG_FUNCTION_ARGS)
{
	Datum	   *keys;
	bool	   *nulls;
	int			count;
	uint64	   *hashes;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(0), TEXTOID, -1, false, TYPALIGN_INT, &keys, &nulls, &count);
	hashes = palloc(sizeof(uint64) * Max(count, 1));
	for (int i = 0; i < count; i++)
		hashes[i] = nulls[i] ? 0 : hash_of(keys[i]);
	qsort(hashes, count, sizeof(uint64), compare_hashes);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i == 0 || hashes[i] != hashes[i - 1])
			lock(hashes[i]);
	}
	PG_RETURN_VOID();
}
