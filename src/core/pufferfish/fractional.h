/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fractional.h
 *		The largest quotient of two probabilities over a polytope of laws.
 *
 * Unknown are the masses of cells, each between low and high.  Cells of the same
 * block are the values of one law and add up to 1; block -1 takes no part.
 * Constraints: row theta <= right.
 *
 * Multipliers l >= 0 of the constraints prove that N <= r D for all such laws if
 *
 *	 V(r, l) = max over low <= theta <= high, block sums 1, of (N - r D - l row) theta + l right
 *
 * is at most 0, and V is a greedy sum.  Without constraints its root is the exact
 * answer; otherwise GLPK proposes l, from the program of Charnes and Cooper, and
 * the smallest r that V proves is the bound.
 */
#ifndef PA_FRACTIONAL_H
#define PA_FRACTIONAL_H

#include "core/environment.h"

typedef struct PaPolytope
{
	int			cells;
	const double *low;
	const double *high;
	const int  *block;			/* [cell], 0..blocks - 1 or -1 */
	int			blocks;
	int			constraints;
	const double *row;			/* [constraint * cells + cell] */
	const double *right;
} PaPolytope;

/*
 * Whether there is any such law, as far as can be told: PA_NO_SOLUTION if not.
 * low <= high.
 */
extern PaStatus pa_polytope_check(const PaPolytope *polytope, const PaEnvironment *environment);

/*
 * At least the largest (mass of "over")/(mass of "under") over laws that give
 * either any mass; 0 if "over" cannot have any, may be INFINITY.
 */
extern PaStatus pa_fractional_bound(const PaPolytope *polytope, const unsigned char *over,
									const unsigned char *under, const PaEnvironment *environment, double *ratio);

#endif							/* PA_FRACTIONAL_H */
