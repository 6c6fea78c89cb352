/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seeded_hash.c
 *		See seeded_hash.h.
 *
 * Most types have an extended hash function that mixes a seed into every step.
 * That of 64-bit integers, and of what is stored as one, folds the value before:
 * these are hashed by SipHash.
 */
#include "postgres.h"

#include <sodium.h>

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/typcache.h"

#include "lookup/seeded_hash.h"

typedef struct Seed
{
	unsigned char key[crypto_shorthash_KEYBYTES];
	uint64		number;
} Seed;

typedef struct SeededHash
{
	uint64		number;			/* the secret */
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
static const Seed *
process_seed(void)
{
	static Seed seed;
	static int	owner = 0;

	if (owner != MyProcPid && !pg_strong_random(&seed, sizeof(seed)))
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("could not generate random bits"));
	owner = MyProcPid;
	return &seed;
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

static uint32
fold(uint64 hash)
{
	return (uint32) (hash ^ (hash >> 32));
}

uint32
pa_hash_number(int64 number)
{
	uint64		result;

	crypto_shorthash_siphash24((unsigned char *) &result, (unsigned char *) &number, sizeof(number), process_seed()->key);
	return fold(result);
}

static Datum
seeded_hash(PG_FUNCTION_ARGS)
{
	const SeededHash *hash = fcinfo->flinfo->fn_extra;

	if (pa_is_whole_number(hash->type))
		return UInt32GetDatum(pa_hash_number(pa_whole_number(hash->type, PG_GETARG_DATUM(0))));
	return UInt32GetDatum(fold(DatumGetUInt64(FunctionCall2Coll(hash->extended, PG_GET_COLLATION(), PG_GETARG_DATUM(0),
																UInt64GetDatum(hash->number)))));
}

void
pa_seed_hashes(FmgrInfo *hashes, const Oid *types, int count)
{
	for (int i = 0; i < count; i++)
	{
		SeededHash *hash = palloc(sizeof(SeededHash));
		TypeCacheEntry *type = lookup_type_cache(types[i], TYPECACHE_HASH_EXTENDED_PROC_FINFO);

		if (!OidIsValid(type->hash_extended_proc))
			elog(ERROR, "type %u has no extended hash function", types[i]);
		*hash = (SeededHash) {process_seed()->number, types[i], &type->hash_extended_proc_finfo};
		hashes[i].fn_addr = seeded_hash;
		hashes[i].fn_extra = hash;
	}
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

	(void) process_seed();		/* which a row would have to draw */
	*last = (NearHash) {type};
	hash->fn_addr = near_hash;
	hash->fn_extra = last;
}
