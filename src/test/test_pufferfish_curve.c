/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_pufferfish_curve.c
 *		Influence curves against the definition over all sets, and odometers.
 */
#include <gsl/gsl_errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/pufferfish/binary.h"
#include "core/pufferfish/chain_fit.h"
#include "core/pufferfish/chain_table.h"
#include "core/pufferfish/gaussian.h"
#include "core/pufferfish/interval.h"
#include "core/pufferfish/odometer.h"
#include "core/pufferfish/table.h"
#include "chain_budget.h"
#include "source.h"
#include "unit.h"

#define STATES 3
#define ROWS 6
#define CELLS 729				/* STATES^ROWS */

typedef struct Model
{
	double		transition[STATES * STATES];
	double		start[STATES];
	PaChain		chain;
	double		law[CELLS];		/* of whole sequences */
	int			shape[ROWS];
	PaFinite	finite;
} Model;

static void
enumerate(Model *model)
{
	int			m = model->chain.states;
	int			T = (int) model->chain.length;
	double		law[STATES];
	int			i;
	int			t;

	memcpy(law, model->start, sizeof(law));
	if (model->chain.start == NULL)
		assert_int_equal(pa_chain_stationary(&model->chain, &plain_memory, law, NULL), PA_OK);
	model->finite = (PaFinite) {T, model->shape, (int) lround(pow(m, T)), 0, NULL, 0, NULL};
	for (t = 0; t < T; t++)
		model->shape[t] = m;
	for (i = 0; i < model->finite.cells; i++)
	{
		int			value[ROWS];
		int			rest = i;

		for (t = T - 1; t >= 0; t--, rest /= m)
			value[t] = rest % m;
		model->law[i] = law[value[0]];
		for (t = 1; t < T; t++)
			model->law[i] *= model->transition[value[t - 1] * m + value[t]];
	}
}

/* A chain that is accepted */
static void
random_model(PaRandom *random, bool given, Model *model)
{
	int			m = 2 + (int) pa_random_below(random, STATES - 1);
	int			T = 1 + (int) pa_random_below(random, m == 2 ? ROWS : ROWS - 1);
	int			i;

	do
	{
		for (i = 0; i < m; i++)
			random_law(random, m, 5, uniform(random, 0, 1) < 0.5 ? 0.0 : 0.3, model->transition + i * m);
		random_law(random, m, 5, 0.3, model->start);
		model->chain = (PaChain) {m, model->transition, given ? model->start : NULL, T, NULL};
	} while (pa_chain_check(&model->chain, &plain_memory, NULL) != PA_OK);
	enumerate(model);
}

static void
assert_same(double got, double want)
{
	if (isinf(want) || isinf(got))
		assert_true(got == want);
	else if (!(got >= want - 1e-11 && got <= want + 1e-9))
		fail_msg("%.17g, expected %.17g", got, want);
}

/* All 2^T sets, with no use made of the chain: an implementation of its own */
static void
chains_follow_the_definition(void **state)
{
	uint64_t	seed = 11;
	PaRandom	random = seeded(&seed);
	int			i;
	int			b;

	(void) state;
	for (i = 0; i < 600; i++)
	{
		PaInfluence chain[ROWS];
		PaInfluence table[ROWS];
		Model		model;

		random_model(&random, i % 2 == 1, &model);
		assert_int_equal(pa_chain_curve(&model.chain, model.finite.entries, &plain_memory, chain, NULL), PA_OK);
		assert_int_equal(pa_table_curve(&model.finite, model.law, 1, &plain_memory, table, NULL), PA_OK);
		for (b = 0; b < model.finite.entries; b++)
			assert_same(chain[b].a, table[b].a);
	}
}

static int
value_at(const Model *model, int cell, int row)
{
	int			t;

	for (t = model->finite.entries - 1; t > row; t--)
		cell /= model->chain.states;
	return cell % model->chain.states;
}

/* Whether two cells agree in all rows that are not in the set */
static bool
same_outside(const Model *model, int one, int other, unsigned set)
{
	int			t;

	for (t = 0; t < model->finite.entries; t++)
		if (!(set >> t & 1) && value_at(model, one, t) != value_at(model, other, t))
			return false;
	return true;
}

/* a(H; row is s, row is v) as it is defined; NAN if the row cannot be both */
static double
influence(const Model *model, unsigned set, int row, int s, int v)
{
	int			cells = model->finite.cells;
	double		all[2] = {0, 0};
	double		most = -INFINITY;
	int			i;
	int			k;

	for (i = 0; i < cells; i++)
		if (value_at(model, i, row) == s || value_at(model, i, row) == v)
			all[value_at(model, i, row) == v] += model->law[i];
	if (!(all[0] > 0 && all[1] > 0))
		return NAN;
	for (i = 0; i < cells; i++)
	{
		double		seen[2] = {0, 0};

		if (model->law[i] > 0 && value_at(model, i, row) == s)
		{
			for (k = 0; k < cells; k++)
				if ((value_at(model, k, row) == s || value_at(model, k, row) == v) && same_outside(model, i, k, set))
					seen[value_at(model, k, row) == v] += model->law[k];
			most = fmax(most, log(seen[0] / all[0]) - log(seen[1] / all[1]));
		}
	}
	return most;
}

/* min over sets of at most b rows, for one pair at one row; 0 if the row cannot be both */
static double
least_influence(const Model *model, int b, int row, int s, int v)
{
	double		least = INFINITY;
	unsigned	set;

	for (set = 0; set < 1u << model->finite.entries; set++)
		if (set >> row & 1 && __builtin_popcount(set) <= b)
		{
			double		a = influence(model, set, row, s, v);

			if (isnan(a))
				return 0;
			least = fmin(least, a);
		}
	return least;
}

static void
random_pairs(PaRandom *random, int states, unsigned char *wanted)
{
	int			i;

	for (i = 0; i < states * states; i++)
		wanted[i] = pa_random_below(random, 2) == 0;
}

/* Only pairs that are wanted count, and each as it does by itself. */
static void
wanted_pairs_alone_count(void **state)
{
	uint64_t	seed = 18;
	PaRandom	random = seeded(&seed);
	int			i;

	(void) state;
	for (i = 0; i < 100; i++)
	{
		unsigned char wanted[STATES * STATES];
		PaInfluence some[ROWS];
		PaInfluence all[ROWS];
		Model		model;
		int			T;
		int			b;

		do
			random_model(&random, i % 2 == 1, &model);
		while (model.finite.cells > 81);
		T = model.finite.entries;
		random_pairs(&random, model.chain.states, wanted);
		assert_int_equal(pa_chain_curve(&model.chain, T, &plain_memory, all, NULL), PA_OK);
		model.chain.wanted = wanted;
		assert_int_equal(pa_chain_curve(&model.chain, T, &plain_memory, some, NULL), PA_OK);
		for (b = 1; b <= T; b++)
		{
			int			m = model.chain.states;
			double		want = 0;
			int			k;

			for (k = 0; k < m * m * T; k++)
				if (wanted[k / T] && k / T / m != k / T % m)
					want = fmax(want, least_influence(&model, b, k % T, k / T / m, k / T % m));
			assert_same(some[b - 1].a, want);
			assert_true(some[b - 1].a <= all[b - 1].a);
		}
	}
}

/* The same for chains and budgets of any length: all pairs are as no mask, and fewer never tell more. */
static void
masks_of_pairs_are_monotone(void **state)
{
	uint64_t	seed = 19;
	PaRandom	random = seeded(&seed);
	int			i;
	int			b;

	(void) state;
	for (i = 0; i < 300; i++)
	{
		static const unsigned char none[STATES * STATES] = {0};
		unsigned char every[STATES * STATES];
		unsigned char wanted[STATES * STATES];
		const unsigned char *mask[4] = {NULL, every, wanted, none};
		PaInfluence point[4][12];
		PaChainLimits limits[4];
		double		spent[4];
		double		sum[ROWS];
		Model		model;
		int64_t		length;
		int			k;

		random_model(&random, i % 3 == 1, &model);
		random_pairs(&random, model.chain.states, wanted);
		memset(every, 1, sizeof(every));
		length = model.chain.length;
		for (b = 0; b < length; b++)
			sum[b] = exp(uniform(&random, -4, 2));
		for (k = 0; k < 4; k++)
		{
			model.chain.wanted = mask[k];
			model.chain.length = length;
			assert_int_equal(pa_chain_spent(&model.chain, sum, &plain_memory, &spent[k], NULL), PA_OK);
			assert_int_equal(pa_chain_limits(&model.chain, 1, &plain_memory, &limits[k], NULL), PA_OK);
			model.chain.length = i % 3 == 0 ? 0 : length;
			assert_int_equal(pa_chain_curve(&model.chain, 12, &plain_memory, point[k], NULL), PA_OK);
		}
		for (b = 0; b < 12; b++)
		{
			assert_true(point[1][b].a == point[0][b].a);
			assert_true(point[2][b].a <= point[0][b].a);
			assert_true(point[3][b].a == 0);
		}
		assert_true(spent[1] == spent[0] && spent[2] <= spent[0] && spent[3] == 0);
		assert_true(limits[1].pair == limits[0].pair && limits[2].pair >= limits[0].pair);
		assert_true(limits[1].node == limits[0].node && limits[2].node >= limits[0].node);
	}
}

static void
one_curve_bounds_every_length(void **state)
{
	uint64_t	seed = 12;
	PaRandom	random = seeded(&seed);
	int			i;
	int			b;

	(void) state;
	for (i = 0; i < 300; i++)
	{
		PaInfluence any[20];
		PaInfluence one[20];
		Model		model;
		int64_t		length;

		random_model(&random, false, &model);
		model.chain.length = 0;
		assert_int_equal(pa_chain_curve(&model.chain, 20, &plain_memory, any, NULL), PA_OK);
		for (length = 1; length <= 45; length += 1 + length / 8)
		{
			model.chain.length = length;
			assert_int_equal(pa_chain_curve(&model.chain, 20, &plain_memory, one, NULL), PA_OK);
			for (b = 0; b < 20; b++)
			{
				assert_true(one[b].a <= any[b].a + 1e-12);
				assert_true(b == 0 || one[b].a <= one[b - 1].a);
				if (length > 2 * (b + 1))
					assert_same(one[b].a, any[b].a);
				if (length <= b + 1)
					assert_true(one[b].a == 0);
			}
		}
	}
}

/* The set of the point, of the worst pair, is as large as it says and tells that much. */
static void
radii_belong_to_the_points(void **state)
{
	static const double transition[4] = {0.9, 0.1, 0.2, 0.8};
	PaChain		chain = {2, transition, NULL, 0, NULL};
	PaInfluence point[50];
	int			b;

	(void) state;
	assert_int_equal(pa_chain_curve(&chain, 50, &plain_memory, point, NULL), PA_OK);
	for (b = 1; b <= 50; b++)
	{
		assert_int_equal(point[b - 1].b, b);
		assert_int_equal(point[b - 1].left + point[b - 1].right + 1, b);
		assert_true(abs(point[b - 1].left - point[b - 1].right) <= 1);
	}
}

/* Numbers below what doubles hold must not pass for zeros. */
static void
underflow_never_hides_influence(void **state)
{
	static const double transition[9] = {0.5, 0.5, 1e-200, 0.5, 0.5 - 1e-12, 1e-12, 0.3, 0.3, 0.4};
	static const double start[3] = {1, 0, 0};
	PaChain		chain = {3, transition, NULL, 0, NULL};
	PaInfluence point[30];
	int			b;

	(void) state;
	assert_int_equal(pa_chain_curve(&chain, 30, &plain_memory, point, NULL), PA_OK);
	assert_true(point[0].a > 2 * 200 * M_LN10 / 2);
	for (b = 0; b < 30; b++)
		assert_true(point[b].a >= 0);
	chain.start = start;
	chain.length = 12;
	assert_int_equal(pa_chain_curve(&chain, 12, &plain_memory, point, NULL), PA_OK);
	assert_true(point[0].a > 200 * M_LN10 && point[11].a == 0);
}

static void
boxes_of_binary_chains_have_two_corners(void **state)
{
	uint64_t	seed = 13;
	PaRandom	random = seeded(&seed);
	int			i;
	int			k;
	int			b;

	(void) state;
	for (i = 0; i < 300; i++)
	{
		PaBinaryChains box = {uniform(&random, 0, 0.99), 0, uniform(&random, 0, 0.99), 0, pa_random_below(&random, 12)};
		PaInfluence most[10];
		PaInfluence one[10];

		box.p_high = uniform(&random, box.p_low, 0.99);
		box.q_high = uniform(&random, box.q_low, 0.99);
		assert_int_equal(pa_binary_curve(&box, 10, &plain_memory, most, NULL), PA_OK);
		for (k = 0; k < 30; k++)
		{
			double		p = uniform(&random, box.p_low, box.p_high);
			double		q = uniform(&random, box.q_low, box.q_high);
			double		transition[4] = {p, 1 - p, 1 - q, q};
			PaChain		chain = {2, transition, NULL, box.length, NULL};

			assert_int_equal(pa_chain_curve(&chain, 10, &plain_memory, one, NULL), PA_OK);
			for (b = 0; b < 10; b++)
				assert_true(one[b].a <= most[b].a + 1e-11);
		}
	}
}

/* Releases by randomised response on each row: what one value of a row says of another */
static void
spent_rows_cost_what_their_windows_see(void **state)
{
	uint64_t	seed = 14;
	PaRandom	random = seeded(&seed);
	int			i;
	int			t;

	(void) state;
	for (i = 0; i < 300; i++)
	{
		PaInfluence point[ROWS];
		PaCurve		curve = {point, 0, 0};
		PaChainLimits limits;
		double		sum[ROWS];
		double		each = exp(uniform(&random, -4, 2));
		double		rows;
		double		whole;
		Model		model;

		random_model(&random, i % 2 == 1, &model);
		curve.points = (int) (curve.longest = model.chain.length);
		for (t = 0; t < curve.points; t++)
			sum[t] = each;
		assert_int_equal(pa_chain_curve(&model.chain, curve.points, &plain_memory, point, NULL), PA_OK);
		assert_int_equal(pa_pufferfish_spent(&curve, each, &whole, NULL, NULL), PA_OK);
		assert_int_equal(pa_chain_spent(&model.chain, sum, &plain_memory, &rows, NULL), PA_OK);
		assert_true(rows <= whole * (1 + 1e-12));
		sum[0] = 0;
		assert_int_equal(pa_chain_spent(&model.chain, sum, &plain_memory, &whole, NULL), PA_OK);
		assert_true(whole <= rows * (1 + 1e-12));
		assert_int_equal(pa_chain_limits(&model.chain, each, &plain_memory, &limits, NULL), PA_OK);
		assert_true(fmax(limits.curve, limits.node) <= limits.pair * (1 + 1e-12));
		/* what the limit of pairs allows, spends no more */
		for (t = 0; t < curve.points; t++)
			sum[t] = limits.pair;
		assert_int_equal(pa_chain_spent(&model.chain, sum, &plain_memory, &rows, NULL), PA_OK);
		assert_true(rows <= each * (1 + 1e-12));
	}
}

static void
odometer_is_below_the_papers_sum(void **state)
{
	uint64_t	seed = 15;
	PaRandom	random = seeded(&seed);
	int			i;
	int			k;

	(void) state;
	for (i = 0; i < 2000; i++)
	{
		PaInfluence point[20];
		PaCurve		curve = {point, 20, 20 + (int64_t) pa_random_below(&random, 500)};
		PaPufferfishRelease release[30];
		PaPufferfishSums sums;
		double		a = exp(uniform(&random, -2, 3));
		double		limit;
		double		spent;
		double		needed;

		for (k = 0; k < 20; k++, a *= uniform(&random, 0.5, 1))
			point[k] = (PaInfluence) {a, k + 1, -1, -1};
		for (k = 0; k < 30; k++)
		{
			const PaInfluence *at = &point[pa_random_below(&random, 20)];

			release[k] = (PaPufferfishRelease) {at->a + exp(uniform(&random, -4, 1)), at->a, at->b};
		}
		assert_int_equal(pa_pufferfish_sums(&curve, release, 30, &sums, NULL), PA_OK);
		assert_true(sums.spent <= sums.paper * (1 + 1e-12) && sums.paper <= sums.naive * (1 + 1e-12));
		assert_int_equal(pa_pufferfish_limit(&curve, sums.spent, &limit, NULL, NULL), PA_OK);
		assert_close(limit, sums.per_row, 1e-9);
		assert_int_equal(pa_pufferfish_spent(&curve, limit, &spent, NULL, NULL), PA_OK);
		assert_true(spent <= sums.spent * (1 + 1e-14));
		assert_int_equal(pa_pufferfish_needed(&curve, sums.per_row, 0.1, &needed, NULL), PA_OK);
		assert_int_equal(pa_pufferfish_spent(&curve, sums.per_row + needed, &spent, NULL, NULL), PA_OK);
		assert_true(fabs(spent - sums.spent - 0.1) < 1e-9);

		/* all that is left of a budget is no more than its cap, rounded down twice, allows */
		assert_int_equal(pa_pufferfish_limit(&curve, (sums.spent + 0.1) * (1 - DBL_EPSILON), &limit, NULL, NULL), PA_OK);
		assert_true(sums.per_row + needed <= limit * (1 - DBL_EPSILON));
	}
}

/* Chain p = q = .9, 100 releases worth .05 each: naive 5, paper 4.387, odometer 1.830 */
static void
odometer_of_the_example(void **state)
{
	static const double transition[4] = {0.9, 0.1, 0.1, 0.9};
	PaChain		chain = {2, transition, NULL, 0, NULL};
	PaInfluence point[200];
	PaCurve		curve = {point, 200, 1000};
	PaPufferfishRelease release[100];
	PaPufferfishSums sums;
	PaInfluence best;
	double		limit;
	int			i;

	(void) state;
	assert_int_equal(pa_chain_curve(&chain, 200, &plain_memory, point, NULL), PA_OK);
	assert_int_equal(pa_pufferfish_limit(&curve, 0.05, &limit, &best, NULL), PA_OK);
	for (i = 0; i < 100; i++)
		release[i] = (PaPufferfishRelease) {0.05, best.a, best.b};
	assert_int_equal(pa_pufferfish_sums(&curve, release, 100, &sums, NULL), PA_OK);
	assert_true(fabs(sums.naive - 5) < 1e-9);
	assert_true(fabs(sums.paper - 4.387) < 1e-3);
	assert_true(fabs(sums.spent - 1.830) < 1e-3);
}

static void
gaussians_that_are_independent_tell_nothing(void **state)
{
	double		covariance[25] = {0};
	PaGaussianRows rows = {5, covariance, 3, 0.2};
	PaInfluence point[5];
	int			i;

	(void) state;
	for (i = 0; i < 5; i++)
		covariance[i * 6] = 1 + i;
	assert_int_equal(pa_gaussian_curve(&rows, &plain_memory, point, NULL), PA_OK);
	for (i = 0; i < 5; i++)
		assert_true(point[i].a == 0);
	covariance[1] = covariance[5] = 0.5;
	assert_int_equal(pa_gaussian_curve(&rows, &plain_memory, point, NULL), PA_OK);
	assert_true(point[0].a > 0.5 && point[1].a == 0);
}

static bool
counts_up(void *context)
{
	++*(int *) context;
	return false;
}

/* With a start of its own a chain is walked along before anything else is computed. */
static void
walks_look_at_interrupts(void **state)
{
	static const double transition[] = {0.7, 0.3, 0.4, 0.6};
	static const double start[] = {0.5, 0.5};
	PaChain		chain = {2, transition, start, 500, NULL};
	PaEnvironment environment = plain_memory;
	PaChainTable table;
	int			looks = 0;

	(void) state;
	environment.interrupted = counts_up;
	environment.context = &looks;
	assert_int_equal(pa_chain_table(&chain, 1, &environment, &table, NULL), PA_OK);
	pa_chain_table_release(&table, &environment);
	assert_true(looks >= 500);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_follow_the_definition),
		cmocka_unit_test(wanted_pairs_alone_count),
		cmocka_unit_test(masks_of_pairs_are_monotone),
		cmocka_unit_test(one_curve_bounds_every_length),
		cmocka_unit_test(radii_belong_to_the_points),
		cmocka_unit_test(underflow_never_hides_influence),
		cmocka_unit_test(boxes_of_binary_chains_have_two_corners),
		cmocka_unit_test(spent_rows_cost_what_their_windows_see),
		cmocka_unit_test(odometer_is_below_the_papers_sum),
		cmocka_unit_test(odometer_of_the_example),
		cmocka_unit_test(gaussians_that_are_independent_tell_nothing),
		cmocka_unit_test(walks_look_at_interrupts),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
