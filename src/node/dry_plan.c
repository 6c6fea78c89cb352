/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dry_plan.c
 *		See dry_plan.h.
 *
 * fmgr asks needs_fmgr_hook when a function is looked up, and calls fmgr_hook
 * when such a function is called.  Functions in C and internal ones are let
 * pass: only superusers make them, and types cannot be read without.  So are those
 * of this extension.  Should one of them run a query, the ledger is closed.
 */
#include "postgres.h"

#include "fmgr.h"
#include "parser/analyze.h"
#include "tcop/tcopprot.h"
#include "utils/regproc.h"

#include "catalog/extension.h"
#include "compat/permissions.h"
#include "errors.h"
#include "node/dry_plan.h"
#include "ledger/ledger.h"

static needs_fmgr_hook_type previous_needs_fmgr = NULL;
static fmgr_hook_type previous_fmgr = NULL;
static int	depth = 0;			/* statements that are being planned dry */

void
pa_refuse_text(const char *detail, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("the text is not a question to a protected table"),
			errdetail("%s", detail),
			errhint("%s", hint));
	pg_unreachable();
}

static PA_NORETURN void
refuse_call(const char *function)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("the text cannot be planned without running a function"),
			errdetail("Function %s would be called while it is planned.", function),
			errhint("Leave the function out: what is done with released values does not change the cost."));
	pg_unreachable();
}

static bool
previous_needs(Oid function)
{
	return previous_needs_fmgr && previous_needs_fmgr(function);
}

static bool
needs_fmgr(Oid function)
{
	return previous_needs(function) || (depth > 0 && pa_runs_others_code(function));
}

static void
on_call(FmgrHookEventType event, FmgrInfo *function, Datum *private)
{
	if (event == FHET_START && depth > 0 && pa_runs_others_code(function->fn_oid))
		refuse_call(format_procedure(function->fn_oid));
	if (previous_fmgr && previous_needs(function->fn_oid))
		previous_fmgr(event, function, private);
}

Query *
pa_dry_analyze(const char *text)
{
	List	   *statements = pg_parse_query(text);
	List	   *queries;

	if (list_length(statements) != 1)
		pa_refuse_text("The text is not one statement.", PA_PREVIEW_ROW_HINT);
	queries = pg_analyze_and_rewrite_fixedparams(linitial_node(RawStmt, statements), text, NULL, 0, NULL);
	if (list_length(queries) != 1 || linitial_node(Query, queries)->commandType != CMD_SELECT)
		pa_refuse_text("The statement is not a SELECT.", PA_PREVIEW_ROW_HINT);
	return linitial_node(Query, queries);
}

/* A place in the text is one in the statement that was given, not in the one around it. */
static void
place_in_text(void *text)
{
	int			position = geterrposition();

	if (position <= 0)
		return;
	errposition(0);
	internalerrposition(position);
	internalerrquery(text);
}

PlannedStmt *
pa_dry_plan(const char *text)
{
	PlannedStmt *volatile plan = NULL;
	ErrorContextCallback place = {error_context_stack, place_in_text, (void *) text};

	depth++;
	pa_ledger_close();
	error_context_stack = &place;
	PG_TRY();
	{
		plan = pg_plan_query(pa_dry_analyze(text), text, CURSOR_OPT_PARALLEL_OK, NULL);
		pa_require_permissions(plan);
	}
	PG_FINALLY();
	{
		pa_ledger_reopen();
		depth--;
	}
	PG_END_TRY();
	error_context_stack = place.previous;
	return plan;
}

void
pa_dry_plan_init(void)
{
	previous_needs_fmgr = needs_fmgr_hook;
	needs_fmgr_hook = needs_fmgr;
	previous_fmgr = fmgr_hook;
	fmgr_hook = on_call;
}
