/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * optimal.h
 *		The additive noise that falls within an error bound most often, by linear program.
 *
 * Over symmetric unimodal laws on -last..last that are (epsilon, delta)-DP for
 * the shift D (hence for smaller ones), GLPK maximises Pr[|N| <= band].
 * docs/theory.md has the program.  The solution is rounded to integer weights
 * whose profile, computed exactly from them and rounded up, is at most delta.
 */
#ifndef PA_OPTIMAL_H
#define PA_OPTIMAL_H

#include "core/environment.h"
#include "core/noise/law.h"

#define PA_OPTIMAL_LAST 512		/* largest support */

/*
 * epsilon > 0, 0 < delta < 1, 1 <= shift, 0 <= band <= last <= PA_OPTIMAL_LAST.
 * *table is allocated from the environment as one block (release(context, table)).
 * PA_NO_SOLUTION if the program or the rounding fails.
 */
extern PaStatus pa_optimal_noise(int64_t shift, int64_t band, int32_t last, double epsilon, double delta,
								 const PaEnvironment *environment, PaNoiseTable **table);

/* The program's own optimum before rounding (for tests and tables). */
extern PaStatus pa_optimal_acceptance(int64_t shift, int64_t band, int32_t last, double epsilon, double delta,
									  const PaEnvironment *environment, double *acceptance);

#endif							/* PA_OPTIMAL_H */
