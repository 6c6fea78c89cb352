/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_delay.c
 *		The law of delays, by enumeration.
 */
#include <math.h>
#include <stdlib.h>

#include "core/noise/delay.h"
#include "source.h"
#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int64_t step_counts[] = {1, 2, 3, 7, 30};
static const double epsilons[] = {0.01, 0.1, 0.5, 1, 4};
static const double deltas[] = {1e-2, 1e-4, 1e-7, 1e-12};

/* Pr[N = k] by itself: exp(-|k|/b) for |k| <= reach, b the kernel's fraction */
static long double *
exact_law(const PaDelayLaw *law)
{
	long double *mass = calloc((size_t) (2 * law->reach + 1), sizeof(long double));
	long double scale = law->kernel.numerator / powl(2, law->kernel.shift);
	long double total = 0;
	int64_t		k;

	assert_non_null(mass);
	for (k = -law->reach; k <= law->reach; k++)
		total += mass[k + law->reach] = expl(-fabsl((long double) k) / scale);
	for (k = 0; k <= 2 * law->reach; k++)
		mass[k] /= total;
	return mass;
}

/* The hockey-stick divergence of the delay from itself some steps later (or earlier) */
static long double
exact_delta(const PaDelayLaw *law, const long double *mass, int64_t shift, long double epsilon)
{
	int64_t		last = 2 * law->reach,
				k;
	long double sum = 0;

	for (k = 0; k <= last; k++)
	{
		long double other = k - shift >= 0 && k - shift <= last ? mass[k - shift] : 0;

		sum += fmaxl(0, mass[k] - expl(epsilon) * other);
	}
	return sum;
}

/* Every smaller difference, either way, is within what was asked for; the reach is the least. */
static void
check_law(int64_t steps, double epsilon, double delta)
{
	PaDelayLaw	law,
				shorter;
	long double *mass;
	int64_t		shift;

	assert_int_equal(pa_delay_make(steps, epsilon, delta, &law), PA_OK);
	mass = exact_law(&law);
	assert_at_most(law.delta, delta);
	for (shift = -steps; shift <= steps; shift++)
	{
		long double exact = exact_delta(&law, mass, shift, epsilon);

		assert_at_most(exact * (1 - 1e-15L), pa_delay_delta(&law, llabs(shift)));
		assert_at_most(exact, law.delta * (1 + 1e-15L));
	}
	assert_at_most(law.delta, exact_delta(&law, mass, steps, epsilon) * 1.0000001L);
	shorter = law;
	shorter.reach--;
	assert_true(law.reach == 1 || pa_delay_delta(&shorter, steps) > delta ||
				pa_kernel_acceptance(&law.kernel, shorter.reach) < 0.5);
	for (shift = -2; shift <= 2 * law.reach + 2; shift += 1 + law.reach / 50)
		assert_close(pa_delay_pmf(&law, shift), shift < 0 || shift > 2 * law.reach ? 0 : mass[shift], 1e-9L);
	free(mass);
}

static void
enumeration_agrees(void **state)
{
	size_t		i,
				j,
				k;

	(void) state;
	for (i = 0; i < COUNT(step_counts); i++)
		for (j = 0; j < COUNT(epsilons); j++)
			for (k = 0; k < COUNT(deltas); k++)
				check_law(step_counts[i], epsilons[j], deltas[k]);
}

/* Chi square against the enumeration, and nothing beyond the ends. */
static void
draws_follow_the_law(void **state)
{
	PaDelayLaw	law;
	long double *mass;
	double	   *seen,
			   *expected;
	PaRandom	random;
	long		draws = draws_wanted() / 4,
				i;

	(void) state;
	/* so short that many draws lie beyond */
	assert_int_equal(pa_delay_make(1, 0.1, 0.01, &law), PA_OK);
	mass = exact_law(&law);
	seen = calloc((size_t) (2 * law.reach + 1), sizeof(double));
	expected = calloc((size_t) (2 * law.reach + 1), sizeof(double));
	assert_non_null(seen);
	assert_non_null(expected);
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < draws; i++)
	{
		int64_t		delay;

		assert_int_equal(pa_delay_sample(&law, &random, &delay), PA_OK);
		assert_true(delay >= 0 && delay <= 2 * law.reach);
		seen[delay]++;
	}
	for (i = 0; i <= 2 * law.reach; i++)
		expected[i] = (double) (draws * mass[i]);
	assert_true(chi_square_p(seen, expected, (int) (2 * law.reach + 1)) > FALSE_ALARM);
	free(mass);
	free(seen);
	free(expected);
}

static void
stuck_sources_end(void **state)
{
	PaDelayLaw	law;
	int			byte;

	(void) state;
	assert_int_equal(pa_delay_make(1, 0.1, 0.01, &law), PA_OK);
	law.reach = 0;				/* all but few draws lie beyond */
	for (byte = 0; byte < 256; byte++)
	{
		unsigned char repeated = (unsigned char) byte;
		PaRandom	random;
		int64_t		delay;
		PaStatus	status;

		pa_random_init(&random, source_stuck, &repeated);
		status = pa_delay_sample(&law, &random, &delay);
		assert_true(status == PA_NO_RANDOMNESS || (status == PA_OK && delay == 0));
	}
}

static void
ends_of_the_range(void **state)
{
	PaDelayLaw	law;

	(void) state;
	assert_int_equal(pa_delay_make(0, 0.1, 1e-9, &law), PA_INVALID);
	assert_int_equal(pa_delay_make(1, 0, 1e-9, &law), PA_INVALID);
	assert_int_equal(pa_delay_make(1, NAN, 1e-9, &law), PA_INVALID);
	assert_int_equal(pa_delay_make(1, 0.1, 0, &law), PA_INVALID);
	assert_int_equal(pa_delay_make(1, 0.1, 0.5, &law), PA_INVALID);
	assert_int_equal(pa_delay_make(INT64_C(1) << 50, 1, 1e-9, &law), PA_OUT_OF_RANGE);
	assert_int_equal(pa_delay_make(INT64_C(1) << 30, 1e-6, 1e-9, &law), PA_OUT_OF_RANGE);
	assert_int_equal(pa_delay_make(1, 1e-6, 1e-29, &law), PA_OK);
	assert_at_most(law.delta, 1e-29);
	/* what would be drawn once in a million times is drawn often enough */
	assert_int_equal(pa_delay_make(1, 1e-6, 0.01, &law), PA_OK);
	assert_at_most(0.5, pa_kernel_acceptance(&law.kernel, law.reach));
	assert_int_equal(pa_delay_make(1, 1e6, 1e-9, &law), PA_OK);
	assert_at_most(law.delta, 1e-9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enumeration_agrees),
		cmocka_unit_test(draws_follow_the_law),
		cmocka_unit_test(stuck_sources_end),
		cmocka_unit_test(ends_of_the_range),
	};

	return cmocka_run_group_tests_name("delay", tests, NULL, NULL);
}
