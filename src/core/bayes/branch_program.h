/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch_program.h
 *		Upper bounds of a sum of terms over part of a box by linear programs.
 *
 * The part is where each form w_i = theta_i.x + c_i lies in an interval as well.
 * GLPK maximises tangents of the envelopes on these intervals; of its solution only
 * the multipliers s_i of w_i = theta_i.x + c_i are used.  Whatever they are,
 *
 *	 sum of term_i(w_i) <= sum of (sup over the interval of (envelope_i(w) - s_i w) + s_i c_i)
 *		+ sum over j of max(g_j l_j, g_j u_j),	g_j = sum of s_i theta_ij
 *
 * on that part, so GLPK is trusted for nothing but usefulness.  Its memory is its own,
 * and its failures of any kind only mean that there is no bound.
 */
#ifndef PA_BRANCH_PROGRAM_H
#define PA_BRANCH_PROGRAM_H

#include "core/bayes/branch_sum.h"
#include "core/bayes/envelope.h"

typedef struct PaProgram PaProgram;

/* What a bound is about, and what it was; vectors of `terms` and `dimensions` numbers. */
typedef struct PaRelaxation
{
	const PaSum *sum;
	int			side;			/* 0 or 1: which of two sums; one linear program for each */
	const double *low;			/* the box */
	const double *high;
	const PaEnvelope *envelope; /* on the intervals of the forms */
	double	   *x;				/* a guess; then the best point of the program */
	double	   *w;				/* forms there, put back into their intervals */
	double	   *slope;			/* s_i */
	double	   *tangent;		/* of the tangent that the supremum was computed with */
	double	   *gradient;		/* g_j */
	double		bound;			/* with its margin */
	double		value;			/* of the envelopes at x */
	double		plain;			/* of the terms */
} PaRelaxation;

/* For two sums with as many terms and dimensions; NULL if there is no memory. */
extern PaProgram *pa_program_make(int terms, int dimensions, const PaEnvironment *environment);
extern void pa_program_free(PaProgram *program);

/*
 * Bounds; ends early once the bound is <= floor or within close of the best.  False if
 * GLPK failed: then there is no bound, and x is as it was.
 */
extern bool pa_program_bound(PaProgram *program, PaRelaxation *relaxation, double floor, double close);

/*
 * Whether the bound is near enough to the value at x for what is to be gained by
 * splitting: a better solution would not help much.
 */
extern bool pa_relaxation_exact(const PaRelaxation *relaxation, double close);

#endif							/* PA_BRANCH_PROGRAM_H */
