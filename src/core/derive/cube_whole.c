/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cube_whole.c
 *		Whole numbers near to estimates, with the same sums.
 *
 * Down a chain of levels: the parts of a total that is whole already are rounded down, and
 * those with the largest rests up again, so many as the total lacks.  The rests of parts add up to less
 * than their number, so each is moved by less than 1.  All other levels are sums of what a
 * chain ends in.
 *
 * Levels that no level contains (the finest) may have parts in common.  Where every two have the same
 * part in common, that is rounded first and they go on from it; else all are sums of one table, the
 * smallest that has them.
 */
#include "core/derive/cube.h"

#include <math.h>
#include <stdlib.h>

#include "core/derive/cube_table.h"
#include "core/derive/levels.h"

#define MOST 0x1p100
#define RESTS 0x1p20				/* rests that differ by less are the same: the order of cells decides */

typedef struct Part
{
	int64_t		parent;
	double		rest;
	int64_t		cell;
} Part;

typedef struct Rounding
{
	const PaCube *cube;
	const double *const *estimate;
	const PaEnvironment *environment;
	PaStatus	status;
	void	   *taken[2 * (PA_MOST_DIMENSIONS + 2) * PA_MOST_LEVELS];
	int			ntaken;
} Rounding;

static void *
take(Rounding *rounding, int64_t count, size_t size)
{
	void	   *memory = rounding->status != PA_OK ? NULL :
		rounding->environment->allocate(rounding->environment->context, (size_t) count * size);

	if (memory == NULL && rounding->status == PA_OK)
		rounding->status = PA_NO_MEMORY;
	if (memory != NULL)
		rounding->taken[rounding->ntaken++] = memory;
	return memory;
}

static void
give_back(Rounding *rounding)
{
	while (rounding->ntaken > 0)
		rounding->environment->release(rounding->environment->context, rounding->taken[--rounding->ntaken]);
}

/* --- one step --- */

static int
compare(const void *a, const void *b)
{
	const Part *x = a;
	const Part *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->rest != y->rest)
		return x->rest > y->rest ? -1 : 1;
	return x->cell < y->cell ? -1 : x->cell > y->cell;
}

static PaInt128
round_down(double x, double *rest)
{
	double		below = floor(fmin(fmax(x, -MOST), MOST));

	*rest = nearbyint(fmin(fmax(x - below, 0), 1) * RESTS);
	return (PaInt128) below;
}

/* The parts of one total, sorted by their rests; what it lacks is more than their number only by rounding of large numbers. */
static void
share(const Part *part, int64_t parts, PaInt128 total, PaInt128 *whole)
{
	PaInt128	lacks = total;
	PaInt128	each;
	int64_t		i;

	for (i = 0; i < parts; i++)
		lacks -= whole[part[i].cell];
	each = lacks / parts;
	if (each * parts > lacks)
		each--;
	lacks -= each * parts;
	for (i = 0; i < parts; i++)
		whole[part[i].cell] += each + (i < lacks);
}

/* The table of a level, from that of a coarser one. */
static PaInt128 *
refine(Rounding *rounding, uint32_t coarse, const PaInt128 *totals, uint32_t level, const double *estimate)
{
	int64_t		cells = pa_cube_cells(rounding->cube, level);
	Part	   *part = take(rounding, cells, sizeof(Part));
	PaInt128   *whole = take(rounding, cells, sizeof(PaInt128));
	int64_t		first = 0;
	int64_t		i;

	if (rounding->status != PA_OK)
		return NULL;
	for (i = 0; i < cells; i++)
	{
		part[i].cell = i;
		part[i].parent = pa_cube_image(rounding->cube, level, coarse, i);
		whole[i] = round_down(estimate[i], &part[i].rest);
	}
	qsort(part, (size_t) cells, sizeof(Part), compare);
	for (i = 1; i <= cells; i++)
		if (i == cells || part[i].parent != part[first].parent)
		{
			share(part + first, i - first, totals[part[first].parent], whole);
			first = i;
		}
	return whole;
}

/* --- chains --- */

static bool
within(uint32_t level, uint32_t other)
{
	return (level & ~other) == 0;
}

/* The smallest level asked, larger than one and smaller than another; -1: none */
static int
next_level(const PaCube *cube, uint32_t above, uint32_t below)
{
	int			best = -1;
	int			i;

	for (i = 0; i < cube->levels; i++)
		if (cube->level[i] != above && cube->level[i] != below && within(above, cube->level[i]) &&
			within(cube->level[i], below) &&
			(best < 0 || pa_cube_cells(cube, cube->level[i]) < pa_cube_cells(cube, cube->level[best])))
			best = i;
	return best;
}

/* Down to a level, from one within it. */
static const PaInt128 *
go_down(Rounding *rounding, uint32_t from, const PaInt128 *totals, uint32_t level, const double *estimate)
{
	int			next;

	while (rounding->status == PA_OK && (next = next_level(rounding->cube, from, level)) >= 0)
	{
		totals = refine(rounding, from, totals, rounding->cube->level[next], rounding->estimate[next]);
		from = rounding->cube->level[next];
	}
	return rounding->status != PA_OK || from == level ? totals : refine(rounding, from, totals, level, estimate);
}

static double *
sums(Rounding *rounding, uint32_t fine, const double *estimate, uint32_t level)
{
	int64_t		cells = pa_cube_cells(rounding->cube, level);
	double	   *sum = take(rounding, cells, sizeof(double));
	int64_t		i;

	if (rounding->status != PA_OK)
		return NULL;
	for (i = 0; i < cells; i++)
		sum[i] = 0;
	for (i = 0; i < pa_cube_cells(rounding->cube, fine); i++)
		sum[pa_cube_image(rounding->cube, fine, level, i)] += estimate[i];
	return sum;
}

static void
whole_sums(const PaCube *cube, uint32_t fine, const PaInt128 *table, uint32_t level, PaInt128 *sum)
{
	int64_t		cells = pa_cube_cells(cube, level);
	int64_t		i;

	for (i = 0; i < cells; i++)
		sum[i] = 0;
	for (i = 0; i < pa_cube_cells(cube, fine); i++)
		sum[pa_cube_image(cube, fine, level, i)] += table[i];
}

/* --- what the levels have in common --- */

static bool
is_finest(const PaCube *cube, int level)
{
	int			i;

	for (i = 0; i < cube->levels; i++)
		if (i != level && within(cube->level[level], cube->level[i]))
			return false;
	return true;
}

/* What all finest levels have in common, and whether every two of them have no more. */
static bool
common_part(const PaCube *cube, uint32_t *common, int *first)
{
	bool		alike = true;
	int			i,
				j;

	*common = UINT32_MAX;
	*first = -1;
	for (i = 0; i < cube->levels; i++)
		if (is_finest(cube, i))
		{
			*common &= cube->level[i];
			*first = *first < 0 ? i : *first;
		}
	for (i = 0; i < cube->levels; i++)
		for (j = 0; j < i; j++)
			if (is_finest(cube, i) && is_finest(cube, j))
				alike &= (cube->level[i] & cube->level[j]) == *common;
	return alike;
}

/* The total, and from it the table of a level with estimates. */
static const PaInt128 *
from_the_top(Rounding *rounding, uint32_t level, const double *estimate)
{
	const double *sum = sums(rounding, level, estimate, 0);
	PaInt128   *total = take(rounding, 1, sizeof(PaInt128));
	double		rest;

	if (rounding->status != PA_OK)
		return NULL;
	*total = round_down(*sum + 0.5, &rest);
	return level == 0 ? total : go_down(rounding, 0, total, level, estimate);
}

static void
by_common_part(Rounding *rounding, uint32_t common, int first, PaInt128 *const *whole)
{
	const PaCube *cube = rounding->cube;
	const double *part = sums(rounding, cube->level[first], rounding->estimate[first], common);
	const PaInt128 *table = rounding->status == PA_OK ? from_the_top(rounding, common, part) : NULL;
	int			i,
				j;

	for (i = 0; i < cube->levels; i++)
	{
		const PaInt128 *fine;

		if (!is_finest(cube, i))
			continue;
		fine = go_down(rounding, common, table, cube->level[i], rounding->estimate[i]);
		for (j = 0; j < cube->levels && rounding->status == PA_OK; j++)
			if (within(cube->level[j], cube->level[i]))
				whole_sums(cube, cube->level[i], fine, cube->level[j], whole[j]);
	}
}

/* The smallest table with all levels: of those with these sums, that of the least squares. */
static const double *
fit_all(Rounding *rounding, uint32_t all)
{
	PaCube		cube = *rounding->cube;
	uint32_t	level[PA_MOST_LEVELS + 1];
	double		variance[PA_MOST_LEVELS + 1];
	double	   *table[PA_MOST_LEVELS + 1];
	int			i;

	for (i = 0; i <= cube.levels; i++)
	{
		int64_t		cells,
					j;

		level[i] = i < cube.levels ? cube.level[i] : all;
		variance[i] = i < cube.levels ? 1 : INFINITY;
		cells = pa_cube_cells(&cube, level[i]);
		table[i] = take(rounding, cells, sizeof(double));
		for (j = 0; rounding->status == PA_OK && i < cube.levels && j < cells; j++)
			table[i][j] = rounding->estimate[i][j];
	}
	cube.level = level;
	cube.levels++;
	if (rounding->status == PA_OK)
		rounding->status = pa_cube_fit(&cube, variance, table, rounding->environment);
	return table[cube.levels - 1];
}

static void
by_one_table(Rounding *rounding, PaInt128 *const *whole)
{
	const PaCube *cube = rounding->cube;
	uint32_t	all = 0;
	const double *estimate;
	const PaInt128 *table;
	int			i;

	for (i = 0; i < cube->levels; i++)
		all |= cube->level[i];
	estimate = fit_all(rounding, all);
	table = rounding->status == PA_OK ? from_the_top(rounding, all, estimate) : NULL;
	for (i = 0; i < cube->levels && rounding->status == PA_OK; i++)
		whole_sums(cube, all, table, cube->level[i], whole[i]);
}

PaStatus
pa_cube_whole(const PaCube *cube, const double *const *estimate, PaInt128 *const *whole, const PaEnvironment *environment)
{
	Rounding	rounding = {.cube = cube, .estimate = estimate, .environment = environment};
	uint32_t	common;
	int			first;

	if (!pa_cube_valid(cube))
		return PA_INVALID;
	if (common_part(cube, &common, &first))
		by_common_part(&rounding, common, first, whole);
	else
		by_one_table(&rounding, whole);
	give_back(&rounding);
	return rounding.status;
}
