/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recycle.h
 *		Budget recycling: the best q for a scale, the best scale and q.
 *
 * Everything by the exact profile (THEOREM: delta is convex in lam, so where
 * the plain kernel meets (epsilon, delta) the valid lam are an interval that
 * ends at 1).  Never by the paper's accounting, which breaks delta.
 */
#ifndef PA_RECYCLE_H
#define PA_RECYCLE_H

#include "core/noise/law.h"

/*
 * The recycled law of the given base with the least lam, hence the largest q
 * and acceptance, whose profile at shift is at most delta; lam is rounded up.
 * q = 0 (keep = 1) is a result.  PA_NO_SOLUTION if the plain base does not
 * meet (epsilon, delta), or PA_INVALID.  Rounds are accepted with at least
 * least_round, 0 < least_round < 1 (lam is raised where they would not).
 */
extern PaStatus pa_recycle_at(PaShape shape, PaSpace space, double scale, double band, double shift,
							  double epsilon, double delta, double least_round, PaLaw *law);

/* The same under rho-zCDP of one coordinate, rho > 0. */
extern PaStatus pa_recycle_at_rho(PaShape shape, PaSpace space, double scale, double band, double shift,
								  double rho, double least_round, PaLaw *law);

/*
 * The base scale, not below the plain calibration's, and q with the greatest
 * acceptance.  delta = 0 is allowed for Laplace (then by pa_recycle_pure's
 * rule).  Finds the maximum over a grid of scales, then refines: no
 * unimodality is assumed beyond the grid's spacing.
 */
extern PaStatus pa_recycle_best(PaShape shape, PaSpace space, double band, double shift,
								double epsilon, double delta, double least_round, PaLaw *law);

/* The same under rho-zCDP of one coordinate. */
extern PaStatus pa_recycle_best_rho(PaShape shape, PaSpace space, double band, double shift,
									double rho, double least_round, PaLaw *law);

/*
 * BR-Laplace in closed form, pure epsilon-DP, on the line: with r = theta/D,
 * epsilon_y = -ln(1-r)/r if r < 1 and that is below epsilon, else epsilon and
 * q = 0; b = D/epsilon_y, 1 - q = exp(-(epsilon - epsilon_y)).
 */
typedef struct PaPureRecycler
{
	double		epsilon_y;
	double		b;
	double		keep;			/* 1 - q */
	double		acceptance;
} PaPureRecycler;

extern PaStatus pa_recycle_pure(double theta, double sensitivity, double epsilon, PaPureRecycler *out);

#endif							/* PA_RECYCLE_H */
