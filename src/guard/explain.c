/*
 * explain.c
 *		EXPLAIN of a guarded statement shows the privacy plan; EXPLAIN ANALYZE
 *		would show how many rows each node read, and is refused.
 *
 * The utility hook only remembers that such an EXPLAIN is under way; whoever
 * plans or executes a guarded block asks.
 */
#include "postgres.h"

#include "commands/defrem.h"
#include "nodes/parsenodes.h"
#include "tcop/utility.h"

#include "guard/guard.h"

static ProcessUtility_hook_type previous_process_utility = NULL;
static int	showing_depth = 0;	/* EXPLAINs under way that show figures of execution */

bool
pa_explain_analyze_active(void)
{
	return showing_depth > 0;
}

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

void
pa_explain_init(void)
{
	previous_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = process_utility;
}
