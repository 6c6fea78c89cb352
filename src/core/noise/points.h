/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * points.h
 *		Sums over the cells, or the integral over an interval, of a smooth function
 *		by weighted points.
 */
#ifndef PA_POINTS_H
#define PA_POINTS_H

#include "core/noise/base.h"

typedef void (*PaVisit) (void *context, double x, double weight);

/*
 * Between boundaries from < to, both finite.  listed: on the lattice each cell
 * is a point; else Gauss and Legendre's rule with 16 points to a panel, no
 * longer than "panel", and on the lattice the end corrections of a midpoint sum,
 * for which the function must go on smoothly for three cells beyond both ends.
 */
extern void pa_points(PaSpace space, bool listed, double panel, double from, double to,
					  PaVisit visit, void *context);

#endif							/* PA_POINTS_H */
