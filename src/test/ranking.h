/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ranking.h
 *		Which of two mechanisms finds the k largest counts better, and how well.
 *
 *	 PA_TOPK_EXPONENTIAL	k draws of the exponential mechanism without replacement,
 *							epsilon/k each, a count changing by at most 1
 *	 PA_TOPK_HISTOGRAM		Laplace noise on all counts once; a changed row moves two
 *							of them by 1, so the scale is 2/epsilon
 *
 * Both are epsilon-DP for the change of a row.  For k >= 2 the histogram was better in
 * every configuration tried, and it answers for all k at once; so it is the
 * default of dp_topk there, and the exponential mechanism for k = 1.
 *
 * Draws with weights e^(score/s) without replacement come in the order of scores with
 * independent Gumbel noise of the scale s.  So both are orders of noisy counts, and the
 * law of a rank is an integral in one variable.
 */
#ifndef PA_TEST_RANKING_H
#define PA_TEST_RANKING_H

#include "core/environment.h"
#include "core/pufferfish/fault.h"

#define PA_TOPK_ITEMS 4096

typedef enum PaTopKMechanism
{
	PA_TOPK_EXPONENTIAL,
	PA_TOPK_HISTOGRAM
} PaTopKMechanism;

/* Scale of the noise (Gumbel or Laplace), rounded up; NAN unless epsilon > 0, k >= 1. */
extern double pa_topk_scale(PaTopKMechanism mechanism, int k, double epsilon);

/* Probabilities of the exponential mechanism: e^(epsilon score/(2 sensitivity)), normalised */
extern PaStatus pa_exponential_choice(const double *score, int items, double epsilon, double sensitivity,
									  double *probability, PaFault *fault);

/*
 * chance[rank * items + i]: probability that item i comes at the rank 0..k - 1,
 * within 1e-9, if noise of this scale (not that of pa_topk_scale necessarily) is added.
 */
extern PaStatus pa_topk_chances(PaTopKMechanism mechanism, const double *count, int items, int k, double scale,
								const PaEnvironment *environment, double *chance, PaFault *fault);

/* Expected figures of a ranking; the true one is by count, ties by index. */
typedef struct PaTopKFigures
{
	double		hits;			/* share of the true k among the first k */
	double		ndcg;			/* discounted sum of true counts, of the best possible; 1 if that is 0 */
	double		l1;				/* sum over ranks of |count found - count there| */
} PaTopKFigures;

/* right[rank]: probability that a rank is exactly right; may be NULL */
extern PaStatus pa_topk_figures(const double *count, int items, int k, const double *chance,
								const PaEnvironment *environment, PaTopKFigures *figures, double *right);

#endif							/* PA_TEST_RANKING_H */
