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

#include "fmgr.h"

/*
 * Replaces count hash functions, of values of these types, by ones with a secret of
 * this process; values that are equal across types keep one hash.
 */
extern void pa_seed_hashes(FmgrInfo *hashes, const Oid *types, int count);

/* Whether values of the type are whole numbers: equal, in whatever width, if their numbers are. */
extern bool pa_is_whole_number(Oid type);
extern int64 pa_whole_number(Oid type, Datum value);

/* By the same secret; what pa_seed_hashes() gives a whole number. */
extern uint32 pa_hash_number(int64 number);

/*
 * A hash of whole numbers with the same secret that gives those which follow each other hashes that do, in runs of
 * PA_NEAR: rows that come in the order of their keys are found where the last one was, not all over a large table.
 */
#define PA_NEAR 64

typedef struct PaNearHash
{
	Oid			type;
	bool		any;			/* there was a number: */
	int64		run;			/* the run of the last one, */
	uint32		hash;			/* and the hash of its first number */
} PaNearHash;

extern uint32 pa_near_hash(PaNearHash *last, Datum number);

/* Replaces the hash function of the type by this one. */
extern void pa_hash_near(FmgrInfo *hash, Oid type);

#endif							/* PA_SEEDED_HASH_H */
