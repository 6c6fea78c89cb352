/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_fields.c
 *		Functions in PL/pgSQL that read xmax from a row that they hold.
 *
 * A record or row of PL/pgSQL, OLD and NEW of a trigger among them, has the system
 * columns of the row that it was filled with, although no statement has named them.
 * So where xmax is shown to some only (row_locks.c, shared_counters.c), a function
 * with a field of this name does not begin.
 *
 * Who watches PL/pgSQL does so through one pointer.  Another library that was there
 * before goes on watching; one that comes later in a session does not, but for
 * superusers, lest it take our place.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/objectaccess.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "plpgsql.h"

#include "catalog/extension.h"
#include "catalog/protected.h"
#include "quiet/silence.h"
#include "errors.h"
#include "guard/guard.h"

static void setup_function(PLpgSQL_execstate *state, PLpgSQL_function *function);

static object_access_hook_type previous_object_access = NULL;
static PLpgSQL_plugin **watching = NULL;	/* PL/pgSQL's pointer; NULL: not looked for yet */
static PLpgSQL_plugin *previous_plugin = NULL;
static PLpgSQL_plugin plugin = {.func_setup = setup_function};

static bool
reads_row_mark(const PLpgSQL_function *function)
{
	for (int i = 0; i < function->ndatums; i++)
		if (function->datums[i]->dtype == PLPGSQL_DTYPE_RECFIELD &&
			strcmp(((const PLpgSQL_recfield *) function->datums[i])->fieldname, "xmax") == 0)
			return true;
	return false;
}

/* xmax of tables that protected ones refer to is hidden where there are policies, hardened or not */
static bool
is_shown(void)
{
	if (superuser() || !OidIsValid(pa_schema()))
		return true;
	return pa_may_see_counters() && !pa_policies_existed();
}

/* What PL/pgSQL has put into our struct is for the other one, too. */
static void
setup_previous(PLpgSQL_execstate *state, PLpgSQL_function *function)
{
	previous_plugin->error_callback = plugin.error_callback;
	previous_plugin->assign_expr = plugin.assign_expr;
	previous_plugin->assign_value = plugin.assign_value;
	previous_plugin->eval_datum = plugin.eval_datum;
	previous_plugin->cast_value = plugin.cast_value;
	if (previous_plugin->func_setup)
		previous_plugin->func_setup(state, function);
}

static void
setup_function(PLpgSQL_execstate *state, PLpgSQL_function *function)
{
	if (reads_row_mark(function) && !is_shown())
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("field xmax of a row is not shown"),
				errdetail("It may say which rows a protected table refers to, or hold a number that rows of all tables take from one counter."),
				errhint("Compare xmax with 0 in a query, as in SELECT xmax = 0; call a column of your own otherwise."));
	if (previous_plugin)
		setup_previous(state, function);
}

static void
begin_watching(void)
{
	watching = (PLpgSQL_plugin **) find_rendezvous_variable("PLpgSQL_plugin");
	previous_plugin = *watching;
	if (previous_plugin)
		plugin = *previous_plugin;
	plugin.func_setup = setup_function;
	*watching = &plugin;
}

void
pa_watch_record_fields(void)
{
	if (watching == NULL)
		begin_watching();
	else if (*watching != &plugin && (!IsTransactionState() || !superuser()))
		*watching = &plugin;
}

/* Functions that clients call without a statement come by here only. */
static void
object_access(ObjectAccessType access, Oid class, Oid object, int sub_object, void *argument)
{
	if (previous_object_access)
		previous_object_access(access, class, object, sub_object, argument);
	if (access == OAT_FUNCTION_EXECUTE)
		pa_watch_record_fields();
}

void
pa_record_fields_init(void)
{
	previous_object_access = object_access_hook;
	object_access_hook = object_access;
}
