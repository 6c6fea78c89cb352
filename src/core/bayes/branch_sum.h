/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch_sum.h
 *		A sum of terms over a box: what is to be maximised.
 *
 * Answers and a box give two sums, the log-likelihood and its negative.  Every
 * bound computed from a sum carries a margin for rounding, with n terms in d
 * dimensions
 *
 *	 error x (sum of (1 + eps_i) + sum of s_i scale_i),	error = 4 (n + d + 16) 2^-53
 *
 * s_i the slope of the tangent of term i (with a multiplier m_i, branch_program.h:
 * that slope + |m_i|).  It covers, in units of 2^-53: values of
 * terms and envelopes (8 + eps_i each, five of them), products with w_i (16), the
 * sums over terms and coordinates (2n + d), and once more 2n for the gradient by
 * which a box is cut.
 */
#ifndef PA_BRANCH_SUM_H
#define PA_BRANCH_SUM_H

#include "core/bayes/term.h"
#include "core/environment.h"

/* Numbers of a sum stay below, so that no product of two overflows. */
#define PA_SUM_LIMIT 1e100

typedef struct PaBox
{
	int			dimensions;		/* 1 to PA_REGRESSION_DIMENSIONS */
	const double *low;
	const double *high;
} PaBox;

typedef struct PaAnswer
{
	PaRegression	query;
	int			output;			/* 0 or 1 */
} PaAnswer;

typedef struct PaSum
{
	int			terms;
	int			dimensions;
	PaTerm	   *term;
	double	   *theta;			/* w_i = theta_i.x + constant_i, row after row */
	double	   *constant;
	double	   *scale;			/* |constant_i| + sum of |theta_ij x_j| at most, over the box */
	double		offset;			/* to add to the terms */
	double		error;
	double		level;			/* sum of 1 + epsilon_i: what values of terms are made of */
} PaSum;

/* Whether all is finite, in range, and below PA_SUM_LIMIT. */
extern bool pa_box_valid(const PaBox *box);
extern bool pa_answer_valid(const PaAnswer *answer, const PaBox *box);

/* The log-likelihood of valid answers, or its negative; one block.  NULL if there is no memory. */
extern PaSum *pa_sum_make(const PaBox *box, const PaAnswer *const *answers, int n, bool minus,
						  const PaEnvironment *environment);

/* The range of w_i over a box within the sum's, rounded outwards. */
extern void pa_sum_range(const PaSum *sum, int i, const double *low, const double *high,
						 double *least, double *most);

/* The sum of the terms at x without offset, and a bound of its error. */
extern double pa_sum_value(const PaSum *sum, const double *x, double *error);

#endif							/* PA_BRANCH_SUM_H */
