/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central_levels.c
 *		The rows of a release with levels: GROUPING SETS, ROLLUP and CUBE.
 *
 * What the session has is a plain function of what was drawn.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "node/central.h"
#include "price/form/form.h"
#include "price/levels.h"

typedef struct Numbers
{
	double	 ***statistics;		/* estimates: [statistic][level][cell] */
	double	 ***totals;			/* the same in whole steps, of aggregates that are such a total; NULL for others */
	double	  **noised;			/* what they were made of: [statistic with noise of its own][cell of its level] */
} Numbers;

static int
total_of(const PaAggregateSource *source)
{
	return source->sum >= 0 ? source->sum : source->count;
}

static Numbers
draw(const PaRelease *release, PaGroupTable *groups)
{
	const PaLeafSpec *spec = release->spec;
	const PaStatistics *set = release->statistics;
	Numbers		numbers = {palloc0(sizeof(double **) * (set->nsummed + 1)), palloc0(sizeof(double **) * (spec->naggregates + 1)),
	palloc0(sizeof(double *) * (set->nstatistics + 1))};

	for (int i = 0; i < set->nsummed; i++)
		numbers.statistics[i] = pa_levels_release(release, groups, i, numbers.noised);
	for (int i = 0; i < spec->naggregates; i++)
	{
		const PaLeafAggregate *aggregate = &spec->aggregates[i];
		int			statistic = total_of(&set->sources[i]);

		if (pa_aggregate_form(aggregate->kind)->is_total)
			numbers.totals[i] = pa_levels_round(release, numbers.statistics[statistic], statistic, aggregate->result_type);
	}
	return numbers;
}

/* The interval is about the estimate, from which a whole number may differ. */
static PaEstimate
with_total(PaEstimate estimate, double total)
{
	estimate.value = total;
	estimate.low = Min(estimate.low, total);
	estimate.high = Max(estimate.high, total);
	return estimate;
}

static void
estimate_cell(const PaRelease *release, const PaStatistics *known, const Numbers *numbers, int level, int64 cell,
			  double *noised, PaEstimate *estimates)
{
	for (int i = 0; i < known->nsummed; i++)
		noised[i] = numbers->statistics[i][level][cell];
	for (int i = 0; i < release->spec->naggregates; i++)
	{
		estimates[i] = pa_statistics_estimate(known, release->spec, i, noised);
		if (numbers->totals[i])
			estimates[i] = with_total(estimates[i], numbers->totals[i][level][cell]);
	}
}

/* The values of the keys that a row is grouped by; others are null. */
static void
keys_of(const PaRelease *release, PaGroupTable *groups, int level, int64 cell, Datum *keys, bool *nulls)
{
	pa_groups_keys(groups, (int) pa_levels_group(release->levels, level, cell), keys, nulls);
	for (int i = 0; i < release->spec->nkeys; i++)
		nulls[i] |= (pa_levels_keys(release->levels, level) >> i & 1) == 0;
}

/* Of the groups of a level that have as many members, in the memory of the level. */
static const PaStatistics *
known_of(const PaRelease *release, int level, int members, const PaStatistics **known)
{
	if (known[members] == NULL)
		known[members] = pa_levels_statistics(release, level, members);
	return known[members];
}

static void
hand_over_level(const PaRelease *release, PaGroupTable *groups, const Numbers *numbers, int level, PaRowTaker take, void *context)
{
	const PaStatistics **known = MemoryContextAllocExtended(CurrentMemoryContext, sizeof(PaStatistics *) * (pa_levels_most_members(release->levels, level) + 1),
															MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	double	   *noised = palloc0(sizeof(double) * (release->statistics->nreleased + 1));
	double	   *totals = palloc0(sizeof(double) * (release->statistics->nstatistics + 1));
	PaEstimate *estimates = palloc0(sizeof(PaEstimate) * (release->spec->naggregates + 1));
	uint32		level_keys = pa_levels_keys(release->levels, level);
	int			times = pa_levels_times(release->spec, level_keys);
	MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext, "privacct release row", ALLOCSET_SMALL_SIZES);

	for (int64 cell = 0; times > 0 && cell < pa_levels_cells(release->levels, level); cell++)
	{
		Datum		keys[PA_MAX_KEYS];
		bool		nulls[PA_MAX_KEYS];
		const PaStatistics *statistics = known_of(release, level, pa_levels_members(release->levels, level, cell), known);
		MemoryContext caller = MemoryContextSwitchTo(row_context);

		CHECK_FOR_INTERRUPTS();
		estimate_cell(release, statistics, numbers, level, cell, noised, estimates);
		keys_of(release, groups, level, cell, keys, nulls);
		for (int i = 0; i < release->statistics->nstatistics; i++)
			if (release->statistics->statistics[i].level == level)
				totals[i] = numbers->noised[i][cell];
		for (int i = 0; i < times; i++)
			take(context, level_keys, keys, nulls, estimates, i == 0 ? totals : NULL);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(row_context);
	}
	MemoryContextDelete(row_context);
}

void
pa_central_release_levels(const PaRelease *release, PaGroupTable *groups, PaRowTaker take, void *context)
{
	Numbers		numbers = draw(release, groups);

	for (int i = 0; i < pa_levels_count(release->levels); i++)
		hand_over_level(release, groups, &numbers, i, take, context);
}
