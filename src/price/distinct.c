/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * distinct.c
 *		See distinct.h.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "core/noise/exponential.h"

#include "bound/distinct.h"
#include "price/distinct.h"

#define MISS 0.05				/* how often noise may be more than a cap is chosen with a view to, and a worse cap be chosen */

static bool
fails(PaProblem *problem, const PaStatistic *statistic, const char *detail, const char *hint)
{
	*problem = (PaProblem) {"different values cannot be counted here", detail, hint, statistic};
	return false;
}

bool
pa_distinct_allowed(const PaRelease *release, const PaStatistic *statistic, PaProblem *problem)
{
	if (statistic->kind != PA_STAT_DISTINCT)
		return true;
	if (release->statistics->rate < 1)
		return fails(problem, statistic, "How many there are does not follow from a sample of owners.",
					 "Use sample_rate 1.");
	if (statistic->max_rows > PA_MOST_COVERED)
		return fails(problem, statistic, psprintf("An owner covers %d different values at most.", PA_MOST_COVERED),
					 "Use the option max_rows, as in privacct.dp_count_distinct(x, 'max_rows=10').");
	if (statistic->exact && release->policy->time_epsilon > 0)
		return fails(problem, statistic, "The policy hides how long a release takes, and how long an exact cover takes has no bound for one row.",
					 "Use the option cover=greedy, or none.");
	return true;
}

static bool
fails_to_choose(PaProblem *problem, const PaStatistic *statistic, const char *detail)
{
	*problem = (PaProblem) {"a cap cannot be drawn here", detail, "Leave cap=auto out, and say with max_rows how many values of an owner count.", statistic};
	return false;
}

bool
pa_cap_allowed(const PaRelease *release, const PaStatistic *statistic, PaProblem *problem)
{
	if (release->policy->time_epsilon > 0)
		return fails_to_choose(problem, statistic, "The policy hides how long a release takes, and how long draws take has no bound for one row.");
	if (release->policy->kernels != PA_KERNEL_ALL)
		return fails_to_choose(problem, statistic, "The table's owner has declared which kernels may be used.");
	if (pa_accountant(release->policy->accountant)->counts_uses)
		return fails_to_choose(problem, statistic, "The plan has no slot for the exponential mechanism.");
	return true;
}

/* By the noise that the number will have. */
static PaCapTerms
terms_of(const PaRelease *release, const PaStatistic *statistic, double epsilon)
{
	const PaStatistic *counted = &release->statistics->statistics[statistic->choice->counted];
	double		wide = pa_statistic_error(counted, 1 - MISS) / (double) counted->max_rows;	/* for each value of an owner */

	return (PaCapTerms) {.noise_epsilon = -log(MISS) / wide,.noise_miss = MISS / 2,.epsilon = epsilon,.miss = MISS};
}

bool
pa_cap_calibrate(const PaRelease *release, PaStatistic *statistic, double epsilon, PaProblem *problem)
{
	static const int64_t none[lengthof(statistic->choice->cap)];
	int64_t		losses[lengthof(none)];
	PaCapChoice *choice = statistic->choice;
	double		draws = release->max_groups;
	double		one = epsilon / draws * (1 - 4 * DBL_EPSILON);	/* so that all together are not more */

	choice->terms = terms_of(release, statistic, one);
	if (pa_cap_losses(none, choice->cap, choice->caps, &choice->terms, losses) != PA_OK)
		return fails_to_choose(problem, statistic, "The epsilon of the draw, or the noise, is out of range.");
	statistic->calibration = (PaCalibration) {
		.epsilon = epsilon,
		.rho = draws * pa_exponential_rho(one) * (1 + 4 * DBL_EPSILON),
		.band = -1,.acceptance = 1
	};
	return true;
}
