/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stop.h
 *		How far to refine a number until its relative error is small enough.
 *
 * Everything here is about public levels and numbers that were released: whether to go on is
 * never decided by a row.
 */
#ifndef PA_STOP_H
#define PA_STOP_H

#include "core/refine/gradual.h"

/*
 * Levels from low to high (0 < low <= high), each "factor" (1.01 to 16) times the one before, the
 * last one exactly high.  Returns how many were written, or 0 for what is out of range or more
 * than "most".  What is charged exceeds what would have been enough by at most the factor.
 */
extern int	pa_stop_levels(double low, double high, double factor, int most, double *level);

/*
 * width[t]: least whole number that |noise of level t| exceeds with probability at most
 * miss/levels, so that the interval at the level where one stops, however that is chosen, misses
 * with probability at most "miss" in (0, 1).  PA_INVALID.
 */
extern PaStatus pa_stop_widths(const PaGradual *gradual, double miss, int64_t *width);

/* Whether a released number with an interval of that half width is within share max(|released|, floor). */
extern bool pa_stop_reached(double released, double width, double share, double floor);

/*
 * Independent releases of one number with Gaussian noise, each of its rho: the estimate
 * weighs them by rho, and has variance sensitivity^2/(2 sum of rho), that of one release of the sum.
 * rho > 0, at least one.  PA_INVALID.
 */
extern PaStatus pa_combine_gaussian(const double *released, const double *rho, int releases, double sensitivity,
									double *estimate, double *variance);

#endif							/* PA_STOP_H */
