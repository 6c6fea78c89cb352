/*
 * test_calibrate.c
 *		The promise of a calibration holds, and little more noise than that is added.
 */
#include <math.h>
#include <time.h>

#include "core/accounting/budget.h"
#include "core/accounting/calibrate.h"
#include "core/accounting/zcdp.h"
#include "core/noise/continuous.h"
#include "source.h"
#include "unit.h"

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

static long double
brute_delta(long double sigma, long shift, long double epsilon)
{
	long double all = 1;
	long double sum = 0;
	long		wide = (long) (20 * sigma) + 20;
	long		k;

	for (k = wide; k >= 1; k--)
		all += 2 * expl(-k * (long double) k / (2 * sigma * sigma));
	for (k = -wide; k <= wide + shift; k++)
	{
		long double loss = shift * (long double) (shift - 2 * k) / (2 * sigma * sigma);

		if (loss > epsilon)
			sum += -expm1l(epsilon - loss) * expl(-k * (long double) k / (2 * sigma * sigma));
	}
	return sum / all;
}

/* What must hold of every result, in terms of the request alone */
static void
check_frame(const PaSensitivity *sensitivity, const PaCalibration *got)
{
	PaInt128	covered = (PaInt128) got->shift << got->coarsen;

	assert_true(pa_kernel_valid(&got->kernel));
	assert_true(got->kernel.shift == 0 || got->kernel.numerator % 2 == 1);
	assert_true(covered >= sensitivity->per_group);
	assert_true(covered - ((PaInt128) 1 << got->coarsen) < sensitivity->per_group);
	assert_close(got->rho, pa_kernel_rho(&got->kernel, got->shift) * (long double) sensitivity->groups,
				 1e-12);
}

static PaSensitivity
random_sensitivity(PaRandom *random)
{
	PaSensitivity sensitivity = {1, 1};
	uint64_t	size = pa_random_below(random, 70);

	sensitivity.per_group += pa_random_below128(random, (PaUint128) 1 << size);
	if (pa_random_bit(random))
		sensitivity.groups += pa_random_below(random, 50);
	return sensitivity;
}

/* epsilon n >= L0 D 2^s with epsilon as an amount, in integers that are wide enough */
static int
laplace_promise(const PaCalibration *got, uint32_t groups, double epsilon, uint64_t numerator)
{
	PaAmount	exact;
	PaUint128	high;
	PaUint128	low;
	PaUint128	need;
	PaUint128	need_low;
	PaUint128	loss = ((PaUint128) groups * (uint64_t) got->shift) << got->kernel.shift;
	PaUint128	unit = 1;
	int			i;

	assert_int_equal(pa_amount_from_double_down(epsilon, &exact), PA_OK);
	for (i = 0; i < PA_AMOUNT_DIGITS; i++)
		unit *= 10;
	/* both products as high * 2^64 + low; each half product fits: n < 2^40, loss < 2^64 here */
	assert_true(loss >> 64 == 0);
	low = (PaUint128) (uint64_t) exact * numerator;
	high = ((PaUint128) exact >> 64) * numerator + (low >> 64);
	need_low = (PaUint128) (uint64_t) unit * (uint64_t) loss;
	need = (unit >> 64) * (uint64_t) loss + (need_low >> 64);
	return high > need || (high == need && (uint64_t) low >= (uint64_t) need_low);
}

static void
laplace_keeps_its_promise(void **state)
{
	uint64_t	seed = 5;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		PaSensitivity sensitivity = random_sensitivity(&random);
		double		epsilon = exp(uniform(&random, log(1e-6), log(1e3)));
		PaCalibration got;

		assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &sensitivity, epsilon, 0, &got), PA_OK);
		check_frame(&sensitivity, &got);
		assert_true(got.epsilon == epsilon && got.delta == 0);
		assert_true(laplace_promise(&got, sensitivity.groups, epsilon, got.kernel.numerator));
		/* least on its grid: one part in a million less would break the promise */
		if (got.kernel.numerator > 1 << 19)
			assert_false(laplace_promise(&got, sensitivity.groups, epsilon, got.kernel.numerator - 1));
		/* and the lattice costs little, seen from the fine one */
		assert_at_most(ldexp(pa_kernel_scale(&got.kernel), (int) got.coarsen),
					   sensitivity.groups * (double) sensitivity.per_group / epsilon *
					   (1 + 1.0 / PA_COARSE_STEPS + 1e-5) +
					   ldexp(1, (int) got.coarsen) * 0x1p-20);
	}
}

/* A pure promise charges exactly what was asked: no scale is rounded up for nothing. */
static void
decimal_epsilon_gives_the_exact_scale(void **state)
{
	static const struct
	{
		double		epsilon;
		uint64_t	scale;
	}			cases[] = {{0.1, 10}, {0.2, 5}, {0.01, 100}, {0.001, 1000}, {1, 1}, {1e-9, 1000000000}};
	PaSensitivity one = {1, 1};
	PaCalibration got;
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &one, cases[i].epsilon, 0, &got), PA_OK);
		assert_int_equal(got.kernel.shift, 0);
		assert_int_equal(got.kernel.numerator, cases[i].scale);
	}
}

static void
gaussian_keeps_its_promise(void **state)
{
	uint64_t	seed = 6;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 150; i++)
	{
		PaSensitivity sensitivity = {1 + pa_random_below(&random, i % 2 ? 5 : 100000), 1};
		double		epsilon = exp(uniform(&random, log(0.05), log(20)));
		double		delta = exp(uniform(&random, log(1e-12), log(0.05)));
		PaCalibration got;
		PaKernel	less;
		long double exact;

		assert_int_equal(pa_calibrate(PA_KERNEL_GAUSSIAN, &sensitivity, epsilon, delta, &got), PA_OK);
		check_frame(&sensitivity, &got);
		assert_true(got.epsilon == epsilon && got.delta == delta);
		exact = brute_delta(pa_kernel_scale(&got.kernel), got.shift, epsilon);
		assert_at_most(exact, delta * (1 - 1e-15L));
		assert_int_equal(pa_kernel_make(PA_KERNEL_GAUSSIAN,
										pa_kernel_scale(&got.kernel) * (1 - 1e-5) - 0x1p-19, &less), PA_OK);
		assert_at_most(delta, brute_delta(pa_kernel_scale(&less), got.shift, epsilon));
	}
}

static void
gaussian_of_many_groups(void **state)
{
	uint64_t	seed = 9;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 2000; i++)
	{
		PaSensitivity sensitivity = random_sensitivity(&random);
		double		epsilon = exp(uniform(&random, log(1e-3), log(50)));
		double		delta = exp(uniform(&random, log(1e-12), log(0.05)));
		PaCalibration got;

		sensitivity.groups++;
		assert_int_equal(pa_calibrate(PA_KERNEL_GAUSSIAN, &sensitivity, epsilon, delta, &got), PA_OK);
		check_frame(&sensitivity, &got);
		assert_at_most(pa_zcdp_delta(got.rho, epsilon), delta);
		if (pa_kernel_scale(&got.kernel) > 1)
			assert_at_most(delta, pa_zcdp_delta(got.rho * (1 + 1e-5), epsilon));
	}
}

/* A budget in zCDP is filled by calibrated releases without ever passing it. */
static void
rho_is_what_the_profile_says(void **state)
{
	PaSensitivity one = {1, 1};
	PaCalibration got;

	(void) state;
	assert_int_equal(pa_calibrate(PA_KERNEL_GAUSSIAN, &one, 1, 1e-6, &got), PA_OK);
	/* the exact profile needs less noise than the detour through zCDP */
	assert_at_most(1e-6, pa_zcdp_delta(got.rho, 1));
	assert_at_most(pa_zcdp_epsilon(got.rho, 1e-6), 1.15);
}

static void
no_setting_is_slow_or_fails(void **state)
{
	static const double epsilons[] = {1e-9, 1e-6, 1e-3, 0.1, 1, 10, 1e3, 1e6};
	static const double deltas[] = {1e-300, 1e-30, 1e-9, 1e-3, 0.5, 0.999};
	double		worst = 0;
	size_t		e;
	size_t		d;
	int			bits;
	int			groups;

	(void) state;
	for (e = 0; e < sizeof(epsilons) / sizeof(epsilons[0]); e++)
		for (d = 0; d < sizeof(deltas) / sizeof(deltas[0]); d++)
			for (bits = 0; bits < 100; bits += 11)
				for (groups = 1; groups <= 1000; groups *= 10)
				{
					PaSensitivity sensitivity = {((PaInt128) 1 << bits) | 1, groups};
					PaKernelKind kind;

					for (kind = PA_KERNEL_LAPLACE; kind <= PA_KERNEL_GAUSSIAN; kind++)
					{
						PaCalibration got;
						clock_t		start = clock();
						PaStatus	status = pa_calibrate(kind, &sensitivity, epsilons[e], deltas[d], &got);

						worst = fmax(worst, (double) (clock() - start) / CLOCKS_PER_SEC);
						if (status == PA_OK)
							check_frame(&sensitivity, &got);
						else
						{
							assert_int_equal(status, PA_NO_SOLUTION);
							assert_true(groups / epsilons[e] > 1e9);
						}
					}
				}
	/* 20 ms is the goal of a plain build; this one carries sanitizers */
	assert_at_most(worst, 0.2);
}

static void
bad_requests_are_refused(void **state)
{
	PaSensitivity one = {1, 1};
	PaSensitivity none = {0, 1};
	PaSensitivity huge = {(PaInt128) 1 << 100, 1};
	PaSensitivity nowhere = {1, 0};
	PaCalibration got = {.coarsen = 99};

	(void) state;
	assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &none, 1, 0, &got), PA_INVALID);
	assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &huge, 1, 0, &got), PA_INVALID);
	assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &nowhere, 1, 0, &got), PA_INVALID);
	assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &one, 0, 0, &got), PA_INVALID);
	assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &one, -1, 0, &got), PA_INVALID);
	assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &one, NAN, 0, &got), PA_INVALID);
	assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &one, 1.1e6, 0, &got), PA_INVALID);
	assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &one, 1, -0.1, &got), PA_INVALID);
	assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &one, 1, NAN, &got), PA_INVALID);
	assert_int_equal(pa_calibrate(PA_KERNEL_GAUSSIAN, &one, 1, 0, &got), PA_INVALID);
	assert_int_equal(pa_calibrate(PA_KERNEL_GAUSSIAN, &one, 1, 1, &got), PA_INVALID);
	assert_int_equal(got.coarsen, 99);
}

/* Monotone, commutes with whole coarse steps, and moves by at most the coarse shift. */
static void
coarsening_is_a_rounding(void **state)
{
	uint64_t	seed = 10;
	PaRandom	random;
	PaInt128	most = (PaInt128) (~(PaUint128) 0 >> 1);
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		uint32_t	coarsen = (uint32_t) pa_random_below(&random, 20);
		PaInt128	step = (PaInt128) 1 << coarsen;
		PaInt128	total = (PaInt128) pa_random_below(&random, 1 << 24) - (1 << 23);
		PaInt128	change = (PaInt128) pa_random_below(&random, 1 << 22);
		PaInt128	at = pa_coarsen(total, coarsen);
		PaInt128	moved = pa_coarsen(total + change, coarsen) - at;

		assert_true(2 * (at * step - total) <= step && 2 * (total - at * step) <= step);
		assert_true(pa_coarsen(total + 7 * step, coarsen) == at + 7);
		assert_true(moved >= 0 && moved <= (change + step - 1) / step);
	}
	assert_true(pa_coarsen(-3, 1) == -1 && pa_coarsen(3, 1) == 2 && pa_coarsen(-1, 0) == -1);
	assert_true(pa_coarsen(most, 1) == most / 2 + 1);
	assert_true(pa_coarsen(-most - 1, 1) == -(most / 2) - 1);
	assert_true(pa_coarsen(most, 126) == 2 && pa_coarsen(-1, 127) == 0);
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

				assert_int_equal(pa_calibrate(PA_KERNEL_LAPLACE, &owners, epsilons[e], 0, &got), PA_OK);
				assert_int_equal(got.coarsen, 0);
				assert_int_equal(pa_selection_threshold(&got.kernel, groups, deltas[d], &tau), PA_OK);
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
	assert_int_equal(pa_calibrate(PA_KERNEL_GAUSSIAN, &owners, 1, 1e-6, &got), PA_OK);
	assert_int_equal(pa_selection_threshold(&got.kernel, 3, 1e-7, &tau), PA_OK);
	sigma = pa_kernel_scale(&got.kernel);
	assert_at_most(3 * brute_tail(sigma, (long) tau - 1), 1e-7L);
	assert_at_most(1e-7L, 3 * brute_tail(sigma, (long) tau - 2));
	assert_int_equal(pa_selection_threshold(&got.kernel, 0, 1e-7, &tau), PA_INVALID);
	assert_int_equal(pa_selection_threshold(&got.kernel, 1, 0, &tau), PA_INVALID);
	assert_int_equal(pa_selection_threshold(&got.kernel, 1, 1, &tau), PA_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(laplace_keeps_its_promise),
		cmocka_unit_test(decimal_epsilon_gives_the_exact_scale),
		cmocka_unit_test(gaussian_keeps_its_promise),
		cmocka_unit_test(gaussian_of_many_groups),
		cmocka_unit_test(rho_is_what_the_profile_says),
		cmocka_unit_test(no_setting_is_slow_or_fails),
		cmocka_unit_test(bad_requests_are_refused),
		cmocka_unit_test(coarsening_is_a_rounding),
		cmocka_unit_test(threshold_is_the_least),
		cmocka_unit_test(threshold_of_gaussian),
	};

	return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
