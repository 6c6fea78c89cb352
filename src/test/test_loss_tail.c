/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_loss_tail.c
 *		What (epsilon, delta) says of the probability of a large loss, docs/theory.md
 *		section 1: Pr[loss > epsilon + c] <= delta/(1 - e^-c), and not
 *		Pr[loss > epsilon] <= delta.
 *
 * Losses are those of their definitions, summed or integrated here: nothing of the
 * code that computes profiles is used for them.
 */
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "core/noise/kernel.h"
#include "unit.h"

static const double beyond[] = {0.001, 0.01, 0.1, 0.3, 0.6931471805599453, 1, 2, 5, 10};

#define BEYOND ((int) (sizeof(beyond) / sizeof(beyond[0])))

/* --- noise on the line: N(0, sigma^2), sensitivity 1, loss N(mu, 2 mu) with mu = 1/(2 sigma^2) --- */

static double
line_tail(double sigma, double epsilon)
{
	return gsl_cdf_ugaussian_P(0.5 / sigma - sigma * epsilon);
}

static double
line_delta(double sigma, double epsilon)
{
	return line_tail(sigma, epsilon) - exp(epsilon) * gsl_cdf_ugaussian_P(-0.5 / sigma - sigma * epsilon);
}

/* The least scale that is (epsilon, delta)-DP: the analytic Gaussian mechanism. */
static double
line_sigma(double epsilon, double delta)
{
	double		low = 1e-3,
				high = 1e3;

	for (int i = 0; i < 200; i++)
	{
		double		middle = sqrt(low * high);

		*(line_delta(middle, epsilon) > delta ? &low : &high) = middle;
	}
	return high;
}

/* The figures of the documentation: how many times delta the probability of a loss above epsilon is. */
static void
figures(void **state)
{
	static const struct
	{
		double		epsilon,
					delta,
					times;
	}			cases[] = {{8, 1e-7, 4.7}, {1, 1e-6, 20.1}, {0.1, 1e-9, 271}};

	(void) state;
	for (int i = 0; i < 3; i++)
	{
		double		sigma = line_sigma(cases[i].epsilon, cases[i].delta);

		print_message("(%g, %g): Pr[loss > epsilon] = %.2f delta, Pr[loss > epsilon + ln 2] = %.3g delta\n",
					  cases[i].epsilon, cases[i].delta, line_tail(sigma, cases[i].epsilon) / cases[i].delta,
					  line_tail(sigma, cases[i].epsilon + log(2)) / cases[i].delta);
		assert_close(line_tail(sigma, cases[i].epsilon) / cases[i].delta, cases[i].times, 0.02);
	}
}

static void
on_the_line(void **state)
{
	static const double epsilons[] = {0.01, 0.1, 1, 8, 20};
	static const double deltas[] = {1e-3, 1e-6, 1e-9};

	(void) state;
	for (int e = 0; e < 5; e++)
		for (int d = 0; d < 3; d++)
			for (int c = 0; c < BEYOND; c++)
			{
				double		sigma = line_sigma(epsilons[e], deltas[d]);

				assert_at_most(line_tail(sigma, epsilons[e] + beyond[c]), deltas[d] / -expm1(-beyond[c]) * (1 + 1e-9));
			}
}

/* --- noise on the lattice --- */

/* ln of the weight of k, from the kernel's definition */
static long double
log_weight(const PaKernel *kernel, int64_t k)
{
	long double scale = ldexpl(kernel->numerator, -(int) kernel->shift);
	long double size = k < 0 ? -k : k;

	return kernel->kind == PA_KERNEL_GAUSSIAN ? -size * size / (2 * scale * scale) : -size / scale;
}

/* Pr[loss > epsilon] for a shift */
static long double
lattice_tail(const PaKernel *kernel, int64_t shift, long double epsilon)
{
	int64_t		wide = shift + (int64_t) (60 * pa_kernel_scale(kernel)) + 60;
	long double all = 0,
				sum = 0;

	for (int64_t k = -wide; k <= wide; k++)
	{
		long double weight = expl(log_weight(kernel, k));

		all += weight;
		if (log_weight(kernel, k) - log_weight(kernel, k - shift) > epsilon)
			sum += weight;
	}
	return sum / all;
}

/* With the delta that is charged; above epsilon itself it does not hold, which is what this page once said. */
static void
on_the_lattice(void **state)
{
	static const double epsilons[] = {0.05, 0.5, 2, 6};
	static const PaKernelKind kinds[] = {PA_KERNEL_GAUSSIAN, PA_KERNEL_LAPLACE};
	int			exceeded = 0;
	long double closest = 0;

	(void) state;
	for (int i = 0; i < 2; i++)
		for (double scale = 2; scale <= 200; scale *= 4)
			for (int64_t shift = 1; shift <= 64; shift *= 4)
				for (int e = 0; e < 4; e++)
				{
					PaKernel	kernel;
					double		delta;

					assert_int_equal(pa_kernel_make(kinds[i], scale, &kernel), PA_OK);
					delta = pa_kernel_delta(&kernel, shift, epsilons[e]);
					if (delta < 1e-300)
						continue;
					exceeded += lattice_tail(&kernel, shift, epsilons[e]) > 2 * delta;
					for (int c = 0; c < BEYOND; c++)
					{
						long double bound = delta / -expm1l(-beyond[c]);
						long double tail = lattice_tail(&kernel, shift, epsilons[e] + beyond[c]);

						assert_at_most(tail, bound * (1 + 1e-9L));
						closest = fmaxl(closest, tail / bound);
					}
				}
	assert_true(exceeded > 10);
	assert_true(closest > 0.3);		/* the bound is no formality */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures),
		cmocka_unit_test(on_the_line),
		cmocka_unit_test(on_the_lattice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
