/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_cube.c
 *		Estimates over several dimensions against general least squares; whole numbers that add up.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/derive/cube.h"
#include "core/derive/cube_table.h"
#include "core/derive/least_squares.h"
#include "core/derive/levels.h"
#include "source.h"
#include "unit.h"

#define MOST_CELLS 81
#define MOST_ANSWERS 256

typedef struct Problem
{
	int32_t		size[4];
	uint32_t	level[8];
	double		variance[8];
	PaCube		cube;
	double		memory[8][MOST_CELLS];
	double	   *table[8];
	double		released[8][MOST_CELLS];
} Problem;

static void
near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-8 * (1 + fabs(want))))
		fail_msg("%.17g, expected %.17g", got, want);
}

static int
below(PaRandom *random, int n)
{
	return (int) pa_random_below(random, (uint64_t) n);
}

static void
make_problem(PaRandom *random, Problem *problem)
{
	int			dimensions = 1 + below(random, 4);
	int			levels = 0;
	int			wanted = 1 + below(random, 6);
	int			i;

	memset(problem, 0, sizeof(*problem));
	for (i = 0; i < dimensions; i++)
		problem->size[i] = 1 + below(random, 3);
	while (wanted-- > 0)
	{
		uint32_t	level = (uint32_t) below(random, 1 << dimensions);

		for (i = 0; i < levels && problem->level[i] != level; i++)
			;
		if (i == levels)
			problem->level[levels++] = level;
	}
	problem->cube = (PaCube) {dimensions, problem->size, levels, problem->level};
	for (i = 0; i < levels; i++)
	{
		int			j;

		problem->variance[i] = below(random, 4) == 0 ? INFINITY : 1 + below(random, 5);
		problem->table[i] = problem->memory[i];
		for (j = 0; j < MOST_CELLS; j++)
			problem->memory[i][j] = problem->released[i][j] = below(random, 2000) / 16.0 - 30;
	}
}

/* The rows of the design of a level: which cells of the whole table are in each of its cells. */
static void
add_rows(const PaCube *cube, uint32_t level, int64_t *row, int cells)
{
	int			i;

	for (i = 0; i < cells; i++)
		row[pa_cube_image(cube, (1u << cube->dimensions) - 1, level, i) * cells + i] = 1;
}

static double
variance_of_terms(const Problem *problem, int level, int members)
{
	PaCubeTerm	term[128];
	int			terms;
	double		sum = 0;
	int			i;

	assert_true(pa_cube_terms(&problem->cube, level) <= 128);
	assert_int_equal(pa_cube_error(&problem->cube, problem->variance, level, members, term, &terms), PA_OK);
	assert_true(terms <= pa_cube_terms(&problem->cube, level));
	for (i = 0; i < terms; i++)
		sum += term[i].times * term[i].weight * term[i].weight * problem->variance[term[i].level];
	return sum;
}

static void
check_problem(Problem *problem, int *seen, int *unsolved)
{
	static int64_t query[MOST_ANSWERS * 8 * MOST_CELLS];
	static int64_t target[MOST_CELLS * MOST_CELLS];
	static double weight[MOST_CELLS * MOST_ANSWERS];
	const PaCube *cube = &problem->cube;
	int			cells = (int) pa_cube_cells(cube, UINT32_MAX);
	double		variance[MOST_ANSWERS];
	double		released[MOST_ANSWERS];
	bool		estimable[MOST_CELLS];
	double		least[MOST_CELLS];
	int			answers = 0;
	bool		all = true;
	double		want[8][MOST_CELLS];
	double		spread[8][MOST_CELLS];	/* of the sum of the first cells along dimension 0, by their number */
	int			i,
				j;

	memset(query, 0, sizeof(query));
	for (i = 0; i < cube->levels; i++)
		if (isfinite(problem->variance[i]))
		{
			int			rows = (int) pa_cube_cells(cube, cube->level[i]);

			assert_true(answers + rows <= MOST_ANSWERS);
			add_rows(cube, cube->level[i], query + answers * cells, cells);
			for (j = 0; j < rows; j++, answers++)
			{
				variance[answers] = problem->variance[i];
				released[answers] = problem->released[i][j];
			}
		}
	for (i = 0; i < cube->levels; i++)
	{
		PaAnswers	known = {answers, cells, query, variance};
		PaEstimates estimates = {estimable, least, weight, NULL};
		int			rows = (int) pa_cube_cells(cube, cube->level[i]);

		memset(target, 0, sizeof(target));
		add_rows(cube, cube->level[i], target, cells);
		if (answers == 0)
		{
			all = false;
			continue;
		}
		assert_int_equal(pa_least_squares(&known, target, rows, &plain_memory, &estimates), PA_OK);
		for (j = 0; j < rows; j++)
		{
			all &= estimable[j];
			want[i][j] = pa_weighted_sum(weight + j * answers, released, answers);
		}
		spread[i][0] = least[0];
		for (j = 1; all && cube->level[i] & 1 && j < cube->size[0]; j++)
		{
			int			k;

			for (k = 0; k < cells; k++)
				target[k] += target[j * (rows / cube->size[0]) * cells + k];
			assert_int_equal(pa_least_squares(&known, target, 1, &plain_memory, &estimates), PA_OK);
			spread[i][j] = least[0];
		}
	}
	assert_int_equal(pa_cube_estimate(cube, problem->variance, problem->table, &plain_memory), all ? PA_OK : PA_NO_SOLUTION);
	*unsolved += !all;
	if (!all)
		return;
	++*seen;
	for (i = 0; i < cube->levels; i++)
	{
		int			most = cube->level[i] & 1 ? cube->size[0] : 1;

		for (j = 0; j < pa_cube_cells(cube, cube->level[i]); j++)
			near(problem->table[i][j], want[i][j]);
		for (j = 0; j < most; j++)
			near(variance_of_terms(problem, i, j + 1), spread[i][j]);
		assert_int_equal(pa_cube_error(cube, problem->variance, i, most + 1, NULL, NULL), PA_INVALID);
	}
}

/* Sums of whole numbers are exact, between any two levels. */
static void
check_whole(Problem *problem, bool *far)
{
	static PaInt128 memory[8][MOST_CELLS];
	PaInt128   *whole[8];
	const double *estimate[8];
	const PaCube *cube = &problem->cube;
	int			i,
				j,
				k;

	for (i = 0; i < cube->levels; i++)
	{
		whole[i] = memory[i];
		estimate[i] = problem->table[i];
	}
	assert_int_equal(pa_cube_whole(cube, estimate, whole, &plain_memory), PA_OK);
	for (i = 0; i < cube->levels; i++)
		for (j = 0; j < cube->levels; j++)
		{
			uint32_t	both = cube->level[i] & cube->level[j];
			PaInt128	left[MOST_CELLS] = {0};
			PaInt128	right[MOST_CELLS] = {0};

			for (k = 0; k < pa_cube_cells(cube, cube->level[i]); k++)
				left[pa_cube_image(cube, cube->level[i], both, k)] += whole[i][k];
			for (k = 0; k < pa_cube_cells(cube, cube->level[j]); k++)
				right[pa_cube_image(cube, cube->level[j], both, k)] += whole[j][k];
			assert_memory_equal(left, right, sizeof(left));
		}
	for (i = 0; i < cube->levels; i++)
		for (k = 0; k < pa_cube_cells(cube, cube->level[i]); k++)
			*far |= fabs((double) whole[i][k] - estimate[i][k]) > 1 + 1e-9;
}

static void
estimates_of_cubes(void **state)
{
	uint64_t	seed = 71;
	PaRandom	random = seeded(&seed);
	int			seen = 0;
	int			unsolved = 0;
	int			round;

	(void) state;
	for (round = 0; round < 1500; round++)
	{
		static Problem problem;

		make_problem(&random, &problem);
		check_problem(&problem, &seen, &unsolved);
	}
	assert_true(seen > 300 && unsolved > 100);
}

static void
whole_numbers_add_up(void **state)
{
	uint64_t	seed = 72;
	PaRandom	random = seeded(&seed);
	bool		far = false;
	int			round;

	(void) state;
	for (round = 0; round < 1500; round++)
	{
		static Problem problem;
		int			i;

		make_problem(&random, &problem);
		for (i = 0; i < problem.cube.levels; i++)
			problem.variance[i] = 1 + below(&random, 3);
		assert_int_equal(pa_cube_estimate(&problem.cube, problem.variance, problem.table, &plain_memory), PA_OK);
		check_whole(&problem, &far);
	}
}

/* ROLLUP: no number is moved by 1. */
static void
chains_stay_near(void **state)
{
	uint64_t	seed = 73;
	PaRandom	random = seeded(&seed);
	int			round;

	(void) state;
	for (round = 0; round < 500; round++)
	{
		static Problem problem;
		int			dimensions = 1 + below(&random, 3);
		bool		far = false;
		int			i;

		make_problem(&random, &problem);
		problem.cube.dimensions = dimensions;
		problem.cube.levels = dimensions + 1;
		for (i = 0; i < dimensions; i++)
			problem.size[i] = 1 + below(&random, 4);
		for (i = 0; i <= dimensions; i++)
		{
			int			j;

			problem.level[i] = (1u << i) - 1;
			problem.variance[i] = 1;
			problem.table[i] = problem.memory[i];
			for (j = 0; j < MOST_CELLS; j++)
				problem.memory[i][j] = below(&random, 1000) / 7.0 - 50;
		}
		assert_int_equal(pa_cube_estimate(&problem.cube, problem.variance, problem.table, &plain_memory), PA_OK);
		check_whole(&problem, &far);
		assert_false(far);
	}
}

/* As many levels as there may be, none of which has all the others. */
static void
as_many_levels_as_may_be(void **state)
{
	static const int32_t size[] = {2, 2, 2, 2, 2, 2, 2};
	static double memory[PA_MOST_LEVELS][1 << 4];
	static PaInt128 sums[PA_MOST_LEVELS][1 << 4];
	uint64_t	seed = 74;
	PaRandom	random = seeded(&seed);
	uint32_t	level[PA_MOST_LEVELS];
	const double *estimate[PA_MOST_LEVELS];
	PaInt128   *whole[PA_MOST_LEVELS];
	PaCube		cube = {7, size, 0, level};
	uint32_t	candidate;
	int			i,
				j;

	(void) state;
	for (candidate = 0; cube.levels < PA_MOST_LEVELS; candidate++)
	{
		int			dimensions = __builtin_popcount(candidate);

		if (dimensions != 3 && dimensions != 4)
			continue;
		for (i = 0; i < 1 << dimensions; i++)
			memory[cube.levels][i] = below(&random, 2000) / 16.0;
		estimate[cube.levels] = memory[cube.levels];
		whole[cube.levels] = sums[cube.levels];
		level[cube.levels++] = candidate;
	}
	assert_int_equal(pa_cube_whole(&cube, estimate, whole, &plain_memory), PA_OK);
	for (i = 1; i < cube.levels; i++)
	{
		PaInt128	left = 0;
		PaInt128	right = 0;

		for (j = 0; j < pa_cube_cells(&cube, level[0]); j++)
			left += whole[0][j];
		for (j = 0; j < pa_cube_cells(&cube, level[i]); j++)
			right += whole[i][j];
		assert_true(left == right);
	}
}

static void
cubes_that_are_none(void **state)
{
	static const int32_t size[] = {2, 0};
	static const uint32_t level[] = {1, 2};
	double		cell[4] = {0};
	double	   *table[] = {cell, cell};
	double		variance[] = {1, 0};

	(void) state;
	assert_int_equal(pa_cube_estimate(&(PaCube) {2, size, 1, level}, variance, table, &plain_memory), PA_INVALID);
	assert_int_equal(pa_cube_estimate(&(PaCube) {1, size, 2, level}, variance, table, &plain_memory), PA_INVALID);
	assert_int_equal(pa_cube_estimate(&(PaCube) {1, size, 0, level}, variance, table, &plain_memory), PA_INVALID);
	variance[0] = 0;
	assert_int_equal(pa_cube_estimate(&(PaCube) {1, size, 1, level}, variance, table, &plain_memory), PA_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(estimates_of_cubes),
		cmocka_unit_test(whole_numbers_add_up),
		cmocka_unit_test(chains_stay_near),
		cmocka_unit_test(as_many_levels_as_may_be),
		cmocka_unit_test(cubes_that_are_none),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
