/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mode.c
 *		The exponential mechanism without its factor 2.
 */
#include "core/order/mode.h"

#include <math.h>

PaStatus
pa_mode_draw(const int64_t *counts, int keys, int k, double epsilon, int64_t per_key, PaRandom *random,
			 unsigned char *taken, int *chosen, const PaEnvironment *environment)
{
	return pa_choose(counts, keys, k, 2 * epsilon, per_key, random, taken, chosen, environment);
}

PaStatus
pa_mode_law(const int64_t *counts, int keys, double epsilon, int64_t per_key, double *probability)
{
	int64_t		best = INT64_MIN;
	double		sum = 0;
	int			i;

	if (keys < 1 || !(epsilon > 0 && epsilon <= PA_MODE_MOST_EPSILON) || per_key < 1)
		return PA_INVALID;
	for (i = 0; i < keys; i++)
		if (counts[i] > best)
			best = counts[i];
	for (i = 0; i < keys; i++)
	{
		double		behind = (double) ((PaInt128) best - counts[i]);

		probability[i] = exp(-epsilon * behind / (double) per_key);
		sum += probability[i];
	}
	for (i = 0; i < keys; i++)
		probability[i] /= sum;
	return PA_OK;
}
