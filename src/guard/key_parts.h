/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_parts.h
 *		The query that lists groups, computed from parts that no condition ties.
 */
#ifndef PA_KEY_PARTS_H
#define PA_KEY_PARTS_H

#include "postgres.h"

#include "nodes/parsenodes.h"

/*
 * A plain query, of whose rows different ones matter only, as the clauses tell (SortGroupClause,
 * by the references of its columns).  If it has several parts, it becomes one over them, of which no
 * two rows are equal, and true is returned.
 */
extern bool pa_split_key_query(Query *query, const List *clauses);

#endif							/* PA_KEY_PARTS_H */
