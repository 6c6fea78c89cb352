/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.c
 *		See parts.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"

#include "price/form/parts.h"

#define ROW_BITS 30				/* a bound is between 2^30 and 2^31 lattice steps */

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

int
pa_add_count(PaStatistics *set, const PaLeafAggregate *aggregate, PaStatisticKind kind,
			 const PaAggregateArguments *arguments, double rows)
{
	PaStatistic statistic = {.kind = kind,.options = arguments->options,.label = aggregate->label,.steps = 1,
		.within = rows,.row_lo = 0,.row_hi = 1,.count = -1,.input = -1,.location = arguments->location
	};

	if (kind == PA_STAT_VALUES && aggregate->never_null && !can_be_nan(aggregate->input_type))
		statistic.kind = PA_STAT_ROWS;
	if (statistic.kind == PA_STAT_VALUES || kind == PA_STAT_OWNERS)
		statistic.input = find_input(set, aggregate, false);
	return add_statistic(set, statistic);
}

int
pa_add_count_of_numbers(PaStatistics *set, const PaLeafAggregate *aggregate,
						const PaAggregateArguments *arguments, double rows)
{
	bool		nan_is_null = can_be_nan(aggregate->input_type);
	PaStatistic statistic = {.kind = PA_STAT_VALUES,.options = arguments->options,.steps = 1,
		.within = rows,.row_lo = 0,.row_hi = 1,.count = -1,.input = -1,.location = arguments->location
	};

	if (aggregate->never_null && !nan_is_null)
		statistic.kind = PA_STAT_ROWS;
	else
		statistic.input = find_input(set, aggregate, nan_is_null);
	statistic.label = psprintf("count for %s", aggregate->label);
	return add_statistic(set, statistic);
}

int
pa_add_sum(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
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

int
pa_add_moment(PaStatistics *set, const PaLeafAggregate *aggregate, PaStatisticKind kind,
			  const PaAggregateArguments *arguments, double rows, int count)
{
	double		half = (arguments->hi - arguments->lo) / 2;
	double		range = kind == PA_STAT_CENTRED ? half : half * half / 2;
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

PaAggregateArguments
pa_share_options(const PaAggregateArguments *arguments, int parts)
{
	PaAggregateArguments shared = *arguments;

	shared.options.epsilon /= parts;
	shared.options.delta /= parts;
	return shared;
}
