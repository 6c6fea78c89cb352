/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * likelihood.c
 *		Log-likelihood tables, and the bound of their rounding error.
 *
 * Grid.  Every number l that is added is first rounded to a multiple of g =
 * 2^-44.  Doubles of magnitude 2^8 and more are multiples already; below, l - 2^8
 * has an exponent for which the last bit is g, so subtracting and adding 2^8
 * rounds.  A table consists of multiples of g: at the start of zeros, and a sum
 * or difference of two multiples is one, if need be rounded to the doubles of
 * magnitude 2^9 and more, all multiples of 2g.  Those below 2^9 have no more than
 * 53 bits, hence are exact: as long as no sum s = v + l reaches 2^9 a table is
 * (sum of the l) - max (sum of the l) without any error, the same bits in
 * whatever order the answers came.
 *
 * Error.  With u = 2^-53 and l right within 8u|l|, the rounded l is off by at
 * most g/2 + 8u|l|.  Where s reaches 2^9, fl(v + l) and v' = fl(s - max s) add
 * at most u (|s| + |v'|), up to terms of order u^2; v' is no larger than s, for
 * max s <= 0.  A loss is a difference of two such numbers: its error grows by
 * at most g + 2u 8 max|l|, and by 2u (max|s| + loss) more if max|s| >= 2^9.  (A
 * computed s below 2^9 was exact: the exact one is below 2^9 too.)  The factor 1
 * + 1e-9 covers u^2, that |l| is the rounded one here, and the rounding of the
 * share; sums of shares are rounded up.  Since the largest is 0 after each
 * addition, the numbers stay as small as the loss however many answers there
 * are.  The bound is 5.7e-14 per answer while |l| is a few units: it reaches
 * 10^-9 after 17592 answers (2^44 10^-9), some less as |l| counts a little:
 * 16900 at |ln Pr| = 1.3, the rare answer of epsilon = 1.  Values ruled out are
 * exact; their loss is infinite.
 */
#include "core/bayes/likelihood.h"

#include <float.h>
#include <math.h>

#define GRID 0x1p-44
#define ON_GRID 0x1p8			/* a double of this size or more is a multiple of GRID */
#define EXACT 0x1p9				/* sums of multiples of GRID below this are exact */

#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2
#error "sums of doubles must be rounded to doubles"
#endif

/* Extremes of what is possible after an answer */
typedef struct Range
{
	double		high;
	double		low;			/* -INFINITY as soon as a value is ruled out */
	double		largest;		/* |column| where finite, on the grid */
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

double
pa_likelihood_grid(double log_likelihood)
{
	return log_likelihood > -ON_GRID ? (log_likelihood - ON_GRID) + ON_GRID : log_likelihood;
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
	{
		if (likelihood->value[x] != pa_likelihood_grid(likelihood->value[x]))
			return false;
		zero |= likelihood->value[x] == 0.0;
	}
	return zero && pa_likelihood_column_valid(likelihood->value, likelihood->size);
}

PaRealisedLoss
pa_likelihood_loss(const PaLikelihood *likelihood)
{
	PaRealisedLoss realised = {0.0, likelihood->error};
	double		low = 0.0;
	size_t		x;

	for (x = 0; x < likelihood->size; x++)
		low = likelihood->value[x] < low ? likelihood->value[x] : low;
	realised.loss = 0.0 - low;	/* never -0 */
	return realised;
}

/* Where a value is ruled out.  Its numbers count too: so the error does not depend on the order either. */
static void
widen_by_finite(Range *range, const PaLikelihood *likelihood, const double *column)
{
	size_t		x;

	range->largest = range->sum = 0.0;
	for (x = 0; x < likelihood->size; x++)
	{
		double		added = pa_likelihood_grid(column[x]);
		double		sum = likelihood->value[x] + added;

		if (added != -INFINITY)
			range->largest = -added > range->largest ? -added : range->largest;
		if (sum != -INFINITY)
			range->sum = -sum > range->sum ? -sum : range->sum;
	}
}

static Range
range_after(const PaLikelihood *likelihood, const double *column)
{
	Range		range = {-INFINITY, INFINITY, 0.0, 0.0};
	double		least = 0.0;
	size_t		x;

	for (x = 0; x < likelihood->size; x++)
	{
		double		added = pa_likelihood_grid(column[x]);
		double		sum = likelihood->value[x] + added;

		range.high = sum > range.high ? sum : range.high;
		range.low = sum < range.low ? sum : range.low;
		least = added < least ? added : least;
	}
	/* sums are not above 0, so the lowest is the largest in size */
	range.largest = -least;
	range.sum = -range.low;
	if (range.low == -INFINITY)
		widen_by_finite(&range, likelihood, column);
	return range;
}

double
pa_likelihood_error_after(const PaLikelihood *likelihood, double largest, double sum, double loss)
{
	double		inexact = sum < EXACT ? 0.0 : sum + (isfinite(loss) ? loss : sum);
	double		share = (GRID + DBL_EPSILON * (8.0 * largest + inexact)) * (1.0 + 1e-9);

	/* z (1 + DBL_EPSILON) is at least the next double after z */
	return (likelihood->error + share) * (1.0 + DBL_EPSILON);
}

static PaRealisedLoss
realised(const PaLikelihood *likelihood, const Range *range)
{
	PaRealisedLoss after;

	after.loss = range->high == -INFINITY ? -INFINITY : range->high - range->low;
	after.error = pa_likelihood_error_after(likelihood, range->largest, range->sum, after.loss);
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
		likelihood->value[x] = (likelihood->value[x] + pa_likelihood_grid(column[x])) - range.high;
	likelihood->error = realised(likelihood, &range).error;
	return PA_OK;
}
