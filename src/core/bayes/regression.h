/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * regression.h
 *		The realised loss of answers about a point of a box, and filters on it.
 *
 * The owner's record is a point x of a box, 1 to PA_REGRESSION_DIMENSIONS
 * dimensions.  Each query is a linear form of x, cut to [a, b] or through the
 * logistic function, and answered by one randomised bit (term.h).  The realised
 * loss of answers is log L = max - min over the box of the sum of the logarithms
 * of their probabilities (nats).
 *
 * Every `most` and every loss here is certified: it is at least the exact value,
 * whatever was computed in floating point and wherever a search was stopped.
 * The margin is that of branch_sum.h: about 1e-10 for a hundred queries with
 * coefficients of a few units, and never a reason to accept.  docs/theory-local.md has
 * the proof.
 *
 * Queries out of range (NaN, infinities, a >= b, eps outside (0,
 * PA_REGRESSION_EPSILON], magnitudes from PA_SUM_LIMIT on) are PA_INVALID.
 */
#ifndef PA_REGRESSION_H
#define PA_REGRESSION_H

#include "core/bayes/branch_sum.h"

#define PA_REGRESSION_ANSWERS 100000
#define PA_REGRESSION_NODES 100000	/* a search of a few seconds in 9 dimensions */

typedef struct PaRegressionBounds
{
	double		max_least;		/* the largest log-likelihood is in [max_least, max_most] */
	double		max_most;
	double		min_least;		/* the smallest likewise */
	double		min_most;
	double		loss_least;		/* log L is in [loss_least, loss_most] */
	double		loss_most;
	double		x_max[PA_REGRESSION_DIMENSIONS];	/* where max_least and min_most were seen */
	double		x_min[PA_REGRESSION_DIMENSIONS];
	long		nodes;			/* boxes that were bounded */
} PaRegressionBounds;

/*
 * What is kept of an owner besides the answers.  With groups ("Actual Knowledge
 * Gain", Appendix C) the answers are cut into runs of that many, and the losses of
 * the runs are added; the runs before the last are closed.  {0} is a new owner.
 */
typedef struct PaRegressionState
{
	double		loss;			/* of all answers, certified */
	double		closed_loss;	/* of the closed groups, certified */
	int			closed;			/* how many answers are in them */
} PaRegressionState;

typedef struct PaRegressionRules
{
	double		cap;			/* epsilon of the filter, nats; what central releases took is off */
	bool		simplified;		/* loss + eps of the query instead of the loss after each output */
	int			group;			/* answers in a group; 0: all in one */
	double		gap;			/* how tight closed groups are bounded, >= 0 */
	long		nodes;			/* of one search; 0: no search, the known loss and the query's range decide */
} PaRegressionRules;

typedef enum PaRegressionVerdict
{
	PA_REGRESSION_REJECT,		/* a point shows that the cap could be passed */
	PA_REGRESSION_ACCEPT,		/* certified */
	PA_REGRESSION_UNDETERMINED	/* the node limit came first: to be treated as a rejection */
} PaRegressionVerdict;

typedef struct PaRegressionDecision
{
	PaRegressionVerdict verdict;
	double		worst;			/* certified bound of what the filter compares with the cap; may be loose */
	PaRegressionState after[2]; /* accepted: the state once output 0 or 1 was given */
	long		nodes;
} PaRegressionDecision;

/* The log-likelihood of an output at a point of the box. */
extern PaStatus pa_regression_log_likelihood(const PaBox *box, const PaAnswer *answer, const double *x,
											 double *value);

/* The LDP level of a query, from the exact range of its form over the box; rounded up. */
extern PaStatus pa_regression_level(const PaBox *box, const PaRegression *query, double *level);

/* Bounds with loss_most - loss_least <= gap, or what was reached with the node limit. */
extern PaStatus pa_regression_bounds(const PaBox *box, const PaAnswer *answers, int n, double gap,
									 long nodes, const PaEnvironment *environment,
									 PaRegressionBounds *bounds);

/*
 * May the query be asked?  known is the state after the n answers, and what is
 * screened with: while its loss plus the range of the query's own term is within
 * the cap nothing is searched.  Nothing is changed.
 */
extern PaStatus pa_regression_decide(const PaBox *box, const PaAnswer *answers, int n,
									 const PaRegressionState *known, const PaRegression *query,
									 const PaRegressionRules *rules, const PaEnvironment *environment,
									 PaRegressionDecision *decision);

/* Tightens the loss of a state to within the gap, for an odometer; never raises it. */
extern PaStatus pa_regression_refine(const PaBox *box, const PaAnswer *answers, int n,
									 const PaRegressionRules *rules, const PaEnvironment *environment,
									 PaRegressionState *realised);

#endif							/* PA_REGRESSION_H */
