/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gaussian.c
 *		Sums and integrals of a bell between two boundaries.
 *
 * Tails.  With y the first point above a boundary u (u = y - 1/2 on the lattice,
 * y on the line) and z = u/sigma, a tail is the bell at y times a run:
 *	 line		M(z), the Mills ratio
 *	 lattice	sum over j >= 0 of exp(-(2yj + j^2)/(2 sigma^2)), either term by term
 *				(two multiplications each), or, for sigma >= 8 and z <= sigma/2, by
 *				the midpoint form of Euler and Maclaurin's formula:
 *				bell(u)/bell(y) sigma (M(z) + sum over n of b_n He_{2n-1}(z)/sigma^(2n)),
 *				b_n the coefficients of (x/2)/sinh(x/2), He Hermite's polynomials.
 * Error of the latter: the remainder after N terms is at most b_N times the
 * integral of |He_2N| bell over the tail, sigma^(-2N).  |He_n(z)| <= E (z + |X|)^n
 * with X normal, at most (z + sqrt n)^n up to a small factor; with
 * b_n < 2.1 (2 pi)^(-2n), z/sigma <= 1/2, sigma >= 8 and N = 10 it is below
 * ((1/2 + sqrt(20)/8)/(2 pi))^20 < 1e-15, and in truth far less.
 *
 * Between.  Few cells are summed one by one.  A short interval (its exponents
 * differ by less than 1/2 or so) is integrated by Gauss and Legendre's rule of 8
 * points, whose error for such an integrand is below 1e-18, plus the same
 * corrections at both ends on the lattice.  Longer ones are differences of
 * tails, or of the total and tails, which lose at most a factor of 6.
 */
#include "core/noise/gaussian.h"

#include <float.h>
#include <math.h>

#include "core/noise/legendre.h"
#include "core/noise/normal.h"

#define INV_SQRT_2PI 0.39894228040143267794
#define SQRT_2PI 2.5066282746310005024

#define EULER_SIGMA 8.0
#define EULER_RATIO 0.5
#define EULER_TERMS 10
#define FEW_CELLS 12.0
#define SHORT 0.5
#define FAR 1e100
#define NEGLIGIBLE 1e-19		/* against a run, which is at least 1/(1 + z) */

static const double midpoint[EULER_TERMS] = {
	-1.0 / 24, 7.0 / 5760, -31.0 / 967680, 127.0 / 154828800, -2.0835982071876168e-08,
	5.281609967721337e-10, -1.3380902920268335e-11, 3.389576851489321e-13,
	-8.5859965498229474e-15, 2.174864550325223e-16
};

/* sum of b_n He_{2n-1}(z)/sigma^(2n), by the recurrence of He_n/sigma^n */
static double
corrections(double z, double sigma)
{
	double		ratio = z / sigma;
	double		w = (1.0 / sigma) / sigma;
	double		even = 1.0;
	double		odd = ratio;
	double		sum = 0;
	int			n;

	for (n = 0; n < EULER_TERMS; n++)
	{
		double		term = midpoint[n] * odd;

		sum += term;
		if (fabs(midpoint[n]) * (fabs(odd) + fabs(ratio * even)) < NEGLIGIBLE)
			break;
		even = ratio * odd - (2 * n + 1) * w * even;
		odd = ratio * even - (2 * n + 2) * w * odd;
	}
	return sum / sigma;
}

/* sum over 0 <= j < count of exp(-(2yj + j^2)/(2 sigma^2)); y >= -1/2 or count = 1 */
static double
direct_run(double sigma, double y, double count)
{
	double		ratio = exp(-0.5 * ((2.0 * y + 1.0) / sigma) / sigma);
	double		fall = exp(-(1.0 / sigma) / sigma);
	double		term = 1;
	double		sum = 0;
	double		j;

	for (j = 0; j < count && term > 0.001 * DBL_EPSILON * sum; j++)
	{
		sum += term;
		term *= ratio;
		ratio *= fall;
	}
	return sum;
}

/* The tail from y on against the bell at y; y >= 0, on the lattice y >= 1/2 */
static double
tail_run(const PaBase *base, double y)
{
	double		sigma = base->scale;
	double		u = y - 0.5;

	if (base->space == PA_LINE)
		return pa_mills(y / sigma);
	if (sigma < EULER_SIGMA || u > EULER_RATIO * sigma * sigma)
		return direct_run(sigma, y, INFINITY);
	return sigma * (pa_mills(u / sigma) + corrections(u / sigma, sigma)) *
		exp(0.5 * ((y - 0.25) / sigma) / sigma);
}

/* Cells first..last one by one, starting from the one that weighs most. */
static PaBell
summed(double sigma, double centre, double first, double last)
{
	double		top = fmin(fmax(floor(centre + 0.5), first), last);
	double		y = top - centre;
	PaBell		bell = {0, top};

	bell.factor = direct_run(sigma, y, last - top + 1.0);
	if (top > first)
		bell.factor += exp(-0.5 * ((1.0 - 2.0 * y) / sigma) / sigma) *
			direct_run(sigma, 1.0 - y, top - first);
	return bell;
}

/* A short interval; the bell is compared with its value in the middle. */
static PaBell
integrated(const PaBase *base, double centre, double from, double to)
{
	const PaLegendre *rule = &pa_legendre_8;
	double		sigma = base->scale;
	double		half = 0.5 * (to - from) / sigma;
	PaBell		bell = {0, 0.5 * (from + to)};
	double		z = (bell.point - centre) / sigma;
	int			i;

	for (i = 0; i < rule->pairs; i++)
	{
		double		d = half * rule->node[i];

		bell.factor += rule->weight[i] * (exp(-d * (z + 0.5 * d)) + exp(d * (z - 0.5 * d)));
	}
	bell.factor *= half;
	if (base->space == PA_LATTICE)
	{
		bell.factor += exp(half * (z - 0.5 * half)) * corrections(z - half, sigma) -
			exp(-half * (z + 0.5 * half)) * corrections(z + half, sigma);
		bell.factor *= sigma;
	}
	return bell;
}

/* centre <= from < to */
static PaBell
one_sided(const PaBase *base, double centre, double from, double to)
{
	double		half = base->space == PA_LATTICE ? 0.5 : 0.0;
	double		sigma = base->scale;
	PaBell		bell = {0, from + half};
	double		y = bell.point - centre;
	double		far;

	bell.factor = tail_run(base, y);
	if (to - centre > FAR * sigma)
		return bell;
	far = to + half - centre;
	bell.factor -= exp(-0.5 * ((to - from) / sigma) * ((far + y) / sigma)) * tail_run(base, far);
	return bell;
}

/* from < centre < to, not short */
static PaBell
two_sided(const PaBase *base, double centre, double from, double to)
{
	double		sigma = base->scale;
	double		half = base->space == PA_LATTICE ? 0.5 : 0.0;
	double		left = centre - from + half;
	double		right = to - centre + half;
	PaBell		bell = {SQRT_2PI, centre};

	if (base->space == PA_LATTICE)
		bell.factor *= sigma;
	if (left < 40.0 * sigma)
		bell.factor -= exp(-0.5 * (left / sigma) * (left / sigma)) * tail_run(base, left);
	if (right < 40.0 * sigma)
		bell.factor -= exp(-0.5 * (right / sigma) * (right / sigma)) * tail_run(base, right);
	return bell;
}

/* Whether cells are summed one by one: few, or of a steep or narrow bell. */
static bool
sum_cells(const PaBase *base, double near, double count)
{
	return base->space == PA_LATTICE &&
		(base->scale < EULER_SIGMA || count <= FEW_CELLS ||
		 near > EULER_RATIO * base->scale * base->scale);
}

static PaBell
mirrored(PaBell bell, double centre)
{
	bell.point = centre - (bell.point - centre);
	return bell;
}

PaBell
pa_bell_mass(const PaBase *base, double centre, double from, double to)
{
	double		a = from - centre;
	double		b = to - centre;
	double		near = fmax(fmax(a, -b), 0);
	double		width = (to - from) / base->scale;
	PaBell		nothing = {0, centre};

	if (!(from < to) || near > FAR * base->scale)
		return nothing;
	if (sum_cells(base, near, to - from))
		return summed(base->scale, centre, from + 0.5, to - 0.5);
	if (width < SHORT && width * (1.0 + fmax(-a, b) / base->scale) < SHORT)
		return integrated(base, centre, from, to);
	if (a >= 0)
		return one_sided(base, centre, from, to);
	if (b <= 0)
		return mirrored(one_sided(base, centre, centre - b, centre - a), centre);
	return two_sided(base, centre, from, to);
}

/*
 * (x/sigma)^2 as z^2 + 2 z r, z the rounded quotient and r what it lacks; fma
 * gives z^2 and r without error.
 */
double
pa_bell_exp(double x, double sigma, PaLoss tilt)
{
	double		z = fmin(fabs(x) / sigma, FAR);
	double		square = z * z;
	double		fall = -0.5 * square;
	double		high = tilt.high + fall;
	double		part = high - tilt.high;
	double		low;

	if (high < -800.0)
		return 0;
	if (high > 800.0)
		return INFINITY;
	low = (tilt.high - (high - part)) + (fall - part) + tilt.low;
	low -= 0.5 * fma(z, z, -square) + z * (fma(-z, sigma, fabs(x)) / sigma);
	if (fabs(low) > 1e-5)
		return exp(high + low);
	return exp(high) * (1.0 + low * (1.0 + 0.5 * low));
}

static double
theta_sum(double sigma)
{
	double		sum = 0;
	int			j;

	if (sigma >= 1.0)
	{
		for (j = 1; j <= 3; j++)
			sum += exp(-2.0 * (M_PI * sigma * j) * (M_PI * sigma * j));
		return sigma * SQRT_2PI * (1.0 + 2.0 * sum);
	}
	for (j = 12; j >= 1; j--)
		sum += exp(-0.5 * (j / sigma) * (j / sigma));
	return 1.0 + 2.0 * sum;
}

double
pa_bell_norm(const PaBase *base)
{
	return base->space == PA_LINE ? INV_SQRT_2PI : base->peak;
}

double
pa_bell_peak(PaSpace space, double sigma)
{
	return space == PA_LINE ? INV_SQRT_2PI / sigma : 1.0 / theta_sum(sigma);
}
