/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query_level.h
 *		What belongs to a query, in its own expressions and in those of subqueries within them.
 */
#ifndef PA_QUERY_LEVEL_H
#define PA_QUERY_LEVEL_H

#include "postgres.h"

#include "nodes/parsenodes.h"

/*
 * Aggrefs of the query in its target list and in HAVING, in the order in which they are written.  Their agglevelsup
 * says how many subqueries are around them.
 */
extern List *pa_aggregates_of(const Query *query);

/* What stands for a node in so many subqueries; NULL: the node, with what stands for what is in it. */
typedef Node *(*PaReplacement) (Node *node, int level, void *context);

/* A copy of an expression of a query, with what stands for its nodes. */
extern Node *pa_replace_at_level(Node *expression, PaReplacement replacement, void *context);

#endif							/* PA_QUERY_LEVEL_H */
