/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stairs.c
 *		Staircases: masses, and the levels of their loss.
 *
 * With r = band mod width, p(x) is constant on the plateau |x| < R and falls by
 * w = e^-loss at R and every width W further out; R = r, or r + 1/2 on the lattice,
 * or W if that is 0.  Everything is relative to the plateau and times
 * h = 1 - w, so that no loss is too large or too small:
 *		h times mass of the plateau = 2 (R/W) h, of each side w,
 *		beyond y = R + (n + part) W:  w^(n+1) ((1 - part) h + w).
 *
 * Loss levels.  Let j(x) be the stair of x.  ln p(x)/p(x - D) is "loss" times
 * d(x) = j(x - D) - j(x).  With D = c W + f, 0 <= f < W:
 *	 x < -R			d is c or c + 1, in stripes: c + 1 on a part f/W of each stair
 *	 -R <= x <= D+R	d falls from ceil(D/W) to -ceil(D/W): one term never falls
 *					while the other never rises
 *	 x > D + R		d is -c or -(c + 1), by x -> D - x
 * So {d >= m} is a half-line for -c < m <= c, up to the greatest x with
 * j(x) <= n and j(x - D) >= m + n for some n:
 *		max over n >= max(0, -m) of min(R + n W, D - R - (m + n - 1) W),
 * where the second term does not bind for n = -m.  {d = c + 1} is the stripes and
 * f, or the plateau if that is less, to the right of -R; {d < -c} mirrors it.
 *
 * Error bound: sums of positive terms; a few DBL_EPSILON, and with a tilt those of
 * loss times the number of stairs.
 */
#include "core/noise/stairs.h"

#include <math.h>

typedef struct Stairs
{
	double		width;
	double		edge;			/* R */
	double		plateau;		/* R/W h */
	double		h;
	double		w;
	double		total;
} Stairs;

static Stairs
stairs_of(const PaLaw *law)
{
	Stairs		s = {.width = law->width, .h = -expm1(-law->loss), .w = exp(-law->loss)};

	s.edge = fmod(law->band, law->width) + (law->space == PA_LATTICE ? 0.5 : 0.0);
	s.plateau = s.edge / s.width * s.h;
	if (s.edge == 0 || s.plateau + s.w == 0)
	{
		s.edge = s.width;
		s.plateau = s.h;
	}
	s.total = 2.0 * (s.plateau + s.w);
	return s;
}

/* e^(tilt - loss n); with tilt = 0 right to the last bits */
static double
power(double tilt, double loss, double n)
{
	double		exponent = loss * n;

	if (!(exponent < 1e300))
		return exp(tilt - exponent);
	return exp(tilt - exponent) * (1.0 - fma(loss, n, -exponent));
}

/* Mass beyond y >= 0, times e^tilt */
static double
beyond(const Stairs *s, double loss, double y, double tilt)
{
	double		over = y - s->edge;
	double		part;
	double		stairs;

	if (over < 0)
		return exp(tilt) * ((s->edge - y) / s->width * s->h + s->w) / s->total;
	if (over == INFINITY)
		return 0;
	part = fmod(over, s->width);
	stairs = round((over - part) / s->width);
	return power(tilt, loss, stairs + 1.0) * ((1.0 - part / s->width) * s->h + s->w) / s->total;
}

/* Mass below x, times e^tilt */
static double
below(const Stairs *s, double loss, double x, double tilt)
{
	if (x <= 0)
		return beyond(s, loss, -x, tilt);
	return exp(tilt) * (1.0 - beyond(s, loss, x, 0));
}

double
pa_stairs_above(const PaLaw *law, double boundary)
{
	Stairs		s = stairs_of(law);

	return below(&s, law->loss, -boundary, 0);
}

double
pa_stairs_within(const PaLaw *law, double boundary)
{
	Stairs		s = stairs_of(law);

	if (boundary < s.edge)
		return 2.0 * (boundary / s.width) * s.h / s.total;
	return 1.0 - 2.0 * beyond(&s, law->loss, boundary, 0);
}

double
pa_stairs_density(const PaLaw *law, double x)
{
	Stairs		s = stairs_of(law);
	double		over = fabs(x) - s.edge;
	double		stair = 0;

	if (law->space == PA_LATTICE)
		over += 0.5;
	if (over > 0)
		stair = ceil(over / s.width);
	return power(0, law->loss, stair) * (s.h / s.width) / s.total;
}

double
pa_stairs_most(const PaLaw *law, double shift)
{
	double		rest = fmod(shift, law->width);

	return round((shift - rest) / law->width) + (rest > 0 ? 1.0 : 0.0);
}

/* The greatest x with d >= level, -c < level <= c */
static double
last_with(const Stairs *s, double shift, double level)
{
	double		least = fmax(0, -level);
	double		even = 0.5 * ((shift - 2.0 * s->edge) / s->width - (level - 1.0));
	double		last = level <= 0 ? s->edge - level * s->width : -INFINITY;
	int			i;

	for (i = 0; i < 2; i++)
	{
		double		n = fmax(least, floor(even) + i);

		last = fmax(last, fmin(s->edge + n * s->width, shift - s->edge - (level + n - 1.0) * s->width));
	}
	return last;
}

/* h times the mass of {d = c + 1} */
static double
stripes(const Stairs *s, double rest)
{
	return fmin(2.0 * s->plateau, rest * s->h) + rest * s->w;
}

PaMasses
pa_stairs_reach(const PaLaw *law, double shift, double level, double tilt)
{
	Stairs		s = stairs_of(law);
	double		rest = fmod(shift, s.width) / s.width;
	double		most = pa_stairs_most(law, shift);
	double		x;
	PaMasses	masses = {0, 0};

	if (level > most)
		return masses;
	if (level <= -most)
		return (PaMasses) {1.0, exp(tilt)};
	if (rest > 0 && level == most)
	{
		masses.p = stripes(&s, rest) / s.total;
		masses.q = masses.p * exp(tilt - law->loss * most);
	}
	else if (rest > 0 && level == 1.0 - most)
	{
		masses.p = 1.0 - stripes(&s, rest) / s.total * exp(-law->loss * most);
		masses.q = exp(tilt) * (2.0 * s.plateau - fmin(2.0 * s.plateau, rest * s.h) + (2.0 - rest) * s.w) / s.total;
	}
	else
	{
		x = last_with(&s, shift, level);
		masses.p = below(&s, law->loss, x, 0);
		masses.q = below(&s, law->loss, x - shift, tilt);
	}
	return masses;
}
