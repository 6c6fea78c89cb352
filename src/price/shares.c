/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shares.c
 *		A release's epsilon and delta, shared among its statistics; their noise; the cost.
 *
 * The release's epsilon is shared equally by the statistics that were given none
 * of their own; so is its delta, by those of them that may need one (Gaussian
 * noise, selection of groups).  docs/theory.md proves what the sum is worth.
 *
 * A release on a sample of owners may be dearer on the sample than what is
 * charged for it: epsilon and delta are then raised, all in the same proportion,
 * to what amplification brings down again.
 *
 * Where a release has levels, those of a statistic share what it has (levels.h).
 *
 * A unit may be worth several changes that noise is calibrated for (unit/unit.h): that
 * multiplies what is charged.
 *
 * What is charged is epsilon, and delta where it is needed; or, in a currency that
 * is converted, so much of it as the noise is worth, and delta of the selection.
 * With an error bound, kinds of noise are compared at equal cost: in such a currency
 * that is what Gaussian noise for the same epsilon and delta costs.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>


#include "core/accounting/sampling.h"
#include "core/refine/least.h"
#include "price/calibration.h"
#include "price/choice.h"
#include "price/distinct.h"
#include "price/levels.h"
#include "price/order.h"
#include "price/price.h"
#include "price/refine.h"
#include "price/release.h"
#include "price/slots.h"
#include "price/unit/unit.h"
#include "settings.h"

#define EQUAL_COST PA_KERNEL_GAUSSIAN	/* what it costs others may */
#define SAMPLED PA_KERNEL_LAPLACE	/* for samples that need a bounded loss, where a policy names none that has one */

typedef struct Shares
{
	int			epsilons;		/* statistics that share the release's epsilon */
	int			deltas;			/* statistics that share its delta */
	double		raise_epsilon;	/* factors for a sample, 1 without */
	double		raise_delta;
	bool		shared_delta_charged;
} Shares;

static bool
fails(PaProblem *problem, const char *message, const char *detail, const char *hint)
{
	*problem = (PaProblem) {message, detail, hint};
	return false;
}

static bool
fails_at(PaProblem *problem, const PaStatistic *statistic)
{
	problem->statistic = statistic;
	return false;
}

static PaCurrency
currency_of(const PaRelease *release)
{
	return pa_accountant(release->policy->accountant)->currency;
}

/* Whether epsilon and delta only say what noise there is, and that is charged as something else. */
static bool
is_converted(const PaRelease *release)
{
	return pa_currency_is_converted(currency_of(release));
}

/* A sample on which only noise of a bounded loss becomes cheaper. */
static bool
needs_bounded_loss(const PaRelease *release)
{
	return release->statistics->rate < 1 && pa_currency(currency_of(release))->samples_bounded_loss;
}

static bool
is_selection(const PaRelease *release, const PaStatistic *statistic)
{
	return release->select_groups && statistic->base == release->statistics->selection;
}

/* Whether a group is shown at all may depend on one owner: that takes a delta.  Declared groups are no secret. */
static bool
selects_unknown(const PaRelease *release, const PaStatistic *statistic)
{
	return is_selection(release, statistic) && !release->declared_groups;
}

/* --- which kinds of noise --- */

static uint32
pure_kinds(void)
{
	return pa_kernel_kinds(pa_kernel_is_pure);
}

/*
 * The kind that was named.  The optimal noise of a delta that is too small for the linear program, or on a
 * lattice that is too fine or too coarse for it, is the staircase but for a part of the order of delta
 * (docs/theory.md); where both can be had the better one is taken.  Where rho is spent the staircase is not optimal.
 */
static uint32
named_kinds(const PaRelease *release, PaKernelKind kind)
{
	if (kind == PA_KERNEL_OPTIMAL && !is_converted(release))
		return PA_KERNEL_BIT(kind) | PA_KERNEL_BIT(PA_KERNEL_STAIRCASE);
	return PA_KERNEL_BIT(kind);
}

/* What the query, the session or the policy say, in this order. */
static uint32
wanted_kinds(const PaRelease *release, const PaStatistic *statistic)
{
	const PaPolicy *policy = release->policy;

	if (statistic->options.kernel_given)
		return named_kinds(release, statistic->options.kernel);
	if (pa_default_kernel != PA_KERNEL_OF_POLICY &&
		!(is_selection(release, statistic) && pa_kernel_needs_band((PaKernelKind) pa_default_kernel)))
		return named_kinds(release, (PaKernelKind) pa_default_kernel);
	if (pa_is_refined(release, statistic))
		return PA_KERNEL_BIT(pa_refined_kernel(release));
	if (statistic->within >= 0)
		return policy->kernels;
	if (needs_bounded_loss(release) && policy->kernels & PA_KERNEL_BIT(SAMPLED))
		return PA_KERNEL_BIT(SAMPLED);
	return PA_KERNEL_BIT(policy->kernel);
}

static uint32
possible_kinds(const PaRelease *release, const PaStatistic *statistic)
{
	uint32		kinds = wanted_kinds(release, statistic) & release->policy->kernels;

	if (release->policy->delta == 0 || needs_bounded_loss(release))
		kinds &= pure_kinds();
	return kinds;
}

uint32
pa_release_kinds(const PaRelease *release, const PaStatistic *statistic)
{
	return possible_kinds(release, &release->statistics->statistics[statistic->base]);
}

/* Then delta says, with epsilon, how much of another currency the noise may cost. */
static bool
by_amount(const PaRelease *release, const PaStatistic *statistic)
{
	return is_converted(release) && statistic->within >= 0 && release->statistics->rate == 1;
}

static bool
may_need_delta(const PaRelease *release, const PaStatistic *statistic)
{
	return !pa_is_drawn(statistic) &&
		(selects_unknown(release, statistic) || by_amount(release, statistic) ||
		 (possible_kinds(release, statistic) & ~pure_kinds()) != 0);
}

static bool
check_kinds(const PaRelease *release, const PaStatistic *statistic, PaProblem *problem)
{
	uint32		wanted = wanted_kinds(release, statistic);

	if (statistic->order)
		return pa_order_allowed(release, statistic, problem);
	if (statistic->kind == PA_STAT_CAP)
		return pa_cap_allowed(release, statistic, problem);
	if (!pa_distinct_allowed(release, statistic, problem))
		return false;
	if ((wanted & release->policy->kernels) == 0)
		return fails(problem, "the policy does not allow this kernel",
					 "The table's owner has declared which kernels may be used.", "Choose another kernel.");
	if (possible_kinds(release, statistic) == 0 && release->policy->delta > 0)
		return fails(problem, "this kernel gains nothing from a sample of owners",
					 psprintf("Under the %s accountant only kernels of bounded loss do.",
							  pa_accountant(release->policy->accountant)->name),
					 "Use the laplace or the staircase kernel, or sample_rate 1.");
	if (release->policy->delta == 0 && (possible_kinds(release, statistic) == 0 || selects_unknown(release, statistic)))
		return fails(problem, "this release needs a delta, and the policy has none",
					 "Gaussian noise and the private selection of groups give (epsilon, delta)-privacy with delta above 0.",
					 "Use the laplace kernel, group by columns with declared keys, or ask the table's owner for a policy with a delta.");
	if (statistic->within < 0 && !is_selection(release, statistic) && (wanted & ~pa_kernel_kinds(pa_kernel_needs_band)) == 0)
		return fails(problem, "this kernel needs an error bound",
					 "Its noise is made to stay within a bound as often as possible.",
					 "Give one with the option within, as in 'kernel=staircase, within=50', or with SET privacct.within.");
	return release->levels == NULL || pa_levels_allow(release, statistic, pa_release_kinds(release, statistic), problem);
}

/* --- shares --- */

/*
 * What one statistic may spend: so much less than an equal share that the
 * decimals that the shares stand for do not sum to more than the decimal that
 * is charged for the whole, either being off by up to DBL_EPSILON / 2.
 */
static double
share(double whole, int parts)
{
	return parts > 1 ? whole / parts * (1 - 4 * DBL_EPSILON) : whole;
}

static Shares
count_shares(const PaRelease *release)
{
	Shares		shares = {.raise_epsilon = 1,.raise_delta = 1};

	for (int i = 0; i < release->statistics->nsummed; i++)
	{
		const PaStatistic *statistic = &release->statistics->statistics[i];

		shares.epsilons += statistic->options.epsilon == 0;
		shares.deltas += statistic->options.delta == 0 && may_need_delta(release, statistic);
	}
	return shares;
}

/* By how much a sample allows epsilon and delta to be larger. */
static bool
set_raise(const PaRelease *release, Shares *shares, PaProblem *problem)
{
	double		epsilon = shares->epsilons > 0 ? pa_default_epsilon : 0;
	double		delta = shares->deltas > 0 ? pa_default_delta : 0;
	double		inner_epsilon,
				inner_delta,
				down = 1 - (8 + release->statistics->nstatistics) * DBL_EPSILON;	/* the sums are rounded too */

	if (release->statistics->rate == 1 || release->statistics->nstatistics == 0)
		return true;
	for (int i = 0; i < release->statistics->nstatistics; i++)
	{
		epsilon += release->statistics->statistics[i].options.epsilon;
		delta += release->statistics->statistics[i].options.delta;
	}
	if (pa_sampling_inner(release->statistics->rate, epsilon, delta, &inner_epsilon, &inner_delta) != PA_OK ||
		inner_delta >= 0.5)
		return fails(problem, "no noise can be computed for this sample rate",
					 "The rate is too small for the delta of the release.", "Use a larger sample_rate or a smaller delta.");
	shares->raise_epsilon = inner_epsilon / epsilon * down;
	if (delta > 0)
		shares->raise_delta = inner_delta / delta * down;
	return true;
}

static double
epsilon_of(const PaStatistic *statistic, const Shares *shares)
{
	return shares->raise_epsilon *
		(statistic->options.epsilon > 0 ? statistic->options.epsilon : share(pa_default_epsilon, shares->epsilons));
}

static double
delta_of(const PaRelease *release, const PaStatistic *statistic, const Shares *shares)
{
	if (!may_need_delta(release, statistic))
		return 0;
	return shares->raise_delta *
		(statistic->options.delta > 0 ? statistic->options.delta : share(pa_default_delta, shares->deltas));
}

/* --- noise --- */

static bool
calibrated(PaStatus status, PaProblem *problem)
{
	if (status == PA_OK)
		return true;
	return fails(problem, "calibrating the noise failed", psprintf("The computation reports: %s.", pa_status_text(status)),
				 "Choose another epsilon, delta, error bound or kernel, or other bounds.");
}

static bool
calibrate(const PaRelease *release, PaStatistic *statistic, double epsilon, double delta, PaProblem *problem)
{
	PaRequest	request = {
		.sensitivity = {
			.per_group = pa_statistic_sensitivity(release->statistics, statistic),
			.groups = release->max_groups
		},
		.epsilon = epsilon,.delta = delta,.within = pa_statistic_within(statistic)
	};

	if (statistic->order)
		return pa_order_calibrate(release, statistic, epsilon, problem);
	if (statistic->kind == PA_STAT_CAP)
		return pa_cap_calibrate(release, statistic, epsilon, problem);
	if (release->levels)
		return calibrated(pa_levels_calibrate(release, statistic, pa_release_kinds(release, statistic), epsilon, delta), problem);
	if (by_amount(release, statistic))
	{
		PaStatus	status = pa_calibration_find(&request, PA_KERNEL_BIT(EQUAL_COST), &statistic->calibration);

		if (status != PA_OK)
			return calibrated(status, problem);
		request.rho = statistic->calibration.rho;
	}
	return calibrated(pa_calibration_find(&request, possible_kinds(release, statistic), &statistic->calibration), problem);
}

/*
 * Declared groups need no threshold but the policy's own minimum.  In a level an owner counts as often as they are in
 * one of the finest groups.
 */
static bool
calibrate_selection(PaRelease *release, PaStatistic *statistic, double epsilon, double delta, PaProblem *problem)
{
	uint32		widest = (uint32) Min(statistic->widest, release->max_groups);
	int64		more = (int64) (release->policy->min_owners - 1) * widest;
	PaStatus	status;

	if (release->declared_groups)
	{
		statistic->threshold = 1 + more;
		return calibrate(release, statistic, epsilon, delta, problem);
	}
	/* noise that is not pure may spend a delta of its own: half of it each */
	if (!is_converted(release) && possible_kinds(release, statistic) & ~pure_kinds())
		delta /= 2;
	if (!calibrate(release, statistic, epsilon, delta, problem))
		return false;
	status = pa_selection_threshold(&statistic->calibration.kernel, release->max_groups, widest, share(delta, statistic->shares),
									&statistic->threshold);
	statistic->threshold += more;
	release->selection_delta = delta;
	return calibrated(status, problem);
}

/* --- errors that are to be reached --- */

typedef struct Wanted
{
	const PaRelease *release;
	const PaStatistic *statistic;
	double		delta;
} Wanted;

static double
error_at(void *context, double epsilon)
{
	const Wanted *wanted = context;
	PaStatistic trial = *wanted->statistic;
	PaProblem	problem;

	if (!calibrate(wanted->release, &trial, epsilon, wanted->delta, &problem))
		return -1;
	return pa_statistic_error(&trial, trial.confidence);
}

/* As if it had been asked for: so what other noise would do at the same cost can be compared. */
static bool
find_epsilon(const PaRelease *release, PaStatistic *statistic, double delta, PaProblem *problem)
{
	Wanted		wanted = {release, statistic, delta};

	if (statistic->error == 0 || statistic->options.epsilon > 0)
		return true;
	if (release->statistics->rate < 1)
		return fails(problem, "an error cannot be asked for of a sample",
					 "How far a sample is off depends on how many owners it is of.",
					 "Set privacct.sample_rate to 1, or give an epsilon instead of an error.");
	statistic->options.epsilon = pa_least_epsilon(error_at, &wanted, statistic->error);
	if (statistic->options.epsilon > 0)
		return true;
	return fails(problem, "no noise is so exact",
				 psprintf("Not even with epsilon 1e5 would the error of %s be at most %g.", statistic->label, statistic->error),
				 "Ask for a larger error, or give an epsilon instead.");
}

static bool
find_epsilons(PaRelease *release, PaProblem *problem)
{
	Shares		shares = count_shares(release);

	for (int i = 0; i < release->statistics->nsummed; i++)
	{
		PaStatistic *statistic = &release->statistics->statistics[i];

		if (!find_epsilon(release, statistic, delta_of(release, statistic, &shares), problem))
		{
			problem->statistic = statistic;
			return false;
		}
	}
	return true;
}

/* --- cost --- */

/*
 * Gaussian noise spends its delta only where epsilon is charged: as zCDP it is worth
 * its rho alone.  Selection always does.
 */
static bool
charges_delta(const PaRelease *release, const PaStatistic *statistic)
{
	return selects_unknown(release, statistic) || (!is_converted(release) && statistic->calibration.delta > 0);
}

static void
add_cost(PaRelease *release, const PaStatistic *statistic, Shares *shares)
{
	if (statistic->options.epsilon > 0)
		release->cost.epsilon += pa_price_amount(statistic->options.epsilon);
	if (!charges_delta(release, statistic))
		return;
	if (statistic->options.delta > 0)
		release->cost.delta += pa_price_amount(statistic->options.delta);
	else
		shares->shared_delta_charged = true;
}

double
pa_release_loss(const PaRelease *release, const PaStatistic *statistic)
{
	PaLaw		law;

	if (pa_is_drawn(statistic))
		return statistic->calibration.epsilon;
	law = pa_kernel_law(&statistic->calibration.kernel);
	return release->max_groups * pa_law_most_loss(&law, statistic->calibration.shift);
}

/* What all noise together is worth as zCDP; meaningless if it is not, and guarded only where rho is charged. */
static double
rho_of(const PaRelease *release)
{
	double		rho = 0,
				loss = 0;

	for (int i = 0; i < release->statistics->nstatistics; i++)
	{
		const PaStatistic *statistic = &release->statistics->statistics[i];

		rho += statistic->calibration.rho;
		if (release->statistics->rate < 1)
			loss += pa_release_loss(release, statistic);
	}
	rho *= 1 + 4 * DBL_EPSILON * release->statistics->nstatistics;
	if (release->statistics->rate < 1)
		rho = pa_sampling_rho(release->statistics->rate, loss * (1 + 1e-12), rho);
	return rho;
}

static void
finish_cost(PaRelease *release, double rho)
{
	int			changes = release->unit->changes;

	release->cost.epsilon *= changes;
	rho *= changes * changes;
	release->rho_known = isfinite(rho);
	/* all parts of a cost are written down, whichever is guarded */
	release->cost.rho = release->rho_known || currency_of(release) == PA_CURRENCY_RHO ? pa_price_amount(rho) : 0;
}

static bool
calibrate_noise(PaRelease *release, PaProblem *problem)
{
	PaStatistics *set = release->statistics;
	Shares		shares;
	double		rho;

	if (pa_accountant(release->policy->accountant)->counts_uses && release->choose == 0)
		return pa_plan_calibrate(release, problem);
	release->cost = (PaCost) {0};
	if (release->choose > 0)	/* is refused under a plan */
	{
		if (!pa_choice_calibrate(release, problem))
			return false;
		rho = pa_currency(PA_CURRENCY_RHO)->of_loss(pa_amount_to_double(release->cost.epsilon));
		finish_cost(release, rho * (1 + 4 * DBL_EPSILON));
		return true;
	}
	for (int i = 0; i < set->nstatistics; i++)
		if (!check_kinds(release, &set->statistics[i], problem))
			return fails_at(problem, &set->statistics[i]);
	if (!find_epsilons(release, problem))
		return false;
	shares = count_shares(release);
	if (!set_raise(release, &shares, problem))
		return false;
	for (int i = 0; i < set->nstatistics; i++)
	{
		PaStatistic *statistic = &set->statistics[i];
		const PaStatistic *base = &set->statistics[statistic->base];
		double		epsilon = epsilon_of(base, &shares);
		double		delta = delta_of(release, base, &shares);

		if (is_selection(release, statistic) ?
			!calibrate_selection(release, statistic, epsilon, delta, problem) :
			!calibrate(release, statistic, epsilon, delta, problem))
			return fails_at(problem, statistic);
		if (statistic == base)
			add_cost(release, statistic, &shares);
	}
	if (shares.epsilons > 0)
		release->cost.epsilon += pa_price_amount(pa_default_epsilon);
	if (shares.shared_delta_charged)
		release->cost.delta += pa_price_amount(pa_default_delta);
	finish_cost(release, rho_of(release));
	return true;
}

bool
pa_release_calibrate(PaRelease *release, PaProblem *problem)
{
	return calibrate_noise(release, problem) && pa_refinement_make(release, problem) && pa_price_add_time(release, problem);
}

PaRelease *
pa_release_alternative(const PaRelease *release, int statistic, PaKernelKind kind)
{
	PaRelease  *other = pa_release_copy(release);
	PaProblem	problem;

	other->statistics->statistics[statistic].options.kernel_given = true;
	other->statistics->statistics[statistic].options.kernel = kind;
	return pa_release_calibrate(other, &problem) && other->statistics->statistics[statistic].calibration.kernel.kind == kind ? other : NULL;
}
