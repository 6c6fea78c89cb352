/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figures.h
 *		Time, and what is said about many runs.
 */
#ifndef FIGURES_H
#define FIGURES_H

/* Seconds of a clock that never goes back. */
extern double seconds_now(void);

/*
 * The share-th quantile, share in [0, 1], with a straight line between
 * neighbours: 0.5 is the usual median.  Sorts the n >= 1 values.
 */
extern double quantile(double *values, int n, double share);

#endif							/* FIGURES_H */
