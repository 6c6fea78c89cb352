/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld_grid.c
 *		The law of a loss on a grid of width h, by connecting the dots.
 *
 * Write x_j = j h and H for the profile of P against Q.  The pair on the grid whose
 * profile is H at all x_j and linear in e^x between (Doroshenko and others 2022)
 * gives the points above x_j the masses
 *		under q:	R_j = (H(x_j) - H(x_j+1)) / (e^x_j+1 - e^x_j)
 *		under p:	G_j = H(x_j) + e^x_j R_j.
 * H is convex in e^x, so that profile is nowhere below H: the pair gives away at
 * least as much, also after composition.  At negative losses we use the profile
 * of Q against P: its R_j is the p-mass of the points below -x_j.
 *
 * Rounding: G is rounded up, but not above Pr[L > x_j], of which it is a part;
 * R of negative losses is rounded down; so mass only moves to higher losses
 * than it has on the exact grid, by one point as a rule, and a profile
 * delta(epsilon) = sum mass(l) max(0, 1 - e^(epsilon - l)) only grows, also after
 * convolution.  Mass beyond the last point moves to infinity, mass below the
 * first up to it.
 *
 * Convolution of grids here is the plain sum of products: all terms are
 * positive, so masses keep their relative precision however small.
 */
#include "core/accounting/pld_grid.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LOW_TAIL 1e-9			/* mass that may be moved up to the first point */
#define UP (1.0 + 4 * DBL_EPSILON)
#define STRIDE 0x1p20			/* most points to the next dot */

/*
 * How many points to the next dot: few where little is at stake, which is what
 * the mass beyond weighs under the tilt, against "all".  Cells of s points add s^2
 * times the excess of cells of one, as long as the tilt over a cell is not large.
 */
static int64_t
stride(double exceed, double all, double tilt, double width, int64_t j)
{
	double		share;

	if (exceed * 16.0 > all)
		return 1;
	share = exceed * exp(fmin(tilt * width * j, 100.0)) / all;
	if (share * 16.0 > 1.0)
		return 1;
	/* share or width may be next to 0: bounded before it becomes a whole number */
	return (int64_t) fmax(1.0, fmin(fmin(1.0 / sqrt(sqrt(share)), 0.5 / ((1.0 + tilt) * width)), STRIDE));
}

/* G_j into up and R_j into down, j < n, where they are wanted; equal up to the next dot. */
static void
masses_beyond(const PaPair *pair, double width, double tilt, int64_t n, double *up, double *down)
{
	PaTail		next = pa_pair_tail(pair, 0.0);
	double		all = next.exceed;
	double		growth_of_one = expm1(width);
	int64_t		step;
	int64_t		j;

	for (j = 0; j < n; j += step)
	{
		PaTail		tail = next;
		double		growth;
		double		above;
		double		below = 0;
		double		fall;
		int64_t		k;

		step = stride(tail.exceed, all, tilt, width, j);
		step = step < n - j ? step : n - j;
		growth = step == 1 ? growth_of_one : expm1(width * step);
		next = pa_pair_tail(pair, width * (j + step));
		fall = fmax(0.0, tail.delta + tail.error - fmax(0.0, next.delta - next.error));
		above = fmin(tail.exceed, (tail.delta + tail.error + fall / growth) * UP);
		fall = fmax(0.0, tail.delta - tail.error - (next.delta + next.error));
		if (down != NULL)
			below = fall / (growth * exp(width * j) * UP);
		for (k = j; k < j + step; k++)
		{
			if (up != NULL)
				up[k] = above;
			if (down != NULL)
				down[k] = below;
		}
	}
	if (up != NULL)
		up[n] = next.exceed;
}

/* Makes rounded masses monotone; how many points below 0 are worth having. */
static int64_t
order_masses(int64_t above, double *up, int64_t below, double *down)
{
	int64_t		worth = 0;
	int64_t		j;

	for (j = above; j-- > 0;)
		up[j] = fmax(up[j], up[j + 1]);
	up[0] = fmin(up[0], 1.0);
	down[0] = fmin(down[0], 1.0 - up[0]);
	for (j = 1; j < below; j++)
		down[j] = fmin(down[j], down[j - 1]);
	while (worth < below && down[worth] > LOW_TAIL)
		worth++;
	return worth;
}

static void
place_masses(int64_t above, const double *up, int64_t below, const double *down, PaGrid *grid)
{
	double	   *zero = grid->mass + below;
	int64_t		j;

	grid->lowest = -below;
	grid->count = below + 1 + above;
	grid->infinite = fmin(up[above], 1.0);
	zero[0] = fmax(0.0, 1.0 - up[0] - (below > 0 ? down[0] : 0.0)) * UP;
	for (j = 0; j < above; j++)
		zero[j + 1] = fmax(0.0, fmin(up[j], 1.0) - fmin(up[j + 1], 1.0)) * UP;
	for (j = 0; j < below; j++)
		zero[-j - 1] = (down[j] - (j + 1 < below ? down[j + 1] : 0.0)) * UP;
	while (grid->count > 1 && grid->mass[grid->count - 1] == 0)
		grid->count--;
	if (grid->count == 1)
		grid->mass[0] = fmax(grid->mass[0], DBL_MIN);
}

static PaPair
reverse_of(const PaPair *pair)
{
	PaPair		reverse = *pair;

	reverse.direction = pair->direction == PA_ADD ? PA_REMOVE : PA_ADD;
	return reverse;
}

/* How many cells below 0 to look at: not many more than above. */
static int64_t
cells_below(const PaPair *pair, double width, double reach, int64_t above)
{
	PaPair		reverse = reverse_of(pair);

	if (pair->rate == 1.0)
		return above;
	return (int64_t) fmin(ceil(pa_pair_reach(&reverse, LOW_TAIL, reach) / width) + 1.0, 4.0 * above + 4096.0);
}

PaStatus
pa_grid_make(const PaPair *pair, double width, double reach, double tilt, PaPool *pool, PaGrid *grid)
{
	int64_t		above = (int64_t) ceil(reach / width) + 1;
	int64_t		below = cells_below(pair, width, reach, above);
	double	   *up = pa_pool_get(pool, above + below + 1, sizeof(double));
	double	   *down;

	grid->width = width;
	grid->mass = pa_pool_get(pool, above + below + 3, sizeof(double));
	if (up == NULL || grid->mass == NULL)
		return PA_NO_MEMORY;
	down = up + above + 1;
	if (pair->rate == 1.0)
		masses_beyond(pair, width, tilt, above, up, down);
	else
	{
		PaPair		reverse = reverse_of(pair);

		masses_beyond(pair, width, tilt, above, up, NULL);
		masses_beyond(&reverse, width, 0.0, below, NULL, down);
	}
	below = order_masses(above, up, below, down);
	place_masses(above, up, below, down, grid);
	pa_pool_release(pool, up);
	return PA_OK;
}

/*
 * A point between two of the coarse grid is split to them: to the lower one 1/(1 + e^h),
 * which keeps both masses.
 */
void
pa_grid_coarsen(PaGrid *grid)
{
	double		lower = UP / (1.0 + exp(grid->width));
	double		upper = UP / (1.0 + exp(-grid->width));
	int64_t		lowest = (grid->lowest - ((grid->lowest % 2 + 2) % 2)) / 2;
	int64_t		last = grid->lowest + grid->count - 1;
	int64_t		highest = (last + ((last % 2 + 2) % 2)) / 2;
	double		before = 0;
	int64_t		m;

	for (m = lowest; m <= highest; m++)
	{
		int64_t		i = 2 * m - grid->lowest;
		double		here = i >= 0 && i < grid->count ? grid->mass[i] : 0.0;
		double		after = i + 1 < grid->count ? grid->mass[i + 1] : 0.0;

		grid->mass[m - lowest] = (upper * before + here + lower * after) * UP;
		before = after;
	}
	grid->lowest = lowest;
	grid->count = highest - lowest + 1;
	grid->width *= 2.0;
}

/* Moves what is little at the ends: up to the first point, or to infinity. */
static void
trim(PaGrid *grid, double tail)
{
	double		sum = 0;
	int64_t		skip = 0;

	while (grid->count > 1 && sum + grid->mass[grid->count - 1] <= tail)
		sum += grid->mass[--grid->count];
	grid->infinite += sum * UP;
	sum = 0;
	while (skip < grid->count - 1 && sum + grid->mass[skip] <= LOW_TAIL)
		sum += grid->mass[skip++];
	grid->mass[skip] += sum * UP;
	memmove(grid->mass, grid->mass + skip, (grid->count - skip) * sizeof(double));
	grid->lowest += skip;
	grid->count -= skip;
}

static PaStatus
convolve(const PaGrid *a, const PaGrid *b, PaPool *pool, double *mass)
{
	double		up = 1.0 + DBL_EPSILON * (4 + a->count);
	int64_t		i;
	int64_t		j;

	memset(mass, 0, (a->count + b->count - 1) * sizeof(double));
	for (i = 0; i < a->count; i++)
	{
		double		weight = a->mass[i] * up;
		double	   *row = mass + i;

		for (j = 0; j < b->count && weight > 0; j++)
			row[j] += weight * b->mass[j];
		if (i % 256 == 0 && pa_pool_interrupted(pool))
			return PA_INTERRUPTED;
	}
	return PA_OK;
}

PaStatus
pa_grid_add(PaGrid *a, PaGrid *b, double tail, int64_t most, PaPool *pool, PaGrid *sum)
{
	PaGrid		out;
	PaStatus	status;

	while (a->width < b->width)
		pa_grid_coarsen(a);
	while (b->width < a->width)
		pa_grid_coarsen(b);
	out = (PaGrid) {a->width, a->lowest + b->lowest, a->count + b->count - 1, NULL,
	fmin(1.0, (a->infinite + b->infinite * (1.0 - a->infinite)) * UP)};
	out.mass = pa_pool_get(pool, out.count + 2, sizeof(double));
	if (out.mass == NULL)
		return PA_NO_MEMORY;
	status = convolve(a, b, pool, out.mass);
	if (status != PA_OK)
		return status;
	trim(&out, tail);
	while (out.count > most)
		pa_grid_coarsen(&out);
	*sum = out;
	return PA_OK;
}

PaStatus
pa_grid_tails(const PaGrid *grid, PaPool *pool, PaGridTails *tails)
{
	int64_t		i = grid->count;

	tails->grid = *grid;
	tails->p = pa_pool_get(pool, 2 * i + 2, sizeof(double));
	if (tails->p == NULL)
		return PA_NO_MEMORY;
	tails->q = tails->p + i + 1;
	tails->p[i] = grid->infinite;
	tails->q[i] = 0;
	while (i-- > 0)
	{
		tails->p[i] = tails->p[i + 1] + grid->mass[i];
		tails->q[i] = tails->q[i + 1] + grid->mass[i] * exp(-grid->width * (grid->lowest + i));
	}
	return PA_OK;
}
