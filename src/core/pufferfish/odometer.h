/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * odometer.h
 *		The Pufferfish budget, kept as a budget of differential privacy per row.
 *
 * All releases together, with a sum E of epsilons for the change of one row, are
 * one mechanism that is E-DP per row.  So what is spent is
 *
 *	 spent(E) = min over the points of the curve of a + b E,
 *
 * concave and growing, never above the paper's sum, whatever points and
 * however adaptively the releases were chosen (docs/theory-pufferfish.md).  Hence
 * spent(E) <= eps exactly for E <= limit(eps) = max over points with a <= eps of
 * (eps - a)/b: the largest epsilon per row for a wanted eps, the cap E_max of an
 * odometer, and, as limit(spent(E) + x) - E, what "spend x more" buys.
 *
 * Spent is rounded up, limits are rounded down.  PA_INVALID for curves that
 * pa_curve_check refuses, and for negative or infinite amounts.
 */
#ifndef PA_ODOMETER_H
#define PA_ODOMETER_H

#include "core/pufferfish/curve.h"

/* point: that of the curve that decides; left and right are -1 for (0, longest). */
extern PaStatus pa_pufferfish_spent(const PaCurve *curve, double sum, double *spent,
									PaInfluence *point, PaFault *fault);
extern PaStatus pa_pufferfish_limit(const PaCurve *curve, double epsilon, double *sum,
									PaInfluence *point, PaFault *fault);

/* The epsilon per row of a release that raises spent(sum) by "more" */
extern PaStatus pa_pufferfish_needed(const PaCurve *curve, double sum, double more,
									 double *epsilon, PaFault *fault);

/* A release as the paper books it: at the point (a, b), with (epsilon - a)/b per row */
typedef struct PaPufferfishRelease
{
	double		epsilon;		/* nats, > a */
	double		a;
	int64_t		b;
	double		others;			/* how many more there were like it */
} PaPufferfishRelease;

typedef struct PaPufferfishSums
{
	double		naive;			/* of the epsilons */
	double		paper;			/* Theorem 6.2: naive + max a - sum of a */
	double		per_row;		/* E, sum of (epsilon - a)/b */
	double		spent;			/* spent(E) */
} PaPufferfishSums;

/* For comparison: what each way of counting says; 0 releases have spent 0. */
extern PaStatus pa_pufferfish_sums(const PaCurve *curve, const PaPufferfishRelease *release, int releases,
								   PaPufferfishSums *sums, PaFault *fault);

#endif							/* PA_ODOMETER_H */
