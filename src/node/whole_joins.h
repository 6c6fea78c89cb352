/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * whole_joins.h
 *		Both sides of a hash join are read to their ends.
 */
#ifndef PA_WHOLE_JOINS_H
#define PA_WHOLE_JOINS_H

#include "postgres.h"

#include "nodes/execnodes.h"

/*
 * Has each hash join of the plan, which was just begun, read all rows of both sides, and hash
 * their keys.  PostgreSQL reads no row of a side when the other one turns out to be empty: whether a
 * single row is there would be told by the time that the other table takes.  A join that makes up rows
 * may yield one more, of nulls, so of nobody.  Rows of the inner side that cannot meet one of a small outer side,
 * and rows of the outer side that cannot meet one of the inner side, are left out early.
 */
extern void pa_make_joins_whole(PlanState *plan);

#endif							/* PA_WHOLE_JOINS_H */
