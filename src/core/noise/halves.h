/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halves.h
 *		A law's loss as weighted points, of the half where it is positive.
 *
 * p(D - x) is the shifted law at x, so the loss at D - x is the negative of that
 * at x and what weighs p at x weighs p e^-loss at D - x.  Hence for any sum of p
 * times a function of the loss L
 *		sum p f(L) = sum over x < D/2 of p (f(L) + e^-L f(-L)),
 * which for what vanishes at L = 0 is written without cancellation.
 *
 * On the lattice a narrow law has one point for each cell; else points are Gauss
 * and Legendre's, 16 to a panel, with the end corrections of a midpoint sum.
 */
#ifndef PA_HALVES_H
#define PA_HALVES_H

#include <stdbool.h>

#include "core/noise/law.h"

#define PA_HALVES 1024

/* Relative error of a sum of what is positive and of t loss up to 1 */
#define PA_HALVES_ERROR 1e-11

typedef struct PaHalves
{
	int			n;
	double		mass[PA_HALVES];
	double		loss[PA_HALVES];
	double		most;			/* the largest loss among them */
} PaHalves;

/*
 * False if the law does not lend itself to it (its shift is more than some four
 * scales, or it has too many losses).  any_order tells that points are exact,
 * so that t is not limited.
 */
extern bool pa_halves_make(const PaLaw *law, double shift, PaHalves *halves, bool *any_order);

/* ln of the sum of p e^(t L), t >= 0 */
extern double pa_halves_psi(const PaHalves *halves, double t);

/* The sum of p L */
extern double pa_halves_mean(const PaHalves *halves);

/* The sum of p L^2 e^(t L) */
extern double pa_halves_square(const PaHalves *halves, double t);

/* The second derivative of psi: the variance of L under p e^(t L), to nearest */
extern double pa_halves_variance(const PaHalves *halves, double t);

#endif							/* PA_HALVES_H */
