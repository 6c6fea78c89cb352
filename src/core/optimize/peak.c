/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * peak.c
 *		A grid in ln x, then golden sections around its best local maxima.
 *
 * Between neighbours on the grid the function is taken to have one maximum at
 * most; beyond that nothing is assumed.  A function of two maxima is found at
 * the greater one if both are refined.  Only points that were seen are returned.
 */
#include "core/optimize/golden.h"
#include "core/optimize/peak.h"

#include <math.h>
#include <stdbool.h>

#define MOST_POINTS 64

typedef struct Climb
{
	PaFunction	f;
	void	   *context;
	double		best;			/* ln x */
	double		value;
} Climb;

static double
look(void *context, double at)
{
	Climb	   *climb = context;
	double		value = climb->f(climb->context, exp(at));

	if (value > climb->value)
	{
		climb->value = value;
		climb->best = at;
	}
	return value;
}

/* The best local maximum of the grid that was not refined yet; -1: none. */
static int
next_peak(const double *value, const bool *done, int points)
{
	int			best = -1;
	int			i;

	for (i = 0; i < points; i++)
	{
		if (done[i] || value[i] == -INFINITY)
			continue;
		if ((i > 0 && value[i - 1] > value[i]) || (i < points - 1 && value[i + 1] > value[i]))
			continue;
		if (best < 0 || value[i] > value[best])
			best = i;
	}
	return best;
}

double
pa_peak(PaFunction f, void *context, double low, double high,
		const PaPeakSearch *search, double *x)
{
	Climb		climb = {.f = f, .context = context, .best = log(low), .value = -INFINITY};
	double		value[MOST_POINTS];
	bool		done[MOST_POINTS] = {false};
	int			last = search->points - 1;
	double		start = log(low);
	double		step = (log(high) - start) / last;
	double		top;
	int			i;
	int			round;

	for (i = 0; i <= last; i++)
		value[i] = look(&climb, start + i * step);
	for (round = 0; round < search->peaks; round++)
	{
		i = next_peak(value, done, search->points);
		if (i < 0)
			break;
		(void) pa_golden(look, &climb, start + (i > 0 ? i - 1 : 0) * step,
						 start + (i < last ? i + 1 : last) * step, search->close, &top);
		done[i] = true;
		if (i > 0)
			done[i - 1] = true;
		if (i < last)
			done[i + 1] = true;
	}
	*x = exp(climb.best);
	return climb.value;
}
