/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure.h
 *		How long the value of an expression is, and what computing it takes.
 *
 * Sums are over what a row can reach: of the results of a CASE one, of all other
 * expressions every part.  A column of a subquery counts as often as it is used, since
 * the planner puts its expression in its place; but each node is measured once.
 */
#ifndef PA_MEASURE_H
#define PA_MEASURE_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#define AGGREGATE_WORK 200		/* adding a value up */

/* The longest value of an expression, in bytes, and the work of computing it. */
typedef struct PaMeasure
{
	double		bytes;
	double		work;
} PaMeasure;

typedef struct PaWorkContext
{
	const Query *query;			/* whose columns the expression is made of */
	double		tested;			/* bytes of what the CASE around it tests */
	List	  **columns;		/* of MeasuredColumn */
} PaWorkContext;

/* tested is infinite outside of a CASE; columns begins with an empty list. */
extern PaMeasure pa_measure(const PaWorkContext *context, Node *node);

#endif							/* PA_MEASURE_H */
