/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_bayes_estimate.c
 *		Estimators: expectations by enumeration, standard errors, coverage.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "core/bayes/estimate.h"
#include "kernel_reference.h"
#include "source.h"
#include "unit.h"

#define OWNERS 9

/* Pr[s of the coins show "high"], s = 0..n */
static void
poisson_binomial(const double *chance, int n, long double *law)
{
	int			i;
	int			s;

	law[0] = 1;
	for (i = 0; i < n; i++)
	{
		law[i + 1] = law[i] * chance[i];
		for (s = i; s >= 0; s--)
			law[s] = law[s] * (1 - chance[i]) + (s > 0 ? law[s - 1] * chance[i] : 0);
	}
}

/*
 * The mean of the estimates is the truth; that of the squared errors covers
 * their variance.
 */
static void
means_are_unbiased(void **state)
{
	uint64_t	seed = 4;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 500; i++)
	{
		double		chance[OWNERS];
		long double law[OWNERS + 1];
		long double truth = 0;
		long double mean = 0;
		long double sum = 0;
		long double square = 0;
		long double claimed = 0;
		double		low = uniform(&random, -5, 5);
		double		high = low + uniform(&random, 0.1, 10);
		PaBinary	binary;
		int			s;

		assert_int_equal(pa_binary_make(low, high, uniform(&random, 0.2, 6), &binary), PA_OK);
		for (s = 0; s < OWNERS; s++)
		{
			double		y = uniform(&random, low, high);
			PaCoin		coin;

			assert_int_equal(pa_binary_coin(&binary, y, &coin), PA_OK);
			chance[s] = coin.likely ? 1 - coin.rare : coin.rare;
			truth += (long double) y / OWNERS;
		}
		poisson_binomial(chance, OWNERS, law);
		for (s = 0; s <= OWNERS; s++)
		{
			PaLocalEstimate estimate;
			PaLocalEstimate total;

			assert_int_equal(pa_estimate_mean(&binary, (uint64_t) s, OWNERS, 0.95, &estimate), PA_OK);
			assert_int_equal(pa_estimate_sum(&binary, (uint64_t) s, OWNERS, 0.95, &total), PA_OK);
			mean += law[s] * estimate.value;
			sum += law[s] * total.value;
			square += law[s] * (estimate.value - truth) * (estimate.value - truth);
			claimed += law[s] * estimate.error * estimate.error;
			assert_true(estimate.low >= low - 1e-12 && estimate.high <= high + 1e-12 && estimate.low <= estimate.high);
		}
		assert_true(fabsl(mean - truth) < 1e-12 / (1 - 2 * binary.flip));
		assert_true(fabsl(sum - OWNERS * truth) < 1e-11 / (1 - 2 * binary.flip));
		/* pi (1 - pi) falls short by the variance of pi, 1/n of it */
		assert_at_most(square * (1 - 1.0L / OWNERS), claimed * (1 + 1e-9L));
	}
}

static void
categories_are_unbiased(void **state)
{
	const int	categories = 4;
	PaResponse	response;
	double		chance[OWNERS];
	long double law[OWNERS + 1];
	int			truth;
	int			s;

	(void) state;
	assert_int_equal(pa_response_make((uint32_t) categories, 1.2, &response), PA_OK);
	for (truth = 0; truth <= OWNERS; truth++)
	{
		long double mean = 0;

		for (s = 0; s < OWNERS; s++)
			chance[s] = s < truth ? pa_response_same(&response) : pa_response_other(&response);
		poisson_binomial(chance, OWNERS, law);
		for (s = 0; s <= OWNERS; s++)
		{
			PaLocalEstimate estimate;

			assert_int_equal(pa_estimate_category(&response, (uint64_t) s, OWNERS, 0.9, &estimate), PA_OK);
			mean += law[s] * estimate.value;
			assert_true(estimate.low >= 0 && estimate.high <= OWNERS && estimate.low <= estimate.high);
		}
		assert_true(fabsl(mean - truth) < 1e-12);
	}
}

/* Equal coins are the hardest: exact coverage over their probabilities */
static void
intervals_cover(void **state)
{
	const unsigned int sizes[] = {5, 20, 100, 1000};
	PaBinary	binary;
	size_t		i;
	int			j;
	unsigned int s;

	(void) state;
	assert_int_equal(pa_binary_make(0, 1, 1, &binary), PA_OK);
	for (i = 0; i < 4; i++)
		for (j = 0; j <= 50; j++)
		{
			double		p = binary.flip + (1 - 2 * binary.flip) * j / 50;
			double		covered = 0;

			for (s = 0; s <= sizes[i]; s++)
			{
				PaLocalEstimate estimate;

				assert_int_equal(pa_estimate_mean(&binary, s, sizes[i], 0.95, &estimate), PA_OK);
				if (estimate.low <= j / 50.0 + 1e-12 && estimate.high >= j / 50.0 - 1e-12)
					covered += gsl_ran_binomial_pdf(s, p, sizes[i]);
			}
			assert_at_most(0.949, covered);
		}
}

static PaKernel
kernel_of(PaKernelKind kind, double scale)
{
	PaKernel	kernel;

	assert_int_equal(pa_kernel_make(kind, scale, &kernel), PA_OK);
	return kernel;
}

static void
check_variance(PaKernel kernel)
{
	long double sum = 0;
	PaAdditive	additive;
	int64_t		k;

	assert_true(pa_kernel_valid(&kernel));
	assert_int_equal(pa_additive_make(&kernel, 0, 1, &additive), PA_OK);
	for (k = reference_reach(&kernel); k >= 1; k--)
		sum += 2 * (long double) k * k * reference_weight(&kernel, k);
	sum /= reference_total(&kernel);
	assert_at_most(sum * (1 - 1e-12L), pa_additive_variance(&additive));
	assert_at_most(pa_additive_variance(&additive), sum * (1 + 1e-3L) + 1e-12);
}

static void
variances_of_noise(void **state)
{
	const double scales[] = {0.05, 0.7, 3, 40, 1000};
	PaKernel	kernel = {PA_KERNEL_STAIRCASE, PA_STAIR_SHIFT, UINT64_C(1) << (PA_STAIR_SHIFT - 2), 500, 0, 37, NULL};
	size_t		i;

	(void) state;
	check_variance(kernel);
	for (i = 0; i < 5; i++)
	{
		check_variance(kernel_of(PA_KERNEL_LAPLACE, scales[i]));
		check_variance(kernel_of(PA_KERNEL_GAUSSIAN, scales[i]));
		kernel = kernel_of(PA_KERNEL_LAPLACE, scales[i]);
		kernel.kind = PA_KERNEL_BRDP_LAPLACE;
		kernel.band = (int64_t) scales[i] + 1;
		kernel.keep = UINT64_C(1) << (PA_KEEP_BITS - 3);
		check_variance(kernel);
		kernel.kind = PA_KERNEL_BRDP_GAUSSIAN;
		check_variance(kernel);
	}
}

static void
additive_sums(void **state)
{
	PaKernel	kernel = kernel_of(PA_KERNEL_LAPLACE, 5);
	PaAdditive	additive;
	PaLocalEstimate sum;
	PaLocalEstimate mean;

	(void) state;
	assert_int_equal(pa_additive_make(&kernel, -10, 10, &additive), PA_OK);
	assert_int_equal(pa_estimate_additive(&additive, 49, 30, 100, 0.95, &sum), PA_OK);
	assert_close(sum.value, 30, 0);
	assert_close(sum.error, 70, 1e-15);
	assert_close(sum.high, 30 + 70 * 1.959963984540054L, 1e-12);
	mean = pa_estimate_per_owner(sum, 100);
	assert_close(mean.value, 0.3, 1e-15);
	assert_close(mean.low, sum.low / 100, 1e-15);
	assert_int_equal(pa_estimate_additive(&additive, 49, 2000, 100, 0.95, &sum), PA_OK);
	assert_close(sum.value, 2000, 0);
	assert_close(sum.high, 1000, 0);
	assert_int_equal(pa_estimate_additive(&additive, 49, NAN, 100, 0.95, &sum), PA_INVALID);
}

/* Against the exact law where all values are the same, and n binomial. */
static void
misses_are_bounded(void **state)
{
	(void) state;
	for (int n = 1; n <= 400; n = n * 2 + 1)
		for (double alpha = 0.05; alpha < 3; alpha *= 1.7)
			for (double y = -1; y <= 1; y += 0.25)
			{
				PaBinary	binary;
				PaCoin		coin;
				double		p,
							miss = 0;

				assert_int_equal(pa_binary_make(-1, 1, 1.3, &binary), PA_OK);
				assert_int_equal(pa_binary_coin(&binary, y, &coin), PA_OK);
				p = coin.likely ? 1 - coin.rare : coin.rare;
				for (int hits = 0; hits <= n; hits++)
				{
					PaLocalEstimate mean;

					assert_int_equal(pa_estimate_mean(&binary, hits, n, 0.95, &mean), PA_OK);
					if (fabs(mean.value - y) >= alpha)
						miss += gsl_ran_binomial_pdf(hits, p, n);
				}
				assert_true(miss <= pa_estimate_miss(&binary, n, alpha) + 1e-12);
			}
}

/* What is asked for follows from the miss by halving, without the formula that is solved. */
static void
reaches_and_owners(void **state)
{
	const double epsilons[] = {0.1, 1, 4};
	const double betas[] = {1e-9, 0.05, 0.9};
	const uint64_t counts[] = {1, 30, 100000};
	PaBinary	binary;
	int			i;

	(void) state;
	for (i = 0; i < 27; i++)
	{
		double		beta = betas[i / 3 % 3];
		uint64_t	n = counts[i / 9];
		double		low = 0;
		double		high = 1e9;
		double		alpha;
		double		owners;

		assert_int_equal(pa_binary_make(-1, 3, epsilons[i % 3], &binary), PA_OK);
		while (high - low > 1e-14 * high)
		{
			double		middle = (low + high) / 2;

			*(pa_estimate_miss(&binary, n, middle) <= beta ? &high : &low) = middle;
		}
		alpha = pa_estimate_reach(&binary, n, beta);
		assert_close(alpha, high, 1e-10);
		assert_at_most(pa_estimate_miss(&binary, n, alpha), beta);
		owners = pa_estimate_owners(&binary, alpha, beta);
		assert_true(owners >= n && owners <= n + 1);
		assert_at_most(pa_estimate_miss(&binary, (uint64_t) owners, alpha), beta);
	}
	assert_true(isnan(pa_estimate_reach(&binary, 0, 0.5)) && isnan(pa_estimate_reach(&binary, 1, 0)));
	assert_true(isnan(pa_estimate_owners(&binary, 0, 0.5)) && isnan(pa_estimate_owners(&binary, 1, 1)));
}

static void
refusals(void **state)
{
	PaBinary	binary;
	PaLocalEstimate mean;

	(void) state;
	assert_int_equal(pa_binary_make(0, 1, 1, &binary), PA_OK);
	assert_int_equal(pa_estimate_mean(&binary, 0, 0, 0.95, &mean), PA_INVALID);
	assert_int_equal(pa_estimate_mean(&binary, 2, 1, 0.95, &mean), PA_INVALID);
	assert_int_equal(pa_estimate_mean(&binary, 1, 1, 1, &mean), PA_INVALID);
	assert_int_equal(pa_estimate_mean(&binary, 1, 1, NAN, &mean), PA_INVALID);
	assert_true(isnan(pa_estimate_miss(&binary, 0, 1)));
	assert_true(isnan(pa_estimate_miss(&binary, 1, 0)));
	assert_true(isnan(pa_estimate_miss(&binary, 1, NAN)));
	assert_int_equal(pa_estimate_mean(&binary, 1, UINT64_C(1) << 52, 0.5, &mean), PA_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_are_unbiased),
		cmocka_unit_test(reaches_and_owners),
		cmocka_unit_test(categories_are_unbiased),
		cmocka_unit_test(intervals_cover),
		cmocka_unit_test(variances_of_noise),
		cmocka_unit_test(additive_sums),
		cmocka_unit_test(misses_are_bounded),
		cmocka_unit_test(refusals),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
