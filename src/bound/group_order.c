/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * group_order.c
 *		See group_order.h.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "bound/group_order.h"

static void *
allocate(int count, Size size)
{
	return MemoryContextAllocHuge(CurrentMemoryContext, Max(count, 1) * size);
}

/* --- by values --- */

/* A group to be sorted, with the first of its keys beside it. */
typedef struct SortedGroup
{
	Datum		value;
	bool		isnull;
	int			number;
} SortedGroup;

/* By which keys */
typedef struct KeyRange
{
	PaGroupTable *table;
	int			first;
	int			last;
} KeyRange;

static int
compare_groups(const void *a, const void *b, void *arg)
{
	const KeyRange *by = arg;
	PaGroupTable *table = by->table;
	const SortedGroup *first = a;
	const SortedGroup *second = b;
	int			order = pa_groups_compare_keys(table, by->first, first->value, first->isnull, second->value, second->isnull);
	Datum		left[PA_MAX_KEYS],
				right[PA_MAX_KEYS];
	bool		left_null[PA_MAX_KEYS],
				right_null[PA_MAX_KEYS];

	CHECK_FOR_INTERRUPTS();
	if (order != 0 || by->first == by->last)
		return order;
	pa_groups_keys(table, first->number, left, left_null);
	pa_groups_keys(table, second->number, right, right_null);
	for (int key = by->first + 1; order == 0 && key <= by->last; key++)
		order = pa_groups_compare_keys(table, key, left[key], left_null[key], right[key], right_null[key]);
	return order;
}

static SortedGroup *
sort_groups(KeyRange by)
{
	int			count = pa_groups_count(by.table);
	SortedGroup *sorted = allocate(count, sizeof(SortedGroup));

	for (int i = 0; i < count; i++)
	{
		Datum		values[PA_MAX_KEYS];
		bool		nulls[PA_MAX_KEYS];

		pa_groups_keys(by.table, i, values, nulls);
		sorted[i] = (SortedGroup) {values[by.first], nulls[by.first], i};
	}
	qsort_arg(sorted, count, sizeof(SortedGroup), compare_groups, &by);
	return sorted;
}

int *
pa_groups_order(PaGroupTable *table)
{
	int			count = pa_groups_count(table);
	int		   *order = allocate(count, sizeof(int));
	SortedGroup *sorted = NULL;

	if (!pa_groups_are_in_order(table))
		sorted = sort_groups((KeyRange) {table, 0, pa_groups_key_count(table) - 1});
	for (int i = 0; i < count; i++)
		order[i] = sorted ? sorted[i].number : i;
	if (sorted)
		pfree(sorted);
	return order;
}

/* --- by ranks --- */

struct PaGroupRanks
{
	int			count;			/* of groups */
	int			distinct[PA_MAX_KEYS];	/* how many ranks each key has */
	int		   *rank[PA_MAX_KEYS];	/* by number of the group */
};

static void
rank_key(PaGroupRanks *ranks, PaGroupTable *table, int key)
{
	KeyRange	by = {table, key, key};
	SortedGroup *sorted = sort_groups(by);
	int			rank = -1;

	ranks->rank[key] = allocate(ranks->count, sizeof(int));
	for (int i = 0; i < ranks->count; i++)
	{
		if (i == 0 || compare_groups(&sorted[i - 1], &sorted[i], &by) != 0)
			rank++;
		ranks->rank[key][sorted[i].number] = rank;
	}
	ranks->distinct[key] = rank + 1;
	pfree(sorted);
}

PaGroupRanks *
pa_groups_rank(PaGroupTable *table, uint32 keys)
{
	PaGroupRanks *ranks = palloc0(sizeof(PaGroupRanks));

	ranks->count = pa_groups_count(table);
	for (int key = 0; key < pa_groups_key_count(table); key++)
		if (keys >> key & 1)
			rank_key(ranks, table, key);
	return ranks;
}

/* --- classes --- */

/* A group with its ranks in some keys, as one number: in the order of the first of them, then of the next. */
typedef struct CodedGroup
{
	uint64		code;
	int			number;
} CodedGroup;

#define ST_SORT sort_codes
#define ST_ELEMENT_TYPE CodedGroup
#define ST_COMPARE(a, b) ((a)->code < (b)->code ? -1 : (a)->code > (b)->code)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Codes from 0 without gaps; returns how many. */
static uint64
close_gaps(CodedGroup *groups, int count)
{
	uint64		before = 0;
	uint64		code = 0;

	sort_codes(groups, count);
	for (int i = 0; i < count; i++)
	{
		code += i > 0 && groups[i].code != before;
		before = groups[i].code;
		groups[i].code = code;
	}
	return count > 0 ? code + 1 : 0;
}

static int
code_groups(const PaGroupRanks *ranks, uint32 keys, CodedGroup *groups)
{
	uint64		span = 1;		/* codes are below it */

	for (int i = 0; i < ranks->count; i++)
		groups[i] = (CodedGroup) {0, i};
	for (int key = 0; key < PA_MAX_KEYS; key++)
	{
		uint64		distinct = ranks->distinct[key];

		if ((keys >> key & 1) == 0)
			continue;
		if (distinct > 0 && span > PG_UINT64_MAX / distinct)
			span = close_gaps(groups, ranks->count);
		for (int i = 0; i < ranks->count; i++)
			groups[i].code = groups[i].code * distinct + ranks->rank[key][groups[i].number];
		span *= distinct;
	}
	return (int) close_gaps(groups, ranks->count);
}

PaGroupClasses
pa_groups_classes(const PaGroupRanks *ranks, uint32 keys)
{
	PaGroupClasses classes = {.class_of = allocate(ranks->count, sizeof(int)),.first = allocate(ranks->count, sizeof(int))};
	CodedGroup *groups = allocate(ranks->count, sizeof(CodedGroup));

	classes.count = code_groups(ranks, keys, groups);
	for (int i = 0; i < ranks->count; i++)
	{
		int			class = (int) groups[i].code;

		if (i == 0 || class != (int) groups[i - 1].code)
			classes.first[class] = groups[i].number;
		classes.class_of[groups[i].number] = class;
	}
	pfree(groups);
	if (keys == 0)
	{
		classes.first[0] = 0;
		classes.count = 1;
	}
	return classes;
}
