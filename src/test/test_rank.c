/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_rank.c
 *		One quantile, and the k-th smallest or largest row: law, loss between neighbours, draws.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/order/accuracy.h"
#include "core/order/mode.h"
#include "order_law.h"
#include "source.h"
#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static PaExponential
mechanism_with(double epsilon, int64_t steps)
{
	PaExponential mechanism;

	assert_int_equal(pa_exponential_make(epsilon, steps ? steps : pa_exponential_steps(epsilon), 1, &plain_memory, &mechanism),
					 PA_OK);
	return mechanism;
}

static PaRank
quantile(uint32_t numerator, uint32_t denominator)
{
	return (PaRank) {PA_RANK_QUANTILE, numerator, denominator, 0};
}

static PaRank
kth(PaRankKind kind, int64_t k)
{
	return (PaRank) {kind, 0, 1, k};
}

/* --- all neighbours --- */

typedef struct What
{
	PaRank		rank;
	int32_t		owner_rows;
	const PaExponential *mechanism;
} What;

static PaStatus
law_of(const void *what, const PaCells *data, long double *probability)
{
	const What *of = what;

	return rank_law(data, &of->rank, of->owner_rows, of->mechanism, probability);
}

/*
 * All log ratios in an interval of length epsilon, which bounds the loss and gives rho; and in no
 * shorter one than "reached" of it, for a sharp mechanism.
 */
static void
check_neighbours(PaRank rank, int32_t owner_rows, double epsilon, int64_t steps, int cells, int rows, double reached)
{
	PaExponential mechanism = mechanism_with(epsilon, steps);
	What		what = {rank, owner_rows, &mechanism};
	long double loss = largest_loss(law_of, &what, cells, rows, owner_rows, cells).range;

	if (!(loss <= epsilon))
		fail_msg("kind %d, q %u/%u, k %d, M %d, epsilon %g, steps %d: loss %.17Lg", rank.kind, rank.numerator,
				 rank.denominator, (int) rank.k, owner_rows, epsilon, (int) steps, loss);
	if (!(loss >= reached * epsilon))
		fail_msg("kind %d, q %u/%u, k %d, M %d, epsilon %g: a loss of %.17Lg only", rank.kind, rank.numerator,
				 rank.denominator, (int) rank.k, owner_rows, epsilon, loss);
	pa_exponential_free(&mechanism, &plain_memory);
}

static void
quantiles_lose_epsilon(void **state)
{
	static const uint32_t q[][2] = {{0, 1}, {1, 20}, {1, 4}, {1, 3}, {1, 2}, {2, 3}, {9, 10}, {1, 1}};
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(q); i++)
	{
		PaRank		rank = quantile(q[i][0], q[i][1]);
		double		sharp = q[i][0] % q[i][1] == 0 ? 0.499 : 0.8; /* losses of 0 and 1 change one way only */

		check_neighbours(rank, 1, 1, 0, 3, 12, sharp);
		check_neighbours(rank, 1, 0.1, 0, 4, 7, 0.4);
		check_neighbours(rank, 2, 3, 0, 3, 8, 0.4);
		check_neighbours(rank, 3, 1, 0, 4, 5, 0);
		/* tiny tables, and losses beyond their ends */
		check_neighbours(rank, 1, 1, 1, 3, 10, 0);
		check_neighbours(rank, 2, 2, 1, 3, 8, 0);
		check_neighbours(rank, 1, 2.5, 3, 4, 6, 0);
		check_neighbours(rank, 1, 20, 0, 3, 12, 0.4);
		check_neighbours(rank, 1, 20, 11, 3, 30, 0.4);
	}
	check_neighbours(quantile(1, 2), 1, 1, 0, 3, 12, 0.9999);
	check_neighbours(quantile(9, 10), 1, 1, 0, 3, 24, 0.9999);
	check_neighbours(quantile(1, 20), 1, 1, 0, 3, 24, 0.9999);
}

static void
extremes_lose_epsilon(void **state)
{
	static const PaRankKind kind[] = {PA_RANK_SMALLEST, PA_RANK_LARGEST};
	int64_t		k;
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(kind); i++)
		for (k = 1; k <= 5; k += 2)
		{
			check_neighbours(kth(kind[i], k), 1, 1, 0, 3, 10, 0.999);
			check_neighbours(kth(kind[i], k), 2, 1, 0, 4, 6, 0.4);
			check_neighbours(kth(kind[i], k), 3, 2, 1, 3, 7, 0);
			check_neighbours(kth(kind[i], k), 1, 20, 11, 3, 14, 0.4);
		}
}

/* The constant is for an owner who comes or goes: it is too small for one who is replaced. */
static void
replacing_costs_more(void **state)
{
	static const PaCellRun before[] = {{1, 6}, {2, 6}};
	static const PaCellRun after[] = {{0, 1}, {1, 6}, {2, 5}};
	PaExponential mechanism = mechanism_with(1, 0);
	PaRank		rank = quantile(1, 2);
	long double one[3];
	long double other[3];

	(void) state;
	assert_int_equal(rank_law(&(PaCells) {before, 2, 3}, &rank, 1, &mechanism, one), PA_OK);
	assert_int_equal(rank_law(&(PaCells) {after, 3, 3}, &rank, 1, &mechanism, other), PA_OK);
	assert_close(fmaxl(fmaxl(fabsl(logl(one[0] / other[0])), fabsl(logl(one[1] / other[1]))), fabsl(logl(one[2] / other[2]))),
				 1.376L, 0.01L);
	pa_exponential_free(&mechanism, &plain_memory);
}

/* --- the law --- */

static void
an_empty_group_is_uniform(void **state)
{
	PaExponential mechanism = mechanism_with(1, 0);
	PaCells		empty = {NULL, 0, 5};
	PaRank		rank[3] = {quantile(1, 2), kth(PA_RANK_SMALLEST, 20), kth(PA_RANK_LARGEST, 20)};
	long double law[5];
	int			i;
	int			cell;

	(void) state;
	for (i = 0; i < 3; i++)
	{
		assert_int_equal(rank_law(&empty, &rank[i], 1, &mechanism, law), PA_OK);
		for (cell = 0; cell < 5; cell++)
			assert_close(law[cell], 0.2L, 1e-18L);
	}
	pa_exponential_free(&mechanism, &plain_memory);
}

/* 60 % of the rows at 0, 40 % at 9: the median is 0 and not in the gap between */
static void
ties_keep_the_median_out_of_gaps(void **state)
{
	static const PaCellRun run[] = {{0, 60}, {9, 40}};
	PaExponential mechanism = mechanism_with(1, 0);
	PaRank		rank = quantile(1, 2);
	long double law[10];

	(void) state;
	assert_int_equal(rank_law(&(PaCells) {run, 2, 10}, &rank, 1, &mechanism, law), PA_OK);
	assert_true(law[0] > 0.999L);
	assert_true(law[1] < 1e-4L);
	pa_exponential_free(&mechanism, &plain_memory);
}

static long double
below(const PaCells *data, PaRank rank, double epsilon, int64_t cell)
{
	PaExponential mechanism = mechanism_with(epsilon, 0);
	long double *law = calloc((size_t) data->cells, sizeof(long double));
	long double sum = 0;

	assert_non_null(law);
	assert_int_equal(rank_law(data, &rank, 1, &mechanism, law), PA_OK);
	while (cell-- > 0)
		sum += law[cell];
	free(law);
	pa_exponential_free(&mechanism, &plain_memory);
	return sum;
}

/* 1000 rows in cells 5000..5999 of 10000 */
static void
the_kth_smallest_stays_near_the_rows(void **state)
{
	PaCellRun	run[1000];
	PaCells		data = {run, 1000, 10000};
	int64_t		k;
	int			i;

	(void) state;
	for (i = 0; i < 1000; i++)
		run[i] = (PaCellRun) {5000 + i, 1};
	assert_true(below(&data, quantile(0, 1), 1, 4900) > 0.97L);
	assert_close(below(&data, kth(PA_RANK_SMALLEST, 20), 1, 4900), 0.042L, 0.05L);
	assert_close(below(&data, kth(PA_RANK_SMALLEST, 30), 1, 4900), 0.0003L, 0.1L);
	assert_close(1 - below(&data, kth(PA_RANK_LARGEST, 20), 1, 6100), 0.033L, 0.1L);
	assert_int_equal(pa_rank_default_k(1, 1, 10000, 0.05, &k), PA_OK);
	assert_int_equal(k, 25);
	assert_true(below(&data, kth(PA_RANK_SMALLEST, k), 1, 5000) <= 0.05L);
	assert_int_equal(pa_rank_default_k(0, 1, 10000, 0.05, &k), PA_INVALID);
	assert_int_equal(pa_rank_default_k(1, 0, 10000, 0.05, &k), PA_INVALID);
	assert_int_equal(pa_rank_default_k(1, NAN, 10000, 0.05, &k), PA_INVALID);
	assert_int_equal(pa_rank_default_k(1, 1, 10000, 1, &k), PA_INVALID);
	assert_int_equal(pa_rank_default_k(1, 1e-20, 10000, 0.5, &k), PA_OUT_OF_RANGE);
}

/* The largest is the smallest, mirrored. */
static void
both_ends_are_alike(void **state)
{
	static const PaCellRun up[] = {{1, 3}, {2, 9}, {6, 1}};
	static const PaCellRun down[] = {{1, 1}, {5, 9}, {6, 3}};
	PaExponential mechanism = mechanism_with(0.8, 0);
	long double one[8];
	long double other[8];
	int64_t		k;
	int			i;

	(void) state;
	for (k = 1; k < 20; k++)
	{
		PaRank		smallest = kth(PA_RANK_SMALLEST, k);
		PaRank		largest = kth(PA_RANK_LARGEST, k);

		assert_int_equal(rank_law(&(PaCells) {up, 3, 8}, &smallest, 2, &mechanism, one), PA_OK);
		assert_int_equal(rank_law(&(PaCells) {down, 3, 8}, &largest, 2, &mechanism, other), PA_OK);
		for (i = 0; i < 8; i++)
			assert_true(one[i] == other[7 - i]);
	}
	pa_exponential_free(&mechanism, &plain_memory);
}

/* --- errors --- */

/* Rank errors of one law: how probable more than "rows" are.  Rows lie one by one in all cells. */
static long double
beyond(const long double *law, int cells, double q, double rows)
{
	long double sum = 0;
	int			cell;

	for (cell = 0; cell < cells; cell++)
		if (fmax(cell - q * cells, q * cells - (cell + 1)) > rows)
			sum += law[cell];
	return sum;
}

static void
errors_are_as_stated(void **state)
{
	static const uint32_t q[] = {50, 90, 5};
	PaCellRun	run[2000];
	long double law[2000];
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(run); i++)
		run[i] = (PaCellRun) {(int64_t) i, 1};
	for (i = 0; i < COUNT(q); i++)
	{
		PaExponential mechanism = mechanism_with(0.5, 0);
		PaRank		rank = quantile(q[i], 100);
		PaRankError error;

		assert_int_equal(rank_law(&(PaCells) {run, 2000, 2000}, &rank, 1, &mechanism, law), PA_OK);
		assert_int_equal(pa_rank_error(&rank, 1, &mechanism, 2000, 0.05, &error), PA_OK);
		assert_close(error.certain, 2 * fmax(q[i], 100 - q[i]) / 100.0 / 0.5 * log(2000 / 0.05), 0.01);
		assert_close(error.dense, 2 * fmax(q[i], 100 - q[i]) / 100.0 / 0.5 * log(1 / 0.05), 1e-12);
		assert_at_most(beyond(law, 2000, q[i] / 100.0, error.certain), 0.05L);
		assert_close(beyond(law, 2000, q[i] / 100.0, error.dense), 0.045L, 0.2L);
		pa_exponential_free(&mechanism, &plain_memory);
	}
}

/* --- draws --- */

static void
check_draws(const PaCells *data, PaRank rank, int32_t owner_rows, double epsilon)
{
	PaExponential mechanism = mechanism_with(epsilon, 0);
	long		draws = draws_wanted() / 4;
	double		seen[64] = {0};
	double		expected[64];
	long double law[64];
	PaRandom	random;
	int64_t		cell = -1;
	double		p;
	long		n;

	assert_int_equal(rank_law(data, &rank, owner_rows, &mechanism, law), PA_OK);
	for (n = 0; n < data->cells; n++)
		expected[n] = (double) (law[n] * draws);
	pa_random_init(&random, source_system, NULL);
	for (n = 0; n < draws; n++)
	{
		assert_int_equal(pa_rank_draw(data, &rank, owner_rows, &mechanism, &random, NULL, &cell), PA_OK);
		seen[cell]++;
	}
	p = chi_square_p(seen, expected, (int) data->cells);
	if (!(p > FALSE_ALARM))
		fail_msg("kind %d, epsilon %g: p = %g", rank.kind, epsilon, p);
	pa_exponential_free(&mechanism, &plain_memory);
}

static void
draws_follow_the_law(void **state)
{
	static const PaCellRun run[] = {{0, 6}, {3, 1}, {9, 4}, {10, 1}, {30, 3}, {63, 2}};
	PaCells		data = {run, COUNT(run), 64};
	PaCells		empty = {NULL, 0, 64};

	(void) state;
	check_draws(&data, quantile(1, 2), 1, 1);
	check_draws(&data, quantile(9, 10), 3, 4);
	check_draws(&data, quantile(0, 1), 1, 0.2);
	check_draws(&data, quantile(1, 1), 1, 20);
	check_draws(&data, kth(PA_RANK_SMALLEST, 5), 1, 1);
	check_draws(&data, kth(PA_RANK_LARGEST, 9), 2, 1);
	check_draws(&data, kth(PA_RANK_LARGEST, 100), 1, 0.1);
	check_draws(&empty, quantile(1, 3), 1, 1);
}

static void
modes_follow_their_law(void **state)
{
	static const int64_t counts[5] = {10, 9, 9, 0, 4};
	long		draws = draws_wanted() / 4;
	double		seen[5] = {0};
	double		expected[5];
	unsigned char taken[5];
	PaRandom	random;
	double		p;
	int			key;
	long		n;

	(void) state;
	assert_int_equal(pa_mode_law(counts, 5, 0.7, 2, expected), PA_OK);
	for (key = 0; key < 5; key++)
		expected[key] *= (double) draws;
	assert_close(expected[0] / expected[1], exp(0.35), 1e-12L);
	pa_random_init(&random, source_system, NULL);
	for (n = 0; n < draws; n++)
	{
		assert_int_equal(pa_mode_draw(counts, 5, 1, 0.7, 2, &random, taken, &key, NULL), PA_OK);
		seen[key]++;
	}
	p = chi_square_p(seen, expected, 5);
	if (!(p > FALSE_ALARM))
		fail_msg("mode: p = %g", p);
	assert_int_equal(pa_mode_law(counts, 0, 0.7, 2, expected), PA_INVALID);
	assert_int_equal(pa_mode_law(counts, 5, NAN, 2, expected), PA_INVALID);
	assert_int_equal(pa_mode_law(counts, 5, 0.7, 0, expected), PA_INVALID);
	assert_int_equal(pa_mode_draw(counts, 5, 1, 6e4, 1, &random, taken, &key, NULL), PA_INVALID);
}

/* An owner is in any of the keys: log ratios have a range of epsilon, not 2 epsilon, and not one for each key. */
static void
modes_lose_epsilon(void **state)
{
	int64_t		counts[4] = {0};
	long double loss = 0;

	(void) state;
	do
	{
		unsigned	keys;

		for (keys = 1; keys < 16; keys++)
		{
			int64_t		more[4];
			double		one[4];
			double		other[4];
			int			i;

			for (i = 0; i < 4; i++)
				more[i] = counts[i] + ((keys >> i) & 1);
			assert_int_equal(pa_mode_law(counts, 4, 1, 1, one), PA_OK);
			assert_int_equal(pa_mode_law(more, 4, 1, 1, other), PA_OK);
			for (i = 0; i < 4; i++)
				loss = fmaxl(loss, fabsl(logl(one[i]) - logl(other[i])));
		}
	} while (next_histogram(counts, 4, 12));
	assert_at_most(loss, 1 + 1e-14L);
	assert_true(loss > 0.9L);
}

/* --- bad input --- */

static void
bad_input_is_refused(void **state)
{
	static const PaCellRun falling[] = {{3, 1}, {2, 1}};
	static const PaCellRun twice[] = {{3, 1}, {3, 1}};
	static const PaCellRun negative[] = {{-1, 1}};
	static const PaCellRun beyond_end[] = {{10, 1}};
	static const PaCellRun none[] = {{1, 0}};
	static const PaCellRun many[] = {{1, PA_CELLS_ROWS - 1}, {2, 1}};
	static const PaCells bad[] = {{falling, 2, 10}, {twice, 2, 10}, {negative, 1, 10}, {beyond_end, 1, 10},
	{none, 1, 10}, {many, 2, 10}, {NULL, 0, 0}, {NULL, 0, PA_CELLS_MOST + 1}};
	PaRank		ranks[] = {{PA_RANK_QUANTILE, 2, 1, 0}, {PA_RANK_QUANTILE, 0, 0, 0},
	{PA_RANK_QUANTILE, 1, PA_QUANTILE_DENOMINATORS + 1, 0}, {PA_RANK_SMALLEST, 0, 1, 0}, {PA_RANK_LARGEST, 0, 1, -1},
	{PA_RANK_LARGEST, 0, 1, PA_CELLS_ROWS + 1}};
	PaExponential mechanism = mechanism_with(1, 0);
	PaCells		empty = {NULL, 0, 10};
	PaRank		median = quantile(1, 2);
	PaRandom	random;
	int64_t		cell = -7;
	uint32_t	numerator = 7;
	size_t		i;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < COUNT(bad); i++)
		assert_int_equal(pa_rank_draw(&bad[i], &median, 1, &mechanism, &random, NULL, &cell), PA_INVALID);
	for (i = 0; i < COUNT(ranks); i++)
		assert_int_equal(pa_rank_draw(&empty, &ranks[i], 1, &mechanism, &random, NULL, &cell), PA_INVALID);
	assert_int_equal(pa_rank_draw(&empty, &median, 0, &mechanism, &random, NULL, &cell), PA_INVALID);
	assert_int_equal(pa_quantile_decimal(-0.1, &numerator), PA_INVALID);
	assert_int_equal(pa_quantile_decimal(1.1, &numerator), PA_INVALID);
	assert_int_equal(pa_quantile_decimal(NAN, &numerator), PA_INVALID);
	assert_int_equal(numerator, 7);
	assert_int_equal(pa_quantile_decimal(0.9, &numerator), PA_OK);
	assert_int_equal(numerator, 900000000);
	assert_int_equal(pa_quantile_decimal(1, &numerator), PA_OK);
	assert_int_equal(numerator, PA_QUANTILE_DENOMINATOR);
	assert_int_equal(cell, -7);
	pa_exponential_free(&mechanism, &plain_memory);
}

static void
sources_that_fail_or_stick_end_a_draw(void **state)
{
	static const PaCellRun run[] = {{0, 6}, {3, 1}};
	PaCells		data = {run, 2, 10};
	PaExponential mechanism = mechanism_with(1, 0);
	PaRank		median = quantile(1, 2);
	Tape		tape = {NULL, 0, 0};
	PaRandom	random;
	int64_t		cell = -7;
	int			byte;

	(void) state;
	pa_random_init(&random, source_tape, &tape);
	assert_int_equal(pa_rank_draw(&data, &median, 1, &mechanism, &random, NULL, &cell), PA_NO_RANDOMNESS);
	assert_int_equal(cell, -7);
	for (byte = 0; byte < 256; byte++)
	{
		unsigned char repeated = (unsigned char) byte;
		PaStatus	status;

		pa_random_init(&random, source_stuck, &repeated);
		status = pa_rank_draw(&data, &median, 1, &mechanism, &random, NULL, &cell);
		assert_true(status == PA_OK || status == PA_NO_RANDOMNESS);
	}
	pa_exponential_free(&mechanism, &plain_memory);
}

/* Says true the n-th time it is asked */
static bool
patience(void *context)
{
	int		   *left = context;

	return (*left)-- <= 0;
}

static void
draws_can_be_interrupted(void **state)
{
	PaCellRun  *run = calloc(50000, sizeof(PaCellRun));
	PaCells		data = {run, 50000, 50000};
	PaExponential mechanism = mechanism_with(1, 0);
	PaRank		median = quantile(1, 2);
	PaEnvironment environment = plain_memory;
	PaRandom	random;
	int64_t		cell = -7;
	int			asked;
	int			i;

	(void) state;
	assert_non_null(run);
	for (i = 0; i < 50000; i++)
		run[i] = (PaCellRun) {i, 1};
	pa_random_init(&random, source_system, NULL);
	environment.interrupted = patience;
	for (i = 0; i < 39; i++)
	{
		environment.context = &asked;
		asked = i;
		assert_int_equal(pa_rank_draw(&data, &median, 1, &mechanism, &random, &environment, &cell), PA_INTERRUPTED);
		assert_int_equal(cell, -7);
	}
	asked = 39;
	assert_int_equal(pa_rank_draw(&data, &median, 1, &mechanism, &random, &environment, &cell), PA_OK);
	free(run);
	pa_exponential_free(&mechanism, &plain_memory);
}

/* The widest numbers there are: nothing overflows (sanitizers), and the answer is right. */
static void
the_largest_numbers_fit(void **state)
{
	static const PaCellRun run[] = {{5, PA_CELLS_ROWS / 2}, {PA_CELLS_MOST - 9, PA_CELLS_ROWS / 2 - 1}};
	static const double epsilons[] = {0x1p-40, 1e-5, 1, 1e5};
	PaCells		data = {run, 2, PA_CELLS_MOST};
	PaRandom	random;
	size_t		i;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < COUNT(epsilons); i++)
	{
		PaExponential mechanism = mechanism_with(epsilons[i], 0);
		PaRank		rank[] = {quantile(PA_QUANTILE_DENOMINATORS / 4, PA_QUANTILE_DENOMINATORS),
			quantile(3 * (PA_QUANTILE_DENOMINATORS / 4), PA_QUANTILE_DENOMINATORS),
			kth(PA_RANK_SMALLEST, PA_CELLS_ROWS), kth(PA_RANK_LARGEST, PA_CELLS_ROWS)};
		int64_t		cell[4];
		int			j;

		for (j = 0; j < 4; j++)
			assert_int_equal(pa_rank_draw(&data, &rank[j], j % 2 ? INT32_MAX : 1, &mechanism, &random, NULL, &cell[j]), PA_OK);
		if (epsilons[i] == 1e5)
			assert_true(cell[0] >= 0);
		pa_exponential_free(&mechanism, &plain_memory);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_lose_epsilon),
		cmocka_unit_test(extremes_lose_epsilon),
		cmocka_unit_test(replacing_costs_more),
		cmocka_unit_test(an_empty_group_is_uniform),
		cmocka_unit_test(ties_keep_the_median_out_of_gaps),
		cmocka_unit_test(the_kth_smallest_stays_near_the_rows),
		cmocka_unit_test(both_ends_are_alike),
		cmocka_unit_test(errors_are_as_stated),
		cmocka_unit_test(draws_follow_the_law),
		cmocka_unit_test(modes_follow_their_law),
		cmocka_unit_test(modes_lose_epsilon),
		cmocka_unit_test(bad_input_is_refused),
		cmocka_unit_test(sources_that_fail_or_stick_end_a_draw),
		cmocka_unit_test(draws_can_be_interrupted),
		cmocka_unit_test(the_largest_numbers_fit),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
