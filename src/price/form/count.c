/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * count.c
 *		Counts of rows, values, owners and different values, and the scores by which dp_topk ranks.
 */
#include "postgres.h"

#include <math.h>

#include "bound/distinct.h"
#include "price/form/estimate.h"
#include "price/form/form.h"
#include "price/form/parts.h"

static PaAggregateSource
plan(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments, PaStatisticKind kind)
{
	return (PaAggregateSource) {
		.count = pa_add_count(set, aggregate, kind, arguments, arguments->options.within),.sum = -1,.squares = -1
	};
}

static PaAggregateSource
plan_rows(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	return plan(set, aggregate, arguments, PA_STAT_ROWS);
}

static PaAggregateSource
plan_values(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	return plan(set, aggregate, arguments, PA_STAT_VALUES);
}

static PaAggregateSource
plan_owners(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	return plan(set, aggregate, arguments, PA_STAT_OWNERS);
}

static PaAggregateSource
plan_distinct(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	return (PaAggregateSource) {.count = pa_add_distinct(set, aggregate, arguments),.sum = -1,.squares = -1};
}

/* Where the cap was drawn, so many times the number was noised (bound/distinct.h). */
static PaEstimate
estimate_distinct(const PaStatistics *set, const PaAggregateSource *source, const double *noised)
{
	const PaStatistic *statistic = &set->statistics[source->count];
	PaEstimate	covered = pa_estimate_statistic(set, source->count, noised, set->confidence);
	double		part;

	if (statistic->choice == NULL)
		return covered;
	part = noised[statistic->choice->chosen] / (double) statistic->max_rows;
	return (PaEstimate) {rint(covered.value * part), covered.low * part, covered.high * part, covered.acceptance};
}

static PaEstimate
estimate(const PaStatistics *set, const PaAggregateSource *source, const double *noised)
{
	return pa_estimate_statistic(set, source->count, noised, set->confidence);
}

const PaAggregateForm pa_form_count_rows = {.adds_up = true,.is_total = true,.plan = plan_rows,.estimate = estimate};
const PaAggregateForm pa_form_count = {.adds_up = true,.is_total = true,.plan = plan_values,.estimate = estimate};
const PaAggregateForm pa_form_count_owners = {.plan = plan_owners,.estimate = estimate};
const PaAggregateForm pa_form_count_distinct = {.distinct = true,.plan = plan_distinct,.estimate = estimate_distinct};
const PaAggregateForm pa_form_response = {.responds = true,.plan = plan_values,.estimate = estimate};
const PaAggregateForm pa_form_score = {.ranks = true,.plan = plan_values,.estimate = estimate};
