/*
 * utility.c
 *		Before commands of which event triggers see too little.
 *
 * An event trigger of an extension does not fire for the extension's own drop, so
 * the utility hook calls privacct._before_drop(), which refuses or closes what
 * would be left open.  Nor is it told what ALTER TYPE rewrites, and it fires when
 * locks have been waited for.
 */
#include "postgres.h"

#include "commands/extension.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "tcop/utility.h"
#include "utils/acl.h"

#include "guard/guard.h"

#define EXTENSION "privacct"

static ProcessUtility_hook_type previous_process_utility = NULL;

/* Extension, or its schema. */
static bool
drops_extension(const DropStmt *statement)
{
	ListCell   *cell;

	if (statement->removeType != OBJECT_EXTENSION && statement->removeType != OBJECT_SCHEMA)
		return false;
	foreach(cell, statement->objects)
		if (strcmp(strVal(lfirst(cell)), EXTENSION) == 0)
			return true;
	return false;
}

/* DROP OWNED BY the extension's owner. */
static bool
drops_all_of_owner(const DropOwnedStmt *statement)
{
	ListCell   *cell;

	foreach(cell, statement->roles)
		if (get_rolespec_oid(lfirst(cell), true) == pa_table_owner(pa_catalog_relation("policy")))
			return true;
	return false;
}

static bool
is_about_extension(const Node *statement)
{
	return (IsA(statement, DropStmt) && drops_extension((const DropStmt *) statement)) ||
		(IsA(statement, DropOwnedStmt) && drops_all_of_owner((const DropOwnedStmt *) statement));
}

/* Whoever may not drop it gets PostgreSQL's own error afterwards. */
static void
before_drop(const Node *statement)
{
	if (!OidIsValid(pa_schema()) || !is_about_extension(statement) ||
		!pg_extension_ownercheck(get_extension_oid(EXTENSION, true), GetUserId()))
		return;
	(void) OidFunctionCall0(pa_own_function("_before_drop", 0, NULL));
}

static void
process_utility(PlannedStmt *statement, const char *source, bool read_only_tree,
				ProcessUtilityContext utility_context, ParamListInfo params,
				QueryEnvironment *environment, DestReceiver *destination, QueryCompletion *completion)
{
	const Node *parsed = statement->utilityStmt;

	pa_require_rights(parsed);
	if (IsA(parsed, DropStmt) || IsA(parsed, DropOwnedStmt))
		before_drop(parsed);
	if (IsA(parsed, AlterTableStmt))
		pa_before_alter_table((const AlterTableStmt *) parsed);
	if (previous_process_utility)
		previous_process_utility(statement, source, read_only_tree, utility_context,
								 params, environment, destination, completion);
	else
		standard_ProcessUtility(statement, source, read_only_tree, utility_context,
								params, environment, destination, completion);
}

void
pa_utility_init(void)
{
	previous_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = process_utility;
}
