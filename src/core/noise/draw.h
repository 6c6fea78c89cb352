/*
 * draw.h
 *		The exact draws that those of kernels are made of.
 *
 * A failure of the source is sticky (random.h); what is returned then means
 * nothing.
 */
#ifndef PA_DRAW_H
#define PA_DRAW_H

#include "core/random/random.h"

/* Whole scales in a magnitude, at most: a longer one is a failure of the source. */
#define PA_DRAW_LONGEST 4096

/* x >= 0 with probability proportional to exp(-x/t) */
extern uint64_t pa_draw_geometric(PaRandom *random, uint64_t t);

/* k with probability proportional to exp(-|k| 2^s/n), n and s as kernel.h allows */
extern int64_t pa_draw_laplace(PaRandom *random, uint64_t n, uint32_t s);

/* k with probability proportional to exp(-k^2/(2 sigma^2)), sigma = n/2^s likewise */
extern int64_t pa_draw_gaussian(PaRandom *random, uint64_t n, uint32_t s);

#endif							/* PA_DRAW_H */
