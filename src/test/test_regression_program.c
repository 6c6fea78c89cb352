/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_regression_program.c
 *		Searches by linear programs: sound, in accord with climbs, whatever GLPK answers.
 *
 * The core's calls of GLPK come here first, since the program's own functions are
 * found before those of a library: they can fail, or answer nonsense.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <glpk.h>
#include <math.h>
#include <string.h>

#include "core/bayes/branch_forms.h"
#include "core/bayes/regression.h"
#include "source.h"
#include "unit.h"

#define MOST 16
#define NODES 20000
#define GAP 1e-3

typedef enum Lie
{
	TRUTH,
	FAILS,						/* the simplex has no solution */
	FAULTS,						/* GLPK calls its error hook */
	MULTIPLIERS,				/* any numbers */
	NO_NUMBERS,					/* NaN, infinities and huge ones too */
	POINTS						/* any x, NaN too */
} Lie;

static Lie lie;
static double lies;				/* the share of answers that are lies */
static long solved;
static PaRandom random_state;
static uint64_t seed;

static double
draw(double low, double high)
{
	return uniform(&random_state, low, high);
}

static bool
lying(Lie what)
{
	return lie == what && draw(0, 1) < lies;
}

int
glp_simplex(glp_prob *problem, const glp_smcp *how)
{
	int			(*real) (glp_prob *, const glp_smcp *);

	*(void **) &real = dlsym(RTLD_NEXT, "glp_simplex");
	solved++;
	if (lying(FAILS))
		return GLP_EFAIL;
	if (lying(FAULTS))
		glp_error("a fault\n");
	return real(problem, how);
}

double
glp_get_row_dual(glp_prob *problem, int row)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e99, 1e99, -0.0, 1e-300};
	double		(*real) (glp_prob *, int);

	*(void **) &real = dlsym(RTLD_NEXT, "glp_get_row_dual");
	if (lying(MULTIPLIERS))
		return draw(-2, 2) * pow(10, draw(-4, 3));
	if (lying(NO_NUMBERS))
		return odd[(int) draw(0, 8)];
	return real(problem, row);
}

double
glp_get_col_prim(glp_prob *problem, int column)
{
	double		(*real) (glp_prob *, int);

	*(void **) &real = dlsym(RTLD_NEXT, "glp_get_col_prim");
	if (lying(POINTS))
		return draw(0, 1) < 0.1 ? NAN : draw(-5, 5);
	return real(problem, column);
}

/* --- problems --- */

static double low[PA_REGRESSION_DIMENSIONS];
static double high[PA_REGRESSION_DIMENSIONS];
static double theta[MOST][PA_REGRESSION_DIMENSIONS];
static PaAnswer answer[MOST];
static PaBox box = {1, low, high};
static int answers;

static int
start(void **state)
{
	(void) state;
	seed = 90210;
	pa_random_init(&random_state, source_seeded, &seed);
	lie = TRUTH;
	lies = 0;
	solved = 0;
	return 0;
}

/* Sigmoids and ramps across a small part of the range of their forms; few of them. */
static void
draw_steep(int dimensions, int n, double size, double eps)
{
	int			i,
				j;

	box.dimensions = dimensions;
	answers = n;
	for (j = 0; j < dimensions; j++)
	{
		low[j] = draw(-2, 1);
		high[j] = low[j] + (dimensions > 1 && draw(0, 1) < 0.05 ? 0 : draw(0.5, 3));
	}
	for (i = 0; i < n; i++)
	{
		PaRegression *query = &answer[i].query;
		double		middle = 0;

		for (j = 0; j < dimensions; j++)
		{
			theta[i][j] = draw(0, 1) < 0.05 ? 0 : draw(-size, size);
			middle += theta[i][j] * draw(low[j], high[j]);
		}
		query->theta = theta[i];
		query->kind = draw(0, 1) < 0.5 ? PA_REGRESSION_LOGISTIC : PA_REGRESSION_LINEAR;
		query->constant = -middle;
		query->a = -draw(0.1, 4);
		query->b = draw(0.1, 4);
		query->epsilon = eps * draw(0.3, 1);
		answer[i].output = draw(0, 1) < 0.5;
	}
}

static double
log_likelihood(const double *x)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < answers; i++)
	{
		double		value;

		assert_int_equal(pa_regression_log_likelihood(&box, &answer[i], x, &value), PA_OK);
		sum += value;
	}
	return sum;
}

/* From x, ever smaller random steps that gain; the best of sign times the log-likelihood. */
static double
search_near(double *x, double sign)
{
	double		best = sign * log_likelihood(x);
	double		size = 0.5;
	int			k,
				j;

	for (k = 0; k < 200; k++, size *= 0.96)
	{
		double		y[PA_REGRESSION_DIMENSIONS];
		double		value;

		for (j = 0; j < box.dimensions; j++)
			y[j] = fmin(fmax(x[j] + size * draw(-1, 1) * (high[j] - low[j]), low[j]), high[j]);
		value = sign * log_likelihood(y);
		if (value > best)
		{
			best = value;
			memcpy(x, y, sizeof(y));
		}
	}
	return best;
}

/* A grid, and searches from its best point and from random ones. */
static double
sample(double sign)
{
	static const int steps[] = {0, 2000, 40, 12, 7};
	int			side = steps[box.dimensions] + 1;
	double		best = -INFINITY;
	double		at[PA_REGRESSION_DIMENSIONS] = {0};
	long		k;
	int			j;

	for (k = 0; k < (long) pow(side, box.dimensions); k++)
	{
		double		x[PA_REGRESSION_DIMENSIONS];
		long		rest = k;
		double		value;

		for (j = 0; j < box.dimensions; j++, rest /= side)
			x[j] = fmin(low[j] + (high[j] - low[j]) * (double) (rest % side) / (side - 1), high[j]);
		value = sign * log_likelihood(x);
		if (value > best)
		{
			best = value;
			memcpy(at, x, sizeof(x));
		}
	}
	for (k = 0; k < 4; k++)
	{
		best = fmax(best, search_near(at, sign));
		for (j = 0; j < box.dimensions; j++)
			at[j] = draw(low[j], high[j]);
	}
	return best;
}

static PaRegressionBounds
bounds_of(double gap, long nodes)
{
	PaRegressionBounds bounds;

	assert_int_equal(pa_regression_bounds(&box, answer, answers, gap, nodes, &plain_memory, &bounds), PA_OK);
	assert_at_most(bounds.loss_least, bounds.loss_most);
	assert_at_most(bounds.max_least, log_likelihood(bounds.x_max) + 1e-12);
	assert_at_most(log_likelihood(bounds.x_min), bounds.min_most + 1e-12);
	return bounds;
}

static void
check_sound(const PaRegressionBounds *bounds)
{
	assert_at_most(sample(1), bounds->max_most + 1e-12);
	assert_at_most(sample(-1), -bounds->min_least + 1e-12);
}

/* --- one node --- */

/* A part of the box around x, and envelopes there */
static void
draw_part(PaForms *forms, const PaSum *sum, const double *x)
{
	int			i,
				j;

	pa_forms_open(forms, sum);
	for (i = 0; i < sum->terms; i++)
	{
		double		w = sum->constant[i];
		double		least;
		double		most;

		for (j = 0; j < sum->dimensions; j++)
			w += sum->theta[i * sum->dimensions + j] * x[j];
		pa_sum_range(sum, i, low, high, &least, &most);
		if (draw(0, 1) < 0.6)
			forms->from[i] = w - draw(0, 1) * draw(0, 1) * (w - least);
		if (draw(0, 1) < 0.6)
			forms->to[i] = w + draw(0, 1) * draw(0, 1) * (most - w);
	}
}

/* As the search does it. */
static void
make_envelopes(const PaForms *forms, const PaSum *sum, const double *from, const double *to)
{
	int			i;

	for (i = 0; i < sum->terms; i++)
	{
		double		least;
		double		most;

		pa_sum_range(sum, i, from, to, &least, &most);
		least = fmax(least, forms->from[i]);
		most = fmin(most, forms->to[i]);
		assert_true(least <= most);
		forms->climb->envelope[i] = pa_envelope_make(&sum->term[i], least, most);
	}
}

/* Whether x is in the part, surely */
static bool
in_part(const PaForms *forms, const PaSum *sum, const double *x)
{
	int			i,
				j;

	for (i = 0; i < sum->terms; i++)
	{
		double		w = sum->constant[i];

		for (j = 0; j < sum->dimensions; j++)
			w += sum->theta[i * sum->dimensions + j] * x[j];
		if (w < forms->from[i] + 1e-12 * sum->scale[i] || w > forms->to[i] - 1e-12 * sum->scale[i])
			return false;
	}
	return true;
}

/* No point of the part is above the bound, none leaves the narrowed box, none above the floor is cut off. */
static long
check_part(PaForms *forms, const PaSum *sum, int side, const double *x)
{
	double		from[PA_REGRESSION_DIMENSIONS];
	double		to[PA_REGRESSION_DIMENSIONS];
	double		point[2000][PA_REGRESSION_DIMENSIONS];
	double		error;
	double		best = -INFINITY;
	double		floor;
	bool		cut = false;
	int			count = 0;
	int			k,
				j;

	draw_part(forms, sum, x);
	for (k = 0; k < 2000; k++)
	{
		double		size = k == 0 ? 0 : pow(10, draw(-3, 0));

		for (j = 0; j < sum->dimensions; j++)
			point[count][j] = fmin(fmax(x[j] + size * draw(-1, 1) * (high[j] - low[j]), low[j]), high[j]);
		count += in_part(forms, sum, point[count]);
	}
	memcpy(from, low, sizeof(from));
	memcpy(to, high, sizeof(to));
	assert_true(pa_forms_narrow(forms, sum, from, to));
	make_envelopes(forms, sum, from, to);
	memcpy(forms->climb->x, x, (size_t) sum->dimensions * sizeof(double));
	if (!pa_forms_bound(forms, sum, side, from, to, -INFINITY, 1e-9))
		return 0;
	for (k = 0; k < count; k++)
	{
		double		value = pa_sum_value(sum, point[k], &error);

		best = fmax(best, value);
		assert_at_most(value - error, forms->climb->bound);
		for (j = 0; j < sum->dimensions; j++)
			assert_true(point[k][j] >= from[j] && point[k][j] <= to[j]);
	}
	floor = forms->climb->bound - draw(0, 1) * (forms->climb->bound - fmax(best - 0.2, 0));
	if (forms->climb->bound <= floor)
		return count;
	(void) pa_forms_cut(forms, sum, floor, &cut);
	for (k = 0; k < count; k++)
		if (!in_part(forms, sum, point[k]))
			assert_at_most(pa_sum_value(sum, point[k], &error), floor + 1e-9);
	return count;
}

static void
test_parts(void **state)
{
	const PaAnswer *list[MOST];
	long		count = 0;
	int			i,
				k,
				j;

	(void) state;
	for (i = 0; i < 40; i++)
	{
		PaSum	   *sum;
		PaClimb    *climb;
		PaForms    *forms;

		draw_steep(1 + i % 5, 1 + i % 7, pow(10, draw(0, 2)), i % 3 ? 1 : 6);
		for (k = 0; k < answers; k++)
			list[k] = &answer[k];
		sum = pa_sum_make(&box, list, answers, i & 1, &plain_memory);
		climb = pa_climb_make(answers, box.dimensions, &plain_memory);
		forms = pa_forms_make(sum, climb, &plain_memory);
		for (k = 0; k < 12; k++)
		{
			double		x[PA_REGRESSION_DIMENSIONS];

			lie = k < 6 ? TRUTH : k < 9 ? MULTIPLIERS : POINTS;
			lies = 0.3;
			for (j = 0; j < box.dimensions; j++)
				x[j] = draw(low[j], high[j]);
			count += check_part(forms, sum, i & 1, x);
		}
		pa_forms_free(forms);
		plain_memory.release(plain_memory.context, climb);
		plain_memory.release(plain_memory.context, sum);
	}
	assert_true(count > 10000);
}

/* --- searches --- */

static void
test_against_samples(void **state)
{
	int			i;

	(void) state;
	for (i = 0; i < 80; i++)
	{
		int			d = 1 + i % 4;
		PaRegressionBounds bounds;

		draw_steep(d, 2 * d - i % 2, pow(10, draw(1.2, 3)), i % 3 ? 1 : 8);
		bounds = bounds_of(i % 2 ? GAP : 1e-6, NODES);
		assert_at_most(bounds.loss_most - bounds.loss_least, (i % 2 ? GAP : 1e-6) * (1 + 1e-9));
		check_sound(&bounds);
	}
	assert_true(solved > 100);
}

/* A search without programs finds the same; and needs more nodes where they count. */
static void
test_both_ways(void **state)
{
	long		with = 0;
	long		without = 0;
	int			i;

	(void) state;
	for (i = 0; i < 30; i++)
	{
		int			d = 4 + i % 3;
		PaRegressionBounds one;
		PaRegressionBounds other;

		draw_steep(d, d, 12, 1);
		lie = TRUTH;
		one = bounds_of(GAP, NODES);
		lie = FAILS;
		lies = 1;
		other = bounds_of(GAP, NODES);
		assert_at_most(one.loss_most - one.loss_least, GAP * (1 + 1e-9));
		assert_at_most(one.loss_least, other.loss_most);
		assert_at_most(other.loss_least, one.loss_most);
		assert_at_most(one.max_least, other.max_most);
		assert_at_most(other.max_least, one.max_most);
		assert_at_most(other.min_least, one.min_most);
		assert_at_most(one.min_least, other.min_most);
		with += one.nodes;
		without += other.nodes;
	}
	assert_true(4 * with < without);
}

/* Wrong answers, now and then or always, cost time and nothing else. */
static void
test_lies(void **state)
{
	static const double shares[] = {1, 0.3, 0.02};
	int			i;

	(void) state;
	for (i = 0; i < 150; i++)
	{
		int			d = 1 + i % 4;
		PaRegressionBounds bounds;

		draw_steep(d, 2 * d, 30, i % 2 ? 1 : 5);
		lie = (Lie) (1 + i % 5);
		lies = shares[i / 5 % 3];
		bounds = bounds_of(GAP, i % 7 ? 3000 : 5);
		assert_true(bounds.nodes <= (i % 7 ? 3001 : 7));
		check_sound(&bounds);
	}
}

/* Wherever a search ends. */
static void
test_node_limit(void **state)
{
	int			i;

	(void) state;
	for (i = 0; i < 60; i++)
	{
		PaRegressionBounds loose;

		draw_steep(3, 6, 40, 2);
		loose = bounds_of(0, 1 + i);
		assert_true(loose.nodes <= i + 3);
		check_sound(&loose);
	}
}

/* Huge theta, ramps of nearly no width. */
static void
test_extreme(void **state)
{
	int			i,
				j;

	(void) state;
	for (i = 0; i < 60; i++)
	{
		PaRegressionBounds bounds;
		double		most = 0;

		draw_steep(3, 6, pow(10, i % 4 ? draw(3, 9) : draw(9, 90)), pow(10, draw(-3, 1)));
		if (i % 3 == 0)
			answer[0].query.b = answer[0].query.a + 1e-6;
		for (j = 0; j < answers; j++)
			most += answer[j].query.epsilon;
		bounds = bounds_of(GAP, 500);
		assert_at_most(bounds.loss_most, most + 1e-12);
		if (i % 4 == 0)
			continue;
		/* samples are rounded too: theta x by 1e-7 of a unit at most */
		assert_at_most(sample(1), bounds.max_most + 1e-4 * most);
		assert_at_most(sample(-1), -bounds.min_least + 1e-4 * most);
	}
}

static void
test_rule(void **state)
{
	const PaAnswer *list[MOST];
	PaSum	   *sum;
	int			i;

	(void) state;
	for (i = 0; i < MOST; i++)
		list[i] = &answer[i];
	for (i = 0; i < 4; i++)
	{
		draw_steep(4, 8, 100, 1);
		answers = i == 2 ? 13 : i == 3 ? 11 : 8;
		if (i > 1)
			draw_steep(4, answers, 100, 1);
		if (i == 1)
			draw_steep(4, 8, 0.1, 1);
		sum = pa_sum_make(&box, list, answers, false, &plain_memory);
		assert_non_null(sum);
		assert_true(pa_forms_wanted(sum, &box) == (i == 0 || i == 3));
		plain_memory.release(plain_memory.context, sum);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_parts, start),
		cmocka_unit_test_setup(test_against_samples, start),
		cmocka_unit_test_setup(test_both_ways, start),
		cmocka_unit_test_setup(test_lies, start),
		cmocka_unit_test_setup(test_node_limit, start),
		cmocka_unit_test_setup(test_extreme, start),
		cmocka_unit_test_setup(test_rule, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
