/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * combine.h
 *		Least squares where every answer is the sum of some of many cells.
 *
 * Cells that no chain of answers connects have nothing to say of each other, so each
 * connected part is a problem of its own (least_squares.h), most often a small one.
 */
#ifndef PA_COMBINE_H
#define PA_COMBINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/environment.h"

/* Sums of cells: number i is that of cell[start[i]], ..., cell[start[i + 1] - 1], no two the same. */
typedef struct PaSums
{
	int			count;
	const int32_t *start;		/* [count + 1], from 0 on */
	const int32_t *cell;
} PaSums;

typedef struct PaCombined
{
	bool	   *estimable;		/* [targets] */
	double	   *weight;			/* [targets][answers]; 0 if not estimable */
	int32_t    *missing;		/* [targets]: if not estimable, a cell without which it is not; else -1 */
} PaCombined;

/*
 * The best linear unbiased estimate of each target, which is a sum of cells like the answers.
 * variance: [answers], finite and > 0.  PA_OUT_OF_RANGE if it is too much work, PA_NO_SOLUTION as
 * pa_least_squares; PA_INVALID, PA_NO_MEMORY, PA_INTERRUPTED.
 */
extern PaStatus pa_combine(const PaSums *answers, const double *variance, int32_t cells, const PaSums *targets,
						   const PaEnvironment *environment, PaCombined *combined);

#endif							/* PA_COMBINE_H */
