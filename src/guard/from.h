/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * from.h
 *		The parts of a block's FROM, each with what is known of its rows.
 */
#ifndef PA_FROM_H
#define PA_FROM_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "guard/equality.h"
#include "guard/guard.h"

/* A JoinExpr or a RangeTblRef of the query; holds: PaEquality, what its rows meet, or have to meet to matter. */
typedef void (*PaVisitFrom) (PaBlock *block, Query *query, Node *part, List *holds);

/* Visits all parts, joins before what they join, subqueries included. */
extern void pa_visit_from(PaBlock *block, PaVisitFrom visit);

/* What the rows of the side that an outer join can make up meet where they are joined; the same for the inner side of a semi-join. */
extern List *pa_holds_in_pairs(const Query *query, const JoinExpr *join, Node *made_up, List *holds);

#endif							/* PA_FROM_H */
