/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scalar.h
 *		Subqueries that make one row of all that they read, related to the row outside.
 */
#ifndef PA_SCALAR_H
#define PA_SCALAR_H

#include "guard/guard.h"

/* Whether the subquery yields one row, or (HAVING) none, whatever it reads. */
extern bool pa_is_one_row(const Query *subquery);

/* Whether the subquery demands that an owner of its rows is equal to something of the row outside. */
extern bool pa_is_related_by_owner(const Query *subquery);

/*
 * Joins such a subquery with what the query reads; returns what its columns are, in terms
 * of the query.  Without a row they are null.
 */
extern List *pa_join_one_row(PaGuard *guard, Query *query, Query *subquery, int location);

#endif							/* PA_SCALAR_H */
