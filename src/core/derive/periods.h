/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * periods.h
 *		Running totals of counts by period: how exact each way to release them is.
 *
 * An owner counts once in one period, and variances are in units of 1/(2 rho), the variance of
 * Gaussian noise of that cost for a number that changes by 1.  The square root of the matrix
 * of running totals is lower triangular with equal diagonals f_0 = 1, f_k = f_(k-1) (1 - 1/(2 k)):
 * its product with the counts is released with noise, and its product with that are the totals.
 */
#ifndef PA_PERIODS_H
#define PA_PERIODS_H

#include "core/status.h"

#define PA_MOST_PERIODS 4096

typedef enum PaPeriodWay
{
	PA_PERIOD_ROOT,				/* the square root of the matrix */
	PA_PERIOD_TREE,				/* counts of blocks of 2^j periods, those of a total added up */
	PA_PERIOD_BELOW,			/* the same, a block's count combined with those below it (Honaker 2015) */
	PA_PERIOD_EACH				/* noise for each period, added up */
} PaPeriodWay;

typedef struct PaPeriodError
{
	double		change;			/* squared l2 change by one owner: what the variance is multiplied by */
	double		most;			/* variance of the worst total */
	double		mean;			/* of all totals */
	double		single;			/* of the worst count of one period, from differences; NAN but for the root */
} PaPeriodError;

/* 1 <= periods <= PA_MOST_PERIODS, else PA_INVALID */
extern PaStatus pa_period_error(PaPeriodWay way, int periods, PaPeriodError *error);

/*
 * The squared l2 change of the root's product by an owner who counts once in each of the first
 * "times" periods that are "gap" apart (as many as there are), which is the worst choice of so many
 * at least so far apart.  Each argument is at least 1.  PA_INVALID.
 */
extern PaStatus pa_period_change(int periods, int times, int gap, double *change);

#endif							/* PA_PERIODS_H */
