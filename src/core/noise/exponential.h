/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exponential.h
 *		The exponential mechanism with whole weights: no floating point in what is drawn.
 *
 * A candidate with loss x, in units of which one owner changes a loss by at most
 * "steps", weighs weight[min(floor(x), entries - 1)], a whole number:
 *
 *	 weight[0] = 2^62,  weight[k + 1] = ceil(weight[k] r),  r dyadic >= exp(-epsilon/(2 (steps + draws - 1))).
 *
 * draws is 1, unless an owner is divided among several draws that cost epsilon together: each
 * rounds a part of an owner to whole units, which makes draws - 1 units more in all.
 * A weight divided by that of j units more is at most r^-j, whatever j, so the law with
 * exactly these weights is epsilon-DP and epsilon^2/8-zCDP (docs/theory-analysts.md, 1).
 * That needs the tail to be constant from where the table ends: it must not fall further
 * at once, neither to 1 nor to 0, and losses must not be shifted by the least that occurs.
 * ln of a probability differs from that of the ideal law, exp(-epsilon x/(2 (steps + draws - 1))),
 * by at most epsilon/steps, as long as its weight is far above the tail's; the charge is epsilon.
 */
#ifndef PA_EXPONENTIAL_H
#define PA_EXPONENTIAL_H

#include <stdint.h>

#include "core/environment.h"
#include "core/random/random.h"

#define PA_EXPONENTIAL_FIRST 62 /* weight[0] = 2^PA_EXPONENTIAL_FIRST */
#define PA_EXPONENTIAL_ENTRIES (1 << 21)	/* a table is not longer: below epsilon = 5e-5 its tail weighs more */
#define PA_EXPONENTIAL_STEPS (INT64_C(1) << 24)
#define PA_EXPONENTIAL_DRAWS (1 << 16)
#define PA_EXPONENTIAL_LEAST 0x1p-40	/* range of epsilon */
#define PA_EXPONENTIAL_MOST 1e5

typedef struct PaExponential
{
	double		epsilon;		/* of one draw */
	int64_t		steps;			/* units by which one owner changes a loss, at most */
	int32_t		draws;			/* among which one owner may be divided */
	int32_t		entries;
	uint64_t   *weight;			/* falling; the last one is that of all larger losses */
} PaExponential;

/* ceil(128 epsilon): how finely losses are told apart unless a caller says otherwise.  epsilon in its range */
extern int64_t pa_exponential_steps(double epsilon);

/*
 * epsilon in its range, steps in [1, PA_EXPONENTIAL_STEPS], epsilon/(2 steps) at most 1, draws in
 * [1, PA_EXPONENTIAL_DRAWS]; PA_INVALID otherwise; PA_NO_MEMORY.  At most 44 * 2 (steps + draws - 1)/epsilon entries of 8 bytes, about
 * 11000 for default steps and epsilon >= 1/128.  What is allocated follows from
 * these arguments alone.
 */
extern PaStatus pa_exponential_make(double epsilon, int64_t steps, int32_t draws,
									const PaEnvironment *environment, PaExponential *mechanism);
extern void pa_exponential_free(PaExponential *mechanism, const PaEnvironment *environment);

/*
 * Units that the loss reaches with probability at most beta, if one candidate of
 * "candidates" has a loss below one unit: the least k with candidates weight[k] <= beta weight[0].
 * candidates >= 1, 0 < beta < 1; PA_NO_SOLUTION if the tail weighs more than that.
 */
extern PaStatus pa_exponential_reach(const PaExponential *mechanism, double candidates, double beta, int32_t *units);

/*
 * rho of one draw: epsilon^2/8, rounded up (bounded range; Cesar, Rogers 2021), or epsilon if that is less,
 * since no Renyi divergence is above epsilon.  epsilon >= 0
 */
extern double pa_exponential_rho(double epsilon);

/*
 * The Kullback-Leibler divergence that two laws with log ratios in an interval of length
 * epsilon can have, ln((e^epsilon - 1)/epsilon) - 1 + epsilon/(e^epsilon - 1), attained by laws on two
 * points: rho of a mechanism of which only epsilon is known cannot be less.  epsilon >= 0
 */
extern double pa_exponential_rho_attained(double epsilon);

/* The largest epsilon whose pa_exponential_rho is at most rho.  rho > 0 */
extern double pa_exponential_epsilon(double rho);

#endif							/* PA_EXPONENTIAL_H */
