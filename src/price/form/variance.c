/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * variance.c
 *		Variances and standard deviations: E[(x - mid)^2] - (E[x] - mid)^2, from noised
 *		sums about the middle of the bounds.
 */
#include "postgres.h"

#include <math.h>

#include "price/form/estimate.h"
#include "price/form/form.h"
#include "price/form/parts.h"

#define PARTS 3

/*
 * With h half the width of the bounds and n values, parts that are off by x rows move
 * a variance by at most 5 h^2 x/(n - x) (docs/theory.md).  Where n is not said, the
 * error bound is for the numerator.
 */
static double
rows_within(const PaAggregateArguments *arguments, double within)
{
	double		n = arguments->options.rows;
	double		half = (arguments->hi - arguments->lo) / 2;
	double		reach = 5 * half * half;

	return n > 0 ? within * n / (reach + within) : within / (half * half / 2);
}

static PaAggregateSource
plan(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments, double rows)
{
	PaAggregateArguments shared = pa_share_options(arguments, PARTS);
	int			count = pa_add_count_of_numbers(set, aggregate, &shared, rows);
	int			sum = pa_add_moment(set, aggregate, PA_STAT_CENTRED, &shared, rows, count);

	return (PaAggregateSource) {
		.count = count,.sum = sum,.squares = pa_add_moment(set, aggregate, PA_STAT_SQUARES, &shared, rows, count)
	};
}

static PaAggregateSource
plan_variance(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	double		within = arguments->options.within;

	return plan(set, aggregate, arguments, within < 0 ? within : rows_within(arguments, within));
}

static PaAggregateSource
plan_deviation(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	double		within = arguments->options.within;

	return plan(set, aggregate, arguments, within < 0 ? within : rows_within(arguments, within * within));
}

/* Between 0 and h^2; "sample": of a sample of n values, times n/(n - 1). */
static PaEstimate
variance(const PaStatistics *set, const PaAggregateSource *source, const double *noised, bool sample)
{
	const PaStatistic *sum = &set->statistics[source->sum];
	const PaStatistic *squares = &set->statistics[source->squares];
	double		confidence = pa_part_confidence(set->confidence, PARTS);
	PaEstimate	count = pa_estimate_statistic(set, source->count, noised, confidence);
	PaEstimate	mean = pa_estimate_ratio(pa_estimate_statistic(set, source->sum, noised, confidence), count);
	PaEstimate	square = pa_estimate_shift(pa_estimate_ratio(pa_estimate_statistic(set, source->squares, noised, confidence), count),
										   squares->centre);
	double		half = (sum->hi - sum->lo) / 2;
	double		least = mean.low <= 0 && mean.high >= 0 ? 0 : Min(fabs(mean.low), fabs(mean.high));
	double		most = Max(fabs(mean.low), fabs(mean.high));
	double		factor = sample && count.value > 1 ? count.value / (count.value - 1) : 1;
	PaEstimate	result = pa_estimate_clamp((PaEstimate) {
										   square.value - mean.value * mean.value,
										   square.low - most * most,
										   square.high - least * least
										   }, 0, half * half);

	return (PaEstimate) {
		result.value * factor, result.low * factor, result.high * factor,
		mean.acceptance * squares->calibration.acceptance
	};
}

static PaEstimate
deviation(PaEstimate variance)
{
	return (PaEstimate) {sqrt(variance.value), sqrt(variance.low), sqrt(variance.high), variance.acceptance};
}

static PaEstimate
estimate_var_pop(const PaStatistics *set, const PaAggregateSource *source, const double *noised)
{
	return variance(set, source, noised, false);
}

static PaEstimate
estimate_var_samp(const PaStatistics *set, const PaAggregateSource *source, const double *noised)
{
	return variance(set, source, noised, true);
}

static PaEstimate
estimate_stddev_pop(const PaStatistics *set, const PaAggregateSource *source, const double *noised)
{
	return deviation(variance(set, source, noised, false));
}

static PaEstimate
estimate_stddev_samp(const PaStatistics *set, const PaAggregateSource *source, const double *noised)
{
	return deviation(variance(set, source, noised, true));
}

const PaAggregateForm pa_form_var_pop = {.bounds = PA_BOUNDS_REQUIRED,.adds_up = true,.plan = plan_variance,.estimate = estimate_var_pop};
const PaAggregateForm pa_form_var_samp = {.bounds = PA_BOUNDS_REQUIRED,.adds_up = true,.plan = plan_variance,.estimate = estimate_var_samp};
const PaAggregateForm pa_form_stddev_pop = {.bounds = PA_BOUNDS_REQUIRED,.adds_up = true,.plan = plan_deviation,.estimate = estimate_stddev_pop};
const PaAggregateForm pa_form_stddev_samp = {.bounds = PA_BOUNDS_REQUIRED,.adds_up = true,.plan = plan_deviation,.estimate = estimate_stddev_samp};
