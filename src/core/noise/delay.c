/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * delay.c
 *		See delay.h.
 *
 * Method: noise beyond the reach is drawn again, which makes the law exactly that
 * of the kernel given |N| <= reach.  At least every second draw keeps to it, so
 * a source that makes MOST_ROUNDS of them fail has failed.
 */
#include "core/noise/delay.h"

#include <float.h>
#include <math.h>

#define MOST_REACH (INT64_C(1) << 50)
#define MOST_ROUNDS 128
#define TAIL_ERROR 1e-9			/* more than a tail's relative error */

/* Pr[reach - steps < N <= reach] over Pr[|N| <= reach], either way */
double
pa_delay_delta(const PaDelayLaw *law, int64_t steps)
{
	double		from,
				beyond;

	if (steps <= 0)
		return 0;
	if (steps > 2 * law->reach)
		return 1;
	from = pa_kernel_tail(&law->kernel, law->reach - steps + 1);
	beyond = pa_kernel_tail(&law->kernel, law->reach + 1) * (1 - TAIL_ERROR);
	return fmin(1, (from - beyond) * (1 + 8 * DBL_EPSILON) / pa_kernel_acceptance(&law->kernel, law->reach));
}

static int
suffices(PaDelayLaw *law, int64_t reach, int64_t steps, double delta)
{
	law->reach = reach;
	law->delta = pa_delay_delta(law, steps);
	return law->delta <= delta && pa_kernel_acceptance(&law->kernel, reach) >= 0.5;
}

PaStatus
pa_delay_make(int64_t steps, double epsilon, double delta, PaDelayLaw *law)
{
	int64_t		low = 0,
				high = steps;
	PaStatus	status;

	if (steps < 1 || !(epsilon > 0) || !(delta > 0 && delta <= 0.01))
		return PA_INVALID;
	if (steps >= MOST_REACH)
		return PA_OUT_OF_RANGE;
	status = pa_kernel_make(PA_KERNEL_LAPLACE, steps / epsilon * (1 + 4 * DBL_EPSILON), &law->kernel);
	if (status != PA_OK)
		return status;
	for (; !suffices(law, high, steps, delta); high *= 2)
	{
		if (high >= MOST_REACH / 2)
			return PA_OUT_OF_RANGE;
		low = high;
	}
	while (high - low > 1)
	{
		int64_t		middle = low + (high - low) / 2;

		if (suffices(law, middle, steps, delta))
			high = middle;
		else
			low = middle;
	}
	(void) suffices(law, high, steps, delta);
	return PA_OK;
}

double
pa_delay_pmf(const PaDelayLaw *law, int64_t k)
{
	if (k < 0 || k > 2 * law->reach)
		return 0;
	return pa_kernel_pmf(&law->kernel, k - law->reach) / pa_kernel_acceptance(&law->kernel, law->reach);
}

PaStatus
pa_delay_sample(const PaDelayLaw *law, PaRandom *random, int64_t *delay)
{
	for (int round = 0; round < MOST_ROUNDS; round++)
	{
		int64_t		noise;
		PaStatus	status = pa_kernel_sample(&law->kernel, random, &noise);

		if (status != PA_OK)
			return status;
		if (noise >= -law->reach && noise <= law->reach)
		{
			*delay = law->reach + noise;
			return PA_OK;
		}
	}
	pa_random_fail(random);
	return PA_NO_RANDOMNESS;
}
