/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid.c
 *		Noises added one after the other on -last..last.
 *
 * Laplace noise of step a is the recursion up(x) = p(x) + r up(x - a), down(x) = p(x) + r
 * down(x + a), out(x) = (1-r)/(1+r) (up(x) + r down(x + a)): only sums of what is positive.  A
 * way of partial sums that leaves the grid is lost, and whatever is lost counts as outside.  So
 * the mass inside, less what its computation may be wrong, proves the width.  A recursion forgets
 * after some b steps, so it and its r are right to 8 (b + 1) roundings, a Gaussian term to those
 * of its sum and PA_LAW_ERROR.
 */
#include "core/derive/grid.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_LAST 65536.0
#define MOST_WORK 1e9
#define MARGIN 1.5				/* so far beyond the bound that hardly anything is lost */

/* How far a Gaussian term is followed */
static double
reach(const PaGridTerm *term)
{
	return 9 * term->scale / term->block + 2;
}

/* p on -last..last, at law[last + x] */
typedef struct Grid
{
	int			last;
	double	   *law;
	double	   *next;
	double	   *kernel;			/* of a Gaussian term: Pr(K = k), k = 0.. */
} Grid;

static void
add_laplace(Grid *grid, const PaGridTerm *term)
{
	int			step = term->step;
	int			cells = 2 * grid->last + 1;
	double		r = exp(-term->block / term->scale);
	double		peak = tanh(0.5 * term->block / term->scale);
	double	   *swap = grid->law;
	int			x;

	for (x = 0; x < cells; x++)
		grid->next[x] = grid->law[x] + (x >= step ? r * grid->next[x - step] : 0);
	for (x = cells - 1; x >= 0; x--)
	{
		/* law becomes "down" */
		double		after = x + step < cells ? r * grid->law[x + step] : 0;

		grid->next[x] = peak * (grid->next[x] + after);
		grid->law[x] += after;
	}
	grid->law = grid->next;
	grid->next = swap;
}

static PaStatus
add_gaussian(Grid *grid, const PaGridTerm *term, const PaEnvironment *environment)
{
	int			step = term->step;
	int			cells = 2 * grid->last + 1;
	double	   *swap = grid->law;
	PaBase		base;
	PaStatus	status = pa_base_make(PA_GAUSSIAN, PA_LATTICE, term->scale, &base);
	int			most = 0;
	int			x;
	int			k;

	for (; status == PA_OK && most * (double) step < cells && most < reach(term); most++)
		grid->kernel[most] = pa_base_between(&base, (most - 0.5) * term->block, (most + 0.5) * term->block);
	for (x = 0; x < cells && status == PA_OK; x++)
	{
		double		sum = grid->kernel[0] * grid->law[x];

		for (k = 1; k < most; k++)
			sum += grid->kernel[k] * ((x >= k * step ? grid->law[x - k * step] : 0) +
									  (x + k * step < cells ? grid->law[x + k * step] : 0));
		grid->next[x] = sum;
		if (x % 256 == 0 && environment->interrupted && environment->interrupted(environment->context))
			status = PA_INTERRUPTED;
	}
	grid->law = grid->next;
	grid->next = swap;
	return status;
}

/* How much the mass inside may be too large */
static double
doubt(const PaGridTerm *term, int terms, const Grid *grid)
{
	double		error = 4 * DBL_EPSILON * grid->last;
	int			i;

	for (i = 0; i < terms; i++)
		error += term[i].shape == PA_LAPLACE ? 8 * DBL_EPSILON * (term[i].scale / term[i].block + 1) :
			2 * PA_LAW_ERROR + 4 * DBL_EPSILON * reach(&term[i]);
	return error;
}

/* The least whole w with at least 1 - alpha on -w..w, or -1 */
static int
least_width(const Grid *grid, double alpha)
{
	double		mass = grid->law[grid->last];
	int			w;

	for (w = 0; w <= grid->last; w++)
	{
		if (w > 0)
			mass += grid->law[grid->last - w] + grid->law[grid->last + w];
		if (1 - mass <= alpha)
			return w;
	}
	return -1;
}

static PaStatus
convolve(const PaGridTerm *term, int terms, Grid *grid, const PaEnvironment *environment)
{
	PaStatus	status = PA_OK;
	int			i;

	memset(grid->law, 0, (size_t) (2 * grid->last + 1) * sizeof(double));
	grid->law[grid->last] = 1;
	for (i = 0; i < terms && status == PA_OK; i++)
	{
		if (environment->interrupted && environment->interrupted(environment->context))
			status = PA_INTERRUPTED;
		else if (term[i].step > 0 && term[i].shape == PA_GAUSSIAN)
			status = add_gaussian(grid, &term[i], environment);
		else if (term[i].step > 0)
			add_laplace(grid, &term[i]);
	}
	return status;
}

double
pa_grid_last(double bound)
{
	return ceil(MARGIN * bound) + 8;
}

/* Whether the law is worth its computing */
static bool
feasible(const PaGridTerm *term, int terms, double last)
{
	double		work = 0;
	int			i;

	for (i = 0; i < terms; i++)
		work += 2 * last * (term[i].shape == PA_GAUSSIAN ? reach(&term[i]) : 2);
	return last <= MOST_LAST && work <= MOST_WORK;
}

PaStatus
pa_grid_width(const PaGridTerm *term, int terms, double bound, double alpha,
			  const PaEnvironment *environment, double *width)
{
	Grid		grid = {0};
	double	   *memory;
	size_t		cells;
	PaStatus	status;
	int			w;

	*width = INFINITY;
	if (!feasible(term, terms, pa_grid_last(bound)))
		return PA_OK;
	grid.last = (int) pa_grid_last(bound);
	cells = 2 * (size_t) grid.last + 1;
	memory = environment->allocate(environment->context, 3 * cells * sizeof(double));
	if (memory == NULL)
		return PA_NO_MEMORY;
	grid.law = memory;
	grid.next = memory + cells;
	grid.kernel = memory + 2 * cells;
	status = convolve(term, terms, &grid, environment);
	w = status == PA_OK ? least_width(&grid, alpha - doubt(term, terms, &grid)) : -1;
	if (w >= 0)
		*width = w;
	environment->release(environment->context, memory);
	return status;
}
