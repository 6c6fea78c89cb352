/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mean.c
 *		Means: a sum about the middle of the bounds, or of what owners' values add up to,
 *		over a count.
 */
#include "postgres.h"

#include <math.h>

#include "price/form/estimate.h"
#include "price/form/form.h"
#include "price/form/parts.h"

#define PARTS 2

/* What a row adds to the numerator at most. */
static double
most_of_row(const PaAggregateArguments *arguments)
{
	if (arguments->options.limit == PA_LIMIT_OWNER)
		return Max(fabs(arguments->lo), fabs(arguments->hi));
	return (arguments->hi - arguments->lo) / 2;
}

/*
 * With h the most of a row and n values, parts that are off by x rows move a mean by
 * at most 2 h x/(n - x) (docs/theory.md).  Where n is not said, the error bound is for
 * the numerator.
 */
static double
rows_within(const PaAggregateArguments *arguments)
{
	double		within = arguments->options.within;
	double		n = arguments->options.rows;
	double		most = most_of_row(arguments);

	if (within < 0)
		return within;
	return n > 0 ? within * n / (2 * most + within) : within / most;
}

/*
 * Owners' sums are bounded only where that is asked for: they are of all rows, and the
 * count is of at most M of an owner, so the mean leans where M is too small.
 */
static int
add_numerator(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments, double rows, int count)
{
	if (arguments->options.limit == PA_LIMIT_OWNER)
		return pa_add_sum(set, aggregate, arguments, psprintf("sum for %s", aggregate->label),
						  rows < 0 ? rows : rows * most_of_row(arguments));
	return pa_add_moment(set, aggregate, PA_STAT_CENTRED, arguments, rows, count);
}

static PaAggregateSource
plan(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	PaAggregateArguments shared = pa_share_options(arguments, PARTS);
	double		rows = rows_within(arguments);
	int			count = pa_add_count_of_numbers(set, aggregate, &shared, rows);

	return (PaAggregateSource) {
		.count = count,.sum = add_numerator(set, aggregate, &shared, rows, count),.squares = -1
	};
}

static PaEstimate
estimate(const PaStatistics *set, const PaAggregateSource *source, const double *noised)
{
	const PaStatistic *sum = &set->statistics[source->sum];
	double		confidence = pa_part_confidence(set->confidence, PARTS);
	PaEstimate	mean = pa_estimate_ratio(pa_estimate_statistic(set, source->sum, noised, confidence),
										 pa_estimate_statistic(set, source->count, noised, confidence));

	return pa_estimate_clamp(pa_estimate_shift(mean, sum->centre), sum->lo, sum->hi);
}

const PaAggregateForm pa_form_avg = {.bounds = PA_BOUNDS_REQUIRED,.owner_bounds = PA_OWNER_BOUNDS_ASKED,.adds_up = true,.plan = plan,.estimate = estimate};
