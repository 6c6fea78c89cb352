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
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/planner.h"
#include "utils/lsyscache.h"

#include "aggregate/silence.h"
#include "errors.h"
#include "guard/allowlist.h"
#include "guard/guard.h"

static planner_hook_type previous_planner = NULL;
static ExecutorCheckPerms_hook_type previous_check_perms = NULL;

static bool
find_protected_walker(Node *node, PaGuard *guard)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, find_protected_walker, guard, QTW_EXAMINE_RTES_BEFORE);
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

		if (pa_is_protected(guard, rte))
			pa_refuse(guard, -1, "A protected table is read inside a function.",
					  "Query the table directly.");
		/* one role's plan, guarded or raw, is not for another */
		if (rte->rtekind == RTE_RELATION && pa_policy_covering(rte->relid))
			plan->dependsOnRole = true;
	}
}

static PlannedStmt *
plan_query(PaGuard *guard, Query *query, int cursor_options, ParamListInfo params)
{
	if (previous_planner)
		return previous_planner(query, guard->source, cursor_options, params);
	return standard_planner(query, guard->source, cursor_options, params);
}

static PlannedStmt *
guarded_planner(Query *query, const char *source, int cursor_options, ParamListInfo params)
{
	PaGuard		guard = {.source = source, .user = GetUserId()};
	PlannedStmt *plan;

	if (IsInitProcessingMode() || IsBinaryUpgrade || !pa_policies_exist())
		return plan_query(&guard, query, cursor_options, params);

	if (find_protected_walker((Node *) query, &guard))
	{
		pa_require_silence();
		pa_guard_rewrite(&guard, query);
	}
	plan = plan_query(&guard, query, cursor_options, params);
	check_finished_plan(&guard, plan);
	return plan;
}

static bool
check_perms(List *range_table, bool report)
{
	PaGuard		guard = {.user = GetUserId()};
	ListCell   *cell;

	if (previous_check_perms && !previous_check_perms(range_table, report))
		return false;
	if (!IsTransactionState() || !pa_policies_exist())
		return true;
	foreach(cell, range_table)
	{
		RangeTblEntry *rte = lfirst(cell);

		/* children of a stamped parent carry its stamp */
		if (!pa_is_protected(&guard, rte))
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

void
pa_guard_init(void)
{
	pa_allowlist_check();
	previous_planner = planner_hook;
	planner_hook = guarded_planner;
	previous_check_perms = ExecutorCheckPerms_hook;
	ExecutorCheckPerms_hook = check_perms;
	pa_estimate_init();
}
