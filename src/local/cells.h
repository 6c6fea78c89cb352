/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cells.h
 *		Expressions over one interval column that have steps: the same on each of its cells.
 */
#ifndef PA_LOCAL_CELLS_H
#define PA_LOCAL_CELLS_H

#include "postgres.h"

#include "nodes/nodes.h"
#include "nodes/params.h"

#include "core/bayes/cells.h"

#define PA_MOST_CELLS 1024		/* of one expression */

typedef struct PaCells
{
	int			column;			/* the one Var's varattno - 1 */
	PaCuts		cuts;			/* within the interval; palloc'd */
	List	   *values;			/* for each cell, an expression without columns */
} PaCells;

/*
 * Recognises an expression as pa_form_recognise() does: its columns stand only in comparisons of a
 * linear form of one column with constants, in lists of IN, and in width_bucket().  low and high are the intervals of
 * the columns, by varattno - 1.  NULL if it is no such expression; *problem then says why.
 *
 * A column is compared as the double that the owner's record has; a form a*x + b with a constant c as x with the
 * double next to (c - b)/a.
 */
extern PaCells *pa_cells_recognise(Node *expression, int dimensions, const double *low, const double *high,
								   ParamListInfo params, const char **problem);

#endif							/* PA_LOCAL_CELLS_H */
