/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * take_inputs.h
 *		Queries that a block reads become its inputs (inputs.h).
 */
#ifndef PA_TAKE_INPUTS_H
#define PA_TAKE_INPUTS_H

#include "postgres.h"

#include "guard/guard.h"

/* What is done with a query that has become a WITH query of the holder. */
typedef void (*PaRewrite) (PaGuard *guard, Query *query);

/*
 * Makes the inputs of a query that reads rows, and of the subqueries in it, WITH queries
 * of the holder, rewritten, at the position of its list, which moves on.  holder: the query
 * itself, or the one whose WITH query it is (depth 1).
 */
extern void pa_take_inputs(PaGuard *guard, Query *holder, int *position, Query *query, int depth, PaRewrite rewrite);

/* In a query that reads no rows: correlated subqueries that are blocks read one of all their groups. */
extern void pa_decorrelate(PaGuard *guard, Query *query, PaRewrite rewrite);

/*
 * The same of those in WHERE, and in what is selected of single rows, by a left join with it, which
 * PostgreSQL can hash: the subquery would be searched for each row.
 */
extern void pa_join_correlated(PaGuard *guard, Query *query, PaRewrite rewrite);

/* settle_inputs.c: when all blocks are made: says at each reference where its WITH query stands. */
extern void pa_settle_inputs(PaGuard *guard, Query *statement);

#endif							/* PA_TAKE_INPUTS_H */
