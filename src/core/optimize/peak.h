/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * peak.h
 *		The greatest value of a function that is dear to evaluate.
 */
#ifndef PA_PEAK_H
#define PA_PEAK_H

#include "core/optimize/root.h"

typedef struct PaPeakSearch
{
	int			points;			/* of the grid, equally spaced in ln x, both ends included; from 3 to 64 */
	int			peaks;			/* local maxima of the grid that are refined */
	double		close;			/* relative width at which refining ends */
} PaPeakSearch;

/*
 * The best x seen in [low, high], 0 < low < high.  -INFINITY says that x is not
 * allowed; returns the value of the best, -INFINITY if none is allowed.
 */
extern double pa_peak(PaFunction f, void *context, double low, double high,
					  const PaPeakSearch *search, double *x);

#endif							/* PA_PEAK_H */
