/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * levels_estimate.c
 *		From totals of the finest groups to estimates of all levels.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/derive/levels.h"

#include "price/levels.h"
#include "server_environment.h"

#define FINE_DIGITS 3			/* decimals of a numeric below its noise */
#define FINE_BITS 20			/* bits of a floating-point number */
#define MOST_DIGITS 30			/* after the point; or zeros before it: */
#define MOST_ZEROS 300

static void
check(PaStatus status)
{
	CHECK_FOR_INTERRUPTS();
	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("computing totals failed: %s", pa_status_text(status)));
}

const PaStatistic *
pa_levels_noised(const PaStatistics *set, int base, int level)
{
	for (int i = 0; i < set->nstatistics; i++)
		if (set->statistics[i].base == base && set->statistics[i].level == level)
			return &set->statistics[i];
	return NULL;
}

static double
deviation(const PaStatistic *statistic)
{
	const PaKernel *kernel = &statistic->calibration.kernel;

	return pa_noise_deviation(kernel->kind == PA_KERNEL_LAPLACE ? PA_LAPLACE : PA_GAUSSIAN, pa_kernel_scale(kernel)) *
		pa_statistic_value(statistic, 1);
}

static double
least_deviation(const PaRelease *release, int base)
{
	double		least = INFINITY;

	for (int i = 0; i < release->statistics->nstatistics; i++)
		if (release->statistics->statistics[i].base == base)
			least = Min(least, deviation(&release->statistics->statistics[i]));
	return least;
}

/* In units of the least: only their ratios matter, and squares of what is very large or small are none. */
static double *
variances(const PaRelease *release, int base)
{
	int			levels = release->levels->cube.levels;
	double		least = least_deviation(release, base);
	double	   *variance = palloc(sizeof(double) * levels);

	for (int i = 0; i < levels; i++)
	{
		const PaStatistic *statistic = pa_levels_noised(release->statistics, base, i);
		double		ratio = statistic ? deviation(statistic) / least : INFINITY;

		variance[i] = ratio * ratio;
	}
	return variance;
}

/* --- errors --- */

static PaSpread *
spread_of(const PaRelease *release, int base, int level, int members)
{
	const PaCube *cube = &release->levels->cube;
	const PaPartLevel *part = pa_levels_part(release->levels, level);
	int			of = part ? part->whole : level;
	int			terms = pa_cube_terms(cube, of);
	PaCubeTerm *term = palloc(sizeof(PaCubeTerm) * terms);
	PaSpread   *spread = palloc0(sizeof(PaSpread));

	check(pa_cube_error(cube, variances(release, base), of, members, term, &terms));
	spread->parts = palloc(sizeof(PaPart) * terms);
	spread->times = palloc(sizeof(double) * terms);
	for (int i = 0; i < terms; i++)
	{
		const PaStatistic *statistic = pa_levels_noised(release->statistics, base, term[i].level);
		const PaCalibration *calibration = &statistic->calibration;
		double		step = pa_statistic_value(statistic, 1);

		if (fabs(term[i].weight) < DBL_EPSILON)
			continue;
		spread->parts[spread->nparts] = (PaPart) {
			.weight = term[i].weight * step,.scale = pa_kernel_scale(&calibration->kernel),
			.shape = calibration->kernel.kind == PA_KERNEL_LAPLACE ? PA_LAPLACE : PA_GAUSSIAN
		};
		spread->times[spread->nparts++] = term[i].times;
		if (calibration->lattice.divisor > 1)
			spread->rounding += fabs(term[i].weight) * term[i].times * step / 2;
	}
	pfree(term);
	return spread;
}

bool
pa_levels_adds_up(const PaRelease *release, int statistic, int level)
{
	return statistic != release->statistics->selection && pa_levels_noised(release->statistics, statistic, level) == NULL;
}

double
pa_levels_error(const PaRelease *release, int statistic, int level, double confidence)
{
	if (release->levels->selected)
		return pa_statistic_error(pa_levels_noised(release->statistics, statistic, level), confidence);
	return pa_spread_error(spread_of(release, statistic, level, pa_levels_most_members(release->levels, level)), confidence);
}

const PaStatistics *
pa_levels_statistics(const PaRelease *release, int level, int members)
{
	const PaStatistics *set = release->statistics;
	PaStatistics *known = palloc(sizeof(PaStatistics));

	*known = *set;
	known->statistics = palloc(sizeof(PaStatistic) * set->nsummed);
	memcpy(known->statistics, set->statistics, sizeof(PaStatistic) * set->nsummed);
	known->nstatistics = set->nsummed;
	for (int i = 0; i < set->nsummed; i++)
		if (!release->levels->selected)
			known->statistics[i].spread = spread_of(release, i, level, members);
		else if (i != set->selection)
			known->statistics[i] = *pa_levels_noised(set, i, level);
	return known;
}

/* --- estimates --- */

static void *
allocate(int64 count, Size size)
{
	return MemoryContextAllocHuge(CurrentMemoryContext, Max(count, 1) * size);
}

static void
noise_level(const PaRelease *release, PaGroupTable *groups, const PaStatistic *statistic, double *table)
{
	const PaCube *cube = &release->levels->cube;
	int64		cells = pa_cube_cells(cube, cube->level[statistic->level]);
	PaInt128   *totals = allocate(cells, sizeof(PaInt128));

	for (int64 i = 0; i < cells; i++)
		totals[i] = 0;
	for (int i = 0; i < pa_groups_count(groups); i++)
		totals[pa_cube_image(cube, UINT32_MAX, cube->level[statistic->level], i)] += pa_groups_get(groups, i)->totals[statistic->base];
	for (int64 i = 0; i < cells; i++)
	{
		CHECK_FOR_INTERRUPTS();
		table[i] = pa_statistic_value(statistic, pa_release_noise(statistic, totals[i]));
	}
	pfree(totals);
}

static void
add_up(const PaLevels *levels, int level, double **tables)
{
	const PaPartLevel *part = pa_levels_part(levels, level);
	int64		cells = pa_levels_cells(levels, level);

	tables[level] = allocate(cells, sizeof(double));
	for (int64 i = 0; i < cells; i++)
		tables[level][i] = 0;
	for (int64 i = 0; i < pa_levels_cells(levels, part->whole); i++)
		tables[level][pa_levels_cell_of_part(levels, part, i)] += tables[part->whole][i];
}

double **
pa_levels_release(const PaRelease *release, PaGroupTable *groups, int statistic, double **noised)
{
	const PaCube *cube = &release->levels->cube;
	double	  **tables = palloc(sizeof(double *) * pa_levels_count(release->levels));

	if (pa_groups_count(groups) != pa_cube_cells(cube, UINT32_MAX))
		elog(ERROR, "the groups of a release are not the combinations of its keys");
	for (int i = 0; i < cube->levels; i++)
	{
		const PaStatistic *with_noise = pa_levels_noised(release->statistics, statistic, i);
		int64		cells = pa_cube_cells(cube, cube->level[i]);

		tables[i] = allocate(cells, sizeof(double));
		if (with_noise == NULL)
			continue;
		noise_level(release, groups, with_noise, tables[i]);
		noised[with_noise - release->statistics->statistics] = memcpy(allocate(cells, sizeof(double)), tables[i], sizeof(double) * cells);
	}
	check(pa_cube_estimate(cube, variances(release, statistic), tables, pa_server_environment()));
	for (int i = cube->levels; i < pa_levels_count(release->levels); i++)
		add_up(release->levels, i, tables);
	return tables;
}

/* --- whole steps --- */

/*
 * How many steps one has.  They are so large compared to the noise, which no epsilon makes smaller than 1e-5 of what a row adds,
 * that not even 2^60 rows add up to 2^100 steps (core/derive/cube.h); of integers, the type of the sum holds less.
 */
static double
steps_of_one(const PaRelease *release, int statistic, Oid type)
{
	double		least = least_deviation(release, statistic);

	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
			return 1;
		case NUMERICOID:
			return pow(10, Min(Max(ceil(FINE_DIGITS - log10(least)), -MOST_ZEROS), MOST_DIGITS));
		default:
			return exp2(ceil(FINE_BITS - log2(least)));
	}
}

/* Whole numbers are added before they are divided by the steps of one. */
static void
add_up_whole(const PaLevels *levels, int level, PaInt128 *const *whole, double steps, double **rounded)
{
	const PaPartLevel *part = pa_levels_part(levels, level);
	int64		cells = pa_levels_cells(levels, level);
	PaInt128   *sums = allocate(cells, sizeof(PaInt128));

	for (int64 i = 0; i < cells; i++)
		sums[i] = 0;
	for (int64 i = 0; i < pa_levels_cells(levels, part->whole); i++)
		sums[pa_levels_cell_of_part(levels, part, i)] += whole[part->whole][i];
	rounded[level] = allocate(cells, sizeof(double));
	for (int64 i = 0; i < cells; i++)
		rounded[level][i] = (double) sums[i] / steps;
	pfree(sums);
}

double **
pa_levels_round(const PaRelease *release, double *const *estimates, int statistic, Oid type)
{
	const PaCube *cube = &release->levels->cube;
	double		steps = steps_of_one(release, statistic, type);
	double	  **rounded = palloc(sizeof(double *) * pa_levels_count(release->levels));
	PaInt128  **whole = palloc(sizeof(PaInt128 *) * cube->levels);

	for (int i = 0; i < cube->levels; i++)
	{
		int64		cells = pa_cube_cells(cube, cube->level[i]);

		rounded[i] = allocate(cells, sizeof(double));
		whole[i] = allocate(cells, sizeof(PaInt128));
		for (int64 j = 0; j < cells; j++)
			rounded[i][j] = estimates[i][j] * steps;
	}
	check(pa_cube_whole(cube, (const double *const *) rounded, whole, pa_server_environment()));
	for (int i = cube->levels; i < pa_levels_count(release->levels); i++)
		add_up_whole(release->levels, i, whole, steps, rounded);
	for (int i = 0; i < cube->levels; i++)
	{
		for (int64 j = 0; j < pa_cube_cells(cube, cube->level[i]); j++)
			rounded[i][j] = (double) whole[i][j] / steps;
		pfree(whole[i]);
	}
	pfree(whole);
	return rounded;
}
