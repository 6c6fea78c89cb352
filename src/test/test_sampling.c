/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_sampling.c
 *		Amplification against sums over the mixture, and what follows from it.
 */
#include <math.h>
#include <stdint.h>

#include "core/accounting/sampling.h"
#include "core/noise/continuous.h"
#include "source.h"
#include "unit.h"

/* Discrete Laplace or Gaussian, from its definition */
static long double
weight(PaShape shape, double scale, long k)
{
	long double x = fabsl((long double) k) / scale;

	return shape == PA_LAPLACE ? expl(-x) : expl(-x * x / 2);
}

/* H(P' || Q) or H(Q || P') for P' = (1 - rate) Q + rate P, as a sum */
static long double
mixture_delta(PaShape shape, double scale, long shift, double rate, long double epsilon, bool add)
{
	long		reach = (long) (60 * scale) + 40 + shift;
	long double total = 0;
	long double sum = 0;
	long		k;

	for (k = -reach; k <= reach; k++)
		total += weight(shape, scale, k);
	for (k = -reach; k <= reach; k++)
	{
		long double q = weight(shape, scale, k);
		long double sampled = (1 - (long double) rate) * q + rate * weight(shape, scale, k - shift);

		sum += fmaxl(0, add ? q - expl(epsilon) * sampled : sampled - expl(epsilon) * q);
	}
	return sum / total;
}

static void
profiles_are_those_of_the_mixture(void **state)
{
	uint64_t	seed = 21;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 1000; i++)
	{
		PaShape		shape = i % 2 == 0 ? PA_LAPLACE : PA_GAUSSIAN;
		double		scale = exp(uniform(&random, log(0.7), log(12)));
		long		shift = 1 + (long) (pa_random_u64(&random) % 5);
		double		rate = i % 10 == 0 ? 1.0 : uniform(&random, 0.001, 1);
		double		epsilon = uniform(&random, -0.5, 1.5) * shift / scale;
		long double remove = mixture_delta(shape, scale, shift, rate, epsilon, false);
		long double add = mixture_delta(shape, scale, shift, rate, epsilon, true);
		PaSampledDelta got;
		PaLaw		law;

		assert_int_equal(pa_law_plain(shape, PA_LATTICE, scale, &law), PA_OK);
		got = pa_sampled_delta(&law, (double) shift, rate, epsilon);
		assert_at_most(remove * (1 - 1e-12L) - 1e-18L, got.remove);
		assert_at_most(add * (1 - 1e-12L) - 1e-18L, got.add);
		assert_at_most(got.remove, remove * (1 + 1e-6L) + 1e-11L);
		assert_at_most(got.add, add * (1 + 1e-6L) + 1e-11L);
	}
}

static void
published_profiles(void **state)
{
	PaLaw		law;
	PaSampledDelta got;

	(void) state;
	assert_int_equal(pa_law_plain(PA_LAPLACE, PA_LINE, 1.63859, &law), PA_OK);
	got = pa_sampled_delta(&law, 1, 0.01, 0.0915986);
	assert_at_most(got.remove, 1e-16);
	assert_at_most(got.add, 1e-16);
	assert_int_equal(pa_law_recycled(PA_GAUSSIAN, PA_LINE, 4.38403, 1.27106, 1 - 0.8, &law), PA_OK);
	got = pa_sampled_delta(&law, 1, 0.01, 0.081403);
	assert_close(got.remove, 1.115969547648798e-26, 1e-7);
	assert_at_most(1.115969547648798e-26 * (1 - 1e-9), got.remove);
	assert_at_most(got.add, 1e-16);
}

/* The amplified cost covers the mixture, in both directions, and inner undoes it. */
static void
amplified_costs_hold(void **state)
{
	uint64_t	seed = 22;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 500; i++)
	{
		double		rate = uniform(&random, 0.001, 1);
		double		epsilon = exp(uniform(&random, log(1e-6), log(100)));
		double		delta = exp(uniform(&random, log(1e-12), log(0.5)));
		double		out[2];
		double		back[2];
		PaSampledDelta got;
		PaLaw		law;

		assert_int_equal(pa_law_response(epsilon, delta, &law), PA_OK);
		assert_int_equal(pa_sampling_amplify(rate, epsilon, delta, &out[0], &out[1]), PA_OK);
		assert_at_most(out[0], epsilon);
		assert_at_most(rate * delta, out[1]);
		assert_close(out[0], log1pl(rate * expm1l(epsilon)), 1e-13);
		assert_at_most(log1pl(rate * expm1l(epsilon)), out[0]);
		got = pa_sampled_delta(&law, 1, rate, out[0] * (1 + 1e-9));
		assert_at_most(got.remove, out[1] * (1 + 1e-7) + 1e-11);
		assert_at_most(got.add, out[1] * (1 + 1e-7) + 1e-11);
		assert_int_equal(pa_sampling_inner(rate, out[0], out[1], &back[0], &back[1]), PA_OK);
		assert_close(back[0], epsilon, 1e-9);
		assert_close(back[1], delta, 1e-12);
		assert_int_equal(pa_sampling_inner(rate, epsilon, delta, &back[0], &back[1]), PA_OK);
		assert_int_equal(pa_sampling_amplify(rate, back[0], back[1], &out[0], &out[1]), PA_OK);
		assert_at_most(out[0], epsilon * (1 + 1e-13));
		assert_at_most(out[1], delta * (1 + 1e-13));
	}
}

/* Renyi divergence of order 1 + a of the sampled randomised response, each direction */
static long double
response_renyi(long double epsilon, long double rate, bool add, long double a)
{
	long double p[2] = {1 / (1 + expl(-epsilon)), 1 / (1 + expl(epsilon))};
	long double sum = 0;
	int			i;

	for (i = 0; i < 2; i++)
	{
		long double q = p[1 - i];
		long double sampled = (1 - rate) * q + rate * p[i];

		sum += add ? q * powl(q / sampled, a) : sampled * powl(sampled / q, a);
	}
	return logl(sum) / a;
}

static void
rho_covers_every_order(void **state)
{
	double		epsilon;
	double		rate;

	(void) state;
	for (epsilon = 0.01; epsilon < 20; epsilon *= 1.7)
		for (rate = 0.01; rate <= 1; rate *= 1.5)
		{
			double		rho = pa_sampling_rho(rate, epsilon, INFINITY);
			long double a;

			for (a = 1e-4L; a < 50; a *= 1.3L)
			{
				assert_at_most(response_renyi(epsilon, rate, false, a) / (1 + a), rho * (1 + 1e-9));
				assert_at_most(response_renyi(epsilon, rate, true, a) / (1 + a), rho * (1 + 1e-9));
			}
			assert_at_most(rho, 0.5 * epsilon * epsilon * (1 + 1e-12));
		}
	assert_true(pa_sampling_rho(0.5, 1, 1e-3) == 1e-3);
	assert_true(pa_sampling_rho(0.5, INFINITY, 0.25) == 0.25);
	assert_true(pa_sampling_rho(0.5, INFINITY, INFINITY) == INFINITY);
	assert_close(pa_sampling_rho(1, 1, INFINITY), tanh(0.5), 1e-14);
	assert_true(pa_sampling_rho(0, 1, 1) == INFINITY);
	assert_true(pa_sampling_rho(0.5, NAN, 1) == INFINITY);
}

static void
errors_add_up(void **state)
{
	(void) state;
	assert_close(pa_sampling_error(0.5, 3, 16, 0), 6, 1e-14);
	assert_close(pa_sampling_error(0.5, 3, 64, 1), 10, 1e-14);
	assert_close(pa_sampling_error(0.2, 0, 9, 2), 12, 1e-14);
	assert_close(pa_sampling_error(1, 7, 1e9, 2), 7, 1e-14);
}

/* The search looks at all rates, and finds that none is better than 1. */
static void
sampling_does_not_pay(void **state)
{
	static const double deltas[] = {0, 1e-10, 1e-6, 1e-3};
	static const double owners[] = {0, 1, 1000, 1e7};
	double		epsilon;
	size_t		i;
	size_t		j;

	(void) state;
	for (epsilon = 1e-3; epsilon < 31; epsilon *= 5.5)
		for (i = 0; i < 4; i++)
			for (j = 0; j < 4; j++)
			{
				double		rate = -1;
				double		error = -1;
				double		without = -1;
				double		sigma = sqrt(2) * 3 / epsilon;

				assert_int_equal(pa_sampling_best_rate(epsilon, deltas[i], 3, owners[j], &rate, &error, &without), PA_OK);
				assert_true(rate == 1);
				assert_true(error == without);
				if (deltas[i] > 0)
					assert_int_equal(pa_gaussian_sigma(epsilon, deltas[i], 3, &sigma), PA_OK);
				assert_close(error, sigma, 1e-13);
			}
}

static void
invalid_arguments(void **state)
{
	double		a = -1;
	double		b = -1;
	double		c = -1;

	(void) state;
	assert_int_equal(pa_sampling_amplify(0, 1, 0, &a, &b), PA_INVALID);
	assert_int_equal(pa_sampling_amplify(1.1, 1, 0, &a, &b), PA_INVALID);
	assert_int_equal(pa_sampling_amplify(0.5, -1, 0, &a, &b), PA_INVALID);
	assert_int_equal(pa_sampling_amplify(0.5, 1, 2, &a, &b), PA_INVALID);
	assert_int_equal(pa_sampling_inner(NAN, 1, 0, &a, &b), PA_INVALID);
	assert_int_equal(pa_sampling_inner(0.5, INFINITY, 0, &a, &b), PA_INVALID);
	assert_int_equal(pa_sampling_best_rate(0, 0.1, 1, 1, &a, &b, &c), PA_INVALID);
	assert_int_equal(pa_sampling_best_rate(1, 1, 1, 1, &a, &b, &c), PA_INVALID);
	assert_int_equal(pa_sampling_best_rate(1, 0.1, 0, 1, &a, &b, &c), PA_INVALID);
	assert_int_equal(pa_sampling_best_rate(1, 0.1, 1, -1, &a, &b, &c), PA_INVALID);
	assert_true(a == -1 && b == -1 && c == -1);
	assert_int_equal(pa_sampling_amplify(1, 0.7, 0.1, &a, &b), PA_OK);
	assert_true(a == 0.7 && b == 0.1);
	assert_int_equal(pa_sampling_amplify(0.25, 1000, 0.1, &a, &b), PA_OK);
	assert_close(a, 1000 + log(0.25), 1e-12);
	assert_int_equal(pa_sampling_inner(1e-308, 10, 0, &a, &b), PA_OK);
	assert_close(a, log(expm1(10)) - log(1e-308), 1e-12);
	assert_int_equal(pa_sampling_inner(1e-310, 40, 0, &a, &b), PA_OK);
	assert_close(a, 40 - log(1e-310), 1e-12);
	assert_int_equal(pa_sampling_amplify(1e-200, 1, 1e-200, &a, &b), PA_OK);
	assert_true(b > 0);
	assert_int_equal(pa_sampling_inner(0.25, 1000, 0.1, &a, &b), PA_OK);
	assert_close(a, 1000 - log(0.25), 1e-12);
	assert_close(b, 0.4, 1e-12);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiles_are_those_of_the_mixture),
		cmocka_unit_test(published_profiles),
		cmocka_unit_test(amplified_costs_hold),
		cmocka_unit_test(rho_covers_every_order),
		cmocka_unit_test(errors_add_up),
		cmocka_unit_test(sampling_does_not_pay),
		cmocka_unit_test(invalid_arguments),
	};

	return cmocka_run_group_tests_name("sampling", tests, NULL, NULL);
}
