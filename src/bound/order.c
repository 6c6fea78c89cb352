/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.c
 *		See order.h.
 *
 * The accumulators of an order are a number of values and where they are: each a tag and
 * a cell, as a heap whose first has the greatest tag, the one that gives way.  The heap
 * lies in parts, each twice as large as the one before: a row takes the memory of one at
 * most, and copies none.
 */
#include "postgres.h"

#include <math.h>

#include "port/pg_bitutils.h"

#include "bound/order.h"
#include "session_random.h"

#define FIRST_PART 4			/* values */

typedef struct Kept
{
	uint64		tag;
	int64		cell;
} Kept;

StaticAssertDecl(sizeof(Kept *) <= sizeof(int64), "an accumulator holds where values are");

/* Part p begins after so many values. */
static inline int64
before_part(int part)
{
	return FIRST_PART * ((INT64CONST(1) << part) - 1);
}

static inline int
part_of(int64 at)
{
	return pg_leftmost_one_pos64((uint64) at / FIRST_PART + 1);
}

int
pa_order_room(const PaStatistic *statistic)
{
	return part_of(statistic->max_rows - 1) + 1;
}

/* The values that an owner has in a group. */
typedef struct Heap
{
	int64		most;
	int64	   *count;
	int64	   *parts;			/* Kept *, as far as there are values */
} Heap;

static inline Heap
heap_of(const PaStatistic *statistic, int64 *count, int64 *accumulators)
{
	return (Heap) {statistic->max_rows, count, &accumulators[statistic->wide]};
}

static inline Kept *
at_place(const int64 *parts, int64 at)
{
	int			part = part_of(at);

	return (Kept *) (uintptr_t) parts[part] + (at - before_part(part));
}

/* A group that gave way to another may have left the part. */
static void
make_place(const Heap *heap, PaKeptRoom *room)
{
	int			part = part_of(*heap->count);
	int64		first = before_part(part);
	size_t		size = sizeof(Kept) * (Min(before_part(part + 1), heap->most) - first);

	if (*heap->count > first || heap->parts[part] != 0)
		return;
	heap->parts[part] = (int64) (uintptr_t) MemoryContextAlloc(room->context, size);
	room->used += size;
}

static int64
cell_of(const PaStatistic *statistic, double x)
{
	int64		cell = (int64) rint(Min(Max(x, statistic->lo), statistic->hi) * statistic->steps) - statistic->order->first;

	return Min(Max(cell, 0), statistic->order->cells - 1);
}

double
pa_order_value(const PaStatistic *statistic, int64 cell)
{
	double		value = ldexp((double) (statistic->order->first + cell), statistic->exponent);

	return Min(Max(value, statistic->lo), statistic->hi);
}

static void
append(const Heap *heap, Kept value)
{
	int64		at = (*heap->count)++;

	for (; at > 0 && at_place(heap->parts, (at - 1) / 2)->tag < value.tag; at = (at - 1) / 2)
		*at_place(heap->parts, at) = *at_place(heap->parts, (at - 1) / 2);
	*at_place(heap->parts, at) = value;
}

static void
replace_first(const Heap *heap, Kept value)
{
	int64		at = 0;

	for (;;)
	{
		int64		below = 2 * at + 1;

		if (below + 1 < *heap->count && at_place(heap->parts, below + 1)->tag > at_place(heap->parts, below)->tag)
			below++;
		if (below >= *heap->count || at_place(heap->parts, below)->tag <= value.tag)
			break;
		*at_place(heap->parts, at) = *at_place(heap->parts, below);
		at = below;
	}
	*at_place(heap->parts, at) = value;
}

/* Among more than M values those with the least tags stay. */
static void
keep(const Heap *heap, Kept value, PaKeptRoom *room)
{
	if (*heap->count < heap->most)
	{
		make_place(heap, room);
		append(heap, value);
	}
	else if (value.tag < at_place(heap->parts, 0)->tag)
		replace_first(heap, value);
}

void
pa_order_keep(const PaStatistic *statistic, double x, int64 *count, int64 *accumulators, PaKeptRoom *room)
{
	Kept		value = {pa_random_u64(pa_session_random()), cell_of(statistic, x)};
	Heap		heap = heap_of(statistic, count, accumulators);

	keep(&heap, value, room);
}

void
pa_order_merge(const PaStatistic *statistic, int64 *count, int64 *accumulators, int64 other_count, const char *values,
			   PaKeptRoom *room)
{
	Heap		heap = heap_of(statistic, count, accumulators);

	for (int64 i = 0; i < other_count; i++)
	{
		Kept		value;

		memcpy(&value, values + i * sizeof(Kept), sizeof(Kept));	/* for its alignment */
		keep(&heap, value, room);
	}
}

/* --- packed --- */

size_t
pa_order_packed_size(int64 count)
{
	return sizeof(Kept) * count;
}

size_t
pa_orders_packed_size(const PaStatistics *set, const int64 *accumulators)
{
	size_t		size = 0;

	for (int i = 0; i < set->nsummed; i++)
		if (set->statistics[i].order)
			size += pa_order_packed_size(accumulators[i]);
	return size;
}

size_t
pa_orders_most_packed(const PaStatistics *set)
{
	size_t		size = 0;

	for (int i = 0; i < set->nsummed; i++)
		if (set->statistics[i].order)
			size += pa_order_packed_size(set->statistics[i].max_rows);
	return size;
}

void
pa_orders_pack(const PaStatistics *set, const int64 *accumulators, char *values)
{
	for (int i = 0; i < set->nsummed; i++)
		if (set->statistics[i].order)
			for (int64 j = 0; j < accumulators[i]; j++, values += sizeof(Kept))
				memcpy(values, at_place(&accumulators[set->statistics[i].wide], j), sizeof(Kept));
}

/* --- cells --- */

void
pa_orders_contribute(const PaStatistics *set, const int64 *accumulators, int group, PaSortedCells *cells)
{
	for (int i = 0; i < set->nsummed; i++)
		if (set->statistics[i].order)
			for (int64 j = 0; j < accumulators[i]; j++)
				pa_sorted_cells_add(cells, group, i, at_place(&accumulators[set->statistics[i].wide], j)->cell);
}

void
pa_orders_take_row(const PaStatistics *set, const PaValue *inputs, int group, PaSortedCells *cells)
{
	for (int i = 0; i < set->nsummed; i++)
	{
		const PaStatistic *statistic = &set->statistics[i];

		if (statistic->order && inputs[statistic->input].present)
			pa_sorted_cells_add(cells, group, i, cell_of(statistic, inputs[statistic->input].value));
	}
}

bool
pa_has_orders(const PaStatistics *set)
{
	for (int i = 0; i < set->nsummed; i++)
		if (set->statistics[i].order)
			return true;
	return false;
}
