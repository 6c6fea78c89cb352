/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * related.h
 *		Subqueries over protected rows that refer to the row outside become parts of FROM
 *		that do not, and conditions of a join.
 */
#ifndef PA_RELATED_H
#define PA_RELATED_H

#include "postgres.h"

#include "guard/guard.h"

/* A subquery that is to be joined with what the query around it reads. */
typedef struct PaRelated
{
	const PaGuard *guard;
	Query	   *subquery;
	int			rtindex;		/* by which it will be known in the query around it */
	int			location;		/* of what is refused; -1: unknown */
} PaRelated;

/*
 * related.c: takes the conjuncts of the subquery's WHERE that refer to the query around it,
 * after the conditions, which are of the same level; returns them as they read there.
 * The subquery hands up, behind its own, the columns that they need.
 */
extern List *pa_take_conditions(const PaRelated *related, List *conditions);

/*
 * The same for a subquery that groups its rows, which becomes grouped by what the
 * conditions compare: they have to be equalities by which no row outside meets two groups.
 */
extern List *pa_take_group_conditions(const PaRelated *related);

/* What stands in the subquery and has no column of it, as it reads in the query around it. */
extern Node *pa_as_outside(Node *node);

/* Joins the subquery, on the conditions, with all that the query reads so far. */
extern void pa_join_subquery(Query *query, JoinType type, const PaRelated *related, List *conditions);

/* --- what becomes a join; in place --- */

/* What is done with a subquery before it is joined. */
typedef void (*PaPrepareSubquery) (PaGuard *guard, Query *subquery);

/* lateral.c: LATERAL subqueries in FROM */
extern void pa_join_laterals(PaGuard *guard, Query *query);

/* window.c: window functions of whole partitions of rows */
extern void pa_join_windows(PaGuard *guard, Query *query);

/* distinct.c: count(DISTINCT x) of groups of owners */
extern void pa_join_distinct(PaGuard *guard, Query *query);

/* set_operation.c: UNION, INTERSECT and EXCEPT in FROM, which become groups */
extern void pa_group_set_operations(const PaGuard *guard, Query *query);

/* full_join.c: FULL JOIN, of which an outer join or a union remains */
extern void pa_join_full(PaGuard *guard, Query *query);

/* scalar.c: subqueries that are values, in expressions of rows */
extern void pa_join_values(PaGuard *guard, Query *query, PaPrepareSubquery prepare);

/* semijoin.c: EXISTS, NOT EXISTS and IN as conjuncts of WHERE */
extern void pa_make_semijoins(PaGuard *guard, Query *query, PaPrepareSubquery prepare);

#endif							/* PA_RELATED_H */
