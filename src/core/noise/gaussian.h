/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gaussian.h
 *		Masses of a bell exp(-(x - centre)^2/(2 sigma^2)) between boundaries, with
 *		the exponent kept apart: what base.c makes Gaussian laws of.
 */
#ifndef PA_GAUSSIAN_H
#define PA_GAUSSIAN_H

#include "core/noise/base.h"

/*
 * factor exp(-(point - centre)^2/(2 sigma^2)): a sum over whole numbers, or an
 * integral divided by sigma.  factor >= 0; it neither over- nor underflows where
 * the mass, without the exponential, does not.
 */
typedef struct PaBell
{
	double		factor;
	double		point;
} PaBell;

/*
 * Mass between from and to (as in base.h, infinite ones included) of the bell
 * around any centre; relative error of the factor below 32 DBL_EPSILON.
 */
extern PaBell pa_bell_mass(const PaBase *base, double centre, double from, double to);

/* exp(tilt - (x/sigma)^2/2), the exponent as the sum of two doubles */
extern double pa_bell_exp(double x, double sigma, PaLoss tilt);

/* 1/sum of the bell around 0, as PaBell counts */
extern double pa_bell_norm(const PaBase *base);

/* p(0) of the law */
extern double pa_bell_peak(PaSpace space, double sigma);

#endif							/* PA_GAUSSIAN_H */
