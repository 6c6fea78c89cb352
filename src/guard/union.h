/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * union.h
 *		Subqueries of a block that are a UNION ALL of protected rows; column.h has what others ask of them.
 */
#ifndef PA_UNION_H
#define PA_UNION_H

#include "guard/block_rules.h"

/* Errors out unless it is a UNION ALL of queries that hand up rows of owners and may stand in the block. */
extern void pa_validate_union(PaBlock *block, Query *query);

/* Has the union hand up owners, a column of each of its inputs, as values of one type; returns its number. */
extern AttrNumber pa_add_union_column(RangeTblEntry *rte, List *columns);

#endif							/* PA_UNION_H */
