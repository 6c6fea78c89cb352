/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_least.c
 *		The least decimal whose error is small enough, against all of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/refine/least.h"

#include "unit.h"

static double
inverse(void *context, double epsilon)
{
	return *(double *) context / epsilon;
}

static void
least_decimal_is_found(void **state)
{
	static const double targets[] = {1, 2.996, 3, 299.6, 1e-4, 4.7e5, 123456};
	double		one = 1;

	(void) state;
	for (int i = 0; i < (int) (sizeof(targets) / sizeof(*targets)); i++)
	{
		double		least = pa_least_epsilon(inverse, &one, targets[i]);
		double		unit = pow(10, floor(log10(least) + 1e-12) - 3);
		double		before = least - (lround(least / unit) == 1000 ? unit / 10 : unit);
		char		text[32];

		assert_true(one / least <= targets[i]);
		assert_true(one / before * (1 + 1e-12) > targets[i]);
		snprintf(text, sizeof(text), "%.4g", least);
		assert_true(strtod(text, NULL) == least);
	}
}

static void
ends_are_reached(void **state)
{
	double		one = 1;

	(void) state;
	assert_true(pa_least_epsilon(inverse, &one, 1e9) == 1e-6);
	assert_true(pa_least_epsilon(inverse, &one, 1e-5) == 1e5);
	assert_true(pa_least_epsilon(inverse, &one, 0.99e-5) == 0);
}

/* Below 0.5 there is no noise at all. */
static double
none_below(void *context, double epsilon)
{
	return epsilon < 0.5 ? -1 : inverse(context, epsilon);
}

static void
epsilons_without_an_error_are_left_out(void **state)
{
	double		one = 1;

	(void) state;
	assert_true(pa_least_epsilon(none_below, &one, 100) == 0.5);
	assert_true(pa_least_epsilon(none_below, &one, 0.5) == 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(least_decimal_is_found),
		cmocka_unit_test(ends_are_reached),
		cmocka_unit_test(epsilons_without_an_error_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
