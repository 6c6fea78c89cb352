/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * with.h
 *		WITH queries that hand up rows, and public ones that a block may join, become
 *		subqueries in FROM where they are referred to.
 */
#ifndef PA_WITH_H
#define PA_WITH_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "guard/guard.h"

/*
 * As PostgreSQL would inline it, one reference and nothing that is computed once;
 * and nothing that a subquery of a block cannot have.
 */
extern bool pa_is_plain_public(PaGuard *guard, const CommonTableExpr *cte);

/* A WITH query of the query, which nothing refers to from now on. */
extern void pa_write_in_place(PaGuard *guard, Query *query, CommonTableExpr *cte);

/* Those of subqueries, in views too, but for those with releases that would be asked more than once. */
extern void pa_write_nested_in_place(PaGuard *guard, Query *query);

#endif							/* PA_WITH_H */
