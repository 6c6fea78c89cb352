/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * editions.c
 *		See editions.h.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_inherits.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "catalog/edition.h"
#include "node/digest.h"
#include "node/editions.h"

/* --- public tables --- */

#define CONTENT_WORDS 4

/* The sum of hashes of its rows: the same in whatever order they are read. */
typedef struct Content
{
	uint64		words[CONTENT_WORDS];
	uint64		rows;
} Content;

/* What is hashed of a row, in few pieces: there may be millions of rows, and most are short. */
typedef struct RowImage
{
	PaDigest	begun;			/* by the types of the columns */
	PaDigest	digest;
	Size		used;
	char		bytes[1024];
} RowImage;

static void
begin_image(RowImage *image, TupleDesc desc)
{
	pa_digest_begin(&image->begun, sizeof(uint64) * CONTENT_WORDS);
	for (int i = 0; i < desc->natts; i++)
		pa_digest_number(&image->begun, TupleDescAttr(desc, i)->attisdropped ? InvalidOid : TupleDescAttr(desc, i)->atttypid);
}

static void
put_bytes(RowImage *image, const void *bytes, Size length)
{
	if (image->used + length > sizeof(image->bytes))
	{
		pa_digest_bytes(&image->digest, image->bytes, image->used);
		image->used = 0;
	}
	if (length > sizeof(image->bytes))
		pa_digest_bytes(&image->digest, bytes, length);
	else
	{
		memcpy(image->bytes + image->used, bytes, length);
		image->used += length;
	}
}

/* Whatever follows, no two values are the same bytes. */
static void
put_value(RowImage *image, Form_pg_attribute column, Datum value, bool isnull)
{
	struct varlena *packed;
	Size		length;

	put_bytes(image, &isnull, sizeof(isnull));
	if (isnull)
		return;
	if (column->attbyval)
		put_bytes(image, &value, sizeof(value));
	else if (column->attlen == -1)
	{
		packed = PG_DETOAST_DATUM_PACKED(value);
		length = VARSIZE_ANY_EXHDR(packed);
		put_bytes(image, &length, sizeof(length));
		put_bytes(image, VARDATA_ANY(packed), length);
	}
	else
		put_bytes(image, DatumGetPointer(value), datumGetSize(value, false, column->attlen));
}

static void
add_row(Content *content, RowImage *image, TupleTableSlot *slot)
{
	TupleDesc	desc = slot->tts_tupleDescriptor;
	uint64		words[CONTENT_WORDS];

	slot_getallattrs(slot);
	image->digest = image->begun;
	image->used = 0;
	for (int i = 0; i < desc->natts; i++)
		if (!TupleDescAttr(desc, i)->attisdropped)
			put_value(image, TupleDescAttr(desc, i), slot->tts_values[i], slot->tts_isnull[i]);
	pa_digest_bytes(&image->digest, image->bytes, image->used);
	pa_digest_end(&image->digest, (unsigned char *) words, sizeof(words));
	for (int i = 0; i < CONTENT_WORDS; i++)
		content->words[i] += words[i];
	content->rows++;
}

static void
add_rows(Content *content, Relation rel, Snapshot snapshot)
{
	MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext, "privacct public row", ALLOCSET_SMALL_SIZES);
	TupleTableSlot *slot = table_slot_create(rel, NULL);
	TableScanDesc scan = table_beginscan(rel, snapshot, 0, NULL);
	RowImage	image;

	begin_image(&image, RelationGetDescr(rel));
	while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		MemoryContext caller = MemoryContextSwitchTo(row_context);

		CHECK_FOR_INTERRUPTS();
		add_row(content, &image, slot);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(row_context);
	}
	table_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	MemoryContextDelete(row_context);
}

/* False if others can change what it stands for. */
static bool
take_content(Content *content, Oid relation, Snapshot snapshot)
{
	List	   *members = find_all_inheritors(relation, AccessShareLock, NULL);
	bool		is_ours = true;
	ListCell   *cell;

	foreach(cell, members)
	{
		Relation	rel = table_open(lfirst_oid(cell), NoLock);

		if (rel->rd_rel->relkind == RELKIND_RELATION || rel->rd_rel->relkind == RELKIND_MATVIEW)
			add_rows(content, rel, snapshot);
		else if (rel->rd_rel->relkind != RELKIND_PARTITIONED_TABLE)
			is_ours = false;
		table_close(rel, NoLock);
	}
	list_free(members);
	return is_ours;
}

/* In numbers that no edition has: those are above 0. */
static List *
add_content(List *editions, Oid relation, const Content *content)
{
	uint64		hash[2];
	PaDigest	digest;

	pa_digest_begin(&digest, sizeof(hash));
	pa_digest_number(&digest, relation);
	pa_digest_bytes(&digest, content, sizeof(*content));
	pa_digest_end(&digest, (unsigned char *) hash, sizeof(hash));
	for (int i = 0; i < lengthof(hash); i++)
	{
		int64	   *number = palloc(sizeof(int64));

		*number = (int64) (hash[i] | UINT64CONST(1) << 63);
		editions = lappend(editions, number);
	}
	return editions;
}

static List *
add_public_tables(List *editions, const PaLeafSpec *spec, Snapshot snapshot)
{
	for (int i = 0; i < spec->npublic; i++)
	{
		Content		content = {0};

		if (!take_content(&content, spec->public_tables[i], snapshot))
			return NIL;
		editions = add_content(editions, spec->public_tables[i], &content);
	}
	return editions;
}

/* --- all --- */

List *
pa_editions_seen(const PaRelease *release, Snapshot snapshot)
{
	List	   *editions = NIL;

	if (!release->policy->repeats_unchanged || release->spec->npublic < 0)
		return NIL;
	for (int i = 0; i < release->spec->ntables; i++)
	{
		int64	   *edition = palloc(sizeof(int64));

		*edition = pa_edition_seen(release->policies[i], snapshot);
		if (*edition == 0)
			return NIL;
		editions = lappend(editions, edition);
	}
	return add_public_tables(editions, release->spec, snapshot);
}

bool
pa_same_editions(List *a, List *b)
{
	ListCell   *first;
	ListCell   *second;

	if (a == NIL || list_length(a) != list_length(b))
		return false;
	forboth(first, a, second, b)
		if (*(int64 *) lfirst(first) != *(int64 *) lfirst(second))
			return false;
	return true;
}
