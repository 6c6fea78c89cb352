/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central_preview.c
 *		privacct.preview() of a central release: its noise, other noise and other limits
 *		at the same cost, and what all of it costs.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "bound/distinct.h"
#include "bound/gate.h"
#include "catalog/account.h"
#include "node/central.h"
#include "node/derive.h"
#include "node/repeat.h"
#include "price/choice.h"
#include "price/levels.h"
#include "price/limits.h"
#include "price/mechanism.h"
#include "price/order.h"
#include "price/price.h"
#include "price/refine.h"
#include "price/slots.h"
#include "price/unit/unit.h"
#include "size_limits.h"

static int64
releases_left(const PaRelease *release, const PaCost *cost)
{
	int64		quota;

	if (pa_accountant(release->policy->accountant)->counts_uses)
		return pa_plan_releases_left(release);
	quota = pa_releases_left_of_quota(release->policy, release->payer, cost);
	return release->unit->owners_pay ? quota :
		Min(quota, pa_releases_left_of_policy(release->policy, release->owners, cost));
}

/* What the release costs, or a part of it, and how often that is left. */
static void
put_cost_of(PaPreview *preview, const PaRelease *release, const PaCost *cost)
{
	int64		left = releases_left(release, cost);

	pa_preview_amount(preview, PA_PREVIEW_EPSILON, cost->epsilon);
	pa_preview_amount(preview, PA_PREVIEW_DELTA, cost->delta);
	if (release->rho_known)
		pa_preview_amount(preview, PA_PREVIEW_RHO, cost->rho);
	if (release->unit->owners_pay)
	{
		PaBearers	bearers = pa_owner_gate->bearers(release->policy, pa_amount_to_double(release->cost.epsilon));

		pa_preview_owners(preview, bearers.able, bearers.known, bearers.newcomers);
		left = Min(left, bearers.releases);
	}
	pa_preview_left(preview, left);
}

static void
put_cost(PaPreview *preview, const PaRelease *release)
{
	put_cost_of(preview, release, &release->cost);
}

/* Half of an interval of what is released of it. */
static double
released_error(const PaRelease *release, const PaStatistic *statistic)
{
	if (release->levels)
		return pa_levels_error(release, statistic->base, statistic->level, PA_CONFIDENCE);
	return pa_statistic_error(statistic, PA_CONFIDENCE) / release->statistics->rate;
}

/*
 * Error of noise and sampling together, if so many owners contribute the most
 * that they can; NAN where that many is not known and matters.
 */
static double
total_error(const PaRelease *release, const PaStatistic *statistic, double owners)
{
	double		rate = release->statistics->rate;
	double		noise = released_error(release, statistic);
	double		reach = pa_statistic_value(statistic, statistic->calibration.shift);

	if (rate == 1)
		return noise;
	return hypot(noise, PA_NORMAL_95 * sqrt((1 - rate) / rate * owners) * reach);
}

static void
put_statistic(PaPreview *preview, const PaRelease *release, int index, bool used)
{
	const PaStatistic *statistic = &release->statistics->statistics[index];
	const PaCalibration *calibration = &statistic->calibration;
	double		step = pa_statistic_value(statistic, 1);

	pa_preview_begin(preview, statistic->label, used);
	pa_preview_text(preview, PA_PREVIEW_KERNEL, pa_kernel_name(calibration->kernel.kind));
	if (!pa_kernel_is_table(calibration->kernel.kind))
		pa_preview_number(preview, PA_PREVIEW_SCALE, pa_kernel_scale(&calibration->kernel) * step);
	if (pa_kernel_recycles(calibration->kernel.kind))
		pa_preview_number(preview, PA_PREVIEW_Q, pa_kernel_recycling(&calibration->kernel));
	pa_preview_number(preview, PA_PREVIEW_SENSITIVITY, calibration->shift * step);
	pa_preview_groups(preview, release->max_groups);
	if (pa_limit_text(release, statistic))
		pa_preview_text(preview, PA_PREVIEW_LIMIT, pa_limit_text(release, statistic));
	if (statistic->within >= 0)
		pa_preview_number(preview, PA_PREVIEW_WITHIN, statistic->within);
	pa_preview_number(preview, PA_PREVIEW_ACCEPTANCE, calibration->acceptance);
	pa_preview_number(preview, PA_PREVIEW_ERROR, released_error(release, statistic));
	pa_preview_number(preview, PA_PREVIEW_TOTAL_ERROR, total_error(release, statistic, preview->owners));
	if (release->select_groups && statistic->base == release->statistics->selection)
		pa_preview_threshold(preview, statistic->threshold);
	put_cost(preview, release);
	pa_preview_end(preview);
}

/*
 * The noise that would be used, and every other kind at the same cost.  Each is a
 * copy of the whole release, so it is forgotten before the next.
 */
static void
put_comparison(PaPreview *preview, const PaRelease *release, int index)
{
	PaKernelKind used = release->statistics->statistics[index].calibration.kernel.kind;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct comparison", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);

	for (int kind = 0; kind < PA_KERNEL_KINDS; kind++)
	{
		const PaRelease *shown = kind == (int) used ? release :
			index < release->statistics->nsummed ? pa_release_alternative(release, index, (PaKernelKind) kind) : NULL;

		CHECK_FOR_INTERRUPTS();
		if (shown)
			put_statistic(preview, shown, index, shown == release);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* Whether an aggregate before it shares its sum, and was compared. */
static bool
is_compared(const PaRelease *release, int aggregate)
{
	const PaAggregateSource *sources = release->statistics->sources;

	for (int i = 0; i < aggregate; i++)
		if (sources[i].sum == sources[aggregate].sum)
			return true;
	return false;
}

/* The other limit of each sum that has two. */
static void
put_limits(PaPreview *preview, const PaRelease *release)
{
	static const PaLimitKind limits[] = {PA_LIMIT_ROWS, PA_LIMIT_OWNER};

	for (int i = 0; i < release->spec->naggregates; i++)
		for (int j = 0; j < lengthof(limits) && !is_compared(release, i); j++)
		{
			int			statistic;
			const PaRelease *other = pa_limit_alternative(release, i, limits[j], &statistic);

			if (other)
				put_statistic(preview, other, statistic, false);
		}
}

/* What is drawn by the exponential mechanism has no noise to compare. */
static void
put_choice(PaPreview *preview, const PaRelease *release)
{
	pa_preview_begin(preview, release->statistics->statistics[0].label, true);
	pa_preview_text(preview, PA_PREVIEW_KERNEL, pa_mechanism_of_choice()->name);
	pa_preview_groups(preview, release->max_groups);
	pa_preview_number(preview, PA_PREVIEW_SCALE, pa_choice_scale(release));
	put_cost(preview, release);
	pa_preview_end(preview);
}

static void
put_order(PaPreview *preview, const PaRelease *release, const PaStatistic *statistic)
{
	pa_preview_begin(preview, statistic->label, true);
	pa_preview_text(preview, PA_PREVIEW_KERNEL, pa_mechanism_of_choice()->name);
	pa_preview_groups(preview, release->max_groups);
	pa_preview_text(preview, PA_PREVIEW_LIMIT, pa_limit_text(release, statistic));
	pa_preview_number(preview, PA_PREVIEW_SCALE, pa_order_scale(statistic));
	pa_preview_number(preview, PA_PREVIEW_ERROR, pa_order_error(statistic, PA_CONFIDENCE).certain);
	put_cost(preview, release);
	pa_preview_end(preview);
}

static void
put_cap(PaPreview *preview, const PaRelease *release, const PaStatistic *statistic)
{
	pa_preview_begin(preview, statistic->label, true);
	pa_preview_text(preview, PA_PREVIEW_KERNEL, pa_mechanism_of_choice()->name);
	pa_preview_groups(preview, release->max_groups);
	pa_preview_text(preview, PA_PREVIEW_LIMIT, pa_limit_text(release, statistic));
	pa_preview_number(preview, PA_PREVIEW_SCALE, 2 / statistic->choice->terms.epsilon);
	put_cost(preview, release);
	pa_preview_end(preview);
}

/* Totals that are sums of groups: they have no noise of their own. */
static void
put_added_up(PaPreview *preview, const PaRelease *release)
{
	for (int i = 0; release->levels && i < release->statistics->nsummed; i++)
		for (int j = 0; j < pa_levels_count(release->levels); j++)
		{
			double		error;

			if (!pa_levels_adds_up(release, i, j))
				continue;
			error = pa_levels_error(release, i, j, PA_CONFIDENCE);
			pa_preview_begin(preview, pa_levels_label(release, i, j), true);
			pa_preview_number(preview, PA_PREVIEW_ERROR, error);
			pa_preview_number(preview, PA_PREVIEW_TOTAL_ERROR, error);
			put_cost(preview, release);
			pa_preview_end(preview);
		}
}

/* What noise on time adds to the cost; its scale in seconds. */
static void
put_time(PaPreview *preview, const PaRelease *release)
{
	const PaKernel *kernel = &release->delay.kernel;
	PaCost		time = pa_price_of_time(release->policy, &release->delay);

	if (release->delay.reach == 0)
		return;
	pa_preview_begin(preview, "time", true);
	pa_preview_text(preview, PA_PREVIEW_KERNEL, pa_kernel_name(kernel->kind));
	pa_preview_number(preview, PA_PREVIEW_SCALE, pa_kernel_scale(kernel) * PA_ROW_WORK_MICROSECONDS / 1e6);
	pa_preview_amount(preview, PA_PREVIEW_EPSILON, time.epsilon);
	pa_preview_amount(preview, PA_PREVIEW_DELTA, time.delta);
	pa_preview_amount(preview, PA_PREVIEW_RHO, time.rho);
	pa_preview_end(preview);
}

/* Where numbers are refined: if the first stage is exact enough. */
static void
put_least(PaPreview *preview, const PaRelease *release)
{
	PaCost		first;

	if (release->refinement == NULL)
		return;
	first = pa_refinement_cost(release, 0);
	pa_preview_begin(preview, psprintf("release, first of %d stages", release->refinement->nstages), true);
	put_cost_of(preview, release, &first);
	pa_preview_end(preview);
}

static void
put_total(PaPreview *preview, const PaRelease *release)
{
	pa_preview_begin(preview, "release", true);
	put_cost(preview, release);
	pa_preview_end(preview);
}

/* What would be handed up instead. */
static void
put_repeat(PaPreview *preview, const char *repeat)
{
	if (repeat == NULL)
		return;
	pa_preview_begin(preview, psprintf("repeat, %s", repeat), true);
	pa_preview_amount(preview, PA_PREVIEW_EPSILON, 0);
	pa_preview_amount(preview, PA_PREVIEW_DELTA, 0);
	pa_preview_amount(preview, PA_PREVIEW_RHO, 0);
	pa_preview_end(preview);
}

/* What follows from releases that were paid for. */
static void
put_derived(PaPreview *preview, const PaRelease *release, List *expressions, ExprContext *context)
{
	const PaDerived *derived = pa_policy_repeats(release->policy) ? pa_derive(release, expressions, context, GetActiveSnapshot()) : NULL;

	for (int i = 0; derived && derived->problem == NULL && i < release->statistics->nsummed; i++)
	{
		if (i == release->statistics->selection)
			continue;
		pa_preview_begin(preview, psprintf("derived, %s", release->statistics->statistics[i].plain_label), false);
		pa_preview_number(preview, PA_PREVIEW_ERROR, derived->errors[i]);
		pa_preview_number(preview, PA_PREVIEW_TOTAL_ERROR, derived->errors[i]);
		pa_preview_amount(preview, PA_PREVIEW_EPSILON, 0);
		pa_preview_amount(preview, PA_PREVIEW_DELTA, 0);
		pa_preview_amount(preview, PA_PREVIEW_RHO, 0);
		pa_preview_end(preview);
	}
}

void
pa_central_preview(PaLeafSpec *spec, const CustomScan *scan, ExprContext *context, PaPreview *preview)
{
	PaRelease  *release = pa_release_prepare(spec, pa_leaf_arguments(scan), context, GetUserId(), GetActiveSnapshot());

	if (release->choose > 0)
		put_choice(preview, release);
	for (int i = 0; release->choose == 0 && i < release->statistics->nstatistics; i++)
		if (release->statistics->statistics[i].order)
			put_order(preview, release, &release->statistics->statistics[i]);
		else if (release->statistics->statistics[i].kind == PA_STAT_CAP)
			put_cap(preview, release, &release->statistics->statistics[i]);
		else
			put_comparison(preview, release, i);
	put_added_up(preview, release);
	if (release->choose == 0)
	{
		put_limits(preview, release);
		pa_preview_answers(preview, release);
	}
	put_time(preview, release);
	put_least(preview, release);
	put_total(preview, release);
	put_repeat(preview, pa_repeat_describe(release, pa_leaf_arguments(scan), context, GetActiveSnapshot()));
	put_derived(preview, release, pa_leaf_arguments(scan), context);
}
