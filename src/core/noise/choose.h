/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * choose.h
 *		The exponential mechanism, drawn exactly, without replacement.
 *
 * Each draw takes an item that is left with probability proportional to
 * exp(epsilon score/(2 sensitivity)), which is epsilon-DP if no score changes by more
 * than the sensitivity (McSherry and Talwar 2007); k draws one after the other are
 * k epsilon-DP (sequential composition).  An item is proposed uniformly and kept with
 * probability exp(-epsilon (best - score)/(2 sensitivity)): so no number is rounded
 * but epsilon, downwards to a multiple of 2^-40.
 */
#ifndef PA_CHOOSE_H
#define PA_CHOOSE_H

#include <stdint.h>

#include "core/environment.h"
#include "core/random/random.h"

/*
 * chosen[0..k - 1]: items in the order in which they were drawn.  epsilon of one draw,
 * 2^-40 to 1e5; 1 <= k <= items; 1 <= sensitivity < 2^40; taken: room for items.
 * PA_INVALID otherwise; PA_NO_RANDOMNESS; PA_INTERRUPTED, asked before each draw.
 * environment may be NULL: it is not interrupted.  Takes k (items + 1)/2 proposals at most in the mean
 * of equal scores, k items at worst.
 */
extern PaStatus pa_choose(const int64_t *score, int items, int k, double epsilon, int64_t sensitivity,
						  PaRandom *random, unsigned char *taken, int *chosen, const PaEnvironment *environment);

#endif							/* PA_CHOOSE_H */
