/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * work.h
 *		How much work one row can cause below a leaf, known before it is read.
 *
 * Values of unlimited length are read through a function that yields NULL for long
 * ones, so that every length is known; work.c adds up the largest time of each call
 * (call_work.h) over all expressions of a block (measure.h).
 */
#ifndef PA_WORK_H
#define PA_WORK_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "allow/allowlist.h"
#include "guard/guard.h"

/*
 * limit.c: the argument, limited if its value could be longer than a function of this
 * kind is given, or be stored out of line.  other is the other argument of a
 * comparison, or NULL.
 */
extern Node *pa_limit_argument(PaWorkKind kind, int position, Node *argument, const Node *other);

/*
 * Whether one row of a leaf, joined with up to rows_per_row rows, could cause more work
 * than PA_MAX_ROW_WORK; the most that one can cause, in nanoseconds, refusing a leaf of which it is more.
 */
extern bool pa_is_much_work(const PaBlock *block, double rows_per_row);
extern int	pa_bound_row_work(const PaBlock *block, double rows_per_row);

#endif							/* PA_WORK_H */
