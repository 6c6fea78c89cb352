/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_table.c
 *		See owner_table.h.  Open addressing over small entries; an owner's first groups
 *		lie together in one block, so that a row touches two or three cache lines: first
 *		what a group is found by, then what the owner has in each.  More groups are in
 *		more blocks, each twice as large as the one before, up to a limit: a row takes the
 *		memory of one at most, and copies nothing.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/pg_list.h"
#include "storage/buffile.h"
#include "utils/memutils.h"
#include "utils/uuid.h"

#include "compat/version.h"
#include "bound/distinct.h"
#include "bound/order.h"
#include "bound/owner_table.h"
#include "catalog/owner_key.h"
#include "settings.h"

#define SPILL_BITS 4
#define SPILL_FILES (1 << SPILL_BITS)
#define FIRST_ENTRIES 1024
#define FIRST_GROUPS 4			/* of an owner's first block ... */
#define MOST_GROUPS 64			/* ... and of any */

#define FETCHED_LINES 16		/* of an owner's groups, at most: fetching is no work that grows with them */

/* Of one group of one owner, what is looked through for each row */
typedef struct OwnerChoice
{
	uint64		rank;			/* smaller is kept */
	int64		group;
} OwnerChoice;

/* What the owner has in it; the set's accumulators follow. */
typedef struct OwnerGroup
{
	int64		group;
	int64		accumulators[FLEXIBLE_ARRAY_MEMBER];
} OwnerGroup;

typedef struct OwnerBlock
{
	struct OwnerBlock *next;
	uint32		ngroups;
	uint32		capacity;
	OwnerChoice choices[FLEXIBLE_ARRAY_MEMBER]; /* as many as there is room for, then as many OwnerGroups */
} OwnerBlock;

typedef struct OwnerEntry
{
	PaHash128	key;
	OwnerBlock *first;			/* NULL: the entry is free */
	uint32		ngroups;		/* in all blocks */
} OwnerEntry;

struct PaOwnerTable
{
	Oid			type;
	uint32		max_groups;
	const PaStatistics *set;
	size_t		group_size;		/* bytes of an OwnerGroup */
	bool		has_orders;		/* groups refer to values */
	const uint8 *secret;
	uint64		seed;
	MemoryContext context;
	PaKeptRoom	room;			/* of blocks, and the values of their groups; counts entries, too */
	uint32		first_groups;	/* room in each owner's first block */
	OwnerEntry *entries;
	uint64		mask;			/* number of entries - 1 */
	uint64		count;
	uint64		last;			/* entry of the last owner: rows often come in runs */
	int			level;			/* which bits of the hash choose the file */
	BufFile    *files[SPILL_FILES]; /* being written; NULL: none yet */
	List	   *pending;		/* of PendingFile: to be read */
};

/* A file of rows whose owners found no room, and the level it was split at. */
typedef struct PendingFile
{
	BufFile    *file;
	int			level;
} PendingFile;

typedef struct SpilledRow
{
	PaOwner		owner;
	int64		group;
	int64		terms[FLEXIBLE_ARRAY_MEMBER];
} SpilledRow;

static void
start_empty(PaOwnerTable *table)
{
	table->mask = FIRST_ENTRIES - 1;
	table->entries = MemoryContextAllocZero(table->context, sizeof(OwnerEntry) * FIRST_ENTRIES);
	table->count = table->last = 0;
	table->room.used = sizeof(OwnerEntry) * FIRST_ENTRIES;
}

PaOwnerTable *
pa_owners_create(Oid owner_type, int max_groups, const PaStatistics *set,
				 const uint8 *secret, MemoryContext context)
{
	PaOwnerTable *table = MemoryContextAllocZero(context, sizeof(PaOwnerTable));

	table->type = owner_type;
	table->max_groups = max_groups;
	table->set = set;
	table->group_size = offsetof(OwnerGroup, accumulators) + sizeof(int64) * set->naccumulators;
	table->has_orders = pa_has_orders(set);
	table->secret = secret;
	memcpy(&table->seed, secret + sizeof(uint64), sizeof(uint64));
	table->context = context;
	table->first_groups = Min(max_groups, FIRST_GROUPS);
	table->room.context = GenerationContextCreate(context, "owners' groups", 64 * 1024, 64 * 1024, 8 * 1024 * 1024);
	start_empty(table);
	return table;
}

static PaHash128
owner_key(const PaOwnerTable *table, Datum owner)
{
	PaHash128	key = {0, 0};

	switch (pa_owner_key(table->type))
	{
		case PA_OWNER_KEY_INTEGER:
			key.low = pa_owner_integer(table->type, owner);
			return key;
		case PA_OWNER_KEY_UUID:
			memcpy(&key, DatumGetUUIDP(owner)->data, UUID_LEN);
			return key;
		case PA_OWNER_KEY_TEXT:
			{
				struct varlena *text = PG_DETOAST_DATUM_PACKED(owner);

				key = pa_keyed_hash128(table->secret, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));
				if ((Pointer) text != DatumGetPointer(owner))
					pfree(text);
				return key;
			}
		case PA_OWNER_KEY_NONE:
			break;
	}
	elog(ERROR, "type %u has no keys of owners", table->type);
}

static inline uint64
key_hash(const PaOwnerTable *table, PaHash128 key)
{
	return pa_mix64(key.low ^ table->seed) ^ pa_mix64(key.high + table->seed);
}

/* Bijective in the group's hash for a fixed owner: no two groups of an owner tie. */
static inline uint64
rank_of(uint64 owner_hash, uint64 group_hash)
{
	return pa_mix64(owner_hash ^ group_hash);
}

static inline bool
same_key(PaHash128 a, PaHash128 b)
{
	return a.low == b.low && a.high == b.high;
}

static void
grow(PaOwnerTable *table)
{
	OwnerEntry *old = table->entries;
	uint64		old_size = table->mask + 1;

	CHECK_FOR_INTERRUPTS();
	table->mask = old_size * 2 - 1;
	table->entries = MemoryContextAllocExtended(table->context, sizeof(OwnerEntry) * (table->mask + 1),
												MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (uint64 i = 0; i < old_size; i++)
		if (old[i].first)
		{
			uint64		position = key_hash(table, old[i].key) & table->mask;

			while (table->entries[position].first)
				position = (position + 1) & table->mask;
			table->entries[position] = old[i];
		}
	pfree(old);
	table->last = 0;
	table->room.used += old_size * sizeof(OwnerEntry);
}

/* There is always room for one owner: a refill makes progress. */
static inline bool
is_full(const PaOwnerTable *table)
{
	return table->room.used > (size_t) pa_owner_memory * 1024 && table->count > 0;
}

static OwnerBlock *
make_block(PaOwnerTable *table, uint32 capacity)
{
	size_t		size = offsetof(OwnerBlock, choices) + capacity * (sizeof(OwnerChoice) + table->group_size);
	OwnerBlock *block = MemoryContextAlloc(table->room.context, size);

	table->room.used += size;
	*block = (OwnerBlock) {.capacity = capacity};
	return block;
}

/* NULL if the owner is not in the table and finds no room. */
static OwnerEntry *
find_owner(PaOwnerTable *table, PaHash128 key, uint64 hash)
{
	uint64		position;
	OwnerEntry *entry = &table->entries[table->last];

	if (entry->first && same_key(entry->key, key))
		return entry;
	if (table->count * 2 > table->mask && !is_full(table))
		grow(table);
	for (position = hash & table->mask; table->entries[position].first;
		 position = (position + 1) & table->mask)
		if (same_key(table->entries[position].key, key))
			break;
	entry = &table->entries[position];
	if (entry->first == NULL)
	{
		if (is_full(table))
			return NULL;
		entry->key = key;
		entry->first = make_block(table, table->first_groups);
		table->count++;
	}
	table->last = position;
	return entry;
}

static inline OwnerGroup *
group_at(const PaOwnerTable *table, const OwnerBlock *block, uint32 i)
{
	return (OwnerGroup *) ((char *) (block->choices + block->capacity) + i * table->group_size);
}

static OwnerGroup *
append_group(PaOwnerTable *table, OwnerEntry *entry, OwnerBlock *last, OwnerChoice choice)
{
	OwnerGroup *group;

	if (last->ngroups == last->capacity)
		last = last->next = make_block(table, Min(Min(2 * last->capacity, MOST_GROUPS), table->max_groups - entry->ngroups));
	last->choices[last->ngroups] = choice;
	group = group_at(table, last, last->ngroups++);
	group->group = choice.group;
	memset(group->accumulators, 0, sizeof(int64) * table->set->naccumulators);
	entry->ngroups++;
	return group;
}

/* The owner's group of largest rank gives way if the new one ranks lower. */
static OwnerGroup *
replace_group(const PaOwnerTable *table, OwnerEntry *entry, OwnerChoice choice)
{
	OwnerBlock *worst = entry->first;
	uint32		at = 0;
	OwnerGroup *group;

	for (OwnerBlock *block = entry->first; block; block = block->next)
		for (uint32 i = 0; i < block->ngroups; i++)
			if (block->choices[i].rank > worst->choices[at].rank)
			{
				worst = block;
				at = i;
			}
	if (choice.rank >= worst->choices[at].rank)
		return NULL;
	worst->choices[at] = choice;
	group = group_at(table, worst, at);
	group->group = choice.group;
	pa_statistics_clear(table->set, group->accumulators);
	return group;
}

PaOwner
pa_owner_of(const PaOwnerTable *table, Datum owner)
{
	PaHash128	key = owner_key(table, owner);

	return (PaOwner) {key, key_hash(table, key)};
}

void
pa_owners_fetch_entry(const PaOwnerTable *table, const PaOwner *owner)
{
	__builtin_prefetch(&table->entries[owner->hash & table->mask]);
}

void
pa_owners_fetch_groups(const PaOwnerTable *table, const PaOwner *owner)
{
	const OwnerEntry *entry = &table->entries[owner->hash & table->mask];
	size_t		size = offsetof(OwnerBlock, choices) + table->first_groups * sizeof(OwnerChoice) +
		Min(entry->ngroups, table->first_groups) * table->group_size;

	if (entry->first)
		for (size_t line = 0; line < Min(size, FETCHED_LINES * 64); line += 64)
			__builtin_prefetch((const char *) entry->first + line, 1);
}

int64 *
pa_owners_accumulators(PaOwnerTable *table, const PaOwner *owner, int group, uint64 group_hash, bool *full)
{
	uint64		hash = owner->hash;
	OwnerEntry *entry = find_owner(table, owner->key, hash);
	OwnerBlock *last = NULL;
	OwnerChoice choice;
	OwnerGroup *found;

	*full = entry == NULL;
	if (entry == NULL)
		return NULL;
	for (OwnerBlock *block = entry->first; block; block = block->next)
	{
		for (uint32 i = 0; i < block->ngroups; i++)
			if (block->choices[i].group == group)
				return group_at(table, block, i)->accumulators;
		last = block;
	}
	choice = (OwnerChoice) {rank_of(hash, group_hash), group};
	if (entry->ngroups < table->max_groups)
		found = append_group(table, entry, last, choice);
	else
		found = replace_group(table, entry, choice);
	return found ? found->accumulators : NULL;
}

PaKeptRoom *
pa_owners_room(PaOwnerTable *table)
{
	return &table->room;
}

/* --- owners that found no room --- */

static size_t
row_size(const PaOwnerTable *table)
{
	return offsetof(SpilledRow, terms) + sizeof(int64) * table->set->naccumulators;
}

void
pa_owners_spill(PaOwnerTable *table, const PaOwner *owner, int group, const PaPacked *terms)
{
	/* the table's own position uses the low bits */
	int			number = (owner->hash >> (64 - SPILL_BITS * (table->level + 1))) & (SPILL_FILES - 1);
	SpilledRow	row = {.owner = *owner,.group = group};

	if (table->files[number] == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(table->context);

		table->files[number] = BufFileCreateTemp(false);
		MemoryContextSwitchTo(caller);
	}
	BufFileWrite(table->files[number], &row, offsetof(SpilledRow, terms));
	BufFileWrite(table->files[number], (void *) terms->accumulators, sizeof(int64) * table->set->naccumulators);
	BufFileWrite(table->files[number], (void *) terms->values, pa_orders_packed_size(table->set, terms->accumulators));
}

/* What was written since the last refill waits to be read. */
static void
queue_files(PaOwnerTable *table)
{
	MemoryContext caller = MemoryContextSwitchTo(table->context);

	for (int i = 0; i < SPILL_FILES; i++)
		if (table->files[i])
		{
			PendingFile *pending = palloc(sizeof(PendingFile));

			*pending = (PendingFile) {table->files[i], table->level};
			table->pending = lcons(pending, table->pending);
			table->files[i] = NULL;
		}
	MemoryContextSwitchTo(caller);
}

static void
read_file(PaOwnerTable *table, BufFile *file, const PaGroupTable *groups)
{
	SpilledRow *row = palloc(row_size(table));
	char	   *values = palloc(pa_orders_most_packed(table->set) + 1);
	PaPacked	terms = {row->terms, values};

	if (BufFileSeek(file, 0, 0, SEEK_SET) != 0)
		elog(ERROR, "could not rewind a temporary file of a release");
	while (BufFileRead(file, row, row_size(table)) == row_size(table))
	{
		bool		full;
		int64	   *accumulators = pa_owners_accumulators(table, &row->owner, row->group,
														  pa_groups_get(groups, row->group)->hash, &full);
		size_t		size = pa_orders_packed_size(table->set, row->terms);

		CHECK_FOR_INTERRUPTS();
		if (BufFileRead(file, values, size) != size)
			elog(ERROR, "a temporary file of a release ends within a row");
		if (full)
			pa_owners_spill(table, &row->owner, row->group, &terms);
		else if (accumulators)
			pa_statistics_merge(table->set, accumulators, &terms, &table->room);
	}
	pfree(values);
	pfree(row);
}

bool
pa_owners_refill(PaOwnerTable *table, const PaGroupTable *groups)
{
	PendingFile *next;

	queue_files(table);
	if (table->pending == NIL)
		return false;
	next = linitial(table->pending);
	table->pending = list_delete_first(table->pending);
	pfree(table->entries);
	MemoryContextReset(table->room.context);
	start_empty(table);
	table->level = (next->level + 1) % (64 / SPILL_BITS);
	read_file(table, next->file, groups);
	BufFileClose(next->file);
	pfree(next);
	return true;
}

typedef struct Totals
{
	PaGroupTable *groups;
	PaSortedCells *cells;
	PaSortedValues *values;
} Totals;

static void
contribute(const PaOwnerTable *table, const PaOwner *owner, const OwnerBlock *block, const Totals *totals)
{
	for (uint32 i = 0; i < block->ngroups; i++)
	{
		const OwnerGroup *group = group_at(table, block, i);

		pa_statistics_contribute(table->set, group->accumulators, pa_groups_get(totals->groups, group->group)->totals);
		if (totals->cells)
			pa_orders_contribute(table->set, group->accumulators, (int) group->group, totals->cells);
		if (totals->values)
			pa_distinct_admit(table->set, (int) group->group, owner, totals->values);
	}
}

void
pa_owners_contribute(PaOwnerTable *table, PaGroupTable *groups, PaSortedCells *cells, PaSortedValues *values)
{
	Totals		totals = {groups, cells, values};

	for (uint64 position = 0; position <= table->mask; position++)
	{
		const OwnerEntry *entry = &table->entries[position];
		PaOwner		owner = {entry->key, key_hash(table, entry->key)};

		if ((position & 0xffff) == 0)
			CHECK_FOR_INTERRUPTS();
		for (const OwnerBlock *block = entry->first; block; block = block->next)
			contribute(table, &owner, block, &totals);
	}
}

/* --- between processes --- */

static void
pack_group(const PaOwnerTable *table, const OwnerGroup *group, StringInfo packed)
{
	size_t		values = pa_orders_packed_size(table->set, group->accumulators);

	appendBinaryStringInfo(packed, (const char *) group, table->group_size);
	enlargeStringInfo(packed, values);
	pa_orders_pack(table->set, group->accumulators, packed->data + packed->len);
	packed->len += values;
}

static void
pack_block(const PaOwnerTable *table, const OwnerBlock *block, StringInfo packed)
{
	if (!table->has_orders)
		appendBinaryStringInfo(packed, (const char *) group_at(table, block, 0), block->ngroups * table->group_size);
	else
		for (uint32 i = 0; i < block->ngroups; i++)
			pack_group(table, group_at(table, block, i), packed);
}

static void
pack_owner(const PaOwnerTable *table, const OwnerEntry *entry, StringInfo packed)
{
	PaPackedOwner owner = {{entry->key, key_hash(table, entry->key)}, entry->ngroups};
	int			start = packed->len;

	appendBinaryStringInfo(packed, (const char *) &owner, sizeof(owner));
	for (const OwnerBlock *block = entry->first; block; block = block->next)
		pack_block(table, block, packed);
	owner.bytes = packed->len - start - sizeof(owner);
	memcpy(packed->data + start, &owner, sizeof(owner));
}

bool
pa_owners_pack(const PaOwnerTable *table, uint64 *position, StringInfo packed)
{
	while (*position <= table->mask)
	{
		const OwnerEntry *entry = &table->entries[(*position)++];

		if ((*position & 0xffff) == 0)
			CHECK_FOR_INTERRUPTS();
		if (entry->first == NULL)
			continue;
		pack_owner(table, entry, packed);
		return true;
	}
	return false;
}

size_t
pa_owners_scratch(const PaOwnerTable *table)
{
	return table->group_size;
}

const char *
pa_owners_unpack(const PaOwnerTable *table, const char *packed, char *scratch, int *group, PaPacked *terms)
{
	const OwnerGroup *fixed = (const OwnerGroup *) scratch;

	memcpy(scratch, packed, table->group_size);
	*group = (int) fixed->group;
	*terms = (PaPacked) {fixed->accumulators, packed + table->group_size};
	return terms->values + (table->has_orders ? pa_orders_packed_size(table->set, fixed->accumulators) : 0);
}

size_t
pa_owners_group_room(const PaStatistics *set)
{
	return sizeof(OwnerChoice) + offsetof(OwnerGroup, accumulators) + sizeof(int64) * set->naccumulators +
		pa_orders_most_packed(set);
}
