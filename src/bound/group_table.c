/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * group_table.c
 *		The groups of a release, over PostgreSQL's own hash table of tuples.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

#include "compat/tuple_hash.h"
#include "bound/canonical_key.h"
#include "bound/group_table.h"
#include "bound/keyed_hash.h"
#include "compat.h"
#include "errors.h"
#include "lookup/seeded_hash.h"
#include "short_value.h"

#define MAX_PUBLIC_GROUPS 1000000

/*
 * In front of the hash table, for a single key of a type whose equality is that of its
 * bits: a small cache, and for the many groups that it cannot hold a table without rows.
 */
#define CACHE_LINES 1024

typedef struct CacheLine
{
	Datum		value;
	int			group;
	bool		filled;
} CacheLine;

typedef struct NumberedGroup
{
	int64		value;
	int			group;
	uint32		hash;
	char		status;
} NumberedGroup;

#define SH_PREFIX numbered
#define SH_ELEMENT_TYPE NumberedGroup
#define SH_KEY_TYPE int64
#define SH_KEY value
#define SH_HASH_KEY(table, key) pa_hash_number(key)
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

struct PaGroupTable
{
	const PaLeafSpec *spec;
	const PaStatistics *set;
	const uint8 *secret;
	MemoryContext context;
	MemoryContext lookup;		/* of what hashing a row leaves behind */
	TupleHashTable hash;		/* NULL without keys */
	TupleTableSlot *scratch;	/* of the child's shape */
	TypeCacheEntry **types;		/* of each key */
	Oid		   *orders;			/* collations by which its values are sorted */
	bool	   *unlimited;		/* whether a key's values may be of any length */
	bool		any_unlimited;
	CacheLine  *cache;			/* NULL: none */
	numbered_hash *numbered;	/* behind it */
	bool		is_public;
	PaGroup    *groups;
	int			count;
	int			capacity;
};

static bool
has_bitwise_equality(Oid type)
{
	switch (type)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case DATEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return get_typbyval(type);
		default:
			return false;
	}
}

static int
append_group(PaGroupTable *table, uint64 hash, MinimalTuple row)
{
	PaGroup    *group;

	if (table->count == table->capacity)
	{
		table->capacity = Max(64, table->capacity * 2);
		table->groups = table->groups == NULL ?
			MemoryContextAllocHuge(table->context, sizeof(PaGroup) * table->capacity) :
			repalloc_huge(table->groups, sizeof(PaGroup) * table->capacity);
	}
	group = &table->groups[table->count];
	group->hash = hash;
	group->row = row;
	group->totals = MemoryContextAllocZero(table->context, sizeof(PaInt128) * (table->set->nsummed + 1));
	group->direct = table->set->one_row ?
		MemoryContextAllocZero(table->context, sizeof(int64) * (table->set->naccumulators + 1)) : NULL;
	return table->count++;
}

/*
 * By which it does not take long, whatever the texts are: a language has its own order in which to compare two takes
 * microseconds.  Texts that are equal are the same, in whichever order.
 */
static Oid
fast_order(Oid collation)
{
	return OidIsValid(collation) && get_collation_isdeterministic(collation) ? C_COLLATION_OID : collation;
}

static void
create_hash(PaGroupTable *table, PlanState *parent, TupleDesc child)
{
	int			nkeys = table->spec->nkeys;
	AttrNumber *columns = palloc(sizeof(AttrNumber) * nkeys);
	Oid		   *operators = palloc(sizeof(Oid) * nkeys);
	Oid		   *collations = palloc(sizeof(Oid) * nkeys);
	Oid		   *types = palloc(sizeof(Oid) * nkeys);
	Oid		   *functions;
	FmgrInfo   *hashes;

	table->types = palloc(sizeof(TypeCacheEntry *) * nkeys);
	table->orders = palloc(sizeof(Oid) * nkeys);
	table->unlimited = palloc(sizeof(bool) * nkeys);
	for (int i = 0; i < nkeys; i++)
	{
		const PaLeafKey *key = &table->spec->keys[i];

		columns[i] = key->input + 1;
		types[i] = key->type;
		collations[i] = key->collation;
		table->orders[i] = fast_order(key->collation);
		table->types[i] = lookup_type_cache(key->type, TYPECACHE_EQ_OPR | TYPECACHE_CMP_PROC_FINFO);
		operators[i] = table->types[i]->eq_opr;
		table->unlimited[i] = table->types[i]->typlen == -1;
		table->any_unlimited |= table->unlimited[i];
	}
	execTuplesHashPrepare(nkeys, operators, &functions, &hashes);
	pa_seed_hashes(hashes, types, nkeys);
	table->lookup = AllocSetContextCreate(table->context, "privacct group look-up", ALLOCSET_SMALL_SIZES);
	table->hash = pa_build_tuple_hash(parent, child, nkeys, columns, functions, hashes, collations,
									  256, table->context, table->lookup);
	table->scratch = MakeSingleTupleTableSlot(child, &TTSOpsVirtual);
	if (nkeys != 1 || !has_bitwise_equality(table->spec->keys[0].type))
		return;
	table->cache = palloc0(sizeof(CacheLine) * CACHE_LINES);
	table->numbered = numbered_create(table->context, CACHE_LINES, NULL);
}

PaGroupTable *
pa_groups_create(PlanState *parent, TupleDesc child, const PaLeafSpec *spec,
				 const PaStatistics *set, const uint8 *secret, MemoryContext context)
{
	MemoryContext caller = MemoryContextSwitchTo(context);
	PaGroupTable *table = palloc0(sizeof(PaGroupTable));

	table->spec = spec;
	table->set = set;
	table->secret = secret;
	table->context = context;
	if (spec->nkeys > 0)
		create_hash(table, parent, child);
	else
		append_group(table, 0, NULL);
	MemoryContextSwitchTo(caller);
	return table;
}

/*
 * A keyed hash of the keys themselves, in the form that equal ones share (1.0 and 1.00
 * are one group), so that it does not depend on whose row was seen first.  The hash
 * functions of the types would not do: they give the same to keys that are not equal,
 * whatever their seed is, and then an owner's groups would be chosen by the order of rows.
 */
static uint64
hash_keys(PaGroupTable *table, TupleTableSlot *row)
{
	MemoryContext caller = MemoryContextSwitchTo(table->lookup);
	StringInfoData bytes;
	uint64		hash;

	initStringInfo(&bytes);
	for (int i = 0; i < table->spec->nkeys; i++)
	{
		const PaLeafKey *key = &table->spec->keys[i];

		pa_append_key(&bytes, key->type, row->tts_values[key->input], row->tts_isnull[key->input]);
	}
	hash = pa_keyed_hash64(table->secret, bytes.data, bytes.len);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(table->lookup);
	return hash;
}

static int
find_or_add(PaGroupTable *table, TupleTableSlot *row, bool add)
{
	bool		isnew = false;
	TupleHashEntry entry = LookupTupleHashEntry(table->hash, row, add ? &isnew : NULL, NULL);

	MemoryContextReset(table->lookup);
	if (entry == NULL)
		return -1;
	if (isnew)
		*pa_entry_pointer(table->hash, entry) = (void *) (intptr_t) append_group(table, hash_keys(table, row), entry->firstTuple);
	return (int) (intptr_t) *pa_entry_pointer(table->hash, entry);
}

static int
find_numbered(PaGroupTable *table, TupleTableSlot *row, int64 value)
{
	NumberedGroup *entry = numbered_lookup(table->numbered, value);
	int			group;
	bool		found;

	if (entry)
		return entry->group;
	group = find_or_add(table, row, !table->is_public);
	if (group >= 0)				/* there are as many as there are groups */
		numbered_insert(table->numbered, value, &found)->group = group;
	return group;
}

static int
find_cached(PaGroupTable *table, TupleTableSlot *row)
{
	Datum		value = row->tts_values[table->spec->keys[0].input];
	CacheLine  *line = &table->cache[pa_mix64(value) % CACHE_LINES];

	if (!line->filled || line->value != value)
		*line = (CacheLine) {value, find_numbered(table, row, (int64) value), true};
	return line->group;
}

/* Hashing a long key would take long: such rows are in the group of null. */
static bool
is_long(const PaGroupTable *table, int key, const TupleTableSlot *row)
{
	int			column = table->spec->keys[key].input;

	return table->unlimited[key] && !row->tts_isnull[column] &&
		!pa_key_is_short(table->spec->keys[key].type, row->tts_values[column]);
}

static bool
has_long_key(const PaGroupTable *table, const TupleTableSlot *row)
{
	for (int i = 0; i < table->spec->nkeys; i++)
		if (is_long(table, i, row))
			return true;
	return false;
}

/* Of the scratch slot, whose values are its own: a slot that holds a tuple would be copied as the tuple is. */
static void
limit_keys(PaGroupTable *table)
{
	for (int i = 0; i < table->spec->nkeys; i++)
		if (is_long(table, i, table->scratch))
			table->scratch->tts_isnull[table->spec->keys[i].input] = true;
}

/* The row, or one like it with short keys, until the next one is looked up. */
static TupleTableSlot *
with_short_keys(PaGroupTable *table, TupleTableSlot *row)
{
	TupleTableSlot *slot = table->scratch;
	int			natts = slot->tts_tupleDescriptor->natts;

	if (!table->any_unlimited || !has_long_key(table, row))
		return row;
	slot_getallattrs(row);
	ExecClearTuple(slot);
	memcpy(slot->tts_values, row->tts_values, sizeof(Datum) * natts);
	memcpy(slot->tts_isnull, row->tts_isnull, sizeof(bool) * natts);
	limit_keys(table);
	return ExecStoreVirtualTuple(slot);
}

int
pa_groups_find(PaGroupTable *table, TupleTableSlot *row)
{
	if (table->hash == NULL)
		return 0;
	row = with_short_keys(table, row);
	if (table->cache && !row->tts_isnull[table->spec->keys[0].input])
		return find_cached(table, row);
	return find_or_add(table, row, !table->is_public);
}

const PaKeys *
pa_groups_keys_of(const PaLeafKey *key, const PaPolicy *const *policies)
{
	return key->table < 0 ? NULL : pa_policy_keys(policies[key->table], key->column);
}

int64
pa_groups_public_count(const PaLeafSpec *spec, const PaPolicy *const *policies, const PaKeyRows *rows)
{
	int64		count = spec->nkeys == 0 ? -1 : rows ? pa_key_rows_count(rows) : 1;

	for (int i = 0; i < spec->nkeys; i++)
	{
		const PaKeys *keys = pa_groups_keys_of(&spec->keys[i], policies);

		if (spec->keys[i].listed < 0 && keys)
			count *= keys->count;
		else if (spec->keys[i].listed < 0 || rows == NULL)
			return -1;
		if (count > MAX_PUBLIC_GROUPS)
			ereport(ERROR,
					errcode(ERRCODE_PA_REFUSED),
					errmsg("too many groups"),
					errdetail("The declared keys of the grouped columns make more than %d combinations.", MAX_PUBLIC_GROUPS),
					errhint("Group by fewer columns."));
	}
	return count;
}

static bool
are_short(const PaLeafKey *key, const PaKeys *keys)
{
	for (int i = 0; i < keys->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!keys->nulls[i] && !pa_key_is_short(key->type, keys->values[i]))
			return false;
	}
	return true;
}

static bool
are_rows_short(const PaLeafSpec *spec, const PaKeyRows *rows)
{
	Datum		values[PA_MAX_KEYS];
	bool		nulls[PA_MAX_KEYS];

	for (int64 number = 0; number < pa_key_rows_count(rows); number++)
	{
		CHECK_FOR_INTERRUPTS();
		pa_key_rows_get(rows, number, values, nulls);
		for (int i = 0; i < spec->nkeys; i++)
		{
			int			listed = spec->keys[i].listed;

			if (listed >= 0 && !nulls[listed] && !pa_key_is_short(spec->keys[i].type, values[listed]))
				return false;
		}
	}
	return true;
}

bool
pa_groups_told_apart(const PaLeafSpec *spec, const PaPolicy *const *policies, const PaKeyRows *rows)
{
	for (int i = 0; i < spec->nkeys; i++)
	{
		const PaKeys *keys = spec->keys[i].listed >= 0 ? NULL : pa_groups_keys_of(&spec->keys[i], policies);

		if (keys && !are_short(&spec->keys[i], keys))
			return false;
	}
	return rows == NULL || are_rows_short(spec, rows);
}

/* Of the keys of all groups, each with a header. */
static double
rows_room(const PaLeafSpec *spec, const PaPolicy *const *policies, const PaKeyRows *rows, int64 groups)
{
	double		room = (double) groups * SizeofMinimalTupleHeader;

	if (rows && pa_key_rows_count(rows) > 0)
		room += (double) pa_key_rows_size(rows) / pa_key_rows_count(rows) * groups;
	for (int i = 0; i < spec->nkeys; i++)
	{
		const PaKeys *keys = spec->keys[i].listed >= 0 ? NULL : pa_groups_keys_of(&spec->keys[i], policies);

		if (keys && keys->count > 0)
			room += (double) keys->bytes / keys->count * groups;
	}
	return room;
}

/*
 * Tables double as they grow, and what is allocated takes up to twice its size; totals are
 * noised into numbers, which are combined into others.
 */
double
pa_groups_public_room(const PaLeafSpec *spec, const PaPolicy *const *policies, const PaKeyRows *rows, const PaStatistics *set)
{
	int64		groups = Max(pa_groups_public_count(spec, policies, rows), 0);
	size_t		sums = set->nsummed + 1;
	size_t		direct = set->one_row ? set->naccumulators + 1 : 0;
	size_t		group = 3 * (sizeof(PaGroup) + sizeof(TupleHashEntryData)) +
		2 * (sizeof(PaInt128) * sums + sizeof(int64) * direct) + 2 * sizeof(double) * (set->nreleased + 1);

	return (double) groups * group + 2 * rows_room(spec, policies, rows, groups);
}

/* The keys of one combination, of which each row of public data has as many as there are of declared keys. */
static void
put_combination(const PaGroupTable *table, const PaPolicy *const *policies, const PaKeyRows *rows, int64 number)
{
	TupleTableSlot *slot = table->scratch;
	Datum		values[PA_MAX_KEYS];
	bool		nulls[PA_MAX_KEYS];

	for (int i = table->spec->nkeys - 1; i >= 0; i--)
	{
		const PaLeafKey *key = &table->spec->keys[i];
		const PaKeys *keys = pa_groups_keys_of(key, policies);

		if (key->listed >= 0)
			continue;
		slot->tts_values[key->input] = keys->values[number % keys->count];
		slot->tts_isnull[key->input] = keys->nulls[number % keys->count];
		number /= keys->count;
	}
	if (rows == NULL)
		return;
	pa_key_rows_get(rows, number, values, nulls);
	for (int i = 0; i < table->spec->nkeys; i++)
	{
		const PaLeafKey *key = &table->spec->keys[i];

		if (key->listed < 0)
			continue;
		slot->tts_values[key->input] = values[key->listed];
		slot->tts_isnull[key->input] = nulls[key->listed];
	}
}

void
pa_groups_add_public(PaGroupTable *table, const PaPolicy *const *policies, const PaKeyRows *rows)
{
	int64		count = pa_groups_public_count(table->spec, policies, rows);
	TupleTableSlot *slot = table->scratch;

	for (int64 number = 0; number < count; number++)
	{
		CHECK_FOR_INTERRUPTS();
		ExecClearTuple(slot);
		memset(slot->tts_isnull, true, slot->tts_tupleDescriptor->natts);
		put_combination(table, policies, rows, number);
		limit_keys(table);
		ExecStoreVirtualTuple(slot);
		find_or_add(table, slot, true);
	}
	table->is_public = true;
}

int
pa_groups_count(const PaGroupTable *table)
{
	return table->count;
}

PaGroup *
pa_groups_get(const PaGroupTable *table, int number)
{
	return &table->groups[number];
}

Datum
pa_groups_key(PaGroupTable *table, int number, int key, bool *isnull)
{
	HeapTupleData tuple;

	if (number < 0 || number >= table->count)
		elog(ERROR, "a release has no group %d", number);
	tuple.t_len = table->groups[number].row->t_len + MINIMAL_TUPLE_OFFSET;
	tuple.t_data = (HeapTupleHeader) ((char *) table->groups[number].row - MINIMAL_TUPLE_OFFSET);
	return heap_getattr(&tuple, table->spec->keys[key].input + 1, table->scratch->tts_tupleDescriptor, isnull);
}

void
pa_groups_keys(PaGroupTable *table, int number, Datum *values, bool *nulls)
{
	for (int i = 0; table->hash && i < table->spec->nkeys; i++)
		values[i] = pa_groups_key(table, number, i, &nulls[i]);
}

int
pa_groups_key_count(const PaGroupTable *table)
{
	return table->spec->nkeys;
}

int
pa_groups_compare_keys(const PaGroupTable *table, int key, Datum left, bool left_null, Datum right, bool right_null)
{
	if (left_null || right_null)
		return left_null - right_null;
	return DatumGetInt32(FunctionCall2Coll(&table->types[key]->cmp_proc_finfo, table->orders[key], left, right));
}

bool
pa_groups_are_in_order(const PaGroupTable *table)
{
	return table->hash == NULL || table->is_public;
}
