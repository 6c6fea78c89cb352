/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid.h
 *		The law of a weighted sum of noises on the whole numbers, and its least width.
 */
#ifndef PA_GRID_H
#define PA_GRID_H

#include "core/environment.h"
#include "core/noise/base.h"

typedef struct PaGridTerm
{
	int			step;			/* >= 0: the term is this times K */
	PaShape		shape;
	double		scale;			/* of N */
	double		block;			/* h: K is Laplace of scale/h, or N/h to nearest for an N that is Gaussian, h odd */
} PaGridTerm;

/* How far a grid goes for sums that Chernoff's bound lets go as far as "bound" */
extern double pa_grid_last(double bound);

/*
 * *width: least w with Pr(|sum| > w) <= alpha, where what is computed may be wrong counts against us;
 * INFINITY if there is none, or if it would be too much work.  bound: by Chernoff.
 * PA_NO_MEMORY, PA_INTERRUPTED.
 */
extern PaStatus pa_grid_width(const PaGridTerm *term, int terms, double bound, double alpha,
							  const PaEnvironment *environment, double *width);

#endif							/* PA_GRID_H */
