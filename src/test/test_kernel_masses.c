/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_kernel_masses.c
 *		Masses, tails and bounds of kernels, against sums of their definitions in long double.
 */
#include <math.h>
#include <stdlib.h>

#include "kernel_cases.h"

static void
pmf_is_the_law(void **state)
{
	PaKernel	kernel;
	size_t		i;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		long double all = reference_total(&kernel);
		long double sum = 0;
		int64_t		reach = reference_reach(&kernel);
		int64_t		k;

		for (k = -reach; k <= reach; k++)
		{
			sum += pa_kernel_pmf(&kernel, k);
			if (llabs(k) <= 30 * typical(&kernel))
				assert_close(pa_kernel_pmf(&kernel, k), reference_weight(&kernel, k) / all, 1e-11);
		}
		assert_close(sum, 1.0L, 1e-11);
	}
}

static void
tail_is_rounded_up(void **state)
{
	static const double places[] = {-3, -1, 0, 0.5, 1, 2, 4, 7, 12, 20};
	PaKernel	kernel;
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		for (j = 0; j < COUNT(places); j++)
		{
			int64_t		k = (int64_t) (places[j] * typical(&kernel));
			long double exact = reference_tail(&kernel, k);

			assert_at_most(exact, pa_kernel_tail(&kernel, k) * (1 + 1e-15L));
			assert_at_most(pa_kernel_tail(&kernel, k), exact * (1 + 1e-10L) + 1e-300L);
		}
		assert_true(pa_kernel_tail(&kernel, INT64_MIN) == 1.0);
		assert_true(pa_kernel_tail(&kernel, -PA_BAND_LIMIT) == 1.0);
		assert_true(pa_kernel_tail(&kernel, PA_BAND_LIMIT) < 1e-300);
		assert_true(pa_kernel_tail(&kernel, INT64_MAX) < 1e-300);
	}
}

static void
acceptance_is_rounded_down(void **state)
{
	PaKernel	kernel;
	size_t		i;
	int			place;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		for (place = 0; place < 12; place++)
		{
			int64_t		theta = place < 4 ? place : place < 8 ? kernel.band + place - 6 : (place - 7) * (int64_t) typical(&kernel);
			long double exact = 0;
			int64_t		k;

			for (k = -theta; k <= theta; k++)
				exact += reference_weight(&kernel, k);
			exact /= reference_total(&kernel);
			assert_at_most(pa_kernel_acceptance(&kernel, theta), exact * (1 + 1e-15L));
			assert_at_most(exact, pa_kernel_acceptance(&kernel, theta) * (1 + 1e-10L));
		}
		assert_true(pa_kernel_acceptance(&kernel, -1) == 0.0);
		assert_at_most(1 - 1e-10L, pa_kernel_acceptance(&kernel, INT64_MAX));
		assert_at_most(pa_kernel_acceptance(&kernel, INT64_MAX), 1);
	}
}

/* q itself is 1 - keep/2^62, and is never rounded up. */
static void
recycling_is_rounded_down(void **state)
{
	static const uint64_t keeps[] = {1, 3, KEEP(-53), KEEP(-30) + 1, KEEP(-1), KEEP(0) - KEEP(-53), KEEP(0)};
	size_t		i;
	PaKernel	laplace = plain(PA_KERNEL_LAPLACE, 10);

	(void) state;
	for (i = 0; i < COUNT(keeps); i++)
	{
		PaKernel	kernel = recycler(PA_KERNEL_BRDP_LAPLACE, 3, 100, keeps[i]);
		long double exact = 1 - ldexpl((long double) keeps[i], -PA_KEEP_BITS);

		assert_at_most(pa_kernel_recycling(&kernel), exact);
		assert_at_most(exact, pa_kernel_recycling(&kernel) + 0x1p-53L);
		assert_true(pa_kernel_recycling(&kernel) < 1);
	}
	assert_true(pa_kernel_recycling(&laplace) == 0.0);
}

static void
error_is_the_least_bound(void **state)
{
	static const double confidences[] = {0.01, 0.5, 0.9, 0.95, 0.999, 1 - 1e-9};
	PaKernel	kernel;
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		for (j = 0; j < COUNT(confidences); j++)
		{
			int64_t		m = pa_kernel_error(&kernel, confidences[j]);

			assert_true(m >= 0);
			assert_at_most(2 * reference_tail(&kernel, m + 1), 1 - confidences[j]);
			if (m > 0)
				assert_at_most(1 - confidences[j], 2 * reference_tail(&kernel, m) * (1 + 1e-9L));
		}
		assert_int_equal(pa_kernel_error(&kernel, 0), -1);
		assert_int_equal(pa_kernel_error(&kernel, 1), -1);
		assert_int_equal(pa_kernel_error(&kernel, NAN), -1);
	}
	/* 29 parts in all: 12 beyond 1, 2 beyond 2, none beyond 3 */
	kernel = (PaKernel) {.kind = PA_KERNEL_OPTIMAL,.table = &few};
	assert_int_equal(pa_kernel_error(&kernel, 16.9 / 29), 1);
	assert_int_equal(pa_kernel_error(&kernel, 17.1 / 29), 2);
	assert_int_equal(pa_kernel_error(&kernel, 27.1 / 29), 3);
	assert_int_equal(pa_kernel_error(&kernel, 1 - 0x1p-53), 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pmf_is_the_law),
		cmocka_unit_test(tail_is_rounded_up),
		cmocka_unit_test(acceptance_is_rounded_down),
		cmocka_unit_test(recycling_is_rounded_down),
		cmocka_unit_test(error_is_the_least_bound),
	};

	return cmocka_run_group_tests_name("kernel masses", tests, NULL, NULL);
}
