/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch_climb.h
 *		Upper bounds of a sum of terms over a box by concave maximisation; and good points.
 *
 * With an envelope e_i above each term, tangents of slopes s_i at any w_i give
 *
 *	 sum of term_i(theta_i.x + c_i) <=
 *		sum of (support_i + s_i c_i) + sum over j of max(g_j l_j, g_j u_j)
 *
 * for all x in the box, g_j = sum of s_i theta_ij: a bound whatever led to the
 * slopes.  With its margin it holds exactly.  The climb is Newton's method on
 * the sum of the envelopes (corners rounded off, ever less), each step a quadratic
 * programme in the box and a line search; it keeps the least bound that it met.
 */
#ifndef PA_BRANCH_CLIMB_H
#define PA_BRANCH_CLIMB_H

#include "core/bayes/branch_sum.h"
#include "core/bayes/envelope.h"

typedef struct PaClimb
{
	const PaSum *sum;
	const double *low;			/* the box of the climb */
	const double *high;
	PaEnvelope *envelope;		/* of each term, on any interval; to be filled by the caller */
	double	   *x;				/* where it starts, then where it ended */
	double		value;			/* there, of what was climbed */
	double		bound;			/* the least bound, with its margin */
	double	   *bound_gradient; /* g of that bound */
	bool		plain;			/* climb the terms themselves: no bound */
	double	   *slope;			/* the rest is workspace */
	double	   *curvature;
	double	   *gradient;
	double	   *step;
	double	   *trial;
	double	   *matrix;
	double	   *factor;
	double	   *right;
	double		dual;
} PaClimb;

/* Room for sums of so many terms; NULL if there is no memory. */
extern PaClimb *pa_climb_make(int terms, int dimensions, const PaEnvironment *environment);

/*
 * Bounds the sum on the part of the box where all forms are in their envelopes' intervals;
 * ends early once the bound is <= floor or within close of the best.  Beyond the
 * intervals envelopes go on as tangents, so x may end there.
 */
extern void pa_climb_bound(PaClimb *climb, const PaSum *sum, const double *low, const double *high,
						   double floor, double close);

/* Climbs the terms themselves from climb->x to a local maximum, more or less. */
extern void pa_climb_plain(PaClimb *climb, const PaSum *sum, const double *low, const double *high);

#endif							/* PA_BRANCH_CLIMB_H */
