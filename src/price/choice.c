/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * choice.c
 *		dp_topk by the exponential mechanism.
 *
 * One unit changes the counts of so many runs (unit/unit.h), each
 * count by at most the sensitivity.  So with epsilon divided by that many runs and
 * by k, all draws together are epsilon-DP.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "miscadmin.h"

#include "core/noise/choose.h"

#include "price/choice.h"
#include "price/form/form.h"
#include "price/unit/unit.h"
#include "server_environment.h"
#include "settings.h"
#include "session_random.h"

/* So many groups are found better by Laplace noise on all counts than one after the other (docs/theory-pufferfish.md). */
#define MANY_BEST 2

#define LEAST_EPSILON 1e-9		/* of one draw */

/* The groups of dp_topk's column are what public data list, together with other keys perhaps: they are not in runs. */
static bool
is_listed(const PaLeafSpec *spec)
{
	return spec->keys[spec->nkeys - 1].listed >= 0;
}

static bool
are_told_apart(const PaRelease *release)
{
	return pa_groups_told_apart(release->spec, release->policies, release->key_rows);
}

bool
pa_is_choice(const PaRelease *release, const PaAggregateArguments *arguments)
{
	const PaOptions *options = &arguments->options;

	if (release->spec->naggregates != 1 || !pa_aggregate_form(release->spec->aggregates[0].kind)->ranks)
		return false;
	if (options->exponential)
		return true;
	return release->declared_groups && !release->select_groups && !is_listed(release->spec) &&
		!options->kernel_given && options->within < 0 && pa_default_kernel == PA_KERNEL_OF_POLICY &&
		release->policy->kernels == PA_KERNEL_ALL && !pa_accountant(release->policy->accountant)->counts_uses &&
		release->policy->time_epsilon == 0 && release->statistics->rate == 1 && arguments->ranks < MANY_BEST &&
		are_told_apart(release);
}

/* Groups of dp_topk's column: its key is the last. */
static int
run_length(const PaRelease *release)
{
	const PaLeafSpec *spec = release->spec;

	return pa_groups_keys_of(&spec->keys[spec->nkeys - 1], release->policies)->count;
}

/* Then there are fewer groups than keys combine to, and they are not in runs of its values. */
static bool
is_grouped_by_twice(const PaLeafSpec *spec)
{
	for (int i = 0; i < spec->nkeys - 1; i++)
		if (spec->keys[i].input == spec->keys[spec->nkeys - 1].input)
			return true;
	return false;
}

static bool
fails(PaProblem *problem, const char *detail, const char *hint)
{
	*problem = (PaProblem) {"the exponential mechanism cannot be used here", detail, hint};
	return false;
}

bool
pa_choice_calibrate(PaRelease *release, PaProblem *problem)
{
	const PaStatistic *statistic = &release->statistics->statistics[0];
	double		epsilon = statistic->options.epsilon > 0 ? statistic->options.epsilon : pa_default_epsilon;
	int64		runs;

	if (!release->declared_groups || release->select_groups)
		return fails(problem, "Groups without declared keys, or with a minimum number of owners, need noise.",
					 "Use kernel=laplace.");
	if (is_listed(release->spec))
		return fails(problem, "dp_topk or dp_mode is applied to a column of a public table, or to dates.", "Use kernel=laplace.");
	if (is_grouped_by_twice(release->spec))
		return fails(problem, "dp_topk or dp_mode is applied to a grouping column.", "Leave it out of GROUP BY, or count the groups.");
	if (!are_told_apart(release))
		return fails(problem, "A declared key is too long for a group of its own: its rows are in the group of null.", "Use kernel=laplace.");
	if (release->policy->time_epsilon > 0)
		return fails(problem, "The policy hides how long a release takes, and how long draws take has no bound for one row.", "Use kernel=laplace.");
	if (release->policy->kernels != PA_KERNEL_ALL)
		return fails(problem, "The table's owner has declared which kernels may be used.", "Use one of them.");
	if (pa_accountant(release->policy->accountant)->counts_uses || release->statistics->rate < 1)
		return fails(problem, "It cannot be used under a plan, nor on a sample of owners.", "Use kernel=laplace.");
	runs = pa_groups_public_count(release->spec, release->policies, release->key_rows) / run_length(release);
	runs = Max(Min(runs, release->unit->runs(release)), 1);
	release->choose = Min(release->choose, run_length(release));
	release->draw_epsilon = epsilon / runs / release->choose * (1 - 4 * DBL_EPSILON);
	if (release->draw_epsilon < LEAST_EPSILON)
		return fails(problem, "There is too little epsilon for so many draws.", "Ask for fewer of them, or for more epsilon.");
	if (pa_amount_from_double_up(epsilon, &release->cost.epsilon) != PA_OK)
		return fails(problem, "The cost of the release is out of range.", "Ask for less epsilon.");
	return true;
}

static int64
to_score(PaInt128 total)
{
	return (int64) Min(Max(total, PG_INT64_MIN / 2), PG_INT64_MAX / 2);
}

static void
draw_run(const PaRelease *release, const int64 *score, int items, unsigned char *taken, int *chosen)
{
	PaInt128	sensitivity = pa_statistic_sensitivity(release->statistics, &release->statistics->statistics[0]);
	PaStatus	status;

	CHECK_FOR_INTERRUPTS();
	status = pa_choose(score, items, release->choose, release->draw_epsilon, (int64) sensitivity,
					   pa_session_random(), taken, chosen, pa_server_environment());
	CHECK_FOR_INTERRUPTS();
	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("drawing groups failed: %s", pa_status_text(status)));
}

int *
pa_choice_draw(const PaRelease *release, const PaGroupTable *groups, const int *order)
{
	int			count = pa_groups_count(groups);
	int			items = run_length(release);
	int		   *scores = palloc0(sizeof(int) * count);
	int64	   *score = palloc(sizeof(int64) * items);
	unsigned char *taken = palloc(items);
	int		   *chosen = palloc(sizeof(int) * items);

	if (count % items != 0)
		elog(ERROR, "the groups of a release are not in runs of its keys");
	for (int first = 0; first < count; first += items)
	{
		for (int i = 0; i < items; i++)
			score[i] = to_score(pa_groups_get(groups, order[first + i])->totals[0]);
		draw_run(release, score, items, taken, chosen);
		for (int i = 0; i < release->choose; i++)
			scores[first + chosen[i]] = release->choose - i;
	}
	return scores;
}
