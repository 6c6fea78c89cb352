/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_bayes_cells.c
 *		Cells by counting, and the loss of answers over them against every kind of number there is.
 */
#include <math.h>

#include "core/bayes/cells.h"
#include "core/bayes/query.h"
#include "source.h"
#include "unit.h"

#define MOST 12
#define LOW (-3.0)
#define HIGH 5.0

static int
random_cuts(PaRandom *random, double *cut)
{
	int			count = (int) pa_random_below(random, MOST);
	int			i;

	for (i = 0; i < count; i++)
	{
		cut[i] = floor(uniform(random, -8, 10));
		if (pa_random_below(random, 3) == 0)
			cut[i] = nextafter(cut[i], INFINITY);
	}
	return pa_cuts_settle(cut, count, LOW, HIGH);
}

static int
count_reached(const PaCuts *cuts, double x)
{
	int			cell = 0;
	int			i;

	for (i = 0; i < cuts->count; i++)
		cell += cuts->cut[i] <= x;
	return cell;
}

static bool
has_cut(const PaCuts *cuts, double cut)
{
	int			i;

	for (i = 0; i < cuts->count; i++)
		if (cuts->cut[i] == cut)
			return true;
	return false;
}

static void
cells_are_counted(void **state)
{
	uint64_t	seed = 31;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		double		first[MOST];
		double		second[MOST];
		double		both[2 * MOST];
		uint32_t	projection[2 * MOST + 1];
		PaCuts		a = {random_cuts(&random, first), first};
		PaCuts		b = {random_cuts(&random, second), second};
		PaCuts		merged = {pa_cuts_merge(&a, &b, both), both};
		int			j;

		for (j = 0; j < merged.count; j++)
		{
			assert_true(both[j] > (j > 0 ? both[j - 1] : LOW) && both[j] <= HIGH);
			assert_true(has_cut(&a, both[j]) || has_cut(&b, both[j]));
		}
		for (j = 0; j < a.count; j++)
			assert_true(has_cut(&merged, first[j]));
		pa_cells_project(&merged, &b, projection);
		for (j = 0; j < 40; j++)
		{
			double		x = j % 2 ? floor(uniform(&random, LOW, HIGH)) : uniform(&random, LOW, HIGH);

			if (j % 3 == 0)
				x = nextafter(x, INFINITY);
			assert_int_equal(pa_cell_of(&a, x), count_reached(&a, x));
			assert_int_equal(projection[pa_cell_of(&merged, x)], count_reached(&b, x));
		}
	}
}

/* One bit or one category, with numbers or categories on the cells of cuts of its own. */
typedef struct Asked
{
	double		cut[MOST];
	PaCuts		cuts;
	double		value[MOST + 1];
	PaBinary	binary;
	PaResponse	response;
	bool		categories;
	int64_t		output;
} Asked;

static void
random_question(PaRandom *random, Asked *asked)
{
	double		epsilon = uniform(random, 0.1, 2);
	int			i;

	asked->cuts = (PaCuts) {random_cuts(random, asked->cut), asked->cut};
	asked->categories = pa_random_below(random, 2) == 0;
	assert_int_equal(pa_binary_make(0, 4, epsilon, &asked->binary), PA_OK);
	assert_int_equal(pa_response_make(4, epsilon, &asked->response), PA_OK);
	for (i = 0; i <= asked->cuts.count; i++)
		asked->value[i] = (double) pa_random_below(random, 4);
	asked->output = (int64_t) pa_random_below(random, asked->categories ? 4 : 2);
}

static long double
log_likelihood(const Asked *asked, double x)
{
	double		value = asked->value[count_reached(&asked->cuts, x)];
	long double flip = asked->binary.flip;
	long double lie = asked->response.lie;
	long double high = flip + (1 - 2 * flip) * value / 4;

	if (asked->categories)
		return logl(value == asked->output ? 1 - lie + lie / 4 : lie / 4);
	return logl(asked->output == 1 ? high : 1 - high);
}

static PaQuery
query_over(const Asked *asked, const PaCuts *finer)
{
	uint32_t	projection[5 * MOST + 1];
	uint32_t	category[5 * MOST + 1];
	double		value[5 * MOST + 1];
	PaQuery		query;
	int			i;

	pa_cells_project(finer, &asked->cuts, projection);
	for (i = 0; i <= finer->count; i++)
	{
		value[i] = asked->value[projection[i]];
		category[i] = (uint32_t) value[i];
	}
	if (asked->categories)
		assert_int_equal(pa_query_response(&asked->response, category, (size_t) finer->count + 1, &plain_memory, &query), PA_OK);
	else
		assert_int_equal(pa_query_binary(&asked->binary, value, (size_t) finer->count + 1, &plain_memory, &query), PA_OK);
	return query;
}

/* Numbers that matter: both ends, each cut, the double before it, and what lies between. */
static void
look_everywhere(const Asked *asked, int n, const PaCuts *finer, PaRandom *random, long double *most, long double *least)
{
	int			j;

	*most = -INFINITY;
	*least = INFINITY;
	for (j = 0; j < 3 * finer->count + 40; j++)
	{
		double		cut = j < 3 * finer->count ? finer->cut[j / 3] : 0;
		double		x = j >= 3 * finer->count ? (j % 20 == 0 ? LOW : j % 20 == 1 ? HIGH : uniform(random, LOW, HIGH)) :
			j % 3 == 0 ? cut : nextafter(cut, j % 3 == 1 ? -INFINITY : INFINITY);
		long double sum = 0;
		int			i;

		for (i = 0; i < n; i++)
			sum += log_likelihood(&asked[i], fmin(fmax(x, LOW), HIGH));
		*most = fmaxl(*most, sum);
		*least = fminl(*least, sum);
	}
}

static void
losses_are_over_all_numbers(void **state)
{
	uint64_t	seed = 32;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 2000; i++)
	{
		Asked		asked[5];
		double		all[5 * MOST];
		double		more[5 * MOST];
		double		value[5 * MOST + 1];
		int			n = 1 + (int) pa_random_below(&random, 5);
		PaCuts		finer = {0, all};
		PaLikelihood table;
		PaRealisedLoss loss;
		long double most;
		long double least;
		int			j;

		for (j = 0; j < n; j++)
		{
			int			k;

			random_question(&random, &asked[j]);
			finer.count = pa_cuts_merge(&finer, &asked[j].cuts, more);
			for (k = 0; k < finer.count; k++)
				all[k] = more[k];
		}
		assert_int_equal(pa_likelihood_start(value, (size_t) finer.count + 1, &table), PA_OK);
		for (j = 0; j < n; j++)
		{
			PaQuery		query = query_over(&asked[j], &finer);

			assert_int_equal(pa_query_record(&query, asked[j].output, &table, &plain_memory), PA_OK);
			pa_query_free(&query, &plain_memory);
		}
		look_everywhere(asked, n, &finer, &random, &most, &least);
		loss = pa_likelihood_loss(&table);
		assert_true(fabsl(loss.loss - (most - least)) <= loss.error + 1e-15);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_counted),
		cmocka_unit_test(losses_are_over_all_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
