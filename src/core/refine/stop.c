/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stop.c
 *		Levels of refinement, and when to stop.
 */
#include "core/refine/stop.h"

#include <math.h>

#define LEAST_FACTOR 1.01
#define MOST_FACTOR 16.0

int
pa_stop_levels(double low, double high, double factor, int most, double *level)
{
	double		steps;
	int			levels;
	int			i;

	if (!(low > 0 && low <= high && isfinite(high) && factor >= LEAST_FACTOR && factor <= MOST_FACTOR))
		return 0;
	steps = ceil(log(high / low) / log(factor) - 1e-9);
	if (!(steps < most))
		return 0;
	levels = (int) steps + 1;
	for (i = 0; i < levels; i++)
		level[i] = i + 1 < levels ? low * pow(factor, i) : high;
	return levels;
}

PaStatus
pa_stop_widths(const PaGradual *gradual, double miss, int64_t *width)
{
	int			i;

	if (!(miss > 0 && miss < 1))
		return PA_INVALID;
	for (i = 0; i < gradual->levels; i++)
		width[i] = pa_kernel_error(&gradual->kernel[i], 1 - miss / gradual->levels);
	return PA_OK;
}

bool
pa_stop_reached(double released, double width, double share, double floor)
{
	return width <= share * fmax(fabs(released), floor);
}

PaStatus
pa_combine_gaussian(const double *released, const double *rho, int releases, double sensitivity,
					double *estimate, double *variance)
{
	double		sum = 0;
	double		weighted = 0;
	int			i;

	if (releases < 1 || !(sensitivity > 0))
		return PA_INVALID;
	for (i = 0; i < releases; i++)
	{
		if (!(rho[i] > 0 && isfinite(rho[i]) && isfinite(released[i])))
			return PA_INVALID;
		sum += rho[i];
		weighted += rho[i] * released[i];
	}
	*estimate = weighted / sum;
	*variance = sensitivity * sensitivity / (2 * sum);
	return PA_OK;
}
