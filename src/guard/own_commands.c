/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own_commands.c
 *		Commands that concern the books, and that no event trigger sees: on event
 *		triggers themselves, on what belongs to the extension, on databases and roles.
 */
#include "postgres.h"

#include "commands/defrem.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "tcop/cmdtag.h"
#include "tcop/utility.h"
#include "utils/acl.h"

#include "catalog/by_hand.h"
#include "catalog/extension.h"
#include "catalog/policy.h"
#include "guard/guard.h"

#define OWN_PREFIX "privacct_"

/*
 * The books know their database by its number.  A database that was copied, and takes
 * the number of the one that it was copied from, would have books that are as old as the copy.
 */
static void
refuse_number(const CreatedbStmt *statement)
{
	ListCell   *cell;

	foreach(cell, statement->options)
	{
		const DefElem *option = lfirst(cell);

		if (strcmp(option->defname, "oid") == 0)
			ereport(ERROR,
					errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					errmsg("a database cannot be given a number"),
					errdetail("With the number of a database that is gone, a copy of it would pass for it, and what was charged after it was copied would be forgotten."),
					errhint("Leave OID out; only pg_upgrade needs it."));
	}
}

/* --- the role whose privileges are the marks of tables that were protected --- */

static bool
is_reader(const RoleSpec *role)
{
	Oid			reader = get_role_oid(PA_READER_ROLE, true);

	return role != NULL && OidIsValid(reader) && get_rolespec_oid(role, true) == reader;
}

static bool
changes_owner_to_reader(const AlterTableStmt *statement)
{
	ListCell   *cell;

	foreach(cell, statement->cmds)
	{
		const AlterTableCmd *command = lfirst(cell);

		if (command->subtype == AT_ChangeOwner && is_reader(command->newowner))
			return true;
	}
	return false;
}

/* An owner has no privilege apart: whoever is the next one gets the table without the mark. */
static bool
gives_to_reader(const Node *statement)
{
	if (IsA(statement, AlterTableStmt))
		return changes_owner_to_reader((const AlterTableStmt *) statement);
	return IsA(statement, ReassignOwnedStmt) && is_reader(((const ReassignOwnedStmt *) statement)->newrole);
}

static bool
renames_reader(const Node *statement)
{
	return IsA(statement, RenameStmt) && ((const RenameStmt *) statement)->renameType == OBJECT_ROLE &&
		strcmp(((const RenameStmt *) statement)->subname, PA_READER_ROLE) == 0;
}

static void
refuse_change_of_reader(const Node *statement)
{
	if (gives_to_reader(statement))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("role %s cannot own tables", PA_READER_ROLE),
				errdetail("A table that it has owned bears no mark any more that it was protected, and would pass for one that has spent nothing where it is restored without the books."),
				errhint("Give them to another role."));
	if (renames_reader(statement))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("role %s cannot be renamed", PA_READER_ROLE),
				errdetail("Its privileges are the marks of tables that were protected: dumps would have them under another name."),
				errhint("Leave its name as it is."));
}

/* --- before a command --- */

void
pa_refuse_own_command(const Node *statement)
{
	if (IsBinaryUpgrade)
		return;
	if (IsA(statement, CreatedbStmt))
		refuse_number((const CreatedbStmt *) statement);
	refuse_change_of_reader(statement);
}

/* --- after it --- */

static bool
is_own_event_trigger(const Node *name)
{
	return name != NULL && IsA(name, String) && strncmp(((const String *) name)->sval, OWN_PREFIX, strlen(OWN_PREFIX)) == 0;
}

/* Whether what keeps the books might no longer be told what happens, or not be known as the extension's. */
static bool
unhinges(const Node *statement)
{
	if (IsA(statement, AlterEventTrigStmt))
		return strncmp(((const AlterEventTrigStmt *) statement)->trigname, OWN_PREFIX, strlen(OWN_PREFIX)) == 0 &&
			((const AlterEventTrigStmt *) statement)->tgenabled != TRIGGER_FIRES_ALWAYS;
	if (IsA(statement, RenameStmt))
		return ((const RenameStmt *) statement)->renameType == OBJECT_EVENT_TRIGGER &&
			is_own_event_trigger(((const RenameStmt *) statement)->object);
	if (IsA(statement, AlterOwnerStmt))
		return ((const AlterOwnerStmt *) statement)->objectType == OBJECT_EVENT_TRIGGER &&
			is_own_event_trigger(((const AlterOwnerStmt *) statement)->object);
	return IsA(statement, AlterExtensionContentsStmt) &&
		strcmp(((const AlterExtensionContentsStmt *) statement)->extname, PA_EXTENSION) == 0 &&
		((const AlterExtensionContentsStmt *) statement)->action < 0;
}

/* What it changes, for the books. */
static const char *
hinge(const Node *statement)
{
	return IsA(statement, AlterExtensionContentsStmt) ? "extension privacct" : "event trigger";
}

void
pa_warn_if_unhinged(const Node *statement)
{
	if (!pa_in_own_script() && !IsBinaryUpgrade && unhinges(statement))
	{
		pa_note_hand(hinge(statement), GetCommandTagName(CreateCommandTag((Node *) statement)));
		ereport(WARNING,
				errmsg("what keeps the books of privacct was changed"),
				errdetail("What tables have spent might be forgotten."),
				errhint("Undo it, and look at privacct.check_books()."));
	}
}
