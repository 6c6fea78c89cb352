/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * distinct.c
 *		See distinct.h.
 */
#include "postgres.h"

#include "bound/distinct.h"
#include "price/distinct.h"

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
