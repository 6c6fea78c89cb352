/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * least_squares.h
 *		What answers that were paid for say about other questions.
 *
 * Cells c are unknown; answers y = X c + noise are known, with independent noise of
 * known variances.  A target t'c is estimated by sum a_i y_i, where a has the least
 * variance sum a_i^2 v_i among all weights with X'a = t: the best linear unbiased
 * estimate.  Nothing is random here and no row is read: it is free.
 *
 * Which answers may be put together is up to the caller: all must be about the same
 * bounded vector c (docs/theory-derived.md), each noise must appear once, and where two
 * answers share a noise they are one.
 */
#ifndef PA_LEAST_SQUARES_H
#define PA_LEAST_SQUARES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/environment.h"

typedef struct PaAnswers
{
	int			answers;
	int			cells;			/* 1 to 2^15 */
	const int64_t *query;		/* [answers][cells]: X, each between -2^53 and 2^53 */
	const double *variance;		/* [answers]: finite, >= 0; 0 is exact */
} PaAnswers;

typedef struct PaEstimates
{
	bool	   *estimable;		/* [targets]: decided with whole numbers, not by a threshold */
	double	   *variance;		/* [targets]; INFINITY if not estimable */
	double	   *weight;			/* [targets][answers]: a; 0 if not estimable */
	bool	   *missing;		/* [targets][cells] or NULL: if these were known as well it would be estimable */
} PaEstimates;

/*
 * target: [targets][cells], whole numbers as those of queries.  Exact answers that repeat what
 * others say are not used, so if they contradict each other the first ones count.
 *
 * The weights are computed in double, and every condition X'a = t is then verified to 1e-9
 * of the target's largest part; what fails has the status PA_NO_SOLUTION, as with variances that are
 * too far apart.  What estimates hold means nothing unless PA_OK.  Work: answers times cells squared.  PA_INVALID, PA_NO_MEMORY, PA_INTERRUPTED.
 */
extern PaStatus pa_least_squares(const PaAnswers *answers, const int64_t *target, int targets,
								 const PaEnvironment *environment, PaEstimates *estimates);

/* sum of weight[i] released[i] */
extern double pa_weighted_sum(const double *weight, const double *released, int answers);

#endif							/* PA_LEAST_SQUARES_H */
