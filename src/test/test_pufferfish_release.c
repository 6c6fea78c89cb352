/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_pufferfish_release.c
 *		Repeated releases: bounds of epsilon against leakages by brute force, and top-k.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/pufferfish/chain.h"
#include "core/pufferfish/composable.h"
#include "core/pufferfish/odometer.h"
#include "core/pufferfish/table.h"
#include "ranking.h"
#include "source.h"
#include "unit.h"

#define DATASETS 5
#define OUTPUTS 4

static const PaSecretPair both_orders[2] = {{0, 1}, {1, 0}};

/* One run leaks .436, the necessary condition says .744 per run, two runs leak 1.653. */
static void
necessary_is_not_sufficient(void **state)
{
	static const double table[6] = {.45, .55, .03, .97, .9, .1};
	static const double prior[3] = {.5, .35, .15};
	static const unsigned char mask[6] = {1, 0, 0, 0, 1, 1};
	PaMechanism mechanism = {2, table};
	PaReleases	releases = {3, 1, &mechanism};
	PaFinite	secrets = {0, NULL, 3, 2, mask, 2, both_orders};
	PaEpsilonBounds bounds;
	double		leak[2];
	double		epsilon[2];

	(void) state;
	assert_int_equal(pa_release_leakage(&releases, &secrets, prior, 1, 1, &plain_memory, &leak[0], NULL), PA_OK);
	assert_int_equal(pa_release_leakage(&releases, &secrets, prior, 1, 2, &plain_memory, &leak[1], NULL), PA_OK);
	assert_int_equal(pa_release_necessary(&releases, &secrets, NULL, &plain_memory, &bounds, NULL, NULL), PA_OK);
	assert_true(fabs(leak[0] - 0.436) < 1e-3 && fabs(leak[1] - 1.653) < 1e-3);
	assert_true(fabs(bounds.epsilon - 0.744) < 1e-3);
	assert_true(leak[1] > 2 * bounds.epsilon);
	assert_int_equal(pa_release_transport(&releases, prior, mask, mask + 3, &plain_memory, &epsilon[0], NULL), PA_OK);
	assert_int_equal(pa_release_transport(&releases, prior, mask + 3, mask, &plain_memory, &epsilon[1], NULL), PA_OK);
	assert_true(leak[1] <= 2 * fmax(epsilon[0], epsilon[1]));
}

/* necessary <= transport, and k runs leak at most k times what transport says */
static void
transport_bounds_every_number_of_runs(void **state)
{
	uint64_t	seed = 21;
	PaRandom	random;
	int			i;
	int			k;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 150; i++)
	{
		double		table[DATASETS * OUTPUTS];
		double		prior[DATASETS];
		unsigned char mask[2 * DATASETS] = {0};
		int			n = 2 + (int) pa_random_below(&random, DATASETS - 1);
		int			first = 1 + (int) pa_random_below(&random, (uint64_t) n - 1);
		PaMechanism mechanism = {OUTPUTS, table};
		PaReleases	releases = {n, 1, &mechanism};
		PaFinite	secrets = {0, NULL, n, 2, mask, 1, both_orders};
		PaEpsilonBounds bounds;
		double		epsilon;
		double		leak;

		for (k = 0; k < n; k++)
		{
			random_law(&random, OUTPUTS, 3, 0, table + k * OUTPUTS);
			mask[(k < first ? 0 : n) + k] = 1;
		}
		random_law(&random, n, 2, 0, prior);
		assert_int_equal(pa_release_necessary(&releases, &secrets, NULL, &plain_memory, &bounds, NULL, NULL), PA_OK);
		assert_int_equal(pa_release_transport(&releases, prior, mask, mask + n, &plain_memory, &epsilon, NULL), PA_OK);
		assert_true(bounds.least <= bounds.epsilon && bounds.epsilon - bounds.least < 1e-6);
		assert_true(bounds.least <= epsilon + 1e-12);
		for (k = 1; k <= 6; k++)
		{
			assert_int_equal(pa_release_leakage(&releases, &secrets, prior, 1, k, &plain_memory, &leak, NULL), PA_OK);
			assert_true(leak <= k * epsilon + 1e-10);
		}
	}
}

/* ln Pr[w | D]/Pr[w | l]: x/0 is infinite and 0/0 does not count */
static double
loss_of(double one, double other)
{
	return one > 0 ? log(one) - log(other) : -INFINITY;
}

/* Zeros in some rows, and whole columns of them */
static void
random_table(PaRandom *random, int datasets, int outputs, double zeros, double *table)
{
	bool		never[OUTPUTS] = {false};
	int			d;
	int			w;

	for (w = 1; w < outputs; w++)
		never[w] = uniform(random, 0, 1) < zeros;
	for (d = 0; d < datasets; d++)
	{
		double	   *row = table + d * outputs;
		double		sum = row[0] = exp(uniform(random, -3, 0));

		for (w = 1; w < outputs; w++)
			sum += row[w] = never[w] || uniform(random, 0, 1) < zeros ? 0 : exp(uniform(random, -3, 0));
		for (w = 0; w < outputs; w++)
			row[w] /= sum;
	}
}

/* The level is the largest loss between two data sets, and no prior nor number of runs passes it. */
static void
levels_hold_under_every_prior(void **state)
{
	uint64_t	seed = 25;
	PaRandom	random;
	int			i;
	int			k;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 2000; i++)
	{
		double		table[2][DATASETS * OUTPUTS];
		unsigned char mask[2 * DATASETS] = {0};
		int			n = 2 + (int) pa_random_below(&random, DATASETS - 1);
		PaMechanism mechanism[2] = {{OUTPUTS, table[0]}, {2, table[1]}};
		PaReleases	releases = {n, 1 + i % 2, mechanism};
		double		want = 0;
		double		level;
		int			d;
		int			l;
		int			w;

		for (k = 0; k < 2; k++)
			random_table(&random, n, mechanism[k].outputs, i % 4 == 0 ? 0.05 : 0, table[k]);
		/* some data sets are of neither secret */
		mask[0] = mask[n + 1] = 1;
		for (d = 2; d < n; d++)
		{
			w = (int) pa_random_below(&random, 3);
			if (w < 2)
				mask[w * n + d] = 1;
		}
		for (k = 0; k < releases.mechanisms; k++)
			for (d = 0; d < n; d++)
				for (l = 0; l < n; l++)
					for (w = 0; mask[d] && mask[n + l] && w < mechanism[k].outputs; w++)
						want = fmax(want, loss_of(table[k][d * mechanism[k].outputs + w], table[k][l * mechanism[k].outputs + w]));
		level = pa_release_level(&releases, mask, mask + n);
		if (isinf(want))
			assert_true(level == want);
		else
			assert_true(fabs(level - want) <= 1e-14 * (1 + want));
		for (k = 1; releases.mechanisms == 1 && k <= 3; k++)
		{
			PaFinite	secrets = {0, NULL, n, 2, mask, 1, both_orders};
			double		prior[DATASETS];
			double		leak;

			random_law(&random, n, 4, 0, prior);
			assert_int_equal(pa_release_leakage(&releases, &secrets, prior, 1, k, &plain_memory, &leak, NULL), PA_OK);
			assert_true(leak <= k * level + 1e-12);
		}
	}
}

/* A prior that knows two data sets only attains the level. */
static void
levels_are_attained(void **state)
{
	static const double table[8] = {.2, .8, .5, .5, .9, .1, .4, .6};
	static const unsigned char mask[8] = {1, 1, 0, 0, 0, 0, 1, 1};
	static const double prior[4] = {.5, 0, .5, 0};
	PaMechanism mechanism = {2, table};
	PaReleases	releases = {4, 1, &mechanism};
	PaFinite	secrets = {0, NULL, 4, 2, mask, 1, both_orders};
	double		leak;

	(void) state;
	assert_int_equal(pa_release_leakage(&releases, &secrets, prior, 1, 3, &plain_memory, &leak, NULL), PA_OK);
	assert_close(pa_release_level(&releases, mask, mask + 4), log(8), 1e-15);
	assert_close(leak, 3 * log(8), 1e-14);
}

/* The largest loss between data sets of two binary rows or more that differ in one row */
static double
per_row(const double *table, int rows, int outputs)
{
	double		most = 0;
	int			d;
	int			t;
	int			w;

	for (d = 0; d < 1 << rows; d++)
		for (t = 0; t < rows; t++)
			for (w = 0; w < outputs; w++)
				most = fmax(most, log(table[d * outputs + w] / table[(d ^ 1 << t) * outputs + w]));
	return most;
}

/* Any mechanism, any number of runs, on a chain: the odometer is never below the leakage. */
static void
odometers_cover_random_mechanisms(void **state)
{
	enum
	{
		T = 4, W = 3
	};
	static const int shape[T] = {2, 2, 2, 2};
	uint64_t	seed = 22;
	PaRandom	random;
	int			i;
	int			k;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 150; i++)
	{
		double		p = uniform(&random, 0.02, 0.98);
		double		q = uniform(&random, 0.02, 0.98);
		double		transition[4] = {p, 1 - p, 1 - q, q};
		PaChain		chain = {2, transition, NULL, i % 3 == 0 ? 0 : T, NULL};
		double		table[(1 << T) * W];
		double		law[1 << T];
		PaInfluence point[T];
		PaCurve		curve = {point, T, T};
		PaMechanism mechanism = {W, table};
		PaReleases	releases = {1 << T, 1, &mechanism};
		PaFinite	secrets = {T, shape, 1 << T, 0, NULL, 0, NULL};
		double		spread = exp(uniform(&random, -4, 0.5));
		int			d;

		for (d = 0; d < 1 << T; d++)
		{
			int			t;

			random_law(&random, W, spread, 0, table + d * W);
			law[d] = d >> (T - 1) ? (1 - p) / (2 - p - q) : (1 - q) / (2 - p - q);
			for (t = T - 1; t > 0; t--)
				law[d] *= transition[2 * (d >> t & 1) + (d >> (t - 1) & 1)];
		}
		assert_int_equal(pa_chain_curve(&chain, T, &plain_memory, point, NULL), PA_OK);
		for (k = 1; k <= 5; k++)
		{
			double		leak;
			double		spent;

			assert_int_equal(pa_release_leakage(&releases, &secrets, law, 1, k, &plain_memory, &leak, NULL), PA_OK);
			assert_int_equal(pa_pufferfish_spent(&curve, k * per_row(table, T, W), &spent, NULL, NULL), PA_OK);
			assert_true(leak <= spent + 1e-12);
		}
	}
}

/* Each constraint survives post-processing (Hoelder), against the paper's Theorem 5.2. */
static void
constraints_survive_processing(void **state)
{
	uint64_t	seed = 23;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 5000; i++)
	{
		double		table[3 * OUTPUTS];
		double		after[3 * 2] = {0};
		double		beta[2];
		int			k;
		int			w;

		for (k = 0; k < 3; k++)
			random_law(&random, OUTPUTS, 4, 0, table + k * OUTPUTS);
		random_law(&random, 2, 3, 0, beta);
		for (w = 0; w < OUTPUTS; w++)
		{
			double		share = uniform(&random, 0, 1);

			for (k = 0; k < 3; k++)
			{
				after[2 * k] += share * table[k * OUTPUTS + w];
				after[2 * k + 1] += (1 - share) * table[k * OUTPUTS + w];
			}
		}
		assert_true(pa_release_slack(2, after, 2, after + 2, beta) <=
					pa_release_slack(OUTPUTS, table, 2, table + OUTPUTS, beta) + 1e-12);
	}
}

static void
zeros_decide(void **state)
{
	static const double table[6] = {.5, .5, 0, 1, .5, .5};
	static const double prior[3] = {.4, .3, .3};
	static const unsigned char mask[6] = {1, 0, 0, 0, 1, 1};
	PaMechanism mechanism = {2, table};
	PaReleases	releases = {3, 1, &mechanism};
	PaFinite	secrets = {0, NULL, 3, 2, mask, 1, both_orders};
	unsigned char support[3] = {1, 1, 1};
	PaEpsilonBounds bounds;
	double		epsilon;

	(void) state;
	/* all weight goes to the third row */
	assert_int_equal(pa_release_necessary(&releases, &secrets, support, &plain_memory, &bounds, NULL, NULL), PA_OK);
	assert_true(bounds.epsilon < 1e-9);
	support[2] = 0;
	assert_int_equal(pa_release_necessary(&releases, &secrets, support, &plain_memory, &bounds, NULL, NULL), PA_OK);
	assert_true(isinf(bounds.epsilon) && isinf(bounds.least));
	/* but the second has mass and can get none */
	assert_int_equal(pa_release_transport(&releases, prior, mask, mask + 3, &plain_memory, &epsilon, NULL), PA_OK);
	assert_true(isinf(epsilon));
}

static void
bad_releases_are_refused(void **state)
{
	double		table[4] = {.5, .5, .5, .4};
	static const double prior[2] = {.5, .5};
	static const unsigned char mask[4] = {1, 0, 0, 1};
	PaMechanism mechanism = {2, table};
	PaReleases	releases = {2, 1, &mechanism};
	PaFinite	secrets = {0, NULL, 2, 2, mask, 2, both_orders};
	PaFault		fault = PA_FAULT_NONE;
	double		result;

	(void) state;
	assert_int_equal(pa_release_leakage(&releases, &secrets, prior, 1, 1, &plain_memory, &result, &fault), PA_INVALID);
	assert_int_equal(fault, PA_FAULT_SUM);
	table[3] = .5;
	assert_int_equal(pa_release_transport(&releases, prior, mask, mask, &plain_memory, &result, &fault), PA_INVALID);
	assert_int_equal(fault, PA_FAULT_SECRET);
	secrets.cells = 3;
	assert_int_equal(pa_release_leakage(&releases, &secrets, prior, 1, 1, &plain_memory, &result, &fault), PA_INVALID);
	assert_int_equal(fault, PA_FAULT_SECRET);
}

/* Ranks of the exponential mechanism by adding up all orders of the first three */
static void
ranks_follow_from_draws(void **state)
{
	enum
	{
		N = 6, K = 3
	};
	uint64_t	seed = 24;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20; i++)
	{
		double		count[N];
		double		weight[N];
		double		want[K * N] = {0};
		double		chance[K * N];
		double		epsilon = exp(uniform(&random, -2, 1));
		double		sum = 0;
		int			a;
		int			b;
		int			c;

		for (a = 0; a < N; a++)
		{
			count[a] = (double) pa_random_below(&random, 30);
			sum += weight[a] = exp(epsilon * count[a] / (2 * K));
		}
		for (a = 0; a < N; a++)
			for (b = 0; b < N; b++)
				for (c = 0; c < N; c++)
					if (a != b && a != c && b != c)
					{
						double		p = weight[a] / sum * weight[b] / (sum - weight[a]) *
							weight[c] / (sum - weight[a] - weight[b]);

						want[a] += p;
						want[N + b] += p;
						want[2 * N + c] += p;
					}
		assert_int_equal(pa_topk_chances(PA_TOPK_EXPONENTIAL, count, N, K,
										 pa_topk_scale(PA_TOPK_EXPONENTIAL, K, epsilon),
										 &plain_memory, chance, NULL), PA_OK);
		for (a = 0; a < K * N; a++)
			assert_true(fabs(chance[a] - want[a]) < 1e-9);
	}
}

/* Each rank is taken by someone, counts far apart included. */
static void
chances_add_up(void **state)
{
	static const double count[5] = {3, 3, 1000000, 17, 900000};
	double		chance[15];
	int			mechanism;
	int			r;
	int			i;

	(void) state;
	for (mechanism = 0; mechanism < 2; mechanism++)
	{
		assert_int_equal(pa_topk_chances((PaTopKMechanism) mechanism, count, 5, 3, 7, &plain_memory, chance, NULL), PA_OK);
		for (r = 0; r < 3; r++)
		{
			double		sum = 0;

			for (i = 0; i < 5; i++)
				sum += chance[r * 5 + i];
			assert_true(fabs(sum - 1) < 1e-9);
		}
		assert_true(fabs(chance[10] - chance[11]) < 1e-12);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(necessary_is_not_sufficient),
		cmocka_unit_test(transport_bounds_every_number_of_runs),
		cmocka_unit_test(levels_hold_under_every_prior),
		cmocka_unit_test(levels_are_attained),
		cmocka_unit_test(odometers_cover_random_mechanisms),
		cmocka_unit_test(constraints_survive_processing),
		cmocka_unit_test(zeros_decide),
		cmocka_unit_test(bad_releases_are_refused),
		cmocka_unit_test(ranks_follow_from_draws),
		cmocka_unit_test(chances_add_up),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
