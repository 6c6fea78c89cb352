/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * form.c
 *		The table of aggregates, and the statistics of a leaf.
 */
#include "postgres.h"

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

static const PaAggregateForm *const forms[] = {
	[PA_AGG_COUNT_ROWS] = &pa_form_count_rows,
	[PA_AGG_COUNT] = &pa_form_count,
	[PA_AGG_COUNT_OWNERS] = &pa_form_count_owners,
	[PA_AGG_SUM] = &pa_form_sum,
	[PA_AGG_AVG] = &pa_form_avg,
	[PA_AGG_VAR_POP] = &pa_form_var_pop,
	[PA_AGG_VAR_SAMP] = &pa_form_var_samp,
	[PA_AGG_STDDEV_POP] = &pa_form_stddev_pop,
	[PA_AGG_STDDEV_SAMP] = &pa_form_stddev_samp,
	[PA_AGG_TOPK] = &never_in_a_leaf,
	[PA_AGG_SCORE] = &pa_form_score,
	[PA_AGG_LDP_AVG] = &question,
	[PA_AGG_LDP_SUM] = &question,
	[PA_AGG_LDP_COUNT] = &question,
	[PA_AGG_LDP_HISTOGRAM] = &question,
	[PA_AGG_LDP_RESPONSE] = &question,
	[PA_AGG_OWNER] = &never_in_a_leaf,
};

StaticAssertDecl(lengthof(forms) == PA_AGG_KINDS, "an aggregate has no form");

const PaAggregateForm *
pa_aggregate_form(PaAggregateKind kind)
{
	if (forms[kind] == NULL)
		elog(ERROR, "aggregates of kind %d have no form", (int) kind);
	return forms[kind];
}

/* --- the statistics of a leaf --- */

PaStatistics *
pa_statistics_build(const PaLeafSpec *spec, const PaAggregateArguments *arguments,
					const struct PaUnit *unit, bool select_groups, int64 max_rows)
{
	PaStatistics *set = palloc0(sizeof(PaStatistics));

	set->statistics = palloc0(sizeof(PaStatistic) * (PA_STATISTICS_OF_AGGREGATE * spec->naggregates + 1));
	set->inputs = palloc0(sizeof(PaInput) * (PA_INPUTS_OF_AGGREGATE * spec->naggregates + 1));
	set->sources = palloc0(sizeof(PaAggregateSource) * (spec->naggregates + 1));
	set->selection = -1;
	set->max_rows = max_rows;
	set->rate = 1;
	set->unit = unit;
	set->entries = spec->entries;
	for (int i = 0; i < spec->naggregates; i++)
		set->sources[i] = pa_aggregate_form(spec->aggregates[i].kind)->plan(set, &spec->aggregates[i], &arguments[i]);
	if (select_groups)
	{
		set->selection = set->nstatistics;
		set->statistics[set->nstatistics++] = (PaStatistic) {.kind = PA_STAT_OWNERS,.input = -1,
			.label = "group selection",.within = -1,.steps = 1,.row_hi = 1,.count = -1,
			.options = {.within = -1},.location = -1
		};
	}
	return set;
}

PaEstimate
pa_statistics_estimate(const PaStatistics *set, const PaLeafSpec *spec, int aggregate, const double *noised)
{
	return pa_aggregate_form(spec->aggregates[aggregate].kind)->estimate(set, &set->sources[aggregate], noised);
}
