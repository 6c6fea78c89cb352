/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_index.h
 *		Whose rows a table has, read from one of its indexes.
 *
 * Where it is no secret who is in a table, it may be looked at before a charge, and
 * for nothing.  But the table itself tells more: what it takes to read it follows
 * from how wide its rows are.  So an index is read that holds nothing but owners
 * and public columns, and rows only of owners of whom it is asked whether they are
 * still there.  An index has more entries where rows were updated that had no room
 * on their page, so how long it takes is not shown either (delay.h).
 */
#ifndef PA_OWNER_INDEX_H
#define PA_OWNER_INDEX_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "utils/snapshot.h"

#include "catalog/policy.h"

typedef struct PaOwnerIndex PaOwnerIndex;

/* The policy's tables with rows of their own; locked. */
extern List *pa_owner_tables(const PaPolicy *policy);

/*
 * Opens an index of one of them; NULL if none holds at least the owner and nothing
 * but the owner and public columns.  With an owner: theirs alone.
 */
extern PaOwnerIndex *pa_owner_index_open(const PaPolicy *policy, Oid relation, const Datum *owner, Snapshot snapshot);
extern void pa_owner_index_close(PaOwnerIndex *index);

/* Whether owners come in the order of their type, in either direction. */
extern bool pa_owner_index_is_ordered(const PaOwnerIndex *index);

/*
 * The owner of the next entry, which may be of a row that is gone; valid until the
 * next call.  Entries without an owner are passed over.
 */
extern bool pa_owner_index_next(PaOwnerIndex *index, Datum *owner);

/* Whether the snapshot sees the row of the entry that came last. */
extern bool pa_owner_index_sees_row(PaOwnerIndex *index);

#endif							/* PA_OWNER_INDEX_H */
