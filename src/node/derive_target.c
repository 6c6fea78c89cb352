/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * derive_target.c
 *		See derive_target.h.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

#include "bound/group_table.h"
#include "node/derive_target.h"
#include "price/levels.h"

#define MOST_COMBINATIONS 1000000
#define MOST_LISTED_WORK 100000000	/* combinations times listed rows */

/* --- values of keys --- */

static TypeCacheEntry *
equality_of(const PaLeafKey *key)
{
	return lookup_type_cache(key->type, TYPECACHE_EQ_OPR_FINFO);
}

static int
add_value(const PaTarget *target, int key, Datum value, bool isnull)
{
	PaTargetKey *values = &target->keys[key];
	TypeCacheEntry *cache = equality_of(&target->release->spec->keys[key]);
	MemoryContext caller = MemoryContextSwitchTo(target->context);

	if (values->count == 0)
	{
		values->values = palloc(sizeof(Datum) * 4);
		values->nulls = palloc(sizeof(bool) * 4);
	}
	else if (values->count >= 4 && (values->count & (values->count - 1)) == 0)
	{
		values->values = repalloc(values->values, sizeof(Datum) * values->count * 2);
		values->nulls = repalloc(values->nulls, sizeof(bool) * values->count * 2);
	}
	values->values[values->count] = isnull ? (Datum) 0 : datumCopy(value, cache->typbyval, cache->typlen);
	values->nulls[values->count] = isnull;
	MemoryContextSwitchTo(caller);
	return values->count++;
}

/* -1: it has no such value */
static int
index_of(const PaTarget *target, int key, Datum value, bool isnull)
{
	const PaTargetKey *values = &target->keys[key];
	const PaLeafKey *described = &target->release->spec->keys[key];
	TypeCacheEntry *cache = equality_of(described);

	for (int i = 0; i < values->count; i++)
		if (values->nulls[i] == isnull &&
			(isnull || DatumGetBool(FunctionCall2Coll(&cache->eq_opr_finfo, described->collation, values->values[i], value))))
			return i;
	return -1;
}

static void
take_listed(PaTarget *target, int key)
{
	const PaKeyRows *rows = target->release->key_rows;
	PaTargetKey *values = &target->keys[key];
	int			width = pa_key_rows_width(rows);
	Datum	   *row = palloc(sizeof(Datum) * width);
	bool	   *nulls = palloc(sizeof(bool) * width);
	int			column = target->release->spec->keys[key].listed;

	values->values = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(Datum) * (pa_key_rows_count(rows) + 1));
	values->nulls = palloc(sizeof(bool) * (pa_key_rows_count(rows) + 1));
	for (int64 i = 0; i < pa_key_rows_count(rows); i++)
	{
		CHECK_FOR_INTERRUPTS();
		pa_key_rows_get(rows, i, row, nulls);
		if (width > 1 && index_of(target, key, row[column], nulls[column]) >= 0)
			continue;
		values->values[values->count] = row[column];
		values->nulls[values->count++] = nulls[column];
	}
}

static void
take_key(PaTarget *target, int key)
{
	const PaLeafKey *described = &target->release->spec->keys[key];
	const PaKeys *declared;

	if (described->listed >= 0)
	{
		take_listed(target, key);
		return;
	}
	declared = pa_groups_keys_of(described, target->release->policies);
	if (declared)
		target->keys[key] = (PaTargetKey) {false, declared->count, declared->values, declared->nulls};
	else
		target->keys[key].met = true;
}

/* --- combinations --- */

static bool
is_listed_together(const PaLeafSpec *spec)
{
	int			listed = 0;

	for (int i = 0; i < spec->nkeys; i++)
		listed += spec->keys[i].listed >= 0;
	return listed > 1;
}

static int
digit(const PaTarget *target, int64 combination, int key)
{
	for (int i = target->release->spec->nkeys - 1; i > key; i--)
		combination /= target->keys[i].count;
	return (int) (combination % target->keys[key].count);
}

/* Whether public rows have the listed values of a combination. */
static void
mark_listed(PaTarget *target)
{
	const PaLeafSpec *spec = target->release->spec;
	const PaKeyRows *rows = target->release->key_rows;
	int			width = pa_key_rows_width(rows);
	Datum	   *row = palloc(sizeof(Datum) * width);
	bool	   *nulls = palloc(sizeof(bool) * width);
	int		   *wanted = palloc(sizeof(int) * spec->nkeys);

	memset(target->exists, false, target->combinations);
	for (int64 i = 0; i < pa_key_rows_count(rows); i++)
	{
		pa_key_rows_get(rows, i, row, nulls);
		for (int j = 0; j < spec->nkeys; j++)
			wanted[j] = spec->keys[j].listed < 0 ? -1 :
				index_of(target, j, row[spec->keys[j].listed], nulls[spec->keys[j].listed]);
		for (int64 c = 0; c < target->combinations; c++)
		{
			bool		fits = true;

			CHECK_FOR_INTERRUPTS();
			for (int j = 0; j < spec->nkeys && fits; j++)
				fits = wanted[j] < 0 || digit(target, c, j) == wanted[j];
			target->exists[c] |= fits;
		}
	}
}

/* -1: there are too many */
static int64
count_combinations(const PaTarget *target)
{
	int64		combinations = 1;

	for (int i = 0; i < target->release->spec->nkeys; i++)
	{
		combinations *= target->keys[i].count;
		if (combinations > MOST_COMBINATIONS)
			return -1;
	}
	return combinations;
}

/* Those that are asked for, be they parts of others: each is a sum of the finest groups. */
static void
take_levels(PaTarget *target)
{
	const PaRelease *release = target->release;
	int			count = release->levels ? pa_levels_count(release->levels) : 1;
	uint32	   *levels = palloc(sizeof(uint32) * count);

	for (int i = 0; i < count; i++)
	{
		uint32		keys = release->levels ? pa_levels_keys(release->levels, i) : release->spec->levels[0];

		if (release->levels == NULL || pa_levels_times(release->spec, keys) > 0)
			levels[target->nlevels++] = keys;
	}
	target->levels = levels;
}

PaTarget *
pa_target_make(const PaRelease *release, const PaAsked *asked)
{
	const PaLeafSpec *spec = release->spec;
	PaTarget   *target = palloc0(sizeof(PaTarget));

	target->context = CurrentMemoryContext;
	target->release = release;
	target->asked = asked;
	target->keys = palloc0(sizeof(PaTargetKey) * Max(spec->nkeys, 1));
	take_levels(target);
	target->met = !release->declared_groups;
	for (int i = 0; i < spec->nkeys; i++)
		if (target->met && (spec->keys[i].listed >= 0 || release->key_rows))
			target->keys[i].met = true;
		else
			take_key(target, i);
	if (target->met)
		return target;
	target->combinations = count_combinations(target);
	if (target->combinations < 0 ||
		(is_listed_together(spec) && target->combinations * pa_key_rows_count(release->key_rows) > MOST_LISTED_WORK))
		return NULL;
	target->exists = palloc(Max(target->combinations, 1));
	memset(target->exists, true, target->combinations);
	if (is_listed_together(spec))
		mark_listed(target);
	return target;
}

void
pa_target_add_points(const PaTarget *target, PaLayout *layout)
{
	for (int i = 0; i < target->release->spec->nkeys; i++)
	{
		int			dimension = pa_layout_find(layout, list_nth(target->asked->keys, i));

		for (int j = 0; dimension >= 0 && j < target->keys[i].count; j++)
			if (!target->keys[i].nulls[j])
				pa_layout_add_point(layout, dimension, target->keys[i].values[j]);
	}
}

/* --- cells --- */

/* The value of a key in a cell. */
static int
value_at(const PaTarget *target, const PaLayout *layout, int key, const int *places)
{
	Datum		value;
	bool		isnull;
	int			found;

	if (!pa_layout_value(layout, list_nth(target->asked->keys, key), places, &value, &isnull))
		/* what is in a gap between all values of the key is none of them, if these are known */
		return !target->keys[key].met && pa_layout_find(layout, list_nth(target->asked->keys, key)) >= 0 ? PA_NO_GROUP : PA_UNKNOWN_GROUP;
	found = index_of(target, key, value, isnull);
	if (found < 0 && target->keys[key].met)
		return add_value(target, key, value, isnull);
	return found >= 0 ? found : PA_NO_GROUP;
}

/* That of each cell; most keys are of one dimension, where a place is looked at once. */
static int *
values_of_key(const PaTarget *target, const PaLayout *layout, int key, const int *places, int ncells)
{
	uint32		used = pa_layout_uses(layout, list_nth(target->asked->keys, key));
	int			dimension = used != 0 && (used & (used - 1)) == 0 && used != 1u << 31 ? __builtin_ctz(used) : -1;
	int		   *known = NULL;
	int		   *values = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int) * Max(ncells, 1));
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "privacct derived keys", ALLOCSET_SMALL_SIZES);

	if (dimension >= 0)
	{
		known = palloc(sizeof(int) * pa_layout_places(&layout->dimensions[dimension]));
		for (int i = 0; i < pa_layout_places(&layout->dimensions[dimension]); i++)
			known[i] = INT_MIN;
	}
	for (int i = 0; i < ncells; i++)
	{
		const int  *at = places + (size_t) i * layout->ndimensions;
		MemoryContext caller = MemoryContextSwitchTo(scratch);

		CHECK_FOR_INTERRUPTS();
		if (dimension < 0)
			values[i] = value_at(target, layout, key, at);
		else if (known[at[dimension]] == INT_MIN)
			known[at[dimension]] = value_at(target, layout, key, at);
		if (dimension >= 0)
			values[i] = known[at[dimension]];
		MemoryContextSwitchTo(caller);
		MemoryContextReset(scratch);
	}
	MemoryContextDelete(scratch);
	return values;
}

static void
forget_met(PaTarget *target)
{
	for (int i = 0; i < target->release->spec->nkeys; i++)
		if (target->keys[i].met)
			target->keys[i].count = 0;
}

/* Cells that are known to be in a group are all that there is of those that are met. */
static void
take_met(PaTarget *target, const int64 *groups, int ncells)
{
	target->exists = palloc0(Max(target->combinations, 1));
	for (int j = 0; j < ncells; j++)
		if (groups[j] >= 0)
			target->exists[groups[j]] = true;
}

int64 *
pa_target_groups(PaTarget *target, const PaLayout *layout, const int *places, int ncells)
{
	int64	   *groups = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int64) * Max(ncells, 1));
	int			nkeys = target->release->spec->nkeys;
	int		  **values = palloc(sizeof(int *) * Max(nkeys, 1));

	forget_met(target);
	for (int i = 0; i < nkeys; i++)
		values[i] = values_of_key(target, layout, i, places, ncells);
	target->combinations = count_combinations(target);
	if (target->combinations < 0)
		return NULL;
	for (int j = 0; j < ncells; j++)
	{
		groups[j] = 0;
		for (int i = 0; i < nkeys; i++)
			if (groups[j] == PA_NO_GROUP || values[i][j] == PA_NO_GROUP)
				groups[j] = PA_NO_GROUP;
			else if (groups[j] == PA_UNKNOWN_GROUP || values[i][j] == PA_UNKNOWN_GROUP)
				groups[j] = PA_UNKNOWN_GROUP;
			else
				groups[j] = groups[j] * target->keys[i].count + values[i][j];
	}
	if (target->met)
		take_met(target, groups, ncells);
	for (int j = 0; j < ncells; j++)
		if (groups[j] >= 0 && !target->exists[groups[j]])
			groups[j] = PA_NO_GROUP;
	return groups;
}

int64
pa_target_at_level(const PaTarget *target, uint32 level, int64 combination)
{
	int64		result = 0;

	for (int i = 0; i < target->release->spec->nkeys; i++)
		result = result * target->keys[i].count + (level >> i & 1 ? digit(target, combination, i) : 0);
	return result;
}

void
pa_target_keys(const PaTarget *target, uint32 level, int64 combination, Datum *values, bool *nulls)
{
	for (int i = 0; i < target->release->spec->nkeys; i++)
	{
		const PaTargetKey *key = &target->keys[i];
		int			number = digit(target, combination, i);

		nulls[i] = (level >> i & 1) == 0 || key->nulls[number];
		values[i] = nulls[i] ? (Datum) 0 : key->values[number];
	}
}
