/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cells.h
 *		An interval that is cut into cells: the domain of functions with steps.
 *
 * Cell 0 is what lies below the first cut, cell i the numbers from cut i - 1 on up to below cut i, the
 * last one those from the last cut on.  Cuts are compared as they are, so it is exact in
 * which cell a double lies.  "Above t" is "from the next double after t on".
 */
#ifndef PA_CELLS_H
#define PA_CELLS_H

#include <stdint.h>

typedef struct PaCuts
{
	int			count;			/* of cuts; there is one cell more */
	const double *cut;			/* ascending, all different */
} PaCuts;

/* Sorts and keeps each once, of those with low < cut <= high alone: others cut nothing off.  Their number. */
extern int	pa_cuts_settle(double *cut, int count, double low, double high);

/* The cuts of both, ascending; merged has room for all.  Their number. */
extern int	pa_cuts_merge(const PaCuts *a, const PaCuts *b, double *merged);

/* The cell of a number that is not NaN. */
extern int	pa_cell_of(const PaCuts *cuts, double x);

/* For each cell of the finer cuts, which have all those of the coarser: the coarser cell that it is part of. */
extern void pa_cells_project(const PaCuts *finer, const PaCuts *coarser, uint32_t *projection);

#endif							/* PA_CELLS_H */
