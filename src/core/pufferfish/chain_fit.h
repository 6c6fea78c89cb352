/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain_fit.h
 *		Transition matrices from counts.
 *
 * The guarantee is about the prior, so the counts must not come from the rows that
 * it protects, unless they were released with noise that was paid for.
 */
#ifndef PA_CHAIN_FIT_H
#define PA_CHAIN_FIT_H

#include "core/pufferfish/fault.h"

/*
 * Paper, appendix D.2: each zero entry of a row becomes tau and the other entries
 * shrink in proportion, so that rows still add up to 1.  0 < tau < 1/states.  In
 * place.
 */
extern PaStatus pa_chain_smooth(double *transition, int states, double tau, PaFault *fault);

/*
 * counts[i * states + j] transitions from i to j, >= 0 and not all of a row need be
 * known: an empty row becomes uniform.  Then smoothed.  counts may be transition.
 */
extern PaStatus pa_chain_fit(const double *counts, int states, double tau, double *transition, PaFault *fault);

#endif							/* PA_CHAIN_FIT_H */
