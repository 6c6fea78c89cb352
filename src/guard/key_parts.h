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
 * A plain query, of whose rows different ones matter only: it becomes one over its parts, each
 * made distinct, if it has several.
 */
extern void pa_split_key_query(Query *query);

#endif							/* PA_KEY_PARTS_H */
