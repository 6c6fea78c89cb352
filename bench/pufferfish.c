/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pufferfish.c
 *		Influence curves: time on one core.
 *
 *	 pufferfish [RUNS]			RUNS of each, 9 unless given; the median counts
 *	 pufferfish curve			the first chain of 78 states, a row a line, and a(1), ..., a(100) in
 *								a line, for pufferfish.py
 *
 * The chains have random rows, a third of the transitions being rare (1e-5), as
 * fitted and smoothed ones have.  Prints lines "what seconds".
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/pufferfish/chain.h"
#include "core/pufferfish/gaussian.h"
#include "core/pufferfish/odometer.h"
#include "figures.h"
#include "source.h"

#define MOST_RUNS 100
#define MOST_RADIUS 400
#define STATES 78
#define RADIUS 100
#define MOST_POINTS 10000
#define LOOKS 100

static void
random_chain(PaRandom *random, int states, double *transition)
{
	int			i;
	int			j;

	for (i = 0; i < states; i++)
	{
		double	   *row = transition + i * states;
		double		sum = 0;

		for (j = 0; j < states; j++)
			sum += row[j] = i == j ? 2.0 : uniform(random, 0, 3) < 1 ? 1e-5 : uniform(random, 0, 0.2);
		for (j = 0; j < states; j++)
			row[j] /= sum;
	}
}

static int
chain_time(const char *name, int states, int64_t length, int most, int runs)
{
	static double transition[STATES * STATES];
	static PaInfluence point[MOST_RADIUS];
	double		seconds[MOST_RUNS];
	PaChain		chain = {states, transition, NULL, length, NULL};
	uint64_t	seed = 1;
	PaRandom	random;
	int			i;

	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < runs; i++)
	{
		double		start;

		random_chain(&random, states, transition);
		start = seconds_now();
		if (pa_chain_curve(&chain, most, &plain_memory, point, NULL) != PA_OK)
			return 1;
		seconds[i] = seconds_now() - start;
	}
	printf("%s %.6f\n", name, quantile(seconds, runs, 0.5));
	return 0;
}

static int
gaussian_time(int n, int runs)
{
	static double covariance[PA_GAUSSIAN_ROWS * PA_GAUSSIAN_ROWS];
	static PaInfluence point[PA_GAUSSIAN_ROWS];
	PaGaussianRows rows = {n, covariance, 5.0, 0.1};
	double		seconds[MOST_RUNS];
	int			i;

	for (i = 0; i < n * n; i++)
		covariance[i] = exp(-pow(i / n - i % n, 2) / 2);
	for (i = 0; i < runs; i++)
	{
		double		start = seconds_now();

		if (pa_gaussian_curve(&rows, &plain_memory, point, NULL) != PA_OK)
			return 1;
		seconds[i] = seconds_now() - start;
	}
	printf("gaussian %.6f\n", quantile(seconds, runs, 0.5));
	return 0;
}

/* One look at an odometer of so many points */
static int
odometer_time(int points, int runs)
{
	static PaInfluence point[MOST_POINTS];
	PaCurve		curve = {point, points, 10 * MOST_POINTS};
	double		seconds[MOST_RUNS];
	double		spent;
	int			i;
	int			k;

	for (i = 0; i < points; i++)
		point[i] = (PaInfluence) {10 * exp(-10.0 * i / points), i + 1, -1, -1};
	for (i = 0; i < runs; i++)
	{
		double		start = seconds_now();

		for (k = 0; k < LOOKS; k++)
			if (pa_pufferfish_spent(&curve, 0.01 * i + 1e-5 * k, &spent, NULL, NULL) != PA_OK)
				return 1;
		seconds[i] = (seconds_now() - start) / LOOKS;
	}
	printf("odometer_%d %.9f\n", points, quantile(seconds, runs, 0.5));
	return 0;
}

static void
print_numbers(const double *number, int count)
{
	int			i;

	for (i = 0; i < count; i++)
		printf("%.17g%c", number[i], i + 1 < count ? ' ' : '\n');
}

static int
print_curve(void)
{
	static double transition[STATES * STATES];
	PaInfluence point[RADIUS];
	PaChain		chain = {STATES, transition, NULL, 0, NULL};
	double		a[RADIUS];
	uint64_t	seed = 1;
	PaRandom	random;
	int			i;

	pa_random_init(&random, source_seeded, &seed);
	random_chain(&random, STATES, transition);
	if (pa_chain_curve(&chain, RADIUS, &plain_memory, point, NULL) != PA_OK)
		return 1;
	for (i = 0; i < STATES; i++)
		print_numbers(transition + i * STATES, STATES);
	for (i = 0; i < RADIUS; i++)
		a[i] = point[i].a;
	print_numbers(a, RADIUS);
	return 0;
}

int
main(int argc, char **argv)
{
	int			runs = argc > 1 ? atoi(argv[1]) : 9;

	if (argc > 1 && strcmp(argv[1], "curve") == 0)
		return print_curve();
	runs = runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : runs;
	return chain_time("chain", STATES, 0, RADIUS, runs) ||
		chain_time("chain_finite", STATES, RADIUS, RADIUS, runs) ||
		chain_time("chain_small", 11, 0, 288, runs) ||
		gaussian_time(21, runs) ||
		odometer_time(MOST_POINTS / 10, runs) ||
		odometer_time(MOST_POINTS, runs);
}
