/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld_pair.c
 *		The privacy profile and the tail of the loss of a pair, sampled or not.
 *
 * With masses p, q of {L > x} under P and Q, the profile at x is
 * H(x) = p - e^x q.  It is the largest value of p(S) - e^x q(S) over all sets S
 * (Neyman, Pearson), so a set whose edge is wrong by so much of the loss misses H
 * by at most so much of p: that an atom is seen on the wrong side of x, to which
 * it is equal but for rounding, is harmless.  Hence the error of H is that of p
 * and q, PA_LAW_ERROR each, and some units in the last place of x.
 *
 * Sampled, P' = (1 - rate) Q + rate P (sampling.h):
 *	 remove	the profile at y is rate H(x), x = ln(1 + (e^y - 1)/rate)
 *	 add	it is f H(x), f = 1 - (1 - rate) e^y <= rate, x = ln(rate e^y/f) >= y,
 *			and 0 from f = 0 on; P and Q change places, which makes no difference
 *			since noise is symmetric
 * The error of x, relative to its size in units of the last place, counts as above;
 * that of f is absolute, some units of rate, and moves x by as much over f.
 *
 * Of a grid, which is not symmetric since it overstates, the profile is not
 * below that of the pair it stands for; as both formulas rise with H it serves
 * in both directions.
 */
#include <float.h>
#include <math.h>

#include "core/accounting/pld_grid.h"

#define LARGEST_LOSS 690.0		/* e^this is far from overflow */
#define LEAST_MASS 1e-290		/* below, masses may have lost their digits */
#define MOST_REACH 1e100		/* losses beyond count as infinite: squares must not overflow */
#define EDGE 1e-13				/* f/rate below this counts as 0 */

static PaMasses
grid_exceed(const PaGridTails *tails, double loss)
{
	const PaGrid *grid = &tails->grid;
	double		at = floor(loss / grid->width) + 1.0 - (double) grid->lowest;
	int64_t		i = at <= 0 ? 0 : at >= grid->count ? grid->count : (int64_t) at;

	return (PaMasses) {tails->p[i], tails->q[i]};
}

static PaMasses
masses_above(const PaPair *pair, double loss)
{
	if (pair->law != NULL)
		return pa_law_exceed(pair->law, pair->shift, loss);
	return grid_exceed(pair->tails, loss);
}

/* Without sampling */
static PaTail
whole_tail(PaMasses masses, double loss)
{
	double		error = masses.p * (2.1 * PA_LAW_ERROR + 1e-15 * (4.0 + loss));
	double		exceed = masses.p * (1.0 + 1.1 * PA_LAW_ERROR);

	if (loss > LARGEST_LOSS)
		return (PaTail) {masses.p, masses.p, exceed};
	if (masses.q < LEAST_MASS)
		return (PaTail) {masses.p, fmin(masses.p, error + exp(loss) * LEAST_MASS), exceed};
	return (PaTail) {fmax(0.0, masses.p - exp(loss) * masses.q), error, exceed};
}

static PaTail
remove_tail(const PaPair *pair, double loss)
{
	double		rate = pair->rate;
	double		x = loss < 30.0 ? log1p(expm1(loss) / rate) : loss - log(rate);
	PaMasses	masses = masses_above(pair, x);
	PaTail		tail = whole_tail(masses, x);

	tail.delta *= rate;
	tail.error *= rate;
	tail.exceed = (1.0 - rate) * masses.q * (1.0 + 1.1 * PA_LAW_ERROR) + rate * tail.exceed;
	return tail;
}

static PaTail
add_tail(const PaPair *pair, double loss)
{
	double		rate = pair->rate;
	double		f = fmin(rate, -expm1(loss + log1p(-rate)));
	double		x;
	PaTail		tail;

	if (f < -EDGE * rate)
		return (PaTail) {0, 0, 0};
	if (f <= EDGE * rate)
		return (PaTail) {0, 2.0 * EDGE * rate, 1};
	x = log(rate / f) + loss;
	tail = whole_tail(masses_above(pair, x), x);
	tail.delta *= f;
	tail.error = f * tail.error + 1e-15 * rate * tail.exceed;
	return tail;
}

PaTail
pa_pair_tail(const PaPair *pair, double loss)
{
	if (pair->rate == 1.0)
		return whole_tail(masses_above(pair, loss), loss);
	if (pair->direction == PA_REMOVE)
		return remove_tail(pair, loss);
	return add_tail(pair, loss);
}

static double
whole_most_loss(const PaPair *pair)
{
	const PaGrid *grid;

	if (pair->law != NULL)
		return pa_law_most_loss(pair->law, pair->shift) * (1.0 + 1e-14);
	grid = &pair->tails->grid;
	return grid->infinite > 0 ? INFINITY : fmax(0.0, grid->width * (grid->lowest + grid->count - 1));
}

double
pa_sampled_loss(double rate, PaDirection direction, double loss)
{
	if (rate == 1.0)
		return loss;
	if (direction == PA_ADD)
		loss = -log1p(rate * expm1(-loss));
	else if (loss < 30.0)
		loss = log1p(rate * expm1(loss));
	else
		loss += log(rate + (1.0 - rate) * exp(-loss));
	return loss * (1.0 + 1e-14);
}

double
pa_pair_most_loss(const PaPair *pair)
{
	return pa_sampled_loss(pair->rate, pair->direction, whole_most_loss(pair));
}

double
pa_pair_reach(const PaPair *pair, double tail, double hint)
{
	double		most = fmin(pa_pair_most_loss(pair), MOST_REACH);
	double		enough = pa_pair_tail(pair, 1e300).exceed * (1.0 + 1e-9) + tail;
	double		high = fmin(hint, most);
	double		low = high;
	int			i;

	while (high < most && pa_pair_tail(pair, high).exceed > enough)
	{
		low = high;
		high *= 2.0;
	}
	while (low > 1e-15 && pa_pair_tail(pair, low).exceed <= enough)
	{
		high = low;
		low *= 0.5;
	}
	for (i = 0; i < 3 && low < high; i++)
	{
		double		middle = sqrt(low * high);

		if (pa_pair_tail(pair, middle).exceed <= enough)
			high = middle;
		else
			low = middle;
	}
	return fmin(high, most);
}
