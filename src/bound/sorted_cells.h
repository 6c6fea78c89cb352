/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sorted_cells.h
 *		The values of statistics of order, of all groups: first collected, then read in order.
 *
 * They are sorted by PostgreSQL, in temporary files where they are many.  What another
 * process has sorted already comes as runs.
 */
#ifndef PA_SORTED_CELLS_H
#define PA_SORTED_CELLS_H

#include "postgres.h"

typedef struct PaSortedCells PaSortedCells;

/* So many values of a group's statistic are in one cell. */
typedef struct PaGroupRun
{
	int			group;
	int			statistic;
	int64		cell;
	int64		count;
} PaGroupRun;

extern PaSortedCells *pa_sorted_cells_create(void);
extern void pa_sorted_cells_add(PaSortedCells *cells, int group, int statistic, int64 cell);
extern void pa_sorted_cells_add_run(PaSortedCells *cells, const PaGroupRun *run);

/* No more are added from here on. */
extern void pa_sorted_cells_sort(PaSortedCells *cells);

/* The next by group, statistic and cell; false at the end. */
extern bool pa_sorted_cells_next(PaSortedCells *cells, PaGroupRun *run);

/* Takes back the last one: it is the next again. */
extern void pa_sorted_cells_put_back(PaSortedCells *cells);

extern void pa_sorted_cells_end(PaSortedCells *cells);

#endif							/* PA_SORTED_CELLS_H */
