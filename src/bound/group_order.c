/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * group_order.c
 *		See group_order.h.
 *
 * Quicksort takes as many comparisons as there are pairs if groups come in an order that was
 * made for it.  They come in that of rows, which may be: so it starts with a random one.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "bound/group_order.h"
#include "session_random.h"

static void *
allocate(int count, Size size)
{
	return MemoryContextAllocHuge(CurrentMemoryContext, Max(count, 1) * size);
}

/* The numbers from 0 on. */
static int *
random_order(int count)
{
	int		   *order = allocate(count, sizeof(int));

	for (int i = 0; i < count; i++)
	{
		int			at = (int) pa_random_below(pa_session_random(), (uint64) i + 1);

		order[i] = order[at];
		order[at] = i;
	}
	return order;
}

/* --- by values --- */

/* A group to be sorted, with the key beside it that it is compared by. */
typedef struct SortedGroup
{
	Datum		value;
	bool		isnull;
	int			number;
} SortedGroup;

typedef struct KeyOrder
{
	PaGroupTable *table;
	int			key;
} KeyOrder;

static int
compare_groups(const void *a, const void *b, void *arg)
{
	const KeyOrder *by = arg;
	const SortedGroup *first = a;
	const SortedGroup *second = b;

	CHECK_FOR_INTERRUPTS();
	return pa_groups_compare_keys(by->table, by->key, first->value, first->isnull, second->value, second->isnull);
}

/* From the first to before the end; ends[i] becomes the end of those that agree in the key with the one at i, which is the first of them. */
static void
sort_by_key(KeyOrder by, SortedGroup *groups, int first, int end, int *ends)
{
	for (int i = first; i < end; i++)
		groups[i].value = pa_groups_key(by.table, groups[i].number, by.key, &groups[i].isnull);
	qsort_arg(groups + first, end - first, sizeof(SortedGroup), compare_groups, &by);
	for (int i = first; i < end; i = ends[i])
	{
		ends[i] = i + 1;
		while (ends[i] < end && compare_groups(&groups[i], &groups[ends[i]], &by) == 0)
			ends[i]++;
	}
}

/*
 * By one key after the other: groups that agree in one are compared by the next.  So each key
 * of a group is taken out of its row once, however many groups it is compared with.
 */
static SortedGroup *
sort_groups(PaGroupTable *table, int first, int last)
{
	int			count = pa_groups_count(table);
	SortedGroup *sorted = allocate(count, sizeof(SortedGroup));
	int		   *order = random_order(count);
	int		   *ends = allocate(count, sizeof(int));

	for (int i = 0; i < count; i++)
		sorted[i].number = order[i];
	ends[0] = count;
	for (int key = first; key <= last; key++)
		for (int i = 0, end; i < count; i = end)
		{
			end = ends[i];
			if (end - i > 1 || key == first)
				sort_by_key((KeyOrder) {table, key}, sorted, i, end, ends);
		}
	pfree(ends);
	pfree(order);
	return sorted;
}

int *
pa_groups_order(PaGroupTable *table)
{
	int			count = pa_groups_count(table);
	int		   *order = allocate(count, sizeof(int));
	SortedGroup *sorted = NULL;

	if (!pa_groups_are_in_order(table))
		sorted = sort_groups(table, 0, pa_groups_key_count(table) - 1);
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
	KeyOrder	by = {table, key};
	SortedGroup *sorted = sort_groups(table, key, key);
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
	int		   *order = random_order(ranks->count);

	for (int i = 0; i < ranks->count; i++)
		groups[i] = (CodedGroup) {0, order[i]};
	pfree(order);
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
