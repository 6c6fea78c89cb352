/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accuracy.h
 *		What order statistics cost, and how far they are off: both before any row is read.
 *
 * Errors are in ranks, that is rows: how many rows would have to come or go until the answer
 * is the quantile that was asked for.  How far off the value is depends on the rows, and is
 * nowhere said.  All of it follows from public numbers.
 */
#ifndef PA_ACCURACY_H
#define PA_ACCURACY_H

#include "core/order/quantiles.h"

/* What is charged for a draw of so many quantiles, or for one order statistic (1) */
typedef struct PaOrderCost
{
	int			depth;			/* levels, each a draw of the mechanism's epsilon */
	double		epsilon;		/* depth epsilon, rounded up */
	double		rho;			/* depth epsilon^2/8, rounded up */
} PaOrderCost;

/* epsilon: of one level, > 0; quantiles >= 1 */
extern PaOrderCost pa_order_cost(int quantiles, double epsilon);

/* The largest epsilon of one level with which all cost at most that much */
extern double pa_order_level_of_epsilon(int quantiles, double epsilon);
extern double pa_order_level_of_rho(int quantiles, double rho);

typedef struct PaRankError
{
	double		certain;		/* holds for whatever rows with probability 1 - beta; INFINITY if nothing does */
	double		dense;			/* the same where rows lie dense on the lattice: no promise, and much less */
} PaRankError;

/* 0 < beta < 1; PA_INVALID as pa_rank_draw */
extern PaStatus pa_rank_error(const PaRank *rank, int32_t owner_rows, const PaExponential *mechanism, int64_t cells,
							  double beta, PaRankError *error);

/*
 * error[0..count - 1].  What is certain holds for all quantiles at once, and what is said of dense
 * rows for each of them.  If one cell has more than parts/steps rows, what is
 * certain is larger by up to that number of rows over 2 parts, on each level.
 */
extern PaStatus pa_quantiles_error(const PaQuantiles *quantiles, int32_t owner_rows, uint64_t parts,
								   const PaExponential *mechanism, int64_t cells, double beta, PaRankError *error);

#endif							/* PA_ACCURACY_H */
