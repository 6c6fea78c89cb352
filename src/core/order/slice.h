/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slice.h
 *		Part of a sorted multiset of cells, and its candidates with their whole weights.
 *
 * Every cell is "parts" sub-cells of equal weight.  A slice is a stretch of sub-cells, of
 * which the first and the last may be halves, quarters and so on: where a slice is cut, the
 * sub-cell of the cut goes to both sides with half its weight, and so each row of that cell
 * goes partly left and partly right.  Weight is counted in whole numbers, of which a row has
 * parts * fine; fine is a power of two, 2 for each cut that one sub-cell can get.
 *
 * The loss of a sub-cell is |scale rank - target|, its rank being the weight below its middle;
 * that of a cell is how far the target is from the interval of its scaled ranks.
 *
 * Candidates are visited in stretches that weigh alike, each in a fixed order of public form.
 * What is visited is all there is: nobody stops at a candidate that was drawn.
 */
#ifndef PA_SLICE_H
#define PA_SLICE_H

#include "core/order/cells.h"
#include "core/order/rank_loss.h"

typedef struct PaSubCell
{
	int64_t		cell;
	uint64_t	part;			/* 0 to parts - 1 */
	PaUint128	weight;			/* of what is left of it; only at an edge of a slice is that not all */
} PaSubCell;

typedef struct PaSlice
{
	const PaCells *data;
	size_t		low;			/* runs low..high - 1 are in cells from first.cell to last.cell */
	size_t		high;
	uint64_t	parts;
	uint32_t	fine;
	PaSubCell	first;
	PaSubCell	last;			/* equal to first if that is all */
	PaUint128	weight;			/* of the whole slice */
} PaSlice;

/* Candidates of one weight.  They are sub-cells first, first + way, ...; or whole cells if way is 0 */
typedef struct PaStretch
{
	int64_t		cell;			/* of the first */
	uint64_t	part;
	int			way;			/* 1, -1; 0: cells from here on, without rows if more than one */
	PaUint128	count;
	uint64_t	weight;			/* of each, in the table */
	size_t		run;			/* first run that is not below the cell of the first */
	PaUint128	below;			/* weight of the slice below the first */
	PaUint128	each;			/* weight of the slice in each; not told of cells */
} PaStretch;

typedef struct PaStretchVisitor
{
	void		(*visit) (void *context, const PaStretch *stretch);
	bool		(*pass) (void *context, PaUint128 weight);	/* may say that the stretches that come next, which
															 * weigh so much, need no visits; NULL: never */
	void	   *context;
} PaStretchVisitor;

/* All of the data.  rows: pa_cells_count.  parts * fine at most 2^40 */
extern PaSlice pa_slice_whole(const PaCells *data, int64_t rows, uint64_t parts, uint32_t fine);

/* All candidates of a slice: its cells, or its sub-cells.  PA_OK or PA_INTERRUPTED */
extern PaStatus pa_slice_cells(const PaSlice *slice, const PaRankLoss *loss, const PaEnvironment *environment,
							   const PaStretchVisitor *visitor);
extern PaStatus pa_slice_sub_cells(const PaSlice *slice, const PaRankLoss *loss, const PaEnvironment *environment,
								   const PaStretchVisitor *visitor);

/*
 * Cuts in the middle of the sub-cell that is number "index" of a stretch: everything that
 * has been told of that sub-cell goes to both sides by half.  The weight of a sub-cell is
 * even as long as it has been cut less often than "fine" allows.
 */
extern void pa_slice_cut(const PaSlice *slice, const PaStretch *stretch, PaUint128 index,
						 PaSlice *left, PaSlice *right);

/* The cell of candidate "index" */
extern int64_t pa_stretch_cell(const PaSlice *slice, const PaStretch *stretch, PaUint128 index);

#endif							/* PA_SLICE_H */
