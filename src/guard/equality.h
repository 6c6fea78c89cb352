/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * equality.h
 *		Columns that conditions make equal, in all rows that matter.
 */
#ifndef PA_EQUALITY_H
#define PA_EQUALITY_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "guard/column.h"

/* Two columns that are equal, and have the same value then: neither is null. */
typedef struct PaEquality
{
	PaColumn	sides[2];
} PaEquality;

/* The equalities among the conjuncts of a condition, after those of the list, which stays as it is. */
extern List *pa_with_equalities(List *equalities, const Query *query, Node *condition);

/* The same for what every row of a part of FROM meets: conditions of WHERE and of inner joins in it. */
extern List *pa_with_established(List *equalities, const Query *query, Node *from);

extern bool pa_same_column(PaColumn a, PaColumn b);

/* Whether a path of equalities leads from one column to the other. */
extern bool pa_are_equal(PaColumn from, PaColumn to, List *equalities);

/*
 * Adds them to the condition of a FromExpr or JoinExpr of the query, unless they stand there; they follow from
 * what the rows have to meet anyway, and tell the planner which rows meet.  False, and nothing is added,
 * if a column cannot be named there.
 */
extern bool pa_write_equalities(Query *query, Node *join, List *equalities);

#endif							/* PA_EQUALITY_H */
