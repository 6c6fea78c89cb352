/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pac.h
 *		From estimates that are robust to ones that are private.
 *
 * An estimate is alpha-PAC-robust with probability 1 - gamma if on whatever input it is within alpha of
 * the truth but for a probability of gamma ("Bridging Privacy and Robustness for Trustworthy
 * Machine Learning", Definition IV.6).  docs/theory-local.md has the proofs.  Rounded up; NAN
 * for numbers out of range.
 */
#ifndef PA_PAC_H
#define PA_PAC_H

/* An estimate in one dimension with Laplace noise of that scale. */
typedef struct PaPacPrivate
{
	double		scale;
	double		delta;			/* it is (epsilon, delta)-LDP */
	double		alpha;			/* and alpha-PAC-robust */
	double		gamma;			/* with probability 1 - gamma */
} PaPacPrivate;

/*
 * Of an estimate that is alpha-PAC-robust with probability 1 - gamma; the noise is beyond the
 * part that alpha grows by with probability beta.  alpha, epsilon > 0, 0 <= gamma < 1, 0 < beta < 1
 */
extern PaPacPrivate pa_pac_private(double alpha, double gamma, double epsilon, double beta);

/*
 * The least share of n inputs that an estimate must bear being changed, staying within alpha of the truth, so
 * that it can be made epsilon-DP at the cost of alpha0 more: by the exponential mechanism, whose
 * result is further off with probability at most beta/2 beyond the estimate's own.  The result lies in a ball of
 * the radius ratio alpha0 in so many dimensions.  Above 1: it cannot be.
 */
extern double pa_pac_share(double epsilon, double n, double beta, double ratio, double dimensions);

#endif							/* PA_PAC_H */
