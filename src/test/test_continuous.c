/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_continuous.c
 *		Continuous closed forms against quadrature, and the search behind them.
 */
#include <math.h>

#include "core/noise/continuous.h"
#include "core/noise/normal.h"
#include "core/optimize/bisect.h"
#include "source.h"
#include "unit.h"

#define CELLS 40000

static long double
density(bool gaussian, long double scale, long double x)
{
	x = fabsl(x) / scale;
	return gaussian ? expl(-x * x / 2) / (scale * sqrtl(2 * acosl(-1))) : expl(-x) / (2 * scale);
}

/* Simpson's rule on [low, high] for the part that counts towards delta */
static long double
simpson(bool gaussian, long double scale, long double shift, long double epsilon,
		long double low, long double high)
{
	long double step = (high - low) / CELLS;
	long double sum = 0;
	int			i;

	for (i = 0; i <= CELLS; i++)
	{
		long double x = low + i * step;
		long double gain = density(gaussian, scale, x) - expl(epsilon) * density(gaussian, scale, x - shift);

		sum += gain * (i == 0 || i == CELLS ? 1 : i % 2 ? 4 : 2);
	}
	return sum * step / 3;
}

/* The gain is positive up to one point; kinks (0 and the shift) are cut points. */
static long double
brute_profile(bool gaussian, long double scale, long double shift, long double epsilon)
{
	long double last = gaussian ? shift / 2 - scale * scale * epsilon / shift : (shift - scale * epsilon) / 2;
	long double first = (gaussian ? -14 : -60) * scale + fminl(last, 0);
	long double sum = 0;

	if (last > shift)
		return simpson(gaussian, scale, shift, epsilon, first, 0) +
			simpson(gaussian, scale, shift, epsilon, 0, shift) +
			simpson(gaussian, scale, shift, epsilon, shift, last);
	sum += simpson(gaussian, scale, shift, epsilon, first, fminl(last, 0));
	if (last > 0)
		sum += simpson(gaussian, scale, shift, epsilon, 0, last);
	return sum;
}

static void
profiles_are_integrals(void **state)
{
	uint64_t	seed = 12;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 60; i++)
	{
		double		scale = exp(uniform(&random, -2, 5));
		double		shift = scale * exp(uniform(&random, -3, 1.5));
		double		epsilon = uniform(&random, -0.95, 0.95) * shift / scale;

		assert_close(pa_laplace_profile(scale, shift, epsilon),
					 brute_profile(false, scale, shift, epsilon), 1e-9);
		epsilon *= 3;
		assert_close(pa_gaussian_profile(scale, shift, epsilon),
					 brute_profile(true, scale, shift, epsilon), 1e-8);
	}
	assert_true(pa_laplace_profile(2, 4, 2) == 0);
	assert_close(pa_laplace_profile(2, 4, -3), -expm1l(-3), 1e-15);
}

static void
scales_meet_their_goal(void **state)
{
	uint64_t	seed = 13;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 500; i++)
	{
		double		epsilon = exp(uniform(&random, log(1e-4), log(1e6)));
		double		delta = exp(uniform(&random, log(1e-14), log(0.9)));
		double		scale;

		assert_int_equal(pa_gaussian_sigma(epsilon, delta, 3, &scale), PA_OK);
		assert_at_most(pa_gaussian_profile(scale, 3, epsilon), delta * (1 + 1e-9));
		assert_at_most(delta, pa_gaussian_profile(scale * (1 - 1e-7), 3, epsilon) * (1 + 1e-9));
		assert_int_equal(pa_laplace_scale(epsilon, delta, 3, &scale), PA_OK);
		assert_close(pa_laplace_profile(scale, 3, epsilon), delta, 1e-8 + 1e-15 * epsilon / delta);
	}
}

/* Mills ratio against its integral, sum over x of exp(-zx - x^2/2) */
static void
mills_ratio_is_accurate(void **state)
{
	double		z;

	(void) state;
	for (z = 0; z < 60; z += 0.37)
	{
		long double high = fminl(14, 60 / (z + 1));
		long double step = high / CELLS;
		long double sum = 0;
		int			i;

		for (i = 0; i <= CELLS; i++)
			sum += expl(-i * step * (z + i * step / 2)) * (i == 0 || i == CELLS ? 1 : i % 2 ? 4 : 2);
		assert_close(pa_mills(z), sum * step / 3, 1e-13);
	}
	assert_close(pa_normal_tail(0), 0.5L, 1e-15);
	assert_close(pa_normal_tail(-1), 0.5L * erfcl(-sqrtl(0.5L)), 1e-14);
	assert_close(pa_normal_tail(30), 0.5L * erfcl(30 * sqrtl(0.5L)), 1e-12);
}

static void
arguments_out_of_range(void **state)
{
	double		scale = -7;

	(void) state;
	assert_true(isnan(pa_laplace_profile(0, 1, 1)));
	assert_true(isnan(pa_laplace_profile(1, -1, 1)));
	assert_true(isnan(pa_gaussian_profile(1, 1, NAN)));
	assert_true(isnan(pa_gaussian_profile(INFINITY, 1, 1)));
	assert_int_equal(pa_laplace_scale(0, 0, 1, &scale), PA_INVALID);
	assert_int_equal(pa_laplace_scale(1, 1, 1, &scale), PA_INVALID);
	assert_int_equal(pa_laplace_scale(1, 0, 0, &scale), PA_INVALID);
	assert_int_equal(pa_gaussian_sigma(1, 0, 1, &scale), PA_INVALID);
	assert_int_equal(pa_gaussian_sigma(NAN, 0.1, 1, &scale), PA_INVALID);
	assert_int_equal(pa_gaussian_sigma(1, 0.1, INFINITY, &scale), PA_INVALID);
	assert_true(scale == -7);
}

static bool
at_least(void *context, double x)
{
	return x >= *(double *) context;
}

static void
bisection_ends_on_the_safe_side(void **state)
{
	static const double goals[] = {1e-80, 1e-9, 1, 1 + 1e-15, 3.7, 1e12, 1e80};
	static const double guesses[] = {1e-60, 1, 1e60};
	double		never = INFINITY;
	double		x;
	size_t		g;
	size_t		s;

	(void) state;
	for (g = 0; g < sizeof(goals) / sizeof(goals[0]); g++)
		for (s = 0; s < 3; s++)
		{
			double		goal = goals[g];

			assert_true(pa_bisect(at_least, &goal, guesses[s], &x));
			assert_true(x >= goal && x <= goal * (1 + 2e-14));
		}
	assert_false(pa_bisect(at_least, &never, 1, &x));
	never = 0;
	assert_false(pa_bisect(at_least, &never, 1, &x));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiles_are_integrals),
		cmocka_unit_test(scales_meet_their_goal),
		cmocka_unit_test(mills_ratio_is_accurate),
		cmocka_unit_test(arguments_out_of_range),
		cmocka_unit_test(bisection_ends_on_the_safe_side),
	};

	return cmocka_run_group_tests_name("continuous", tests, NULL, NULL);
}
