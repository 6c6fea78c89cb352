/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_exponential.c
 *		The table of whole weights, and what a draw from it costs.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/noise/exponential.h"
#include "source.h"
#include "unit.h"

typedef struct Setting
{
	double		epsilon;
	int64_t		steps;			/* 0: the default */
} Setting;

static const Setting settings[] = {
	{1, 0}, {1, 1}, {0.3, 1}, {0.3, 7}, {2, 1}, {4, 0}, {20, 0}, {20, 11}, {1.0 / 128, 0}, {0.01, 0}, {1e-4, 0},
	{1e-6, 0}, {0x1p-40, 0}, {0x1p-40, 1 << 24}, {100, 0}, {1e5, 0}
};

static PaExponential
make(const Setting *setting)
{
	PaExponential mechanism;

	assert_int_equal(pa_exponential_make(setting->epsilon, setting->steps ? setting->steps : pa_exponential_steps(setting->epsilon), 1,
										 &plain_memory, &mechanism), PA_OK);
	return mechanism;
}

/* What the proof needs: the weights of any losses that are 2 steps apart differ by a factor of at most e^epsilon. */
static void
weights_fall_slowly(void **state)
{
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
	{
		PaExponential mechanism = make(&settings[i]);
		int64_t		apart;
		int32_t		k;

		assert_true(mechanism.weight[0] == UINT64_C(1) << 62);
		for (k = 0; k + 1 < mechanism.entries; k++)
			assert_true(mechanism.weight[k + 1] < mechanism.weight[k] && mechanism.weight[k + 1] > 0);
		for (apart = 1; apart <= 2 * mechanism.steps; apart = apart < 4 ? apart + 1 : 2 * apart)
			for (k = 0; k + apart < mechanism.entries; k++)
				assert_at_most(logl((long double) mechanism.weight[k] / (long double) mechanism.weight[k + apart]),
							   (long double) apart * mechanism.epsilon / (2 * (long double) mechanism.steps));
		for (k = 0; k + 2 * mechanism.steps < mechanism.entries; k++)
			assert_at_most(logl((long double) mechanism.weight[k] / (long double) mechanism.weight[k + 2 * mechanism.steps]),
						   mechanism.epsilon);
		pa_exponential_free(&mechanism, &plain_memory);
	}
}

/* The next one would be the same, or there is no more room: how the rest is weighed is then no fall at all. */
static void
the_tail_begins_where_weights_stall(void **state)
{
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
	{
		PaExponential mechanism = make(&settings[i]);
		double		scale = 2 * (double) mechanism.steps / mechanism.epsilon;
		double		stall = 1 / -expm1(-1 / scale); /* less than one is lost of a weight below it */

		assert_true(mechanism.entries <= PA_EXPONENTIAL_ENTRIES);
		assert_true(mechanism.entries <= 1 + 44 * scale);
		if (mechanism.entries < PA_EXPONENTIAL_ENTRIES && mechanism.entries > 1)
			assert_in_range(mechanism.weight[mechanism.entries - 1], stall < 2 ? 1 : stall * 0.99 - 1, stall * 1.01 + 1);
		pa_exponential_free(&mechanism, &plain_memory);
	}
}

/* Far above the tail the law is the ideal one. */
static void
weights_are_those_of_the_mechanism(void **state)
{
	PaExponential mechanism = make(&(Setting) {0.7, 0});
	int32_t		k;

	(void) state;
	assert_int_equal(mechanism.steps, 90);
	for (k = 0; k < mechanism.entries / 2; k++)
		assert_close(mechanism.weight[k], ldexpl(expl(-0.7L * k / 180), 62), 1e-8L);
	pa_exponential_free(&mechanism, &plain_memory);
}

static void *
nothing(void *context, size_t size)
{
	(void) context;
	(void) size;
	return NULL;
}

static void
bad_settings_are_refused(void **state)
{
	static const Setting bad[] = {{0, 1}, {-1, 1}, {NAN, 1}, {INFINITY, 1}, {1e6, 1 << 24}, {0x1p-41, 1},
	{1, -1}, {1, INT64_C(1) << 25}, {2.1, 1}};
	PaEnvironment poor = plain_memory;
	PaExponential mechanism;
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(pa_exponential_make(bad[i].epsilon, bad[i].steps, 1, &plain_memory, &mechanism), PA_INVALID);
	assert_int_equal(pa_exponential_make(1, 1, 0, &plain_memory, &mechanism), PA_INVALID);
	assert_int_equal(pa_exponential_make(1, 1, PA_EXPONENTIAL_DRAWS + 1, &plain_memory, &mechanism), PA_INVALID);
	poor.allocate = nothing;
	assert_int_equal(pa_exponential_make(1, 1, 1, &poor, &mechanism), PA_NO_MEMORY);
}

static void
reach_is_the_first_that_is_rare(void **state)
{
	PaExponential mechanism = make(&(Setting) {1, 0});
	int32_t		units;

	(void) state;
	assert_int_equal(pa_exponential_reach(&mechanism, 1000, 0.05, &units), PA_OK);
	assert_true((double) mechanism.weight[units] * 1000 <= 0.05 * 0x1p62);
	assert_true((double) mechanism.weight[units - 1] * 1000 > 0.05 * 0x1p62);
	assert_close(units, 256 * log(1000 / 0.05), 0.001);
	assert_int_equal(pa_exponential_reach(&mechanism, 1e18, 0.05, &units), PA_NO_SOLUTION);
	assert_int_equal(pa_exponential_reach(&mechanism, 0.5, 0.05, &units), PA_INVALID);
	assert_int_equal(pa_exponential_reach(&mechanism, NAN, 0.05, &units), PA_INVALID);
	assert_int_equal(pa_exponential_reach(&mechanism, 10, 0, &units), PA_INVALID);
	assert_int_equal(pa_exponential_reach(&mechanism, 10, 1, &units), PA_INVALID);
	pa_exponential_free(&mechanism, &plain_memory);
}

/* (ln E_Q (P/Q)^a)/(a (a - 1)), which zCDP bounds, of the two points with ln P/Q = t and t - epsilon */
static long double
renyi_over_order(long double epsilon, long double t, long double a)
{
	long double q = -expm1l(t - epsilon) / (expl(t) - expl(t - epsilon));

	return logl(q * expl(a * t) + (1 - q) * expl(a * (t - epsilon))) / (a * (a - 1));
}

/* No order and no pair of two points is above epsilon^2/8, and what is attained is near order 1. */
static void
rho_is_a_bound_for_all_orders(void **state)
{
	static const double epsilons[] = {0.1, 0.5, 1, 2, 4, 10};
	size_t		i;
	int			step;
	int			order;

	(void) state;
	for (i = 0; i < sizeof(epsilons) / sizeof(epsilons[0]); i++)
	{
		long double largest = 0;

		for (step = 1; step < 400; step++)
			for (order = 1; order < 60; order++)
			{
				long double a = 1 + 1e-4L * powl(1.25L, order);

				largest = fmaxl(largest, renyi_over_order(epsilons[i], epsilons[i] * step / 400.0L, a));
			}
		assert_at_most(largest, pa_exponential_rho(epsilons[i]));
		assert_close(largest, pa_exponential_rho_attained(epsilons[i]), 1e-3L);
		assert_at_most(largest, (long double) pa_exponential_rho_attained(epsilons[i]) * (1 + 1e-9L));
	}
	assert_close(pa_exponential_rho_attained(1), 0.1233, 1e-3L);
	assert_close(pa_exponential_rho_attained(4), 1.670, 1e-3L);
	assert_close(pa_exponential_rho_attained(0.02), pa_exponential_rho_attained(0.0199999999), 1e-7L);
	assert_true(pa_exponential_rho_attained(0) == 0);
	assert_true(isfinite(pa_exponential_rho_attained(1e5)));
}

static void
epsilon_of_rho_is_the_largest(void **state)
{
	double		rho;

	(void) state;
	for (rho = 1e-9; rho < 100; rho *= 1.7)
	{
		double		epsilon = pa_exponential_epsilon(rho);

		assert_true(pa_exponential_rho(epsilon) <= rho);
		assert_close(epsilon, rho < 8 ? sqrt(8 * rho) : rho, 1e-14L);
		assert_true(pa_exponential_rho(epsilon * (1 + 1e-14)) > rho);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_fall_slowly),
		cmocka_unit_test(the_tail_begins_where_weights_stall),
		cmocka_unit_test(weights_are_those_of_the_mechanism),
		cmocka_unit_test(bad_settings_are_refused),
		cmocka_unit_test(reach_is_the_first_that_is_rare),
		cmocka_unit_test(rho_is_a_bound_for_all_orders),
		cmocka_unit_test(epsilon_of_rho_is_the_largest),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
