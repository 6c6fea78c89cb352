/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shared_counters.c
 *		Counters of the whole server that a role finds in relations of its own.
 *
 * The xmax of a row that two transactions lock at a time is a number that rows of
 * all tables take from one counter, those too that foreign keys of protected tables
 * refer to.  The log_cnt of a sequence starts anew when a checkpoint has begun, which
 * comes when enough WAL was written, by anybody.  On a hardened server neither is
 * shown but to those who may read statistics:
 *
 *	xmax		may be compared with 0, by which an upsert tells that it has inserted;
 *				0 is no number of the counter
 *	log_cnt		reads as 0, as after setval(): who reads a sequence reads all of it
 *
 * The planner's hook judges statements.  What it let pass carries a mark; the
 * executor's hook refuses the rest: functions that were inlined, plans from before
 * the hardening or of another role.  Conditions of triggers are in no statement, and
 * those of policies not in one of an inlined function: they are looked at in the table.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/sysattr.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type_d.h"
#include "commands/sequence.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "compat/permissions.h"
#include "descend.h"
#include "quiet/silence.h"
#include "errors.h"
#include "guard/guard.h"
#include "position.h"

/* In enrname, which has no meaning for a relation: its xmax is compared with 0 only. */
static const char judged[] = "xmax is judged";

static bool
selects(const RangeTblEntry *rte, AttrNumber column)
{
	return rte->rtekind == RTE_RELATION && bms_is_member(column - FirstLowInvalidHeapAttributeNumber, pa_permissions(rte)->selectedCols);
}

static bool
selects_log_count(const RangeTblEntry *rte)
{
	return rte->relkind == RELKIND_SEQUENCE && selects(rte, SEQ_COL_LOG);
}

static bool
selects_row_mark(const RangeTblEntry *rte)
{
	return selects(rte, MaxTransactionIdAttributeNumber);
}

static bool
is_row_mark(const Node *node)
{
	return IsA(node, Var) && ((const Var *) node)->varattno == MaxTransactionIdAttributeNumber;
}

static bool
is_zero(const Node *node)
{
	return IsA(node, Const) && !((const Const *) node)->constisnull && DatumGetUInt32(((const Const *) node)->constvalue) == 0;
}

/* xmax = 0, in either order, or the opposite; IS DISTINCT FROM has the same struct */
static bool
compares_with_zero(const Node *node)
{
	const OpExpr *comparison = (const OpExpr *) node;

	if (!IsA(node, OpExpr) && !IsA(node, DistinctExpr))
		return false;
	switch (get_opcode(comparison->opno))
	{
		case F_XIDEQ:
		case F_XIDNEQ:
		case F_XIDEQINT4:
		case F_XIDNEQINT4:
			return (is_row_mark(linitial(comparison->args)) && is_zero(lsecond(comparison->args))) ||
				(is_row_mark(lsecond(comparison->args)) && is_zero(linitial(comparison->args)));
		default:
			return false;
	}
}

/* The first xmax that is not only compared with 0. */
static bool
shows_row_mark_walker(Node *node, const Node **found)
{
	pa_descend();
	if (node == NULL || compares_with_zero(node))
		return false;
	if (is_row_mark(node))
	{
		*found = node;
		return true;
	}
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, shows_row_mark_walker, found, 0);
	return expression_tree_walker(node, shows_row_mark_walker, found);
}

bool
pa_shows_row_mark(const Node *expression)
{
	const Node *found;

	return shows_row_mark_walker(unconstify(Node *, expression), &found);
}

static bool names_counter_walker(Node *node, void *context);

/*
 * What a SELECT reads of a table, PostgreSQL notes with the table, to ask for privileges; conditions of
 * row security, and those that rules add to other commands, it does not.  So few statements are walked.
 */
static bool
names_counter(Query *query)
{
	ListCell   *cell;

	if (query->commandType != CMD_SELECT || query->hasSubLinks || query->hasRowSecurity)
		return query_tree_walker(query, names_counter_walker, NULL, QTW_EXAMINE_RTES_BEFORE);
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (selects_row_mark(rte) || names_counter_walker((Node *) rte, NULL) || names_counter_walker((Node *) rte->subquery, NULL))
			return true;
	}
	foreach(cell, query->cteList)
		if (names_counter_walker(((CommonTableExpr *) lfirst(cell))->ctequery, NULL))
			return true;
	return false;
}

/* Most statements name neither; they are looked through once. */
static bool
names_counter_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return names_counter((Query *) node);
	if (IsA(node, RangeTblEntry))
		return selects_log_count((RangeTblEntry *) node);
	return is_row_mark(node) || expression_tree_walker(node, names_counter_walker, context);
}

static Node *
zero_for_log_count(Var *var, replace_rte_variables_context *context)
{
	if (var->varattno != SEQ_COL_LOG)
		return copyObject((Node *) var);
	return (Node *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(0), false, FLOAT8PASSBYVAL);
}

static void
hide_log_count(Query *query, int index)
{
	RangeTblEntry *sequence;
	PaPermissions *permissions;

	*query = *(Query *) replace_rte_variables((Node *) query, index, 0, zero_for_log_count, NULL, NULL);
	sequence = rt_fetch(index, query->rtable);
	permissions = pa_change_permissions(sequence);
	permissions->selectedCols = bms_del_member(permissions->selectedCols, SEQ_COL_LOG - FirstLowInvalidHeapAttributeNumber);
}

static bool
hide_walker(Node *node, void *context)
{
	Query	   *query = (Query *) node;

	pa_descend();
	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, hide_walker, context);
	for (int index = 1; index <= list_length(query->rtable); index++)
	{
		if (selects_log_count(rt_fetch(index, query->rtable)))
			hide_log_count(query, index);
		if (selects_row_mark(rt_fetch(index, query->rtable)))
			rt_fetch(index, query->rtable)->enrname = pstrdup(judged);
	}
	return query_tree_walker(query, hide_walker, context, 0);
}

bool
pa_guard_counters(const PaGuard *guard, Query *query)
{
	const Node *mark = NULL;

	if (!names_counter(query))
		return false;
	if (pa_may_see_counters())
		return true;
	if (shows_row_mark_walker((Node *) query, &mark))
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("xmax is not shown in this database"),
				errdetail("Among its values are numbers that rows of all tables take from one counter."),
				errhint("Compare it with 0, as in xmax = 0, which tells whether INSERT ... ON CONFLICT has inserted."),
				pa_position(guard->source, exprLocation(mark)));
	return hide_walker((Node *) query, NULL), true;
}

/* --- before execution --- */

static void
refuse(const char *what, const char *detail, const char *hint)
{
	if (!pa_may_see_counters())
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("%s", what),
				errdetail("%s", detail),
				errhint("%s", hint));
}

static void
refuse_declarations(Oid relation, bool only_read)
{
	const char *name = pa_condition_on_row_mark(relation, only_read);

	if (name)
		refuse(psprintf("table %s cannot be used in this database", get_rel_name(relation)),
			   psprintf("The condition of %s reads xmax, among whose values are numbers that rows of all tables take from one counter.", name),
			   "Drop the trigger or policy, or have it compare xmax with 0.");
}

/* An upsert comes to partitions that are no entries of the range table. */
static bool
comes_to_partitions(const RangeTblEntry *rte, AclMode asked)
{
	return rte->relkind == RELKIND_PARTITIONED_TABLE && (asked & ACL_INSERT) && (asked & ACL_UPDATE);
}

/* What the leader has asked, workers need not: of the mark they are not told. */
void
pa_refuse_counters(const RangeTblEntry *rte)
{
	ListCell   *cell;
	AclMode		asked;

	if (rte->rtekind != RTE_RELATION || IsParallelWorker())
		return;
	asked = pa_permissions(rte)->requiredPerms;
	if (selects_row_mark(rte) && (rte->enrname == NULL || strcmp(rte->enrname, judged) != 0))
		refuse(psprintf("xmax of table %s is not shown in this database", get_rel_name(rte->relid)),
			   "Among its values are numbers that rows of all tables take from one counter.",
			   "Compare it with 0 in the statement itself, outside of functions, or prepare the statement anew.");
	if (selects_log_count(rte))
		refuse(psprintf("log_cnt of sequence %s is not shown in this database", get_rel_name(rte->relid)),
			   "It tells when a checkpoint begins.",
			   "Read last_value and is_called, or prepare the statement anew.");
	/* of children nothing is asked, whatever is done with them */
	if (rte->relid < FirstNormalObjectId)
		return;
	refuse_declarations(rte->relid, asked == ACL_SELECT);
	if (comes_to_partitions(rte, asked))
		foreach(cell, find_all_inheritors(rte->relid, AccessShareLock, NULL))
			refuse_declarations(lfirst_oid(cell), false);
}
