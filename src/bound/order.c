/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.c
 *		See order.h.
 *
 * The accumulators of an order are a number of values, and for each a tag and a cell,
 * as a heap whose first has the greatest tag: the one that gives way.
 */
#include "postgres.h"

#include <math.h>

#include "bound/order.h"
#include "session_random.h"

typedef struct Kept
{
	uint64		tag;
	int64		cell;
} Kept;

StaticAssertDecl(sizeof(Kept) == 2 * sizeof(int64), "a value that is kept takes two accumulators");

int
pa_order_room(const PaStatistic *statistic)
{
	return (int) (statistic->max_rows * (sizeof(Kept) / sizeof(int64)));
}

static inline Kept *
kept_in(const PaStatistic *statistic, const int64 *accumulators)
{
	return (Kept *) &accumulators[statistic->wide];
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
append(Kept *kept, int64 at, Kept value)
{
	for (; at > 0 && kept[(at - 1) / 2].tag < value.tag; at = (at - 1) / 2)
		kept[at] = kept[(at - 1) / 2];
	kept[at] = value;
}

static void
replace_first(Kept *kept, int64 count, Kept value)
{
	int64		at = 0;

	for (;;)
	{
		int64		below = 2 * at + 1;

		if (below + 1 < count && kept[below + 1].tag > kept[below].tag)
			below++;
		if (below >= count || kept[below].tag <= value.tag)
			break;
		kept[at] = kept[below];
		at = below;
	}
	kept[at] = value;
}

/* Among more than M values those with the least tags stay. */
static void
keep(const PaStatistic *statistic, int64 *count, Kept *kept, Kept value)
{
	if (*count < statistic->max_rows)
		append(kept, (*count)++, value);
	else if (value.tag < kept->tag)
		replace_first(kept, *count, value);
}

void
pa_order_keep(const PaStatistic *statistic, double x, int64 *count, int64 *accumulators)
{
	Kept		value = {pa_random_u64(pa_session_random()), cell_of(statistic, x)};

	keep(statistic, count, kept_in(statistic, accumulators), value);
}

void
pa_order_merge(const PaStatistic *statistic, int64 *count, int64 *accumulators, int64 other_count, const int64 *others)
{
	for (int64 i = 0; i < other_count; i++)
		keep(statistic, count, kept_in(statistic, accumulators), kept_in(statistic, others)[i]);
}

void
pa_orders_contribute(const PaStatistics *set, const int64 *accumulators, int group, PaSortedCells *cells)
{
	for (int i = 0; i < set->nsummed; i++)
		if (set->statistics[i].order)
			for (int64 j = 0; j < accumulators[i]; j++)
				pa_sorted_cells_add(cells, group, i, kept_in(&set->statistics[i], accumulators)[j].cell);
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
