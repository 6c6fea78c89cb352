/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * estimate.h
 *		What the answers of many owners say about the truth, with error bars.
 *
 * n owners answered, each by the same randomiser, each with a value of their
 * own.  Estimates are of the values of these n owners, nobody else; what
 * varies is the randomisers' draws, given the values.
 *
 * value is unbiased.  error is a standard error; its square is on average at
 * least 1 - 1/n of the variance: pi (1 - pi) covers the mean variance of n
 * unequal coins.  low..high holds the truth with about the given confidence:
 * Wilson's interval with continuity correction for the frequency, which is
 * conservative for equal coins and more so for unequal ones; for additive
 * noise the normal one.  Intervals are clipped to what is possible; values are
 * not, for they would lose their unbiasedness.
 */
#ifndef PA_ESTIMATE_H
#define PA_ESTIMATE_H

#include <stdint.h>

#include "core/bayes/randomiser.h"

typedef struct PaLocalEstimate
{
	double		value;
	double		error;			/* standard error */
	double		low;
	double		high;
} PaLocalEstimate;

/* All are PA_INVALID unless 1 <= n < 2^52, hits <= n and 0 < confidence < 1. */

/*
 * Mean of the values, of `hits` outputs "high" among n:
 * low + (high - low)(pi - flip)/(1 - 2 flip), pi = hits/n
 */
extern PaStatus pa_estimate_mean(const PaBinary *binary, uint64_t hits, uint64_t n,
								 double confidence, PaLocalEstimate *mean);

/*
 * Probability that the estimate of the mean from n answers is off by alpha > 0 or
 * more, at most, whatever the values are (Hoeffding 1963: the bits are
 * independent); NAN for n or alpha out of range.  A PAC bound: (alpha, beta).
 */
extern double pa_estimate_miss(const PaBinary *binary, uint64_t n, double alpha);

/*
 * The least alpha that is missed with probability at most beta in (0, 1) by that bound, and the least
 * number of owners for which alpha is; rounded up.  NAN if out of range.
 */
extern double pa_estimate_reach(const PaBinary *binary, uint64_t n, double beta);
extern double pa_estimate_owners(const PaBinary *binary, double alpha, double beta);

/* Their sum: n times that.  A count of owners is the sum for low = 0, high = 1. */
extern PaStatus pa_estimate_sum(const PaBinary *binary, uint64_t hits, uint64_t n,
								double confidence, PaLocalEstimate *sum);

/*
 * Number of owners of a category that `hits` answered:
 * (hits - n lie/k)/(1 - lie)
 */
extern PaStatus pa_estimate_category(const PaResponse *response, uint64_t hits, uint64_t n,
									 double confidence, PaLocalEstimate *count);

/*
 * Sum of the values (in steps) of n owners from the sum of their noised answers;
 * variance is of one owner's noise, from pa_additive_variance.
 */
extern PaStatus pa_estimate_additive(const PaAdditive *additive, double variance, double total, uint64_t n,
									 double confidence, PaLocalEstimate *sum);

/* An estimate of a sum (count) as one of the mean (share) of n. */
extern PaLocalEstimate pa_estimate_per_owner(PaLocalEstimate sum, uint64_t n);

/*
 * Variance of the noise in steps squared, rounded up, by at most a relative 1e-3.
 * Some thousand tails: compute it once per question.
 */
extern double pa_additive_variance(const PaAdditive *additive);

#endif							/* PA_ESTIMATE_H */
