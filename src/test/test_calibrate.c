/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_calibrate.c
 *		The promise of a calibration without an error bound holds, and little more noise than that is added.
 */
#include <math.h>

#include "core/accounting/budget.h"
#include "core/accounting/zcdp.h"
#include "calibration.h"
#include "source.h"

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
		PaRequest	request = plain_request(PA_KERNEL_LAPLACE, &sensitivity, epsilon, 0);

		assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
		check_frame(&request, &got);
		assert_true(got.epsilon == epsilon && got.delta == 0);
		assert_true(laplace_promise(&got, sensitivity.groups, epsilon, got.kernel.numerator));
		/* least on its grid: one part in a million less would break the promise */
		if (got.kernel.numerator > 1 << 19)
			assert_false(laplace_promise(&got, sensitivity.groups, epsilon, got.kernel.numerator - 1));
		/* and the lattice costs little, seen from the fine one */
		assert_at_most(pa_kernel_scale(&got.kernel) * pa_lattice_step(&got.lattice),
					   sensitivity.groups * (double) sensitivity.per_group / epsilon *
					   (1 + 1.0 / PA_COARSE_STEPS + 1e-5) +
					   pa_lattice_step(&got.lattice) * 0x1p-20);
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
		assert_int_equal(calibrate(PA_KERNEL_LAPLACE, &one, cases[i].epsilon, 0, &got), PA_OK);
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
		PaRequest	request;
		PaCalibration got;
		PaKernel	less;
		long double exact;

		request = plain_request(PA_KERNEL_GAUSSIAN, &sensitivity, epsilon, delta);
		assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
		check_frame(&request, &got);
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
		PaRequest	request;
		PaCalibration got;

		sensitivity.groups++;
		request = plain_request(PA_KERNEL_GAUSSIAN, &sensitivity, epsilon, delta);
		assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
		check_frame(&request, &got);
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
	assert_int_equal(calibrate(PA_KERNEL_GAUSSIAN, &one, 1, 1e-6, &got), PA_OK);
	/* the exact profile needs less noise than the detour through zCDP */
	assert_at_most(1e-6, pa_zcdp_delta(got.rho, 1));
	assert_at_most(pa_zcdp_epsilon(got.rho, 1e-6), 1.15);
}

static void
no_setting_fails(void **state)
{
	static const double epsilons[] = {1e-9, 1e-3, 1, 1e3, 1e6};
	static const double deltas[] = {1e-300, 1e-9, 0.5, 0.999};
	size_t		e;
	size_t		d;
	int			bits;
	int			groups;
	int			kind;

	(void) state;
	for (e = 0; e < sizeof(epsilons) / sizeof(epsilons[0]); e++)
		for (d = 0; d < sizeof(deltas) / sizeof(deltas[0]); d++)
			for (bits = 0; bits < 100; bits += 33)
				for (groups = 1; groups <= 1000; groups *= 1000)
					for (kind = 0; kind < PA_KERNEL_OPTIMAL; kind++)
					{
						PaRequest	request = {
							.kind = (PaKernelKind) kind, .sensitivity = {((PaInt128) 1 << bits) | 1, groups},
							.epsilon = epsilons[e], .delta = deltas[d], .within = ldexp(0.7, bits)
						};
						PaCalibration got;
						PaStatus	status = pa_calibrate(&request, NULL, &got);

						if (status == PA_OK)
							check_frame(&request, &got);
						else
						{
							assert_int_equal(status, PA_NO_SOLUTION);
							assert_true(groups / epsilons[e] > 1e9);
						}
					}
}

static PaStatus
answer(PaKernelKind kind, PaSensitivity sensitivity, double epsilon, double delta, double rho, double within)
{
	PaRequest	request = {
		.kind = kind, .sensitivity = sensitivity, .epsilon = epsilon, .delta = delta, .rho = rho, .within = within
	};
	PaCalibration got = {.shift = 99};
	PaStatus	status = pa_calibrate(&request, &plain_memory, &got);

	if (status == PA_OK)
		pa_calibration_free(&got, &plain_memory);
	else
		assert_int_equal(got.shift, 99);
	return status;
}

static void
bad_requests_are_refused(void **state)
{
	PaSensitivity one = {1, 1};
	PaSensitivity none = {0, 1};
	PaSensitivity huge = {(PaInt128) 1 << 100, 1};
	PaSensitivity nowhere = {1, 0};
	PaSensitivity wide = {1, 100};
	PaRequest	request = plain_request(PA_KERNEL_OPTIMAL, &one, 1, 0.01);
	PaCalibration got;

	(void) state;
	assert_int_equal(answer(PA_KERNEL_LAPLACE, none, 1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, huge, 1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, nowhere, 1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 0, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, -1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, NAN, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1.1e6, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, -0.1, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, NAN, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, 0, -1, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, 0, INFINITY, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, 0, NAN, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, 0, 0, NAN), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_GAUSSIAN, one, 1, 1, 0, -1), PA_INVALID);
	assert_int_equal(answer((PaKernelKind) PA_KERNEL_KINDS, one, 1, 0.1, 0, 1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_GAUSSIAN, one, 1, 0, 0, -1), PA_NO_SOLUTION);
	assert_int_equal(answer(PA_KERNEL_BRDP_GAUSSIAN, one, 1, 0, 0, 1), PA_NO_SOLUTION);
	assert_int_equal(answer(PA_KERNEL_BRDP_GAUSSIAN, one, 1, 0.1, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_BRDP_LAPLACE, one, 1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_STAIRCASE, one, 1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_STAIRCASE, one, 1, 0, 0, 0), PA_OK);
	assert_int_equal(answer(PA_KERNEL_OPTIMAL, one, 1, 1e-3, 0, 5), PA_OK);
	assert_int_equal(answer(PA_KERNEL_OPTIMAL, one, 1, 0.9e-3, 0, 5), PA_NO_SOLUTION);
	assert_int_equal(answer(PA_KERNEL_OPTIMAL, wide, 1, 0.01, 0, 5), PA_NO_SOLUTION);
	assert_int_equal(answer(PA_KERNEL_OPTIMAL, one, 1, 0.01, 0.1, 5), PA_NO_SOLUTION);
	request.within = 3;
	assert_int_equal(pa_calibrate(&request, NULL, &got), PA_INVALID);
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
		cmocka_unit_test(no_setting_fails),
		cmocka_unit_test(bad_requests_are_refused),
	};

	return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
