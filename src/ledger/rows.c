/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.c
 *		See rows.h.  Rows travel in a segment of shared memory of their own: a
 *		header, then for each row its table and its values.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "lib/stringinfo.h"
#include "storage/dsm.h"
#include "storage/lmgr.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/resowner.h"

#include "catalog/extension.h"
#include "ledger/rows.h"
#include "ledger/store.h"

static const char *const table_names[PA_ROWS_TABLES] = {
	"question", "owner_key", "answer", "likelihood", "owner_state", "owner_state_at",
	"likelihood_copy", "owner_state_copy", "owner_state_copy_at", "stored_release"
};

typedef struct RowsHeader
{
	int64		policy_id;
	int			after;
	uint32		cleared;		/* bits 1 << PaRowTable */
	int			count;
	Size		length;			/* of all, header included */
} RowsHeader;

struct PaRows
{
	RowsHeader	header;
	StringInfoData data;
};

static Relation
open_table(PaRowTable table, LOCKMODE lock)
{
	return table_open(pa_catalog_relation(table_names[table]), lock);
}

/* --- clients --- */

PaRows *
pa_rows_start(int64 policy_id, int after)
{
	PaRows	   *rows = palloc0(sizeof(PaRows));

	rows->header.policy_id = policy_id;
	rows->header.after = after;
	initStringInfo(&rows->data);
	return rows;
}

void
pa_rows_clear(PaRows *rows, PaRowTable table)
{
	rows->header.cleared |= 1u << table;
}

static void
append_value(StringInfo data, Datum value, bool isnull, Form_pg_attribute attribute)
{
	char	   *end;

	enlargeStringInfo(data, (int) datumEstimateSpace(value, isnull, attribute->attbyval, attribute->attlen));
	end = data->data + data->len;
	datumSerialize(value, isnull, attribute->attbyval, attribute->attlen, &end);
	data->len = (int) (end - data->data);
}

void
pa_rows_add(PaRows *rows, PaRowTable table, const Datum *values, const bool *nulls)
{
	Relation	relation = open_table(table, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(relation);

	appendBinaryStringInfo(&rows->data, (const char *) &table, sizeof(table));
	for (int i = 0; i < desc->natts; i++)
		append_value(&rows->data, values[i], nulls[i], TupleDescAttr(desc, i));
	rows->header.count++;
	table_close(relation, AccessShareLock);
}

Size
pa_rows_length(const PaRows *rows)
{
	return sizeof(RowsHeader) + rows->data.len;
}

static void
share(PaRows *rows, dsm_segment *segment, void (*hand_over) (int64 policy_id, dsm_handle rows))
{
	char	   *address = dsm_segment_address(segment);

	rows->header.length = pa_rows_length(rows);
	memcpy(address, &rows->header, sizeof(RowsHeader));
	memcpy(address + sizeof(RowsHeader), rows->data.data, rows->data.len);
	hand_over(rows->header.policy_id, dsm_segment_handle(segment));
	dsm_detach(segment);
}

static void
discard(PaRows *rows)
{
	pfree(rows->data.data);
	pfree(rows);
}

void
pa_rows_write(PaRows *rows)
{
	share(rows, dsm_create(pa_rows_length(rows), 0), pa_ledger_write_rows);
	discard(rows);
}

/*
 * NULL where there is no shared memory.  What was taken by then belongs to a resource owner of its own, so
 * that there is no need for a subtransaction, which a parallel query could not begin.
 */
static dsm_segment *
try_to_create(Size length)
{
	ResourceOwner caller = CurrentResourceOwner;
	ResourceOwner owner = ResourceOwnerCreate(caller, "privacct rows");
	MemoryContext context = CurrentMemoryContext;
	dsm_segment *volatile segment = NULL;

	CurrentResourceOwner = owner;
	PG_TRY();
	{
		segment = dsm_create(length, DSM_CREATE_NULL_IF_MAXSEGMENTS);
	}
	PG_CATCH();
	{
		CurrentResourceOwner = caller;
		MemoryContextSwitchTo(context);
		if (ERRCODE_TO_CATEGORY(geterrcode()) != ERRCODE_INSUFFICIENT_RESOURCES)
			PG_RE_THROW();
		FlushErrorState();
		segment = NULL;
	}
	PG_END_TRY();
	CurrentResourceOwner = caller;
	if (segment != NULL)
		dsm_pin_mapping(segment);
	ResourceOwnerRelease(owner, RESOURCE_RELEASE_BEFORE_LOCKS, false, false);
	ResourceOwnerDelete(owner);
	return segment;
}

void
pa_rows_offer(PaRows *rows)
{
	dsm_segment *segment = try_to_create(pa_rows_length(rows));

	if (segment != NULL)
	{
		dsm_unpin_mapping(segment);
		share(rows, segment, pa_ledger_offer_rows);
	}
	discard(rows);
}

/* --- the worker --- */

/* A table that rows go to. */
typedef struct Target
{
	Relation	relation;		/* NULL: not opened yet */
	CatalogIndexState indexes;
} Target;

/* As they will be written to: who has read one, and then waits to write, may wait for somebody who rebuilds its indexes. */
static void
lock_tables(void)
{
	for (int table = 0; table < PA_ROWS_TABLES; table++)
		LockRelationOid(pa_catalog_relation(table_names[table]), RowExclusiveLock);
}

/* No CHECK is evaluated here: the rows come from the server's own code. */
static void
insert_row(const Target *target, char **position)
{
	TupleDesc	desc = RelationGetDescr(target->relation);
	Datum	   *values = palloc(sizeof(Datum) * desc->natts);
	bool	   *nulls = palloc(sizeof(bool) * desc->natts);
	HeapTuple	tuple;

	for (int i = 0; i < desc->natts; i++)
		values[i] = datumRestore(position, &nulls[i]);
	tuple = heap_form_tuple(desc, values, nulls);
	CatalogTupleInsertWithInfo(target->relation, tuple, target->indexes);
	heap_freetuple(tuple);
	for (int i = 0; i < desc->natts; i++)
		if (!nulls[i] && !TupleDescAttr(desc, i)->attbyval)
			pfree(DatumGetPointer(values[i]));
	pfree(values);
	pfree(nulls);
}

static Target *
target_of(Target *targets, PaRowTable table)
{
	Target	   *target = &targets[table];

	if (target->relation == NULL)
	{
		target->relation = open_table(table, RowExclusiveLock);
		target->indexes = CatalogOpenIndexes(target->relation);
	}
	return target;
}

static void
close_targets(Target *targets)
{
	for (int table = 0; table < PA_ROWS_TABLES; table++)
		if (targets[table].relation)
		{
			CatalogCloseIndexes(targets[table].indexes);
			table_close(targets[table].relation, RowExclusiveLock);
		}
}

static void
write_all(char *address)
{
	RowsHeader	header;
	char	   *position = address + sizeof(RowsHeader);
	Target		targets[PA_ROWS_TABLES] = {0};

	memcpy(&header, address, sizeof(RowsHeader));
	for (int table = 0; table < PA_ROWS_TABLES; table++)
		if (header.cleared & (1u << table))
			pa_store_clear_rows(table_names[table], header.policy_id);
	for (int i = 0; i < header.count; i++)
	{
		PaRowTable	table;

		memcpy(&table, position, sizeof(table));
		position += sizeof(table);
		insert_row(target_of(targets, table), &position);
	}
	close_targets(targets);
	if (targets[PA_ROWS_STORED_RELEASE].relation)
		pa_store_forget_releases();
	if (targets[PA_ROWS_QUESTION].relation)
		pa_store_count_questions(header.policy_id, header.after + 1);
}

void
pa_store_write_rows(const PaChargeRequest *request, PaChargeAnswer *answer)
{
	dsm_segment *segment = dsm_attach(request->rows);
	RowsHeader	header;

	memset(answer, 0, sizeof(PaChargeAnswer));
	if (segment == NULL)
		elog(ERROR, "the rows to be written are gone");
	memcpy(&header, dsm_segment_address(segment), sizeof(RowsHeader));
	if (header.policy_id != request->policy_id)
		elog(ERROR, "rows to be written belong to another policy");
	lock_tables();
	if (header.after != PA_ROWS_AFTER_ANY && !pa_store_is_last_question(header.policy_id, header.after, &answer->verdict))
	{
		dsm_detach(segment);
		return;
	}
	write_all(dsm_segment_address(segment));
	dsm_detach(segment);
	answer->verdict = PA_VERDICT_CHARGED;
}
