/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * width.h
 *		Intervals for weighted sums of independent noises.
 *
 * The width w has Pr(|sum a_i N_i| > w) <= alpha for the laws that are drawn, not for a
 * normal approximation of them: it is sound for few terms and in far tails.
 */
#ifndef PA_WIDTH_H
#define PA_WIDTH_H

#include "core/environment.h"
#include "core/noise/base.h"

typedef struct PaPart
{
	double		weight;			/* a_i, finite; |a_i| 0 or 1e-100 to 1e100 */
	PaShape		shape;			/* Laplace or Gaussian, on the whole numbers */
	double		scale;			/* b or sigma in lattice steps, 2^-20 to 2^60 */
	double		excess;			/* >= 0: the law is at most e^excess times the plain one: ln c_in of a recycled law */
} PaPart;

/* The standard deviation of a noise on the whole numbers, in steps; of a Gaussian one, no less than that. */
extern double pa_noise_deviation(PaShape shape, double scale);

/*
 * Chernoff's bound: the least over s of (sum ln E e^(s a_i N_i) + ln(2/alpha))/s, with
 * ln E e^(s N) <= s^2 sigma^2/2 for a discrete Gaussian.  For a single Laplace about twice
 * the exact width, for many terms near to it.  alpha in [1e-12, 1).  0 if all weights are 0.
 * PA_INVALID.
 */
extern PaStatus pa_width_bound(const PaPart *part, int parts, double alpha, double *width);

/* The same of a sum in which each part, independent of the others, is times[i] >= 0 times; without excess. */
extern PaStatus pa_width_bound_of_many(const PaPart *part, const double *times, int parts, double alpha, double *width);

/*
 * The same or less, from the law of the sum.  Where weights are whole numbers and the sum does not
 * have too many values it is the least whole width, but for some 1e-11 in probability that
 * counts against us.  Else terms are brought onto a grid, and what that may be wrong is added: within
 * some percent of the least width for a few terms.  Any number of Gaussian terms with large sigmas
 * have about the normal width.  PA_INVALID, PA_NO_MEMORY, PA_INTERRUPTED.
 */
extern PaStatus pa_width(const PaPart *part, int parts, double alpha, const PaEnvironment *environment, double *width);

#endif							/* PA_WIDTH_H */
