/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tuple_hash.h
 *		PostgreSQL's hash tables of rows, with a pointer of ours in each entry.
 *
 * The entry has a place for it until 17; since 18 it lies before the row.
 */
#ifndef PA_COMPAT_TUPLE_HASH_H
#define PA_COMPAT_TUPLE_HASH_H

#include "compat/version.h"

#include "executor/executor.h"

/* Entries and keys are kept in one context, what hashing needs is in another. */
static inline TupleHashTable
pa_build_tuple_hash(PlanState *parent, TupleDesc rows, int nkeys, AttrNumber *columns, const Oid *equal,
					FmgrInfo *hashes, Oid *collations, long buckets, MemoryContext kept, MemoryContext scratch)
{
#if PG_VERSION_NUM >= 180000
	return BuildTupleHashTable(parent, rows, NULL, nkeys, columns, equal, hashes, collations,
							   buckets, sizeof(void *), kept, kept, scratch, false);
#else
	return BuildTupleHashTableExt(parent, rows, nkeys, columns, equal, hashes, collations,
								  buckets, 0, kept, kept, scratch, false);
#endif
}

/* NULL in a new entry. */
static inline void **
pa_entry_pointer(TupleHashTable table, TupleHashEntry entry)
{
#if PG_VERSION_NUM >= 180000
	return (void **) TupleHashEntryGetAdditional(table, entry);
#else
	return &entry->additional;
#endif
}

/* How rows of another shape are hashed, to be found. */
#if PG_VERSION_NUM >= 180000
typedef ExprState *PaOtherHash;
#else
typedef FmgrInfo *PaOtherHash;
#endif

static inline PaOtherHash
pa_other_hash(PlanState *parent, TupleDesc rows, const TupleTableSlotOps *slots, int nkeys, AttrNumber *columns,
			  FmgrInfo *hashes, Oid *collations)
{
#if PG_VERSION_NUM >= 180000
	return ExecBuildHash32FromAttrs(rows, slots, hashes, collations, nkeys, columns, parent, 0);
#else
	return hashes;
#endif
}

#endif							/* PA_COMPAT_TUPLE_HASH_H */
