/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central_selected_levels.c
 *		The rows of GROUPING SETS, ROLLUP and CUBE where groups are selected.
 *
 * Groups are selected at the levels that no other one has the keys of, and
 * elsewhere those are shown that a selected group is a part of.  The numbers of a group are those of all its
 * rows, shown elsewhere or not, with noise of its own (docs/theory-derived.md).
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#include "bound/group_order.h"
#include "node/central.h"
#include "price/form/form.h"
#include "price/levels.h"

typedef struct Level
{
	uint32		keys;
	PaGroupClasses groups;		/* of the level: classes of the finest ones */
	bool	   *shown;
} Level;

static void *
allocate(int count, Size size)
{
	return MemoryContextAllocExtended(CurrentMemoryContext, mul_size(Max(count, 1), size), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

static PaInt128 *
totals_of(const PaGroupTable *groups, const Level *level, int statistic)
{
	PaInt128   *totals = allocate(level->groups.count, sizeof(PaInt128));

	for (int i = 0; i < pa_groups_count(groups); i++)
		totals[level->groups.class_of[i]] += pa_groups_get(groups, i)->totals[statistic];
	return totals;
}

/* Undeclared groups that no owner was left in have no chance: see central_numbers.c. */
static bool
is_selected(const PaRelease *release, const PaStatistic *statistic, PaInt128 owners)
{
	return (owners > 0 || release->declared_groups) &&
		pa_release_noise(statistic, owners) >= pa_lattice_shift(&statistic->calibration.lattice, statistic->threshold);
}

/* What a group is a part of is shown at all levels. */
static void
show(const PaRelease *release, Level *levels, int group, uint32 keys)
{
	for (int i = 0; i < pa_levels_count(release->levels); i++)
		if ((levels[i].keys & ~keys) == 0)
			levels[i].shown[levels[i].groups.class_of[group]] = true;
}

static void
select_groups(const PaRelease *release, const PaGroupTable *groups, Level *levels, int at)
{
	int			selection = release->statistics->selection;
	const PaStatistic *statistic = pa_levels_noised(release->statistics, selection, at);
	PaInt128   *owners = totals_of(groups, &levels[at], selection);

	for (int i = 0; i < levels[at].groups.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (is_selected(release, statistic, owners[i]))
			show(release, levels, levels[at].groups.first[i], levels[at].keys);
	}
	pfree(owners);
}

static Level *
make_levels(const PaRelease *release, PaGroupTable *groups)
{
	int			count = pa_levels_count(release->levels);
	Level	   *levels = palloc(sizeof(Level) * count);
	uint32		keys = 0;
	PaGroupRanks *ranks;

	for (int i = 0; i < count; i++)
		keys |= pa_levels_keys(release->levels, i);
	ranks = pa_groups_rank(groups, keys);
	for (int i = 0; i < count; i++)
	{
		levels[i].keys = pa_levels_keys(release->levels, i);
		levels[i].groups = pa_groups_classes(ranks, levels[i].keys);
		levels[i].shown = allocate(levels[i].groups.count, sizeof(bool));
		if (levels[i].keys == 0)
			levels[i].shown[0] = true;
	}
	for (int i = 0; i < count; i++)
		if (pa_levels_selects(release->levels, i) && levels[i].keys != 0)
			select_groups(release, groups, levels, i);
	return levels;
}

/* A row has the values of the keys that it is grouped by; others are null. */
static void
keys_of(PaGroupTable *groups, const Level *level, int nkeys, int number, Datum *keys, bool *nulls)
{
	memset(nulls, true, sizeof(bool) * nkeys);
	if (level->keys == 0)
		return;
	pa_groups_keys(groups, level->groups.first[number], keys, nulls);
	for (int i = 0; i < nkeys; i++)
		nulls[i] |= (level->keys >> i & 1) == 0;
}

static void
hand_over_level(const PaRelease *release, PaGroupTable *groups, const Level *level, int number, PaRowTaker take, void *context)
{
	const PaLeafSpec *spec = release->spec;
	const PaStatistics *known = pa_levels_statistics(release, number, 1);
	PaInt128  **totals = palloc(sizeof(PaInt128 *) * (known->nsummed + 1));
	double	   *noised = palloc0(sizeof(double) * (release->statistics->nreleased + 1));
	PaEstimate *estimates = palloc0(sizeof(PaEstimate) * (spec->naggregates + 1));
	MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext, "privacct release row", ALLOCSET_SMALL_SIZES);

	for (int i = 0; i < known->nsummed; i++)
		totals[i] = totals_of(groups, level, i);
	for (int group = 0; group < level->groups.count; group++)
	{
		Datum		keys[PA_MAX_KEYS];
		bool		nulls[PA_MAX_KEYS];
		MemoryContext caller = MemoryContextSwitchTo(row_context);

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; level->shown[group] && i < known->nsummed; i++)
			if (i != known->selection)
				noised[i] = pa_statistic_value(&known->statistics[i], pa_release_noise(&known->statistics[i], totals[i][group]));
		for (int i = 0; level->shown[group] && i < spec->naggregates; i++)
			estimates[i] = pa_statistics_estimate(known, spec, i, noised);
		for (int i = 0; level->shown[group] && i < pa_levels_times(spec, level->keys); i++)
		{
			keys_of(groups, level, spec->nkeys, group, keys, nulls);
			take(context, level->keys, keys, nulls, estimates, NULL);
		}
		MemoryContextSwitchTo(caller);
		MemoryContextReset(row_context);
	}
	MemoryContextDelete(row_context);
	for (int i = 0; i < known->nsummed; i++)
		pfree(totals[i]);
}

void
pa_central_release_selected(const PaRelease *release, PaGroupTable *groups, PaRowTaker take, void *context)
{
	Level	   *levels = make_levels(release, groups);

	for (int i = 0; i < pa_levels_count(release->levels); i++)
		hand_over_level(release, groups, &levels[i], i, take, context);
}
