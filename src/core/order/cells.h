/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cells.h
 *		Rows as a sorted multiset of cells of a public lattice.
 *
 * A cell is a value: 0 is the declared lower bound, cells - 1 the upper one; a value is
 * clamped to the bounds and then rounded to the lattice before it comes here.  Of each
 * owner at most M rows are counted, whichever cells they are in: whoever fills the runs
 * sees to that, by a choice that depends on the owner's own rows only.
 */
#ifndef PA_CELLS_H
#define PA_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "core/environment.h"
#include "core/random/random.h"

#define PA_CELLS_MOST (INT64_C(1) << 62)
#define PA_CELLS_ROWS (INT64_C(1) << 52)	/* all rows are fewer than that */

typedef struct PaCellRun
{
	int64_t		cell;			/* rising from run to run */
	int64_t		rows;			/* at least 1 */
} PaCellRun;

typedef struct PaCells
{
	const PaCellRun *run;
	size_t		runs;			/* 0 is an empty group, which is answered by its law like any other */
	int64_t		cells;			/* of the lattice, public: 1 to PA_CELLS_MOST */
} PaCells;

/* All rows; PA_INVALID unless the runs are as said above; PA_INTERRUPTED.  environment may be NULL */
extern PaStatus pa_cells_count(const PaCells *data, const PaEnvironment *environment, int64_t *rows);

#endif							/* PA_CELLS_H */
