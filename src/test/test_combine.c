/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_combine.c
 *		Sums of cells, in parts, against least squares of the whole.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/derive/combine.h"
#include "core/derive/least_squares.h"
#include "core/derive/width.h"
#include "source.h"
#include "unit.h"

#define MOST_CELLS 12
#define MOST_ANSWERS 16
#define MOST_TARGETS 5

/* Sums, and the same as rows of a matrix. */
typedef struct Sums
{
	PaSums		sums;
	int32_t		start[MOST_ANSWERS + 1];
	int32_t		cell[MOST_ANSWERS * MOST_CELLS];
	int64_t		row[MOST_ANSWERS * MOST_CELLS];
} Sums;

static int
below(PaRandom *random, int n)
{
	return (int) pa_random_below(random, (uint64_t) n);
}

/* Each cell of a sum is near to the others, so that there are several parts. */
static void
make_sums(PaRandom *random, Sums *made, int count, int cells, int reach)
{
	int			i;
	int			j;

	memset(made, 0, sizeof(*made));
	made->sums = (PaSums) {count, made->start, made->cell};
	for (i = 0; i < count; i++)
	{
		int			from = below(random, cells);

		made->start[i + 1] = made->start[i];
		for (j = from; j < cells && j < from + reach; j++)
			if (below(random, 3) > 0)
			{
				made->cell[made->start[i + 1]++] = j;
				made->row[i * cells + j] = 1;
			}
	}
}

static void
compare(const Sums *answers, const double *variance, int cells, const Sums *targets, int *estimable_seen, int *missing_seen)
{
	int			n = answers->sums.count;
	int			m = targets->sums.count;
	bool		estimable[MOST_TARGETS];
	bool		want_estimable[MOST_TARGETS];
	double		weight[MOST_TARGETS * MOST_ANSWERS];
	double		want_weight[MOST_TARGETS * MOST_ANSWERS];
	double		want_variance[MOST_TARGETS];
	int32_t		missing[MOST_TARGETS];
	PaCombined	combined = {estimable, weight, missing};
	int			t;

	assert_int_equal(pa_combine(&answers->sums, variance, cells, &targets->sums, &plain_memory, &combined), PA_OK);
	assert_int_equal(pa_least_squares(&(PaAnswers) {n, cells, answers->row, variance}, targets->row, m, &plain_memory,
									  &(PaEstimates) {want_estimable, want_variance, want_weight, NULL}), PA_OK);
	for (t = 0; t < m; t++)
	{
		double		spread = 0;
		int			i;

		assert_int_equal(estimable[t], want_estimable[t]);
		assert_int_equal(missing[t] < 0, estimable[t]);
		*(estimable[t] ? estimable_seen : missing_seen) += 1;
		for (i = 0; i < n; i++)
			spread += weight[t * n + i] * weight[t * n + i] * variance[i];
		if (!estimable[t])
			assert_true(spread == 0 && targets->row[t * cells + missing[t]] >= 0);
		else if (!(fabs(spread - want_variance[t]) <= 1e-9 * (1 + spread)))
			fail_msg("variance %.17g, expected %.17g", spread, want_variance[t]);
	}
}

static void
as_least_squares(void **state)
{
	uint64_t	seed = 11;
	PaRandom	random = seeded(&seed);
	int			estimable = 0;
	int			missing = 0;
	int			n;

	(void) state;
	for (n = 0; n < 3000; n++)
	{
		Sums		answers;
		Sums		targets;
		double		variance[MOST_ANSWERS];
		int			cells = 1 + below(&random, MOST_CELLS);
		int			i;

		make_sums(&random, &answers, below(&random, MOST_ANSWERS + 1), cells, 1 + below(&random, 4));
		make_sums(&random, &targets, 1 + below(&random, MOST_TARGETS), cells, 1 + below(&random, MOST_CELLS));
		for (i = 0; i < answers.sums.count; i++)
			variance[i] = 1 + below(&random, 9);
		compare(&answers, variance, cells, &targets, &estimable, &missing);
	}
	assert_true(estimable > 1000 && missing > 1000);
}

/* Cells that are each an answer: any number of them. */
static void
many_cells(void **state)
{
	enum
	{
		MANY = 20000
	};
	static int32_t start[MANY + 1];
	static int32_t cell[MANY];
	static double variance[MANY];
	static double weight[MANY];
	int32_t		all[2] = {0, MANY};
	bool		estimable;
	int32_t		missing;
	PaCombined	combined = {&estimable, weight, &missing};
	int			i;

	(void) state;
	for (i = 0; i < MANY; i++)
	{
		start[i + 1] = i + 1;
		cell[i] = i;
		variance[i] = 2;
	}
	assert_int_equal(pa_combine(&(PaSums) {MANY, start, cell}, variance, MANY, &(PaSums) {1, all, cell}, &plain_memory, &combined), PA_OK);
	assert_true(estimable);
	for (i = 0; i < MANY; i++)
		assert_true(fabs(weight[i] - 1) < 1e-9);
	/* all of them in one part would be too much */
	start[1] = MANY;
	assert_int_equal(pa_combine(&(PaSums) {1, start, cell}, variance, MANY, &(PaSums) {1, all, cell}, &plain_memory, &combined), PA_OUT_OF_RANGE);
}

/* Of the laws on the whole numbers, summed up; of Gaussian noise no less. */
static void
deviations(void **state)
{
	static const double scale[] = {0.2, 0.7, 1, 3.5, 40};
	int			i;

	(void) state;
	for (i = 0; i < 5; i++)
	{
		double		mass[2] = {0, 0};
		double		square[2] = {0, 0};
		int			k;

		for (k = -4000; k <= 4000; k++)
		{
			double		laplace = exp(-abs(k) / scale[i]);
			double		gaussian = exp(-k * (double) k / (2 * scale[i] * scale[i]));

			mass[0] += laplace;
			mass[1] += gaussian;
			square[0] += laplace * k * k;
			square[1] += gaussian * k * k;
		}
		assert_true(fabs(pa_noise_deviation(PA_LAPLACE, scale[i]) - sqrt(square[0] / mass[0])) < 1e-9 * (1 + scale[i]));
		assert_true(pa_noise_deviation(PA_GAUSSIAN, scale[i]) >= sqrt(square[1] / mass[1]) * (1 - 1e-12));
		assert_true(scale[i] < 1 || pa_noise_deviation(PA_GAUSSIAN, scale[i]) < sqrt(square[1] / mass[1]) * (1 + 1e-6));
	}
}

static void
invalid(void **state)
{
	int32_t		start[2] = {0, 1};
	int32_t		cell[1] = {1};
	int32_t		good[1] = {0};
	double		variance = 1;
	double		none = 0;
	double		weight;
	bool		estimable;
	int32_t		missing;
	PaCombined	combined = {&estimable, &weight, &missing};
	PaSums		bad = {1, start, cell};
	PaSums		sums = {1, start, good};

	(void) state;
	assert_int_equal(pa_combine(&bad, &variance, 1, &sums, &plain_memory, &combined), PA_INVALID);
	assert_int_equal(pa_combine(&sums, &variance, 1, &bad, &plain_memory, &combined), PA_INVALID);
	assert_int_equal(pa_combine(&sums, &none, 1, &sums, &plain_memory, &combined), PA_INVALID);
	assert_int_equal(pa_combine(&sums, &variance, 0, &sums, &plain_memory, &combined), PA_INVALID);
	assert_int_equal(pa_combine(&sums, &variance, 1, &sums, &plain_memory, &combined), PA_OK);
	assert_true(estimable && fabs(weight - 1) < 1e-12 && missing == -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_least_squares),
		cmocka_unit_test(many_cells),
		cmocka_unit_test(deviations),
		cmocka_unit_test(invalid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
