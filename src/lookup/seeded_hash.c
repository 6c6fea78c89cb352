/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seeded_hash.c
 *		See seeded_hash.h.
 *
 * Most types have an extended hash function that mixes a seed into every step.
 * That of 64-bit integers, and of what is hashed as one, intervals too, folds the value
 * before: these are hashed by SipHash.
 *
 * PostgreSQL makes one hash of those of several keys by rotating and XOR.  Equal keys with
 * one hash function would leave nothing of it: 32 of them have two hashes in all.  So each
 * place has a secret of its own.
 */
#include "postgres.h"

#include <sodium.h>

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "lookup/seeded_hash.h"

typedef struct SeededHash
{
	uint64		place;			/* its secret */
	Oid			type;
	FmgrInfo   *extended;		/* of the type */
} SeededHash;

#define NEAR 64

typedef struct NearHash
{
	Oid			type;
	bool		any;			/* there was a number: */
	int64		run;			/* the run of the last one, */
	uint32		hash;			/* and the hash of its first number */
} NearHash;

/* A child of the postmaster has a secret of its own. */
static const unsigned char *
process_secret(void)
{
	static unsigned char secret[crypto_shorthash_KEYBYTES];
	static int	owner = 0;

	if (owner != MyProcPid && !pg_strong_random(secret, sizeof(secret)))
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("could not generate random bits"));
	owner = MyProcPid;
	return secret;
}

bool
pa_is_whole_number(Oid type)
{
	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case DATEOID:
		case INT8OID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case TIMEOID:
			return true;
		default:
			return false;
	}
}

static uint64
keyed_hash(const void *bytes, size_t length)
{
	uint64		result;

	crypto_shorthash_siphash24((unsigned char *) &result, bytes, length, process_secret());
	return result;
}

static uint32
fold(uint64 hash)
{
	return (uint32) (hash ^ (hash >> 32));
}

uint32
pa_hash_number(int64 number)
{
	return fold(keyed_hash(&number, sizeof(number)));
}

/* Intervals are equal if they span the same time. */
static uint32
hash_interval(uint64 place, const Interval *interval)
{
	const int64 month = DAYS_PER_MONTH * USECS_PER_DAY;
	int128		span = (int128) interval->month * month + (int128) interval->day * USECS_PER_DAY + interval->time;
	uint64		parts[] = {place, (uint64) (span >> 64), (uint64) span};

	return fold(keyed_hash(parts, sizeof(parts)));
}

static Datum
seeded_hash(PG_FUNCTION_ARGS)
{
	const SeededHash *hash = fcinfo->flinfo->fn_extra;

	if (pa_is_whole_number(hash->type))
		return UInt32GetDatum(pa_hash_number(pa_whole_number(hash->type, PG_GETARG_DATUM(0)) ^ (int64) hash->place));
	if (hash->type == INTERVALOID)
		return UInt32GetDatum(hash_interval(hash->place, PG_GETARG_INTERVAL_P(0)));
	return UInt32GetDatum(fold(DatumGetUInt64(FunctionCall2Coll(hash->extended, PG_GET_COLLATION(), PG_GETARG_DATUM(0),
																UInt64GetDatum(hash->place)))));
}

static uint64
secret_of_place(int place)
{
	const uint64 parts[] = {(uint64) place, (uint64) place};

	return keyed_hash(parts, sizeof(parts));
}

void
pa_seed_hash(FmgrInfo *function, int place, Oid type)
{
	SeededHash *hash = palloc(sizeof(SeededHash));
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_HASH_EXTENDED_PROC_FINFO);

	if (!OidIsValid(entry->hash_extended_proc))
		elog(ERROR, "type %u has no extended hash function", type);
	*hash = (SeededHash) {secret_of_place(place), type, &entry->hash_extended_proc_finfo};
	function->fn_addr = seeded_hash;
	function->fn_extra = hash;
}

void
pa_seed_hashes(FmgrInfo *functions, const Oid *types, int count)
{
	for (int i = 0; i < count; i++)
		pa_seed_hash(&functions[i], i, types[i]);
}

/* A run begins anywhere, so that numbers far from each other are spread whatever their distance is. */
static uint32
hash_near(NearHash *last, Datum value)
{
	int64		number = pa_whole_number(last->type, value);
	int64		place = number & (NEAR - 1);
	int64		run = (number - place) / NEAR;

	if (!last->any || run != last->run)
		*last = (NearHash) {last->type, true, run, pa_hash_number(run)};
	return last->hash + (uint32) place;
}

static Datum
near_hash(PG_FUNCTION_ARGS)
{
	return UInt32GetDatum(hash_near(fcinfo->flinfo->fn_extra, PG_GETARG_DATUM(0)));
}

void
pa_hash_near(FmgrInfo *hash, Oid type)
{
	NearHash   *last = palloc(sizeof(NearHash));

	(void) process_secret();		/* which a row would have to draw */
	*last = (NearHash) {type};
	hash->fn_addr = near_hash;
	hash->fn_extra = last;
}
