/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seeded_hash.h
 *		Hash functions for keys that an asker chooses.
 *
 * PostgreSQL's own can be computed by anybody, and values be chosen that all
 * have one hash: then each look-up goes through all of them.  These have a secret.
 */
#ifndef PA_SEEDED_HASH_H
#define PA_SEEDED_HASH_H

#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"

/*
 * Replaces the hash function of the type, at a place among the keys from 0, by one with a
 * secret of this process and the place; values that are equal across types keep one hash at a place.
 */
extern void pa_seed_hash(FmgrInfo *function, int place, Oid type);

/* Those of as many places. */
extern void pa_seed_hashes(FmgrInfo *functions, const Oid *types, int count);

/* Whether values of the type are whole numbers: equal, in whatever width, if their numbers are. */
extern bool pa_is_whole_number(Oid type);

static inline int64
pa_whole_number(Oid type, Datum value)
{
	switch (type)
	{
		case INT2OID:
			return DatumGetInt16(value);
		case INT4OID:
		case DATEOID:
			return DatumGetInt32(value);
		default:
			return DatumGetInt64(value);
	}
}

/* Of one key that is a whole number, by a secret of this process. */
extern uint32 pa_hash_number(int64 number);

/*
 * Replaces the hash function of the type, a whole number, by one with the same secret that gives those which follow
 * each other hashes that do, in runs of 64: rows that come in the order of their keys are found where the last one
 * was, not all over a large table.
 */
extern void pa_hash_near(FmgrInfo *hash, Oid type);

#endif							/* PA_SEEDED_HASH_H */
