/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * form.c
 *		The table of aggregates, and the statistics of a leaf.
 */
#include "postgres.h"

#include "bound/order.h"
#include "price/form/form.h"

/* --- what is not computed from statistics --- */

static PaAggregateSource
plan_nothing(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	elog(ERROR, "unexpected aggregate of kind %d in a release", (int) aggregate->kind);
}

static PaEstimate
estimate_nothing(const PaStatistics *set, const PaAggregateSource *source, const double *noised)
{
	elog(ERROR, "unexpected aggregate in a release");
}

static const PaAggregateForm never_in_a_leaf = {
	.plan = plan_nothing,
	.estimate = estimate_nothing,
};

static const PaAggregateForm question = {
	.bounds = PA_BOUNDS_OPTIONAL,
	.asks_owners = true,
	.plan = plan_nothing,
	.estimate = estimate_nothing,
};

/* --- the table --- */

const PaAggregateForm *
pa_aggregate_form(PaAggregateKind kind)
{
	switch (kind)
	{
		case PA_AGG_COUNT_ROWS:
			return &pa_form_count_rows;
		case PA_AGG_COUNT:
			return &pa_form_count;
		case PA_AGG_COUNT_OWNERS:
			return &pa_form_count_owners;
		case PA_AGG_COUNT_DISTINCT:
			return &pa_form_count_distinct;
		case PA_AGG_SUM:
			return &pa_form_sum;
		case PA_AGG_AVG:
			return &pa_form_avg;
		case PA_AGG_VAR_POP:
			return &pa_form_var_pop;
		case PA_AGG_VAR_SAMP:
			return &pa_form_var_samp;
		case PA_AGG_STDDEV_POP:
			return &pa_form_stddev_pop;
		case PA_AGG_STDDEV_SAMP:
			return &pa_form_stddev_samp;
		case PA_AGG_QUANTILE:
		case PA_AGG_MEDIAN:
			return &pa_form_quantile;
		case PA_AGG_LEAST:
			return &pa_form_least;
		case PA_AGG_GREATEST:
			return &pa_form_greatest;
		case PA_AGG_TOPK:
		case PA_AGG_RESPONSE:
		case PA_AGG_CHOOSE:
		case PA_AGG_OWNER:
			return &never_in_a_leaf;
		case PA_AGG_SCORE:
			return &pa_form_score;
		case PA_AGG_RESPONDED:
			return &pa_form_response;
		case PA_AGG_CANDIDATE:
			return &pa_form_candidate;
		case PA_AGG_LDP_AVG:
		case PA_AGG_LDP_SUM:
		case PA_AGG_LDP_COUNT:
		case PA_AGG_LDP_HISTOGRAM:
		case PA_AGG_LDP_RESPONSE:
			return &question;
	}
	elog(ERROR, "aggregates of kind %d have no form", (int) kind);
}

/* --- the statistics of a leaf --- */

/* Accumulators and numbers that some statistics have beside their own ones. */
static void
make_room(PaStatistics *set)
{
	set->naccumulators = set->nreleased = set->nsummed = set->nstatistics;
	for (int i = 0; i < set->nstatistics; i++)
	{
		PaStatistic *statistic = &set->statistics[i];

		statistic->base = i;
		statistic->plain_label = statistic->label;
		statistic->widest = statistic->shares = 1;
		statistic->wide = set->naccumulators;
		if (statistic->kind == PA_STAT_OWNER_SUM)
			set->naccumulators += 2;
		if (statistic->order == NULL)
			continue;
		set->naccumulators += pa_order_room(statistic);
		statistic->order->released = set->nreleased;
		set->nreleased += statistic->order->nranks;
	}
}

PaStatistics *
pa_statistics_build(const PaLeafSpec *spec, const PaAggregateArguments *arguments,
					const struct PaUnit *unit, bool select_groups, int64 max_rows, bool one_row)
{
	PaStatistics *set = palloc0(sizeof(PaStatistics));

	set->room = PA_STATISTICS_OF_AGGREGATE * spec->naggregates;
	set->statistics = palloc0(sizeof(PaStatistic) * (set->room + 1));	/* and the selection */
	set->inputs = palloc0(sizeof(PaInput) * (PA_INPUTS_OF_AGGREGATE * spec->naggregates + 1));
	set->sources = palloc0(sizeof(PaAggregateSource) * (spec->naggregates + 1));
	set->selection = -1;
	set->max_rows = max_rows;
	set->one_row = one_row;
	set->rate = 1;
	set->confidence = PA_CONFIDENCE;
	set->unit = unit;
	set->entries = spec->entries;
	for (int i = 0; i < spec->naggregates; i++)
	{
		set->sources[i] = pa_aggregate_form(spec->aggregates[i].kind)->plan(set, &spec->aggregates[i], &arguments[i]);
		set->sources[i].together = Max(Max((int) arguments[i].options.together, spec->aggregates[i].together), 1);
	}
	if (select_groups)
	{
		set->selection = set->nstatistics;
		set->statistics[set->nstatistics++] = (PaStatistic) {.kind = PA_STAT_OWNERS,.input = -1,
			.label = "group selection",.within = -1,.steps = 1,.row_hi = 1,.max_rows = max_rows,.count = -1,
			.options = {.within = -1},.location = -1
		};
	}
	make_room(set);
	return set;
}

PaEstimate
pa_statistics_estimate(const PaStatistics *set, const PaLeafSpec *spec, int aggregate, const double *noised)
{
	PaStatistics own = *set;

	own.confidence = pa_part_confidence(set->confidence, set->sources[aggregate].together);
	return pa_aggregate_form(spec->aggregates[aggregate].kind)->estimate(&own, &set->sources[aggregate], noised);
}
