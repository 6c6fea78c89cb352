/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_gradual.c
 *		Noise that is refined: its law by enumeration, its draws in both directions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "core/refine/coin.h"
#include "core/refine/stop.h"
#include "source.h"
#include "unit.h"

static PaGradual
made(const double *epsilon, int levels, int64_t sensitivity)
{
	PaGradual	gradual;

	assert_int_equal(pa_gradual_make(epsilon, levels, sensitivity, &gradual), PA_OK);
	return gradual;
}

static long double
scale_of(const PaGradual *gradual, int level)
{
	return ldexpl((long double) gradual->kernel[level].numerator, -(int) gradual->kernel[level].shift);
}

/* Discrete Laplace, from its definition */
static long double
laplace(long double scale, int64_t k)
{
	return tanhl(0.5L / scale) * expl(-fabsl((long double) k) / scale);
}

/* keep, with r1 and r2 in long double */
static long double
keep_of(long double coarse, long double fine)
{
	long double r1 = expl(-1 / coarse);
	long double r2 = expl(-1 / fine);
	long double half = (1 - r1) / (1 - r2);

	return r2 / r1 * half * half;
}

/* Pr[coarse x, fine y] of the chain */
static long double
joint(const PaGradual *gradual, int level, int64_t x, int64_t y)
{
	long double coarse = scale_of(gradual, level);
	long double fine = scale_of(gradual, level + 1);
	long double keep = keep_of(coarse, fine);

	return laplace(fine, y) * ((x == y ? keep : 0) + (1 - keep) * laplace(coarse, x - y));
}

/* The coarser value has the law of its level: sums over all finer values */
static void
marginals_are_laplace(void **state)
{
	static const double epsilon[][2] = {{0.1, 0.2}, {0.5, 0.6}, {1, 3}, {0.3, 7}, {2, 2.5}};
	size_t		i;
	int			x;
	int			y;

	(void) state;
	for (i = 0; i < sizeof(epsilon) / sizeof(epsilon[0]); i++)
	{
		PaGradual	gradual = made(epsilon[i], 2, 1);

		assert_close(pa_gradual_keep(&gradual, 0), keep_of(scale_of(&gradual, 0), scale_of(&gradual, 1)), 1e-14);
		for (x = -30; x <= 30; x++)
		{
			long double sum = 0;

			for (y = -600; y <= 600; y++)
				sum += joint(&gradual, 0, x, y);
			assert_close(sum, laplace(scale_of(&gradual, 0), x), 1e-15);
		}
	}
}

/*
 * All that was shown loses what the finest shown loses: ratios of the joint law, for a value and
 * for one that is larger by 1, over three levels.
 */
static void
loss_is_that_of_the_last(void **state)
{
	static const double epsilon[] = {0.4, 0.9, 1.7};
	PaGradual	gradual = made(epsilon, 3, 1);
	double		worst[3] = {0};
	int			x[3];

	(void) state;
	for (x[0] = -6; x[0] <= 6; x[0]++)
		for (x[1] = -6; x[1] <= 6; x[1]++)
			for (x[2] = -6; x[2] <= 6; x[2]++)
			{
				long double shown[3][2];
				int			moved;
				int			level;

				for (moved = 0; moved < 2; moved++)
				{
					long double coarse[2];
					int			i;

					for (i = 0; i < 2; i++)
						coarse[i] = joint(&gradual, i, x[i] - moved, x[i + 1] - moved);
					shown[0][moved] = laplace(scale_of(&gradual, 0), x[0] - moved);
					shown[1][moved] = coarse[0];
					shown[2][moved] = coarse[0] * coarse[1] / laplace(scale_of(&gradual, 1), x[1] - moved);
				}
				for (level = 0; level < 3; level++)
					worst[level] = fmax(worst[level], (double) fabsl(logl(shown[level][0] / shown[level][1])));
			}
	for (x[0] = 0; x[0] < 3; x[0]++)
	{
		assert_at_most(worst[x[0]], pa_gradual_cost(&gradual, x[0], 1) * (1 + 1e-14));
		assert_at_most(pa_gradual_cost(&gradual, x[0], 1) * (1 - 1e-14), worst[x[0]]);
		assert_at_most(pa_gradual_cost(&gradual, x[0], 1), epsilon[x[0]]);
	}
}

#define SIDE 9
#define CELLS (SIDE * SIDE)

/* A value's bin: one for each near 0, and one for each of both ends */
static int
bin(int64_t x, int64_t width)
{
	int64_t		at = (x >= 0 ? (x + width / 2) / width : -((-x + width / 2) / width)) + SIDE / 2;

	return at < 0 ? 0 : at >= SIDE ? SIDE - 1 : (int) at;
}

static void
check_alike(const double *seen, const double *expected, int cells, const char *what)
{
	double		p = chi_square_p(seen, expected, cells);

	if (!(p > FALSE_ALARM))
		fail_msg("%s: p = %g", what, p);
}

/* Draws of two levels at once, and refinements of coarse draws, both against the joint law */
static void
check_draws(const double *epsilon, int64_t width, int reach)
{
	PaGradual	gradual = made(epsilon, 2, 1);
	long		draws = draws_wanted() / 10;
	double		at_once[CELLS] = {0};
	double		refined[CELLS] = {0};
	double		expected[CELLS] = {0};
	PaRandom	random;
	int			x;
	int			y;
	long		n;

	for (x = -reach; x <= reach; x++)
		for (y = -reach; y <= reach; y++)
			expected[bin(x, width) * SIDE + bin(y, width)] += (double) draws * (double) joint(&gradual, 0, x, y);
	pa_random_init(&random, source_system, NULL);
	for (n = 0; n < draws; n++)
	{
		int64_t		noise[2];
		int64_t		coarse;
		int64_t		fine;

		assert_int_equal(pa_gradual_draw(&gradual, &random, noise), PA_OK);
		at_once[bin(noise[0], width) * SIDE + bin(noise[1], width)]++;
		assert_int_equal(pa_kernel_sample(&gradual.kernel[0], &random, &coarse), PA_OK);
		assert_int_equal(pa_gradual_refine(&gradual, 0, coarse, &random, &fine), PA_OK);
		refined[bin(coarse, width) * SIDE + bin(fine, width)]++;
	}
	check_alike(at_once, expected, CELLS, "drawn at once");
	check_alike(refined, expected, CELLS, "refined");
}

static void
draws_follow_the_law(void **state)
{
	static const double near_ones[] = {0.8, 1.0};
	static const double far_ones[] = {0.25, 2.0};
	static const double narrow[] = {1.5, 4.0};
	static const double wide[] = {0.05, 0.07};

	(void) state;
	check_draws(near_ones, 1, 60);
	check_draws(far_ones, 3, 200);
	check_draws(narrow, 1, 40);
	check_draws(wide, 15, 900);
}

/* The law of the finer value for one coarse value at a time, far ones too */
static void
refinements_of_one_value(void **state)
{
	static const int64_t from[] = {0, 1, -1, 5, -12, 40};
	static const double epsilon[] = {0.5, 0.8};
	PaGradual	gradual = made(epsilon, 2, 1);
	long		draws = draws_wanted() / 20;
	PaRandom	random;
	size_t		i;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < sizeof(from) / sizeof(from[0]); i++)
	{
		double		seen[201] = {0};
		double		expected[201] = {0};
		long		n;
		int			y;

		for (y = -100; y <= 100; y++)
			expected[y + 100] = (double) (joint(&gradual, 0, from[i], y) / laplace(scale_of(&gradual, 0), from[i])) *
				(double) draws;
		for (n = 0; n < draws; n++)
		{
			int64_t		fine;

			assert_int_equal(pa_gradual_refine(&gradual, 0, from[i], &random, &fine), PA_OK);
			assert_in_range(fine + 100, 0, 200);
			seen[fine + 100]++;
		}
		check_alike(seen, expected, 201, "one value");
	}
}

/* Three levels: each pair of neighbours follows its law, in draws and in chains of refinements */
static void
longer_chains(void **state)
{
	static const double epsilon[] = {0.5, 0.9, 1.6};
	PaGradual	gradual = made(epsilon, 3, 1);
	long		draws = draws_wanted() / 20;
	double		seen[2][2][CELLS] = {{{0}}};
	PaRandom	random;
	int			level;
	int			way;
	long		n;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (n = 0; n < draws; n++)
		for (way = 0; way < 2; way++)
		{
			int64_t		noise[3];

			if (way == 0)
				assert_int_equal(pa_gradual_draw(&gradual, &random, noise), PA_OK);
			else
			{
				assert_int_equal(pa_kernel_sample(&gradual.kernel[0], &random, &noise[0]), PA_OK);
				assert_int_equal(pa_gradual_refine(&gradual, 0, noise[0], &random, &noise[1]), PA_OK);
				assert_int_equal(pa_gradual_refine(&gradual, 1, noise[1], &random, &noise[2]), PA_OK);
			}
			for (level = 0; level < 2; level++)
				seen[way][level][bin(noise[level], 1) * SIDE + bin(noise[level + 1], 1)]++;
		}
	for (level = 0; level < 2; level++)
	{
		double		expected[CELLS] = {0};
		int			x;
		int			y;

		for (x = -100; x <= 100; x++)
			for (y = -100; y <= 100; y++)
				expected[bin(x, 1) * SIDE + bin(y, 1)] += (double) draws * (double) joint(&gradual, level, x, y);
		for (way = 0; way < 2; way++)
			check_alike(seen[way][level], expected, CELLS, way ? "refined" : "drawn");
	}
}

/* The coins themselves: a wrong bound of one cell would hardly show above */
static void
coins_follow_the_law(void **state)
{
	static const int at[][3] = {{3, 10, 4}, {1, 2, 3}, {7, 7, 2}, {5, 40, 9}, {2, 30, 100}};
	long		draws = draws_wanted() / 10;
	PaRandom	random;
	size_t		i;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < sizeof(at) / sizeof(at[0]); i++)
	{
		double		q = at[i][2];
		double		heads = 0;
		double		seen[64] = {0};
		double		expected[64] = {0};
		double		want[2];
		double		got[2];
		int			k;
		long		n;

		for (k = 0; k < at[i][1]; k++)
			expected[k] = (double) draws * exp(-k / q) * expm1(-1 / q) / expm1(-at[i][1] / q);
		for (n = 0; n < draws; n++)
		{
			seen[(int) pa_coin_cell(&random, (PaUint128) at[i][1], (PaUint128) at[i][2])]++;
			heads += pa_coin_ratio(&random, (PaUint128) at[i][0], (PaUint128) at[i][1], (PaUint128) at[i][2]);
		}
		check_alike(seen, expected, at[i][1], "cells");
		want[0] = (double) draws * expm1(-at[i][0] / q) / expm1(-at[i][1] / q);
		want[1] = (double) draws - want[0];
		got[0] = heads;
		got[1] = (double) draws - heads;
		check_alike(got, want, want[1] > 0 ? 2 : 1, "ratio");
	}
}

/* Scales at the ends of what kernels may have: nothing overflows, and draws are as large as they should be */
static void
extreme_scales(void **state)
{
	static const double tiny[] = {1e-11, 1.5e-11};
	static const double steep[] = {1000, 100000};
	static const double apart[] = {1e-11, 1e5};
	static const double *all[] = {tiny, steep, apart};
	PaRandom	random;
	size_t		i;
	int			n;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < 3; i++)
	{
		PaGradual	gradual = made(all[i], 2, 1);
		int64_t		far;

		for (n = 0; n < 200; n++)
		{
			int64_t		noise[2];
			int64_t		fine;

			assert_int_equal(pa_gradual_draw(&gradual, &random, noise), PA_OK);
			assert_int_equal(pa_gradual_refine(&gradual, 0, noise[0], &random, &fine), PA_OK);
			assert_at_most((double) llabs(fine), 120 * (double) scale_of(&gradual, 1) + 1);
			assert_at_most((double) llabs(noise[1]), 120 * (double) scale_of(&gradual, 1) + 1);
		}
		assert_int_equal(pa_gradual_refine(&gradual, 0, (INT64_C(1) << 60) - 1, &random, &far), PA_OK);
	}
}

static void
levels_that_are_none(void **state)
{
	static const double falls[] = {0.2, 0.1};
	static const double same[] = {0.2, 0.2};
	static const double wrong[][1] = {{0}, {-1}, {NAN}, {INFINITY}};
	static const double good[] = {0.1, 0.2};
	PaGradual	gradual = {.levels = -7};
	PaGradual	fine;
	unsigned char zero = 0;
	PaRandom	random;
	int64_t		noise[2] = {-7, -7};
	size_t		i;

	(void) state;
	assert_int_equal(pa_gradual_make(falls, 2, 1, &gradual), PA_INVALID);
	assert_int_equal(pa_gradual_make(same, 2, 1, &gradual), PA_INVALID);
	assert_int_equal(pa_gradual_make(good, 0, 1, &gradual), PA_INVALID);
	assert_int_equal(pa_gradual_make(good, 2, 0, &gradual), PA_INVALID);
	for (i = 0; i < 4; i++)
		assert_int_equal(pa_gradual_make(wrong[i], 1, 1, &gradual), PA_INVALID);
	assert_int_equal(gradual.levels, -7);
	fine = made(good, 2, 1);
	pa_random_init(&random, source_system, NULL);
	assert_int_equal(pa_gradual_refine(&fine, 1, 0, &random, noise), PA_INVALID);
	assert_int_equal(pa_gradual_refine(&fine, -1, 0, &random, noise), PA_INVALID);
	assert_int_equal(pa_gradual_refine(&fine, 0, INT64_C(1) << 60, &random, noise), PA_INVALID);
	for (i = 0; i < 256; i++)
	{
		/* a source that is stuck says so, or gives numbers: it does not hang */
		zero = (unsigned char) i;
		pa_random_init(&random, source_stuck, &zero);
		if (pa_gradual_draw(&fine, &random, noise) != PA_OK)
			assert_int_equal(noise[0], -7);
		noise[0] = -7;
		pa_random_init(&random, source_stuck, &zero);
		if (pa_gradual_refine(&fine, 0, 3, &random, noise) != PA_OK)
			assert_int_equal(noise[0], -7);
		noise[0] = -7;
	}
	pa_random_fail(&random);
	assert_int_equal(pa_gradual_draw(&fine, &random, noise), PA_NO_RANDOMNESS);
	assert_int_equal(pa_gradual_refine(&fine, 0, 3, &random, noise), PA_NO_RANDOMNESS);
	assert_int_equal(noise[0], -7);
}

static void
costs_are_at_most_asked(void **state)
{
	uint64_t	seed = 7;
	PaRandom	random = seeded(&seed);
	double		below = nextafter(0.1, 0);	/* 1/below is rounded down to 10, which is not enough */
	PaGradual	tenth = made(&below, 1, 1);
	int			n;

	(void) state;
	assert_true(1 / below == 10);
	assert_at_most(pa_gradual_cost(&tenth, 0, 1), below);
	for (n = 0; n < 20000; n++)
	{
		double		epsilon = exp(uniform(&random, -10, 6));
		int64_t		sensitivity = 1 + (int64_t) pa_random_below(&random, 1000000);
		PaGradual	gradual;
		double		scale;

		if (pa_gradual_make(&epsilon, 1, sensitivity, &gradual) != PA_OK)
			continue;
		scale = pa_kernel_scale(&gradual.kernel[0]);
		assert_at_most(pa_gradual_cost(&gradual, 0, sensitivity), epsilon);
		assert_at_most((long double) sensitivity, (long double) pa_gradual_cost(&gradual, 0, sensitivity) * (long double) scale);
		assert_at_most(scale, (double) sensitivity / epsilon * (1 + 2e-6) + 2e-6);
	}
}

static void
levels_grow(void **state)
{
	double		level[8];
	int			levels = pa_stop_levels(0.05, 0.4, 2, 8, level);
	int			i;

	(void) state;
	assert_int_equal(levels, 4);
	assert_close(level[0], 0.05, 1e-15);
	assert_close(level[1], 0.1, 1e-15);
	assert_true(level[3] == 0.4);
	levels = pa_stop_levels(0.1, 1, 1.7, 8, level);
	assert_true(levels > 1 && level[levels - 1] == 1);
	for (i = 1; i < levels; i++)
		assert_true(level[i] > level[i - 1] && level[i] <= 1.7 * level[i - 1] * (1 + 1e-12));
	assert_int_equal(pa_stop_levels(1, 1, 2, 8, level), 1);
	assert_int_equal(pa_stop_levels(1e-9, 1, 1.2, 8, level), 0);
	assert_int_equal(pa_stop_levels(0, 1, 2, 8, level), 0);
	assert_int_equal(pa_stop_levels(1, 0.5, 2, 8, level), 0);
	assert_int_equal(pa_stop_levels(0.1, 1, 1, 8, level), 0);
}

/* Each width is the least whole number for its share of the misses. */
static void
widths_share_the_misses(void **state)
{
	static const double epsilon[] = {0.05, 0.1, 0.2, 0.4};
	PaGradual	gradual = made(epsilon, 4, 1);
	int64_t		width[4];
	int			i;

	(void) state;
	assert_int_equal(pa_stop_widths(&gradual, 0.05, width), PA_OK);
	for (i = 0; i < 4; i++)
	{
		long double r = expl(-1 / scale_of(&gradual, i));

		assert_at_most(2 * powl(r, (long double) width[i] + 1) / (1 + r), 0.0125L);
		assert_at_most(0.0125L, 2 * powl(r, (long double) width[i]) / (1 + r));
	}
	assert_int_equal(pa_stop_widths(&gradual, 0, width), PA_INVALID);
	assert_int_equal(pa_stop_widths(&gradual, 1, width), PA_INVALID);
}

static void
stops_by_what_was_released(void **state)
{
	(void) state;
	assert_true(pa_stop_reached(-100, 20, 0.2, 1));
	assert_false(pa_stop_reached(-100, 20.5, 0.2, 1));
	assert_true(pa_stop_reached(0, 5, 0.5, 10));
	assert_false(pa_stop_reached(0, 5.5, 0.5, 10));
	assert_false(pa_stop_reached(9, 5.5, 0.5, 10));
}

static void
gaussian_parts_combine(void **state)
{
	static const double released[] = {105, 98, 101};
	static const double rho[] = {0.001, 0.001, 0.002};
	static const double zero[] = {0.001, 0, 0.002};
	double		estimate = -7;
	double		variance;

	(void) state;
	assert_int_equal(pa_combine_gaussian(released, rho, 3, 2, &estimate, &variance), PA_OK);
	assert_close(estimate, 101.25, 1e-14);
	assert_close(variance, 500, 1e-14);
	estimate = -7;
	assert_int_equal(pa_combine_gaussian(released, zero, 3, 2, &estimate, &variance), PA_INVALID);
	assert_int_equal(pa_combine_gaussian(released, rho, 0, 2, &estimate, &variance), PA_INVALID);
	assert_int_equal(pa_combine_gaussian(released, rho, 3, 0, &estimate, &variance), PA_INVALID);
	assert_true(estimate == -7);
}

/* --- intervals where one stops --- */

#define MISS 0.05
#define STOPS 7

/* Relative errors that are asked for, of numbers that reach them early, late and only if noise is large */
typedef struct Stopped
{
	double		value;
	double		share;
	double		floor;
} Stopped;

static const Stopped stopped[] = {{20, 0.5, 1}, {20, 1, 1}, {-20, 0.5, 1}, {3, 0.5, 1}, {0, 1, 10}, {60, 0.3, 1}, {200, 0.1, 1}, {500, 0.5, 1}};

static PaRandom
system_random(void)
{
	PaRandom	random;

	pa_random_init(&random, source_system, NULL);
	return random;
}

/* The share of draws at which the interval is wrong where one stops: estimates are seen one after the other */
static double
missed(const Stopped *of, bool gaussian, const double *width, PaRandom *random, const PaGradual *gradual, const PaKernel *kernels)
{
	long		draws = draws_wanted() / 8;
	long		misses = 0;

	for (long i = 0; i < draws; i++)
	{
		int64_t		noise[STOPS];
		double		seen[STOPS];
		double		rho[STOPS];

		if (!gaussian)
			assert_int_equal(pa_gradual_draw(gradual, random, noise), PA_OK);
		for (int t = 0; t < STOPS; t++)
		{
			double		estimate;
			double		variance;

			if (gaussian)
				assert_int_equal(pa_kernel_sample(&kernels[t], random, &noise[t]), PA_OK);
			seen[t] = of->value + (double) noise[t];
			estimate = seen[t];
			rho[t] = gaussian ? 0.5 / (pa_kernel_scale(&kernels[t]) * pa_kernel_scale(&kernels[t])) : 1;
			if (gaussian)
				assert_int_equal(pa_combine_gaussian(seen, rho, t + 1, 1, &estimate, &variance), PA_OK);
			if (t < STOPS - 1 && !pa_stop_reached(estimate, width[t], of->share, of->floor))
				continue;
			misses += fabs(estimate - of->value) > width[t];
			break;
		}
	}
	return (double) misses / (double) draws;
}

/* However far a share of so many draws is off with probability FALSE_ALARM (Hoeffding) */
static double
slack(void)
{
	return sqrt(log(1 / FALSE_ALARM) / (2 * (double) (draws_wanted() / 8)));
}

/* Gradual noise; widths as they are, and as they would be for each level by itself. */
static void
intervals_hold_where_one_stops(void **state)
{
	PaKernel	finest;
	PaGradual	gradual;
	PaRandom	random = system_random();
	double		most = 0;

	(void) state;
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, 0.5, &finest), PA_OK);
	assert_int_equal(pa_gradual_halving(&finest, STOPS, &gradual), PA_OK);
	for (int i = 0; i < (int) (sizeof(stopped) / sizeof(*stopped)); i++)
		for (int shared = 0; shared < 2; shared++)
		{
			int64_t		whole[STOPS];
			double		width[STOPS];
			double		share;

			assert_int_equal(pa_stop_widths(&gradual, shared ? MISS : MISS * STOPS, whole), PA_OK);
			for (int t = 0; t < STOPS; t++)
				width[t] = (double) whole[t];
			share = missed(&stopped[i], false, width, &random, &gradual, NULL);
			if (shared)
				assert_at_most(share, MISS + slack());
			else
				most = fmax(most, share);
		}
	if (slack() < 0.006)		/* not with few draws */
		assert_true(most > MISS + 2 * slack());
}

/* Independent Gaussian releases, of which each doubles the sum of rho */
static void
intervals_of_combined_releases_hold(void **state)
{
	PaKernel	kernels[STOPS];
	PaRandom	random = system_random();
	double		most = 0;

	(void) state;
	for (int t = 0; t < STOPS; t++)
		assert_int_equal(pa_kernel_make(PA_KERNEL_GAUSSIAN, 32 / sqrt(t == 0 ? 1 : ldexp(1, t - 1)), &kernels[t]), PA_OK);
	for (int i = 0; i < (int) (sizeof(stopped) / sizeof(*stopped)); i++)
		for (int shared = 0; shared < 2; shared++)
		{
			double		width[STOPS];
			double		share;

			for (int t = 0; t < STOPS; t++)
				width[t] = gsl_cdf_ugaussian_Qinv(MISS / 2 / (shared ? STOPS : 1)) * 32 / sqrt(ldexp(1, t));
			share = missed(&stopped[i], true, width, &random, NULL, kernels);
			if (shared)
				assert_at_most(share, MISS + slack());
			else
				most = fmax(most, share);
		}
	if (slack() < 0.006)		/* not with few draws */
		assert_true(most > MISS + 2 * slack());
}

/* Whatever the kernel, its scale is doubled exactly, and what refines it is what it would be. */
static void
scales_are_halved(void **state)
{
	static const double scales[] = {1, 2.5, 1048577.0 / 65536, 0x1p-20, 3 * 0x1p-19, 1e6, 0x1.fffffffffp38};
	PaGradual	gradual;
	PaKernel	kernel;

	(void) state;
	for (int i = 0; i < (int) (sizeof(scales) / sizeof(*scales)); i++)
	{
		assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, scales[i], &kernel), PA_OK);
		assert_int_equal(pa_gradual_halving(&kernel, 2, &gradual), PA_OK);
		assert_memory_equal(&gradual.kernel[1], &kernel, sizeof(kernel));
		for (int levels = 1; levels <= PA_GRADUAL_LEVELS && pa_gradual_halving(&kernel, levels, &gradual) == PA_OK; levels++)
			for (int j = 0; j < levels; j++)
			{
				assert_true(pa_kernel_valid(&gradual.kernel[j]));
				assert_true(scale_of(&gradual, j) == ldexpl((long double) pa_kernel_scale(&kernel), levels - 1 - j));
			}
	}
	assert_int_equal(pa_gradual_halving(&kernel, 3, &gradual), PA_OUT_OF_RANGE);
	assert_int_equal(pa_gradual_halving(&kernel, 0, &gradual), PA_INVALID);
	assert_int_equal(pa_gradual_halving(&kernel, PA_GRADUAL_LEVELS + 1, &gradual), PA_INVALID);
	assert_int_equal(pa_kernel_make(PA_KERNEL_GAUSSIAN, 2, &kernel), PA_OK);
	assert_int_equal(pa_gradual_halving(&kernel, 2, &gradual), PA_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marginals_are_laplace),
		cmocka_unit_test(loss_is_that_of_the_last),
		cmocka_unit_test(draws_follow_the_law),
		cmocka_unit_test(refinements_of_one_value),
		cmocka_unit_test(longer_chains),
		cmocka_unit_test(coins_follow_the_law),
		cmocka_unit_test(extreme_scales),
		cmocka_unit_test(levels_that_are_none),
		cmocka_unit_test(costs_are_at_most_asked),
		cmocka_unit_test(levels_grow),
		cmocka_unit_test(scales_are_halved),
		cmocka_unit_test(widths_share_the_misses),
		cmocka_unit_test(stops_by_what_was_released),
		cmocka_unit_test(gaussian_parts_combine),
		cmocka_unit_test(intervals_hold_where_one_stops),
		cmocka_unit_test(intervals_of_combined_releases_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
