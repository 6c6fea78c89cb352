/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_lattice.c
 *		Lattices round alike for all totals, and are coarse where they can be.
 */
#include "calibration.h"
#include "source.h"

/* Monotone, commutes with whole steps, and moves by at most the shift. */
static void
lattices_round(void **state)
{
	uint64_t	seed = 10;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		PaInt128	d = 1 + (PaInt128) pa_random_below(&random, i % 2 ? 10 : 1 << 20);
		PaInt128	m = 1 + (PaInt128) pa_random_below(&random, 50);
		PaLattice	lattice = {d, (uint64_t) m};
		PaInt128	total = (PaInt128) pa_random_below(&random, 1 << 24) - (1 << 23);
		PaInt128	change = (PaInt128) pa_random_below(&random, 1 << 22);
		PaInt128	at = pa_lattice_round(&lattice, total);
		PaInt128	moved = pa_lattice_round(&lattice, total + change) - at;

		assert_true(2 * (at * d - total * m) <= d && 2 * (total * m - at * d) < d);
		assert_true(pa_lattice_round(&lattice, total + 7 * d) == at + 7 * m);
		assert_true(moved >= 0 && moved <= pa_lattice_shift(&lattice, change));
		assert_true(pa_lattice_shift(&lattice, change) * d >= change * m);
		assert_true((pa_lattice_shift(&lattice, change) - 1) * d < change * m);
		assert_close(pa_lattice_step(&lattice), (long double) d / (long double) m, 1e-15);
	}
}

static void
lattices_fit(void **state)
{
	uint64_t	seed = 11;
	PaRandom	random;
	PaLattice	lattice;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		PaInt128	per_group = 1 + pa_random_below128(&random, (PaUint128) 1 << pa_random_below(&random, 100));
		int64_t		steps = 1 + (int64_t) pa_random_below(&random, UINT64_C(1) << pa_random_below(&random, 27));
		PaInt128	shift;

		steps = steps < PA_FIT_STEPS ? steps : PA_FIT_STEPS;
		assert_int_equal(pa_lattice_fit(per_group, steps, &lattice), PA_OK);
		shift = pa_lattice_shift(&lattice, per_group);
		assert_true(shift <= steps && shift >= steps - steps / 500 - (steps > 1 ? 1 : 0));
		assert_true(lattice.divisor >= 1 && lattice.multiple >= 1);
		assert_true((PaInt128) lattice.multiple <= 512 * steps / per_group + 1);
	}
	assert_int_equal(pa_lattice_fit(1, 700, &lattice), PA_OK);
	assert_true(lattice.divisor == 1 && lattice.multiple == 700);
	assert_int_equal(pa_lattice_fit(0, 7, &lattice), PA_INVALID);
	assert_int_equal(pa_lattice_fit(7, 0, &lattice), PA_INVALID);
	assert_int_equal(pa_lattice_fit(7, PA_FIT_STEPS + 1, &lattice), PA_INVALID);
}

/* Coarser only as far as scale, sensitivity and bound still have their steps. */
static void
lattices_are_coarse_where_they_can(void **state)
{
	PaRequest	request = {
		.kind = PA_KERNEL_GAUSSIAN, .sensitivity = {1 << 20, 1}, .epsilon = 1, .delta = 1e-6, .within = -1
	};
	PaCalibration got;

	(void) state;
	assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
	assert_true(got.shift == 512);
	request.within = 4096;
	assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
	assert_true(got.lattice.divisor == 8 && got.band == 512);
	request.within = 511.5;
	assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
	assert_true(got.lattice.divisor == 1 && got.band == 511);
	request.sensitivity.per_group = 100;
	assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
	assert_true(got.lattice.divisor == 1 && got.shift == 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lattices_round),
		cmocka_unit_test(lattices_fit),
		cmocka_unit_test(lattices_are_coarse_where_they_can),
	};

	return cmocka_run_group_tests_name("lattice", tests, NULL, NULL);
}
