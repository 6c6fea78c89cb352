/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_optimal.c
 *		The linear program's noise: optimal, and private to the last integer.
 */
#include <math.h>
#include <stdlib.h>

#include "core/noise/optimal.h"
#include "source.h"
#include "unit.h"

/* Counts what is held, and fails at a chosen allocation. */
typedef struct Meter
{
	int			held;
	int			fail_at;		/* 0: never */
	int			asked;
	bool		stop;
} Meter;

static void *
metered_allocate(void *context, size_t size)
{
	Meter	   *meter = context;

	if (++meter->asked == meter->fail_at)
		return NULL;
	meter->held++;
	return malloc(size);
}

static void
metered_release(void *context, void *memory)
{
	Meter	   *meter = context;

	meter->held--;
	free(memory);
}

static bool
metered_interrupted(void *context)
{
	return ((Meter *) context)->stop;
}

static PaEnvironment
environment_of(Meter *meter)
{
	PaEnvironment environment = {metered_allocate, metered_release, metered_interrupted, meter};

	return environment;
}

static long double
weight_at(const PaNoiseTable *table, int64_t k)
{
	int64_t		far = k < 0 ? -k : k;

	return far <= table->last ? (long double) table->weight[far] : 0;
}

static long double
brute_delta(const PaNoiseTable *table, int64_t shift, long double epsilon)
{
	long double sum = 0;
	int64_t		k;

	for (k = -table->last; k <= table->last; k++)
		sum += fmaxl(0, weight_at(table, k) - expl(epsilon) * weight_at(table, k - shift));
	return sum / (long double) table->total;
}

static long double
brute_acceptance(const PaNoiseTable *table, int64_t band)
{
	long double sum = 0;
	int64_t		k;

	for (k = -band; k <= band; k++)
		sum += weight_at(table, k);
	return sum / (long double) table->total;
}

static void
check_table(const PaNoiseTable *table)
{
	uint64_t	sum = table->weight[0];
	int32_t		k;

	assert_true(table->last >= 0 && table->last <= PA_OPTIMAL_LAST);
	for (k = 1; k <= table->last; k++)
	{
		assert_true(table->weight[k] <= table->weight[k - 1]);
		sum += 2 * table->weight[k];
	}
	assert_true(sum == table->total && sum <= UINT64_C(1) << 62);
}

static void
keeps_its_promise_and_is_optimal(void **state)
{
	Meter		meter = {0};
	PaEnvironment environment = environment_of(&meter);
	uint64_t	seed = 41;
	PaRandom	random;
	int			solved = 0;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 60; i++)
	{
		int64_t		shift = 1 + (int64_t) pa_random_below(&random, 12);
		int64_t		band = (int64_t) pa_random_below(&random, 20);
		int32_t		last = 20 + (int32_t) pa_random_below(&random, 60);
		double		epsilon = exp(uniform(&random, log(0.2), log(8)));
		double		delta = exp(uniform(&random, log(1e-5), log(0.2)));
		double		best;
		PaNoiseTable *table;
		PaStatus	status = pa_optimal_noise(shift, band, last, epsilon, delta, &environment, &table);

		if (status != PA_OK)
		{
			assert_int_equal(status, PA_NO_SOLUTION);
			continue;
		}
		solved++;
		check_table(table);
		assert_true(table->last <= last);
		assert_at_most(brute_delta(table, shift, epsilon), delta);
		assert_int_equal(pa_optimal_acceptance(shift, band, last, epsilon, delta, &environment, &best), PA_OK);
		assert_at_most(best - 2e-5, brute_acceptance(table, band));
		assert_at_most(brute_acceptance(table, band), best + 1e-6);
		metered_release(&meter, table);
	}
	assert_at_most(30, solved);
	assert_int_equal(meter.held, 0);
}

/* The staircase is one of the laws the program may choose from. */
static void
beats_the_staircase(void **state)
{
	uint64_t	seed = 42;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 30; i++)
	{
		int64_t		shift = 1 + (int64_t) pa_random_below(&random, 10);
		int64_t		band = (int64_t) pa_random_below(&random, 20);
		double		epsilon = uniform(&random, 1, 5);
		double		acceptance;
		PaLaw		law;

		assert_int_equal(pa_law_staircase(PA_LATTICE, epsilon, (double) shift, (double) band, &law), PA_OK);
		assert_int_equal(pa_optimal_acceptance(shift, band, 200, epsilon, 1e-3, NULL, &acceptance), PA_OK);
		assert_at_most(pa_law_acceptance(&law, (double) band) - 1e-7, acceptance);
		/* and not by more than delta is worth */
		assert_at_most(acceptance, pa_law_acceptance(&law, (double) band) + 0.02);
	}
}

static void
known_optimum(void **state)
{
	double		acceptance;

	(void) state;
	assert_int_equal(pa_optimal_acceptance(1, 5, 31, 0.651518, 1e-5, NULL, &acceptance), PA_OK);
	assert_true(fabs(acceptance - 0.9736503439328619) < 2e-6);
}

static void
what_cannot_be_is_refused(void **state)
{
	Meter		meter = {0};
	PaEnvironment environment = environment_of(&meter);
	PaNoiseTable *table = NULL;
	double		acceptance;

	(void) state;
	assert_int_equal(pa_optimal_noise(0, 1, 9, 1, 0.1, &environment, &table), PA_INVALID);
	assert_int_equal(pa_optimal_noise(1, -1, 9, 1, 0.1, &environment, &table), PA_INVALID);
	assert_int_equal(pa_optimal_noise(1, 10, 9, 1, 0.1, &environment, &table), PA_INVALID);
	assert_int_equal(pa_optimal_noise(1, 1, PA_OPTIMAL_LAST + 1, 1, 0.1, &environment, &table), PA_INVALID);
	assert_int_equal(pa_optimal_noise(1, 1, 9, 0, 0.1, &environment, &table), PA_INVALID);
	assert_int_equal(pa_optimal_noise(1, 1, 9, NAN, 0.1, &environment, &table), PA_INVALID);
	assert_int_equal(pa_optimal_noise(1, 1, 9, 1, 0, &environment, &table), PA_INVALID);
	assert_int_equal(pa_optimal_noise(1, 1, 9, 1, 1, &environment, &table), PA_INVALID);
	assert_int_equal(pa_optimal_noise(1, 1, 9, 1, 0.1, NULL, &table), PA_INVALID);
	/* a support too short for so little delta, or without any overlap */
	assert_int_equal(pa_optimal_noise(5, 1, 9, 0.1, 1e-9, &environment, &table), PA_NO_SOLUTION);
	assert_int_equal(pa_optimal_noise(19, 1, 9, 1, 0.1, &environment, &table), PA_NO_SOLUTION);
	assert_int_equal(pa_optimal_noise(INT64_MAX, 1, 9, 1, 0.1, &environment, &table), PA_NO_SOLUTION);
	assert_int_equal(pa_optimal_acceptance(19, 1, 9, 1, 0.1, NULL, &acceptance), PA_NO_SOLUTION);
	assert_null(table);
	assert_int_equal(meter.held, 0);
}

static void
stops_and_fails_cleanly(void **state)
{
	Meter		meter = {.fail_at = 1};
	PaEnvironment environment = environment_of(&meter);
	PaNoiseTable *table = NULL;

	(void) state;
	assert_int_equal(pa_optimal_noise(2, 3, 40, 1, 0.01, &environment, &table), PA_NO_MEMORY);
	assert_null(table);
	meter.stop = true;
	assert_int_equal(pa_optimal_noise(2, 3, 40, 1, 0.01, &environment, &table), PA_INTERRUPTED);
	assert_null(table);
	meter.stop = false;
	assert_int_equal(pa_optimal_noise(2, 3, 40, 1, 0.01, &environment, &table), PA_OK);
	check_table(table);
	metered_release(&meter, table);
	assert_int_equal(meter.held, 0);
}

/* Extremes end soon, whatever the answer. */
static void
extremes_end(void **state)
{
	static const double epsilons[] = {1e-12, 1e-3, 30, 700, 1e300};
	static const double deltas[] = {1e-300, 1e-12, 0.5, 1 - 1e-12};
	Meter		meter = {0};
	PaEnvironment environment = environment_of(&meter);
	size_t		e;
	size_t		d;

	(void) state;
	for (e = 0; e < 5; e++)
		for (d = 0; d < 4; d++)
		{
			PaNoiseTable *table;
			PaStatus	status = pa_optimal_noise(3, 7, 60, epsilons[e], deltas[d], &environment, &table);

			assert_true(status == PA_OK || status == PA_NO_SOLUTION);
			if (status != PA_OK)
				continue;
			check_table(table);
			if (epsilons[e] < 1000)
				assert_at_most(brute_delta(table, 3, epsilons[e]), deltas[d]);
			metered_release(&meter, table);
		}
	assert_int_equal(meter.held, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_its_promise_and_is_optimal),
		cmocka_unit_test(beats_the_staircase),
		cmocka_unit_test(known_optimum),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(stops_and_fails_cleanly),
		cmocka_unit_test(extremes_end),
	};

	return cmocka_run_group_tests_name("optimal", tests, NULL, NULL);
}
