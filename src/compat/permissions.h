/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * permissions.h
 *		Which permissions a table in FROM asks for, and whose.
 *
 * Until 15 they are a part of the range-table entry, and what an entry turns into,
 * or is copied to, has them along.  Since 16 they are in a list beside the range table, of
 * which the entry has the index, and children of a table have none of their own.
 *
 * From pa_gather_permissions() to pa_settle_permissions() there is one list for all queries of a
 * statement, so that entries may be moved from one query to another.  What is in it does not
 * change: pa_change_permissions() gives an entry others, and its copies keep theirs.
 */
#ifndef PA_COMPAT_PERMISSIONS_H
#define PA_COMPAT_PERMISSIONS_H

#include "compat/version.h"

#include "nodes/parsenodes.h"
#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"
#include "parser/parse_node.h"

/* Parameters and arguments of ExecutorCheckPerms_hook. */
#if PG_VERSION_NUM >= 160000
typedef RTEPermissionInfo PaPermissions;
#define PA_CHECK_PARAMETERS List *range_table, List *permissions, bool report
#define PA_CHECK_ARGUMENTS range_table, permissions, report
#define PA_CHECK_PERMISSIONS permissions
#define PA_PLAN_PERMISSIONS(plan) ((plan)->permInfos)
#else
typedef RangeTblEntry PaPermissions;
#define PA_CHECK_PARAMETERS List *range_table, bool report
#define PA_CHECK_ARGUMENTS range_table, report
#define PA_CHECK_PERMISSIONS NIL
#define PA_PLAN_PERMISSIONS(plan) NIL
#endif

/* Has entries looked up in this list from now on; returns the one that was before. */
extern List *pa_exchange_permissions(List *permissions);

/* Those of an entry of what is looked at; none at all of an entry without. */
extern const PaPermissions *pa_permissions(const RangeTblEntry *rte);

/* The same, to be changed; of no other entry. */
extern PaPermissions *pa_change_permissions(RangeTblEntry *rte);
extern void pa_drop_permissions(RangeTblEntry *rte);

/* An entry that PostgreSQL's parser has just made for us, and for no query. */
extern void pa_adopt_permissions(RangeTblEntry *rte, const ParseState *state);

/* Which columns are read is no longer said: of what is not to be planned. */
extern void pa_forget_read_columns(RangeTblEntry *rte);

/* Nobody is asked: for a table of the system catalog that we read for whoever may not. */
extern void pa_ask_nobody(RangeTblEntry *rte);

/* Whether the entry is a child that the planner has added to the range table, for whose permissions its parent stands. */
extern bool pa_is_child(const RangeTblEntry *rte);

/* All those of a statement into one list, and back into its queries. */
extern void pa_gather_permissions(Query *query);
extern void pa_settle_permissions(Query *query);

/* Errors out unless the user may read all that the plan reads, as whoever executes it. */
extern void pa_require_permissions(const PlannedStmt *plan);

/* An entry that nothing in the plan refers to asks for these permissions as well. */
extern void pa_add_entry(PlannedStmt *plan, RangeTblEntry *rte, const PaPermissions *permissions);

/* As whom a table, or the table that it is a child of, is read in what is being planned; InvalidOid: as the user, or no table. */
extern Oid	pa_read_as(const PlannerInfo *root, Index rtindex);
extern Oid	pa_read_as_in(const Query *query, const RangeTblEntry *rte);

#endif							/* PA_COMPAT_PERMISSIONS_H */
