/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make_query.h
 *		Queries that the guard makes.
 */
#ifndef PA_MAKE_QUERY_H
#define PA_MAKE_QUERY_H

#include "postgres.h"

#include "nodes/parsenodes.h"

/* SELECT FROM nothing: without columns and entries. */
extern Query *pa_make_query(void);

/* SELECT FROM the entry, without columns. */
extern Query *pa_query_over(RangeTblEntry *entry);

extern TargetEntry *pa_add_output(Query *query, Node *expression);

extern RangeTblRef *pa_reference_to(int rtindex);

/* left UNION ALL right: all columns, of these types, which are lists of Oid, int and Oid. */
extern Query *pa_union_all(RangeTblEntry *left, RangeTblEntry *right, List *types, List *typmods, List *collations);

#endif							/* PA_MAKE_QUERY_H */
