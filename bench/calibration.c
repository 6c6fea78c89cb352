/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibration.c
 *		How long it takes to find the largest q, and the best scale and q.
 *
 * The last column is the ratio to the goal: 1 or more is good enough.
 */
#include <stdio.h>
#include <time.h>

#include "core/accounting/recycle.h"
#include "core/noise/continuous.h"

#define Q_GOAL 50e-6			/* seconds */
#define BEST_GOAL 5e-3
#define LEAST_ROUND 0x1p-12

typedef struct Setting
{
	double		band;
	double		shift;
	double		epsilon;
	double		delta;
} Setting;

/* Whole numbers, so that they serve the lattice as well. */
static const Setting settings[] = {
	{1, 1, 1, 1e-5}, {1, 5, 3, 1e-5}, {5, 22, 0.5, 1e-5}, {3, 1, 0.1, 1e-5},
	{200, 512, 2, 1e-9}, {900, 512, 0.2, 1e-9}, {40, 512, 8, 1e-12}
};

static const char *const names[2][2] = {{"laplace, lattice", "laplace, line"}, {"gaussian, lattice", "gaussian, line"}};

static double
now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	return at.tv_sec + 1e-9 * at.tv_nsec;
}

static PaStatus
plain_scale(PaShape shape, const Setting *s, double *scale)
{
	PaStatus	status = shape == PA_LAPLACE ?
		pa_laplace_scale(s->epsilon, 0, s->shift, scale) :
		pa_gaussian_sigma(s->epsilon, s->delta, s->shift, scale);

	*scale *= 1.01;				/* what meets the goal on the line need not quite do so on the lattice */
	return status;
}

/* Seconds of one search; negative if it fails. */
static double
cost_of_search(PaShape shape, PaSpace space, const Setting *s, bool best)
{
	double		start = now();
	double		spent;
	double		scale;
	int			runs = 0;
	PaLaw		law;

	if (plain_scale(shape, s, &scale) != PA_OK)
		return -1;
	do
	{
		PaStatus	status = best ?
			pa_recycle_best(shape, space, s->band, s->shift, s->epsilon, s->delta, LEAST_ROUND, &law) :
			pa_recycle_at(shape, space, scale, s->band, s->shift, s->epsilon, s->delta, LEAST_ROUND, &law);

		if (status != PA_OK)
			return -1;
		runs++;
		spent = now() - start;
	} while (spent < 0.05);
	return spent / runs;
}

/* The slowest setting. */
static int
bench(const char *what, PaShape shape, PaSpace space, bool best, double goal)
{
	double		slowest = 0;
	size_t		i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
	{
		double		cost = cost_of_search(shape, space, &settings[i], best);

		if (cost < 0)
			return 1;
		if (cost > slowest)
			slowest = cost;
	}
	printf("%-8s %-18s %10.1f us   %6.2f\n", what, names[shape][space], 1e6 * slowest, goal / slowest);
	return 0;
}

int
main(void)
{
	int			failed = 0;
	int			shape;
	int			space;

	for (shape = PA_LAPLACE; shape <= PA_GAUSSIAN; shape++)
		for (space = PA_LATTICE; space <= PA_LINE; space++)
		{
			failed |= bench("q", (PaShape) shape, (PaSpace) space, false, Q_GOAL);
			failed |= bench("best", (PaShape) shape, (PaSpace) space, true, BEST_GOAL);
		}
	return failed;
}
