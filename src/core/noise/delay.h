/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * delay.h
 *		A delay that hides how long something took.
 *
 * Time is counted in steps.  A delay is reach + N, where N is discrete Laplace
 * noise given that |N| <= reach; so it lies in 0 .. 2 reach.  If two times differ
 * by at most so many steps, then the times with a delay added are
 * (epsilon, delta)-indistinguishable: docs/theory.md.
 */
#ifndef PA_DELAY_LAW_H
#define PA_DELAY_LAW_H

#include <stdint.h>

#include "core/noise/kernel.h"

typedef struct PaDelayLaw
{
	PaKernel	kernel;			/* laplace */
	int64_t		reach;			/* from 1 on; a delay's mean */
	double		delta;			/* for the steps that it was made for, rounded up */
} PaDelayLaw;

/*
 * The law of least reach for times that differ by at most so many steps (from 1
 * on) that keeps at least half of the noise.  PA_INVALID unless epsilon > 0 and 0 < delta <= 0.01, PA_OUT_OF_RANGE if no
 * kernel has the scale or the reach is 2^50 or more.
 */
extern PaStatus pa_delay_make(int64_t steps, double epsilon, double delta, PaDelayLaw *law);

/*
 * The sum over k of max(0, Pr[delay = k] - e^epsilon Pr[delay = k - steps]) for
 * any epsilon >= steps / scale, rounded up: what lies where the other has nothing.
 */
extern double pa_delay_delta(const PaDelayLaw *law, int64_t steps);

/* Pr[delay = k], to nearest. */
extern double pa_delay_pmf(const PaDelayLaw *law, int64_t k);

/* One exact draw; PA_NO_RANDOMNESS if the source failed. */
extern PaStatus pa_delay_sample(const PaDelayLaw *law, PaRandom *random, int64_t *delay);

#endif							/* PA_DELAY_LAW_H */
