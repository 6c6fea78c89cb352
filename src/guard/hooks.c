/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hooks.c
 *		The two choke points of the guard.
 *
 * Planner: every statement is searched for protected relations before planning;
 * after planning the finished range table is searched again, because
 * set-returning SQL functions are inlined inside the planner.
 *
 * Executor: every range table about to be executed is checked, whatever the
 * plan's origin (plan cache, COPY, utility): a protected relation passes only if
 * it is stamped or if the current user owns it.  The hook can only restrict.
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/executor.h"
#include "jit/jit.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/planner.h"
#include "utils/lsyscache.h"

#include "compat/statement.h"
#include "compat/permissions.h"
#include "descend.h"
#include "catalog/extension.h"
#include "catalog/upgrade.h"
#include "quiet/silence.h"
#include "errors.h"
#include "allow/allowlist.h"
#include "guard/guard.h"
#include "guard/metadata.h"
#include "guard/parameters.h"
#include "guard/shape.h"

static planner_hook_type previous_planner = NULL;
static ExecutorCheckPerms_hook_type previous_check_perms = NULL;

static bool find_protected_walker(Node *node, PaGuard *guard);

/* Expressions are searched only where the query says that they hold subqueries: most statements have none. */
static bool
find_protected(Query *query, PaGuard *guard)
{
	ListCell   *cell;

	pa_descend();
	if (query->hasSubLinks)
		return query_tree_walker(query, find_protected_walker, guard, QTW_EXAMINE_RTES_BEFORE);
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (pa_is_protected(guard, rte) ||
			(rte->rtekind == RTE_SUBQUERY && find_protected(rte->subquery, guard)))
			return true;
	}
	foreach(cell, query->cteList)
		if (find_protected_walker(((CommonTableExpr *) lfirst(cell))->ctequery, guard))
			return true;
	return false;
}

static bool
find_protected_walker(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return find_protected((Query *) node, guard);
	if (IsA(node, RangeTblEntry))
		return pa_is_protected(guard, (RangeTblEntry *) node);
	return expression_tree_walker(node, find_protected_walker, guard);
}

/* After planning: nothing protected may be left that the guard has not stamped. */
static void
check_finished_plan(const PaGuard *guard, PlannedStmt *plan)
{
	ListCell   *cell;

	foreach(cell, plan->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind != RTE_RELATION || !OidIsValid(pa_protected_root(rte->relid)))
			continue;
		if (pa_is_protected(guard, rte) && !pa_is_written_part(rte, plan->rtable) && !pa_is_stamped_part(rte, plan->rtable))
			pa_refuse(guard, pa_place_of_function(guard), "A protected table is read inside a function.",
					  psprintf("Query the table directly, as in SELECT count(*) FROM %s.",
							   pa_name_of_table(pa_protected_root(rte->relid))));
		/* one role's plan, guarded or raw, is not for another */
		plan->dependsOnRole = true;
	}
}

/* The views of the extension are long, and read little: to compile one takes longer than to run it. */
static bool
reads_own_tables(const PlannedStmt *plan)
{
	ListCell   *cell;

	foreach(cell, plan->relationOids)
		if (get_rel_namespace(lfirst_oid(cell)) == pa_schema())
			return true;
	return false;
}

/* What the planner is given. */
typedef struct Statement
{
	Query	   *query;
	const char *source;
	int			cursor_options;
	ParamListInfo params;
	PaGuard    *guard;
	List	   *privileges;		/* that it asks for, if it is guarded */
} Statement;

static PlannedStmt *
plan_query(void *argument)
{
	const Statement *statement = argument;
	planner_hook_type plan = previous_planner ? previous_planner : standard_planner;

	return plan(statement->query, statement->source, statement->cursor_options, statement->params);
}

static void
rewrite_statement(void *argument)
{
	Statement  *statement = argument;

	statement->privileges = pa_privileges_of(statement->guard, statement->query);
	pa_open_statement(statement->query);
	pa_write_generated(statement->query);
	pa_guard_rewrite(statement->guard, statement->query);
	pa_close_statement(statement->query);
}

/* Not to be executed: the values of parameters are missing. */
static PlannedStmt *
plan_to_wait(Statement *statement)
{
	PlannedStmt *plan;

	statement->query = pa_waiting_query(statement->query);
	statement->privileges = NIL;
	plan = plan_query(statement);
	pa_discourage(plan);
	return plan;
}

/* PostgreSQL's planner may run functions of others, whose statements are none of the guard's. */
static PlannedStmt *
guard_and_plan(Statement *statement)
{
	pa_require_silence();
	pa_settle_parameters(statement->guard, statement->query);
	if (!statement->guard->waits)
		pa_within_steps(rewrite_statement, statement);
	if (statement->guard->waits)
		return plan_to_wait(statement);
	pa_settle_permissions(statement->query);
	return pa_plan_within_range(plan_query, statement);
}

static PlannedStmt *
plan_ordinary(Statement *statement)
{
	pa_settle_permissions(statement->query);
	return plan_query(statement);
}

static PlannedStmt *
judge_and_plan(Statement *statement)
{
	PaGuard    *guard = statement->guard;
	Query	   *query = statement->query;
	PlannedStmt *plan;
	bool		shown;
	bool		guarded = false;

	pa_gather_permissions(query);
	if (query->commandType != CMD_SELECT || query->hasModifyingCTE)
	{
		pa_warn_of_new_owners(query);
		pa_warn_of_copied_owners(query);
	}
	shown = pa_guard_metadata(query);
	shown |= pa_guard_counters(guard, query);
	if (find_protected(query, guard))
	{
		pa_require_version();
		pa_empty_shapes(guard, query);
		shown = true;
		guarded = find_protected(query, guard);
	}
	plan = guarded ? guard_and_plan(statement) : plan_ordinary(statement);
	guard->statement = guard->query = NULL; /* the planner has taken it apart */
	(void) pa_exchange_permissions(PA_PLAN_PERMISSIONS(plan));
	plan->dependsOnRole |= shown;
	/* expressions would be compiled when a row first needs them */
	if (guarded || (plan->jitFlags != PGJIT_NONE && reads_own_tables(plan)))
		plan->jitFlags = PGJIT_NONE;
	pa_keep_privileges(plan, statement->privileges);
	(void) pa_exchange_permissions(PA_PLAN_PERMISSIONS(plan));
	check_finished_plan(guard, plan);
	/* a function that was folded may have changed a setting, and plans are shown after planning */
	if (guarded)
		pa_require_silence();
	return plan;
}

/* A function that is folded plans statements of its own, and may catch their errors. */
static PlannedStmt *
guarded_planner(Query *query, const char *source, int cursor_options, ParamListInfo params)
{
	PaGuard		guard = {.source = source, .statement = query, .query = query, .user = GetUserId(), .parameters = params};
	Statement	statement = {query, source, cursor_options, params, &guard, NIL};
	PlannedStmt *plan;
	List	   *around;

	if (IsInitProcessingMode())
		return plan_query(&statement);
	if (IsBinaryUpgrade)
	{
		pa_require_upgradable();
		return plan_query(&statement);
	}
	around = pa_exchange_permissions(NIL);
	PG_TRY();
	{
		plan = judge_and_plan(&statement);
	}
	PG_FINALLY();
	{
		(void) pa_exchange_permissions(around);
	}
	PG_END_TRY();
	return plan;
}

static bool
check_range_table(List *range_table, bool report)
{
	PaGuard		guard = {.user = GetUserId()};
	ListCell   *cell;

	pa_require_own_figures(range_table);
	pa_watch_record_fields();
	foreach(cell, range_table)
	{
		pa_refuse_row_locks(lfirst(cell));
		pa_refuse_counters(lfirst(cell));
	}
	if (!pa_policies_exist())
		return true;
	foreach(cell, range_table)
	{
		RangeTblEntry *rte = lfirst(cell);

		pa_refuse_asking_writers(rte);
		if (!pa_is_protected(&guard, rte) || pa_is_written_part(rte, range_table) || pa_is_stamped_part(rte, range_table))
			continue;
		if (report)
			ereport(ERROR,
					errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					errmsg("permission denied for table %s", get_rel_name(rte->relid)),
					errdetail("The table is protected; only its owner may use it directly."));
		return false;
	}
	return true;
}

static bool
check_perms(PA_CHECK_PARAMETERS)
{
	volatile bool passed = false;
	List	   *around;

	if (previous_check_perms && !previous_check_perms(PA_CHECK_ARGUMENTS))
		return false;
	if (!IsTransactionState())
		return true;
	around = pa_exchange_permissions(PA_CHECK_PERMISSIONS);
	PG_TRY();
	{
		passed = check_range_table(range_table, report);
	}
	PG_FINALLY();
	{
		(void) pa_exchange_permissions(around);
	}
	PG_END_TRY();
	return passed;
}

void
pa_guard_init(void)
{
	pa_allowlist_check();
	previous_planner = planner_hook;
	planner_hook = guarded_planner;
	previous_check_perms = ExecutorCheckPerms_hook;
	ExecutorCheckPerms_hook = check_perms;
	pa_estimate_init();
	pa_utility_init();
	pa_record_fields_init();
	pa_row_mark_conditions_init();
	pa_error_bars_init();
}
