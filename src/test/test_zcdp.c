/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_zcdp.c
 *		Conversions against an independent minimisation and known numbers.
 */
#include <math.h>

#include "core/accounting/zcdp.h"
#include "core/noise/kernel.h"
#include "source.h"
#include "unit.h"

/* ln of the bound of Corollary 13 at order 1 + a, in long double */
static long double
log_bound(long double rho, long double epsilon, long double a)
{
	return a * ((1 + a) * rho - epsilon) - a * log1pl(1 / a) - log1pl(a);
}

/* Golden section in ln(alpha - 1) */
static long double
brute_delta(long double rho, long double epsilon)
{
	long double ratio = (sqrtl(5) - 1) / 2;
	long double low = -40;
	long double high = 40;
	int			i;

	for (i = 0; i < 300; i++)
	{
		long double left = high - ratio * (high - low);
		long double right = low + ratio * (high - low);

		if (log_bound(rho, epsilon, expl(left)) < log_bound(rho, epsilon, expl(right)))
			high = right;
		else
			low = left;
	}
	return fminl(1, expl(log_bound(rho, epsilon, expl((low + high) / 2))));
}

static void
delta_is_the_minimum(void **state)
{
	uint64_t	seed = 7;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 3000; i++)
	{
		double		rho = exp(uniform(&random, log(1e-6), log(20)));
		double		epsilon = uniform(&random, -1, 3) * (rho + 3 * sqrt(rho));
		long double exact = brute_delta(rho, epsilon);

		if (exact < 1e-290L)
			continue;
		assert_at_most(exact * (1 - 1e-14L), pa_zcdp_delta(rho, epsilon));
		assert_at_most(pa_zcdp_delta(rho, epsilon), exact * (1 + 1e-10L));
	}
}

static void
epsilon_and_rho_invert_delta(void **state)
{
	uint64_t	seed = 8;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 400; i++)
	{
		double		delta = exp(uniform(&random, log(1e-15), log(0.3)));
		double		epsilon = exp(uniform(&random, log(1e-6), log(1e4)));
		double		rho;

		assert_int_equal(pa_zcdp_rho(epsilon, delta, &rho), PA_OK);
		assert_at_most(brute_delta(rho, epsilon), delta * (1 + 1e-14L));
		assert_at_most(delta, brute_delta(rho * (1 + 1e-9L), epsilon));
		/* never worse than the simple conversion */
		assert_at_most(epsilon, (rho + 2 * sqrt(rho * -log(delta))) * (1 + 1e-9));

		assert_at_most(pa_zcdp_epsilon(rho, delta), epsilon * (1 + 1e-9));
		assert_at_most(epsilon, pa_zcdp_epsilon(rho, delta) * (1 + 1e-9));
		assert_at_most(brute_delta(rho, pa_zcdp_epsilon(rho, delta)), delta * (1 + 1e-14L));
	}
}

/*
 * 100 Gaussian releases with sigma = 20 and 100 Laplace releases with b = 20,
 * sensitivity 1, at delta = 1e-6: moments accounting gives 3.5050, with the
 * exact moments of each at every order.  A zCDP sum charges the Laplace part
 * at the order where it is worst: it must not be below that, nor far above.
 */
static void
known_composition(void **state)
{
	PaKernel	gaussian = {.kind = PA_KERNEL_GAUSSIAN, .numerator = 20};
	PaKernel	laplace = {.kind = PA_KERNEL_LAPLACE, .numerator = 20};
	double		rho = 100 * pa_kernel_rho(&gaussian, 1) + 100 * pa_kernel_rho(&laplace, 1);
	double		epsilon = pa_zcdp_epsilon(rho, 1e-6);

	(void) state;
	assert_at_most(3.5049, epsilon);
	assert_at_most(epsilon, 3.5430);
}

/*
 * A thousand Gaussian releases are again one Gaussian, whose exact epsilon at
 * delta 1e-5 is 4.5216: zCDP must not be below, and is within a tenth.
 */
static void
gaussian_is_close_to_exact(void **state)
{
	double		rho = 1000 / (2 * 30.749566131977332 * 30.749566131977332);

	(void) state;
	assert_at_most(4.5215, pa_zcdp_epsilon(rho, 1e-5));
	assert_at_most(pa_zcdp_epsilon(rho, 1e-5), 4.5216 * 1.1);
}

static void
ends_of_the_range(void **state)
{
	double		rho = -1;

	(void) state;
	assert_true(pa_zcdp_delta(0, 1) == 0);
	assert_true(pa_zcdp_delta(0, 0) == 0);
	assert_close(pa_zcdp_delta(0, -1), -expm1l(-1), 1e-14);
	assert_true(pa_zcdp_delta(1e9, 1) == 1);
	assert_true(pa_zcdp_delta(NAN, 1) == 1);
	assert_true(pa_zcdp_delta(-1, 1) == 1);
	assert_true(pa_zcdp_delta(INFINITY, 1) == 1);
	assert_true(pa_zcdp_delta(1, NAN) == 1);
	assert_true(pa_zcdp_epsilon(0, 0.5) == 0);
	assert_true(pa_zcdp_epsilon(1, 0) == INFINITY);
	assert_true(pa_zcdp_epsilon(1, NAN) == INFINITY);
	assert_true(pa_zcdp_epsilon(-1, 0.5) == INFINITY);
	assert_true(pa_zcdp_epsilon(1e-5, 0.9) == 0);
	assert_int_equal(pa_zcdp_rho(0, 0.1, &rho), PA_INVALID);
	assert_int_equal(pa_zcdp_rho(INFINITY, 0.1, &rho), PA_INVALID);
	assert_int_equal(pa_zcdp_rho(1, 0, &rho), PA_INVALID);
	assert_int_equal(pa_zcdp_rho(1, 1, &rho), PA_INVALID);
	assert_true(rho == -1);
	assert_int_equal(pa_zcdp_rho(1e-9, 1e-12, &rho), PA_OK);
	assert_at_most(brute_delta(rho, 1e-9L), 1e-12L * (1 + 1e-12L));
	assert_int_equal(pa_zcdp_rho(1e6, 1e-12, &rho), PA_OK);
	assert_at_most(9e5, rho);
	assert_at_most(rho, 1e6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delta_is_the_minimum),
		cmocka_unit_test(epsilon_and_rho_invert_delta),
		cmocka_unit_test(known_composition),
		cmocka_unit_test(gaussian_is_close_to_exact),
		cmocka_unit_test(ends_of_the_range),
	};

	return cmocka_run_group_tests_name("zcdp", tests, NULL, NULL);
}
