/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_regression.c
 *		Certified bounds against samples, corners and grids; filters that keep their cap.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/bayes/regression.h"
#include "source.h"
#include "unit.h"

#define MOST 64
#define NODES 20000

typedef struct Domain
{
	double		low[PA_REGRESSION_DIMENSIONS];
	double		high[PA_REGRESSION_DIMENSIONS];
	PaBox		box;
	double		theta[MOST][PA_REGRESSION_DIMENSIONS];
	PaAnswer	answer[MOST];
	int			answers;
} Domain;

typedef enum Mixture
{
	ANY,
	ONLY_LINEAR,				/* that is never cut */
	ONLY_LOGISTIC
} Mixture;

static PaRandom random_state;
static uint64_t seed;
static Domain domain;

static int
start(void **state)
{
	(void) state;
	seed = 411;
	pa_random_init(&random_state, source_seeded, &seed);
	return 0;
}

static double
draw(double low, double high)
{
	return uniform(&random_state, low, high);
}

static void
draw_box(Domain *item, int dimensions)
{
	PaBox		box = {dimensions, item->low, item->high};
	int			j;

	item->box = box;
	item->answers = 0;
	for (j = 0; j < dimensions; j++)
	{
		item->low[j] = draw(-2, 1);
		item->high[j] = item->low[j] + draw(0.2, 3);
	}
}

/* A query behind the last answer, with coefficients up to size */
static PaAnswer *
draw_query(Domain *item, Mixture mixture, double size, double eps)
{
	PaAnswer   *answer = &item->answer[item->answers];
	double	   *theta = item->theta[item->answers];
	double		low;
	double		high;
	double		inside = mixture == ONLY_LINEAR ? 0 : 0.45;
	int			j;

	answer->query.theta = theta;
	answer->query.constant = draw(-size, size);
	answer->query.epsilon = eps * draw(0.3, 1);
	answer->query.kind = mixture == ONLY_LOGISTIC || (mixture == ANY && draw(0, 1) < 0.4) ?
		PA_REGRESSION_LOGISTIC : PA_REGRESSION_LINEAR;
	low = high = answer->query.constant;
	for (j = 0; j < item->box.dimensions; j++)
	{
		theta[j] = draw(-size, size);
		low += fmin(theta[j] * item->low[j], theta[j] * item->high[j]);
		high += fmax(theta[j] * item->low[j], theta[j] * item->high[j]);
	}
	answer->query.a = low + (high - low) * draw(-0.1, inside) - (mixture == ONLY_LINEAR ? 0.2 * (high - low) : 0);
	answer->query.b = high - (high - low) * draw(-0.1, inside) + (mixture == ONLY_LINEAR ? 0.2 * (high - low) : 0);
	answer->output = draw(0, 1) < 0.5;
	return answer;
}

static double
log_likelihood(const Domain *item, const double *x)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < item->answers; i++)
	{
		double		value;

		assert_int_equal(pa_regression_log_likelihood(&item->box, &item->answer[i], x, &value), PA_OK);
		sum += value;
	}
	return sum;
}

/* Points of a grid with corners, edges and insides, and as many random ones */
static void
sample_loss(const Domain *item, int steps, double *max, double *min)
{
	int			d = item->box.dimensions;
	long		count = (long) pow(steps + 1, d);
	long		k;
	int			j;

	*max = -INFINITY;
	*min = INFINITY;
	for (k = 0; k < 2 * count; k++)
	{
		double		x[PA_REGRESSION_DIMENSIONS];
		long		rest = k % count;
		double		value;

		for (j = 0; j < d; j++, rest /= steps + 1)
			x[j] = k < count ?
				fmin(item->low[j] + (item->high[j] - item->low[j]) * (double) (rest % (steps + 1)) / steps, item->high[j]) :
				draw(item->low[j], item->high[j]);
		value = log_likelihood(item, x);
		*max = fmax(*max, value);
		*min = fmin(*min, value);
	}
}

static PaRegressionBounds
bounds_of(const Domain *item, double gap, long nodes)
{
	PaRegressionBounds bounds;

	assert_int_equal(pa_regression_bounds(&item->box, item->answer, item->answers, gap, nodes,
										  &plain_memory, &bounds), PA_OK);
	return bounds;
}

/* What holds of bounds wherever the search ended */
static void
check_sound(const Domain *item, const PaRegressionBounds *bounds, int steps)
{
	double		max;
	double		min;
	double		tiny = 1e-10 * (1 + item->answers);

	sample_loss(item, steps, &max, &min);
	assert_at_most(max, bounds->max_most + 1e-13);
	assert_at_most(bounds->min_least - 1e-13, min);
	assert_at_most(max - min, bounds->loss_most + 1e-13);
	assert_at_most(bounds->loss_least, bounds->loss_most);
	/* the witnesses attain what they claim */
	assert_at_most(bounds->max_least, log_likelihood(item, bounds->x_max) + 1e-13);
	assert_at_most(log_likelihood(item, bounds->x_max), bounds->max_least + tiny);
	assert_at_most(log_likelihood(item, bounds->x_min), bounds->min_most + 1e-13);
	assert_at_most(bounds->min_most, log_likelihood(item, bounds->x_min) + tiny);
}

static void
test_against_grids(void **state)
{
	static const int steps[] = {0, 400, 30, 11, 6};
	int			i;

	(void) state;
	for (i = 0; i < 240; i++)
	{
		int			d = 1 + i % 4;
		double		gap = i % 2 ? 1e-3 : 1e-5;
		double		size = i % 5 == 0 ? 20 : 2;
		int			n = 1 + (int) draw(0, 9);
		PaRegressionBounds bounds;

		draw_box(&domain, d);
		while (domain.answers < n)
		{
			draw_query(&domain, (Mixture) (i % 3), size, i % 7 == 0 ? 4 : 1);
			domain.answers++;
		}
		bounds = bounds_of(&domain, gap, NODES);
		assert_at_most(bounds.loss_most - bounds.loss_least, gap * (1 + 1e-9));
		check_sound(&domain, &bounds, steps[d]);
	}
}

/* The smallest log-likelihood of linear queries is at a corner, the largest is found without branching. */
static void
test_linear(void **state)
{
	int			i,
				k,
				j;

	(void) state;
	for (i = 0; i < 30; i++)
	{
		PaRegressionBounds bounds;
		double		least = INFINITY;
		int			d = 1 + i % 9;

		draw_box(&domain, d);
		while (domain.answers < 20)
		{
			draw_query(&domain, ONLY_LINEAR, 3, 0.5);
			domain.answers++;
		}
		bounds = bounds_of(&domain, 1e-8, NODES);
		for (k = 0; k < 1 << d; k++)
		{
			double		x[PA_REGRESSION_DIMENSIONS];

			for (j = 0; j < d; j++)
				x[j] = k >> j & 1 ? domain.high[j] : domain.low[j];
			least = fmin(least, log_likelihood(&domain, x));
		}
		assert_at_most(fabs(bounds.min_most - least), 1e-9);
		assert_at_most(bounds.min_least, least);
		assert_at_most(bounds.loss_most - bounds.loss_least, 1e-8);
		assert_true(bounds.nodes <= 3);
	}
}

/* More dimensions than corners can be counted for */
static void
test_many_dimensions(void **state)
{
	PaRegressionBounds bounds;
	double		max;
	double		min;

	(void) state;
	draw_box(&domain, PA_REGRESSION_DIMENSIONS);
	while (domain.answers < 12)
	{
		draw_query(&domain, domain.answers < 8 ? ONLY_LINEAR : ANY, 1, 0.3);
		domain.answers++;
	}
	bounds = bounds_of(&domain, 1e-2, 3000);
	assert_at_most(bounds.loss_least, bounds.loss_most);
	assert_at_most(bounds.loss_most, 12 * 0.3 * 1.0001);
	max = log_likelihood(&domain, bounds.x_max);
	min = log_likelihood(&domain, bounds.x_min);
	assert_at_most(max - min, bounds.loss_most);
}

static void
test_degenerate(void **state)
{
	PaRegressionBounds bounds;
	int			i,
				j;

	(void) state;
	/* no answers: no loss */
	draw_box(&domain, 2);
	bounds = bounds_of(&domain, 0, 1);
	assert_true(bounds.loss_most == 0 && bounds.loss_least == 0);
	/* a single point: no loss but for the margin */
	for (i = 0; i < 6; i++, domain.answers++)
		draw_query(&domain, ANY, 3, 1);
	for (j = 0; j < 2; j++)
		domain.high[j] = domain.low[j];
	bounds = bounds_of(&domain, 1e-9, NODES);
	assert_at_most(bounds.loss_most, 1e-9);
	/* theta zero: no loss either */
	draw_box(&domain, 3);
	for (i = 0; i < 6; i++, domain.answers++)
	{
		draw_query(&domain, ANY, 3, 1);
		memset(domain.theta[i], 0, sizeof(domain.theta[i]));
	}
	bounds = bounds_of(&domain, 1e-9, NODES);
	assert_at_most(bounds.loss_most, 1e-9);
	/* some coordinates fixed, some coefficients zero */
	for (i = 0; i < 30; i++)
	{
		int			n = 0;

		draw_box(&domain, 3);
		domain.high[i % 3] = domain.low[i % 3];
		for (n = 0; n < 5; n++, domain.answers++)
		{
			draw_query(&domain, (Mixture) (i % 3), 3, 1);
			domain.theta[n][n % 3] = 0;
			if (i % 3 == ONLY_LINEAR)
				domain.answer[n].query.a = -40, domain.answer[n].query.b = 40;
		}
		bounds = bounds_of(&domain, 1e-4, NODES);
		assert_at_most(bounds.loss_most - bounds.loss_least, 1e-4 * (1 + 1e-9));
		check_sound(&domain, &bounds, 12);
	}
}

/* Coefficients of a million, eps up to 50, tiny ramps: sound, whatever the width. */
static void
test_extreme(void **state)
{
	int			i;

	(void) state;
	for (i = 0; i < 60; i++)
	{
		double		size = pow(10, draw(-6, 6));
		double		eps = pow(10, draw(-3, log10(50)));
		PaRegressionBounds bounds;
		double		most = 0;
		double		max;
		double		min;
		int			n;

		draw_box(&domain, 1 + i % 3);
		for (n = 0; n < 5; n++, domain.answers++)
		{
			PaAnswer   *answer = draw_query(&domain, (Mixture) (i % 3), size, eps);

			if (i % 6 == 0)
				answer->query.b = answer->query.a + 1e-7 * (answer->query.b - answer->query.a);
			most += answer->query.epsilon;
		}
		bounds = bounds_of(&domain, 1e-3, 2000);
		assert_at_most(bounds.loss_most, most * (1 + 1e-12));
		sample_loss(&domain, i % 3 == 2 ? 12 : 40, &max, &min);
		/* the sampled values are themselves rounded: their slopes may be eps e^eps/(b - a) */
		if (eps < 15)
			assert_at_most(max - min, bounds.loss_most + 1e-7);
	}
}

static void
test_node_limit(void **state)
{
	int			i;

	(void) state;
	for (i = 0; i < 40; i++)
	{
		PaRegressionBounds loose;
		PaRegressionBounds tight;
		int			n;

		draw_box(&domain, 3);
		for (n = 0; n < 8; n++, domain.answers++)
			draw_query(&domain, ANY, 6, 1);
		loose = bounds_of(&domain, 0, 1 + i % 3);
		tight = bounds_of(&domain, 1e-5, NODES);
		assert_true(loose.nodes <= 6);
		assert_at_most(tight.loss_least, loose.loss_most);
		assert_at_most(loose.loss_least, tight.loss_most);
		check_sound(&domain, &loose, 8);
	}
}

/* --- filters --- */

static PaRegressionDecision
decide(const PaRegressionState *known, const PaRegressionRules *rules)
{
	PaRegressionDecision decision;

	assert_int_equal(pa_regression_decide(&domain.box, domain.answer, domain.answers, known,
										  &domain.answer[domain.answers].query, rules,
										  &plain_memory, &decision), PA_OK);
	return decision;
}

/* The exact loss, nearly, with the pending query answered so */
static PaRegressionBounds
loss_with(int output)
{
	PaRegressionBounds bounds;

	domain.answer[domain.answers].output = output;
	domain.answers++;
	bounds = bounds_of(&domain, 1e-6, NODES);
	domain.answers--;
	return bounds;
}

/*
 * A stream with outputs that drive the loss up: whatever was accepted stays within
 * the cap, and what was refused could have passed it.
 */
static int
run_stream(Mixture mixture, const PaRegressionRules *rules)
{
	PaRegressionState	known = {.loss = 0};
	int			refused = 0;

	while (domain.answers < 30 && refused < 3)
	{
		PaRegressionDecision decision;
		PaRegressionBounds with[2];
		double		level;
		int			o;

		draw_query(&domain, mixture, 3, 0.4);
		decision = decide(&known, rules);
		with[0] = loss_with(0);
		with[1] = loss_with(1);
		assert_int_equal(pa_regression_level(&domain.box, &domain.answer[domain.answers].query, &level), PA_OK);
		assert_at_most(level, domain.answer[domain.answers].query.epsilon * (1 + 1e-14));
		if (decision.verdict != PA_REGRESSION_ACCEPT)
		{
			if (rules->group == 0 && !rules->simplified && decision.verdict == PA_REGRESSION_REJECT)
				assert_at_most(rules->cap, fmax(with[0].loss_most, with[1].loss_most));
			refused++;
			continue;
		}
		assert_at_most(decision.worst, rules->cap);
		for (o = 0; o < 2; o++)
		{
			assert_at_most(with[o].loss_least, decision.after[o].loss);
			assert_at_most(decision.after[o].loss, rules->cap);
		}
		o = with[1].loss_least > with[0].loss_least || draw(0, 1) < 0.2;
		domain.answer[domain.answers++].output = o;
		known = decision.after[o];
		if (domain.answers % 5 == 0)
		{
			PaRegressionState	before = known;

			assert_int_equal(pa_regression_refine(&domain.box, domain.answer, domain.answers, rules,
												  &plain_memory, &known), PA_OK);
			assert_at_most(known.loss, before.loss);
			assert_at_most(with[o].loss_least, known.loss);
		}
	}
	return domain.answers;
}

static void
test_filters(void **state)
{
	int			i;

	(void) state;
	for (i = 0; i < 36; i++)
	{
		PaRegressionRules rules = {draw(0.5, 2), i & 1, i % 4 < 2 ? 0 : 4, 1e-4, NODES};

		draw_box(&domain, 1 + i % 3);
		assert_true(run_stream((Mixture) (i / 4 % 3), &rules) > 0);
	}
}

/* Both filters on the same answers: the full one accepts whatever the simplified one does. */
static void
test_full_is_weaker(void **state)
{
	int			i;
	int			more = 0;

	(void) state;
	for (i = 0; i < 60; i++)
	{
		PaRegressionState	known = {.loss = 1e3};	/* so that nothing is screened */
		PaRegressionRules full = {draw(0.4, 1.5), false, 0, 1e-4, NODES};
		PaRegressionRules simplified = full;
		bool		yes;
		bool		also;
		int			n;

		simplified.simplified = true;
		draw_box(&domain, 2);
		for (n = 0; n < 5; n++, domain.answers++)
			draw_query(&domain, ANY, 3, 0.4);
		draw_query(&domain, ANY, 3, 0.4);
		yes = decide(&known, &simplified).verdict == PA_REGRESSION_ACCEPT;
		also = decide(&known, &full).verdict == PA_REGRESSION_ACCEPT;
		assert_true(also || !yes);
		more += also && !yes;
	}
	assert_true(more > 0);
}

/* Without nodes nothing is searched: what is accepted is accepted by sums of ranges, and may have been more. */
static void
test_no_search(void **state)
{
	PaRegressionRules full = {1.2, false, 0, 0, NODES};
	int			fewer = 0;
	int			i;

	(void) state;
	for (i = 0; i < 20; i++)
	{
		PaRegressionRules none = full;
		PaRegressionState known = {.loss = 0};
		PaRegressionDecision decision;
		bool		more;

		none.nodes = 0;
		none.simplified = i % 2 == 1;
		draw_box(&domain, 2);
		domain.answers = 0;
		do
		{
			draw_query(&domain, ANY, 3, 0.4);
			decision = decide(&known, &none);
			assert_int_equal(decision.nodes, 0);
			if (decision.verdict == PA_REGRESSION_ACCEPT)
			{
				int			o = draw(0, 1) < 0.5;

				assert_at_most(loss_with(o).loss_least, decision.after[o].loss);
				assert_at_most(decision.after[o].loss, none.cap);
				known = decision.after[o];
				domain.answer[domain.answers++].output = o;
			}
		} while (decision.verdict == PA_REGRESSION_ACCEPT && domain.answers < 20);
		assert_true(decision.verdict != PA_REGRESSION_REJECT);
		more = decide(&known, &full).verdict == PA_REGRESSION_ACCEPT;
		fewer += more;
	}
	assert_true(fewer > 0);
}

static void
test_refused(void **state)
{
	PaRegressionRules good = {1, false, 0, 1e-3, NODES};
	PaRegressionRules rules;
	PaRegressionState	known = {.loss = 0};
	PaRegressionState	state_of;
	PaRegressionDecision decision;
	PaRegressionBounds bounds;
	double		value;
	double		x[2];

	(void) state;
	draw_box(&domain, 2);
	draw_query(&domain, ANY, 1, 1);
	domain.answers = 1;
	draw_query(&domain, ANY, 1, 1);
#define DECIDE pa_regression_decide(&domain.box, domain.answer, 1, &known, &domain.answer[1].query, &rules, &plain_memory, &decision)
#define BAD(change) (rules = good, change, assert_int_equal(DECIDE, PA_INVALID))
	BAD(rules.cap = NAN);
	BAD(rules.cap = INFINITY);
	BAD(rules.gap = -1);
	BAD(rules.gap = NAN);
	BAD(rules.nodes = -1);
	BAD(rules.group = -1);
	rules = good;
#define BAD_STATE(...) \
	do { \
		PaRegressionState keep = known, bad = {__VA_ARGS__}; \
		known = bad; \
		assert_int_equal(DECIDE, PA_INVALID); \
		known = keep; \
	} while (0)
	BAD_STATE(NAN, 0, 0);
	BAD_STATE(-1, 0, 0);
	BAD_STATE(0, 0, 1);
	BAD_STATE(0, 0, 2);
	BAD_STATE(0, NAN, 0);
	domain.theta[0][1] = NAN;
	assert_int_equal(DECIDE, PA_INVALID);
	assert_int_equal(pa_regression_bounds(&domain.box, domain.answer, 1, 1e-3, 10, &plain_memory, &bounds), PA_INVALID);
	state_of = known;
	assert_int_equal(pa_regression_refine(&domain.box, domain.answer, 1, &rules, &plain_memory, &state_of), PA_INVALID);
	domain.theta[0][1] = 1e101;
	assert_int_equal(DECIDE, PA_INVALID);
	domain.theta[0][1] = 0;
	domain.theta[1][0] = INFINITY;
	assert_int_equal(DECIDE, PA_INVALID);
	domain.theta[1][0] = 0;
	domain.answer[0].output = 2;
	assert_int_equal(DECIDE, PA_INVALID);
	domain.answer[0].output = 1;
	domain.low[0] = domain.high[0] + 1;
	assert_int_equal(DECIDE, PA_INVALID);
	domain.low[0] = NAN;
	assert_int_equal(DECIDE, PA_INVALID);
	domain.low[0] = domain.high[0] - 1;
	domain.box.dimensions = 0;
	assert_int_equal(DECIDE, PA_INVALID);
	domain.box.dimensions = PA_REGRESSION_DIMENSIONS + 1;
	assert_int_equal(DECIDE, PA_INVALID);
	domain.box.dimensions = 2;
	x[0] = domain.high[0] + 1;
	x[1] = domain.low[1];
	assert_int_equal(pa_regression_log_likelihood(&domain.box, &domain.answer[0], x, &value), PA_INVALID);
	x[0] = NAN;
	assert_int_equal(pa_regression_log_likelihood(&domain.box, &domain.answer[0], x, &value), PA_INVALID);
	assert_int_equal(pa_regression_bounds(&domain.box, domain.answer, 1, NAN, 10, &plain_memory, &bounds), PA_INVALID);
	assert_int_equal(pa_regression_bounds(&domain.box, domain.answer, -1, 1, 10, &plain_memory, &bounds), PA_INVALID);
	assert_int_equal(pa_regression_bounds(&domain.box, domain.answer, 1, 1, 0, &plain_memory, &bounds), PA_INVALID);
	assert_int_equal(DECIDE, PA_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_against_grids, start),
		cmocka_unit_test_setup(test_linear, start),
		cmocka_unit_test_setup(test_many_dimensions, start),
		cmocka_unit_test_setup(test_degenerate, start),
		cmocka_unit_test_setup(test_extreme, start),
		cmocka_unit_test_setup(test_node_limit, start),
		cmocka_unit_test_setup(test_filters, start),
		cmocka_unit_test_setup(test_full_is_weaker, start),
		cmocka_unit_test_setup(test_no_search, start),
		cmocka_unit_test_setup(test_refused, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
