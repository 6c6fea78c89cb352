/*
 * utility.c
 *		Before and after commands of which event triggers see too little.
 *
 * They are not told what ALTER TYPE rewrites, nor whose tables REASSIGN OWNED has given
 * to whom; they fire when locks have been waited for, and not at all for the drop of
 * their own extension, which is announced once in each command (drop_extension.c).
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "nodes/parsenodes.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/snapmgr.h"

#include "guard/guard.h"

static ProcessUtility_hook_type previous_process_utility = NULL;

/* Where the extension is still of a version without it, nothing is written down of owners. */
static void
after_reassign(const ReassignOwnedStmt *statement)
{
	static const Oid role_argument[] = {OIDOID};
	Oid			follow = pa_find_own_function("_owners_reassigned", 0, NULL);
	Oid			check = pa_find_own_function("_check_reassigned", lengthof(role_argument), role_argument);

	if (!OidIsValid(follow) || !OidIsValid(check))
		return;
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	(void) OidFunctionCall0(follow);
	(void) OidFunctionCall1(check, ObjectIdGetDatum(get_rolespec_oid(statement->newrole, false)));
	PopActiveSnapshot();
}

static void
process_utility(PlannedStmt *statement, const char *source, bool read_only_tree,
				ProcessUtilityContext utility_context, ParamListInfo params,
				QueryEnvironment *environment, DestReceiver *destination, QueryCompletion *completion)
{
	bool		drop = pa_drop_begins();

	PG_TRY();
	{
		pa_require_rights(statement->utilityStmt);
		pa_refuse_locks(statement->utilityStmt);
		if (IsA(statement->utilityStmt, AlterTableStmt))
			pa_before_alter_table((const AlterTableStmt *) statement->utilityStmt);
		if (previous_process_utility)
			previous_process_utility(statement, source, read_only_tree, utility_context,
									 params, environment, destination, completion);
		else
			standard_ProcessUtility(statement, source, read_only_tree, utility_context,
									params, environment, destination, completion);
		if (IsA(statement->utilityStmt, ReassignOwnedStmt))
			after_reassign((const ReassignOwnedStmt *) statement->utilityStmt);
	}
	PG_FINALLY();
	{
		pa_drop_ends(drop);
	}
	PG_END_TRY();
}

void
pa_utility_init(void)
{
	previous_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = process_utility;
	pa_drop_extension_init();
}
