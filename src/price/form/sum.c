/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sum.c
 *		Sums of clamped values.
 */
#include "postgres.h"

#include "price/form/estimate.h"
#include "price/form/form.h"
#include "price/form/parts.h"

static PaAggregateSource
plan(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	return (PaAggregateSource) {.count = -1,.sum = pa_add_sum(set, aggregate, arguments, aggregate->label, arguments->options.within),.squares = -1};
}

static PaEstimate
estimate(const PaStatistics *set, const PaAggregateSource *source, const double *noised)
{
	return pa_estimate_statistic(set, source->sum, noised, set->confidence);
}

const PaAggregateForm pa_form_sum = {.bounds = PA_BOUNDS_REQUIRED,.owner_bounds = PA_OWNER_BOUNDS_LEAST_NOISE,.adds_up = true,.is_total = true,.plan = plan,.estimate = estimate};
const PaAggregateForm pa_form_candidate = {.bounds = PA_BOUNDS_REQUIRED,.candidate = true,.plan = plan,.estimate = estimate};
