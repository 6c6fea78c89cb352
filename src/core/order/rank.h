/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rank.h
 *		One quantile, or the k-th smallest or largest of the rows, as a cell.
 *
 * A cell y is drawn with probability in proportion to exp(-epsilon d(y)/(2 D)), with whole
 * weights (noise/exponential.h):
 *
 *	 quantile q		d(y) = max(0, F<(y) - q n, q n - F<=(y)),	D = M max(q, 1 - q)
 *	 k-th smallest	d(y) = max(0, F<(y) - k, k - F<=(y)),		D = M
 *	 k-th largest	the same, counted from the other end
 *
 * F<(y) and F<=(y) are the numbers of rows below y and up to y, n that of all, M the most
 * rows of one owner.  epsilon-DP and epsilon^2/8-zCDP for adding or removing an owner (not for
 * replacing one); proof, and why not another loss: docs/theory-analysts.md, 2 and 3.
 *
 * An empty group is answered by the same law, which is uniform then.  The k-th smallest of
 * fewer than k rows is mostly above all of them.  Minimum and maximum are the k-th with a
 * public k, not quantiles 0 and 1, for which everything beyond the rows is as good.
 */
#ifndef PA_RANK_H
#define PA_RANK_H

#include "core/noise/exponential.h"
#include "core/order/cells.h"

#define PA_QUANTILE_DENOMINATOR UINT32_C(1000000000)	/* of decimal q's: nine digits */
#define PA_QUANTILE_DENOMINATORS (UINT32_C(1) << 30)	/* the largest */

typedef enum PaRankKind
{
	PA_RANK_QUANTILE,
	PA_RANK_SMALLEST,
	PA_RANK_LARGEST
} PaRankKind;

typedef struct PaRank
{
	PaRankKind	kind;
	uint32_t	numerator;		/* of a quantile: q = numerator/denominator in [0, 1] */
	uint32_t	denominator;	/* at most PA_QUANTILE_DENOMINATORS */
	int64_t		k;				/* of the others: 1 to PA_CELLS_ROWS */
} PaRank;

/* Each of the cells from "cell" on has this weight. */
typedef void (*PaRankVisit) (void *context, int64_t cell, int64_t cells, uint64_t weight);

/* Over PA_QUANTILE_DENOMINATOR: the nearest of these decimals; PA_INVALID unless q is in [0, 1] */
extern PaStatus pa_quantile_decimal(double q, uint32_t *numerator);

/*
 * ceil((2 M/epsilon) ln(cells/beta)), a public number: an answer below all rows, or above all
 * for the largest, then has a probability of at most beta if there are k rows.  PA_INVALID unless all are positive and beta below 1;
 * PA_OUT_OF_RANGE if it is not below PA_CELLS_ROWS.
 */
extern PaStatus pa_rank_default_k(int32_t owner_rows, double epsilon, int64_t cells, double beta, int64_t *k);

/*
 * Draws a cell.  owner_rows: M, at least 1.  The mechanism's steps are those of M rows.
 * PA_INVALID, PA_NO_RANDOMNESS, PA_INTERRUPTED.  environment may be NULL.  Three passes
 * over the runs, whatever is drawn; allocates nothing.
 */
extern PaStatus pa_rank_draw(const PaCells *data, const PaRank *rank, int32_t owner_rows,
							 const PaExponential *mechanism, PaRandom *random,
							 const PaEnvironment *environment, int64_t *cell);

/* The law that is drawn from: all cells in their order, and the sum of their weights */
extern PaStatus pa_rank_law(const PaCells *data, const PaRank *rank, int32_t owner_rows,
							const PaExponential *mechanism, const PaEnvironment *environment,
							PaRankVisit visit, void *context, PaUint128 *total);

#endif							/* PA_RANK_H */
