/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * typical.c
 *		How exact an aggregate would be in a group of so many values.
 *
 * The interval of a mean or a variance depends on the totals that it is computed from.  It is
 * widest where these are at an end of what they can be, so the ends are tried: all values
 * at one bound, at the other, or about the middle, there or at both bounds.
 */
#include "postgres.h"

#include <math.h>

#include "price/form/form.h"

#define PLACES 4

/* Means of values and of their squares, from the middle of the bounds, which are 1 away. */
static const struct
{
	double		mean;
	double		square;
}			places[PLACES] = {{-1, 1}, {0, 0}, {0, 1}, {1, 1}};

/* What the statistic adds up to for so many values there. */
static double
total_at(const PaStatistic *statistic, int place, double values)
{
	double		half = (statistic->hi - statistic->lo) / 2;

	switch (statistic->kind)
	{
		case PA_STAT_SUM:
		case PA_STAT_OWNER_SUM:
			return values * (statistic->lo + half + places[place].mean * half);
		case PA_STAT_CENTRED:
			return values * places[place].mean * half;
		case PA_STAT_SQUARES:
			return values * (places[place].square * half * half - statistic->centre);
		case PA_STAT_ROWS:
		case PA_STAT_VALUES:
		case PA_STAT_OWNERS:
		case PA_STAT_ORDER:
		case PA_STAT_DISTINCT:
		case PA_STAT_CAP:
			break;
	}
	return values;
}

double
pa_statistics_error_of(const PaStatistics *set, const PaLeafSpec *spec, int aggregate, double values)
{
	const PaAggregateForm *form = pa_aggregate_form(spec->aggregates[aggregate].kind);
	double	   *noised = palloc(sizeof(double) * (set->nreleased + 1));
	double		most = 0;

	if (form->is_total || !form->adds_up)
		return NAN;
	for (int place = 0; place < PLACES; place++)
	{
		PaEstimate	estimate;

		for (int i = 0; i < set->nsummed; i++)
			noised[i] = total_at(&set->statistics[i], place, values * set->rate);
		estimate = pa_statistics_estimate(set, spec, aggregate, noised);
		most = Max(most, Max(estimate.high - estimate.value, estimate.value - estimate.low));
	}
	pfree(noised);
	return most;
}
