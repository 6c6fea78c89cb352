/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * refine.c
 *		See refine.h.
 */
#include "postgres.h"

#include <math.h>

#include "core/refine/stop.h"

#include "catalog/price.h"
#include "price/calibration.h"
#include "price/price.h"
#include "price/refine.h"
#include "price/unit/unit.h"
#include "session_random.h"

static bool
fails(PaProblem *problem, const PaStatistic *statistic, const char *detail, const char *hint)
{
	*problem = (PaProblem) {"a relative error cannot be asked for here", detail, hint, statistic};
	return false;
}

/* --- what is refined --- */

static bool
is_part(const PaAggregateSource *source, int statistic)
{
	return source->count == statistic || source->sum == statistic || source->squares == statistic;
}

bool
pa_is_refined(const PaRelease *release, const PaStatistic *statistic)
{
	const PaStatistics *set = release->statistics;

	for (int i = 0; i < release->spec->naggregates; i++)
		if (release->arguments[i].options.relative > 0 && is_part(&set->sources[i], (int) (statistic - set->statistics)))
			return true;
	return false;
}

PaKernelKind
pa_refined_kernel(const PaRelease *release)
{
	return pa_currency_is_converted(pa_accountant(release->policy->accountant)->currency) ? PA_KERNEL_GAUSSIAN : PA_KERNEL_LAPLACE;
}

static bool
check_statistic(const PaRelease *release, const PaStatistic *statistic, PaProblem *problem)
{
	if (!release->unit->refines)
		return fails(problem, statistic, "It is for policies that protect owners with their rows.",
					 "Ask for an error in units of the answer, as in 'error=100', or leave it out and RESET privacct.accuracy.");
	if (release->policy->time_epsilon > 0)
		return fails(problem, statistic, "The policy hides how long a release takes, and its stages would be charged one after the other.",
					 "Ask for an error in units of the answer, as in 'error=100', or leave it out and RESET privacct.accuracy.");
	if (release->statistics->rate < 1)
		return fails(problem, statistic, "How far a sample is off depends on how many owners it is of.",
					 "Set privacct.sample_rate to 1, or leave the error out.");
	if (statistic->calibration.kernel.kind != pa_refined_kernel(release))
		return fails(problem, statistic,
					 psprintf("Under the %s accountant %s noise is refined.", pa_accountant(release->policy->accountant)->name,
							  pa_kernel_name(pa_refined_kernel(release))),
					 "Leave the option kernel out and RESET privacct.kernel, or ask for an error in units of the answer, as in 'error=100'.");
	return true;
}

/* --- what stages cost --- */

/*
 * All stages double what was spent, so the last of k is half of the whole, and stage t (from 0) is the
 * 2^(k - t)th part, rounded down; the first is what is left of the whole (docs/theory-derived.md).
 */
static PaAmount
part_of(double whole, int stages, int stage)
{
	PaAmount	amount;

	if (!isfinite(whole) || pa_amount_from_double_down(whole, &amount) != PA_OK)
		return 0;
	return amount >> (stages - stage);
}

static void
set_costs(const PaRelease *release, PaRefinement *refinement)
{
	const PaStatistics *set = release->statistics;

	for (int stage = 1; stage < refinement->nstages; stage++)
	{
		PaCost	   *cost = &refinement->stages[stage].cost;

		*cost = (PaCost) {0};
		for (int i = 0; i < set->nsummed; i++)
		{
			const PaCalibration *calibration = &set->statistics[i].calibration;

			if (!pa_is_refined(release, &set->statistics[i]))
				continue;
			cost->epsilon += part_of(calibration->epsilon, refinement->nstages, stage);
			if (release->rho_known)
				cost->rho += part_of(calibration->rho, refinement->nstages, stage);
		}
	}
}

static PaCost
cost_up_to(const PaRelease *release, const PaRefinement *refinement, int last)
{
	PaCost		cost = release->cost;

	for (int stage = last + 1; stage < refinement->nstages; stage++)
	{
		cost.epsilon -= refinement->stages[stage].cost.epsilon;
		cost.rho -= refinement->stages[stage].cost.rho;
	}
	return cost;
}

PaCost
pa_refinement_cost(const PaRelease *release, int last)
{
	return cost_up_to(release, release->refinement, last);
}

/* With the first stage rows are read, so it costs what the policy wants at least. */
static bool
suffices(const PaRelease *release, const PaRefinement *refinement)
{
	PaCost		first = cost_up_to(release, refinement, 0);

	return !pa_price_is_look(release) || pa_price_suffices(release->policy->accountant, release->policy->floor, &first);
}

/* --- noise --- */

static PaStatistics *
copy_statistics(const PaStatistics *set)
{
	PaStatistics *copy = palloc(sizeof(PaStatistics));

	*copy = *set;
	copy->statistics = palloc(sizeof(PaStatistic) * (set->nstatistics + 1));
	memcpy(copy->statistics, set->statistics, sizeof(PaStatistic) * set->nstatistics);
	return copy;
}

static void
copy_stages(const PaRelease *release, PaRefinement *refinement)
{
	for (int stage = 0; stage < refinement->nstages; stage++)
	{
		refinement->stages[stage].drawn = copy_statistics(release->statistics)->statistics;
		refinement->stages[stage].known = copy_statistics(release->statistics);
		refinement->stages[stage].known->confidence = pa_part_confidence(PA_CONFIDENCE, refinement->nstages);
	}
}

static PaStatus
make_gradual(const PaRelease *release, PaRefinement *refinement, int index)
{
	const PaKernel *finest = &release->statistics->statistics[index].calibration.kernel;
	PaStatus	status = pa_gradual_halving(finest, refinement->nstages, &refinement->gradual[index]);

	for (int stage = 0; stage < refinement->nstages && status == PA_OK; stage++)
		refinement->stages[stage].drawn[index].calibration.kernel =
			refinement->stages[stage].known->statistics[index].calibration.kernel = refinement->gradual[index].kernel[stage];
	return status;
}

/* Of the estimate after a stage: each release weighs as much as its rho. */
static PaSpread *
spread_of(const PaRefinement *refinement, int index, int last)
{
	PaSpread   *spread = palloc0(sizeof(PaSpread));
	double		sum = 0;

	spread->parts = palloc(sizeof(PaPart) * (last + 1));
	spread->times = palloc(sizeof(double) * (last + 1));
	spread->nparts = last + 1;
	for (int stage = 0; stage <= last; stage++)
		sum += refinement->stages[stage].drawn[index].calibration.rho;
	for (int stage = 0; stage <= last; stage++)
	{
		const PaStatistic *drawn = &refinement->stages[stage].drawn[index];
		double		weight = drawn->calibration.rho / sum * pa_statistic_value(drawn, 1);

		spread->parts[stage] = (PaPart) {.weight = weight,.shape = PA_GAUSSIAN,.scale = pa_kernel_scale(&drawn->calibration.kernel)};
		spread->times[stage] = 1;
		if (drawn->calibration.lattice.divisor > 1)
			spread->rounding += weight / 2;
	}
	return spread;
}

static PaStatus
make_gaussian(const PaRelease *release, PaRefinement *refinement, int index)
{
	const PaStatistic *statistic = &release->statistics->statistics[index];
	PaRequest	request = {
		.sensitivity = {
			.per_group = pa_statistic_sensitivity(release->statistics, statistic),
			.groups = release->max_groups
		},
		.epsilon = statistic->calibration.epsilon,.delta = statistic->calibration.delta,.within = -1
	};
	PaStatus	status = PA_OK;

	for (int stage = 0; stage < refinement->nstages && status == PA_OK; stage++)
	{
		request.rho = ldexp(statistic->calibration.rho, -(refinement->nstages - Max(stage, 1)));
		status = pa_calibration_find(&request, PA_KERNEL_BIT(PA_KERNEL_GAUSSIAN), &refinement->stages[stage].drawn[index].calibration);
	}
	for (int stage = 0; stage < refinement->nstages && status == PA_OK; stage++)
		refinement->stages[stage].known->statistics[index].spread = spread_of(refinement, index, stage);
	return status;
}

/* PA_OUT_OF_RANGE: the noise of the first of so many stages is too large to be drawn. */
static PaStatus
make_stages(const PaRelease *release, PaRefinement *refinement)
{
	const PaStatistics *set = release->statistics;
	PaStatus	status = PA_OK;

	copy_stages(release, refinement);
	refinement->gradual = pa_refined_kernel(release) == PA_KERNEL_LAPLACE ? palloc0(sizeof(PaGradual) * (set->nsummed + 1)) : NULL;
	for (int i = 0; i < set->nsummed && status == PA_OK; i++)
		if (pa_is_refined(release, &set->statistics[i]))
			status = refinement->gradual ? make_gradual(release, refinement, i) : make_gaussian(release, refinement, i);
	return status;
}

bool
pa_refinement_make(PaRelease *release, PaProblem *problem)
{
	PaRefinement *refinement = palloc0(sizeof(PaRefinement));
	bool		wanted = false;

	release->refinement = NULL;
	for (int i = 0; i < release->statistics->nsummed; i++)
	{
		const PaStatistic *statistic = &release->statistics->statistics[i];

		if (!pa_is_refined(release, statistic))
			continue;
		wanted = true;
		if (!check_statistic(release, statistic, problem))
			return false;
	}
	if (!wanted)
		return true;
	for (refinement->nstages = PA_REFINE_STAGES; refinement->nstages > 1; refinement->nstages--)
	{
		set_costs(release, refinement);
		if (suffices(release, refinement) && make_stages(release, refinement) == PA_OK)
			break;
	}
	if (refinement->nstages > 1)
		release->refinement = refinement;
	return true;
}

char *
pa_refinement_text(const PaOptions *options)
{
	if (options->least > 0)
		return psprintf("%.4g %% of the answer, or of %.4g if that is more", options->relative * 100, options->least);
	return psprintf("%.4g %% of the answer", options->relative * 100);
}

/* --- drawing --- */

static void
check(PaStatus status)
{
	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("drawing noise failed: %s", pa_status_text(status)));
}

/* One chain of noise, from the coarsest to the finest. */
static double
refine_gradual(const PaRefinement *refinement, int index, int stage, PaInt128 total, PaRefined *refined)
{
	const PaGradual *gradual = &refinement->gradual[index];
	const PaStatistic *drawn = &refinement->stages[stage].drawn[index];
	int64_t		noise;

	if (stage == 0)
		check(pa_kernel_sample(&gradual->kernel[0], pa_session_random(), &noise));
	else
		check(pa_gradual_refine(gradual, stage - 1, refined->noise, pa_session_random(), &noise));
	refined->noise = noise;
	return pa_statistic_value(drawn, pa_lattice_round(&drawn->calibration.lattice, total) + noise);
}

static double
refine_gaussian(const PaRefinement *refinement, int index, int stage, PaInt128 total, PaRefined *refined)
{
	const PaStatistic *drawn = &refinement->stages[stage].drawn[index];

	refined->weighted += drawn->calibration.rho * pa_statistic_value(drawn, pa_release_noise(drawn, total));
	refined->rho += drawn->calibration.rho;
	return refined->weighted / refined->rho;
}

double
pa_refine(const PaRelease *release, int statistic, int stage, PaInt128 total, PaRefined *refined)
{
	return release->refinement->gradual ?
		refine_gradual(release->refinement, statistic, stage, total, refined) :
		refine_gaussian(release->refinement, statistic, stage, total, refined);
}

bool
pa_refined_suffices(const PaRelease *release, const PaEstimate *estimates)
{
	for (int i = 0; i < release->spec->naggregates; i++)
	{
		const PaOptions *options = &release->arguments[i].options;
		const PaEstimate *estimate = &estimates[i];

		if (options->relative > 0 && release->spec->aggregates[i].together == 0 &&
			!pa_stop_reached(estimate->value, Max(estimate->high - estimate->value, estimate->value - estimate->low), options->relative, options->least))
			return false;
	}
	return true;
}
