/*
 * silence.c
 *		See silence.h.  The utility hook only remembers that an EXPLAIN that shows
 *		figures of execution is under way; whoever plans or executes a block asks.
 */
#include "postgres.h"

#include "access/xact.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"

#include "aggregate/silence.h"
#include "catalog/hygiene.h"
#include "errors.h"

static ProcessUtility_hook_type previous_process_utility = NULL;
static int	showing_depth = 0;	/* EXPLAINs under way that show figures of execution */

/* ANALYZE shows rows; BUFFERS shows pages, of planning too. */
static bool
shows_figures(const ExplainStmt *statement)
{
	ListCell   *cell;
	bool		shows = false;

	foreach(cell, statement->options)
	{
		DefElem    *option = lfirst(cell);

		if (strcmp(option->defname, "analyze") == 0 || strcmp(option->defname, "buffers") == 0 ||
			strcmp(option->defname, "wal") == 0 || strcmp(option->defname, "timing") == 0)
			shows |= defGetBoolean(option);
	}
	return shows;
}

static void
process_utility(PlannedStmt *statement, const char *source, bool read_only_tree,
				ProcessUtilityContext utility_context, ParamListInfo params,
				QueryEnvironment *environment, DestReceiver *destination, QueryCompletion *completion)
{
	volatile int shows = 0;

	if (IsA(statement->utilityStmt, ExplainStmt) && shows_figures((ExplainStmt *) statement->utilityStmt))
		shows = 1;
	showing_depth += shows;
	PG_TRY();
	{
		if (previous_process_utility)
			previous_process_utility(statement, source, read_only_tree, utility_context,
									 params, environment, destination, completion);
		else
			standard_ProcessUtility(statement, source, read_only_tree, utility_context,
									params, environment, destination, completion);
	}
	PG_FINALLY();
	{
		showing_depth -= shows;
	}
	PG_END_TRY();
}

/* Settings under which a plan, or what the executor does, would be shown to the client. */
void
pa_require_silence(void)
{
	const char *setting = NULL;

	if (client_min_messages < NOTICE)
		setting = "client_min_messages below notice";
	else if (Debug_print_plan || Debug_print_parse || Debug_print_rewritten)
		setting = "debug_print_plan, debug_print_parse or debug_print_rewritten";
	else if (log_statement_stats || log_planner_stats || log_executor_stats || log_parser_stats)
		setting = "log_statement_stats and its kin";
	else if (trace_sort)
		setting = "trace_sort";
	else if (ExitOnAnyError)
		setting = "exit_on_error";
	else if (IgnoreSystemIndexes)
		setting = "ignore_system_indexes";
	if (setting)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("The session uses %s, which could show figures of protected rows.", setting),
				errhint("Reset the setting."));
	if (IsolationIsSerializable())
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("At isolation level serializable the rows that were read are listed in pg_locks."),
				errhint("Use isolation level repeatable read."));
	if (showing_depth > 0)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("EXPLAIN ANALYZE of a query on a protected table is not allowed"),
				errdetail("It would show how many rows were read."),
				errhint("Use EXPLAIN without ANALYZE and BUFFERS, or privacct.preview()."));
}

/*
 * Where the extension is installed debug messages are for superusers: that of a
 * commit tells the number of the transaction.
 */
static bool
check_message_level(int *level, void **extra, GucSource source)
{
	if (*level >= NOTICE || !IsTransactionState() || superuser() || !pa_catalog_is_judged())
		return true;
	GUC_check_errcode(ERRCODE_INSUFFICIENT_PRIVILEGE);
	GUC_check_errmsg("permission denied to set \"client_min_messages\" below notice");
	GUC_check_errhint("Only superusers see debug messages in this database.");
	return false;
}

/* The setting is PostgreSQL's own, and has no check of its own. */
static void
guard_message_level(void)
{
	struct config_generic **settings = get_guc_variables();

	for (int i = 0; i < GetNumConfigOptions(); i++)
		if (strcmp(settings[i]->name, "client_min_messages") == 0)
			((struct config_enum *) settings[i])->check_hook = check_message_level;
}

void
pa_silence_init(void)
{
	guard_message_level();
	previous_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = process_utility;
}
