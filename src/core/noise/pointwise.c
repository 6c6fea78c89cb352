/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pointwise.c
 *		A Gaussian profile's part as a sum of what is not negative.
 *
 *		p(x) (1 - e^(loss - L(x))),   loss - L(x) = (x - c) D/sigma^2,
 * with c where the loss is reached, over from < x < min(to, c).  Each value is
 * right to a few DBL_EPSILON, but for the rounding of c and loss, which are
 * covered by lowering the loss beforehand.
 *
 * Points start at the end next to 0, where p is largest, and go outwards in
 * stretches over which p falls by e^-6 or which are 1.5 sigma long, until p has
 * fallen by e^-42; what is beyond counts with its whole mass.  The error of
 * Gauss and Legendre's rule on a stretch is below 1e-15 of it, and that of the end
 * corrections (points.h) below 6e-5 (1/20)^7 where they are used: for
 * sigma >= 32 and |x| <= sigma^2/20.
 */
#include "core/noise/pointwise.h"

#include <float.h>
#include <math.h>

#include "core/noise/points.h"

#define WIDE 32.0
#define FLAT 0.05
#define LOSS_ERROR (8 * DBL_EPSILON)
#define STRETCH 1.5
#define FALL 6.0
#define DEEP 42.0
#define FEW 16.0
#define NOTHING 40.0			/* so many sigma out p underflows */

typedef struct Sum
{
	const PaBase *base;
	double		rate;			/* D/sigma^2 */
	double		cut;			/* c */
	double		value;
} Sum;

static void
add_gain(void *context, double x, double weight)
{
	Sum		   *sum = context;

	sum->value += weight * pa_base_density(sum->base, x) * -expm1((x - sum->cut) * sum->rate);
}

/* From near to far, 0 <= near < far in units of direction; returns how far it went. */
static double
add_outwards(Sum *sum, double near, double far, double direction)
{
	double		sigma = sum->base->scale;
	double		z = near / sigma;
	double		deepest = sqrt(z * z + 2.0 * DEEP);
	bool		listed = sigma < WIDE || far - near <= FEW || deepest > FLAT * sigma;
	double		deep = near + sigma * (2.0 * DEEP / (deepest + z));

	if (near > NOTHING * sigma)
		return near;
	if (sum->base->space == PA_LATTICE)
		deep = near + ceil(deep - near);
	far = fmin(far, deep);
	while (near < far)
	{
		double		length = sigma * fmin(STRETCH, FALL / (1.0 + fabs(near) / sigma));
		double		next = near + (sum->base->space == PA_LATTICE ? ceil(length) : length);

		next = next < far ? next : far;
		if (!(next > near))
			break;
		pa_points(sum->base->space, listed, length * 1.1 + 1.0, direction > 0 ? near : -next,
				  direction > 0 ? next : -near, add_gain, sum);
		near = next;
	}
	return near;
}

double
pa_pointwise_gain(const PaBase *base, double shift, double loss, double from, double to)
{
	double		sigma = base->scale;
	double		steps = shift / sigma;
	double		zero = base->space == PA_LATTICE ? 0.5 : 0.0;
	Sum			sum = {base, steps / sigma, 0, 0};
	double		end;
	double		far;

	loss -= LOSS_ERROR * (fabs(loss) + 0.5 * steps * steps);
	sum.cut = 0.5 * shift - sigma * loss / steps;
	end = fmin(to, pa_base_cut(base, shift, loss));
	if (end > zero && end > fmax(from, zero))
	{
		far = add_outwards(&sum, fmax(from, zero), end, 1);
		sum.value += pa_base_between(base, far, fmax(far, end));
	}
	end = fmin(end, zero);
	if (from < end)
	{
		far = add_outwards(&sum, -end, -from, -1);
		sum.value += pa_base_between(base, from, fmax(from, -far));
	}
	return sum.value;
}
