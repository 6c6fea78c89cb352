/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * width.c
 *		Chernoff's bound, and exact laws of sums on a grid.
 *
 * Laplace, scale b: E e^(sN) = (1-r)^2/((1 - r e^s)(1 - r e^-s)), r = e^(-1/b), and since
 * (1 - r e^s)(1 - r e^-s) = (1-r)^2 - 4 r sinh(s/2)^2 its logarithm is
 * -log1p(-(sinh(s/2)/sinh(1/(2b)))^2), without cancellation; infinite from |s| = 1/b on.
 *
 * Grid: the law of the sum on -last..last, one noise after the other.  Laplace noise of step
 * a is the recursion up(x) = p(x) + r up(x - a), down(x) = p(x) + r down(x + a), out(x) =
 * (1-r)/(1+r) (up(x) + r down(x + a)): only sums of what is positive.  A way of partial sums that
 * leaves the grid is lost, and whatever is lost counts as outside.  So the mass inside, less
 * what its computation may be wrong, proves the width.  A recursion forgets after some b steps,
 * so it and its r are right to 8 (b + 1) roundings, a Gaussian term to those of its sum and PA_LAW_ERROR.
 */
#include "core/derive/width.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/optimize/golden.h"

#define LEAST_ALPHA 1e-12
#define MOST_LAST 65536
#define MOST_WORK 1e9
#define SLACK 1e-9				/* by which a bound is made larger for the rounding of its terms */

typedef struct Sum
{
	const PaPart *part;
	int			parts;
	double		log_odds;		/* ln(2/alpha), more by the excess of laws */
} Sum;

static bool
valid(const PaPart *part, int parts, double alpha)
{
	int			i;

	for (i = 0; i < parts; i++)
		if (!isfinite(part[i].weight) || fabs(part[i].weight) > 1e100 ||
			(part[i].weight != 0 && fabs(part[i].weight) < 1e-100) ||
			!(part[i].scale >= 0x1p-20 && part[i].scale <= 0x1p60) ||
			!(part[i].excess >= 0 && isfinite(part[i].excess)))
			return false;
	return parts >= 0 && alpha >= LEAST_ALPHA && alpha < 1;
}

/* ln E e^(sN), INFINITY if there is none */
static double
cumulant(const PaPart *part, double s)
{
	double		ratio;

	if (part->shape == PA_GAUSSIAN)
		return 0.5 * s * s * part->scale * part->scale;
	if (!(fabs(s) < 1 / part->scale))
		return INFINITY;
	ratio = sinh(0.5 * s) / sinh(0.5 / part->scale);
	return ratio < 1 ? -log1p(-ratio * ratio) : INFINITY;
}

/* - bound at s = e^x: golden.h looks for a greatest value */
static double
less(void *context, double x)
{
	const Sum  *sum = context;
	double		s = exp(x);
	double		total = sum->log_odds;
	int			i;

	for (i = 0; i < sum->parts; i++)
		if (sum->part[i].weight != 0)
			total += cumulant(&sum->part[i], s * sum->part[i].weight);
	return isfinite(total) ? -total / s : -INFINITY;
}

/*
 * The optimum lies below the least 1/|a b| of a Laplace term, and above 1/spread, spread the
 * sum of |a| (1 + b), times a small constant: there the bound falls in s.
 */
static double
chernoff(const Sum *sum)
{
	double		most = INFINITY;
	double		spread = 0;
	double		low;
	double		x;
	int			i;

	for (i = 0; i < sum->parts; i++)
	{
		const PaPart *part = &sum->part[i];
		double		size = fabs(part->weight) * part->scale;

		spread += size;
		if (part->shape == PA_LAPLACE && size > 0)
			most = fmin(most, 1 / size);
	}
	if (spread == 0)
		return 0;
	low = log(1e-3 / spread);
	if (isinf(most))
		most = 1e3 * (double) sum->parts * sum->log_odds / spread;
	return -pa_golden(less, (void *) sum, low, log(most), 1e-9, &x) * (1 + SLACK);
}

/* alpha left to plain laws */
static double
log_odds(const PaPart *part, int parts, double alpha)
{
	double		sum = log(2 / alpha);
	int			i;

	for (i = 0; i < parts; i++)
		if (part[i].weight != 0)
			sum += part[i].excess;
	return sum;
}

PaStatus
pa_width_bound(const PaPart *part, int parts, double alpha, double *width)
{
	Sum			sum = {part, parts, 0};

	if (!valid(part, parts, alpha))
		return PA_INVALID;
	sum.log_odds = log_odds(part, parts, alpha);
	*width = chernoff(&sum);
	return PA_OK;
}

/* p on -last..last, at law[last + x] */
typedef struct Grid
{
	int			last;
	double	   *law;
	double	   *next;
	double	   *kernel;			/* of a Gaussian term: Pr(N = k), k = 0..last */
} Grid;

static void
add_laplace(Grid *grid, const PaPart *part)
{
	int			step = (int) fabs(part->weight);
	int			cells = 2 * grid->last + 1;
	double		r = exp(-1 / part->scale);
	double		peak = tanh(0.5 / part->scale);
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
add_gaussian(Grid *grid, const PaPart *part, const PaEnvironment *environment)
{
	int			step = (int) fabs(part->weight);
	int			cells = 2 * grid->last + 1;
	double	   *swap = grid->law;
	PaBase		base;
	PaStatus	status = pa_base_make(PA_GAUSSIAN, PA_LATTICE, part->scale, &base);
	int			most = 0;
	int			x;
	int			k;

	while (status == PA_OK && most * step <= 2 * grid->last && most <= grid->last && (double) most < 9 * part->scale + 2)
	{
		grid->kernel[most] = pa_base_density(&base, most);
		most++;
	}
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
doubt(const Sum *sum, const Grid *grid)
{
	double		error = 4 * DBL_EPSILON * grid->last;
	int			i;

	for (i = 0; i < sum->parts; i++)
		error += sum->part[i].shape == PA_LAPLACE ? 8 * DBL_EPSILON * (sum->part[i].scale + 1) :
			2 * PA_LAW_ERROR + 32 * DBL_EPSILON * (sum->part[i].scale + 1);
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
convolve(const Sum *sum, Grid *grid, const PaEnvironment *environment, double *width)
{
	PaStatus	status = PA_OK;
	int			w;
	int			i;

	memset(grid->law, 0, (size_t) (2 * grid->last + 1) * sizeof(double));
	grid->law[grid->last] = 1;
	for (i = 0; i < sum->parts && status == PA_OK; i++)
	{
		if (sum->part[i].weight == 0)
			continue;
		if (sum->part[i].shape == PA_GAUSSIAN)
			status = add_gaussian(grid, &sum->part[i], environment);
		else
			add_laplace(grid, &sum->part[i]);
		if (environment->interrupted && environment->interrupted(environment->context))
			status = PA_INTERRUPTED;
	}
	if (status != PA_OK)
		return status;
	w = least_width(grid, 2 * exp(-sum->log_odds) - doubt(sum, grid));
	if (w >= 0)
		*width = fmin(*width, w);
	return PA_OK;
}

/* How far the grid must go for what is lost not to matter, or 0 if the law is not to be computed */
static int
grid_last(const Sum *sum, double bound)
{
	double		last = ceil(1.5 * bound) + 8;
	double		work = 0;
	int			i;

	for (i = 0; i < sum->parts; i++)
	{
		const PaPart *part = &sum->part[i];

		if (part->weight != floor(part->weight) || fabs(part->weight) > last)
			return 0;
		work += 2 * last * (part->shape == PA_GAUSSIAN ? fmin(last, 9 * part->scale + 2) : 2);
	}
	return last <= MOST_LAST && work <= MOST_WORK ? (int) last : 0;
}

PaStatus
pa_width(const PaPart *part, int parts, double alpha, const PaEnvironment *environment, double *width)
{
	Sum			sum = {part, parts, 0};
	Grid		grid = {0};
	double		bound;
	size_t		cells;
	PaStatus	status = pa_width_bound(part, parts, alpha, &bound);

	if (status != PA_OK)
		return status;
	sum.log_odds = log_odds(part, parts, alpha);
	grid.last = grid_last(&sum, bound);
	if (grid.last > 0)
	{
		double	   *memory;

		cells = 2 * (size_t) grid.last + 1;
		memory = environment->allocate(environment->context, 3 * cells * sizeof(double));
		if (memory == NULL)
			return PA_NO_MEMORY;
		grid.law = memory;
		grid.next = memory + cells;
		grid.kernel = memory + 2 * cells;
		status = convolve(&sum, &grid, environment, &bound);
		environment->release(environment->context, memory);
	}
	if (status == PA_OK)
		*width = bound;
	return status;
}
