/*
 * owner_table.c
 *		See owner_table.h.  Open addressing over small entries; an owner's groups
 *		lie together in one block, so that a row touches two or three cache lines.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/uuid.h"

#include "aggregate/owner_table.h"

/* One group of one owner; nstatistics accumulators follow. */
typedef struct OwnerGroup
{
	uint64		rank;			/* smaller is kept */
	int64		group;
	int64		accumulators[FLEXIBLE_ARRAY_MEMBER];
} OwnerGroup;

typedef struct OwnerEntry
{
	PaHash128	key;
	char	   *groups;			/* of OwnerGroup */
	uint32		ngroups;
	uint32		capacity;		/* groups allocated; 0: the entry is free */
} OwnerEntry;

struct PaOwnerTable
{
	Oid			type;
	uint32		max_groups;
	int			naccumulators;
	size_t		group_size;		/* bytes of an OwnerGroup */
	const uint8 *secret;
	uint64		seed;
	MemoryContext context;
	MemoryContext blocks;		/* of the owners' groups */
	OwnerEntry *entries;
	uint64		mask;			/* number of entries - 1 */
	uint64		count;
	uint64		last;			/* entry of the last owner: rows often come in runs */
};

PaOwnerTable *
pa_owners_create(Oid owner_type, int max_groups, int naccumulators,
				 const uint8 *secret, MemoryContext context)
{
	PaOwnerTable *table = MemoryContextAllocZero(context, sizeof(PaOwnerTable));

	table->type = owner_type;
	table->max_groups = max_groups;
	table->naccumulators = naccumulators;
	table->group_size = offsetof(OwnerGroup, accumulators) + sizeof(int64) * naccumulators;
	table->secret = secret;
	memcpy(&table->seed, secret + sizeof(uint64), sizeof(uint64));
	table->context = context;
	table->blocks = GenerationContextCreate(context, "owners' groups", 64 * 1024, 64 * 1024, 8 * 1024 * 1024);
	table->mask = 1023;
	table->entries = MemoryContextAllocExtended(context, sizeof(OwnerEntry) * (table->mask + 1),
												MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	return table;
}

static PaHash128
owner_key(const PaOwnerTable *table, Datum owner)
{
	PaHash128	key = {0, 0};

	switch (table->type)
	{
		case INT2OID:
			key.low = DatumGetInt16(owner);
			return key;
		case INT4OID:
			key.low = DatumGetInt32(owner);
			return key;
		case INT8OID:
			key.low = DatumGetInt64(owner);
			return key;
		case UUIDOID:
			memcpy(&key, DatumGetUUIDP(owner)->data, UUID_LEN);
			return key;
		default:
			{
				struct varlena *text = PG_DETOAST_DATUM_PACKED(owner);

				key = pa_keyed_hash128(table->secret, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));
				if ((Pointer) text != DatumGetPointer(owner))
					pfree(text);
				return key;
			}
	}
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
}

static OwnerEntry *
find_owner(PaOwnerTable *table, PaHash128 key, uint64 hash)
{
	uint64		position;
	OwnerEntry *entry = &table->entries[table->last];

	if (entry->capacity > 0 && same_key(entry->key, key))
		return entry;
	if (table->count * 2 > table->mask)
		grow(table);
	for (position = hash & table->mask; table->entries[position].capacity > 0;
		 position = (position + 1) & table->mask)
		if (same_key(table->entries[position].key, key))
			break;
	table->last = position;
	entry = &table->entries[position];
	if (entry->capacity == 0)
	{
		entry->key = key;
		entry->capacity = Min(table->max_groups, 4);
		entry->groups = MemoryContextAlloc(table->blocks, entry->capacity * table->group_size);
		table->count++;
	}
	return entry;
}

static inline OwnerGroup *
group_at(const PaOwnerTable *table, const OwnerEntry *entry, uint32 i)
{
	return (OwnerGroup *) (entry->groups + i * table->group_size);
}

static OwnerGroup *
start_group(const PaOwnerTable *table, OwnerGroup *slot, int group, uint64 rank)
{
	slot->rank = rank;
	slot->group = group;
	memset(slot->accumulators, 0, sizeof(int64) * table->naccumulators);
	return slot;
}

static OwnerGroup *
append_group(PaOwnerTable *table, OwnerEntry *entry, int group, uint64 rank)
{
	if (entry->ngroups == entry->capacity)
	{
		uint32		capacity = Min(entry->capacity * 2, table->max_groups);
		char	   *groups = MemoryContextAlloc(table->blocks, capacity * table->group_size);

		memcpy(groups, entry->groups, entry->ngroups * table->group_size);
		pfree(entry->groups);
		entry->groups = groups;
		entry->capacity = capacity;
	}
	return start_group(table, group_at(table, entry, entry->ngroups++), group, rank);
}

/* The owner's group of largest rank gives way if the new one ranks lower. */
static OwnerGroup *
replace_group(const PaOwnerTable *table, OwnerEntry *entry, int group, uint64 rank)
{
	OwnerGroup *worst = group_at(table, entry, 0);

	for (uint32 i = 1; i < entry->ngroups; i++)
		if (group_at(table, entry, i)->rank > worst->rank)
			worst = group_at(table, entry, i);
	return rank < worst->rank ? start_group(table, worst, group, rank) : NULL;
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

	if (entry->capacity > 0)
		for (size_t line = 0; line < entry->ngroups * table->group_size; line += 64)
			__builtin_prefetch(entry->groups + line, 1);
}

int64 *
pa_owners_accumulators(PaOwnerTable *table, const PaOwner *owner, int group, uint64 group_hash)
{
	uint64		hash = owner->hash;
	OwnerEntry *entry = find_owner(table, owner->key, hash);
	OwnerGroup *found;

	for (uint32 i = 0; i < entry->ngroups; i++)
		if (group_at(table, entry, i)->group == group)
			return group_at(table, entry, i)->accumulators;
	if (entry->ngroups < table->max_groups)
		found = append_group(table, entry, group, rank_of(hash, group_hash));
	else
		found = replace_group(table, entry, group, rank_of(hash, group_hash));
	return found ? found->accumulators : NULL;
}

void
pa_owners_contribute(PaOwnerTable *table, const PaStatistics *set, PaGroupTable *groups)
{
	for (uint64 position = 0; position <= table->mask; position++)
	{
		const OwnerEntry *entry = &table->entries[position];

		if ((position & 0xffff) == 0)
			CHECK_FOR_INTERRUPTS();
		if (entry->capacity == 0)
			continue;
		for (uint32 i = 0; i < entry->ngroups; i++)
		{
			const OwnerGroup *group = group_at(table, entry, i);

			pa_statistics_contribute(set, group->accumulators, pa_groups_get(groups, group->group)->totals);
		}
	}
}

bool
pa_owners_next(const PaOwnerTable *table, uint64 *position, PaOwner *owner, int *ngroups, const char **groups)
{
	for (; *position <= table->mask; (*position)++)
	{
		const OwnerEntry *entry = &table->entries[*position];

		if (entry->capacity == 0)
			continue;
		*owner = (PaOwner) {entry->key, key_hash(table, entry->key)};
		*ngroups = entry->ngroups;
		*groups = entry->groups;
		(*position)++;
		return true;
	}
	return false;
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
