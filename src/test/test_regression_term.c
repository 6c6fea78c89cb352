/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_regression_term.c
 *		Terms against their definition in long double; envelopes against their terms.
 */
#include <float.h>
#include <math.h>

#include "core/bayes/envelope.h"
#include "source.h"
#include "unit.h"

#define CASES 3000
#define POINTS 60

static PaRandom random_state;
static uint64_t seed;

static int
start(void **state)
{
	(void) state;
	seed = 20261120;
	pa_random_init(&random_state, source_seeded, &seed);
	return 0;
}

static double
draw(double low, double high)
{
	return uniform(&random_state, low, high);
}

/* Any kind, with eps from 1e-6 to 50 and ranges of any size. */
static PaRegression
draw_query(void)
{
	PaRegression query = {.kind = draw(0, 1) < 0.5 ? PA_REGRESSION_LINEAR : PA_REGRESSION_LOGISTIC};

	query.epsilon = exp(draw(log(1e-6), log(50)));
	query.a = draw(-3, 3);
	query.b = query.a + exp(draw(-5, 5));
	return query;
}

/* ln Pr[output] by the definition. */
static long double
reference(const PaRegression *query, int output, double z)
{
	long double u;

	if (query->kind == PA_REGRESSION_LOGISTIC)
		u = 1 / (1 + expl(output ? -(long double) z : z));
	else
	{
		u = ((long double) z - query->a) / ((long double) query->b - query->a);
		u = u < 0 ? 0 : u > 1 ? 1 : u;
		u = output ? u : ((long double) query->b - z) / ((long double) query->b - query->a);
		u = u < 0 ? 0 : u > 1 ? 1 : u;
	}
	return log1pl(expm1l(query->epsilon) * u) - query->epsilon - log1pl(expl(-(long double) query->epsilon));
}

static void
test_values(void **state)
{
	int			i,
				k;

	(void) state;
	for (i = 0; i < CASES; i++)
	{
		PaRegression query = draw_query();
		int			output = i & 1;
		bool		minus = i & 2;
		double		sign;
		PaTerm		term = pa_term_make(&query, output, minus, &sign);

		for (k = 0; k < POINTS; k++)
		{
			double		z = k % 2 ? draw(-60, 60) : draw(query.a - 1, query.b + 1);
			long double want = reference(&query, output, z) * (minus ? -1 : 1);
			long double got = (long double) pa_term_value(&term, sign * z) + term.offset;

			if (!(fabsl(got - want) <= (12 + 4 * query.epsilon) * DBL_EPSILON))
				fail_msg("kind %d eps %g output %d minus %d z %.17g: %.17Lg, expected %.17Lg",
						 query.kind, query.epsilon, output, minus, z, got, want);
		}
	}
}

/* Slopes by differences, curvature by differences of slopes, ranges of slopes. */
static void
test_slopes(void **state)
{
	int			i,
				k;

	(void) state;
	for (i = 0; i < CASES; i++)
	{
		PaRegression query = draw_query();
		double		sign;
		PaTerm		term;
		double		low = draw(-12, 12);
		double		high = low + exp(draw(-5, 3));
		double		least,
					most;

		query.epsilon = fmin(query.epsilon, 8);
		term = pa_term_make(&query, i & 1, i & 2, &sign);
		pa_term_slopes(&term, low, high, &least, &most);
		for (k = 0; k < POINTS; k++)
		{
			double		w = draw(low, high);
			double		h = 1e-6 * fmin(1, term.steep > 0 ? 1 / term.steep : 1);
			PaTermAt	at = pa_term_at(&term, w);
			PaTermAt	before = pa_term_at(&term, w - h);
			PaTermAt	after = pa_term_at(&term, w + h);
			double		scale = 1 + at.slope;

			assert_at_most(least, at.slope * (1 + 1e-12));
			assert_at_most(at.slope, most * (1 + 1e-12));
			assert_at_most(before.value, after.value + 1e-14);
			if (w - h > term.start && w + h < term.end)
			{
				assert_at_most(fabs((after.value - before.value) / (2 * h) - at.slope), 1e-4 * scale);
				assert_at_most(fabs((after.slope - before.slope) / (2 * h) - at.curvature), 1e-3 * scale * scale);
				assert_true(w > term.bend ? at.curvature <= 0 : at.curvature >= 0);
			}
		}
	}
}

/* The supremum of envelope(w) - slope w: at least every value, and attained. */
static void
check_support(const PaEnvelope *envelope, const PaTerm *term, double slope, double rise)
{
	double		reach = fabs(envelope->low) + fabs(envelope->high);
	double		width = envelope->high - envelope->low;
	double		from = envelope->low;
	double		to = envelope->high;
	double		tangent;
	double		support = pa_envelope_support(envelope, term, slope, &tangent);
	double		tiny = (30 + 8 * term->epsilon) * DBL_EPSILON * (1 + (tangent + fabs(slope)) * reach);
	int			k;

	assert_true(tangent >= 0);
	for (k = 0; k <= POINTS; k++)
	{
		double		v = fmin(envelope->low + width * k / POINTS, envelope->high);

		assert_at_most(pa_envelope_value(envelope, term, v) - slope * v, support + tiny);
	}
	for (k = 0; k < 200; k++)
	{
		double		left = from + (to - from) / 3;
		double		right = to - (to - from) / 3;

		if (pa_envelope_value(envelope, term, left) - slope * left <
			pa_envelope_value(envelope, term, right) - slope * right)
			from = left;
		else
			to = right;
	}
	from = fmin(fmax(from + (to - from) / 2, envelope->low), envelope->high);
	assert_at_most(support, pa_envelope_value(envelope, term, from) - slope * from + tiny +
				   1e-6 * (rise + fabs(slope) * width));
}

static void
check_supports(const PaTerm *term, double low, double high)
{
	PaEnvelope	envelope = pa_envelope_make(term, low, high);
	double		rise = pa_term_value(term, high) - pa_term_value(term, low);
	int			k;

	check_support(&envelope, term, 0, rise);
	for (k = 0; k < POINTS; k++)
	{
		double		slope = pa_envelope_at(&envelope, term, draw(low, high), 0).slope;

		check_support(&envelope, term, slope, rise);
		check_support(&envelope, term, slope * draw(0, 3), rise);
		check_support(&envelope, term, -slope * draw(0, 3), rise);
		check_support(&envelope, term, draw(-1e6, 1e6), rise);
	}
}

static void
check_envelope(const PaTerm *term, double low, double high)
{
	PaEnvelope	envelope = pa_envelope_make(term, low, high);
	double		tiny = (20 + 8 * term->epsilon) * DBL_EPSILON;
	double		rise = pa_term_value(term, high) - pa_term_value(term, low);
	int			k,
				m;

	for (k = 0; k <= POINTS; k++)
	{
		double		w = low + (high - low) * k / POINTS;
		double		other = draw(low, high);
		double		smooth = k % 3 == 0 ? 0.05 : 1e-4;
		double		value = pa_envelope_value(&envelope, term, w);
		double		middle = pa_envelope_value(&envelope, term, w + (other - w) / 2);
		PaEnvelopeAt at = pa_envelope_at(&envelope, term, w, smooth);
		double		steep = pa_envelope_at(&envelope, term, fmin(w, other), 0).slope;

		assert_at_most(pa_term_value(term, w), value + tiny);
		assert_at_most((value + pa_envelope_value(&envelope, term, other)) / 2,
					   middle + tiny * (1 + steep * (fabs(low) + fabs(high))));
		assert_at_most(value, pa_term_value(term, high) + tiny);
		assert_true(at.curvature <= 0 && at.slope >= 0);
		assert_at_most(fabs(at.value - value), tiny + 0.2 * rise);
		for (m = 0; m <= POINTS; m++)
		{
			double		v = low + (high - low) * m / POINTS;
			double		reach = at.slope * (fabs(v) + fabs(low) + fabs(high));

			assert_at_most(pa_term_value(term, v), at.slope * v + at.support + tiny * (1 + reach));
		}
	}
	check_supports(term, low, high);
	/* it is no higher than it need be: at low it is the term */
	assert_at_most(pa_envelope_value(&envelope, term, low), pa_term_value(term, low) + 1e-6 * rise + tiny);
}

static void
test_envelopes(void **state)
{
	int			i;

	(void) state;
	for (i = 0; i < CASES / 3; i++)
	{
		PaRegression query = draw_query();
		double		sign;
		PaTerm		term;
		double		low;
		double		high;

		query.epsilon = fmin(query.epsilon, 30);
		term = pa_term_make(&query, i & 1, i & 2, &sign);
		low = draw(-12, 8);
		high = low + exp(draw(-8, 3));
		if (query.kind == PA_REGRESSION_LINEAR && i % 3 == 0)
		{
			low = term.start;
			high = term.end;
		}
		check_envelope(&term, low, high);
		check_envelope(&term, low, low);
		if (query.kind == PA_REGRESSION_LINEAR)
			check_envelope(&term, term.start - draw(0, 2), term.end + draw(0, 2));
	}
}

static void
test_refused(void **state)
{
	double		theta[2] = {1, 2};
	double		bad[2] = {1, NAN};
	double		endless[2] = {INFINITY, 0};
	PaRegression good = {PA_REGRESSION_LINEAR, theta, 0, 0, 1, 1};
	PaRegression query;

	(void) state;
	assert_true(pa_regression_valid(&good, 2));
#define REFUSED(change) (query = good, change, assert_false(pa_regression_valid(&query, 2)))
	REFUSED(query.theta = bad);
	REFUSED(query.theta = endless);
	REFUSED(query.constant = NAN);
	REFUSED(query.epsilon = 0);
	REFUSED(query.epsilon = -1);
	REFUSED(query.epsilon = NAN);
	REFUSED(query.epsilon = 65);
	REFUSED(query.a = 1);
	REFUSED(query.b = NAN);
	REFUSED(query.b = INFINITY);
	REFUSED((query.a = -DBL_MAX, query.b = DBL_MAX));
	REFUSED((query.a = 0, query.b = 4e-320));
	REFUSED(query.kind = (PaRegressionKind) 2);
	query = good;
	query.kind = PA_REGRESSION_LOGISTIC;
	query.a = NAN;
	assert_true(pa_regression_valid(&query, 2));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_values, start),
		cmocka_unit_test_setup(test_slopes, start),
		cmocka_unit_test_setup(test_envelopes, start),
		cmocka_unit_test_setup(test_refused, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
