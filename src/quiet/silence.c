/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * silence.c
 *		See silence.h.  The utility hook only remembers that an EXPLAIN is under way,
 *		and whether it shows figures of execution; whoever plans or executes asks.
 *
 * Where a view shows of a table only what is the reader's own, as pg_stats does of
 * pg_statistic and ours do of the ledger, a plan shows how many other rows there
 * are, and with conditions that are pushed down what is in them; estimates tell as
 * much, which follow from the number of pages.  So plans over tables of the system
 * and of the extension are for those who may read these tables.  A function of the
 * extension is a black box to EXPLAIN but for the pages that it touches.
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xact.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_class.h"
#include "commands/defrem.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/parsenodes.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/formatting.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "compat/explain.h"
#include "compat/session.h"
#include "compat/executor.h"
#include "catalog/extension.h"
#include "catalog/hygiene.h"
#include "quiet/silence.h"
#include "errors.h"
#include "position.h"

static ProcessUtility_hook_type previous_process_utility = NULL;
static object_access_hook_type previous_object_access = NULL;
static ExecutorRun_hook_type previous_executor_run = NULL;
static int	explaining_depth = 0;	/* EXPLAINs under way */

/* What an option of EXPLAIN shows of an execution. */
typedef struct Figures
{
	const char *option;
	const char *detail;
	bool		of_server;		/* they count what the server did for the session, of whatever statement */
} Figures;

static const Figures figures[] = {
	{"analyze", "It would show how many rows were read.", false},
	{"buffers", "It would show how many pages were read.", true},	/* of planning, too */
	{"wal", "It would show how much was written.", true},
	{"timing", "It would show how long reading took.", false},
	{"serialize", "It would show how large the answer is, and how long it took to write it.", false},
	{"memory", "It would show how much memory planning took.", false},
};

/* Options that show none.  Extensions may bring others (pg_overexplain does, since 18), and so may a new version. */
static const char *const silent_options[] = {"costs", "format", "generic_plan", "settings", "summary", "verbose"};

static const Figures unknown = {NULL, "It is not known what it would show.", false};

/* An EXPLAIN under way that shows some. */
typedef struct Showing
{
	const Figures *figures;		/* NULL: it shows none */
	const DefElem *option;
	const char *text;			/* of the statement */
	const ErrorContextCallback *context;	/* around it; what comes within takes positions for those in another text */
} Showing;

static Showing showing = {NULL};	/* the outermost, if one is within another */

/* SERIALIZE has no truth value but a format, or "none". */
static bool
is_on(DefElem *option)
{
	if (strcmp(option->defname, "serialize") == 0)
		return option->arg == NULL || strcmp(defGetString(option), "none") != 0;
	return defGetBoolean(option);
}

/* The option, if the statement has it on. */
static DefElem *
option_given(const ExplainStmt *statement, const char *name)
{
	ListCell   *cell;

	foreach(cell, statement->options)
		if (strcmp(((DefElem *) lfirst(cell))->defname, name) == 0 && is_on(lfirst(cell)))
			return lfirst(cell);
	return NULL;
}

static bool
is_known(const char *option)
{
	for (int i = 0; i < lengthof(figures); i++)
		if (strcmp(figures[i].option, option) == 0)
			return true;
	for (int i = 0; i < lengthof(silent_options); i++)
		if (strcmp(silent_options[i], option) == 0)
			return true;
	return false;
}

static Showing
shown_by(const ExplainStmt *statement, const char *text)
{
	ListCell   *cell;

	for (int i = 0; i < lengthof(figures); i++)
	{
		const DefElem *option = option_given(statement, figures[i].option);

		if (option)
			return (Showing) {&figures[i], option, text, error_context_stack};
	}
	foreach(cell, statement->options)
		if (!is_known(((DefElem *) lfirst(cell))->defname))
			return (Showing) {&unknown, lfirst(cell), text, error_context_stack};
	return (Showing) {NULL};
}

static char *
option_name(const DefElem *option)
{
	return asc_toupper(option->defname, strlen(option->defname));
}

bool
pa_may_see_counters(void)
{
	return !pa_catalog_is_hardened() || superuser() || has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS);
}

/*
 * On a hardened server pages and WAL are counted for those who may read statistics:
 * an entry of the catalog that the session has to read again has been changed, or is
 * said to be, by somebody else.
 */
static void
require_counters(const ExplainStmt *statement, const char *text)
{
	for (int i = 0; i < lengthof(figures); i++)
	{
		const DefElem *option = figures[i].of_server ? option_given(statement, figures[i].option) : NULL;

		if (option == NULL || pa_may_see_counters())
			continue;
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("EXPLAIN %s is not allowed in this database", option_name(option)),
				errdetail("What is counted for a statement depends on what others have done since the session's last one."),
				errhint("Leave BUFFERS and WAL out."),
				pa_position(text, option->location));
	}
}

/* Who may not see counters gets an ANALYZE that shows none, whatever the version has by default. */
static PlannedStmt *
without_counters(PlannedStmt *statement)
{
	ExplainStmt *explain = (ExplainStmt *) statement->utilityStmt;
	ListCell   *cell;

	if (!IsA(explain, ExplainStmt) || !pa_analyze_counts_pages() || option_given(explain, "analyze") == NULL || pa_may_see_counters())
		return statement;
	foreach(cell, explain->options)
		if (strcmp(((DefElem *) lfirst(cell))->defname, "buffers") == 0)
			return statement;
	statement = copyObject(statement);
	explain = (ExplainStmt *) statement->utilityStmt;
	explain->options = lappend(explain->options, makeDefElem("buffers", (Node *) makeBoolean(false), -1));
	return statement;
}

static const List *
options_of_maintenance(const Node *statement)
{
	switch (nodeTag(statement))
	{
		case T_VacuumStmt:		/* ANALYZE, too */
			return ((const VacuumStmt *) statement)->options;
		case T_ClusterStmt:
			return ((const ClusterStmt *) statement)->params;
		case T_ReindexStmt:
			return ((const ReindexStmt *) statement)->params;
		default:
			return NIL;
	}
}

/* What these say at length counts pages and WAL, and tells which transactions are still open. */
static void
require_quiet_maintenance(const Node *statement, const char *text)
{
	const List *options = options_of_maintenance(statement);
	ListCell   *cell;

	foreach(cell, options)
	{
		DefElem    *option = lfirst(cell);

		if (strcmp(option->defname, "verbose") != 0 || !defGetBoolean(option) || pa_may_see_counters())
			continue;
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("VERBOSE is not allowed in this database"),
				errdetail("What it shows depends on what others have done, and on transactions that are still open."),
				errhint("Leave VERBOSE out."),
				pa_position(text, option->location));
	}
}

static void
process_utility(PlannedStmt *statement, const char *source, bool read_only_tree,
				ProcessUtilityContext utility_context, ParamListInfo params,
				QueryEnvironment *environment, DestReceiver *destination, QueryCompletion *completion)
{
	volatile int explains = IsA(statement->utilityStmt, ExplainStmt);
	const Showing around = showing;
	PlannedStmt *volatile quiet = without_counters(statement);

	if (explains)
		require_counters((ExplainStmt *) statement->utilityStmt, source);
	require_quiet_maintenance(statement->utilityStmt, source);
	if (showing.figures == NULL && explains)
		showing = shown_by((ExplainStmt *) statement->utilityStmt, source);
	explaining_depth += explains;
	PG_TRY();
	{
		if (previous_process_utility)
			previous_process_utility(quiet, source, read_only_tree, utility_context,
									 params, environment, destination, completion);
		else
			standard_ProcessUtility(quiet, source, read_only_tree, utility_context,
									params, environment, destination, completion);
	}
	PG_FINALLY();
	{
		explaining_depth -= explains;
		showing = around;
	}
	PG_END_TRY();
}

/* Without an option, and within a function that the EXPLAIN calls, there is none. */
static int
position_of_option(void)
{
	if (showing.option == NULL || error_context_stack != showing.context)
		return 0;
	return pa_position(showing.text, showing.option->location);
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
		setting = "log_statement_stats or a similar setting";
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
	if (pa_snapshots_expire())
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("With old_snapshot_threshold it fails if rows were written after an old snapshot."),
				errhint("Have the server run with old_snapshot_threshold = -1, which is the default."));
	if (showing.figures)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("EXPLAIN %s of a query on a protected table is not allowed", option_name(showing.option)),
				errdetail("%s", showing.figures->detail),
				errhint("Leave ANALYZE and what belongs to it out, or use privacct.preview()."),
				position_of_option());
}

static void
refuse_figures(const char *kind, const char *name, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("EXPLAIN of %s %s is not allowed", kind, name),
			errdetail("It would show how much is read of what belongs to others."),
			errhint("%s", hint),
			position_of_option());
}

/* Tables whose rows are for some, of the system or ours. */
static bool
is_filtered(Oid relation)
{
	return relation < FirstNormalObjectId || get_rel_namespace(relation) == pa_schema();
}

void
pa_require_own_figures(List *range_table)
{
	ListCell   *cell;

	if (explaining_depth == 0 || !OidIsValid(pa_schema()))
		return;
	foreach(cell, range_table)
	{
		const RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind == RTE_RELATION && is_filtered(rte->relid) &&
			pg_class_aclcheck(rte->relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
			pg_attribute_aclcheck_all(rte->relid, GetUserId(), ACL_SELECT, ACLMASK_ANY) != ACLCHECK_OK)
			refuse_figures("table", get_rel_name(rte->relid), "Run the query without EXPLAIN.");
	}
}

/* A cursor that was opened before the EXPLAIN counts for whoever fetches from it under it. */
static void
executor_run(PA_RUN_PARAMETERS)
{
	if (showing.figures)
		pa_require_own_figures(query->plannedstmt->rtable);
	if (previous_executor_run)
		previous_executor_run(PA_RUN_ARGUMENTS);
	else
		standard_ExecutorRun(PA_RUN_ARGUMENTS);
}

/* Functions of the extension, with ANALYZE: pages that they touch count for the caller. */
static void
object_access(ObjectAccessType access, Oid class, Oid object, int sub_object, void *argument)
{
	if (previous_object_access)
		previous_object_access(access, class, object, sub_object, argument);
	if (access != OAT_FUNCTION_EXECUTE || showing.figures == NULL || !IsTransactionState() || superuser())
		return;
	if (get_func_namespace(object) == pa_schema() && OidIsValid(pa_schema()))
		refuse_figures("function", get_func_name(object), "Use EXPLAIN without ANALYZE and BUFFERS.");
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
	((struct config_enum *) pa_find_setting("client_min_messages"))->check_hook = check_message_level;
}

void
pa_silence_init(void)
{
	guard_message_level();
	previous_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = process_utility;
	previous_object_access = object_access_hook;
	object_access_hook = object_access;
	previous_executor_run = ExecutorRun_hook;
	ExecutorRun_hook = executor_run;
}
