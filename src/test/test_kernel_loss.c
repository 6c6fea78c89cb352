/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_kernel_loss.c
 *		What kernels give away, delta and rho, against sums of their definitions in long double.
 */
#include <math.h>

#include "core/noise/continuous.h"
#include "kernel_cases.h"
#include "source.h"

/* The sum over one direction, and the part of its terms that rounding may spoil */
static void
check_delta(const PaKernel *kernel, int64_t shift, double epsilon)
{
	int64_t		reach = reference_reach(kernel);
	long double all = reference_total(kernel);
	long double exact = 0;
	double		delta = pa_kernel_delta(kernel, shift, epsilon);
	int64_t		k;

	for (k = -reach; k <= reach + shift; k++)
	{
		long double gain = reference_weight(kernel, k) - expl(epsilon) * reference_weight(kernel, k - shift);

		if (gain > 0)
			exact += gain / all;
	}
	if (!(exact <= delta * (1 + 1e-15L) + 1e-17L * (1 + expl(epsilon) * 1e-2L)) ||
		!(delta <= exact * (1 + 1e-7L) + 1e-13L))
		fail_msg("%s scale %g band %lld: delta(%g) of shift %lld is %.17g, expected %.17Lg", pa_kernel_name(kernel->kind),
				 pa_kernel_scale(kernel), (long long) kernel->band, epsilon, (long long) shift, delta, exact);
	assert_true(delta >= 0 && delta <= 1);
}

static void
delta_is_the_sum(void **state)
{
	uint64_t	seed = 20240607;
	PaRandom	random;
	PaKernel	kernel;
	size_t		i;
	int			j;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; kernel_at(i, &kernel); i++)
		for (j = 0; j < 20; j++)
		{
			int64_t		shift = (int64_t) (typical(&kernel) * exp(uniform(&random, log(0.01), log(4)))) + (j % 3 != 0);
			double		reach = (reference_is_gaussian(&kernel) ? 5 : 1.1) * (double) shift / typical(&kernel);

			if (kernel.kind == PA_KERNEL_STAIRCASE)
				shift = kernel.width * (j % 3) + j % 2;
			check_delta(&kernel, shift, uniform(&random, -1.2, 1.2) * fmin(reach, 30));
		}
}

/* At and beyond the largest loss there is nothing left, to the last bit. */
static void
pure_delta_ends_at_its_loss(void **state)
{
	static const double scales[] = {0.25, 1, 2.5, 10, 1024};
	PaKernel	kernel;
	size_t		i;
	int64_t		shift;

	(void) state;
	for (i = 0; i < COUNT(scales); i++)
		for (shift = 1; shift < 5000; shift = shift * 3 + 1)
		{
			double		loss = nextafter((double) shift / scales[i], INFINITY);

			kernel = plain(PA_KERNEL_LAPLACE, scales[i]);
			assert_true(pa_kernel_delta(&kernel, shift, loss) == 0.0);
			assert_true(pa_kernel_delta(&kernel, shift, loss * (1 - 1e-6)) > 0.0);
		}
	kernel = plain(PA_KERNEL_LAPLACE, 10);
	assert_true(pa_kernel_delta(&kernel, 10, 1) == 0.0);
	kernel = staircase(E_ONE, 10, 23);
	for (shift = 1; shift <= 10; shift++)
	{
		assert_true(pa_kernel_delta(&kernel, shift, 1) == 0.0);
		assert_true(pa_kernel_delta(&kernel, shift, 1 - 1e-6) > 0.0);
	}
	assert_true(pa_kernel_delta(&kernel, 11, 1) > 0.0);
}

static void
delta_grows_with_the_shift(void **state)
{
	PaKernel	kernel;
	size_t		i;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		double		epsilon;

		for (epsilon = -0.5; epsilon < 3; epsilon += 0.25)
		{
			double		before = 0;
			int64_t		shift;

			for (shift = 0; shift < 60; shift++)
			{
				double		delta = pa_kernel_delta(&kernel, shift, epsilon);

				assert_at_most(before, delta + 1e-11L);
				before = delta;
			}
		}
	}
}

/* Finite, in range, in order. */
static void
check_sane(const PaKernel *kernel, int64_t shift)
{
	static const double epsilons[] = {-1e300, -1e6, -1, 0, 1e-9, 1, 1e6, 1e300};
	double		before = 1;
	size_t		e;

	assert_true(pa_kernel_valid(kernel));
	assert_true(isfinite(pa_kernel_rho(kernel, shift)));
	assert_true(pa_kernel_error(kernel, 1 - 0x1p-53) >= 0);
	for (e = 0; e < COUNT(epsilons); e++)
	{
		double		delta = pa_kernel_delta(kernel, shift, epsilons[e]);

		assert_true(delta >= 0 && delta <= 1);
		if (!(delta <= before + 1e-11))
			fail_msg("%s scale %g shift %g epsilon %g: delta %g after %g", pa_kernel_name(kernel->kind),
					 pa_kernel_scale(kernel), (double) shift, epsilons[e], delta, before);
		before = delta;
	}
}

static void
extremes_are_sane(void **state)
{
	static const double scales[] = {0x1p-20, 1e-3, 1, 0x1p20, 1e9, 0x1p40 - 1};
	static const int64_t shifts[] = {0, 1, 1000, INT64_C(1) << 40, INT64_MAX};
	const PaKernel stairs[] = {
		staircase(17, 1, 0), staircase((UINT64_C(1) << 52) - 1, 1, PA_BAND_LIMIT - 1),
		staircase((UINT64_C(1) << 52) - 1, (INT64_C(1) << 48) - 1, (INT64_C(1) << 48) - 2)
	};
	size_t		i;
	size_t		j;
	int			kind;

	(void) state;
	for (i = 0; i < COUNT(scales); i++)
		for (j = 0; j < COUNT(shifts); j++)
			for (kind = 0; kind < 2; kind++)
			{
				PaKernel	kernel = plain(plain_kinds[kind], scales[i]);

				check_sane(&kernel, shifts[j]);
				kernel = recycler((PaKernelKind) (kind + PA_KERNEL_BRDP_LAPLACE), scales[i], 3, KEEP(-12));
				check_sane(&kernel, shifts[j]);
				kernel = recycler(kernel.kind, scales[i], PA_BAND_LIMIT - 1, 1);
				check_sane(&kernel, shifts[j]);
			}
	for (i = 0; i < COUNT(stairs); i++)
		for (j = 0; j < COUNT(shifts); j++)
			check_sane(&stairs[i], shifts[j]);
}

/* On a fine lattice the discrete profile is the continuous one. */
static void
large_scales_approach_the_continuum(void **state)
{
	double		scale = 0x1p20;
	PaKernel	laplace = plain(PA_KERNEL_LAPLACE, scale);
	PaKernel	gaussian = plain(PA_KERNEL_GAUSSIAN, scale);
	double		epsilon;

	(void) state;
	for (epsilon = 0.1; epsilon < 3; epsilon += 0.3)
	{
		assert_close(pa_kernel_delta(&gaussian, 1 << 20, epsilon),
					 pa_gaussian_profile(scale, 0x1p20, epsilon), 1e-8);
		if (epsilon < 0.95)
			assert_close(pa_kernel_delta(&laplace, 1 << 20, epsilon),
						 pa_laplace_profile(scale, 0x1p20, epsilon), 1e-8);
	}
}

/*
 * D_alpha(p || p shifted) / alpha from its definition, less the rounding of the
 * sum.  A Gaussian's terms are largest at (1 - alpha) shift.
 */
static long double
reference_ratio(const PaKernel *kernel, int64_t shift, long double alpha)
{
	int64_t		reach = (reference_is_gaussian(kernel) ? 4 : 1) * reference_reach(kernel) +
		(pa_kernel_recycles(kernel->kind) ? kernel->band : 0);
	long double sum = 0;
	int64_t		k;

	for (k = -reach; k <= reach + shift; k++)
		sum += expl(alpha * reference_log(kernel, k) - (alpha - 1) * reference_log(kernel, k - shift));
	return (logl(sum / reference_total(kernel)) - 1e-17L) / (alpha * (alpha - 1));
}

/*
 * rho is at least every D_alpha/alpha, and is approached by one.  The orders
 * tried here show that, unless a Gaussian's band ends beyond what they look at.
 */
static void
check_rho(const PaKernel *kernel, int64_t shift)
{
	double		rho = pa_kernel_rho(kernel, shift);
	double		epsilon = (double) shift / typical(kernel);
	long double best = 0;
	long double alpha;

	for (alpha = 1.0001L; alpha < 40; alpha = 1 + (alpha - 1) * 1.3L)
	{
		if (reference_is_gaussian(kernel) && alpha * epsilon > 40)
			break;
		best = fmaxl(best, reference_ratio(kernel, shift, alpha));
	}
	assert_at_most(best, rho * (1 + 1e-12L));
	if (alpha >= 40 && best > 1e-6L && !(reference_is_gaussian(kernel) && kernel->band > 30 * shift))
		assert_at_most(rho, best * 1.01L);
	if (kernel->kind == PA_KERNEL_GAUSSIAN)
		assert_close(rho, 0.5L * epsilon * epsilon, 1e-12);
	if (kernel->kind == PA_KERNEL_LAPLACE)
		assert_at_most(rho, fmin(epsilon, epsilon * epsilon / 2) * (1 + 1e-12));
}

static void
rho_is_the_supremum(void **state)
{
	static const int64_t shifts[] = {1, 2, 3, 10, 50};
	PaKernel	kernel;
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
		for (j = 0; j < COUNT(shifts); j++)
		{
			/* a shift takes the end of the table's support out of it */
			if (kernel.kind == PA_KERNEL_OPTIMAL)
				assert_true(isinf(pa_kernel_rho(&kernel, shifts[j])));
			else if (shifts[j] < 60 * typical(&kernel) && typical(&kernel) <= 100)
				check_rho(&kernel, shifts[j]);
		}
}

/* One step of shift of a Laplace or of stairs of one is randomised response: rho = epsilon tanh(epsilon/2). */
static void
rho_of_one_step(void **state)
{
	double		scale;

	(void) state;
	for (scale = 0.02; scale < 1e8; scale *= 3.7)
	{
		PaKernel	kernel = plain(PA_KERNEL_LAPLACE, scale);
		long double epsilon = 1 / reference_scale(&kernel);

		assert_close(pa_kernel_rho(&kernel, 1), epsilon * tanhl(epsilon / 2), 1e-6);
		kernel = staircase((uint64_t) (fmin(1 / scale, 200) * 0x1p44), 1, 3);
		epsilon = 1 / reference_scale(&kernel);
		assert_close(pa_kernel_rho(&kernel, 1), epsilon * tanhl(epsilon / 2), 1e-6);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delta_is_the_sum),
		cmocka_unit_test(pure_delta_ends_at_its_loss),
		cmocka_unit_test(delta_grows_with_the_shift),
		cmocka_unit_test(extremes_are_sane),
		cmocka_unit_test(large_scales_approach_the_continuum),
		cmocka_unit_test(rho_is_the_supremum),
		cmocka_unit_test(rho_of_one_step),
	};

	return cmocka_run_group_tests_name("kernel loss", tests, NULL, NULL);
}
