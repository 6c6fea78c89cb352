/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_bayes_pac.c
 *		From robustness to privacy: the laws that are worst, added up.
 */
#include <math.h>

#include "core/bayes/pac.h"
#include "source.h"
#include "unit.h"

/* Density of Laplace noise around a centre. */
static long double
laplace(long double x, long double scale)
{
	return expl(-fabsl(x) / scale) / (2 * scale);
}

/*
 * Two inputs whose estimates lie at either end of the interval but for gamma, where they are anywhere: the
 * delta of the noised estimates, by a sum over a fine grid.
 */
static long double
delta_of(long double alpha, long double gamma, long double scale, long double epsilon, long double astray)
{
	long double step = scale / 400;
	long double sum = 0;
	long double x;

	for (x = -60 * scale - 20 * alpha; x < 60 * scale + 20 * alpha; x += step)
	{
		long double p = (1 - gamma) * laplace(x - alpha, scale) + gamma * laplace(x - astray, scale);
		long double q = (1 - gamma) * laplace(x + alpha, scale) + gamma * laplace(x + astray, scale);

		sum += fmaxl(p - expl(epsilon) * q, 0) * step;
	}
	return sum;
}

static void
robust_estimates_become_private(void **state)
{
	const double gammas[] = {0, 0.01, 0.3};
	int			i;

	(void) state;
	for (i = 0; i < 27; i++)
	{
		double		gamma = gammas[i % 3];
		double		epsilon = i / 3 % 3 + 0.5;
		double		alpha = pow(10, i / 9 - 1);
		PaPacPrivate made = pa_pac_private(alpha, gamma, epsilon, 0.05);

		assert_at_most(delta_of(alpha, gamma, made.scale, epsilon, 10 * alpha), made.delta + 1e-4);
		/* with less noise it would not be */
		if (gamma == 0)
			assert_true(delta_of(alpha, gamma, made.scale * 0.9, epsilon, 10 * alpha) > 1e-3);
		/* the noise alone is beyond its part with probability beta */
		assert_close(expl(-(made.alpha - alpha) / made.scale), 0.05, 1e-9);
		assert_close(made.gamma, gamma + 0.05, 1e-12);
	}
	assert_true(isnan(pa_pac_private(0, 0, 1, 0.1).scale) && isnan(pa_pac_private(1, 1, 1, 0.1).scale));
	assert_true(isnan(pa_pac_private(1, 0, 0, 0.1).scale) && isnan(pa_pac_private(1, 0, 1, 1).scale));
}

/*
 * The exponential mechanism where it is worst: nothing is lost within alpha0, and as soon as one is
 * further away, a share of all inputs.  Volumes are in units of that of the ball of alpha0.
 */
static void
enough_inputs_may_change(void **state)
{
	int			i;

	(void) state;
	for (i = 0; i < 1000; i++)
	{
		double		epsilon = 0.01 * (1 + i % 10);
		double		beta = pow(10, -(i / 10 % 10) - 0.1);
		double		ratio = 10 + 10 * (i / 100 % 5);
		int			dimensions = 1 + i / 500 * 3;
		double		n = 10000;
		double		share = pa_pac_share(epsilon, n, beta, ratio, dimensions);
		long double volume = powl(1 + ratio, dimensions);
		long double far = (volume - 1) * expl(-(long double) epsilon * share * n / 2);

		assert_at_most(far / (1 + far), beta / 2);
		far = (volume - 1) * expl(-(long double) epsilon * share * 0.5 * n / 2);
		assert_true(far / (1 + far) > beta / 2);
	}
	assert_true(isnan(pa_pac_share(0, 1, 0.1, 1, 1)) && isnan(pa_pac_share(1, 0, 0.1, 1, 1)) && isnan(pa_pac_share(1, 1, 0.1, 0, 1)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(robust_estimates_become_private),
		cmocka_unit_test(enough_inputs_may_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
