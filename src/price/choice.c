/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * choice.c
 *		See choice.h.
 *
 * One unit changes the counts of so many runs (unit/unit.h), each
 * count by at most the sensitivity.  So with epsilon divided by that many runs and
 * by k, all draws together are epsilon-DP.  Candidates are drawn in each group anew, so epsilon is
 * divided by the number of groups that one unit changes.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "miscadmin.h"

#include "core/noise/choose.h"
#include "core/order/mode.h"

#include "price/choice.h"
#include "price/form/form.h"
#include "price/unit/unit.h"
#include "errors.h"
#include "server_environment.h"
#include "settings.h"
#include "session_random.h"

/* So many groups are found better by Laplace noise on all counts than one after the other (docs/theory-pufferfish.md). */
#define MANY_BEST 2

#define LEAST_EPSILON 1e-9		/* of one draw */
#define SENSITIVITY_BITS 39		/* of a change of scores (core/noise/choose.h) */

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

	for (int i = 0; i < release->spec->naggregates; i++)
		if (pa_aggregate_form(release->spec->aggregates[i].kind)->candidate || pa_aggregate_form(release->spec->aggregates[i].kind)->responds)
			return true;
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

/* Whoever writes their internal parts by hand may put other aggregates beside them. */
static void
require_alone(const PaRelease *release, const PaAggregateForm *form)
{
	for (int i = 0; i < release->spec->naggregates && release->spec->naggregates > 1; i++)
		if (!form->candidate || !pa_aggregate_form(release->spec->aggregates[i].kind)->candidate)
			ereport(ERROR,
					errcode(ERRCODE_PA_REFUSED),
					errmsg("query on a protected table is not allowed"),
					errdetail("What is drawn by the exponential mechanism has another aggregate beside it."),
					errhint("Use dp_choose or dp_response, alone in a block."));
}

void
pa_choice_set(PaRelease *release, const PaAggregateArguments *arguments)
{
	const PaAggregateForm *form = pa_aggregate_form(release->spec->aggregates[0].kind);

	require_alone(release, form);

	release->choice = form->candidate ? PA_CHOICE_CANDIDATES : form->responds ? PA_CHOICE_RESPONSE : PA_CHOICE_TOPK;
	release->choose = form->ranks ? arguments->ranks : 1;
}

/* In how many draws a unit has a part, before each is divided into k. */
static int64
runs_of(const PaRelease *release)
{
	int64		runs;

	if (release->choice == PA_CHOICE_CANDIDATES)
		return release->max_groups;
	runs = pa_groups_public_count(release->spec, release->policies, release->key_rows) / run_length(release);
	return Max(Min(runs, release->unit->runs(release)), 1);
}

/* That the values that are drawn from are those of a column, and all of them. */
static bool
has_runs(const PaRelease *release, PaProblem *problem)
{
	if (is_listed(release->spec))
		return fails(problem, "Values of a column of a public table, or dates, are chosen from.", "Use kernel=laplace.");
	if (is_grouped_by_twice(release->spec))
		return fails(problem, "Values of a grouping column are chosen from.", "Leave it out of GROUP BY, or count the groups.");
	if (!are_told_apart(release))
		return fails(problem, "A declared key is too long for a group of its own: its rows are in the group of null.", "Use kernel=laplace.");
	return true;
}

bool
pa_choice_calibrate(PaRelease *release, PaProblem *problem)
{
	const PaStatistic *statistic = &release->statistics->statistics[0];
	double		epsilon = statistic->options.epsilon > 0 ? statistic->options.epsilon : pa_default_epsilon;

	if (release->choice == PA_CHOICE_RESPONSE && !release->declared_groups)
		return fails(problem, "What dp_response is asked for is no column with declared keys.",
					 "Write a column whose values are declared by privacct.set_keys(), as in dp_response(place).");
	if (release->select_groups || (!release->declared_groups && !(release->choice == PA_CHOICE_CANDIDATES && release->spec->nkeys == 0)))
		return fails(problem, "Groups without declared keys, or with a minimum number of owners, need noise.",
					 release->choice == PA_CHOICE_CANDIDATES ? "Group by columns with declared keys, or leave GROUP BY out." :
					 "Use kernel=laplace, or group by columns with declared keys.");
	if (release->choice != PA_CHOICE_CANDIDATES && !has_runs(release, problem))
		return false;
	if (release->policy->time_epsilon > 0)
		return fails(problem, "The policy hides how long a release takes, and how long draws take has no bound for one row.",
					 "Use aggregates that noise is added to, such as sum, or dp_topk with kernel=laplace.");
	if (release->policy->kernels != PA_KERNEL_ALL)
		return fails(problem, "The table's owner has declared which kernels may be used.", "Use one of them.");
	if (pa_accountant(release->policy->accountant)->counts_uses || release->statistics->rate < 1)
		return fails(problem, "It cannot be used under a plan, nor on a sample of owners.", "Use kernel=laplace.");
	if (release->choice == PA_CHOICE_TOPK)
		release->choose = Min(release->choose, run_length(release));
	release->draw_epsilon = Min(epsilon / runs_of(release) / release->choose * (1 - 4 * DBL_EPSILON), PA_MODE_MOST_EPSILON);
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

/* Scores are counts, which rise or fall together. */
static bool
are_monotone(const PaRelease *release)
{
	return release->choice == PA_CHOICE_TOPK && release->unit->comes_or_goes && release->statistics->statistics[0].row_lo >= 0;
}

double
pa_choice_scale(const PaRelease *release)
{
	PaInt128	sensitivity = release->choice == PA_CHOICE_TOPK ?
		pa_statistic_sensitivity(release->statistics, &release->statistics->statistics[0]) : 1;

	return (are_monotone(release) ? 1 : 2) * (double) sensitivity / release->draw_epsilon;
}

static void
draw(const PaRelease *release, const int64 *score, int items, double epsilon, int64 sensitivity, unsigned char *taken, int *chosen)
{
	PaStatus	status;

	CHECK_FOR_INTERRUPTS();
	status = (are_monotone(release) ? pa_mode_draw : pa_choose)
		(score, items, release->choose, epsilon, sensitivity, pa_session_random(), taken, chosen, pa_server_environment());
	CHECK_FOR_INTERRUPTS();
	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("drawing groups failed: %s", pa_status_text(status)));
}

/*
 * Of a response scores are 0 and 1, and e^epsilon is the quotient of their weights: twice the exponent of a
 * draw by scores, which changes of one entry change in two places.
 */
static void
draw_run(const PaRelease *release, int64 *score, int items, unsigned char *taken, int *chosen)
{
	PaInt128	sensitivity = pa_statistic_sensitivity(release->statistics, &release->statistics->statistics[0]);

	if (release->choice == PA_CHOICE_TOPK)
	{
		draw(release, score, items, release->draw_epsilon, (int64) sensitivity, taken, chosen);
		return;
	}
	for (int i = 0; i < items; i++)
		score[i] = score[i] > 0;
	draw(release, score, items, 2 * release->draw_epsilon, 1, taken, chosen);
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

/* --- candidates --- */

static PaInt128
floor_shifted(PaInt128 x, int bits)
{
	PaInt128	unit = (PaInt128) 1 << bits;

	return x >= 0 ? x / unit : -((unit - 1 - x) / unit);
}

/* The largest change of any score, in steps; all scores are on the same lattice, which follows from their bounds. */
static PaInt128
largest_change(const PaRelease *release)
{
	PaInt128	most = 0;

	for (int i = 0; i < release->spec->naggregates; i++)
	{
		const PaStatistic *statistic = &release->statistics->statistics[release->statistics->sources[i].sum];

		most = Max(most, pa_statistic_sensitivity(release->statistics, statistic));
	}
	return most;
}

/*
 * Totals are brought to a lattice on which the change fits: rounding down moves two totals that are d apart to
 * whole numbers that are at most the next whole number above d apart.
 */
int
pa_candidate_draw(const PaRelease *release, const PaGroup *group)
{
	int			items = release->spec->naggregates;
	int64	   *score = palloc(sizeof(int64) * items);
	unsigned char *taken = palloc(items);
	int		   *chosen = palloc(sizeof(int) * items);
	PaInt128	change = largest_change(release);
	int			bits = 0;

	while (change >> (SENSITIVITY_BITS + bits) != 0)
		bits++;
	for (int i = 0; i < items; i++)
		score[i] = to_score(floor_shifted(group->totals[release->statistics->sources[i].sum], bits));
	draw(release, score, items, release->draw_epsilon, (int64) -floor_shifted(-change, bits), taken, chosen);
	return chosen[0];
}
