/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#include "catalog/objectaddress.h"
#include "catalog/pg_class_d.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "nodes/parsenodes.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/snapmgr.h"

#include "catalog/foundation.h"
#include "catalog/near.h"
#include "catalog/role_objects.h"
#include "guard/guard.h"

static ProcessUtility_hook_type previous_process_utility = NULL;

/* What REASSIGN OWNED will give away, of ObjectAddress *. */
static List *
about_to_be_given(const ReassignOwnedStmt *statement)
{
	List	   *given = NIL;
	ListCell   *cell;

	foreach(cell, statement->roles)
	{
		Oid			role = get_rolespec_oid(lfirst(cell), true);

		if (OidIsValid(role))
			given = list_concat(given, pa_objects_of_role(role));
	}
	return given;
}

static List *
relations_of(const List *objects)
{
	List	   *relations = NIL;
	const ListCell *cell;

	foreach(cell, objects)
	{
		const ObjectAddress *object = lfirst(cell);

		if (object->classId == RelationRelationId)
			relations = lappend_oid(relations, object->objectId);
	}
	return relations;
}

/* Where the extension is still of a version without it, nothing is written down of owners. */
static void
after_reassign(const List *given)
{
	static const Oid arguments[] = {OIDARRAYOID, OIDARRAYOID};
	Oid			function;

	if (given == NIL)
		return;
	function = pa_find_own_function("_on_reassign", lengthof(arguments), arguments);
	if (!OidIsValid(function))
		return;
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	(void) OidFunctionCall2(function, PointerGetDatum(pa_oid_array(relations_of(given))),
							PointerGetDatum(pa_oid_array(pa_protected_resting_on(given))));
	PopActiveSnapshot();
}

static void
process_utility(PlannedStmt *statement, const char *source, bool read_only_tree,
				ProcessUtilityContext utility_context, ParamListInfo params,
				QueryEnvironment *environment, DestReceiver *destination, QueryCompletion *completion)
{
	bool		drop = pa_drop_begins();
	PaTableCopy *copy;
	List	   *given = NIL;
	List	   *marked;
	PaDatabaseMarks marks;

	pa_watch_record_fields();
	PG_TRY();
	{
		pa_require_rights(statement->utilityStmt);
		pa_refuse_unfollowed(statement->utilityStmt);
		pa_refuse_locks(statement->utilityStmt);
		pa_refuse_own_command(statement->utilityStmt);
		if (IsA(statement->utilityStmt, AlterTableStmt))
		{
			pa_refuse_concurrent_detach((const AlterTableStmt *) statement->utilityStmt);
			pa_before_alter_table((const AlterTableStmt *) statement->utilityStmt);
		}
		if (IsA(statement->utilityStmt, ReassignOwnedStmt))
			given = about_to_be_given((const ReassignOwnedStmt *) statement->utilityStmt);
		copy = pa_copy_begins(statement->utilityStmt);
		marks = pa_database_marks(statement->utilityStmt);
		marked = pa_marked_tables(statement->utilityStmt);
		if (previous_process_utility)
			previous_process_utility(statement, source, read_only_tree, utility_context,
									 params, environment, destination, completion);
		else
			standard_ProcessUtility(statement, source, read_only_tree, utility_context,
									params, environment, destination, completion);
		pa_refuse_unfollowed(statement->utilityStmt);
		after_reassign(given);
		pa_copy_ends(copy);
		pa_warn_if_unhinged(statement->utilityStmt);
		pa_warn_of_lost_marks(statement->utilityStmt, &marks);
		pa_warn_of_lost_table_marks(marked);
		if (IsA(statement->utilityStmt, CreateTrigStmt))
			pa_warn_of_assigning_trigger((const CreateTrigStmt *) statement->utilityStmt);
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
