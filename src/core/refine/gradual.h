/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gradual.h
 *		Discrete Laplace noise that is made finer step by step, at the cost of the last step.
 *
 * Level t has scale b_t, b_0 > b_1 > ... .  Noise of each level is discrete Laplace of its
 * scale, and all levels together are a chain: a coarser value is the finer one with
 * probability
 *		keep = (r2/r1) ((1 - r1)/(1 - r2))^2,	r1 = e^(-1/b coarse), r2 = e^(-1/b fine),
 * and else the finer one plus independent discrete Laplace noise of the coarse scale.  So whoever
 * has seen levels 0..t has seen no more than level t, which is D/b_t-DP for a number that
 * an owner changes by at most D (docs/theory-derived.md).  The coarse levels come first,
 * and whether to go on may depend on what they showed.
 *
 * All draws are exact: scales are the dyadic fractions of kernel.h, and every coin's
 * probability is made of e^(-fraction) by the methods of random.h.
 */
#ifndef PA_GRADUAL_H
#define PA_GRADUAL_H

#include "core/noise/kernel.h"

#define PA_GRADUAL_LEVELS 32

typedef struct PaGradual
{
	int			levels;
	PaKernel	kernel[PA_GRADUAL_LEVELS];	/* the coarsest first */
} PaGradual;

/*
 * epsilon[level] rises; each kernel has the smallest scale that is at least
 * sensitivity/epsilon, so that its own sensitivity/scale is at most epsilon.  1 to
 * PA_GRADUAL_LEVELS levels, sensitivity in 1..2^52.  PA_INVALID otherwise, or if two
 * scales are the same; PA_OUT_OF_RANGE if a scale is 2^40 or more.
 */
extern PaStatus pa_gradual_make(const double *epsilon, int levels, int64_t sensitivity, PaGradual *gradual);

/*
 * Levels of which each has half the scale of the one before, the last that of the kernel: so a
 * level costs exactly half of what the next one does.  PA_INVALID for other noise than Laplace;
 * PA_OUT_OF_RANGE if a scale is 2^40 or more.
 */
extern PaStatus pa_gradual_halving(const PaKernel *finest, int levels, PaGradual *gradual);

/* What showing levels 0..level costs: sensitivity/scale of that level, rounded up */
extern double pa_gradual_cost(const PaGradual *gradual, int level, int64_t sensitivity);

/* keep of the step from level + 1 to level, to nearest; 0 <= level < levels - 1 */
extern double pa_gradual_keep(const PaGradual *gradual, int level);

/* Noise of all levels at once: noise[0..levels - 1], |noise| < levels 2^53.  PA_NO_RANDOMNESS. */
extern PaStatus pa_gradual_draw(const PaGradual *gradual, PaRandom *random, int64_t *noise);

/*
 * Noise of level + 1 given that of this level, which alone it depends on: as good as if
 * all had been drawn at once.  |coarse| < 2^60.  PA_INVALID unless 0 <= level < levels - 1;
 * PA_NO_RANDOMNESS.
 */
extern PaStatus pa_gradual_refine(const PaGradual *gradual, int level, int64_t coarse,
								  PaRandom *random, int64_t *fine);

#endif							/* PA_GRADUAL_H */
