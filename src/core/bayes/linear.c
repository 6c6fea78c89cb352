/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * linear.c
 *		All corners of a box, with partial sums shared between them.
 *
 * A corner is a path in a binary tree, one level per coordinate that is not fixed.
 * Each level adds its coordinate to all w_i, so a corner costs two passes over the
 * terms however many dimensions there are, and its w_i are plain sums: nothing
 * accumulates from corner to corner.  At a corner the sum is minus the logarithm of
 * a product of factors in [1, e^eps], taken in blocks that cannot overflow.
 *
 * Margin: that of branch_sum.h, with the largest slope K_i over the box.  A term
 * that the rounded range lets reach beyond its end by r is continued there by its
 * tangent, a convex function at most K_i r above it.
 */
#include "core/bayes/linear.h"

#include <math.h>
#include <string.h>

#define MOST_WORK 0x1p27		/* corners times terms */
#define MOST_MARGIN 1e-9
#define BLOCK 600.0				/* nats: below ln of the largest double */
#define OFTEN 4096				/* corners between questions whether to go on */

typedef struct Corners
{
	const PaSum *sum;
	const double *side[2];		/* low and high */
	const PaEnvironment *environment;
	int			order[PA_REGRESSION_DIMENSIONS];	/* the coordinates that are not fixed */
	int			levels;
	double	   *partial;		/* w at each level */
	double		best;
	double		at[PA_REGRESSION_DIMENSIONS];
	double	   *corner;
	long		seen;
	bool		interrupted;
} Corners;

/* False if the corners do not decide. */
static bool
applies(const PaSum *sum, const PaBox *box, int levels, double *margin)
{
	double		slopes = 0;
	int			i;

	if (ldexp(sum->terms, levels) > MOST_WORK)
		return false;
	*margin = 0;
	for (i = 0; i < sum->terms; i++)
	{
		double		low,
					high,
					least,
					most;

		if (sum->term[i].shape != PA_TERM_RELIEF)
			return false;
		pa_sum_range(sum, i, box->low, box->high, &low, &high);
		pa_term_slopes(&sum->term[i], low, high, &least, &most);
		slopes += most * sum->scale[i];
		if (low < sum->term[i].end)
			*margin += most * fmax(high - sum->term[i].end, 0.0);
	}
	*margin += sum->error * (sum->level + slopes);
	return *margin <= MOST_MARGIN;
}

/* The sum of terms for the w_i at hand. */
static double
value(const PaSum *sum, const double *w)
{
	double		total = 0;
	double		product = 1;
	double		room = BLOCK;
	int			i;

	for (i = 0; i < sum->terms; i++)
	{
		const PaTerm *term = &sum->term[i];
		double		left = term->end - (w[i] > term->start ? w[i] : term->start);

		room -= term->epsilon;
		if (room < 0)
		{
			total -= log(product);
			product = 1;
			room = BLOCK - term->epsilon;
		}
		if (left > 0)
			product *= 1.0 + term->steep * left;
	}
	return total - log(product);
}

static void
visit(Corners *corners, int level)
{
	const PaSum *sum = corners->sum;
	const double *from = corners->partial + (size_t) level * (size_t) sum->terms;
	double	   *to = corners->partial + (size_t) (level + 1) * (size_t) sum->terms;
	int			side;
	int			i;

	if (level == corners->levels)
	{
		double		here = value(sum, from);

		if (here > corners->best)
		{
			corners->best = here;
			memcpy(corners->corner, corners->at, (size_t) sum->dimensions * sizeof(double));
		}
		if (++corners->seen % OFTEN == 0 && corners->environment->interrupted != NULL &&
			corners->environment->interrupted(corners->environment->context))
			corners->interrupted = true;
		return;
	}
	for (side = 0; side < 2 && !corners->interrupted; side++)
	{
		int			j = corners->order[level];

		corners->at[j] = corners->side[side][j];
		for (i = 0; i < sum->terms; i++)
			to[i] = from[i] + sum->theta[i * sum->dimensions + j] * corners->at[j];
		visit(corners, level + 1);
	}
}

/* Fixed coordinates go into the w_i that every path starts from. */
static void
prepare(Corners *corners, const PaBox *box)
{
	const PaSum *sum = corners->sum;
	int			i,
				j;

	memcpy(corners->partial, sum->constant, (size_t) sum->terms * sizeof(double));
	for (j = 0; j < box->dimensions; j++)
	{
		if (box->low[j] < box->high[j])
			continue;
		corners->at[j] = box->low[j];
		for (i = 0; i < sum->terms; i++)
			corners->partial[i] += sum->theta[i * sum->dimensions + j] * box->low[j];
	}
}

PaStatus
pa_linear_corners(const PaSum *sum, const PaBox *box, const PaEnvironment *environment,
				  bool *known, double *most, double *corner)
{
	Corners		corners = {.sum = sum, .side = {box->low, box->high}, .environment = environment,
	.best = -INFINITY, .corner = corner};
	double		margin;
	int			j;

	for (j = 0; j < box->dimensions; j++)
		if (box->low[j] < box->high[j])
			corners.order[corners.levels++] = j;
	*known = applies(sum, box, corners.levels, &margin);
	if (!*known)
		return PA_OK;
	corners.partial = environment->allocate(environment->context,
											(size_t) (corners.levels + 1) * (size_t) (sum->terms + 1) * sizeof(double));
	if (corners.partial == NULL)
		return PA_NO_MEMORY;
	prepare(&corners, box);
	visit(&corners, 0);
	environment->release(environment->context, corners.partial);
	if (corners.interrupted)
		return PA_INTERRUPTED;
	*most = corners.best + margin;
	return PA_OK;
}
