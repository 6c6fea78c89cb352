/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld_read.c
 *		delta and epsilon of a tilted law.
 *
 * At a point l_j of the grid let
 *		D_j = sum over i > j of mass_i (1 - e^(l_j - l_i)),
 *		Q_j = sum over i >= j of mass_i e^(l_j - l_i).
 * Then at l_j - z, 0 <= z <= h,
 *		delta = D_j + (1 - e^-z) Q_j,
 * whence D_(j-1) by z = h, and Q_(j-1) = mass_(j-1) + e^-h Q_j: sums of what is
 * positive.  Both are kept divided by e^(log_moment - tilt l_j), so nothing
 * overflows.  Error bound: some units in the last place for every point, and of
 * the exponents: MARGIN.
 */
#include <float.h>
#include <math.h>

#include "core/accounting/pld_convolve.h"

typedef struct Reader
{
	const PaTilted *law;
	double		width;
	double		step;			/* the tilt of one point */
	double		ratio;			/* e^-step */
	double		shrink;			/* e^-width */
	int64_t		point;			/* j, counted from loss 0 */
	double		d;
	double		q;
} Reader;

static Reader
read_top(const PaConvolver *convolver, const PaTilted *law)
{
	double		width = convolver->width;
	double		step = convolver->tilt * width;

	return (Reader) {law, width, step, exp(-step), exp(-width),
		law->lowest + law->count - 1, 0, law->weight[law->count - 1]};
}

/* To the next lower point, not below the lowest. */
static void
descend(Reader *reader)
{
	reader->point--;
	reader->d = reader->ratio * (reader->d - expm1(-reader->width) * reader->q);
	reader->q = reader->ratio * reader->shrink * reader->q +
		reader->law->weight[reader->point - reader->law->lowest];
}

/* ln of what d and q are to be multiplied with, rounded up */
static double
log_unit(const Reader *reader)
{
	double		moment = reader->law->log_moment;
	double		tilt = reader->step * reader->point;

	return moment - tilt + 1e-12 + 8 * DBL_EPSILON *
		(fabs(moment) + fabs(tilt) + (double) reader->law->count);
}

double
pa_tilted_delta(const PaConvolver *convolver, const PaTilted *law, double epsilon)
{
	Reader		reader = read_top(convolver, law);
	double		target = ceil(epsilon / reader.width);
	double		rest;

	if (epsilon >= reader.width * reader.point * (1.0 + 1e-15))
		return fmin(1.0, law->infinite);
	while (reader.point > target && reader.point > law->lowest)
		descend(&reader);
	rest = fmax(0.0, reader.width * reader.point - epsilon) + 1e-15 * epsilon;
	return fmin(1.0, law->infinite + exp(log_unit(&reader)) * (reader.d - expm1(-rest) * reader.q));
}

/* How far epsilon may be below the reader's point, from which on delta is within what log_room says. */
static double
distance_below(const Reader *reader, double log_room)
{
	double		spare = fmax(0.0, exp(log_room - log_unit(reader)) - reader->d);

	if (spare >= reader->q)
		return INFINITY;
	return -log1p(-spare / reader->q) * (1.0 - 1e-12);
}

double
pa_tilted_epsilon(const PaConvolver *convolver, const PaTilted *law, double delta)
{
	double		room = (delta - law->infinite) * (1.0 - DBL_EPSILON);
	Reader		reader = read_top(convolver, law);
	double		log_room;
	double		below;

	if (!(room > 0))
		return INFINITY;
	log_room = log(room);
	for (;;)
	{
		below = distance_below(&reader, log_room);
		if (below < reader.width || reader.point <= 0 || reader.point == law->lowest)
			break;
		descend(&reader);
	}
	return fmax(0.0, reader.width * reader.point * (1.0 + 1e-15) - below);
}
