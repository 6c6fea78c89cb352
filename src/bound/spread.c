/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spread.c
 *		How far an estimate is off that was made from several noised totals.
 */
#include "postgres.h"

#include <math.h>

#include "core/derive/smooth.h"

#include "bound/statistic.h"
#include "server_environment.h"

/* So many terms are computed one by one; more have a bound for all, which is some third wider. */
#define MOST_LAPLACE 200
#define MOST_GAUSSIAN 20000

static bool
is_gaussian(const PaSpread *spread)
{
	for (int i = 0; i < spread->nparts; i++)
		if (spread->parts[i].shape != PA_GAUSSIAN)
			return false;
	return true;
}

/* Each part as often as it counts; NULL: there are too many. */
static PaPart *
write_out(const PaSpread *spread, int *count)
{
	double		terms = 0;
	PaPart	   *part;

	for (int i = 0; i < spread->nparts; i++)
		terms += spread->times[i];
	if (terms > (is_gaussian(spread) ? MOST_GAUSSIAN : MOST_LAPLACE))
		return NULL;
	part = palloc(sizeof(PaPart) * ((int) terms + 1));
	*count = 0;
	for (int i = 0; i < spread->nparts; i++)
		for (int j = 0; j < spread->times[i]; j++)
			part[(*count)++] = spread->parts[i];
	return part;
}

/* Gaussian terms have a bound that is near to the width, and computing the law of their sum takes long. */
static double
width_of(const PaSpread *spread, double confidence)
{
	int			count = 0;
	PaPart	   *part = write_out(spread, &count);
	double		bound;
	double		width = INFINITY;

	if (pa_width_bound_of_many(spread->parts, spread->times, spread->nparts, 1 - confidence, &bound) != PA_OK)
		return INFINITY;
	if (part && is_gaussian(spread))
		width = pa_smooth_width(part, count, 1 - confidence);
	else if (part && pa_width(part, count, 1 - confidence, pa_server_environment(), &width) != PA_OK)
		width = INFINITY;
	if (part)
		pfree(part);
	return Min(bound, width) + spread->rounding;
}

double
pa_spread_error(PaSpread *spread, double confidence)
{
	double		width;

	for (int i = 0; i < spread->nknown; i++)
		if (spread->confidence[i] == confidence)
			return spread->width[i];
	width = width_of(spread, confidence);
	if (spread->nknown < lengthof(spread->width))
	{
		spread->confidence[spread->nknown] = confidence;
		spread->width[spread->nknown++] = width;
	}
	return width;
}
