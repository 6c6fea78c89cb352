/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accounting.c
 *		How long a tight composition takes, and one point of a privacy profile.
 *
 * Mixed: as many releases of different parameters, Laplace, Gaussian, both
 * recyclers and staircases in turn.  The last column is the ratio to the goal: 1
 * or more is good enough.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/accounting/pld.h"
#include "source.h"

#define RELEASES 1000
#define DELTA 1e-6
#define COMPOSE_GOAL 50e-3		/* seconds */
#define PROFILE_GOAL 1e-6
#define GOOGLE_IDENTICAL "0.05 to 0.26 s"	/* dp_accounting, quoted, not measured here */
#define GOOGLE_MIXED "1.9 s"

static double
now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec + 1e-9 * at.tv_nsec;
}

/* Release i of the mixture: each about 0.03 of loss */
static PaStatus
make_part(int i, PaPart *part)
{
	double		wiggle = 1.0 + 0.5 * i / RELEASES;

	part->coordinates = 1;
	part->shift = 100;
	switch (i % 5)
	{
		case 0:
			return pa_law_plain(PA_LAPLACE, PA_LATTICE, 3000 * wiggle, &part->law);
		case 1:
			return pa_law_plain(PA_GAUSSIAN, PA_LATTICE, 3000 * wiggle, &part->law);
		case 2:
			return pa_law_recycled(PA_LAPLACE, PA_LATTICE, 4000 * wiggle, 50, 0.98, &part->law);
		case 3:
			return pa_law_recycled(PA_GAUSSIAN, PA_LATTICE, 4000 * wiggle, 50, 0.98, &part->law);
		default:
			return pa_law_staircase(PA_LATTICE, 0.03 * wiggle, 100, 50, &part->law);
	}
}

static int
bench_compose(const char *what, const char *name, const PaRun *runs, int nruns, const char *google)
{
	double		start = now();
	double		spent;
	double		epsilon;
	int			n = 0;

	do
	{
		if (pa_compose_epsilon(runs, nruns, DELTA, &plain_memory, &epsilon) != PA_OK)
			return 1;
		n++;
		spent = now() - start;
	} while (spent < 0.3);
	printf("%-12s %-14s %5d releases  epsilon %-9.6g %9.3f ms   %6.2f   (dp_accounting: %s)\n",
		   what, name, RELEASES, epsilon, 1e3 * spent / n, COMPOSE_GOAL * n / spent, google);
	return 0;
}

static int
bench_mixed(const char *name, int kind)
{
	static PaPart parts[RELEASES];
	static PaRun runs[RELEASES];
	int			i;

	for (i = 0; i < RELEASES; i++)
	{
		if (make_part(kind < 0 ? i : i / 5 * 5 + kind, &parts[i]) != PA_OK)
			return 1;
		runs[i] = (PaRun) {&parts[i], 1, 0, 1, 1};
	}
	return bench_compose("different", name, runs, RELEASES, GOOGLE_MIXED);
}

static int
bench_identical(const char *name, int kind)
{
	PaPart		part;
	PaRun		run = {&part, 1, 0, 1, RELEASES};

	if (make_part(kind, &part) != PA_OK)
		return 1;
	return bench_compose("identical", name, &run, 1, GOOGLE_IDENTICAL);
}

static int
bench_profile(const char *name, int kind)
{
	PaPart		part;
	double		start = now();
	double		spent;
	double		sum = 0;
	long		n = 0;
	int			i;

	if (make_part(kind, &part) != PA_OK)
		return 1;
	do
	{
		for (i = 0; i < 1000; i++)
			sum += pa_law_delta(&part.law, part.shift, 1e-5 * i);
		n += i;
		spent = now() - start;
	} while (spent < 0.2);
	if (!(sum > 0))
		return 1;
	printf("profile      %-14s %9.1f ns   %6.2f\n", name, 1e9 * spent / n, PROFILE_GOAL * n / spent);
	return 0;
}

int
main(void)
{
	static const char *names[] = {"laplace", "gaussian", "brdp_laplace", "brdp_gaussian", "staircase"};
	int			failed = 0;
	int			i;

	failed |= bench_mixed("mixed", -1);
	for (i = 0; i < 5; i++)
		failed |= bench_mixed(names[i], i);
	for (i = 0; i < 5; i++)
		failed |= bench_identical(names[i], i);
	for (i = 0; i < 5; i++)
		failed |= bench_profile(names[i], i);
	return failed;
}
