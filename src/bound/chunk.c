/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chunk.c
 *		See chunk.h.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "compat/version.h"
#include "bound/chunk.h"

#define CHUNK_BYTES (32 * 1024)

typedef enum ChunkKind
{
	CHUNK_GROUPS,
	CHUNK_CELLS,
	CHUNK_VALUES,
	CHUNK_OWNERS
} ChunkKind;

typedef struct ChunkHeader
{
	int32		process;
	int32		kind;
} ChunkHeader;

/* --- writing --- */

static void
start_chunk(StringInfo chunk, int process, ChunkKind kind)
{
	ChunkHeader header = {process, kind};

	initStringInfo(chunk);
	appendStringInfoSpaces(chunk, VARHDRSZ);
	appendBinaryStringInfo(chunk, (char *) &header, sizeof(header));
}

static bytea *
finish_chunk(StringInfo chunk)
{
	SET_VARSIZE(chunk->data, chunk->len);
	return (bytea *) chunk->data;
}

/* Accumulators that a group has by itself */
static size_t
direct_size(const PaStatistics *set)
{
	return set->one_row ? sizeof(int64) * set->naccumulators : 0;
}

/* A group: its accumulators, the length of its row and the row (0 without keys). */
static void
write_group(StringInfo chunk, const PaReader *reader, const PaGroup *group)
{
	uint32		length = group->row ? group->row->t_len : 0;

	if (group->direct)
		appendBinaryStringInfo(chunk, (char *) group->direct, direct_size(reader->set));
	appendBinaryStringInfo(chunk, (char *) &length, sizeof(length));
	if (length > 0)
		appendBinaryStringInfo(chunk, (char *) group->row, length);
}

static bytea *
write_cells(PaChunkWriter *writer, const PaGroupRun *first)
{
	StringInfoData chunk;
	PaGroupRun	run = *first;

	start_chunk(&chunk, writer->process, CHUNK_CELLS);
	do
		appendBinaryStringInfo(&chunk, (char *) &run, sizeof(run));
	while (chunk.len < CHUNK_BYTES && pa_sorted_cells_next(writer->reader->cells, &run));
	return finish_chunk(&chunk);
}

static bytea *
write_values(PaChunkWriter *writer, const PaOwnedValue *first)
{
	StringInfoData chunk;
	PaOwnedValue value = *first;

	start_chunk(&chunk, writer->process, CHUNK_VALUES);
	do
		appendBinaryStringInfo(&chunk, (char *) &value, sizeof(value));
	while (chunk.len < CHUNK_BYTES && pa_sorted_values_next(writer->reader->values, &value));
	return finish_chunk(&chunk);
}

/* Owners of the table, then of one refill after the other. */
static bool
write_owner(PaChunkWriter *writer, StringInfo chunk)
{
	PaOwnerTable *owners = writer->reader->owners;

	if (owners == NULL)
		return false;
	while (!pa_owners_pack(owners, &writer->next_owner, chunk))
	{
		if (!pa_owners_refill(owners, writer->reader->groups))
			return false;
		writer->next_owner = 0;
	}
	return true;
}

bytea *
pa_chunk_write(PaChunkWriter *writer)
{
	const PaReader *reader = writer->reader;
	StringInfoData chunk;
	PaGroupRun	run;
	PaOwnedValue value;

	if (writer->next_group < pa_groups_count(reader->groups))
	{
		start_chunk(&chunk, writer->process, CHUNK_GROUPS);
		while (chunk.len < CHUNK_BYTES && writer->next_group < pa_groups_count(reader->groups))
			write_group(&chunk, reader, pa_groups_get(reader->groups, writer->next_group++));
		return finish_chunk(&chunk);
	}
	if (reader->cells && pa_sorted_cells_next(reader->cells, &run))
		return write_cells(writer, &run);
	if (reader->values && pa_sorted_values_next(reader->values, &value))
		return write_values(writer, &value);
	start_chunk(&chunk, writer->process, CHUNK_OWNERS);
	if (!write_owner(writer, &chunk))
		return NULL;
	while (chunk.len < CHUNK_BYTES && write_owner(writer, &chunk))
		;
	return finish_chunk(&chunk);
}

/* --- reading --- */

static void
take(const char **data, void *target, size_t size)
{
	memcpy(target, *data, size);
	*data += size;
}

/* Number of the leader's group with the keys of the row; -1 if it has none. */
static int
find_group(PaChunkReader *reader, const char *row, uint32 length)
{
	MinimalTuple tuple;

	if (length == 0)
		return 0;
	tuple = palloc(length);
	memcpy(tuple, row, length);
	ExecStoreMinimalTuple(tuple, reader->row, true);
	slot_getallattrs(reader->row);
	return pa_groups_find(reader->reader->groups, reader->row);
}

static void
remember_group(PaChunkReader *reader, int process, int number)
{
	int			count = reader->counts[process]++;

	if (count == 0)
		reader->numbers[process] = palloc(sizeof(int) * 64);
	else if (count >= 64 && (count & (count - 1)) == 0)
		reader->numbers[process] = repalloc_huge(reader->numbers[process], sizeof(int) * 2 * (size_t) count);
	reader->numbers[process][count] = number;
}

static void
read_groups(PaChunkReader *reader, int process, const char *data, const char *end)
{
	const PaStatistics *set = reader->reader->set;
	int64	   *accumulators = palloc(sizeof(int64) * (set->naccumulators + 1));
	PaPacked	terms = {accumulators, NULL};	/* the values of orders are sent as cells */

	while (data < end)
	{
		uint32		length;
		int			number;

		take(&data, accumulators, direct_size(set));
		take(&data, &length, sizeof(length));
		number = find_group(reader, data, length);
		data += length;
		remember_group(reader, process, number);
		if (number >= 0 && set->one_row)
			pa_statistics_merge(set, pa_groups_get(reader->reader->groups, number)->direct, &terms, NULL);
	}
	pfree(accumulators);
}

static void
read_cells(PaChunkReader *reader, int process, const char *data, const char *end)
{
	CHECK_FOR_INTERRUPTS();
	while (data < end)
	{
		PaGroupRun	run;

		take(&data, &run, sizeof(run));
		run.group = reader->numbers[process][run.group];
		if (run.group >= 0)
			pa_sorted_cells_add_run(reader->reader->cells, &run);
	}
}

static void
read_values(PaChunkReader *reader, int process, const char *data, const char *end)
{
	CHECK_FOR_INTERRUPTS();
	while (data < end)
	{
		PaOwnedValue value;

		take(&data, &value, sizeof(value));
		value.group = reader->numbers[process][value.group];
		if (value.group >= 0)
			pa_sorted_values_add(reader->reader->values, &value);
	}
}

static void
read_owner_group(PaChunkReader *reader, const PaOwner *owner, int number, const PaPacked *terms)
{
	PaOwnerTable *owners = reader->reader->owners;
	int64	   *accumulators;
	bool		full;

	if (number < 0)
		return;
	accumulators = pa_owners_accumulators(owners, owner, number, pa_groups_get(reader->reader->groups, number)->hash, &full);
	if (full)
		pa_owners_spill(owners, owner, number, terms);
	else if (accumulators)
		pa_statistics_merge(reader->reader->set, accumulators, terms, pa_owners_room(owners));
}

/* An owner in the chunk. */
typedef struct SentOwner
{
	PaPackedOwner head;
	const char *groups;
} SentOwner;

static void
merge_owners(PaChunkReader *reader, int process, const SentOwner *owners, int count, char *scratch)
{
	PaOwnerTable *table = reader->reader->owners;

	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < count; i++)
		pa_owners_fetch_groups(table, &owners[i].head.owner);
	for (int i = 0; i < count; i++)
	{
		const char *groups = owners[i].groups;

		for (int j = 0; j < owners[i].head.ngroups; j++)
		{
			int			group;
			PaPacked	terms;

			groups = pa_owners_unpack(table, groups, scratch, &group, &terms);
			read_owner_group(reader, &owners[i].head.owner, reader->numbers[process][group], &terms);
		}
	}
}

/* In batches, so that the waits for memory overlap. */
static void
read_owners(PaChunkReader *reader, int process, const char *data, const char *end)
{
	PaOwnerTable *table = reader->reader->owners;
	char	   *scratch = palloc(pa_owners_scratch(table));
	SentOwner	owners[64];

	while (data < end)
	{
		int			count = 0;

		while (data < end && count < lengthof(owners))
		{
			SentOwner  *sent = &owners[count++];

			take(&data, &sent->head, sizeof(sent->head));
			sent->groups = data;
			data += sent->head.bytes;
			pa_owners_fetch_entry(table, &sent->head.owner);
		}
		merge_owners(reader, process, owners, count, scratch);
	}
	pfree(scratch);
}

void
pa_chunk_read(PaChunkReader *reader, const bytea *chunk)
{
	const char *data = VARDATA_ANY(chunk);
	const char *end = data + VARSIZE_ANY_EXHDR(chunk);
	ChunkHeader header;

	take(&data, &header, sizeof(header));
	if (header.process < 0 || header.process >= reader->nprocesses)
		elog(ERROR, "unexpected process %d in a parallel release", header.process);
	switch ((ChunkKind) header.kind)
	{
		case CHUNK_GROUPS:
			read_groups(reader, header.process, data, end);
			break;
		case CHUNK_CELLS:
			read_cells(reader, header.process, data, end);
			break;
		case CHUNK_VALUES:
			read_values(reader, header.process, data, end);
			break;
		case CHUNK_OWNERS:
			read_owners(reader, header.process, data, end);
			break;
	}
}
