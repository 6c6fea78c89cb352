/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exponential.c
 *		The table of whole weights, and what a draw costs.
 */
#include "core/noise/exponential.h"

#include <math.h>

#define PA_EXPONENTIAL_FLAT 8.0	/* from here on epsilon is less than epsilon^2/8 */
#include <string.h>

#define STEPS_PER_EPSILON 128
#define RATIO_BITS 63			/* r is a multiple of 2^-RATIO_BITS */

/*
 * exp(-x) computed in double, for 0 < x <= 1: x has a relative error of 2^-53, and
 * exp one unit in the last place; 2^-50 covers both, so that r is never too small.
 */
#define RATIO_SLACK (1 + 0x1p-50)

int64_t
pa_exponential_steps(double epsilon)
{
	return (int64_t) ceil(STEPS_PER_EPSILON * epsilon);
}

static uint64_t
ratio(double epsilon, int64_t units)
{
	double		r = exp(-epsilon / (2 * (double) units)) * RATIO_SLACK;

	return r >= 1 ? UINT64_C(1) << RATIO_BITS : (uint64_t) ceil(ldexp(r, RATIO_BITS));
}

static uint64_t
next_weight(uint64_t weight, uint64_t r)
{
	PaUint128	product = (PaUint128) weight * r;

	return (uint64_t) ((product + ((UINT64_C(1) << RATIO_BITS) - 1)) >> RATIO_BITS);
}

/* Entries up to the first one that the next would repeat, and all of them if there is room */
static int32_t
fall(uint64_t r, uint64_t *weight)
{
	uint64_t	at = UINT64_C(1) << PA_EXPONENTIAL_FIRST;
	int32_t		entries = 0;

	for (;;)
	{
		uint64_t	next = next_weight(at, r);

		if (weight != NULL)
			weight[entries] = at;
		entries++;
		if (next == at || entries == PA_EXPONENTIAL_ENTRIES)
			return entries;
		at = next;
	}
}

PaStatus
pa_exponential_make(double epsilon, int64_t steps, int32_t draws, const PaEnvironment *environment,
					PaExponential *mechanism)
{
	uint64_t	r;
	int32_t		entries;
	uint64_t   *weight;

	if (!(epsilon >= PA_EXPONENTIAL_LEAST && epsilon <= PA_EXPONENTIAL_MOST) ||
		steps < 1 || steps > PA_EXPONENTIAL_STEPS || !(epsilon <= 2 * (double) steps) ||
		draws < 1 || draws > PA_EXPONENTIAL_DRAWS)
		return PA_INVALID;
	r = ratio(epsilon, steps + draws - 1);
	entries = fall(r, NULL);
	weight = environment->allocate(environment->context, (size_t) entries * sizeof(uint64_t));
	if (weight == NULL)
		return PA_NO_MEMORY;
	fall(r, weight);
	*mechanism = (PaExponential) {epsilon, steps, draws, entries, weight};
	return PA_OK;
}

void
pa_exponential_free(PaExponential *mechanism, const PaEnvironment *environment)
{
	if (mechanism->weight != NULL)
		environment->release(environment->context, mechanism->weight);
	memset(mechanism, 0, sizeof(*mechanism));
}

PaStatus
pa_exponential_reach(const PaExponential *mechanism, double candidates, double beta, int32_t *units)
{
	double		most = beta * (double) mechanism->weight[0] / candidates;
	int32_t		low = 0;
	int32_t		high = mechanism->entries - 1;

	if (!(candidates >= 1) || !(beta > 0 && beta < 1))
		return PA_INVALID;
	if ((double) mechanism->weight[high] > most)
		return PA_NO_SOLUTION;
	while (low < high)
	{
		int32_t		middle = low + (high - low) / 2;

		if ((double) mechanism->weight[middle] > most)
			low = middle + 1;
		else
			high = middle;
	}
	*units = low;
	return PA_OK;
}

double
pa_exponential_rho(double epsilon)
{
	return epsilon < PA_EXPONENTIAL_FLAT ? epsilon * epsilon / 8 * (1 + 0x1p-51) : epsilon;
}

/* Below the border the sum of a series, x^2/8 - x^4/576 + ..., stands for what cancels. */
double
pa_exponential_rho_attained(double epsilon)
{
	double		square = epsilon * epsilon;

	if (epsilon < 0.02)
		return square / 8 * (1 - square / 72);
	/* ln((e^x - 1)/x) - 1 + x/(e^x - 1), without overflow */
	return epsilon + log(-expm1(-epsilon) / epsilon) - 1 + epsilon * exp(-epsilon) / -expm1(-epsilon);
}

double
pa_exponential_epsilon(double rho)
{
	double		epsilon = rho < PA_EXPONENTIAL_FLAT ? sqrt(8 * rho) : rho;

	while (pa_exponential_rho(epsilon) > rho)
		epsilon = nextafter(epsilon, 0);
	return epsilon;
}
