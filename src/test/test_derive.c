/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_derive.c
 *		Least squares, general and on trees, against fractions; levels of hierarchies.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/derive/least_squares.h"
#include "core/derive/levels.h"
#include "core/derive/periods.h"
#include "core/derive/span.h"
#include "core/derive/tree.h"
#include "exact.h"
#include "source.h"
#include "unit.h"

#define MOST 12

static void
near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
		fail_msg("%.17g, expected %.17g", got, want);
}

static int64_t
between(PaRandom *random, int64_t low, int64_t high)
{
	return low + (int64_t) pa_random_below(random, (uint64_t) (high - low + 1));
}

/* One problem with a target, and the same in fractions */
static void
check_problem(const int64_t *query, const int64_t *variance, const int64_t *released, int answers, int cells,
			  const int64_t *target, int *estimable_seen)
{
	double		spread[MOST];
	double		numbers[MOST];
	double		weight[MOST];
	bool		missing[MOST];
	bool		estimable;
	double		least;
	double		want;
	double		want_least;
	PaAnswers	known = {answers, cells, query, spread};
	PaEstimates estimates = {&estimable, &least, weight, missing};
	bool		exactly = exact_least_squares(query, variance, released, answers, cells, target, &want, &want_least);
	int			i;

	for (i = 0; i < answers; i++)
	{
		spread[i] = (double) variance[i];
		numbers[i] = (double) released[i];
	}
	assert_int_equal(pa_least_squares(&known, target, 1, &plain_memory, &estimates), PA_OK);
	assert_int_equal(estimable, exactly);
	if (exactly)
	{
		near(least, want_least);
		/* exact answers that contradict each other have no estimate */
		for (i = 0; i < answers && variance[i] > 0; i++)
			;
		if (i == answers)
			near(pa_weighted_sum(weight, numbers, answers), want);
		for (i = 0; i < cells; i++)
			assert_false(missing[i]);
		++*estimable_seen;
	}
	else
		assert_true(isinf(least));
}

/* If the cells that are missing are asked as well, the target is estimable. */
static void
check_missing(const int64_t *query, int answers, int cells, const int64_t *target)
{
	bool		missing[MOST];
	int64_t		unit[MOST];
	PaSpan		span;
	int			i;

	assert_int_equal(pa_span_make(cells, answers + cells, &plain_memory, &span), PA_OK);
	for (i = 0; i < answers; i++)
		pa_span_add(&span, query + i * cells);
	pa_span_has(&span, target, missing);
	for (i = 0; i < cells; i++)
		if (missing[i])
		{
			memset(unit, 0, sizeof(unit));
			unit[i] = 1;
			assert_true(pa_span_add(&span, unit));
		}
	assert_true(pa_span_has(&span, target, NULL));
	pa_span_free(&span, &plain_memory);
}

static void
least_squares_in_fractions(void **state)
{
	uint64_t	seed = 5;
	PaRandom	random = seeded(&seed);
	int			estimable = 0;
	int			n;

	(void) state;
	for (n = 0; n < 4000; n++)
	{
		int64_t		query[MOST * MOST];
		int64_t		target[MOST];
		int64_t		variance[MOST];
		int64_t		released[MOST];
		int			answers = (int) between(&random, 0, 6);
		int			cells = (int) between(&random, 1, 5);
		int			i;

		for (i = 0; i < answers * cells; i++)
			query[i] = n % 3 ? between(&random, 0, 1) : between(&random, -2, 3);
		for (i = 0; i < cells; i++)
			target[i] = between(&random, 0, 1);
		for (i = 0; i < answers; i++)
		{
			variance[i] = n % 4 ? between(&random, 1, 9) : between(&random, 0, 2);
			released[i] = between(&random, -50, 50);
		}
		check_problem(query, variance, released, answers, cells, target, &estimable);
		check_missing(query, answers, cells, target);
	}
	assert_in_range(estimable, 500, 3500);
}

/* Exact answers are used, whatever they are mixed with, and their numbers count */
static void
exact_answers(void **state)
{
	static const int64_t query[] = {1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0};
	static const int64_t released[] = {100, 70, 33, 36, 35};
	static const int64_t variance[] = {0, 4, 2, 0, 1};
	static const int64_t target[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}, {2, 0, -1}};
	int			estimable = 0;
	double		spread[5] = {0, 4, 2, 0, 1};
	double		numbers[5];
	double		weight[6 * 5];
	double		least[6];
	bool		can[6];
	PaAnswers	known = {5, 3, query, spread};
	PaEstimates estimates = {can, least, weight, NULL};
	int			t;

	(void) state;
	for (t = 0; t < 5; t++)
		numbers[t] = (double) released[t];
	assert_int_equal(pa_least_squares(&known, target[0], 6, &plain_memory, &estimates), PA_OK);
	for (t = 0; t < 6; t++)
	{
		double		want;
		double		want_least;

		assert_true(exact_least_squares(query, variance, released, 5, 3, target[t], &want, &want_least));
		near(least[t], want_least);
		near(pa_weighted_sum(weight + 5 * t, numbers, 5), want);
		estimable += can[t];
	}
	assert_int_equal(estimable, 6);
	near(least[4], 0);
}

/* A threshold would call these two rows the same. */
static void
rank_is_exact(void **state)
{
	static const int64_t large = INT64_C(1) << 53;
	int64_t		query[] = {large, large - 1, large - 1, large - 2};
	static const int64_t target[] = {1, 0, 0, 1};
	int64_t		same[] = {large, large - 2, large / 2, large / 2 - 1};
	double		spread[] = {1, 1};
	double		weight[4];
	double		least[2];
	bool		can[2];
	PaAnswers	known = {2, 2, query, spread};
	PaEstimates estimates = {can, least, weight, NULL};
	PaSpan		span;

	(void) state;
	assert_int_equal(pa_span_make(2, 2, &plain_memory, &span), PA_OK);
	assert_true(pa_span_add(&span, query));
	assert_true(pa_span_add(&span, query + 2));
	pa_span_free(&span, &plain_memory);
	/* estimable with weights of 2^53, which doubles do not give: said, not guessed */
	assert_int_equal(pa_least_squares(&known, target, 2, &plain_memory, &estimates), PA_NO_SOLUTION);
	known.query = same;
	assert_int_equal(pa_least_squares(&known, target, 2, &plain_memory, &estimates), PA_OK);
	assert_false(can[0] || can[1]);
}

static void
answers_that_are_none(void **state)
{
	int64_t		query[] = {1, 0};
	int64_t		wide[] = {(INT64_C(1) << 53) + 1, 0};
	double		spread[] = {1};
	double		negative[] = {-1};
	double		infinite[] = {INFINITY};
	double		weight[1];
	double		least[1];
	bool		can[1];
	PaEstimates estimates = {can, least, weight, NULL};

	(void) state;
	assert_int_equal(pa_least_squares(&(PaAnswers) {1, 2, wide, spread}, query, 1, &plain_memory, &estimates), PA_INVALID);
	assert_int_equal(pa_least_squares(&(PaAnswers) {1, 2, query, spread}, wide, 1, &plain_memory, &estimates), PA_INVALID);
	assert_int_equal(pa_least_squares(&(PaAnswers) {1, 2, query, negative}, query, 1, &plain_memory, &estimates), PA_INVALID);
	assert_int_equal(pa_least_squares(&(PaAnswers) {1, 2, query, infinite}, query, 1, &plain_memory, &estimates), PA_INVALID);
	assert_int_equal(pa_least_squares(&(PaAnswers) {1, 0, query, spread}, query, 1, &plain_memory, &estimates), PA_INVALID);
	assert_int_equal(pa_least_squares(&(PaAnswers) {0, 2, query, spread}, query, 1, &plain_memory, &estimates), PA_OK);
	assert_false(can[0]);
}

/* A random tree whose leaves are the cells, some nodes unknown and some exact */
static void
trees_in_fractions(void **state)
{
	uint64_t	seed = 6;
	PaRandom	random = seeded(&seed);
	int			unknown = 0;
	int			known = 0;
	int			n;

	(void) state;
	for (n = 0; n < 3000; n++)
	{
		int			nodes = (int) between(&random, 1, 9);
		int32_t		parent[MOST];
		int64_t		covers[MOST][MOST] = {{0}};
		int64_t		query[MOST * MOST];
		int64_t		whole_variance[MOST];
		int64_t		whole_released[MOST];
		double		released[MOST];
		double		variance[MOST];
		double		estimate[MOST];
		double		spread[MOST];
		bool		inner[MOST] = {false};
		PaTree		tree = {nodes, parent, released, variance};
		int			cells = 0;
		int			answers = 0;
		int			exact = -1;
		int			i;
		int			j;

		for (i = 0; i < nodes; i++)
		{
			parent[i] = i == 0 ? -1 : (int32_t) between(&random, 0, i - 1);
			if (i > 0)
				inner[parent[i]] = true;
		}
		for (i = 0; i < nodes; i++)
			if (!inner[i])
			{
				for (j = i; j >= 0; j = parent[j])
					covers[j][cells] = 1;
				cells++;
			}
		if (n % 3 == 0)
			exact = (int) between(&random, 0, nodes - 1);
		for (i = 0; i < nodes; i++)
		{
			released[i] = (double) between(&random, -20, 90);
			variance[i] = between(&random, 0, 3) == 0 ? INFINITY : i == exact ? 0 : (double) between(&random, 1, 6);
			if (isinf(variance[i]))
				continue;
			memcpy(query + answers * cells, covers[i], (size_t) cells * sizeof(int64_t));
			whole_variance[answers] = (int64_t) variance[i];
			whole_released[answers++] = (int64_t) released[i];
		}
		assert_int_equal(pa_tree_estimate(&tree, &plain_memory, estimate, spread), PA_OK);
		for (i = 0; i < nodes; i++)
		{
			double		want;
			double		want_least;

			if (exact_least_squares(query, whole_variance, whole_released, answers, cells, covers[i], &want, &want_least))
			{
				near(estimate[i], want);
				near(spread[i], want_least);
				known++;
			}
			else
			{
				assert_true(isnan(estimate[i]) && isinf(spread[i]));
				unknown++;
			}
		}
	}
	assert_at_most(500, unknown);
	assert_at_most(500, known);
}

static void
totals_are_sums(void **state)
{
	static const int32_t parent[] = {-1, 0, 0, 1, 1, 2, 2, 2};
	static const double released[] = {100, 55, 40, 30, -60, 10, 11, 12};
	static const double variance[] = {1, 4, 4, 8, 8, 8, 8, 8};
	PaTree		tree = {8, parent, released, variance};
	double		e[8];
	double		v[8];

	(void) state;
	assert_int_equal(pa_tree_estimate(&tree, &plain_memory, e, v), PA_OK);
	near(e[0], e[1] + e[2]);
	near(e[1], e[3] + e[4]);
	near(e[2], e[5] + e[6] + e[7]);
	assert_true(e[4] < 0);
}

static void
trees_that_are_none(void **state)
{
	static const int32_t self[] = {-1, 1};
	static const int32_t good[] = {-1, 0};
	static const double numbers[] = {1, 2};
	static const double negative[] = {1, -1};
	static const double infinite[] = {1, INFINITY};
	double		e[2] = {-7, -7};
	double		v[2];

	(void) state;
	assert_int_equal(pa_tree_estimate(&(PaTree) {2, self, numbers, numbers}, &plain_memory, e, v), PA_INVALID);
	assert_int_equal(pa_tree_estimate(&(PaTree) {2, good, numbers, negative}, &plain_memory, e, v), PA_INVALID);
	assert_int_equal(pa_tree_estimate(&(PaTree) {2, good, infinite, numbers}, &plain_memory, e, v), PA_INVALID);
	assert_true(e[0] == -7);
	assert_int_equal(pa_tree_estimate(&(PaTree) {2, good, numbers, infinite}, &plain_memory, e, v), PA_OK);
	near(e[1], 1);
}

/* All ways to put "groups" fine groups into coarse ones of at most "widest" */
static double
worst_change(PaNorm norm, int groups, int widest, int largest)
{
	double		worst = 0;
	int			first;

	if (groups == 0)
		return 0;
	for (first = 1; first <= groups && first <= widest && first <= largest; first++)
		worst = fmax(worst, (norm == PA_NORM_L1 ? first : first * first) +
					 worst_change(norm, groups - first, widest, first));
	return worst;
}

static void
changes_of_levels(void **state)
{
	int			groups;
	int			widest;

	(void) state;
	for (groups = 1; groups <= 9; groups++)
	{
		for (widest = 1; widest <= 10; widest++)
		{
			near(pa_level_change(PA_NORM_L1, groups, widest), worst_change(PA_NORM_L1, groups, widest, groups));
			near(pa_level_change(PA_NORM_L2, groups, widest), worst_change(PA_NORM_L2, groups, widest, groups));
		}
		near(pa_level_change(PA_NORM_L2, groups, INT64_MAX), groups * groups);
	}
}

/* Two levels: k > 2 L0 for Gaussian noise, k > 4 for Laplace noise */
static void
levels_that_pay(void **state)
{
	int64_t		bound;
	int64_t		k;

	(void) state;
	for (bound = 1; bound <= 6; bound++)
		for (k = 1; k <= 20; k++)
		{
			PaLevel		level[] = {{3 * k, 1, 0}, {3, INT64_MAX, 0}};
			bool		pays[2];

			assert_int_equal(pa_levels_pay(PA_NORM_L2, bound, level, 2, pays), PA_OK);
			assert_true(pays[0]);
			assert_int_equal(pays[1], k > 2 * bound);
			assert_int_equal(pa_levels_pay(PA_NORM_L1, bound, level, 2, pays), PA_OK);
			assert_int_equal(pays[1], k > 4);
		}
}

static void
more_levels(void **state)
{
	static const PaLevel tall[] = {{1000, 1, 0}, {100, INT64_MAX, 0}, {50, INT64_MAX, 0}, {1, INT64_MAX, 0}};
	static const PaLevel coarser[] = {{10, 1, 0}, {11, INT64_MAX, 0}};
	static const PaLevel apart[] = {{10, 20, 1}, {10, 20, 2}, {2, 100, 0}};
	bool		pays[4];

	/* 10 > 2 pays; then 3 shares of a level of halves against 2 of 2 groups each: 3 < 4 pays; 4 < 3 50 */
	(void) state;
	assert_int_equal(pa_levels_pay(PA_NORM_L2, 1, tall, 4, pays), PA_OK);
	assert_true(pays[0] && pays[1] && pays[2] && pays[3]);
	/* 2 9 < 10 3 pays; halves: 3 9 < 2 (2 9); */
	assert_int_equal(pa_levels_pay(PA_NORM_L2, 3, tall, 4, pays), PA_OK);
	assert_true(pays[1] && pays[2]);
	/* 2 49 > 10 7: not; halves: 2 49 < 20 7 */
	assert_int_equal(pa_levels_pay(PA_NORM_L2, 7, tall, 4, pays), PA_OK);
	assert_true(!pays[1] && pays[2] && pays[3]);
	assert_int_equal(pa_levels_pay(PA_NORM_L1, 1, tall, 4, pays), PA_OK);
	assert_true(pays[1] && !pays[2] && pays[3]);
	assert_int_equal(pa_levels_pay(PA_NORM_L2, 1, coarser, 2, pays), PA_INVALID);
	/* neither is the sum of the other; the total is of both */
	assert_int_equal(pa_levels_pay(PA_NORM_L2, 1, apart, 3, pays), PA_OK);
	assert_true(pays[0] && pays[1] && pays[2]);
	assert_int_equal(pa_levels_pay(PA_NORM_L2, 0, tall, 4, pays), PA_INVALID);
	assert_int_equal(pa_levels_pay(PA_NORM_L2, 1, tall, 0, pays), PA_INVALID);
}

/* Entries of the root, and the square of the change of any set of periods */
static double
change_of(const double *f, int periods, unsigned set)
{
	double		sum = 0;
	int			row;
	int			i;

	for (row = 0; row < periods; row++)
	{
		double		entry = 0;

		for (i = 0; i <= row; i++)
			if (set >> i & 1)
				entry += f[row - i];
		sum += entry * entry;
	}
	return sum;
}

static bool
apart(unsigned set, int times, int gap)
{
	int			last = -gap;
	int			i;

	for (i = 0; i < 16; i++)
		if (set >> i & 1)
		{
			if (i - last < gap)
				return false;
			last = i;
		}
	return __builtin_popcount(set) <= times;
}

/* The first periods at the least gap are the worst of all sets; the root's square are running totals. */
static void
worst_periods(void **state)
{
	double		f[9] = {1};
	double		got;
	int			periods;
	int			times;
	int			gap;
	int			k;
	int			i;

	(void) state;
	for (k = 1; k < 9; k++)
		f[k] = f[k - 1] * (1 - 0.5 / k);
	for (k = 0; k < 9; k++)
	{
		for (got = 0, i = 0; i <= k; i++)
			got += f[i] * f[k - i];
		near(got, 1);
	}
	for (periods = 1; periods <= 9; periods++)
		for (times = 1; times <= periods; times++)
			for (gap = 1; gap <= periods; gap++)
			{
				double		worst = 0;
				unsigned	set;

				for (set = 0; set < 1u << periods; set++)
					if (apart(set, times, gap))
						worst = fmax(worst, change_of(f, periods, set));
				assert_int_equal(pa_period_change(periods, times, gap, &got), PA_OK);
				near(got, worst);
			}
	assert_int_equal(pa_period_change(0, 1, 1, &got), PA_INVALID);
	assert_int_equal(pa_period_change(1, 0, 1, &got), PA_INVALID);
	assert_int_equal(pa_period_change(1, 1, 0, &got), PA_INVALID);
	assert_int_equal(pa_period_error(PA_PERIOD_ROOT, 0, &(PaPeriodError) {0}), PA_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(least_squares_in_fractions),
		cmocka_unit_test(exact_answers),
		cmocka_unit_test(rank_is_exact),
		cmocka_unit_test(answers_that_are_none),
		cmocka_unit_test(trees_in_fractions),
		cmocka_unit_test(totals_are_sums),
		cmocka_unit_test(trees_that_are_none),
		cmocka_unit_test(changes_of_levels),
		cmocka_unit_test(levels_that_pay),
		cmocka_unit_test(more_levels),
		cmocka_unit_test(worst_periods),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
