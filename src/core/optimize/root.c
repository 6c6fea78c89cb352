/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * root.c
 *		Interpolation and halving (Chandrupatla 1997), and chords of a convex function.
 *
 * The bracket is [newest, other]; third is the point that was dropped last.
 * Inverse quadratic interpolation of ln f is trusted only where the three points
 * say that the inverse is monotone between them, else the bracket is halved.
 *
 * f may be 0, or next to it, at the safe end, which then says nothing of where 1
 * is passed (a delta beyond the largest loss).  So while the safe end is FAR every
 * other step continues the chord of the last two points that are not safe.  For a
 * convex f such a step falls short of the root, by ever less; for any f it is
 * kept within the bracket.
 *
 * Steps aim at 1 - close/2.  The limit on rounds only guards against functions
 * that are not numbers: whatever happens the point returned is one where f <= 1
 * was seen.
 */
#include "core/optimize/root.h"

#include <math.h>
#include <stdbool.h>

#define CLOSE 1e-13
#define ROUNDS 150
#define FAR 0.1
#define LEAST 1e-30

typedef struct Point
{
	double		x;
	double		f;
	double		height;			/* ln f, 0 where it is aimed at */
} Point;

static Point
point_at(double x, double f, double close)
{
	Point		point = {x, f, log(fmax(f, LEAST)) + 0.5 * close};

	return point;
}

/* Where between newest (0) and other (1) to look next. */
static double
next_fraction(Point newest, Point other, Point third)
{
	double		xi = (newest.x - other.x) / (third.x - other.x);
	double		phi = (newest.height - other.height) / (third.height - other.height);

	if (!(phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi))
		return 0.5;
	return newest.height / (other.height - newest.height) * (third.height / (other.height - third.height)) +
		(third.x - newest.x) / (other.x - newest.x) *
		(newest.height / (third.height - newest.height)) * (other.height / (third.height - other.height));
}

/* The same by the chord of two points above 1; not a number if they do not fall. */
static double
chord_fraction(Point newest, Point other, Point above, Point before, double close)
{
	double		x = above.x + (above.f - 1.0 + 0.5 * close) * (above.x - before.x) / (before.f - above.f);

	return (x - newest.x) / (other.x - newest.x);
}

double
pa_root(PaFunction f, void *context, double low, double f_low,
		double high, double f_high, double close)
{
	Point		newest = point_at(high, f_high, close);
	Point		other = point_at(low, f_low, close);
	Point		third = newest;
	Point		before = other;	/* the last two above 1 */
	Point		above = other;
	double		safe = high;
	double		f_safe = f_high;
	double		t = 0.5;
	int			i;

	for (i = 0; i < ROUNDS && f_safe < 1.0 - close; i++)
	{
		double		x = newest.x + t * (other.x - newest.x);
		Point		trial = point_at(x, f(context, x), close);
		double		least;

		third = newest;
		if ((trial.f <= 1.0) != (newest.f <= 1.0))
		{
			third = other;
			other = newest;
		}
		newest = trial;
		if (trial.f <= 1.0)
		{
			safe = trial.x;
			f_safe = trial.f;
		}
		else
		{
			before = above;
			above = trial;
		}
		least = CLOSE * fmax(newest.x, other.x) / fabs(other.x - newest.x);
		if (!(least < 0.5))
			break;
		t = next_fraction(newest, other, third);
		if (f_safe < FAR && i % 2 == 1)
		{
			double		chord = chord_fraction(newest, other, above, before, close);

			t = chord > 0 && chord < 1 ? chord : t;
		}
		t = t > least ? fmin(t, 1.0 - least) : least;
	}
	return safe;
}
