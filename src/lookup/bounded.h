/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bounded.h
 *		Whether it is known how many rows of public tables a row meets.
 */
#ifndef PA_BOUNDED_H
#define PA_BOUNDED_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/*
 * Whether each public table of the one side is reached from the other one, or from those that
 * are reached, by equalities in columns of which it is known how many rows agree.  The guard has found
 * an order in which all are (guard/reach.c); in another one, by some of the equalities, a row may meet
 * many more, and the release would be refused (node/child.c).
 */
extern bool pa_is_bounded(PlannerInfo *root, const RelOptInfo *from, const RelOptInfo *public);

#endif							/* PA_BOUNDED_H */
