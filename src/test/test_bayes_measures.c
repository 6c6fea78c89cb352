/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_bayes_measures.c
 *		Bayesian measures from their definitions, bounds against random channels.
 */
#include <gsl/gsl_errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "core/bayes/measures.h"
#include "source.h"
#include "unit.h"

#define MOST 6

typedef struct Case
{
	double		cell[MOST * MOST];
	double		prior[MOST];
	PaChannel	channel;
} Case;

static void
random_distribution(PaRandom *random, double spread, size_t size, double *p)
{
	double		sum = 0;
	size_t		x;

	for (x = 0; x < size; x++)
		sum += p[x] = exp(uniform(random, 0, spread));
	for (x = 0; x < size; x++)
		p[x] /= sum;
}

static void
random_case(PaRandom *random, Case *one)
{
	size_t		inputs = 2 + pa_random_below(random, MOST - 1);
	size_t		outputs = 2 + pa_random_below(random, MOST - 1);
	double		spread = exp(uniform(random, -12, 1.5));
	size_t		d;

	for (d = 0; d < inputs; d++)
		random_distribution(random, spread, outputs, one->cell + d * outputs);
	random_distribution(random, 3, inputs, one->prior);
	one->channel = (PaChannel) {inputs, outputs, one->cell, one->prior};
}

static long double
at(const Case *one, size_t d, size_t w)
{
	return one->cell[d * one->channel.outputs + w];
}

static long double
marginal(const Case *one, size_t w)
{
	long double sum = 0;
	size_t		d;

	for (d = 0; d < one->channel.inputs; d++)
		sum += one->prior[d] * at(one, d, w);
	return sum;
}

static long double
definition_mbp(const Case *one)
{
	long double most = 0;
	size_t		d;
	size_t		w;

	for (w = 0; w < one->channel.outputs; w++)
		for (d = 0; d < one->channel.inputs; d++)
			most = fmaxl(most, fabsl(logl(at(one, d, w) / marginal(one, w))));
	return most;
}

static long double
definition_js(const long double *p, const double *q, size_t size)
{
	long double sum = 0;
	size_t		x;

	for (x = 0; x < size; x++)
	{
		long double m = (p[x] + q[x]) / 2;

		sum += (p[x] > 0 ? p[x] * logl(p[x] / m) : 0) + (q[x] > 0 ? q[x] * logl(q[x] / m) : 0);
	}
	return sum / 2;
}

static long double
definition_abp(const Case *one, size_t d0)
{
	long double mixture[MOST];
	size_t		d;
	size_t		w;

	for (d = 0; d < one->channel.inputs; d++)
	{
		mixture[d] = 0;
		for (w = 0; w < one->channel.outputs; w++)
			mixture[d] += at(one, d0, w) * one->prior[d] * at(one, d, w) / marginal(one, w);
	}
	return definition_js(mixture, one->prior, one->channel.inputs);
}

static void
measures_follow_their_definitions(void **state)
{
	uint64_t	seed = 6;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		double		abp[MOST];
		double		mbp;
		Case		one;
		size_t		d;

		random_case(&random, &one);
		assert_int_equal(pa_channel_mbp(&one.channel, &plain_memory, &mbp), PA_OK);
		assert_true(fabsl(mbp - definition_mbp(&one)) < 1e-14);
		assert_int_equal(pa_channel_abp(&one.channel, &plain_memory, abp), PA_OK);
		for (d = 0; d < one.channel.inputs; d++)
			assert_true(fabsl((long double) abp[d] * abp[d] - definition_abp(&one, d)) < 1e-15);
	}
}

static void
smallest_two(const double *p, size_t size, double two[2])
{
	size_t		x;

	two[0] = two[1] = 1;
	for (x = 0; x < size; x++)
		if (p[x] < two[0])
		{
			two[1] = two[0];
			two[0] = p[x];
		}
		else
			two[1] = fmin(two[1], p[x]);
}

static void
bounds_hold(void **state)
{
	uint64_t	seed = 7;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 50000; i++)
	{
		double		abp[MOST];
		double		two[2];
		double		level;
		double		mbp;
		Case		one;
		size_t		d;

		random_case(&random, &one);
		smallest_two(one.prior, one.channel.inputs, two);
		assert_int_equal(pa_channel_level(&one.channel, &plain_memory, &level), PA_OK);
		assert_int_equal(pa_channel_mbp(&one.channel, &plain_memory, &mbp), PA_OK);
		assert_int_equal(pa_channel_abp(&one.channel, &plain_memory, abp), PA_OK);
		assert_at_most(mbp, pa_mbp_of_ldp(level, two[0]) + 1e-14);
		assert_at_most(pa_mbp_of_ldp(level, two[0]), level);
		assert_at_most(level, pa_ldp_of_mbp_tight(mbp, two[0], two[1]) + 1e-14);
		assert_at_most(pa_ldp_of_mbp_tight(mbp, two[0], two[1]), pa_ldp_of_mbp(mbp));
		for (d = 0; d < one.channel.inputs; d++)
		{
			assert_at_most(abp[d], pa_abp_of_mbp_near(mbp, 0) + 1e-14);
			assert_at_most(abp[d], pa_abp_of_mbp(mbp) + 1e-14);
		}
		assert_at_most(pa_abp_of_mbp_near(mbp, 0), pa_abp_of_mbp_printed(mbp) * (1 + 1e-12));
	}
}

/* An attacker who believes in another prior: any that is within a factor of e^error of the true one. */
static void
another_prior(void **state)
{
	uint64_t	seed = 17;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 50000; i++)
	{
		double		spread = exp(uniform(&random, -6, 0.5));
		double		other[MOST];
		double		error = 0;
		double		sum = 0;
		double		mbp;
		Case		one;
		size_t		n;
		size_t		d;
		size_t		w;
		size_t		x;

		random_case(&random, &one);
		n = one.channel.inputs;
		for (d = 0; d < n; d++)
			sum += other[d] = one.prior[d] * exp(uniform(&random, -spread, spread));
		for (d = 0; d < n; d++)
		{
			other[d] /= sum;
			error = fmax(error, fabs(log(other[d] / one.prior[d])));
		}
		assert_int_equal(pa_channel_mbp(&one.channel, &plain_memory, &mbp), PA_OK);
		assert_at_most(pa_abp_of_mbp_near(mbp, error), pa_abp_of_mbp(mbp + error) * (1 + 1e-12));
		for (d = 0; d < n; d++)
		{
			long double mixture[MOST];

			for (x = 0; x < n; x++)
			{
				mixture[x] = 0;
				for (w = 0; w < one.channel.outputs; w++)
					mixture[x] += at(&one, d, w) * one.prior[x] * at(&one, x, w) / marginal(&one, w);
			}
			assert_at_most(sqrtl(fmaxl(definition_js(mixture, other, n), 0)), pa_abp_of_mbp_near(mbp, error) + 1e-9);
		}
	}
	assert_close(pa_abp_of_mbp_near(0.5, 0), 0.0905, 0.01);
	assert_close(pa_abp_of_mbp_near(0, 0.3), pa_abp_of_mbp(0.3), 1e-12);
	assert_true(isnan(pa_abp_of_mbp_near(-1, 2)) && isnan(pa_abp_of_mbp_near(1, -1)));
}

/*
 * Binary channels in which one output is rare: every quotient that a bound
 * allows is come near to.
 */
static void
bounds_are_tight(void **state)
{
	const double masses[] = {0.05, 0.3, 0.5, 0.7, 0.95};
	const double xis[] = {0.01, 0.3, 1, 3};
	size_t		i;
	size_t		j;
	int			t;

	(void) state;
	for (i = 0; i < 5; i++)
		for (j = 0; j < 4; j++)
		{
			double		p = masses[i];
			double		h = exp(xis[j]);
			long double best = 0;
			double		bound = pa_ldp_of_mbp_tight(xis[j], fmin(p, 1 - p), fmax(p, 1 - p));

			/* p u + (1 - p) v = 1 with u, v in 1/h..h */
			for (t = 0; t <= 100000; t++)
			{
				long double u = 1 / h + (h - 1 / h) * t / 100000;
				long double v = (1 - p * u) / (1 - p);

				if (v >= 1 / h && v <= h)
					best = fmaxl(best, fabsl(logl(u / v)));
			}
			assert_at_most(best, bound + 1e-12);
			assert_at_most(bound, best + 1e-2 * xis[j]);
		}
	assert_close(pa_ldp_of_mbp_tight(0.5, 0.5, 0.5), log(2 * exp(0.5) - 1), 1e-14);
	assert_close(pa_ldp_of_mbp_tight(0.5, 0.1, 0.2), 1, 1e-14);
	assert_close(pa_mbp_of_ldp(1, 0.5), log(0.5 + 0.5 * exp(1)), 1e-14);
	assert_close(pa_mbp_of_ldp(1000, 0.5), 1000 - M_LN2, 1e-14);
	assert_close(pa_ldp_of_mbp_tight(100, 0.1, 0.2), 100 + log(10), 1e-14);
	assert_close(pa_ldp_of_mbp_tight(1000, 0.5, 0.5), 1000 + M_LN2, 1e-14);
	assert_close(pa_abp_of_mbp(1e-6), 1e-6 / sqrt(8), 1e-9);
	assert_close(pa_abp_of_mbp_near(1e-6, 0), 1e-12 / sqrt(8), 1e-9);
	assert_close(pa_abp_of_mbp(1000), sqrt(M_LN2), 1e-14);
	assert_close(pa_abp_of_mbp_near(INFINITY, 0), sqrt(M_LN2), 1e-14);
	assert_true(pa_abp_of_mbp_near(0, 0) == 0 && pa_abp_of_mbp(0) == 0 && pa_mbp_of_ldp(0, 0.1) == 0);
	assert_true(pa_mbp_of_ldp(INFINITY, 0.1) == INFINITY && pa_ldp_of_mbp_tight(INFINITY, 0.1, 0.1) == INFINITY);
	assert_true(isnan(pa_mbp_of_ldp(-1, 0.1)) && isnan(pa_mbp_of_ldp(1, 0.6)) && isnan(pa_ldp_of_mbp(NAN)));
}

static void
robustness(void **state)
{
	uint64_t	seed = 8;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	/*
	 * the worst 2 epsilon-LDP pair: Pr[miss] grows to gamma; the printed bound
	 * is below it
	 */
	assert_at_most(pa_pac_gamma_printed(1, 0.01), pa_pac_gamma(1, 0.01));
	for (i = 0; i < 10000; i++)
	{
		double		epsilon = uniform(&random, 0, 4);
		double		beta = uniform(&random, 0, 1);
		double		gamma = pa_pac_gamma(epsilon, beta);

		assert_true(gamma >= beta && gamma <= 1);
		assert_at_most(gamma, expl(2 * epsilon) * beta * (1 + 1e-14L));
		assert_at_most(expl(-2 * epsilon) * (1 - beta), 1 - gamma + 1e-14L);
		/* attained: one of the two constraints is tight */
		assert_true(fabsl(gamma - fminl(expl(2 * epsilon) * beta, 1 - expl(-2 * epsilon) * (1 - beta))) < 1e-14);
		if (epsilon <= 0.6282)
			assert_at_most(gamma, fmin(1, pa_pac_gamma_printed(epsilon, beta)) * (1 + 1e-12));
	}
	assert_true(pa_pac_gamma(INFINITY, 0) == 0 && pa_pac_gamma(INFINITY, 0.1) == 1);
	assert_true(isnan(pa_pac_gamma(-1, 0.5)) && isnan(pa_pac_gamma(1, 1.5)) && isnan(pa_pac_gamma_printed(NAN, 0)));
}

static void
realised_measures(void **state)
{
	uint64_t	seed = 9;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		double		spread = exp(uniform(&random, -16, 4));
		double		offset = i % 3 == 0 ? -3000 : 0;
		double		prior[MOST];
		double		l[MOST];
		double		posterior[MOST];
		long double want[MOST];
		long double sum = 0;
		long double mbp = 0;
		PaRealisedMeasures got;
		size_t		x;

		random_distribution(&random, 3, MOST, prior);
		for (x = 0; x < MOST; x++)
		{
			l[x] = offset - uniform(&random, 0, spread);
			sum += prior[x] * expl(l[x] - offset);
		}
		assert_int_equal(pa_realised_measures(l, prior, MOST, &plain_memory, &got, posterior), PA_OK);
		for (x = 0; x < MOST; x++)
		{
			want[x] = prior[x] * expl(l[x] - offset) / sum;
			mbp = fmaxl(mbp, fabsl(l[x] - offset - logl(sum)));
			assert_true(fabsl(posterior[x] - want[x]) < 1e-14);
		}
		assert_true(fabsl(got.mbp - mbp) < 1e-14 * (1 + mbp));
		assert_true(fabsl((long double) got.abp * got.abp - definition_js(want, prior, MOST)) < 1e-15);
		assert_at_most(got.mbp, got.loss * (1 + 1e-12) + 1e-15);
		assert_at_most(got.abp, pa_abp_of_mbp(got.mbp) + 1e-14);
	}
}

/*
 * Near the prior JS is the sum of q c^2/8, which a difference of logarithms
 * would drown.
 */
static void
small_divergences(void **state)
{
	const double tilt[] = {1, -1, 0.5, -0.5};
	double		l[4];
	double		e;
	int			x;

	(void) state;
	for (e = 1e-3; e > 1e-12; e /= 7)
	{
		PaRealisedMeasures got;

		for (x = 0; x < 4; x++)
			l[x] = e * tilt[x];
		assert_int_equal(pa_realised_measures(l, NULL, 4, &plain_memory, &got, NULL), PA_OK);
		assert_close(got.abp * got.abp, e * e * 2.5 / 4 / 8, 1e-3);
		assert_close(got.loss, 2 * e, 1e-15);
	}
}

static void
impossible_values(void **state)
{
	const double l[] = {0, -INFINITY, -1};
	const double none[] = {-INFINITY, -INFINITY, -INFINITY};
	const double prior[] = {0, 1, 0};
	const double wrong[] = {0.5, 0.5, 0.5};
	const double cell[] = {1, 0, 0.5, 0.5};
	PaChannel	channel = {2, 2, cell, NULL};
	PaRealisedMeasures got;
	double		posterior[3];
	double		abp[2];
	double		value;

	(void) state;
	assert_int_equal(pa_realised_measures(l, NULL, 3, &plain_memory, &got, posterior), PA_OK);
	assert_true(got.loss == INFINITY && got.mbp == INFINITY && got.abp > 0 && got.abp < 1);
	assert_true(posterior[1] == 0);
	assert_int_equal(pa_realised_measures(none, NULL, 3, &plain_memory, &got, NULL), PA_INVALID);
	assert_int_equal(pa_realised_measures(l, prior, 3, &plain_memory, &got, NULL), PA_INVALID);
	assert_int_equal(pa_realised_measures(l, wrong, 3, &plain_memory, &got, NULL), PA_INVALID);
	assert_int_equal(pa_channel_level(&channel, &plain_memory, &value), PA_OK);
	assert_true(value == INFINITY);
	assert_int_equal(pa_channel_mbp(&channel, &plain_memory, &value), PA_OK);
	assert_true(value == INFINITY);
	assert_int_equal(pa_channel_abp(&channel, &plain_memory, abp), PA_OK);
	assert_true(abp[0] > 0 && fabs(abp[1] - abp[0]) < 1e-15);
	channel.prior = prior + 1;	/* all mass on the first input */
	assert_int_equal(pa_channel_mbp(&channel, &plain_memory, &value), PA_OK);
	assert_true(value == 0);
	assert_int_equal(pa_channel_abp(&channel, &plain_memory, abp), PA_OK);
	assert_true(abp[0] == 0 && isnan(abp[1]));
	channel.inputs = 1;
	channel.outputs = 3;
	channel.probability = wrong;
	assert_int_equal(pa_channel_mbp(&channel, &plain_memory, &value), PA_INVALID);
	assert_int_equal(pa_channel_level(&channel, &plain_memory, &value), PA_INVALID);
	assert_int_equal(pa_channel_abp(&channel, &plain_memory, abp), PA_INVALID);
}

/* --- interrupts --- */

/* Says yes from the call on at which the number is 0. */
static bool
counts_down(void *context)
{
	return (*(int *) context)-- <= 0;
}

#define MANY 300000				/* values of a likelihood: looked at in several parts */
#define ACROSS 40				/* outputs of a channel: looked at one by one */

/* The status of measure number "which" if the callback says yes after "calls". */
static PaStatus
interrupted_measure(int which, int *calls, const double *many)
{
	static double abp[2];
	double		cell[2 * ACROSS];
	PaChannel	channel = {2, ACROSS, cell, NULL};
	PaEnvironment environment = plain_memory;
	PaRealisedMeasures got;
	double		value;
	int			i;

	for (i = 0; i < 2 * ACROSS; i++)
		cell[i] = 1.0 / ACROSS;
	environment.interrupted = counts_down;
	environment.context = calls;
	switch (which)
	{
		case 0:
			return pa_channel_level(&channel, &environment, &value);
		case 1:
			return pa_channel_mbp(&channel, &environment, &value);
		case 2:
			return pa_channel_abp(&channel, &environment, abp);
		default:
			return pa_realised_measures(many, NULL, MANY, &environment, &got, NULL);
	}
}

static void
measures_can_be_interrupted(void **state)
{
	const int	least[] = {ACROSS, ACROSS, ACROSS + 2, 2 * (MANY / 65536)};
	double	   *many = calloc(MANY, sizeof(double));
	int			which;

	(void) state;
	assert_non_null(many);
	for (which = 0; which < 4; which++)
	{
		int			calls = INT_MAX;
		int			asked;
		int			i;

		assert_int_equal(interrupted_measure(which, &calls, many), PA_OK);
		asked = INT_MAX - calls;
		assert_true(asked >= least[which]);
		for (i = 0; i < asked; i++)
		{
			calls = i;
			assert_int_equal(interrupted_measure(which, &calls, many), PA_INTERRUPTED);
		}
	}
	free(many);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measures_follow_their_definitions),
		cmocka_unit_test(bounds_hold),
		cmocka_unit_test(another_prior),
		cmocka_unit_test(bounds_are_tight),
		cmocka_unit_test(measures_can_be_interrupted),
		cmocka_unit_test(robustness),
		cmocka_unit_test(realised_measures),
		cmocka_unit_test(small_divergences),
		cmocka_unit_test(impossible_values),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
