/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * statement.h
 *		A statement in the form in which the guard rewrites it, and back.
 *
 * The form is that of PostgreSQL 15, in which expressions may be moved and compared
 * wherever they mean the same: a column does not say which outer joins may have made it null
 * (16), and keys of a grouping stand for themselves (18).  What the planner wants to be told of
 * the finished queries follows from where the columns stand, and is written down at the end.
 */
#ifndef PA_COMPAT_STATEMENT_H
#define PA_COMPAT_STATEMENT_H

#include "compat/version.h"

#include "nodes/parsenodes.h"

extern void pa_open_statement(Query *query);

/* After it, and when permissions are settled (compat/permissions.h), the planner can have the query. */
extern void pa_close_statement(Query *query);

/* In a statement that was not opened: the key, from 1, of a grouping; NULL where the entry is not one of keys (18). */
extern Node *pa_key_of_grouping(const RangeTblEntry *rte, AttrNumber key);

#endif							/* PA_COMPAT_STATEMENT_H */
