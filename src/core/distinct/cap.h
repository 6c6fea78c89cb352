/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cap.h
 *		Which cap a number of different values is computed with.
 *
 * A larger cap covers more values and asks for more noise.  The loss of a cap is how far
 * it may be below another one,
 *		max over j of (a_i - a_j)/max(cap_i, cap_j),
 *		a_i = cap_i penalty - value_i,
 *		penalty = ln(1/(2 noise_miss))/noise_epsilon + 2 ln(caps/miss)/epsilon,
 * and the choice is the exponential mechanism, p ~ exp(-epsilon loss/2): the generalised
 * exponential mechanism of Raskhodnikova and Smith (2016), but for the divisor.  One more
 * owner changes value_i by 0..cap_i, so all move the same way, and max in the place of
 * their sum is enough (docs/theory-derived.md).
 *
 * Losses are whole numbers of PA_CAP_UNIT-ths, rounded downwards, and so exact functions of
 * the values.  Caps and terms are public.
 */
#ifndef PA_CAP_H
#define PA_CAP_H

#include <stdint.h>

#include "core/environment.h"
#include "core/random/random.h"

#define PA_CAP_UNIT (INT64_C(1) << 20)
#define PA_CAP_CANDIDATES 64

typedef struct PaCapTerms
{
	double		noise_epsilon;	/* of the number that will be released, above 0 */
	double		noise_miss;		/* in (0, 1/2]: how often its noise may exceed what is allowed for */
	double		epsilon;		/* of the choice, 2^-20 to 1e5; zCDP epsilon^2/8 */
	double		miss;			/* in (0, 1): how often a worse cap may be chosen */
} PaCapTerms;

/*
 * loss[i] in PA_CAP_UNIT-ths, >= 0; one more owner changes each by at most PA_CAP_UNIT.
 * value[i]: what cap[i] covers, 0 to 2^40.  Caps as pa_caps_valid asks, at most
 * PA_CAP_CANDIDATES.  PA_INVALID otherwise, or for a penalty from 2^20 on.
 */
extern PaStatus pa_cap_losses(const int64_t *value, const int32_t *cap, int caps, const PaCapTerms *terms,
							  int64_t *loss);

/*
 * Draws *chosen, 0..caps-1, exactly: terms->epsilon-DP with log ratios in a range of
 * that length.  PA_INVALID, PA_NO_RANDOMNESS, PA_INTERRUPTED.
 */
extern PaStatus pa_cap_choose(const int64_t *value, const int32_t *cap, int caps, const PaCapTerms *terms,
							  PaRandom *random, const PaEnvironment *environment, int *chosen);

#endif							/* PA_CAP_H */
