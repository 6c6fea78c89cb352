/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_threshold.c
 *		Thresholds of the selection of groups are the least that keep a delta.
 */
#include <math.h>

#include "calibration.h"

/* Pr[N >= k] of the discrete Gaussian, summed from its definition */
static long double
brute_tail(long double sigma, long k)
{
	long double all = 1;
	long double sum = 0;
	long		wide = (long) (20 * sigma) + 20;
	long		j;

	for (j = wide; j >= 1; j--)
		all += 2 * expl(-j * (long double) j / (2 * sigma * sigma));
	for (j = wide + (k > 0 ? k : 0); j >= k; j--)
		sum += expl(-j * (long double) j / (2 * sigma * sigma));
	return sum / all;
}

static void
threshold_is_the_least(void **state)
{
	static const double deltas[] = {1e-300, 1e-12, 1e-7, 1e-3, 0.3};
	static const double epsilons[] = {0.01, 0.3, 1, 5, 50};
	uint32_t	groups;
	size_t		e;
	size_t		d;

	(void) state;
	for (e = 0; e < 5; e++)
		for (d = 0; d < 5; d++)
			for (groups = 1; groups <= 100; groups *= 10)
			{
				PaSensitivity owners = {1, groups};
				PaCalibration got;
				long double r;
				int64_t		tau;
				long double b;

				assert_int_equal(calibrate(PA_KERNEL_LAPLACE, &owners, epsilons[e], 0, &got), PA_OK);
				assert_true(got.lattice.divisor == 1);
				assert_int_equal(pa_selection_threshold(&got.kernel, groups, 1, deltas[d], &tau), PA_OK);
				assert_true(tau >= 1);
				b = pa_kernel_scale(&got.kernel);
				r = expl(-1 / b);
				if (tau > 1)
					assert_at_most(groups * expl(-(tau - 1) / b) / (1 + r), (long double) deltas[d]);
				if (tau > 2)
					assert_at_most((long double) deltas[d], groups * expl(-(tau - 2) / b) / (1 + r) * (1 + 1e-9L));
			}
}

static void
threshold_of_gaussian(void **state)
{
	PaSensitivity owners = {1, 3};
	PaCalibration got;
	int64_t		tau;
	long double sigma;

	(void) state;
	assert_int_equal(calibrate(PA_KERNEL_GAUSSIAN, &owners, 1, 1e-6, &got), PA_OK);
	assert_int_equal(pa_selection_threshold(&got.kernel, 3, 1, 1e-7, &tau), PA_OK);
	sigma = pa_kernel_scale(&got.kernel);
	assert_at_most(3 * brute_tail(sigma, (long) tau - 1), 1e-7L);
	assert_at_most(1e-7L, 3 * brute_tail(sigma, (long) tau - 2));
	assert_int_equal(pa_selection_threshold(&got.kernel, 0, 1, 1e-7, &tau), PA_INVALID);
	assert_int_equal(pa_selection_threshold(&got.kernel, 1, 1, 0, &tau), PA_INVALID);
	assert_int_equal(pa_selection_threshold(&got.kernel, 1, 1, 1, &tau), PA_INVALID);
	assert_int_equal(pa_selection_threshold(&got.kernel, 3, 0, 1e-7, &tau), PA_INVALID);
	assert_int_equal(pa_selection_threshold(&got.kernel, 3, 4, 1e-7, &tau), PA_INVALID);
}

/* Pr[N >= k] of the discrete Laplace law, summed from its definition */
static long double
laplace_tail(long double scale, long k)
{
	long double r = expl(-1 / scale);

	return k > 0 ? powl(r, k) / (1 + r) : 1 - powl(r, 1 - k) / (1 + r);
}

static long double
tail_of(const PaKernel *kernel, long k)
{
	long double scale = pa_kernel_scale(kernel);

	return kernel->kind == PA_KERNEL_LAPLACE ? laplace_tail(scale, k) : brute_tail(scale, k);
}

/* The greatest sum of chances that groups are shown, over all ways to add "left" to groups, at most "most" to each */
static long double
worst(const PaKernel *kernel, int64_t tau, long left, long most)
{
	long double greatest = 0;
	long		n;

	for (n = 1; n <= most && n <= left; n++)
	{
		long double sum = tail_of(kernel, (long) tau - n) + worst(kernel, tau, left - n, n);

		greatest = sum > greatest ? sum : greatest;
	}
	return greatest;
}

/* However one owner's counts are spread over groups that nobody else is in: compared with all partitions */
static void
spread_owners_stay_hidden(void **state)
{
	static const double deltas[] = {1e-12, 1e-5, 0.01, 0.3, 0.9};
	static const double epsilons[] = {0.05, 1, 8, 40};
	uint32_t	groups;
	size_t		e;
	size_t		d;
	int			kind;
	int			wide_counted = 0;

	(void) state;
	for (kind = 0; kind < 2; kind++)
		for (e = 0; e < 4; e++)
			for (d = 0; d < 5; d++)
				for (groups = 1; groups <= 9; groups += 2)
				{
					PaSensitivity owners = {1, groups};
					PaCalibration got;
					int64_t		tau;
					int64_t		alone;

					assert_int_equal(calibrate(kind ? PA_KERNEL_GAUSSIAN : PA_KERNEL_LAPLACE, &owners, epsilons[e], kind ? 1e-6 : 0, &got), PA_OK);
					assert_int_equal(pa_selection_threshold(&got.kernel, groups, 1, deltas[d], &alone), PA_OK);
					assert_int_equal(pa_selection_threshold(&got.kernel, groups, groups, deltas[d], &tau), PA_OK);
					assert_at_most(worst(&got.kernel, tau, groups, groups), deltas[d] * (1 + 1e-9L));
					assert_true(tau >= alone);
					wide_counted += tau > alone && worst(&got.kernel, alone, groups, groups) > deltas[d];
				}
	assert_true(wide_counted > 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threshold_is_the_least),
		cmocka_unit_test(threshold_of_gaussian),
		cmocka_unit_test(spread_owners_stay_hidden),
	};

	return cmocka_run_group_tests_name("threshold", tests, NULL, NULL);
}
