/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branches.h
 *		The parts of a query that is a UNION ALL, or another set operation.
 */
#ifndef PA_BRANCHES_H
#define PA_BRANCHES_H

#include "postgres.h"

#include "nodes/parsenodes.h"
#include "nodes/pathnodes.h"

/* The inputs, RangeTblEntry, of a UNION ALL, or of another set operation; NIL: the query is none. */
extern List *pa_union_inputs(const Query *query);
extern bool pa_is_union(const RangeTblEntry *rte);

/* Whether a tree of set operations has no other than UNION ALL. */
extern bool pa_is_union_all(const Node *node);

/* What a column of the union is in one of its inputs. */
extern Node *pa_union_column(const RangeTblEntry *input, AttrNumber column);

/* The queries whose rows the query hands up: those of a union, or itself. */
extern List *pa_branches(const Query *query);

/* What the query reads: the members of its FROM, or the inputs of a union. */
extern Relids pa_members(const Query *query);

#endif							/* PA_BRANCHES_H */
