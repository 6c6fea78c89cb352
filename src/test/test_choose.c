/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_choose.c
 *		Draws of the exponential mechanism against its law, and against bad sources.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/noise/choose.h"
#include "source.h"
#include "unit.h"

#define COUNT(array) ((int) (sizeof(array) / sizeof((array)[0])))
#define MOST_ITEMS 16

/*
 * Probability that the items are drawn in just this order: the definition, with
 * the best item that is left taken out of the exponents only so that they do not overflow.
 */
static long double
chance_of(const int64_t *score, int items, const int *order, int k, double epsilon, int64_t sensitivity)
{
	long double chance = 1;
	bool		taken[MOST_ITEMS] = {false};
	int			rank;
	int			i;

	for (rank = 0; rank < k; rank++)
	{
		long double sum = 0;

		for (i = 0; i < items; i++)
			if (!taken[i])
				sum += expl(epsilon * ((long double) score[i] - (long double) score[order[rank]]) / (2 * (long double) sensitivity));
		chance /= sum;
		taken[order[rank]] = true;
	}
	return chance;
}

/* The next ordered choice of k items out of so many, as a number with so many digits; false after the last */
static bool
next_order(int *order, int k, int items)
{
	bool		again = true;
	int			i;
	int			j;

	while (again)
	{
		for (i = k - 1; i >= 0 && ++order[i] == items; i--)
			order[i] = 0;
		if (i < 0)
			return false;
		again = false;
		for (i = 0; i < k; i++)
			for (j = 0; j < i; j++)
				again = again || order[i] == order[j];
	}
	return true;
}

static int
index_of(const int *order, int k, int items)
{
	int			index = 0;
	int			i;

	for (i = 0; i < k; i++)
		index = index * items + order[i];
	return index;
}

/* All ordered choices of k items at once */
static void
check_law(const int64_t *score, int items, int k, double epsilon, int64_t sensitivity)
{
	long		draws = draws_wanted() / 4;
	int			cells = (int) lround(pow(items, k));
	double	   *seen = calloc((size_t) cells, sizeof(double));
	double	   *expected = calloc((size_t) cells, sizeof(double));
	unsigned char taken[MOST_ITEMS];
	int			order[MOST_ITEMS];
	long double all = 0;
	PaRandom	random;
	double		p;
	long		n;

	assert_non_null(seen);
	assert_non_null(expected);
	for (n = 0; n < k; n++)
		order[n] = 0;
	if (k == 1)
		expected[0] = (double) (all = chance_of(score, items, order, k, epsilon, sensitivity));
	while (next_order(order, k, items))
	{
		long double chance = chance_of(score, items, order, k, epsilon, sensitivity);

		expected[index_of(order, k, items)] = (double) chance;
		all += chance;
	}
	assert_close(all, 1, 1e-15);
	for (n = 0; n < cells; n++)
		expected[n] *= (double) draws;
	pa_random_init(&random, source_system, NULL);
	for (n = 0; n < draws; n++)
	{
		assert_int_equal(pa_choose(score, items, k, epsilon, sensitivity, &random, taken, order, NULL), PA_OK);
		seen[index_of(order, k, items)]++;
	}
	p = chi_square_p(seen, expected, cells);
	if (!(p > FALSE_ALARM))
		fail_msg("%d of %d items, epsilon %g, sensitivity %lld: p = %g", k, items, epsilon, (long long) sensitivity, p);
	free(seen);
	free(expected);
}

static void
one_draw_follows_the_law(void **state)
{
	static const int64_t near[8] = {3, 7, 7, 0, -2, 5, 6, 1};
	static const int64_t wide[5] = {-100000, 0, 40, 90000, 90010};
	static const int64_t two[2] = {10, 11};

	(void) state;
	check_law(near, COUNT(near), 1, 0.5, 1);
	check_law(near, COUNT(near), 1, 1, 1);
	check_law(near, COUNT(near), 1, 3.7, 3);
	check_law(near, COUNT(near), 1, 1e-3, 1);
	check_law(wide, COUNT(wide), 1, 0.1, 1);
	check_law(wide, COUNT(wide), 1, 1, 70000);
	check_law(two, COUNT(two), 1, 2, 1);
}

/* As dp_topk does it: the rest is drawn from what is left, with the same epsilon each. */
static void
several_draws_are_without_replacement(void **state)
{
	static const int64_t score[5] = {4, 0, 6, 6, 1};

	(void) state;
	check_law(score, COUNT(score), 2, 1, 1);
	check_law(score, COUNT(score), 3, 0.7, 1);
	check_law(score, COUNT(score), 5, 0.7, 2);
}

static void
equal_scores_are_drawn_alike(void **state)
{
	static const int64_t low[7] = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
	static const int64_t zero[7] = {0};

	(void) state;
	check_law(low, COUNT(low), 1, 1e5, 1);
	check_law(zero, COUNT(zero), 1, 1, 1);
	check_law(zero, 3, 3, 1, 1);
}

/* With hardly any epsilon every item is as good; and scores of the ends of their range do not wrap around. */
static void
little_epsilon_is_nearly_uniform(void **state)
{
	static const int64_t near[4] = {-30, 0, 1000, 7};
	static const int64_t apart[3] = {-(INT64_C(1) << 60), 0, INT64_C(1) << 60};

	(void) state;
	check_law(near, COUNT(near), 1, ldexp(1, -40), 1);
	/* ratios e^-1 and e^-2 */
	check_law(apart, COUNT(apart), 1, ldexp(1, -40) * 2, (INT64_C(1) << 20));
	check_law(apart, COUNT(apart), 1, ldexp(1, -20), INT64_C(1) << 39);
}

static void
one_item_has_no_rival(void **state)
{
	static const int64_t score[3] = {INT64_MIN, 0, INT64_MAX};
	unsigned char taken[1];
	PaRandom	random;
	int			chosen;
	int			i;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < 3; i++)
	{
		chosen = -1;
		assert_int_equal(pa_choose(&score[i], 1, 1, 1, 1, &random, taken, &chosen, NULL), PA_OK);
		assert_int_equal(chosen, 0);
	}
}

/* Another item would come with a probability below e^-5e4. */
static void
much_epsilon_takes_the_best(void **state)
{
	static const int64_t score[6] = {9, 10, INT64_MIN, 8, 0, INT64_MIN};
	static const int64_t ends[3] = {INT64_MIN, INT64_MAX, 0};
	unsigned char taken[6];
	PaRandom	random;
	int			chosen[6];
	int			i;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < 1000; i++)
	{
		assert_int_equal(pa_choose(score, 6, 4, 1e5, 1, &random, taken, chosen, NULL), PA_OK);
		assert_int_equal(chosen[0], 1);
		assert_int_equal(chosen[1], 0);
		assert_int_equal(chosen[2], 3);
		assert_int_equal(chosen[3], 4);
		assert_int_equal(pa_choose(ends, 3, 3, 1, 1, &random, taken, chosen, NULL), PA_OK);
		assert_int_equal(chosen[0], 1);
		assert_int_equal(chosen[1], 2);
		assert_int_equal(chosen[2], 0);
	}
}

static void
all_items_are_a_permutation(void **state)
{
	int64_t		score[200];
	unsigned char taken[200];
	bool		seen[200] = {false};
	PaRandom	random;
	int			chosen[200];
	int			i;

	(void) state;
	for (i = 0; i < 200; i++)
		score[i] = i * i;
	pa_random_init(&random, source_system, NULL);
	assert_int_equal(pa_choose(score, 200, 200, 0.01, 1, &random, taken, chosen, NULL), PA_OK);
	for (i = 0; i < 200; i++)
	{
		assert_in_range(chosen[i], 0, 199);
		assert_false(seen[chosen[i]]);
		seen[chosen[i]] = true;
	}
}

/* What an item gains by a change of all scores by the sensitivity, for and against it */
static void
changed_scores_change_chances_by_epsilon(void **state)
{
	enum
	{
		N = 6
	};
	uint64_t	seed = 31;
	PaRandom	random;
	int			i;
	int			j;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 2000; i++)
	{
		int64_t		one[N];
		int64_t		other[N];
		int			order[3] = {0, 1, 2};
		int64_t		sensitivity = 1 + (int64_t) pa_random_below(&random, 5);
		double		epsilon = exp(uniform(&random, -3, 2));

		for (j = 0; j < N; j++)
		{
			one[j] = (int64_t) pa_random_below(&random, 20);
			other[j] = one[j] + (j < 3 ? sensitivity : -sensitivity);
		}
		assert_at_most(logl(chance_of(other, N, order, 3, epsilon, sensitivity) /
							chance_of(one, N, order, 3, epsilon, sensitivity)), 3 * epsilon + 1e-12L);
	}
}

static void
refused(int items, int k, double epsilon, int64_t sensitivity)
{
	static const int64_t score[3] = {1, 2, 3};
	unsigned char taken[3] = {7, 7, 7};
	int			chosen[4] = {-1, -1, -1, -1};
	PaRandom	random;

	pa_random_init(&random, source_system, NULL);
	assert_int_equal(pa_choose(score, items, k, epsilon, sensitivity, &random, taken, chosen, NULL), PA_INVALID);
	assert_int_equal(chosen[0], -1);
	assert_int_equal(taken[0], 7);
}

static void
bad_choices_are_refused(void **state)
{
	(void) state;
	refused(3, 0, 1, 1);
	refused(3, -1, 1, 1);
	refused(3, 4, 1, 1);
	refused(0, 0, 1, 1);
	refused(0, 1, 1, 1);
	refused(3, 1, 0, 1);
	refused(3, 1, -1, 1);
	refused(3, 1, NAN, 1);
	refused(3, 1, INFINITY, 1);
	refused(3, 1, 100001, 1);
	refused(3, 1, ldexp(1, -41), 1);
	refused(3, 1, 1, 0);
	refused(3, 1, 1, -1);
	refused(3, 1, 1, INT64_C(1) << 40);
	refused(3, 1, 1, INT64_MIN);
}

static void
failing_sources_are_reported(void **state)
{
	static const unsigned char bytes[2 * PA_RANDOM_BUFFER] = {0};
	int64_t		score[MOST_ITEMS];
	unsigned char taken[MOST_ITEMS];
	int			chosen[MOST_ITEMS];
	PaRandom	random;
	int			i;

	(void) state;
	for (i = 0; i < MOST_ITEMS; i++)
		score[i] = -1000 * i;
	for (i = 0; i < 2; i++)
	{
		Tape		tape = {bytes, (size_t) i * PA_RANDOM_BUFFER, 0};

		score[0] = -INT64_C(1000000000);
		pa_random_init(&random, source_tape, &tape);
		assert_int_equal(pa_choose(score, MOST_ITEMS, MOST_ITEMS, 1, 1, &random, taken, chosen, NULL), PA_NO_RANDOMNESS);
		assert_int_equal(pa_choose(score, MOST_ITEMS, 1, 1, 1, &random, taken, chosen, NULL), PA_NO_RANDOMNESS);
	}
}

/* Whatever byte it repeats, a source that is stuck proposes the same item for ever. */
static void
stuck_sources_do_not_hang(void **state)
{
	int64_t		score[MOST_ITEMS];
	unsigned char taken[MOST_ITEMS];
	int			chosen[MOST_ITEMS];
	int			byte;
	int			i;

	(void) state;
	for (i = 0; i < MOST_ITEMS; i++)
		score[i] = i % 2 == 0 ? 0 : 1000;
	for (byte = 0; byte < 256; byte++)
	{
		unsigned char repeated = (unsigned char) byte;
		PaRandom	random;

		pa_random_init(&random, source_stuck, &repeated);
		assert_int_equal(pa_choose(score, MOST_ITEMS, MOST_ITEMS, 1, 1, &random, taken, chosen, NULL), PA_NO_RANDOMNESS);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_draw_follows_the_law),
		cmocka_unit_test(several_draws_are_without_replacement),
		cmocka_unit_test(equal_scores_are_drawn_alike),
		cmocka_unit_test(little_epsilon_is_nearly_uniform),
		cmocka_unit_test(one_item_has_no_rival),
		cmocka_unit_test(much_epsilon_takes_the_best),
		cmocka_unit_test(all_items_are_a_permutation),
		cmocka_unit_test(changed_scores_change_chances_by_epsilon),
		cmocka_unit_test(bad_choices_are_refused),
		cmocka_unit_test(failing_sources_are_reported),
		cmocka_unit_test(stuck_sources_do_not_hang),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
