/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * node.h
 *		One step of the recursion by which several quantiles are drawn.
 *
 * A node has a slice of the rows and those of the quantiles that lie in it, between two
 * quantiles "low" and "high" where its slice was cut (0 and the denominator at the root).  Its
 * own quantile is the one in the middle, which in the slice is q' = (q - low)/(high - low).
 *
 *	 inner node		a sub-cell, p ~ exp(-epsilon |rank - q' n|/(2 M max(q', 1 - q'))); rank: the weight
 *					of the slice below and half its own.  The slice is cut in its middle
 *	 leaf			the only quantile of its node: a cell, by the interval loss of rank.h
 *
 * A row of which a slice has the part w <= 1 changes a loss by at most w max(q', 1 - q').  The
 * parts of a row in the two slices of a cut add up to its part before: so all nodes of one
 * level together cost epsilon, however they follow from each other, with a mechanism whose
 * draws are at least that many: each node rounds its part up to a unit (docs/theory-analysts.md, 4).
 */
#ifndef PA_NODE_H
#define PA_NODE_H

#include "core/order/pick.h"

#define PA_QUANTILES_MOST 255
#define PA_QUANTILES_DEPTH 8	/* floor(log2 PA_QUANTILES_MOST) + 1 */

typedef struct PaQuantiles
{
	const uint32_t *numerator;	/* rising, each in [0, denominator] */
	int			count;			/* 1 to PA_QUANTILES_MOST */
	uint32_t	denominator;	/* 1 to PA_QUANTILE_DENOMINATORS */
} PaQuantiles;

typedef struct PaQuantileNode
{
	PaSlice		slice;
	int			from;			/* its quantiles are from..to - 1; none if these are equal */
	int			to;
	uint32_t	low;
	uint32_t	high;
} PaQuantileNode;

/* rows: pa_cells_count */
extern PaQuantileNode pa_quantile_root(const PaCells *data, int64_t rows, const PaQuantiles *quantiles, uint64_t parts);

/* The quantile that the node answers; it has one at least */
extern int	pa_quantile_own(const PaQuantileNode *node);

/* How its candidates are visited, and their loss */
extern PaSliceWalk pa_quantile_walk(const PaQuantileNode *node);
extern void pa_quantile_loss(const PaQuantileNode *node, const PaQuantiles *quantiles, int32_t owner_rows,
							 const PaExponential *mechanism, PaRankLoss *loss);

/* Both sides of an inner node */
extern void pa_quantile_split(const PaQuantileNode *node, const PaQuantiles *quantiles,
							  const PaStretch *stretch, PaUint128 index,
							  PaQuantileNode *left, PaQuantileNode *right);

#endif							/* PA_NODE_H */
