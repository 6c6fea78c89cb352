/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_width.c
 *		Intervals of sums of noises against their laws, term by term.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/derive/smooth.h"
#include "core/derive/width.h"
#include "source.h"
#include "unit.h"

#define LAST 4000

/* ln of an unnormalised probability */
static long double
log_weight(const PaPart *part, int k)
{
	long double scale = part->scale;

	return part->shape == PA_LAPLACE ? -fabsl((long double) k) / scale : -(long double) k * k / (2 * scale * scale);
}

/* The law of the sum by its definition, in long double */
static long double *
law_of(const PaPart *part, int parts)
{
	long double *law = calloc(2 * LAST + 1, sizeof(*law));
	long double *next = calloc(2 * LAST + 1, sizeof(*next));
	int			i;

	law[LAST] = 1;
	for (i = 0; i < parts; i++)
	{
		long double total = 0;
		long double *swap = law;
		int			k;
		int			x;

		for (k = -LAST; k <= LAST; k++)
			total += expl(log_weight(&part[i], k));
		memset(next, 0, (2 * LAST + 1) * sizeof(*next));
		for (k = -LAST; k <= LAST; k++)
		{
			long double p = expl(log_weight(&part[i], k)) / total;
			int			move = (int) (k * part[i].weight);

			for (x = -LAST; p > 1e-30L && x <= LAST; x++)
				if (abs(x + move) <= LAST)
					next[LAST + x + move] += p * law[LAST + x];
		}
		law = next;
		next = swap;
	}
	free(next);
	return law;
}

static int
exact_width(const long double *law, double alpha)
{
	long double outside = 0;
	int			w = LAST;

	while (w > 0 && outside + law[LAST - w] + law[LAST + w] <= alpha)
	{
		outside += law[LAST - w] + law[LAST + w];
		w--;
	}
	return w;
}

static const double alphas[] = {0.5, 0.1, 0.05, 0.01, 1e-4, 1e-6};

static void
check(const PaPart *part, int parts)
{
	long double *law = law_of(part, parts);
	size_t		i;

	for (i = 0; i < sizeof(alphas) / sizeof(alphas[0]); i++)
	{
		double		bound;
		double		width;

		assert_int_equal(pa_width_bound(part, parts, alphas[i], &bound), PA_OK);
		assert_int_equal(pa_width(part, parts, alphas[i], &plain_memory, &width), PA_OK);
		assert_at_most(exact_width(law, alphas[i]), floor(bound));
		assert_true(width == exact_width(law, alphas[i]));
	}
	free(law);
}

static void
widths_are_exact(void **state)
{
	static const PaPart one[] = {{1, PA_LAPLACE, 1, 0}};
	static const PaPart two[] = {{1, PA_LAPLACE, 10, 0}, {-1, PA_LAPLACE, 10, 0}};
	static const PaPart mixed[] = {{3, PA_LAPLACE, 2.5, 0}, {2, PA_GAUSSIAN, 7, 0}, {-1, PA_LAPLACE, 20, 0}};
	static const PaPart bells[] = {{1, PA_GAUSSIAN, 5, 0}, {2, PA_GAUSSIAN, 3, 0}, {0, PA_LAPLACE, 100, 0}};
	static const PaPart narrow[] = {{1, PA_LAPLACE, 0.05, 0}, {5, PA_GAUSSIAN, 0.2, 0}};
	PaPart		many[12];
	int			i;

	(void) state;
	for (i = 0; i < 12; i++)
		many[i] = (PaPart) {1 + i % 3, PA_LAPLACE, 1 + i, 0};
	check(one, 1);
	check(two, 2);
	check(mixed, 3);
	check(bells, 3);
	check(narrow, 2);
	check(many, 12);
}

/* Weights that are not whole are brought onto a grid: covered, and not by far more. */
static void
bounds_are_sound(void **state)
{
	static const double weight[] = {0.5, 0.25, -0.125, 1};
	PaPart		part[4];
	PaPart		eightfold[4];
	long double *law;
	size_t		i;

	(void) state;
	for (i = 0; i < 4; i++)
	{
		part[i] = (PaPart) {weight[i], i == 2 ? PA_GAUSSIAN : PA_LAPLACE, 3 + (double) i, 0};
		eightfold[i] = part[i];
		eightfold[i].weight *= 8;
	}
	law = law_of(eightfold, 4);
	for (i = 0; i < sizeof(alphas) / sizeof(alphas[0]); i++)
	{
		double		width;

		assert_int_equal(pa_width(part, 4, alphas[i], &plain_memory, &width), PA_OK);
		assert_at_most(exact_width(law, alphas[i]), 8 * width);
		assert_at_most(8 * width, 1.08 * exact_width(law, alphas[i]) + 2);
	}
	free(law);
}

/* The bound is the least over s: any s gives no less. */
static void
bound_is_least(void **state)
{
	static const PaPart part[] = {{1, PA_LAPLACE, 4, 0}, {2.5, PA_LAPLACE, 1.5, 0}, {0.3, PA_GAUSSIAN, 9, 0}};
	double		bound;
	double		least = INFINITY;
	double		s;

	(void) state;
	assert_int_equal(pa_width_bound(part, 3, 0.05, &bound), PA_OK);
	for (s = 1e-4; s < 0.25; s += 1e-5)
	{
		long double r = expl(-0.25L);
		long double t = expl(-1 / 1.5L);
		long double sum = logl(40);

		sum += 2 * logl(1 - r) - logl(1 - r * expl(s)) - logl(1 - r * expl(-s));
		sum += 2 * logl(1 - t) - logl(1 - t * expl(2.5L * s)) - logl(1 - t * expl(-2.5L * s));
		sum += 0.5L * (0.3L * s * 9) * (0.3L * s * 9);
		least = fmin(least, (double) (sum / s));
	}
	assert_close(bound, least, 1e-7);
}

static void
excess_widens(void **state)
{
	PaPart		part = {1, PA_LAPLACE, 10, 0};
	PaPart		recycled = {1, PA_LAPLACE, 10, log(2)};
	double		half;
	double		width;

	(void) state;
	assert_int_equal(pa_width(&part, 1, 0.025, &plain_memory, &half), PA_OK);
	assert_int_equal(pa_width(&recycled, 1, 0.05, &plain_memory, &width), PA_OK);
	assert_true(half == width);
}

static void
large_scales(void **state)
{
	static const PaPart large[] = {{1, PA_LAPLACE, 1e9, 0}, {1, PA_GAUSSIAN, 1e9, 0}};
	double		width;

	(void) state;
	assert_int_equal(pa_width(large, 2, 0.05, &plain_memory, &width), PA_OK);
	assert_at_most(3.5e9, width);
	assert_at_most(width, 4.1e9);
	assert_int_equal(pa_width(large, 0, 0.05, &plain_memory, &width), PA_OK);
	assert_true(width == 0);
}

/* Scales that are split, alone and together, against laws of their own kind in closed form */
static void
wide_laws_are_split(void **state)
{
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(alphas) / sizeof(alphas[0]); i++)
	{
		static const double scale[] = {65, 1000, 123456.7, 1e12};
		size_t		j;

		for (j = 0; j < sizeof(scale) / sizeof(scale[0]); j++)
		{
			PaPart		laplace = {0.37, PA_LAPLACE, scale[j], 0};
			PaPart		gaussian = {0.37, PA_GAUSSIAN, scale[j], 0};
			double		z = 0;
			double		least = 0.37 * scale[j] * -log(alphas[i]);
			double		width;

			assert_int_equal(pa_width(&laplace, 1, alphas[i], &plain_memory, &width), PA_OK);
			assert_at_most(least - 0.37, width);
			assert_at_most(width, (alphas[i] > 0.1 ? 1.25 : 1.12) * least + 1);
			while (erfc(z / sqrt(2)) > alphas[i])
				z += 1e-4;
			least = 0.37 * scale[j] * z;
			assert_int_equal(pa_width(&gaussian, 1, alphas[i], &plain_memory, &width), PA_OK);
			assert_at_most(least - 0.37 * (1 + 1e-3 * scale[j]), width);
			assert_at_most(width, 1.12 * least + 1);
		}
	}
}

/* Whatever way is taken for Gaussian terms: covered, for sigmas from 1 on, and near to the normal width for many */
static void
gaussian_sums(void **state)
{
	PaPart		many[300];
	PaPart		few[3];
	double		width;
	double		scale;
	size_t		i;
	int			k;

	(void) state;
	for (scale = 1; scale < 9; scale *= 1.3)
	{
		long double *law;

		for (k = 0; k < 3; k++)
			few[k] = (PaPart) {1 + k, PA_GAUSSIAN, scale + k, 0};
		law = law_of(few, 3);
		for (i = 0; i < sizeof(alphas) / sizeof(alphas[0]); i++)
			assert_at_most(exact_width(law, alphas[i]), floor(pa_smooth_width(few, 3, alphas[i])));
		free(law);
	}
	for (k = 0; k < 300; k++)
		many[k] = (PaPart) {0.1 + 0.003 * k, PA_GAUSSIAN, 40, 0};
	assert_int_equal(pa_width(many, 300, 0.05, &plain_memory, &width), PA_OK);
	for (scale = 0, k = 0; k < 300; k++)
		scale += many[k].weight * many[k].weight * 1600;
	assert_at_most(1.9599 * sqrt(scale), width);
	assert_at_most(width, 2.05 * sqrt(scale));
	many[7].shape = PA_LAPLACE;
	assert_true(isinf(pa_smooth_width(many, 300, 0.05)));
	many[7] = (PaPart) {1, PA_GAUSSIAN, 0.5, 0};
	assert_true(isinf(pa_smooth_width(many, 300, 0.05)));
}

static void
parts_that_are_none(void **state)
{
	static const PaPart wrong[] = {
		{NAN, PA_LAPLACE, 1, 0}, {INFINITY, PA_LAPLACE, 1, 0}, {1, PA_LAPLACE, 0, 0}, {1, PA_LAPLACE, INFINITY, 0},
		{1, PA_LAPLACE, 1, -1}, {1, PA_LAPLACE, 1, NAN}
	};
	PaPart		good = {1, PA_LAPLACE, 1, 0};
	double		width = -7;
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(pa_width(&wrong[i], 1, 0.05, &plain_memory, &width), PA_INVALID);
	assert_int_equal(pa_width(&good, 1, 0, &plain_memory, &width), PA_INVALID);
	assert_int_equal(pa_width(&good, 1, 1, &plain_memory, &width), PA_INVALID);
	assert_true(width == -7);
}

/* Parts that occur many times are that many parts; those that never do are none. */
static void
many_of_a_kind(void **state)
{
	static const PaPart kind[] = {{0.5, PA_LAPLACE, 7, 0}, {-0.25, PA_GAUSSIAN, 9, 0}, {3, PA_LAPLACE, 2, 0}};
	static const double times[] = {4, 3, 0};
	PaPart		part[7];
	double		want;
	double		got;
	int			i;

	(void) state;
	for (i = 0; i < 7; i++)
		part[i] = kind[i < 4 ? 0 : 1];
	assert_int_equal(pa_width_bound(part, 7, 0.05, &want), PA_OK);
	assert_int_equal(pa_width_bound_of_many(kind, times, 3, 0.05, &got), PA_OK);
	assert_true(fabs(got - want) <= 1e-6 * want);
	assert_int_equal(pa_width_bound_of_many(kind, (double[]) {1, -1, 1}, 3, 0.05, &got), PA_INVALID);
	assert_int_equal(pa_width_bound_of_many((PaPart[]) {{1, PA_LAPLACE, 1, 1}}, times, 1, 0.05, &got), PA_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_are_exact),
		cmocka_unit_test(bounds_are_sound),
		cmocka_unit_test(bound_is_least),
		cmocka_unit_test(excess_widens),
		cmocka_unit_test(large_scales),
		cmocka_unit_test(wide_laws_are_split),
		cmocka_unit_test(gaussian_sums),
		cmocka_unit_test(parts_that_are_none),
		cmocka_unit_test(many_of_a_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
