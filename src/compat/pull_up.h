/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pull_up.h
 *		Subqueries in a query with grouping sets.
 *
 * The planner makes a part of the query of them.  Since 18 it puts each of their columns into a placeholder
 * then, in conditions, too, where until 17 a column stays one, by which tables can be joined.
 */
#ifndef PA_COMPAT_PULL_UP_H
#define PA_COMPAT_PULL_UP_H

#include "compat/version.h"

#include "nodes/parsenodes.h"

/*
 * On servers where that matters FROM and WHERE become a subquery, in which columns stay columns; what is
 * around them has placeholders (pa_placed).  No column may be marked yet (compat/statement.h).
 */
extern void pa_set_rows_apart(Query *query);

#endif							/* PA_COMPAT_PULL_UP_H */
