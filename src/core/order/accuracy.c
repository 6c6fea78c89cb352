/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accuracy.c
 *		Costs of levels, and bounds of rank errors from the tail of the table.
 */
#include "core/order/accuracy.h"

#include <math.h>

#define UP (1 + 0x1p-51)

PaOrderCost
pa_order_cost(int quantiles, double epsilon)
{
	int			depth = pa_quantiles_depth(quantiles);
	double		sum = depth * epsilon;

	if (fma(depth, epsilon, -sum) > 0)
		sum = nextafter(sum, INFINITY);
	return (PaOrderCost) {depth, sum, depth * pa_exponential_rho(epsilon) * UP};
}

double
pa_order_level_of_epsilon(int quantiles, double epsilon)
{
	double		level = epsilon / pa_quantiles_depth(quantiles);

	while (pa_order_cost(quantiles, level).epsilon > epsilon)
		level = nextafter(level, 0);
	return level;
}

double
pa_order_level_of_rho(int quantiles, double rho)
{
	double		level = pa_exponential_epsilon(rho / pa_quantiles_depth(quantiles));

	while (pa_order_cost(quantiles, level).rho > rho)
		level = nextafter(level, 0);
	return level;
}

/* Of one draw among so many candidates, where an owner changes the rank loss by "most" rows */
static PaStatus
error_of(const PaExponential *mechanism, double most, double candidates, double beta, double beta_dense,
		 PaRankError *error)
{
	double		unit = most / (double) mechanism->steps;
	double		units_of_epsilon = (double) (mechanism->steps + mechanism->draws - 1);
	int32_t		units;
	PaStatus	status = pa_exponential_reach(mechanism, candidates, beta, &units);

	if (status != PA_OK && status != PA_NO_SOLUTION)
		return status;
	error->certain = status == PA_OK ? units * unit : INFINITY;
	error->dense = 2 * unit * units_of_epsilon / mechanism->epsilon * log(1 / beta_dense);
	return PA_OK;
}

PaStatus
pa_rank_error(const PaRank *rank, int32_t owner_rows, const PaExponential *mechanism, int64_t cells,
			  double beta, PaRankError *error)
{
	double		share = 1;

	if (rank->kind == PA_RANK_QUANTILE)
	{
		double		q = (double) rank->numerator / rank->denominator;

		if (rank->denominator < 1 || rank->numerator > rank->denominator)
			return PA_INVALID;
		share = fmax(q, 1 - q);
	}
	if (owner_rows < 1)
		return PA_INVALID;
	return error_of(mechanism, owner_rows * share, (double) cells, beta, beta, error);
}

/* Quantiles from..to - 1 of one node */
typedef struct Range
{
	int			from;
	int			to;
} Range;

/* What the cut on one side is off */
static PaRankError
error_at(const PaQuantiles *quantiles, const PaRankError *error, int index)
{
	return index < 0 || index == quantiles->count ? (PaRankError) {0, 0} : error[index];
}

/* Adds what the cuts on both sides are off: the target lies between them, as their weighted mean. */
static void
add_cuts(const PaQuantiles *quantiles, Range range, int own, PaRankError *error)
{
	PaRankError left = error_at(quantiles, error, range.from - 1);
	PaRankError right = error_at(quantiles, error, range.to);

	error[own].certain += fmax(left.certain, right.certain);
	error[own].dense += fmax(left.dense, right.dense);
}

/* max(q', 1 - q') of the node */
static double
share_of(const PaQuantiles *quantiles, Range range, int own)
{
	double		low = range.from == 0 ? 0 : quantiles->numerator[range.from - 1];
	double		high = range.to == quantiles->count ? quantiles->denominator : quantiles->numerator[range.to];
	double		q = (quantiles->numerator[own] - low) / (high - low);

	return fmax(q, 1 - q);
}

PaStatus
pa_quantiles_error(const PaQuantiles *quantiles, int32_t owner_rows, uint64_t parts, const PaExponential *mechanism,
				   int64_t cells, double beta, PaRankError *error)
{
	Range		waiting[PA_QUANTILES_DEPTH + 1];
	int			count = 0;

	if (!pa_quantiles_valid(quantiles) || owner_rows < 1)
		return PA_INVALID;
	waiting[count++] = (Range) {0, quantiles->count};
	while (count > 0)
	{
		Range		range = waiting[--count];
		int			own = range.from + (range.to - range.from) / 2;
		double		candidates = (double) cells * (range.to - range.from == 1 ? 1.0 : (double) parts);
		PaStatus	status = error_of(mechanism, owner_rows * share_of(quantiles, range, own), candidates,
									  beta / quantiles->count, beta / pa_quantiles_depth(quantiles->count),
									  &error[own]);

		if (status != PA_OK)
			return status;
		add_cuts(quantiles, range, own, error);
		if (range.to > own + 1)
			waiting[count++] = (Range) {own + 1, range.to};
		if (own > range.from)
			waiting[count++] = (Range) {range.from, own};
	}
	return PA_OK;
}
