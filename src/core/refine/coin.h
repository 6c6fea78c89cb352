/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coin.h
 *		Exact draws with exponential weights, and coins made of them.
 *
 * Every exponent is a fraction with the denominator q below 2^80.  Whole numbers only;
 * a failure of the source is sticky (random.h), and what is returned then means nothing.
 */
#ifndef PA_COIN_H
#define PA_COIN_H

#include "core/random/random.h"

/* x in 0..limit - 1 with probability proportional to e^(-x/q); 1 <= limit < 2^120 */
extern PaUint128 pa_coin_cell(PaRandom *random, PaUint128 limit, PaUint128 q);

/* The same without a limit: below 2^93 */
extern PaUint128 pa_coin_geometric(PaRandom *random, PaUint128 q);

/* True with probability (1 - e^(-part/q))/(1 - e^(-whole/q)), 0 <= part <= whole, 1 <= whole < 2^120 */
extern bool pa_coin_ratio(PaRandom *random, PaUint128 part, PaUint128 whole, PaUint128 q);

#endif							/* PA_COIN_H */
