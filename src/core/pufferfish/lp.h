/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lp.h
 *		A linear program, by GLPK: a proposal, never a proof.
 *
 *	 minimise cost x	subject to	row x <= right (the first "least" rows),
 *									row x = right (the rest),	x >= 0
 *
 * Callers prove what they need from the point or from the multipliers by
 * arithmetic of their own; a wrong solution must not make a wrong guarantee.
 * GLPK's aborts are caught, and interrupts are seen between slices of its time.
 */
#ifndef PA_LP_H
#define PA_LP_H

#include "core/environment.h"

#define PA_LP_CELLS 0x400000	/* most columns times rows */

typedef struct PaLp
{
	int			columns;
	int			rows;
	int			least;
	const double *cost;			/* [column] */
	const double *row;			/* [row * columns + column] */
	const double *right;		/* [row] */
} PaLp;

/*
 * x[column] and multiplier[row] (either may be NULL).  Multipliers are those of the
 * Lagrangian cost x + sum of multiplier (row x - right): >= 0 for the first rows.
 * PA_NO_SOLUTION: infeasible, unbounded or not solved, which *infeasible tells
 * apart if it is not NULL; PA_INVALID if it is too large.
 */
extern PaStatus pa_lp_solve(const PaLp *lp, const PaEnvironment *environment,
							double *x, double *multiplier, bool *infeasible);

#endif							/* PA_LP_H */
