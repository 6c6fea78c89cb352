/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central_numbers.c
 *		See central_numbers.h.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#include "bound/order.h"
#include "node/central_numbers.h"
#include "price/form/form.h"
#include "price/refine.h"

/* --- one group --- */

/*
 * Selects by the noised number of owners.  Unless it is declared, a group that no
 * owner was left in has no chance: it is there only because somebody has rows in more groups than
 * count, and there may be any number of such groups, while the threshold covers
 * as many as an owner counts in.
 */
static bool
select_group(const PaRelease *release, const PaGroup *group)
{
	int			selection = release->statistics->selection;
	const PaStatistic *statistic = &release->statistics->statistics[selection];
	PaInt128	owners = group->totals[selection];

	return (owners > 0 || release->declared_groups) &&
		pa_release_noise(statistic, owners) >= pa_lattice_shift(&statistic->calibration.lattice, statistic->threshold);
}

/* What is noised once. */
static bool
is_noised(const PaRelease *release, int statistic)
{
	const PaStatistics *set = release->statistics;

	return statistic != set->selection && set->statistics[statistic].order == NULL &&
		!(release->refinement && pa_is_refined(release, &set->statistics[statistic]));
}

/*
 * The numbers of a group: its statistics are noised, or drawn already; false if the group
 * is not selected.
 */
static bool
noise_group(const PaNumbers *numbers, int place, double *noised)
{
	const PaRelease *release = numbers->release;
	const PaStatistics *set = release->statistics;
	const PaGroup *group = pa_groups_get(numbers->groups, numbers->order[place]);

	if (release->select_groups && !select_group(release, group))
		return false;
	for (int i = 0; i < set->nstatistics; i++)
		if (set->statistics[i].kind == PA_STAT_CAP)
			noised[i] = (double) group->totals[i];
		else if (is_noised(release, i))
			noised[i] = pa_statistic_value(&set->statistics[i],
										   pa_release_noise(&set->statistics[i], group->totals[i]));
	if (numbers->drawn)
		memcpy(noised + set->nstatistics, numbers->drawn + (size_t) numbers->order[place] * set->nreleased + set->nstatistics,
			   sizeof(double) * (set->nreleased - set->nstatistics));
	return true;
}

/* --- stages --- */

static double *
numbers_at(const PaNumbers *numbers, int place)
{
	return numbers->numbers + (size_t) place * (numbers->release->statistics->nreleased + 1);
}

static void
refine_group(PaNumbers *numbers, int stage, int place)
{
	const PaStatistics *set = numbers->release->statistics;
	const PaGroup *group = pa_groups_get(numbers->groups, numbers->order[place]);

	for (int i = 0; i < set->nsummed; i++)
		if (pa_is_refined(numbers->release, &set->statistics[i]))
			numbers_at(numbers, place)[i] = pa_refine(numbers->release, i, stage, group->totals[i],
													  &numbers->refined[(size_t) place * set->nsummed + i]);
}

static bool
group_suffices(const PaNumbers *numbers, int place, PaEstimate *estimates)
{
	const PaLeafSpec *spec = numbers->release->spec;

	for (int i = 0; i < spec->naggregates; i++)
		if (numbers->release->arguments[i].options.relative > 0)
			estimates[i] = pa_statistics_estimate(numbers->known, spec, i, numbers_at(numbers, place));
	return pa_refined_suffices(numbers->release, estimates);
}

/* True if all groups are exact enough: what is compared was released, or would be. */
static bool
draw_stage(PaNumbers *numbers, int stage)
{
	PaEstimate *estimates = palloc0(sizeof(PaEstimate) * (numbers->release->spec->naggregates + 1));
	bool		suffices = true;

	numbers->known = numbers->release->refinement->stages[stage].known;
	for (int i = 0; i < pa_groups_count(numbers->groups); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!numbers->shown[i])
			continue;
		refine_group(numbers, stage, i);
		suffices &= group_suffices(numbers, i, estimates);
	}
	pfree(estimates);
	return suffices;
}

/* If the ledger does not take a stage, numbers stay as they are: they were paid for. */
static void
refine(PaNumbers *numbers)
{
	const PaRelease *release = numbers->release;

	for (int stage = 0; stage < release->refinement->nstages; stage++)
		if ((stage > 0 && !pa_release_charge_stage(release, stage)) || draw_stage(numbers, stage))
			break;
}

/* --- all --- */

static void *
allocate(Size count, Size size)
{
	return MemoryContextAllocExtended(CurrentMemoryContext, mul_size(Max(count, 1), size), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

PaNumbers *
pa_numbers_begin(const PaRelease *release, PaGroupTable *groups, const int *order, const double *drawn)
{
	PaNumbers  *numbers = palloc0(sizeof(PaNumbers));
	Size		count = release->refinement ? pa_groups_count(groups) : 1;

	*numbers = (PaNumbers) {.release = release,.groups = groups,.order = order,.drawn = drawn,.known = release->statistics};
	numbers->numbers = allocate(count, sizeof(double) * (release->statistics->nreleased + 1));
	if (release->refinement == NULL)
		return numbers;
	numbers->shown = allocate(count, sizeof(bool));
	numbers->refined = allocate(count, sizeof(PaRefined) * (release->statistics->nsummed + 1));
	for (int i = 0; i < pa_groups_count(groups); i++)
		numbers->shown[i] = noise_group(numbers, i, numbers_at(numbers, i));
	refine(numbers);
	return numbers;
}

const double *
pa_numbers_of(PaNumbers *numbers, int place)
{
	if (numbers->shown)
		return numbers->shown[place] ? numbers_at(numbers, place) : NULL;
	return noise_group(numbers, place, numbers->numbers) ? numbers->numbers : NULL;
}
