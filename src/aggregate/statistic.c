/*
 * statistic.c
 *		Bounded integer sums: from rows to owners' contributions to totals.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "common/int.h"
#include "utils/builtins.h"

#include "aggregate/statistic.h"
#include "aggregate/unit/unit.h"
#include "number.h"

#define ROW_BITS 30				/* a bound is between 2^30 and 2^31 lattice steps */

/* --- which statistics --- */

static int
find_input(PaStatistics *set, const PaLeafAggregate *aggregate, bool number)
{
	if (aggregate->input < 0)
		return -1;
	for (int i = 0; i < set->ninputs; i++)
		if (set->inputs[i].column == aggregate->input && set->inputs[i].number == number)
			return i;
	set->inputs[set->ninputs] = (PaInput) {.column = aggregate->input,.type = aggregate->input_type,.number = number};
	return set->ninputs++;
}

/*
 * How many rows' worth of error each part of an aggregate may have, so that the
 * aggregate keeps to its error bound w; negative: none.  Parts are bounded by
 * that many times what one row can add to them.  With h half the width of the
 * bounds and n values, parts that are off by x rows move a mean by at most
 * 2 h x/(n - x) and a variance by 5 h^2 x/(n - x) (docs/theory.md).  Where n is
 * not said, w bounds the numerator.
 */
static double
rows_within(PaAggregateKind kind, const PaAggregateArguments *arguments)
{
	double		within = arguments->options.within;
	double		n = arguments->options.rows;
	double		half = (arguments->hi - arguments->lo) / 2;
	double		reach;

	if (within < 0 || kind == PA_AGG_COUNT_ROWS || kind == PA_AGG_COUNT || kind == PA_AGG_COUNT_OWNERS ||
		kind == PA_AGG_SCORE)
		return within;
	if (kind == PA_AGG_STDDEV_POP || kind == PA_AGG_STDDEV_SAMP)
		within *= within;
	if (kind == PA_AGG_AVG)
		return n > 0 ? within * n / (2 * half + within) : within / half;
	reach = 5 * half * half;
	return n > 0 ? within * n / (reach + within) : within / (half * half / 2);
}

static bool
same_options(const PaOptions *a, const PaOptions *b)
{
	return a->epsilon == 0 && b->epsilon == 0 && a->delta == 0 && b->delta == 0 &&
		!a->kernel_given && !b->kernel_given;
}

/* Adds a statistic, or finds the one that is already there and shares its noise. */
static int
add_statistic(PaStatistics *set, PaStatistic statistic)
{
	for (int i = 0; i < set->nstatistics; i++)
	{
		const PaStatistic *other = &set->statistics[i];

		if (other->kind == statistic.kind && other->input == statistic.input &&
			other->lo == statistic.lo && other->hi == statistic.hi && other->within == statistic.within &&
			same_options(&other->options, &statistic.options))
			return i;
	}
	set->statistics[set->nstatistics] = statistic;
	return set->nstatistics++;
}

/* The lattice on which the bound is about 2^ROW_BITS steps. */
static void
set_lattice(PaStatistic *statistic, double lo, double hi)
{
	double		bound = Max(fabs(lo), fabs(hi));
	int			exponent;

	(void) frexp(bound, &exponent);
	statistic->exponent = exponent - 1 - ROW_BITS;
	statistic->steps = ldexp(1.0, -statistic->exponent);
	statistic->row_lo = (int64) floor(lo * statistic->steps);
	statistic->row_hi = (int64) ceil(hi * statistic->steps);
}

static bool
can_be_nan(Oid type)
{
	return type == FLOAT4OID || type == FLOAT8OID || type == NUMERICOID;
}

static int
add_count(PaStatistics *set, const PaLeafAggregate *aggregate, PaStatisticKind kind,
		  const PaAggregateArguments *arguments, bool number)
{
	bool		nan_is_null = can_be_nan(aggregate->input_type);
	PaStatistic statistic = {.kind = kind,.options = arguments->options,.label = aggregate->label,.steps = 1,
		.within = rows_within(aggregate->kind, arguments),.row_lo = 0,.row_hi = 1,.count = -1,.input = -1,
		.location = arguments->location
	};

	if (kind == PA_STAT_VALUES && aggregate->never_null && !nan_is_null)
		statistic.kind = PA_STAT_ROWS;
	if (statistic.kind == PA_STAT_VALUES || kind == PA_STAT_OWNERS)
		statistic.input = find_input(set, aggregate, number && nan_is_null);
	if (number)
		statistic.label = psprintf("count for %s", aggregate->label);
	return add_statistic(set, statistic);
}

static int
add_sum(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	PaStatistic statistic = {.kind = PA_STAT_SUM,.options = arguments->options,.label = aggregate->label,
		.within = arguments->options.within,.lo = arguments->lo,.hi = arguments->hi,.count = -1,
		.location = arguments->location
	};

	statistic.input = find_input(set, aggregate, true);
	statistic.never_missing = aggregate->never_null && !can_be_nan(aggregate->input_type);
	set_lattice(&statistic, arguments->lo, arguments->hi);
	return add_statistic(set, statistic);
}

/* (x - mid), or (x - mid)^2 about the middle of its own range */
static int
add_moment(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments,
		   PaStatisticKind kind, int count)
{
	double		half = (arguments->hi - arguments->lo) / 2;
	double		range = kind == PA_STAT_CENTRED ? half : half * half / 2;
	double		rows = rows_within(aggregate->kind, arguments);
	PaStatistic statistic = {.kind = kind,.options = arguments->options,.count = count,
		.within = rows < 0 ? rows : rows * range,.lo = arguments->lo,.hi = arguments->hi,
		.location = arguments->location
	};

	statistic.label = psprintf("%s for %s", kind == PA_STAT_CENTRED ? "centred sum" : "centred squares", aggregate->label);
	statistic.centre = kind == PA_STAT_CENTRED ? (arguments->lo + arguments->hi) / 2 : range;
	statistic.input = find_input(set, aggregate, true);
	set_lattice(&statistic, -range, range);
	return add_statistic(set, statistic);
}

static PaOptions
share_options(PaOptions options, int parts)
{
	options.epsilon /= parts;
	options.delta /= parts;
	return options;
}

static PaAggregateSource
add_aggregate(PaStatistics *set, const PaLeafAggregate *aggregate, PaAggregateArguments arguments)
{
	PaAggregateSource source = {-1, -1, -1};

	switch (aggregate->kind)
	{
		case PA_AGG_COUNT_ROWS:
			source.count = add_count(set, aggregate, PA_STAT_ROWS, &arguments, false);
			break;
		case PA_AGG_COUNT:
		case PA_AGG_SCORE:
			source.count = add_count(set, aggregate, PA_STAT_VALUES, &arguments, false);
			break;
		case PA_AGG_COUNT_OWNERS:
			source.count = add_count(set, aggregate, PA_STAT_OWNERS, &arguments, false);
			break;
		case PA_AGG_SUM:
			source.sum = add_sum(set, aggregate, &arguments);
			break;
		case PA_AGG_AVG:
			arguments.options = share_options(arguments.options, 2);
			source.count = add_count(set, aggregate, PA_STAT_VALUES, &arguments, true);
			source.sum = add_moment(set, aggregate, &arguments, PA_STAT_CENTRED, source.count);
			break;
		default:
			arguments.options = share_options(arguments.options, 3);
			source.count = add_count(set, aggregate, PA_STAT_VALUES, &arguments, true);
			source.sum = add_moment(set, aggregate, &arguments, PA_STAT_CENTRED, source.count);
			source.squares = add_moment(set, aggregate, &arguments, PA_STAT_SQUARES, source.count);
			break;
	}
	return source;
}

PaStatistics *
pa_statistics_build(const PaLeafSpec *spec, const PaAggregateArguments *arguments,
					const PaUnit *unit, bool select_groups, int64 max_rows)
{
	PaStatistics *set = palloc0(sizeof(PaStatistics));

	set->statistics = palloc0(sizeof(PaStatistic) * (3 * spec->naggregates + 1));
	set->inputs = palloc0(sizeof(PaInput) * (2 * spec->naggregates + 1));
	set->sources = palloc0(sizeof(PaAggregateSource) * (spec->naggregates + 1));
	set->selection = -1;
	set->max_rows = max_rows;
	set->rate = 1;
	set->unit = unit;
	set->entries = spec->entries;
	for (int i = 0; i < spec->naggregates; i++)
		set->sources[i] = add_aggregate(set, &spec->aggregates[i], arguments[i]);
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

/* --- rows --- */

/* Reading a long numeric would take long. */
static inline bool
is_readable(Oid type, Datum value)
{
	return type != NUMERICOID || pa_numeric_is_short(value);
}

/* NaN, infinities and long numerics are taken as NULL. */
void
pa_statistics_read_row(const PaStatistics *set, const Datum *values, const bool *nulls, PaValue *inputs)
{
	for (int i = 0; i < set->ninputs; i++)
	{
		const PaInput *input = &set->inputs[i];

		inputs[i].present = !nulls[input->column];
		if (inputs[i].present && input->number)
			inputs[i].present = is_readable(input->type, values[input->column]) &&
				pa_read_number(input->type, values[input->column], &inputs[i].value);
	}
}

static inline void
add_saturated(int64 *sum, int64 term)
{
	if (pg_add_s64_overflow(*sum, term, sum))
		*sum = term > 0 ? PG_INT64_MAX : PG_INT64_MIN;
}

/* To the nearest lattice point; the clamp to integers is what bounds the contribution. */
static inline int64
to_lattice(const PaStatistic *statistic, double x)
{
	double		point = rint(x * statistic->steps);

	if (point <= statistic->row_lo)
		return statistic->row_lo;
	if (point >= statistic->row_hi)
		return statistic->row_hi;
	return (int64) point;
}

static inline int64
row_term(const PaStatistic *statistic, double x)
{
	x = x < statistic->lo ? statistic->lo : x > statistic->hi ? statistic->hi : x;
	if (statistic->kind == PA_STAT_CENTRED)
		x -= statistic->centre;
	else if (statistic->kind == PA_STAT_SQUARES)
	{
		x -= (statistic->lo + statistic->hi) / 2;
		x = x * x - statistic->centre;
	}
	return to_lattice(statistic, x);
}

void
pa_statistics_add_row(const PaStatistics *set, const PaValue *inputs, int64 *accumulators)
{
	for (int i = 0; i < set->nstatistics; i++)
	{
		const PaStatistic *statistic = &set->statistics[i];

		if (statistic->input >= 0 && !inputs[statistic->input].present)
			continue;
		if (statistic->kind <= PA_STAT_OWNERS)
			accumulators[i]++;
		else
			add_saturated(&accumulators[i], row_term(statistic, inputs[statistic->input].value));
	}
}

/* --- owners --- */

static int64
clamp(int64 value, int64 low, int64 high)
{
	return value < low ? low : value > high ? high : value;
}

/* sum * m / n to the nearest integer, halves away from zero */
static int64
scale_to(int64 sum, int64 m, int64 n)
{
	PaInt128	product = (PaInt128) sum * m;

	return (int64) ((product >= 0 ? product + n / 2 : product - n / 2) / n);
}

static int64
contribution(const PaStatistics *set, const PaStatistic *statistic, const int64 *accumulators, int64 sum)
{
	int64		m = set->max_rows;

	switch (statistic->kind)
	{
		case PA_STAT_ROWS:
		case PA_STAT_VALUES:
			return Min(sum, m);
		case PA_STAT_OWNERS:
			return sum > 0;
		case PA_STAT_SUM:
			return clamp(sum, m * Min(statistic->row_lo, 0), m * Max(statistic->row_hi, 0));
		case PA_STAT_CENTRED:
		case PA_STAT_SQUARES:
			if (accumulators[statistic->count] > m)
				sum = scale_to(sum, m, accumulators[statistic->count]);
			return clamp(sum, m * statistic->row_lo, m * statistic->row_hi);
	}
	return 0;
}

void
pa_statistics_contribute(const PaStatistics *set, const int64 *accumulators, PaInt128 *totals)
{
	for (int i = 0; i < set->nstatistics; i++)
		totals[i] += contribution(set, &set->statistics[i], accumulators, accumulators[i]);
}

PaInt128
pa_statistic_sensitivity(const PaStatistics *set, const PaStatistic *statistic)
{
	return set->unit->sensitivity(set, statistic);
}

/* --- results --- */

double
pa_statistic_value(const PaStatistic *statistic, PaInt128 steps)
{
	return ldexp((double) steps * pa_lattice_step(&statistic->calibration.lattice), statistic->exponent);
}

double
pa_statistic_within(const PaStatistic *statistic)
{
	return statistic->within < 0 ? -1 : ldexp(statistic->within, -statistic->exponent);
}

double
pa_statistic_error(const PaStatistic *statistic, double confidence)
{
	int64		error = pa_kernel_error(&statistic->calibration.kernel, confidence);

	/* rounding to a coarser lattice moves a total by at most half a step */
	return pa_statistic_value(statistic, error) +
		(statistic->calibration.lattice.divisor > 1 ? pa_statistic_value(statistic, 1) / 2 : 0);
}

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

/* The sum of absolute contributions as the sample has it, over the rate; infinite if nothing released tells. */
static double
known_total(const PaStatistics *set, const PaStatistic *statistic, const double *noised, double value,
			double error, double confidence)
{
	const PaStatistic *count;

	if (statistic->row_lo >= 0 || statistic->row_hi <= 0)
		return fabs(value) + error;
	if (statistic->count < 0)
		return INFINITY;
	count = &set->statistics[statistic->count];
	return ldexp(Max(-statistic->row_lo, statistic->row_hi), statistic->exponent) *
		(noised[statistic->count] + pa_statistic_error(count, confidence)) / set->rate;
}

/* A total of the sample becomes an estimate for all.  What may fail: noise, the count's noise, the sampling. */
static PaEstimate
of_statistic(const PaStatistics *set, int index, const double *noised, double confidence)
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

/* A ratio of estimates with a positive denominator, as an interval. */
static PaEstimate
ratio(PaEstimate sum, PaEstimate count)
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

static PaEstimate
clamp_estimate(PaEstimate estimate, double low, double high)
{
	estimate.value = Min(Max(estimate.value, low), high);
	estimate.low = Min(Max(estimate.low, low), high);
	estimate.high = Min(Max(estimate.high, low), high);
	return estimate;
}

static PaEstimate
shifted(PaEstimate estimate, double by)
{
	return (PaEstimate) {estimate.value + by, estimate.low + by, estimate.high + by, estimate.acceptance};
}

static PaEstimate
average(const PaStatistics *set, const PaAggregateSource *source, const double *noised, double confidence)
{
	const PaStatistic *sum = &set->statistics[source->sum];
	PaEstimate	mean = ratio(of_statistic(set, source->sum, noised, confidence),
							 of_statistic(set, source->count, noised, confidence));

	return clamp_estimate(shifted(mean, sum->centre), sum->lo, sum->hi);
}

/* E[(x - mid)^2] - (E[x] - mid)^2, both noised; between 0 and h^2 */
static PaEstimate
variance(const PaStatistics *set, const PaAggregateSource *source, const double *noised,
		 double confidence, bool sample)
{
	const PaStatistic *sum = &set->statistics[source->sum];
	const PaStatistic *squares = &set->statistics[source->squares];
	PaEstimate	count = of_statistic(set, source->count, noised, confidence);
	PaEstimate	mean = ratio(of_statistic(set, source->sum, noised, confidence), count);
	PaEstimate	square = shifted(ratio(of_statistic(set, source->squares, noised, confidence), count),
								 squares->centre);
	double		half = (sum->hi - sum->lo) / 2;
	double		least = mean.low <= 0 && mean.high >= 0 ? 0 : Min(fabs(mean.low), fabs(mean.high));
	double		most = Max(fabs(mean.low), fabs(mean.high));
	PaEstimate	result = {
		square.value - mean.value * mean.value,
		square.low - most * most,
		square.high - least * least,
		mean.acceptance * set->statistics[source->squares].calibration.acceptance
	};

	result = clamp_estimate(result, 0, half * half);
	if (sample && count.value > 1)
	{
		double		factor = count.value / (count.value - 1);

		result = (PaEstimate) {result.value * factor, result.low * factor, result.high * factor, result.acceptance};
	}
	return result;
}

PaEstimate
pa_statistics_estimate(const PaStatistics *set, const PaLeafSpec *spec, int aggregate, const double *noised)
{
	const PaAggregateSource *source = &set->sources[aggregate];
	PaAggregateKind kind = spec->aggregates[aggregate].kind;
	PaEstimate	result;

	switch (kind)
	{
		case PA_AGG_SUM:
			return of_statistic(set, source->sum, noised, PA_CONFIDENCE);
		case PA_AGG_AVG:		/* the failure probability is split over the parts */
			return average(set, source, noised, 1 - (1 - PA_CONFIDENCE) / 2);
		case PA_AGG_VAR_POP:
		case PA_AGG_VAR_SAMP:
		case PA_AGG_STDDEV_POP:
		case PA_AGG_STDDEV_SAMP:
			result = variance(set, source, noised, 1 - (1 - PA_CONFIDENCE) / 3,
							  kind == PA_AGG_VAR_SAMP || kind == PA_AGG_STDDEV_SAMP);
			if (kind == PA_AGG_STDDEV_POP || kind == PA_AGG_STDDEV_SAMP)
				result = (PaEstimate) {sqrt(result.value), sqrt(result.low), sqrt(result.high), result.acceptance};
			return result;
		default:
			return of_statistic(set, source->count, noised, PA_CONFIDENCE);
	}
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

Datum
pa_estimate_datum(const PaLeafAggregate *aggregate, const PaEstimate *estimate)
{
	double		value = estimate->value;

	switch (aggregate->result_type)
	{
		case INT8OID:
			return Int64GetDatum(to_int64(value));
		case NUMERICOID:
			return DirectFunctionCall1(float8_numeric, Float8GetDatum(value));
		case FLOAT4OID:
			return Float4GetDatum((float4) Min(Max(value, -3.4e38), 3.4e38));
		default:
			return Float8GetDatum(value);
	}
}
