/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gaussian.h
 *		Influence curves of rows that are jointly Gaussian: an approximation.
 *
 * Rows x ~ N(0, S), of which it is assumed that |x_i| <= bound; the secrets are
 * x_i in [r, r + width] for r in [-bound, bound - width].  For a node i and the
 * set L of the n - b rows with the least |S_ij|,
 *
 *	 x_i | x_L ~ N(mu, sigma^2), |mu| <= M = bound ||S_LL^-1 S_Li||_1,
 *	 a(L) = max over r - min over r of h,
 *	 h(r) = ln Pr[N(M, sigma^2) in [r, r + width]] - ln Pr[N(0, S_ii) in [r, r + width]],
 *
 * and a(b) is the maximum over all nodes.  Among rows of equal |S_ij| both orders
 * are tried.
 *
 * This is no guarantee: x is truncated to the bound but its law is taken as if it
 * were not, and h is searched on a grid.  Whoever shows such a curve must say
 * so.  For a guarantee bin the values, and take a chain or a table.
 *
 * Source: "Composition for Pufferfish Privacy", Example 4 and Theorem 6.5, with
 * all nodes and the exact range of the conditional mean.
 */
#ifndef PA_GAUSSIAN_CURVE_H
#define PA_GAUSSIAN_CURVE_H

#include "core/pufferfish/curve.h"

#define PA_GAUSSIAN_ROWS 128

typedef struct PaGaussianRows
{
	int			rows;			/* n, 1 to PA_GAUSSIAN_ROWS */
	const double *covariance;	/* S at [i * n + j] */
	double		bound;			/* gamma > 0 */
	double		width;			/* delta, 0 < delta <= bound */
} PaGaussianRows;

/* PA_FAULT_ENTRY (not finite), _SYMMETRY, _INDEFINITE, _CONDITION, _SIZE, _ARGUMENT */
extern PaStatus pa_gaussian_check(const PaGaussianRows *rows, const PaEnvironment *environment, PaFault *fault);

/* point[b - 1] for b = 1..rows */
extern PaStatus pa_gaussian_curve(const PaGaussianRows *rows, const PaEnvironment *environment,
								  PaInfluence *point, PaFault *fault);

/* The same of one node, from 0, in the paper's manner (its centre is the one at ceil(n/2) from 1) */
extern PaStatus pa_gaussian_node(const PaGaussianRows *rows, int node, const PaEnvironment *environment,
								 PaInfluence *point, PaFault *fault);

#endif							/* PA_GAUSSIAN_CURVE_H */
