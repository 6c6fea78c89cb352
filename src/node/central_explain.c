/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central_explain.c
 *		EXPLAIN of a central release.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "compat/explain.h"
#include "bound/distinct.h"
#include "node/central.h"
#include "node/repeat.h"
#include "price/levels.h"
#include "price/limits.h"
#include "price/order.h"
#include "price/price.h"
#include "price/refine.h"
#include "price/unit/unit.h"
#include "size_limits.h"

static char *
describe_order(const PaStatistic *statistic)
{
	StringInfoData text;
	int			levels = pa_order_levels(statistic);
	PaRankError error = pa_order_error(statistic, PA_CONFIDENCE);

	initStringInfo(&text);
	appendStringInfoString(&text, statistic->label);
	if (statistic->order->nranks > 1)
		appendStringInfo(&text, " and %d more", statistic->order->nranks - 1);
	appendStringInfo(&text, ": epsilon %g", statistic->order->mechanism.epsilon);
	if (levels > 1)
		appendStringInfo(&text, " for each of %d levels", levels);
	if (statistic->order->kind != PA_ORDER_QUANTILES)
		appendStringInfo(&text, ", about the value of rank " INT64_FORMAT, statistic->order->k);
	appendStringInfo(&text, ", within %.4g ranks with probability %g, %.4g where values are dense",
					 error.certain, PA_CONFIDENCE, error.dense);
	return text.data;
}

static char *
describe_cap(const PaStatistic *statistic)
{
	return psprintf("%s: epsilon %g, 1 to " INT64_FORMAT, statistic->label, statistic->choice->terms.epsilon, statistic->max_rows);
}

/* What is drawn by the order of values, and caps. */
static void
explain_draws(const PaRelease *release, ExplainState *es)
{
	const PaStatistics *set = release->statistics;
	List	   *lines = NIL;

	for (int i = 0; i < set->nstatistics; i++)
		if (pa_is_drawn(&set->statistics[i]))
			lines = lappend(lines, set->statistics[i].order ? describe_order(&set->statistics[i]) : describe_cap(&set->statistics[i]));
	if (lines != NIL)
		pa_leaf_explain_lines("Exponential Mechanism", lines, es);
}

static char *
describe_noise(const PaRelease *release, const PaStatistic *statistic)
{
	const PaKernel *kernel = &statistic->calibration.kernel;

	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "%s: %s, scale %g", statistic->label, pa_kernel_name(kernel->kind),
					 pa_kernel_scale(kernel) * pa_statistic_value(statistic, 1));
	if (statistic->choice)
		appendStringInfoString(&text, " with the largest cap");
	if (pa_kernel_recycles(kernel->kind))
		appendStringInfo(&text, ", q %g", pa_kernel_recycling(kernel));
	if (statistic->within >= 0)
		appendStringInfo(&text, ", within %g with probability %.3f", statistic->within, statistic->calibration.acceptance);
	if (statistic->error > 0)
		appendStringInfo(&text, ", an error of %g with probability %.4g", statistic->error, statistic->confidence);
	if (statistic->exact)
		appendStringInfoString(&text, ", exact cover");
	if (release->levels && statistic->threshold > 0)
		appendStringInfo(&text, ", a group is shown from " INT64_FORMAT " on", statistic->threshold);
	if (pa_limit_is_own(release, statistic))
		appendStringInfo(&text, ", an owner adds %s", pa_limit_text(release, statistic));
	return text.data;
}

static void
explain_noise(const PaRelease *release, ExplainState *es)
{
	const PaStatistics *set = release->statistics;
	List	   *lines = NIL;

	for (int i = 0; i < set->nstatistics; i++)
		if (!pa_is_drawn(&set->statistics[i]))
			lines = lappend(lines, describe_noise(release, &set->statistics[i]));
	pa_leaf_explain_lines("Noise", lines, es);
}

static void
explain_added_up(const PaRelease *release, ExplainState *es)
{
	List	   *lines = NIL;

	for (int i = 0; release->levels && i < release->statistics->nsummed; i++)
		for (int j = 0; j < pa_levels_count(release->levels); j++)
			if (pa_levels_adds_up(release, i, j))
				lines = lappend(lines, pa_levels_label(release, i, j));
	if (lines != NIL)
		pa_leaf_explain_lines("Added Up", lines, es);
}

/* Under a plan: the slots that would pay, as "1, 3 twice" is "1, 3 x 2". */
static void
explain_uses(const PaRelease *release, ExplainState *es)
{
	StringInfoData uses;

	if (release->nuses == 0)
		return;
	initStringInfo(&uses);
	for (int i = 0; i < release->nuses; i++)
	{
		appendStringInfo(&uses, "%s%d", i > 0 ? ", " : "", release->uses[i].slot);
		if (release->uses[i].uses > 1)
			appendStringInfo(&uses, " x %d", release->uses[i].uses);
	}
	ExplainPropertyText("Planned Slots", uses.data, es);
}

static void
explain_amount(const char *label, PaAmount amount, ExplainState *es)
{
	char		text[PA_AMOUNT_TEXT];

	pa_amount_print(amount, text);
	ExplainPropertyText(label, text, es);
}

/* When it would be handed up, and what that would cost. */
static void
explain_time(const PaRelease *release, ExplainState *es)
{
	const PaDelayLaw *delay = &release->delay;
	PaCost		time = pa_price_of_time(release->policy, delay);

	pa_leaf_explain_time_grid(release->policy, es);
	if (delay->reach == 0)
		return;
	ExplainPropertyFloat("Delay on Average", "ms", delay->reach * PA_ROW_WORK_MICROSECONDS / 1000.0, 2, es);
	ExplainPropertyFloat("Delay at Most", "ms", 2 * delay->reach * PA_ROW_WORK_MICROSECONDS / 1000.0, 2, es);
	explain_amount("Time Epsilon", time.epsilon, es);
	explain_amount("Time Delta", time.delta, es);
}

static void
explain_repeat(const char *repeat, ExplainState *es)
{
	if (repeat)
		ExplainPropertyText("Repeat", repeat, es);
}

/* Which errors are wanted, and what is paid for if the first stage is exact enough. */
static void
explain_refinement(const PaRelease *release, ExplainState *es)
{
	List	   *lines = NIL;
	PaCost		first;

	if (release->refinement == NULL)
		return;
	for (int i = 0; i < release->spec->naggregates; i++)
		if (release->arguments[i].options.relative > 0 && release->spec->aggregates[i].together == 0)
			lines = lappend(lines, psprintf("%s: %s", release->spec->aggregates[i].label, pa_refinement_text(&release->arguments[i].options)));
	pa_leaf_explain_lines("Error Wanted", lines, es);
	ExplainPropertyInteger("Stages at Most", NULL, release->refinement->nstages, es);
	first = pa_refinement_cost(release, 0);
	explain_amount("Least Cost Epsilon", first.epsilon, es);
	explain_amount("Least Cost Rho", first.rho, es);
}

void
pa_central_explain(PaLeafState *state, ExplainState *es)
{
	CustomScan *plan = castNode(CustomScan, state->css.ss.ps.plan);
	PaRelease  *release = pa_release_prepare(state->spec, pa_leaf_arguments(plan), state->css.ss.ps.ps_ExprContext,
											 GetUserId(), state->css.ss.ps.state->es_snapshot);

	ExplainPropertyText("Groups", state->spec->nkeys == 0 ? "one" :
						release->declared_groups ? "declared keys" : "selected", es);
	if (release->select_groups && release->levels == NULL)
		ExplainPropertyInteger("Noised Owners at Least", NULL, release->statistics->statistics[release->statistics->selection].threshold, es);
	release->unit->explain(release, es);
	if (state->spec->workers > 0)
		ExplainPropertyInteger("Workers Planned", NULL, state->spec->workers, es);
	if (release->statistics->rate < 1)
		ExplainPropertyFloat("Sample Rate of Owners", NULL, release->statistics->rate, 6, es);
	if (release->choose > 0)
		ExplainPropertyText("Exponential Mechanism",
							psprintf("%s: %d draws, epsilon %g each", release->statistics->statistics[0].label,
									 release->choose, release->draw_epsilon), es);
	else
	{
		explain_noise(release, es);
		explain_draws(release, es);
		explain_added_up(release, es);
	}
	explain_uses(release, es);
	explain_repeat(pa_repeat_describe(release, pa_leaf_arguments(plan), state->css.ss.ps.ps_ExprContext,
									  state->css.ss.ps.state->es_snapshot), es);
	explain_time(release, es);
	explain_refinement(release, es);
	explain_amount("Cost Epsilon", release->cost.epsilon, es);
	explain_amount("Cost Delta", release->cost.delta, es);
	explain_amount("Cost Rho", release->cost.rho, es);
}
