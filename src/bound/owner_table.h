/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_table.h
 *		Contribution bounding: what each owner has in each of at most L0 groups.
 *
 * An owner's groups are chosen by a keyed hash of owner and group: the L0
 * smallest.  The choice depends on the owner's own rows and the policy's secret
 * only, never on other owners or the order of rows: a group that was dropped for
 * a smaller one can never come back, because the bar only sinks.
 *
 * Memory is bounded (privacct.owner_memory).  Once it is used up, rows of owners
 * that are not in the table go to temporary files, partitioned by owner; when the
 * owners in the table are dealt with, it is filled again from one file after the
 * other.  An owner's rows are never in two of these places.
 */
#ifndef PA_OWNER_TABLE_H
#define PA_OWNER_TABLE_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "bound/group_table.h"
#include "bound/owner.h"
#include "bound/sorted_cells.h"
#include "bound/sorted_values.h"

typedef struct PaOwnerTable PaOwnerTable;

/* Bytes that an owner can take for each group. */
extern size_t pa_owners_group_room(const PaStatistics *set);

/* max_groups: L0; owner_type: type of the owner column; set: whose accumulators are kept */
extern PaOwnerTable *pa_owners_create(Oid owner_type, int max_groups, const PaStatistics *set,
									  const uint8 *secret, MemoryContext context);

extern PaOwner pa_owner_of(const PaOwnerTable *table, Datum owner);

/*
 * The accumulators of the owner in the group; NULL if the group is not among the
 * owner's, or, then with *full set, if there is no room for the owner: what the
 * row adds is to be handed to pa_owners_spill().  The two fetches bring into
 * cache what this will touch, so that over a batch of rows the waits for memory
 * overlap.
 */
extern void pa_owners_fetch_entry(const PaOwnerTable *table, const PaOwner *owner);
extern void pa_owners_fetch_groups(const PaOwnerTable *table, const PaOwner *owner);
extern int64 *pa_owners_accumulators(PaOwnerTable *table, const PaOwner *owner, int group,
									 uint64 group_hash, bool *full);
extern void pa_owners_spill(PaOwnerTable *table, const PaOwner *owner, int group, const PaPacked *terms);

/* Where the values of these accumulators are kept. */
extern PaKeptRoom *pa_owners_room(PaOwnerTable *table);

/* Empties the table and fills it from the next file; false if there is none left. */
extern bool pa_owners_refill(PaOwnerTable *table, const PaGroupTable *groups);

/*
 * Adds the bounded contributions of every owner in the table to the groups' totals, to the cells and
 * to the values (NULL: there are none).
 */
extern void pa_owners_contribute(PaOwnerTable *table, PaGroupTable *groups, PaSortedCells *cells, PaSortedValues *values);

/* An owner that is sent to another process; the groups follow. */
typedef struct PaPackedOwner
{
	PaOwner		owner;
	int32		ngroups;
	int32		bytes;			/* of all groups: below PA_MOST_OWNER_BYTES */
} PaPackedOwner;

/* Goes through the owners and appends the next one: *position starts at 0; false at the end. */
extern bool pa_owners_pack(const PaOwnerTable *table, uint64 *position, StringInfo packed);

/* A packed group: its number and terms, by way of scratch, of so many bytes, for its alignment.  Returns its end. */
extern const char *pa_owners_unpack(const PaOwnerTable *table, const char *packed, char *scratch, int *group, PaPacked *terms);
extern size_t pa_owners_scratch(const PaOwnerTable *table);

#endif							/* PA_OWNER_TABLE_H */
