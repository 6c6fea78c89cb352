/*
 * test_pufferfish_curve.c
 *		Influence curves against the definition over all sets, and what is refused.
 */
#include <gsl/gsl_errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/pufferfish/binary.h"
#include "core/pufferfish/chain.h"
#include "core/pufferfish/chain_fit.h"
#include "core/pufferfish/gaussian.h"
#include "core/pufferfish/interval.h"
#include "core/pufferfish/odometer.h"
#include "core/pufferfish/table.h"
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

static PaRandom
seeded(uint64_t *seed)
{
	PaRandom	random;

	pa_random_init(&random, source_seeded, seed);
	return random;
}

/* Some entries are 0 or rare */
static void
random_row(PaRandom *random, int size, double zeros, double *row)
{
	double		sum = 0;
	int			i;

	while (!(sum > 0))
		for (i = 0, sum = 0; i < size; i++)
			sum += row[i] = uniform(random, 0, 1) < zeros ? 0.0 : exp(uniform(random, -5, 0));
	for (i = 0; i < size; i++)
		row[i] /= sum;
}

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
			random_row(random, m, uniform(random, 0, 1) < 0.5 ? 0.0 : 0.3, model->transition + i * m);
		random_row(random, m, 0.3, model->start);
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

/* THEORY.md: chain p = q = .9, 100 releases worth .05 each: naive 5, paper 4.387, odometer 1.830 */
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

static double
conditional_ratio(const double *law, const PaFinite *finite, PaSecretPair pair, const int *key, int at)
{
	double		hit[2] = {0, 0};
	double		all[2] = {0, 0};
	int			side;
	int			i;

	for (side = 0; side < 2; side++)
		for (i = 0; i < finite->cells; i++)
			if (finite->mask[(side == 0 ? pair.first : pair.second) * finite->cells + i])
			{
				all[side] += law[i];
				hit[side] += key[i] == at ? law[i] : 0;
			}
	return hit[0] > 0 && hit[1] > 0 ? log(hit[0] / all[0]) - log(hit[1] / all[1]) : 0;
}

/* Random laws within the intervals: no set of any size may tell more than some curve allows. */
static void
intervals_bound_their_laws(void **state)
{
	static const int shape[3] = {2, 2, 2};
	static const unsigned char mask[16] = {1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
	static const PaSecretPair pairs[2] = {{0, 1}, {1, 0}};
	PaFinite	finite = {3, shape, 8, 2, mask, 2, pairs};
	uint64_t	seed = 16;
	PaRandom	random = seeded(&seed);
	int			i;
	int			k;
	int			b;

	(void) state;
	for (i = 0; i < 60; i++)
	{
		double		centre[8];
		double		low[8];
		double		high[8];
		double		loose[8] = {1, 0, 1, 0, 1, 0, 1, 0};
		double		one = 1;
		PaIntervals intervals = {PA_INTERVAL_JOINT, low, high, 0, NULL, NULL};
		PaInfluence exact[3];
		PaInfluence bound[3];
		PaInfluence program[3];
		PaInfluence table[3];

		random_row(&random, 8, 0, centre);
		for (k = 0; k < 8; k++)
		{
			low[k] = centre[k] * uniform(&random, 0.5, 1);
			high[k] = fmin(1, centre[k] * uniform(&random, 1, 2));
		}
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, exact, NULL), PA_OK);
		intervals.mode = PA_INTERVAL_JOINT_BOUND;
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, bound, NULL), PA_OK);
		/* a constraint that says nothing: the program of Charnes and Cooper must agree */
		intervals.constraints = 1;
		intervals.row = loose;
		intervals.right = &one;
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, program, NULL), PA_OK);
		for (b = 0; b < 3; b++)
		{
			assert_true(exact[b].a <= bound[b].a + 1e-12);
			assert_true(fabs(program[b].a - bound[b].a) < 1e-6);
		}
		for (k = 0; k < 200; k++)
		{
			double		law[8];
			double		sum = 0;
			bool		inside = true;
			int			c;

			for (c = 0; c < 8; c++)
				sum += law[c] = k % 2 == 0 ? uniform(&random, low[c], high[c]) :
					pa_random_below(&random, 2) == 0 ? low[c] : high[c];
			for (c = 0; c < 8; c++)
			{
				law[c] /= sum;
				inside = inside && law[c] >= low[c] && law[c] <= high[c];
			}
			if (!inside)
				continue;
			assert_int_equal(pa_table_curve(&finite, law, 1, &plain_memory, table, NULL), PA_OK);
			for (b = 0; b < 3; b++)
				assert_true(table[b].a <= exact[b].a + 1e-9);
		}
	}
}

/* What the lows leave goes to cells in a random order, and a part of all to the law "inside": so it stays within. */
static void
law_at_corner(PaRandom *random, int cells, const double *low, const double *high, const double *inside, double part, double *law)
{
	double		left = 1;
	int			from = (int) pa_random_below(random, (uint64_t) cells);
	int			step = cells % 2 == 0 ? 1 + 2 * (int) pa_random_below(random, (uint64_t) cells / 2) : 1;
	int			i;

	for (i = 0; i < cells; i++)
		left -= law[i] = low[i];
	for (i = 0; i < cells; i++)
	{
		int			cell = (from + i * step) % cells;
		double		more = fmax(0, fmin(left, high[cell] - low[cell]));

		law[cell] += more;
		left -= more;
	}
	for (i = 0; i < cells; i++)
		law[i] = (1 - part) * law[i] + part * inside[i];
}

/* Cells that may have no mass, and secrets that may nearly have none */
static void
intervals_from_zero_bound_their_laws(void **state)
{
	static const int shape[2] = {2, 2};
	PaFinite	finite = {2, shape, 4, 0, NULL, 0, NULL};
	uint64_t	seed = 20;
	PaRandom	random = seeded(&seed);
	int			i;
	int			k;
	int			b;

	(void) state;
	for (i = 0; i < 2000; i++)
	{
		double		centre[4];
		double		low[4];
		double		high[4];
		PaIntervals intervals = {PA_INTERVAL_JOINT, low, high, 0, NULL, NULL};
		PaInfluence exact[2];
		PaInfluence bound[2];
		PaInfluence table[2];

		random_row(&random, 4, 0, centre);
		for (k = 0; k < 4; k++)
		{
			low[k] = uniform(&random, 0, 1) < 0.6 ? 0 : centre[k] * uniform(&random, 0.3, 1);
			high[k] = fmin(1, centre[k] * exp(uniform(&random, 0, 3)));
		}
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, exact, NULL), PA_OK);
		intervals.mode = PA_INTERVAL_JOINT_BOUND;
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, bound, NULL), PA_OK);
		for (b = 0; b < 2; b++)
			assert_true(exact[b].a <= bound[b].a + 1e-11);
		for (k = 0; k < 60; k++)
		{
			double		law[4];

			law_at_corner(&random, 4, low, high, centre, exp(uniform(&random, -30, 0)), law);
			assert_int_equal(pa_table_curve(&finite, law, 1, &plain_memory, table, NULL), PA_OK);
			for (b = 0; b < 2; b++)
				assert_at_most(table[b].a, exact[b].a + 1e-9);
		}
	}
}

/* The same of laws given the value of the first row */
static void
conditional_intervals_from_zero_bound_their_laws(void **state)
{
	static const int shape[2] = {2, 4};
	static const unsigned char mask[16] = {1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
	static const PaSecretPair pairs[2] = {{0, 1}, {1, 0}};
	PaFinite	finite = {2, shape, 8, 2, mask, 2, pairs};
	uint64_t	seed = 26;
	PaRandom	random = seeded(&seed);
	int			i;
	int			k;

	(void) state;
	for (i = 0; i < 1000; i++)
	{
		double		centre[8];
		double		low[8];
		double		high[8];
		PaIntervals intervals = {PA_INTERVAL_CONDITIONAL, low, high, 0, NULL, NULL};
		PaInfluence bound[2];
		PaInfluence table[2];

		random_row(&random, 4, 0, centre);
		random_row(&random, 4, 0, centre + 4);
		for (k = 0; k < 8; k++)
		{
			low[k] = uniform(&random, 0, 1) < 0.4 ? 0 : centre[k] * uniform(&random, 0.3, 1);
			high[k] = fmin(1, centre[k] * exp(uniform(&random, 0, 3)));
		}
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, bound, NULL), PA_OK);
		for (k = 0; k < 40; k++)
		{
			double		law[8];
			double		first = uniform(&random, 0.1, 0.9);
			double		part = exp(uniform(&random, -30, 0));
			int			c;

			law_at_corner(&random, 4, low, high, centre, part, law);
			law_at_corner(&random, 4, low + 4, high + 4, centre + 4, part, law + 4);
			for (c = 0; c < 8; c++)
				law[c] *= c < 4 ? first : 1 - first;
			assert_int_equal(pa_table_curve(&finite, law, 1, &plain_memory, table, NULL), PA_OK);
			assert_at_most(table[0].a, bound[0].a + 1e-9);
		}
	}
}

/* A secret of nearly no mass, and one of mass that doubles hardly hold: sup over laws is ln 1/.3, and infinite */
static void
closed_form_has_its_limits(void **state)
{
	static const int shape[2] = {2, 2};
	static const double low[4] = {0, 0, 0.3, 0};
	static const double high[4] = {0.5, 0.5, 0.5, 0.9};
	static const double none[4] = {0, 0.1, 0, 0.3};
	static const double trifle[4] = {1e-40, 0.7, 0.5, 0.9};
	PaFinite	finite = {2, shape, 4, 2, NULL, 1, NULL};
	static const unsigned char mask[8] = {1, 1, 0, 0, 0, 0, 1, 1};
	static const PaSecretPair pair[1] = {{0, 1}};
	PaIntervals intervals = {PA_INTERVAL_JOINT, low, high, 0, NULL, NULL};
	PaInfluence point[2];

	(void) state;
	finite.mask = mask;
	finite.pair = pair;
	assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, point, NULL), PA_OK);
	assert_at_most(log(1 / 0.3), point[0].a);
	intervals.low = none;
	intervals.high = trifle;
	assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, point, NULL), PA_OK);
	assert_true(isinf(point[0].a));
}

/* The closed form is attained: a search over laws comes close to it. */
static void
joint_intervals_are_exact(void **state)
{
	static const int shape[2] = {2, 2};
	static const unsigned char mask[8] = {1, 1, 0, 0, 0, 0, 1, 1};
	static const PaSecretPair pairs[1] = {{0, 1}};
	static const int key[4] = {0, 1, 0, 1};
	PaFinite	finite = {2, shape, 4, 2, mask, 1, pairs};
	uint64_t	seed = 17;
	PaRandom	random = seeded(&seed);
	int			i;
	int			k;

	(void) state;
	for (i = 0; i < 40; i++)
	{
		double		centre[4];
		double		low[4];
		double		high[4];
		PaIntervals intervals = {PA_INTERVAL_JOINT, low, high, 0, NULL, NULL};
		PaInfluence point[2];
		double		best = 0;

		random_row(&random, 4, 0, centre);
		for (k = 0; k < 4; k++)
		{
			low[k] = centre[k] * uniform(&random, 0.5, 1);
			high[k] = fmin(1, centre[k] * uniform(&random, 1, 2));
		}
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, point, NULL), PA_OK);
		for (k = 0; k < 60 * 60 * 60; k++)
		{
			double		law[4];

			law[0] = low[0] + (high[0] - low[0]) * (k % 60) / 59;
			law[1] = low[1] + (high[1] - low[1]) * (k / 60 % 60) / 59;
			law[2] = low[2] + (high[2] - low[2]) * (k / 3600) / 59;
			law[3] = 1 - law[0] - law[1] - law[2];
			if (law[3] < low[3] || law[3] > high[3])
				continue;
			best = fmax(best, fmax(conditional_ratio(law, &finite, pairs[0], key, 0),
								   conditional_ratio(law, &finite, pairs[0], key, 1)));
		}
		assert_true(best <= point[0].a + 1e-12);
		assert_true(best >= point[0].a - 0.1);
	}
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

static void
assert_fault(PaStatus status, const PaFault *got, PaFault want)
{
	assert_int_equal(status, PA_INVALID);
	assert_string_equal(pa_fault_text(*got), pa_fault_text(want));
}

static void
chain_refused(const double *transition, const double *start, int states, int64_t length, int most, PaFault want)
{
	PaChain		chain = {states, transition, start, length, NULL};
	PaInfluence point[8];
	PaFault		fault = PA_FAULT_NONE;

	assert_fault(pa_chain_curve(&chain, most, &plain_memory, point, &fault), &fault, want);
}

static void
bad_chains_are_refused(void **state)
{
	static const double good[4] = {0.5, 0.5, 0.5, 0.5};
	static const double sum[4] = {0.5, 0.5, 0.5, 0.4};
	static const double negative[4] = {1.5, -0.5, 0.5, 0.5};
	static const double unknown[4] = {NAN, 0.5, 0.5, 0.5};
	static const double absorbing[4] = {1, 0, 0.5, 0.5};
	static const double apart[4] = {1, 0, 0, 1};
	static const double point[2] = {1, 0};

	(void) state;
	chain_refused(sum, NULL, 2, 0, 5, PA_FAULT_SUM);
	chain_refused(negative, NULL, 2, 0, 5, PA_FAULT_ENTRY);
	chain_refused(unknown, NULL, 2, 0, 5, PA_FAULT_ENTRY);
	chain_refused(absorbing, NULL, 2, 0, 5, PA_FAULT_UNREACHABLE);
	chain_refused(apart, NULL, 2, 10, 5, PA_FAULT_UNREACHABLE);
	chain_refused(apart, point, 2, 10, 5, PA_FAULT_UNREACHABLE);
	chain_refused(good, sum + 2, 2, 10, 5, PA_FAULT_SUM);
	chain_refused(good, point, 2, 0, 5, PA_FAULT_ARGUMENT);
	chain_refused(good, NULL, 2, -1, 5, PA_FAULT_ARGUMENT);
	chain_refused(good, NULL, 1, 0, 5, PA_FAULT_ARGUMENT);
	chain_refused(good, NULL, 2, 0, 0, PA_FAULT_ARGUMENT);
	chain_refused(good, NULL, 1000000, 0, 5, PA_FAULT_SIZE);
	chain_refused(good, NULL, 2, 0, 1000000, PA_FAULT_SIZE);
	chain_refused(good, good, 2, 1000000, 5, PA_FAULT_SIZE);
}

static void
bad_covariances_are_refused(void **state)
{
	double		s[4] = {1, 0.5, 0.5, 1};
	PaGaussianRows rows = {2, s, 5, 0.1};
	PaInfluence point[2];
	PaFault		fault = PA_FAULT_NONE;

	(void) state;
	s[1] = 0.4;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_SYMMETRY);
	s[1] = s[2] = 1.5;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_INDEFINITE);
	s[1] = s[2] = 1 - 1e-13;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_CONDITION);
	s[1] = s[2] = INFINITY;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_ENTRY);
	s[1] = s[2] = 0.5;
	rows.width = 6;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_ARGUMENT);
	rows.rows = 1000;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_SIZE);
}

static void
bad_tables_are_refused(void **state)
{
	static const int shape[2] = {2, 2};
	static const unsigned char mask[8] = {1, 1, 0, 0, 0, 1, 1, 1};
	static const PaSecretPair outside[1] = {{0, 2}};
	static const PaSecretPair overlapping[1] = {{0, 1}};
	double		prior[4] = {0.25, 0.25, 0.25, 0.25};
	PaFinite	finite = {2, shape, 4, 2, mask, 1, outside};
	double		low[4] = {0.3, 0.3, 0.3, 0.3};
	double		high[4] = {0.4, 0.4, 0.4, 0.4};
	PaIntervals intervals = {PA_INTERVAL_JOINT, low, high, 0, NULL, NULL};
	PaInfluence point[2];
	PaFault		fault = PA_FAULT_NONE;

	(void) state;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_SECRET);
	finite.pair = overlapping;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_SECRET);
	finite.secrets = finite.pairs = 0;
	prior[0] = 0.3;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_SUM);
	prior[0] = -0.25;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_ENTRY);
	finite.cells = 5;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_ARGUMENT);
	finite.cells = 4;
	finite.entries = 100;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_SIZE);
	finite.entries = 2;
	assert_fault(pa_interval_curve(&finite, &intervals, &plain_memory, point, &fault), &fault, PA_FAULT_EMPTY);
	low[0] = 0.5;
	assert_fault(pa_interval_curve(&finite, &intervals, &plain_memory, point, &fault), &fault, PA_FAULT_ENTRY);
}

/* Memory that fails, or an interrupt, after a number of calls; counts what is out. */
typedef struct Trouble
{
	int			calls;
	int			looks;
	int			held;
} Trouble;

static void *
grudging(void *context, size_t size)
{
	Trouble    *trouble = context;

	if (trouble->calls-- == 0)
		return NULL;
	trouble->held++;
	return malloc(size);
}

static void
take_back(void *context, void *memory)
{
	((Trouble *) context)->held--;
	free(memory);
}

static bool
impatient(void *context)
{
	return ((Trouble *) context)->looks-- == 0;
}

typedef PaStatus (*Task) (const PaEnvironment *environment);

static PaStatus
chain_task(const PaEnvironment *environment)
{
	static const double transition[4] = {0.9, 0.1, 0.2, 0.8};
	static const double start[2] = {0.5, 0.5};
	PaChain		chain = {2, transition, start, 5, NULL};
	PaInfluence point[5];
	PaChainLimits limits;
	PaStatus	status = pa_chain_curve(&chain, 5, environment, point, NULL);

	return status == PA_OK ? pa_chain_limits(&chain, 1, environment, &limits, NULL) : status;
}

static PaStatus
interval_task(const PaEnvironment *environment)
{
	static const int shape[2] = {2, 2};
	static const double low[4] = {0.1, 0.1, 0.1, 0.1};
	static const double high[4] = {0.5, 0.5, 0.5, 0.5};
	static const double row[4] = {1, 1, 0, 0};
	static const double right[1] = {0.6};
	PaFinite	finite = {2, shape, 4, 0, NULL, 0, NULL};
	PaIntervals intervals = {PA_INTERVAL_JOINT_BOUND, low, high, 1, row, right};
	PaInfluence point[2];

	return pa_interval_curve(&finite, &intervals, environment, point, NULL);
}

static PaStatus
gaussian_task(const PaEnvironment *environment)
{
	static const double s[9] = {1, 0.5, 0.2, 0.5, 1, 0.5, 0.2, 0.5, 1};
	PaGaussianRows rows = {3, s, 5, 0.1};
	PaInfluence point[3];

	return pa_gaussian_curve(&rows, environment, point, NULL);
}

static void
trouble_leaves_nothing_behind(void **state)
{
	static const Task task[3] = {chain_task, interval_task, gaussian_task};
	int			i;
	int			k;
	int			calls;

	(void) state;
	for (i = 0; i < 3; i++)
		for (k = 0; k < 2; k++)
		{
			PaStatus	status = PA_INVALID;

			for (calls = 0; status != PA_OK; calls++)
			{
				Trouble		trouble = {k == 0 ? calls : -1, k == 1 ? calls : -1, 0};
				PaEnvironment environment = {grudging, take_back, impatient, &trouble};

				status = task[i] (&environment);
				assert_true(status == PA_OK || status == (k == 0 ? PA_NO_MEMORY : PA_INTERRUPTED));
				assert_int_equal(trouble.held, 0);
				assert_true(calls < 100000);
			}
			assert_true(calls > 1);
		}
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
		cmocka_unit_test(intervals_bound_their_laws),
		cmocka_unit_test(intervals_from_zero_bound_their_laws),
		cmocka_unit_test(conditional_intervals_from_zero_bound_their_laws),
		cmocka_unit_test(closed_form_has_its_limits),
		cmocka_unit_test(joint_intervals_are_exact),
		cmocka_unit_test(gaussians_that_are_independent_tell_nothing),
		cmocka_unit_test(bad_chains_are_refused),
		cmocka_unit_test(bad_covariances_are_refused),
		cmocka_unit_test(bad_tables_are_refused),
		cmocka_unit_test(trouble_leaves_nothing_behind),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
