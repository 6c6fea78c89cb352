/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_table.c
 *		See owner_table.h.  Open addressing over small entries; an owner's groups
 *		lie together in one block, so that a row touches two or three cache lines: first
 *		what a group is found by, then what the owner has in each.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/pg_list.h"
#include "storage/buffile.h"
#include "utils/memutils.h"
#include "utils/uuid.h"

#include "bound/distinct.h"
#include "bound/order.h"
#include "bound/owner_table.h"
#include "catalog/owner_key.h"
#include "settings.h"

#define SPILL_BITS 4
#define SPILL_FILES (1 << SPILL_BITS)
#define FIRST_ENTRIES 1024

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

typedef struct OwnerEntry
{
	PaHash128	key;
	OwnerChoice *choices;		/* as many as there is room for, then as many OwnerGroups */
	uint32		ngroups;
	uint32		capacity;		/* groups allocated; 0: the entry is free */
} OwnerEntry;

struct PaOwnerTable
{
	Oid			type;
	uint32		max_groups;
	const PaStatistics *set;
	size_t		group_size;		/* bytes of an OwnerGroup */
	const uint8 *secret;
	uint64		seed;
	MemoryContext context;
	MemoryContext blocks;		/* of the owners' groups */
	OwnerEntry *entries;
	uint64		mask;			/* number of entries - 1 */
	uint64		count;
	uint64		last;			/* entry of the last owner: rows often come in runs */
	size_t		used;			/* bytes of entries and groups */
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
	table->used = sizeof(OwnerEntry) * FIRST_ENTRIES;
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
	table->secret = secret;
	memcpy(&table->seed, secret + sizeof(uint64), sizeof(uint64));
	table->context = context;
	table->blocks = GenerationContextCreate(context, "owners' groups", 64 * 1024, 64 * 1024, 8 * 1024 * 1024);
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
		if (old[i].capacity > 0)
		{
			uint64		position = key_hash(table, old[i].key) & table->mask;

			while (table->entries[position].capacity > 0)
				position = (position + 1) & table->mask;
			table->entries[position] = old[i];
		}
	pfree(old);
	table->last = 0;
	table->used += old_size * sizeof(OwnerEntry);
}

/* There is always room for one owner: a refill makes progress. */
static inline bool
is_full(const PaOwnerTable *table)
{
	return table->used > (size_t) pa_owner_memory * 1024 && table->count > 0;
}

static OwnerChoice *
allocate_groups(PaOwnerTable *table, uint32 capacity)
{
	size_t		size = capacity * (sizeof(OwnerChoice) + table->group_size);

	table->used += size;
	return MemoryContextAllocHuge(table->blocks, size);
}

/* NULL if the owner is not in the table and finds no room. */
static OwnerEntry *
find_owner(PaOwnerTable *table, PaHash128 key, uint64 hash)
{
	uint64		position;
	OwnerEntry *entry = &table->entries[table->last];

	if (entry->capacity > 0 && same_key(entry->key, key))
		return entry;
	if (table->count * 2 > table->mask && !is_full(table))
		grow(table);
	for (position = hash & table->mask; table->entries[position].capacity > 0;
		 position = (position + 1) & table->mask)
		if (same_key(table->entries[position].key, key))
			break;
	entry = &table->entries[position];
	if (entry->capacity == 0)
	{
		if (is_full(table))
			return NULL;
		entry->key = key;
		entry->capacity = Min(table->max_groups, 4);
		entry->choices = allocate_groups(table, entry->capacity);
		table->count++;
	}
	table->last = position;
	return entry;
}

static inline char *
groups_of(const OwnerEntry *entry)
{
	return (char *) (entry->choices + entry->capacity);
}

static inline OwnerGroup *
group_at(const PaOwnerTable *table, const OwnerEntry *entry, uint32 i)
{
	return (OwnerGroup *) (groups_of(entry) + i * table->group_size);
}

static OwnerGroup *
start_group(const PaOwnerTable *table, const OwnerEntry *entry, uint32 i, OwnerChoice choice)
{
	OwnerGroup *group = group_at(table, entry, i);

	entry->choices[i] = choice;
	group->group = choice.group;
	memset(group->accumulators, 0, sizeof(int64) * table->set->naccumulators);
	return group;
}

static void
make_room(PaOwnerTable *table, OwnerEntry *entry)
{
	OwnerEntry	old = *entry;

	entry->capacity = Min(old.capacity * 2, table->max_groups);
	entry->choices = allocate_groups(table, entry->capacity);
	memcpy(entry->choices, old.choices, old.ngroups * sizeof(OwnerChoice));
	memcpy(groups_of(entry), groups_of(&old), old.ngroups * table->group_size);
	table->used -= old.capacity * (sizeof(OwnerChoice) + table->group_size);
	pfree(old.choices);
}

static OwnerGroup *
append_group(PaOwnerTable *table, OwnerEntry *entry, OwnerChoice choice)
{
	if (entry->ngroups == entry->capacity)
		make_room(table, entry);
	return start_group(table, entry, entry->ngroups++, choice);
}

/* The owner's group of largest rank gives way if the new one ranks lower. */
static OwnerGroup *
replace_group(const PaOwnerTable *table, OwnerEntry *entry, OwnerChoice choice)
{
	uint32		worst = 0;

	for (uint32 i = 1; i < entry->ngroups; i++)
		if (entry->choices[i].rank > entry->choices[worst].rank)
			worst = i;
	return choice.rank < entry->choices[worst].rank ? start_group(table, entry, worst, choice) : NULL;
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

	size_t		size = entry->capacity * sizeof(OwnerChoice) + entry->ngroups * table->group_size;

	if (entry->capacity > 0)
		for (size_t line = 0; line < Min(size, FETCHED_LINES * 64); line += 64)
			__builtin_prefetch((const char *) entry->choices + line, 1);
}

int64 *
pa_owners_accumulators(PaOwnerTable *table, const PaOwner *owner, int group, uint64 group_hash, bool *full)
{
	uint64		hash = owner->hash;
	OwnerEntry *entry = find_owner(table, owner->key, hash);
	OwnerChoice choice;
	OwnerGroup *found;

	*full = entry == NULL;
	if (entry == NULL)
		return NULL;
	for (uint32 i = 0; i < entry->ngroups; i++)
		if (entry->choices[i].group == group)
			return group_at(table, entry, i)->accumulators;
	choice = (OwnerChoice) {rank_of(hash, group_hash), group};
	if (entry->ngroups < table->max_groups)
		found = append_group(table, entry, choice);
	else
		found = replace_group(table, entry, choice);
	return found ? found->accumulators : NULL;
}

/* --- owners that found no room --- */

static size_t
row_size(const PaOwnerTable *table)
{
	return offsetof(SpilledRow, terms) + sizeof(int64) * table->set->naccumulators;
}

void
pa_owners_spill(PaOwnerTable *table, const PaOwner *owner, int group, const int64 *terms)
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
	BufFileWrite(table->files[number], (void *) terms, sizeof(int64) * table->set->naccumulators);
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

	if (BufFileSeek(file, 0, 0, SEEK_SET) != 0)
		elog(ERROR, "could not rewind a temporary file of a release");
	while (BufFileRead(file, row, row_size(table)) == row_size(table))
	{
		bool		full;
		int64	   *accumulators = pa_owners_accumulators(table, &row->owner, row->group,
														  pa_groups_get(groups, row->group)->hash, &full);

		CHECK_FOR_INTERRUPTS();
		if (full)
			pa_owners_spill(table, &row->owner, row->group, row->terms);
		else if (accumulators)
			pa_statistics_merge(table->set, accumulators, row->terms);
	}
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
	MemoryContextReset(table->blocks);
	start_empty(table);
	table->level = (next->level + 1) % (64 / SPILL_BITS);
	read_file(table, next->file, groups);
	BufFileClose(next->file);
	pfree(next);
	return true;
}

void
pa_owners_contribute(PaOwnerTable *table, PaGroupTable *groups, PaSortedCells *cells, PaSortedValues *values)
{
	for (uint64 position = 0; position <= table->mask; position++)
	{
		const OwnerEntry *entry = &table->entries[position];
		PaOwner		owner;

		if ((position & 0xffff) == 0)
			CHECK_FOR_INTERRUPTS();
		if (entry->capacity == 0)
			continue;
		owner = (PaOwner) {entry->key, key_hash(table, entry->key)};
		for (uint32 i = 0; i < entry->ngroups; i++)
		{
			const OwnerGroup *group = group_at(table, entry, i);

			pa_statistics_contribute(table->set, group->accumulators, pa_groups_get(groups, group->group)->totals);
			if (cells)
				pa_orders_contribute(table->set, group->accumulators, (int) group->group, cells);
			if (values)
				pa_distinct_admit(table->set, (int) group->group, &owner, values);
		}
	}
}

bool
pa_owners_next(const PaOwnerTable *table, uint64 *position, PaOwner *owner, int *ngroups, const char **groups)
{
	for (; *position <= table->mask; (*position)++)
	{
		const OwnerEntry *entry = &table->entries[*position];

		if ((*position & 0xffff) == 0)
			CHECK_FOR_INTERRUPTS();
		if (entry->capacity == 0)
			continue;
		*owner = (PaOwner) {entry->key, key_hash(table, entry->key)};
		*ngroups = entry->ngroups;
		*groups = groups_of(entry);
		(*position)++;
		return true;
	}
	return false;
}

size_t
pa_owners_group_room(const PaStatistics *set)
{
	return sizeof(OwnerChoice) + offsetof(OwnerGroup, accumulators) + sizeof(int64) * set->naccumulators;
}

size_t
pa_owners_group_size(const PaOwnerTable *table)
{
	return table->group_size;
}

int
pa_owners_group(const char *group, const int64 **accumulators)
{
	*accumulators = ((const OwnerGroup *) group)->accumulators;
	return (int) ((const OwnerGroup *) group)->group;
}
