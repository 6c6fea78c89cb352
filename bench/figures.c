/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figures.c
 *		Time, and what is said about many runs.
 */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

double
seconds_now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec + 1e-9 * at.tv_nsec;
}

static int
ascending(const void *a, const void *b)
{
	double		left = *(const double *) a;
	double		right = *(const double *) b;

	return (left > right) - (left < right);
}

double
quantile(double *values, int n, double share)
{
	double		place = share * (n - 1);
	int			below = (int) floor(place);
	double		rest = place - below;

	qsort(values, (size_t) n, sizeof(double), ascending);
	return rest > 0 ? (1 - rest) * values[below] + rest * values[below + 1] : values[below];
}
