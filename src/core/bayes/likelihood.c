/*
 * likelihood.c
 *		Log-likelihood tables, and the bound of their rounding error.
 *
 * An addition computes s = fl(v + l) and v' = fl(s - max s).  With u = 2^-53
 * and l right within 8u|l| the error of one v' grows by at most u (8|l| + |s|
 * + |v'|), up to terms of order u^2, and a loss is a difference of two: so by
 * 2u = DBL_EPSILON times (8 max|l| + max|s| + loss).  Since the largest is 0
 * after each addition, the numbers stay as small as the loss however many
 * answers there are: after 10^5 answers at epsilon = 1 the bound is below
 * 10^-9.  Values ruled out are exact and take no part; their loss is infinite.
 */
#include "core/bayes/likelihood.h"

#include <float.h>
#include <math.h>

/* Extremes of what is possible after an answer */
typedef struct Range
{
	double		high;
	double		low;			/* -INFINITY as soon as a value is ruled out */
	double		largest;		/* |column| where finite */
	double		sum;			/* |value + column| where finite */
} Range;

PaStatus
pa_likelihood_start(double *value, size_t size, PaLikelihood *likelihood)
{
	size_t		x;

	if (size < 1 || size > PA_MOST_DOMAIN)
		return PA_INVALID;
	for (x = 0; x < size; x++)
		value[x] = 0.0;
	likelihood->size = size;
	likelihood->value = value;
	likelihood->error = 0.0;
	return PA_OK;
}

bool
pa_likelihood_column_valid(const double *column, size_t size)
{
	size_t		x;

	for (x = 0; x < size; x++)
		if (!(column[x] <= 0.0))
			return false;
	return true;
}

bool
pa_likelihood_valid(const PaLikelihood *likelihood)
{
	bool		zero = false;
	size_t		x;

	if (likelihood->size < 1 || likelihood->size > PA_MOST_DOMAIN ||
		!(likelihood->error >= 0) || !isfinite(likelihood->error))
		return false;
	for (x = 0; x < likelihood->size; x++)
		zero |= likelihood->value[x] == 0.0;
	return zero && pa_likelihood_column_valid(likelihood->value, likelihood->size);
}

PaRealisedLoss
pa_likelihood_loss(const PaLikelihood *likelihood)
{
	PaRealisedLoss realised = {0.0, likelihood->error};
	size_t		x;

	for (x = 0; x < likelihood->size; x++)
		realised.loss = fmax(realised.loss, -likelihood->value[x]);
	return realised;
}

static Range
range_after(const PaLikelihood *likelihood, const double *column)
{
	Range		range = {-INFINITY, INFINITY, 0.0, 0.0};
	size_t		x;

	for (x = 0; x < likelihood->size; x++)
	{
		double		sum = likelihood->value[x] + column[x];

		range.high = sum > range.high ? sum : range.high;
		range.low = sum < range.low ? sum : range.low;
		if (sum != -INFINITY)
		{
			range.largest = -column[x] > range.largest ? -column[x] : range.largest;
			range.sum = -sum > range.sum ? -sum : range.sum;
		}
	}
	return range;
}

double
pa_likelihood_rounding(double largest, double sum, double loss)
{
	return DBL_EPSILON * (8.0 * largest + sum + (isfinite(loss) ? loss : sum)) * (1.0 + 1e-9);
}

static PaRealisedLoss
realised(const PaLikelihood *likelihood, const Range *range)
{
	PaRealisedLoss after;

	after.loss = range->high == -INFINITY ? -INFINITY : range->high - range->low;
	after.error = likelihood->error + pa_likelihood_rounding(range->largest, range->sum, after.loss);
	return after;
}

PaRealisedLoss
pa_likelihood_after(const PaLikelihood *likelihood, const double *column)
{
	Range		range = range_after(likelihood, column);

	return realised(likelihood, &range);
}

PaStatus
pa_likelihood_add(PaLikelihood *likelihood, const double *column)
{
	Range		range = range_after(likelihood, column);
	size_t		x;

	if (range.high == -INFINITY || !pa_likelihood_column_valid(column, likelihood->size))
		return PA_INVALID;
	for (x = 0; x < likelihood->size; x++)
		likelihood->value[x] = (likelihood->value[x] + column[x]) - range.high;
	likelihood->error = realised(likelihood, &range).error;
	return PA_OK;
}
