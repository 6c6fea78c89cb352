/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.c
 *		Quantiles, the least and the greatest value.
 *
 * All quantiles of one value that share the release's epsilon are drawn together.
 */
#include "postgres.h"

#include <math.h>

#include "price/form/form.h"
#include "price/form/parts.h"

static PaAggregateSource
plan(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments, PaOrderKind kind)
{
	PaAggregateSource source = {.count = -1,.sum = -1,.squares = -1};

	source.order = pa_add_order(set, aggregate, kind, arguments, &source.rank);
	return source;
}

static PaAggregateSource
plan_quantile(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	return plan(set, aggregate, arguments, PA_ORDER_QUANTILES);
}

static PaAggregateSource
plan_least(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	return plan(set, aggregate, arguments, PA_ORDER_LEAST);
}

static PaAggregateSource
plan_greatest(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	return plan(set, aggregate, arguments, PA_ORDER_GREATEST);
}

/* How far its rank may be off is public, but not how far the value is: that depends on the rows. */
static PaEstimate
estimate(const PaStatistics *set, const PaAggregateSource *source, const double *released)
{
	return (PaEstimate) {
		.value = released[set->statistics[source->order].order->released + source->rank],
			.low = NAN,.high = NAN,.acceptance = NAN
	};
}

const PaAggregateForm pa_form_quantile = {.bounds = PA_BOUNDS_REQUIRED,.times = true,.quantile = true,.draws = true,.plan = plan_quantile,.estimate = estimate};
const PaAggregateForm pa_form_least = {.bounds = PA_BOUNDS_REQUIRED,.times = true,.draws = true,.plan = plan_least,.estimate = estimate};
const PaAggregateForm pa_form_greatest = {.bounds = PA_BOUNDS_REQUIRED,.times = true,.draws = true,.plan = plan_greatest,.estimate = estimate};
