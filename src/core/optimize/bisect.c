/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bisect.c
 *		Bracketing by growing factors, then halving.
 *
 * Only a point that was tested is ever returned, so a caller's bound holds
 * even where rounding makes the condition not quite monotone.
 */
#include "core/optimize/bisect.h"

#include <math.h>

#define LARGEST 0x1p300
#define CLOSE 1e-14

/* Moves *edge by factors 2, 4, 16, ... until the condition has the wanted value. */
static bool
run_until(PaCondition condition, void *context, bool wanted, double *edge, double *other)
{
	double		step = wanted ? 2.0 : 0.5;

	while (condition(context, *edge) != wanted)
	{
		*other = *edge;
		*edge *= step;
		step = fmin(fmax(step * step, 1.0 / 65536), 65536);
		if (*edge > LARGEST || *edge < 1.0 / LARGEST)
			return false;
	}
	return true;
}

bool
pa_bisect(PaCondition condition, void *context, double guess, double *x)
{
	double		fails = guess;
	double		holds = guess;

	if (condition(context, guess))
	{
		if (!run_until(condition, context, false, &fails, &holds))
			return false;
	}
	else if (!run_until(condition, context, true, &holds, &fails))
		return false;
	while (holds > fails * (1.0 + CLOSE))
	{
		double		middle = holds > 4.0 * fails ? sqrt(holds) * sqrt(fails) : 0.5 * (holds + fails);

		if (condition(context, middle))
			holds = middle;
		else
			fails = middle;
	}
	*x = holds;
	return true;
}
