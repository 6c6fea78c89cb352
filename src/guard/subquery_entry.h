/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * subquery_entry.h
 *		Range table entries for subqueries that the guard makes.
 */
#ifndef PA_SUBQUERY_ENTRY_H
#define PA_SUBQUERY_ENTRY_H

#include "postgres.h"

#include "nodes/parsenodes.h"

/* An entry of FROM for a subquery; its columns are called as the targets are. */
extern RangeTblEntry *pa_subquery_entry(Query *subquery, const char *name);

/* Columns that the subquery has come to hand up have names, too. */
extern void pa_name_columns(RangeTblEntry *rte);

/* From now on a table is read through a subquery instead, and needs no privilege. */
extern void pa_become_subquery(RangeTblEntry *rte, Query *subquery);

/* From now on the entry is part of no FROM. */
extern void pa_leave_out(RangeTblEntry *rte);

#endif							/* PA_SUBQUERY_ENTRY_H */
