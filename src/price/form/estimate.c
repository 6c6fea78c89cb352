/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * estimate.c
 *		See estimate.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/timestamp.h"

#include "price/form/estimate.h"
#include "price/unit/unit.h"

/* What one unit can change in a group, in units of the data. */
static double
reach_of(const PaStatistics *set, const PaStatistic *statistic)
{
	return ldexp((double) pa_statistic_sensitivity(set, statistic), statistic->exponent);
}

/*
 * How far the sample's total over the rate may be from the total of all owners.
 * Let contributions be at most B and sum to at most T, in absolute value.  By
 * Bernstein's inequality the distance is at most sqrt(2 v L) + B L/(3 rate) with
 * v = (1 - rate)/rate B T, but for a probability of e^-L on each side.  T is
 * taken as the largest that fits T <= known + that distance, where "known" bounds
 * what the sample says of T.
 */
static double
sampling_error(double rate, double reach, double known, double chance)
{
	double		log_term = log(3 / chance); /* both sides, and one of T */
	double		linear = reach / rate * log_term / 3;
	double		root = sqrt(2 * (1 - rate) / rate * reach * log_term);
	double		total = (root + sqrt(root * root + 4 * (Max(known, 0) + linear))) / 2;

	return root * total + linear;
}

static bool
is_one_signed(const PaStatistic *statistic)
{
	if (statistic->kind == PA_STAT_OWNER_SUM)
		return statistic->owner_lo >= 0 || statistic->owner_hi <= 0;
	return statistic->row_lo >= 0 || statistic->row_hi <= 0;
}

/* The sum of absolute contributions as the sample has it, over the rate; infinite if nothing released tells. */
static double
known_total(const PaStatistics *set, const PaStatistic *statistic, const double *noised, double value,
			double error, double confidence)
{
	const PaStatistic *count;

	if (is_one_signed(statistic))
		return fabs(value) + error;
	if (statistic->count < 0)
		return INFINITY;
	count = &set->statistics[statistic->count];
	return ldexp(Max(-statistic->row_lo, statistic->row_hi), statistic->exponent) *
		(noised[statistic->count] + pa_statistic_error(count, confidence)) / set->rate;
}

/* What may fail: noise, the count's noise, the sampling. */
PaEstimate
pa_estimate_statistic(const PaStatistics *set, int index, const double *noised, double confidence)
{
	const PaStatistic *statistic = &set->statistics[index];
	double		part = set->rate < 1 ? 1 - (1 - confidence) / 3 : confidence;
	double		value = noised[index] / set->rate;
	double		error = pa_statistic_error(statistic, part) / set->rate;

	if (set->rate < 1)
		error += sampling_error(set->rate, reach_of(set, statistic),
								known_total(set, statistic, noised, value, error, part), 1 - part);
	return (PaEstimate) {value, value - error, value + error, statistic->calibration.acceptance};
}

PaEstimate
pa_estimate_ratio(PaEstimate sum, PaEstimate count)
{
	PaEstimate	result;
	double		low = count.low,
				high = Max(count.high, 1);

	result.value = sum.value / Max(count.value, 1);
	result.acceptance = sum.acceptance * count.acceptance;
	if (low < 1)
		return (PaEstimate) {result.value, -INFINITY, INFINITY, result.acceptance};
	result.low = Min(sum.low / low, sum.low / high);
	result.high = Max(sum.high / low, sum.high / high);
	return result;
}

PaEstimate
pa_estimate_clamp(PaEstimate estimate, double low, double high)
{
	estimate.value = Min(Max(estimate.value, low), high);
	estimate.low = Min(Max(estimate.low, low), high);
	estimate.high = Min(Max(estimate.high, low), high);
	return estimate;
}

PaEstimate
pa_estimate_shift(PaEstimate estimate, double by)
{
	return (PaEstimate) {estimate.value + by, estimate.low + by, estimate.high + by, estimate.acceptance};
}

static int64
to_int64(double value)
{
	if (value >= 9223372036854775807.0)
		return PG_INT64_MAX;
	if (value <= -9223372036854775808.0)
		return PG_INT64_MIN;
	return (int64) rint(value);
}

/* The nearest whole number from least to most. */
static int64
to_whole(double value, int64 least, int64 most)
{
	return Min(Max(to_int64(value), least), most);
}

Datum
pa_estimate_datum(const PaLeafAggregate *aggregate, const PaEstimate *estimate)
{
	double		value = estimate->value;

	switch (aggregate->result_type)
	{
		case BOOLOID:
			return BoolGetDatum(value >= 0.5);
		case INT2OID:
			return Int16GetDatum((int16) to_whole(value, PG_INT16_MIN, PG_INT16_MAX));
		case INT4OID:
			return Int32GetDatum((int32) to_whole(value, PG_INT32_MIN, PG_INT32_MAX));
		case INT8OID:
			return Int64GetDatum(to_int64(value));
		case DATEOID:
			return DateADTGetDatum((DateADT) to_whole(value, DATETIME_MIN_JULIAN - POSTGRES_EPOCH_JDATE, DATE_END_JULIAN - POSTGRES_EPOCH_JDATE - 1));
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return TimestampGetDatum(to_whole(value * USECS_PER_SEC, MIN_TIMESTAMP, END_TIMESTAMP - 1));
		case NUMERICOID:
			return DirectFunctionCall1(float8_numeric, Float8GetDatum(value));
		case FLOAT4OID:
			return Float4GetDatum((float4) Min(Max(value, -3.4e38), 3.4e38));
		default:
			return Float8GetDatum(value);
	}
}

Datum
pa_interval_datum(int column, const PaEstimate *estimate, bool *isnull)
{
	double		end = column >= PA_HIGH_COLUMN(0) ? estimate->high : estimate->low;

	*isnull = isnan(end);
	return Float8GetDatum(end);
}
