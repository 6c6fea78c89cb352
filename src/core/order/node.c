/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * node.c
 *		A node of the recursion: its loss, and its two sides.
 */
#include "core/order/node.h"

/* Cuts that one sub-cell can get: one on each level but the last */
static uint32_t
fine_for(int count)
{
	uint32_t	fine = 1;

	while (2 * fine <= (uint32_t) count)
		fine *= 2;
	return fine;
}

PaQuantileNode
pa_quantile_root(const PaCells *data, int64_t rows, const PaQuantiles *quantiles, uint64_t parts)
{
	return (PaQuantileNode)
	{
		pa_slice_whole(data, rows, parts, fine_for(quantiles->count)), 0, quantiles->count,
			0, quantiles->denominator
	};
}

static bool
is_leaf(const PaQuantileNode *node)
{
	return node->to - node->from == 1;
}

int
pa_quantile_own(const PaQuantileNode *node)
{
	return node->from + (node->to - node->from) / 2;
}

PaSliceWalk
pa_quantile_walk(const PaQuantileNode *node)
{
	return is_leaf(node) ? pa_slice_cells : pa_slice_sub_cells;
}

void
pa_quantile_loss(const PaQuantileNode *node, const PaQuantiles *quantiles, int32_t owner_rows,
				 const PaExponential *mechanism, PaRankLoss *loss)
{
	uint32_t	own = quantiles->numerator[pa_quantile_own(node)];
	uint32_t	below = own - node->low;
	uint32_t	above = node->high - own;

	loss->scale = below + above;
	loss->target = (PaInt128) (below * node->slice.weight);
	loss->step_size = (PaUint128) owner_rows * (below > above ? below : above) *
		node->slice.parts * node->slice.fine;
	pa_rank_loss_set(loss, mechanism);
}

void
pa_quantile_split(const PaQuantileNode *node, const PaQuantiles *quantiles, const PaStretch *stretch, PaUint128 index,
				  PaQuantileNode *left, PaQuantileNode *right)
{
	int			own = pa_quantile_own(node);

	*left = *right = *node;
	left->to = own;
	left->high = quantiles->numerator[own];
	right->from = own + 1;
	right->low = quantiles->numerator[own];
	pa_slice_cut(&node->slice, stretch, index, &left->slice, &right->slice);
}
