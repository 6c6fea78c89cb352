/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * linear.h
 *		The maximum of a sum of convex terms of linear queries: a corner of the box.
 */
#ifndef PA_LINEAR_H
#define PA_LINEAR_H

#include "core/bayes/branch_sum.h"

/*
 * If every term is a relief that is convex over the box, up to an error which
 * the margin covers, and there are not too many corners: *most is at least the
 * maximum without offset, by no more than 2e-9, and corner is where it is.  *known
 * says whether so.
 */
extern PaStatus pa_linear_corners(const PaSum *sum, const PaBox *box, const PaEnvironment *environment,
								  bool *known, double *most, double *corner);

#endif							/* PA_LINEAR_H */
