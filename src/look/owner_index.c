/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_index.c
 *		See owner_index.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/transam.h"
#include "access/tableam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat/executor.h"
#include "look/owner_index.h"

struct PaOwnerIndex
{
	Relation	table;
	Relation	index;
	int			column;			/* of the index: the owner, from 1 */
	IndexScanDesc scan;
	TupleTableSlot *slot;
	MemoryContext owner_context;	/* of the owner that came last */
};

List *
pa_owner_tables(const PaPolicy *policy)
{
	List	   *tables = NIL;
	ListCell   *cell;

	foreach(cell, find_all_inheritors(policy->relation, AccessShareLock, NULL))
		if (get_rel_relkind(lfirst_oid(cell)) == RELKIND_RELATION)
			tables = lappend_oid(tables, lfirst_oid(cell));
	return tables;
}

/* --- which index --- */

/* The column of the table, or of a partition with columns in another order, as the root numbers it. */
static AttrNumber
number_in_root(const PaPolicy *policy, Oid table, AttrNumber column)
{
	return table == policy->relation ? column : get_attnum(policy->relation, get_attname(table, column, false));
}

/*
 * Has an entry for each row that the snapshot may see.  PostgreSQL's own planner asks
 * for the age only of indexes that found rows updated in their place (indcheckxmin),
 * but a refusal must not tell whether there were such.
 */
static bool
is_complete(Relation index)
{
	Form_pg_index form = index->rd_index;

	return form->indisvalid && RelationGetIndexPredicate(index) == NIL &&
		TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data), TransactionXmin);
}

/* Equal for the index are only equal owners. */
static bool
tells_owners_apart(Relation index, int column)
{
	Oid			collation = index->rd_indcollation[column - 1];

	return index->rd_opfamily[column - 1] < FirstNormalObjectId &&
		(!OidIsValid(collation) || get_collation_isdeterministic(collation));
}

/* The index's column with the owner; 0 if there is none, or one that is not public. */
static int
owner_column(const PaPolicy *policy, Oid table, Relation index)
{
	Form_pg_index form = index->rd_index;
	int			owner = 0;

	if (index->rd_rel->relkind != RELKIND_INDEX || index->rd_rel->relam != BTREE_AM_OID || !is_complete(index))
		return 0;
	for (int i = 0; i < form->indnatts; i++)
	{
		AttrNumber	column = form->indkey.values[i];

		if (column <= 0)
			return 0;			/* an expression */
		column = number_in_root(policy, table, column);
		if (column == policy->owner_attnum)
			owner = i < form->indnkeyatts && owner == 0 ? i + 1 : owner;
		else if (!list_member_int(policy->public_columns, column))
			return 0;
	}
	return owner > 0 && tells_owners_apart(index, owner) ? owner : 0;
}

/*
 * Opens one, rather one that is ordered by owner; NULL if there is none.  All are
 * locked before one is looked at: it must not change from then on.
 */
static Relation
choose_index(const PaPolicy *policy, Relation table, int *column)
{
	List	   *numbers = RelationGetIndexList(table);
	List	   *indexes = NIL;
	Relation	chosen = NULL;
	ListCell   *cell;

	foreach(cell, numbers)
		indexes = lappend(indexes, index_open(lfirst_oid(cell), AccessShareLock));
	foreach(cell, indexes)
	{
		int			owner = owner_column(policy, RelationGetRelid(table), lfirst(cell));

		if (owner > 0 && (chosen == NULL || owner < *column))
		{
			chosen = lfirst(cell);
			*column = owner;
		}
	}
	foreach(cell, indexes)
		if (lfirst(cell) != chosen)
			index_close((Relation) lfirst(cell), NoLock);
	list_free(numbers);
	list_free(indexes);
	return chosen;
}

/* --- reading it --- */

static void
set_key(ScanKey key, Relation index, int column, Datum owner)
{
	Oid			type = index->rd_opcintype[column - 1];
	Oid			equals = get_opfamily_member(index->rd_opfamily[column - 1], type, type, BTEqualStrategyNumber);

	ScanKeyEntryInitialize(key, 0, column, BTEqualStrategyNumber, InvalidOid, index->rd_indcollation[column - 1],
						   get_opcode(equals), owner);
}

PaOwnerIndex *
pa_owner_index_open(const PaPolicy *policy, Oid relation, const Datum *owner, Snapshot snapshot)
{
	Relation	table;
	int			column = 0;
	Relation	chosen;
	PaOwnerIndex *index;
	ScanKeyData key;

	table = table_open(relation, AccessShareLock);
	chosen = choose_index(policy, table, &column);
	if (chosen == NULL)
	{
		table_close(table, NoLock);
		return NULL;
	}
	index = palloc0(sizeof(PaOwnerIndex));
	index->table = table;
	index->index = chosen;
	index->column = column;
	index->slot = table_slot_create(table, NULL);
	index->owner_context = AllocSetContextCreate(CurrentMemoryContext, "privacct owner", ALLOCSET_SMALL_SIZES);
	index->scan = pa_begin_index_scan(table, index->index, snapshot, owner ? 1 : 0);
	index->scan->xs_want_itup = true;
	if (owner)
		set_key(&key, index->index, index->column, *owner);
	index_rescan(index->scan, owner ? &key : NULL, owner ? 1 : 0, NULL, 0);
	return index;
}

void
pa_owner_index_close(PaOwnerIndex *index)
{
	index_endscan(index->scan);
	ExecDropSingleTupleTableSlot(index->slot);
	MemoryContextDelete(index->owner_context);
	index_close(index->index, NoLock);
	table_close(index->table, NoLock);
	pfree(index);
}

bool
pa_owner_index_is_ordered(const PaOwnerIndex *index)
{
	return index->column == 1;
}

/* An index may compress what the table has as it is. */
static Datum
plain_value(const PaOwnerIndex *index, Datum value)
{
	MemoryContext caller;

	if (TupleDescAttr(index->scan->xs_itupdesc, index->column - 1)->attlen != -1)
		return value;
	MemoryContextReset(index->owner_context);
	caller = MemoryContextSwitchTo(index->owner_context);
	value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
	MemoryContextSwitchTo(caller);
	return value;
}

bool
pa_owner_index_next(PaOwnerIndex *index, Datum *owner)
{
	while (index_getnext_tid(index->scan, ForwardScanDirection) != NULL)
	{
		bool		isnull;
		Datum		value = index_getattr(index->scan->xs_itup, index->column, index->scan->xs_itupdesc, &isnull);

		CHECK_FOR_INTERRUPTS();
		if (isnull)
			continue;
		*owner = plain_value(index, value);
		return true;
	}
	return false;
}

bool
pa_owner_index_sees_row(PaOwnerIndex *index)
{
	bool		seen = index_fetch_heap(index->scan, index->slot);

	ExecClearTuple(index->slot);
	return seen;
}
