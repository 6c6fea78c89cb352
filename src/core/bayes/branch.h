/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch.h
 *		Branch and bound for the largest minus the smallest log-likelihood over a box.
 *
 * Both ends are searched at once, as maxima of two sums, best node first, until
 * the goal is decided.  At any moment
 *
 *	 least <= max of the sum <= most,	most = max of (bounds of open nodes, of what was put aside)
 *
 * hold for either end, with margins for rounding; stopping early is therefore safe.
 */
#ifndef PA_BRANCH_H
#define PA_BRANCH_H

#include "core/bayes/branch_sum.h"

typedef struct PaSearchGoal
{
	double		gap;			/* done once most - least of the loss is at most this */
	double		accept;			/* done once most is at most this; -INFINITY if that is of no interest */
	double		reject;			/* done once least is above; INFINITY likewise */
	long		nodes;			/* boxes that may be bounded, both ends together; 0: local search only */
} PaSearchGoal;

typedef struct PaSearchEnd
{
	double		least;			/* attained at x, rounded down */
	double		most;			/* certified, rounded up */
	double		x[PA_REGRESSION_DIMENSIONS];
} PaSearchEnd;

typedef struct PaSearch
{
	PaSearchEnd max;			/* of the log-likelihood */
	PaSearchEnd min;			/* of minus the log-likelihood, so its signs are turned */
	double		least;			/* max.least + min.least, rounded down, and not below 0 */
	double		most;
	long		nodes;
} PaSearch;

/* Valid answers, at least one. */
extern PaStatus pa_branch_search(const PaBox *box, const PaAnswer *const *answers, int n,
								 const PaSearchGoal *goal, const PaEnvironment *environment,
								 PaSearch *search);

#endif							/* PA_BRANCH_H */
