/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * statistic.c
 *		Bounded integer sums: from rows to owners' contributions to totals.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "common/int.h"

#include "bound/canonical_key.h"
#include "bound/order.h"
#include "bound/statistic.h"
#include "number.h"

/* as pa_statistics_add_row takes them */
StaticAssertDecl(PA_STAT_OWNERS == 2, "kinds of statistics that only count come first");

/* --- rows --- */

/* Reading a long numeric would take long. */
static inline bool
is_readable(Oid type, Datum value)
{
	return type != NUMERICOID || pa_numeric_is_short(value);
}

/* Of a value, or of several that are one. */
static PaHash128
hash_of(const PaInput *input, const uint8 *secret, const Datum *values, const bool *nulls)
{
	StringInfoData bytes;

	initStringInfo(&bytes);
	for (int i = 0; i < input->nfields; i++)
	{
		const PaLeafField *field = &input->fields[i];
		bool		isnull = nulls[field->input] || !pa_key_is_short(field->type, values[field->input]);

		pa_append_key(&bytes, field->type, values[field->input], isnull);
	}
	return pa_keyed_hash128(secret, bytes.data, bytes.len);
}

/* NaN, infinities and long numerics are no numbers, long texts no values to be told apart. */
void
pa_statistics_read_row(const PaStatistics *set, const uint8 *secret, const Datum *values, const bool *nulls, PaValue *inputs)
{
	for (int i = 0; i < set->ninputs; i++)
	{
		const PaInput *input = &set->inputs[i];

		inputs[i].present = input->column < 0 || !nulls[input->column];
		if (inputs[i].present && input->nfields > 0 && input->column >= 0)
			inputs[i].present = pa_key_is_short(input->type, values[input->column]);
		if (inputs[i].present && input->nfields > 0)
			inputs[i].hash = hash_of(input, secret, values, nulls);
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
	switch (statistic->kind)
	{
		case PA_STAT_CENTRED:
			x -= statistic->centre;
			break;
		case PA_STAT_SQUARES:
			x -= (statistic->lo + statistic->hi) / 2;
			x = x * x - statistic->centre;
			break;
		case PA_STAT_SUM:
		case PA_STAT_OWNER_SUM:
			break;
		case PA_STAT_ROWS:		/* which only count */
		case PA_STAT_VALUES:
		case PA_STAT_OWNERS:
		case PA_STAT_ORDER:		/* which add nothing up */
		case PA_STAT_DISTINCT:
		case PA_STAT_CAP:
			break;
	}
	return to_lattice(statistic, x);
}

/* A sum of 128 bits in two accumulators: there are not so many rows that it could overflow. */
static inline PaInt128
wide_sum(const int64 *accumulators)
{
	return (PaInt128) (((unsigned __int128) (uint64) accumulators[1] << 64) | (uint64) accumulators[0]);
}

static inline void
add_wide(int64 *accumulators, PaInt128 term)
{
	PaInt128	sum = wide_sum(accumulators) + term;

	accumulators[0] = (int64) (uint64) sum;
	accumulators[1] = (int64) (sum >> 64);
}

void
pa_statistics_add_row(const PaStatistics *set, const PaValue *inputs, int64 *accumulators, PaKeptRoom *room)
{
	for (int i = 0; i < set->nsummed; i++)
	{
		const PaStatistic *statistic = &set->statistics[i];

		if (statistic->input >= 0 && !inputs[statistic->input].present)
			continue;
		if (statistic->kind <= PA_STAT_OWNERS)
			accumulators[i]++;
		else if (statistic->kind == PA_STAT_OWNER_SUM)
		{
			accumulators[i]++;
			add_wide(&accumulators[statistic->wide], row_term(statistic, inputs[statistic->input].value));
		}
		else if (statistic->kind == PA_STAT_ORDER)
		{
			if (room)
				pa_order_keep(statistic, inputs[statistic->input].value, &accumulators[i], accumulators, room);
		}
		else if (statistic->kind != PA_STAT_DISTINCT && statistic->kind != PA_STAT_CAP)
			add_saturated(&accumulators[i], row_term(statistic, inputs[statistic->input].value));
	}
}

void
pa_statistics_merge(const PaStatistics *set, int64 *accumulators, const PaPacked *others, PaKeptRoom *room)
{
	const char *values = others->values;

	for (int i = 0; i < set->nsummed; i++)
	{
		const PaStatistic *statistic = &set->statistics[i];
		int64		other = others->accumulators[i];

		if (statistic->kind == PA_STAT_ORDER)
		{
			pa_order_merge(statistic, &accumulators[i], accumulators, other, values, room);
			values += pa_order_packed_size(other);
			continue;
		}
		add_saturated(&accumulators[i], other);
		if (statistic->kind == PA_STAT_OWNER_SUM)
			add_wide(&accumulators[statistic->wide], wide_sum(&others->accumulators[statistic->wide]));
	}
}

void
pa_statistics_clear(const PaStatistics *set, int64 *accumulators)
{
	for (int i = 0; i < set->nsummed; i++)
	{
		accumulators[i] = 0;
		if (set->statistics[i].kind == PA_STAT_OWNER_SUM)
			memset(&accumulators[set->statistics[i].wide], 0, 2 * sizeof(int64));
	}
}

/* --- owners --- */

static int64
clamp(PaInt128 value, int64 low, int64 high)
{
	return value < low ? low : value > high ? high : (int64) value;
}

/* sum * m / n to the nearest integer, halves away from zero */
static int64
scale_to(int64 sum, int64 m, int64 n)
{
	PaInt128	product = (PaInt128) sum * m;

	return (int64) ((product >= 0 ? product + n / 2 : product - n / 2) / n);
}

static int64
contribution(const PaStatistic *statistic, const int64 *accumulators, int64 sum)
{
	int64		m = statistic->max_rows;

	switch (statistic->kind)
	{
		case PA_STAT_ROWS:
		case PA_STAT_VALUES:
			return Min(sum, m);
		case PA_STAT_OWNERS:
			return sum > 0;
		case PA_STAT_SUM:
			return clamp(sum, m * Min(statistic->row_lo, 0), m * Max(statistic->row_hi, 0));
		case PA_STAT_OWNER_SUM:
			return sum == 0 ? 0 : clamp(wide_sum(&accumulators[statistic->wide]), statistic->owner_lo, statistic->owner_hi);
		case PA_STAT_CENTRED:
		case PA_STAT_SQUARES:
			if (accumulators[statistic->count] > m)
				sum = scale_to(sum, m, accumulators[statistic->count]);
			return clamp(sum, m * statistic->row_lo, m * statistic->row_hi);
		case PA_STAT_ORDER:
		case PA_STAT_DISTINCT:
		case PA_STAT_CAP:
			return 0;
	}
	return 0;
}

void
pa_statistics_contribute(const PaStatistics *set, const int64 *accumulators, PaInt128 *totals)
{
	for (int i = 0; i < set->nsummed; i++)
		totals[i] += contribution(&set->statistics[i], accumulators, accumulators[i]);
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
	int64		error;

	if (statistic->spread)
		return pa_spread_error(statistic->spread, confidence);
	error = pa_kernel_error(&statistic->calibration.kernel, confidence);
	/* rounding to a coarser lattice moves a total by at most half a step */
	return pa_statistic_value(statistic, error) +
		(statistic->calibration.lattice.divisor > 1 ? pa_statistic_value(statistic, 1) / 2 : 0);
}
