/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * continuous.h
 *		Continuous Laplace and Gaussian noise in closed form: used to start a
 *		search on the lattice and to compare with the literature, never to
 *		enforce.  sensitivity > 0, scale > 0; NAN for arguments out of range.
 */
#ifndef PA_CONTINUOUS_H
#define PA_CONTINUOUS_H

#include "core/status.h"

/* delta(epsilon) of one shift by the sensitivity; any finite epsilon */
extern double pa_laplace_profile(double b, double sensitivity, double epsilon);
extern double pa_gaussian_profile(double sigma, double sensitivity, double epsilon);

/* Smallest b with delta(epsilon) <= delta: sensitivity / (epsilon - 2 ln(1 - delta)) */
extern PaStatus pa_laplace_scale(double epsilon, double delta, double sensitivity, double *b);

/* Smallest sigma with delta(epsilon) <= delta (analytic Gaussian, Balle and Wang 2018) */
extern PaStatus pa_gaussian_sigma(double epsilon, double delta, double sensitivity, double *sigma);

#endif							/* PA_CONTINUOUS_H */
