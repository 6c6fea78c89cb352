/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cube.c
 *		Least squares by Helmert's transform along each dimension.
 *
 * In these coordinates a sum over a dimension is a multiple of the coordinates that are 0 there, so
 * every coordinate of the whole table is estimated alone: from each released level that
 * keeps the dimensions in which it is not 0 (its support), by weights that depend on the support only.
 */
#include "core/derive/cube.h"

#include <math.h>

#include "core/derive/cube_table.h"
#include "core/derive/levels.h"

#define MOST_CELLS (INT64_C(1) << 30)
#define CHECK_CELLS 65536		/* between looks at whether to go on */

/* --- tables --- */

int64_t
pa_cube_cells(const PaCube *cube, uint32_t level)
{
	int64_t		cells = 1;
	int			d;

	for (d = 0; d < cube->dimensions; d++)
		if (level >> d & 1)
			cells *= cube->size[d];
	return cells;
}

int64_t
pa_cube_width(const PaCube *cube, uint32_t level)
{
	return pa_cube_cells(cube, ~level);
}

bool
pa_cube_valid(const PaCube *cube)
{
	int64_t		cells = 1;
	int			i;

	if (cube->dimensions < 0 || cube->dimensions > PA_MOST_DIMENSIONS || cube->levels < 1 || cube->levels > PA_MOST_LEVELS)
		return false;
	for (i = 0; i < cube->dimensions; i++)
	{
		if (cube->size[i] < 1 || cube->size[i] > MOST_CELLS / cells)
			return false;
		cells *= cube->size[i];
	}
	for (i = 0; i < cube->levels; i++)
		if (cube->level[i] >> cube->dimensions != 0)
			return false;
	return true;
}

int64_t
pa_cube_image(const PaCube *cube, uint32_t from, uint32_t to, int64_t cell)
{
	int64_t		image = 0;
	int64_t		stride = 1;
	int			d;

	for (d = cube->dimensions - 1; d >= 0; d--)
	{
		int64_t		digit = 0;

		if (from >> d & 1)
		{
			digit = cell % cube->size[d];
			cell /= cube->size[d];
		}
		if (to >> d & 1)
		{
			image += digit * stride;
			stride *= cube->size[d];
		}
	}
	return image;
}

/* --- Helmert's transform: orthonormal, the first coordinate is the sum over sqrt(n) --- */

static void
forward(double *x, int32_t n, int64_t stride)
{
	double		sum = x[0];
	int32_t		j;

	for (j = 1; j < n; j++)
	{
		double		next = x[j * stride];

		x[j * stride] = (sum - j * next) / sqrt(j * (j + 1.0));
		sum += next;
	}
	x[0] = sum / sqrt(n);
}

static void
backward(double *x, int32_t n, int64_t stride)
{
	double		rest = x[0] / sqrt(n);
	int32_t		j;

	for (j = n - 1; j > 0; j--)
	{
		double		part = x[j * stride] / sqrt(j * (j + 1.0));

		x[j * stride] = rest - j * part;
		rest += part;
	}
	x[0] = rest;
}

static void
transform(const PaCube *cube, uint32_t level, double *table, void (*along) (double *x, int32_t n, int64_t stride))
{
	int64_t		cells = pa_cube_cells(cube, level);
	int64_t		stride = 1;
	int			d;

	for (d = cube->dimensions - 1; d >= 0; d--)
	{
		int64_t		block = stride * cube->size[d];
		int64_t		start,
					i;

		if ((level >> d & 1) == 0)
			continue;
		for (start = 0; start < cells; start += block)
			for (i = 0; i < stride; i++)
				along(table + start + i, cube->size[d], stride);
		stride = block;
	}
}

/* --- weights --- */

/* What a released level says of a coordinate of the whole table that it knows, as 1/variance. */
static double
precision(const PaCube *cube, const double *variance, int level)
{
	return (double) pa_cube_width(cube, cube->level[level]) / variance[level];
}

static bool
knows(const PaCube *cube, int level, uint32_t support)
{
	return (support & ~cube->level[level]) == 0;
}

/* The same of all levels; 0: none. */
static double
precision_of(const PaCube *cube, const double *variance, uint32_t support)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < cube->levels; i++)
		if (knows(cube, i, support))
			sum += precision(cube, variance, i);
	return sum;
}

/* Whether there are coordinates of this support. */
static bool
exists(const PaCube *cube, uint32_t support)
{
	int			d;

	for (d = 0; d < cube->dimensions; d++)
		if (support >> d & 1 && cube->size[d] == 1)
			return false;
	return true;
}

/* Whether released levels say all that a level does. */
static bool
estimable(const PaCube *cube, const double *variance, uint32_t level)
{
	uint32_t	support = level;

	for (;;)
	{
		if (exists(cube, support) && precision_of(cube, variance, support) == 0)
			return false;
		if (support == 0)
			return true;
		support = (support - 1) & level;
	}
}

static bool
valid(const PaCube *cube, const double *variance)
{
	int			i;

	if (!pa_cube_valid(cube))
		return false;
	for (i = 0; i < cube->levels; i++)
		if (!(variance[i] > 0))
			return false;
	return true;
}

/* --- estimates --- */

/* In which dimensions a coordinate of a level is not 0. */
static uint32_t
support_of(const PaCube *cube, uint32_t level, int64_t at)
{
	uint32_t	support = 0;
	int			d;

	for (d = cube->dimensions - 1; d >= 0; d--)
		if (level >> d & 1)
		{
			support |= (uint32_t) (at % cube->size[d] != 0) << d;
			at /= cube->size[d];
		}
	return support;
}

/* A coordinate of a level, from those of released ones; 0 if none knows it. */
static double
coordinate(const PaCube *cube, const double *variance, double *const *known, uint32_t level, int64_t at)
{
	uint32_t	support = support_of(cube, level, at);
	double		sum = 0;
	double		weights = 0;
	int			i;

	for (i = 0; i < cube->levels; i++)
	{
		double		weight;

		if (isinf(variance[i]) || !knows(cube, i, support))
			continue;
		weight = precision(cube, variance, i);
		weights += weight;
		sum += weight * known[i][pa_cube_image(cube, level, cube->level[i], at)] / sqrt((double) pa_cube_width(cube, cube->level[i]));
	}
	return weights > 0 ? sum / weights * sqrt((double) pa_cube_width(cube, level)) : 0;
}

static PaStatus
fill(const PaCube *cube, const double *variance, double *const *known, uint32_t level, double *table,
	 const PaEnvironment *environment)
{
	int64_t		cells = pa_cube_cells(cube, level);
	int64_t		i;

	for (i = 0; i < cells; i++)
	{
		if (i % CHECK_CELLS == 0 && environment->interrupted && environment->interrupted(environment->context))
			return PA_INTERRUPTED;
		table[i] = coordinate(cube, variance, known, level, i);
	}
	transform(cube, level, table, backward);
	return PA_OK;
}

PaStatus
pa_cube_fit(const PaCube *cube, const double *variance, double *const *table, const PaEnvironment *environment)
{
	int64_t		room = 0;
	double	   *coordinates;
	double	   *known[PA_MOST_LEVELS + 1];
	PaStatus	status = PA_OK;
	int			i;

	for (i = 0; i < cube->levels; i++)
		room += pa_cube_cells(cube, cube->level[i]);
	coordinates = environment->allocate(environment->context, (size_t) room * sizeof(double));
	if (coordinates == NULL)
		return PA_NO_MEMORY;
	for (i = 0, room = 0; i < cube->levels; i++)
	{
		int64_t		cells = pa_cube_cells(cube, cube->level[i]);
		int64_t		j;

		known[i] = coordinates + room;
		room += cells;
		for (j = 0; j < cells && isfinite(variance[i]); j++)
			known[i][j] = table[i][j];
		if (isfinite(variance[i]))
			transform(cube, cube->level[i], known[i], forward);
	}
	for (i = 0; i < cube->levels && status == PA_OK; i++)
		status = fill(cube, variance, known, cube->level[i], table[i], environment);
	environment->release(environment->context, coordinates);
	return status;
}

PaStatus
pa_cube_estimate(const PaCube *cube, const double *variance, double *const *table, const PaEnvironment *environment)
{
	int			i;

	if (!valid(cube, variance))
		return PA_INVALID;
	for (i = 0; i < cube->levels; i++)
		if (!estimable(cube, variance, cube->level[i]))
			return PA_NO_SOLUTION;
	return pa_cube_fit(cube, variance, table, environment);
}

/* --- errors --- */

/*
 * The weight of a cell of level "from" in the estimate of a cell of level "of" with the
 * same values in the dimensions "same" of those that both keep, and other ones elsewhere.
 */
static double
weight_of(const PaCube *cube, const double *variance, int from, int of, uint32_t same)
{
	uint32_t	source = cube->level[from];
	uint32_t	target = cube->level[of];
	uint32_t	support = source & target;
	double		scale = sqrt((double) pa_cube_width(cube, target) / (double) pa_cube_width(cube, source));
	double		sum = 0;

	for (;;)
	{
		double		term = exists(cube, support) ? 1 : 0;
		int			d;

		for (d = 0; d < cube->dimensions && term != 0; d++)
		{
			if (support >> d & 1)
				term *= (double) (same >> d & 1) - 1.0 / cube->size[d];
			else
				term /= sqrt((source >> d & 1 ? cube->size[d] : 1.0) * (target >> d & 1 ? cube->size[d] : 1.0));
		}
		if (term != 0)
			sum += term * precision(cube, variance, from) / precision_of(cube, variance, support);
		if (support == 0)
			return sum * scale;
		support = (support - 1) & source & target;
	}
}

/* How many cells of level "from" are the same in just these dimensions. */
static double
times_of(const PaCube *cube, uint32_t from, uint32_t of, uint32_t same)
{
	double		times = 1;
	int			d;

	for (d = 0; d < cube->dimensions; d++)
		if (from >> d & 1 && (same >> d & 1) == 0)
			times *= of >> d & 1 ? cube->size[d] - 1 : cube->size[d];
	return times;
}

int
pa_cube_terms(const PaCube *cube, int of)
{
	int			terms = 0;
	int			i;

	for (i = 0; i < cube->levels; i++)
		terms += 1 << __builtin_popcount(cube->level[i] & cube->level[of]);
	return terms;
}

static void
add_term(PaCubeTerm *term, int *terms, PaCubeTerm next)
{
	if (next.weight != 0 && next.times > 0)
		term[(*terms)++] = next;
}

/*
 * What one level adds. Of the cells of "from" that are the same in some other dimensions, those with the
 * value of a member in dimension 0 count once as the same and members - 1 times as another.
 */
static void
add_terms(const PaCube *cube, const double *variance, int from, int of, int32_t members, PaCubeTerm *term, int *terms)
{
	uint32_t	both = cube->level[from] & cube->level[of];
	uint32_t	first = both & 1;
	uint32_t	rest = both & ~UINT32_C(1);
	uint32_t	same = rest;

	for (;; same = (same - 1) & rest)
	{
		double		apart = weight_of(cube, variance, from, of, same);
		double		times = times_of(cube, cube->level[from], cube->level[of], same | first);

		if (first)
		{
			double		together = weight_of(cube, variance, from, of, same | first);

			add_term(term, terms, (PaCubeTerm) {from, together + (members - 1) * apart, members * times});
			add_term(term, terms, (PaCubeTerm) {from, members * apart, (cube->size[0] - members) * times});
		}
		else
			add_term(term, terms, (PaCubeTerm) {from, members * apart, times});
		if (same == 0)
			break;
	}
}

PaStatus
pa_cube_error(const PaCube *cube, const double *variance, int of, int32_t members, PaCubeTerm *term, int *terms)
{
	int			i;

	if (!valid(cube, variance) || members < 1 || members > (cube->level[of] & 1 ? cube->size[0] : 1))
		return PA_INVALID;
	if (!estimable(cube, variance, cube->level[of]))
		return PA_NO_SOLUTION;
	*terms = 0;
	for (i = 0; i < cube->levels; i++)
		if (!isinf(variance[i]))
			add_terms(cube, variance, i, of, members, term, terms);
	return PA_OK;
}
