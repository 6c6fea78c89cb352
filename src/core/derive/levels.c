/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * levels.c
 *		Levels that pay noise of their own.
 *
 * Of s levels with equal shares a level with change c has noise of variance proportional
 * to s c (rho) or (s c)^2 (epsilon).  A further level has s + 1 for s.  It pays if
 * its total is then more accurate than the sum of the finer groups was before.
 */
#include "core/derive/levels.h"

#include <math.h>

double
pa_level_change(PaNorm norm, int64_t groups, int64_t widest)
{
	int64_t		full = groups / widest;
	double		rest = (double) (groups % widest);

	if (norm == PA_NORM_L1)
		return (double) groups;
	return (double) full * (double) widest * (double) widest + rest * rest;
}

/* Of one group of a level, in units that are the same for all levels */
static double
variance(PaNorm norm, int64_t groups, const PaLevel *level, int shares)
{
	double		change = shares * pa_level_change(norm, groups, level->widest);

	return norm == PA_NORM_L1 ? change * change : change;
}

static bool
valid(int64_t groups, const PaLevel *level, int levels)
{
	int			i;

	if (groups < 1 || levels < 1 || levels > PA_MOST_LEVELS)
		return false;
	for (i = 0; i < levels; i++)
		if (level[i].groups < 1 || level[i].widest < 1 || (i > 0 && level[i].groups > level[i - 1].groups))
			return false;
	return true;
}

/* The variance of a total of one group of this level, added up from the best of the finer ones; INFINITY without any */
static double
added_up(PaNorm norm, int64_t groups, const PaLevel *level, int at, const bool *pays, int shares)
{
	double		least = INFINITY;
	int			i;

	for (i = 0; i < at; i++)
		if (pays[i] && (level[at].keys & ~level[i].keys) == 0)
			least = fmin(least, (double) level[i].groups / (double) level[at].groups *
						 variance(norm, groups, &level[i], shares));
	return least;
}

PaStatus
pa_levels_pay(PaNorm norm, int64_t groups, const PaLevel *level, int levels, bool *pays)
{
	int			shares = 1;
	int			i;

	if (!valid(groups, level, levels))
		return PA_INVALID;
	pays[0] = true;
	for (i = 1; i < levels; i++)
	{
		pays[i] = variance(norm, groups, &level[i], shares + 1) <
			added_up(norm, groups, level, i, pays, shares);
		shares += pays[i];
	}
	return PA_OK;
}
