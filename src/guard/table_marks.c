/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table_marks.c
 *		Commands that take from a table by what it says that it was protected.
 *
 * That is a privilege of privacct_reader.  Of tables that the books know the extension
 * tells.  Others have it where they were restored without their books, or have lost them:
 * it is all that is known of them, and there may be no extension that could tell.
 */
#include "postgres.h"

#include "access/xact.h"
#include "lib/stringinfo.h"
#include "nodes/parsenodes.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "catalog/by_hand.h"
#include "catalog/known_owners.h"
#include "catalog/role_objects.h"
#include "guard/guard.h"

static bool
may_take_mark(const Node *statement)
{
	return IsA(statement, DropOwnedStmt) || (IsA(statement, GrantStmt) && !((const GrantStmt *) statement)->is_grant);
}

static bool
is_marked(Oid table, Oid reader)
{
	bool		missing = false;

	return pg_class_aclcheck_ext(table, reader, ACL_REFERENCES, &missing) == ACLCHECK_OK;
}

List *
pa_marked_tables(const Node *statement)
{
	Oid			reader = may_take_mark(statement) ? get_role_oid(PA_READER_ROLE, true) : InvalidOid;
	List	   *marked = NIL;
	const ListCell *cell;

	if (!OidIsValid(reader) || pa_extension_writes())
		return NIL;
	foreach(cell, pa_tables_usable_by(reader))
	{
		PaKnownOwners known = pa_known_owners(lfirst_oid(cell));

		if (known.owners == NIL && known.keys == NIL && is_marked(lfirst_oid(cell), reader))
			marked = lappend_oid(marked, lfirst_oid(cell));
	}
	return marked;
}

void
pa_warn_of_lost_table_marks(const List *marked)
{
	Oid			reader;
	StringInfoData lost;
	const ListCell *cell;

	if (marked == NIL)
		return;
	CommandCounterIncrement();
	reader = get_role_oid(PA_READER_ROLE, true);
	initStringInfo(&lost);
	foreach(cell, marked)
	{
		Oid			table = lfirst_oid(cell);

		if (get_rel_name(table) != NULL && !(OidIsValid(reader) && is_marked(table, reader)))
			appendStringInfo(&lost, "%s%s", lost.len > 0 ? ", " : "",
							 quote_qualified_identifier(get_namespace_name(get_rel_namespace(table)), get_rel_name(table)));
	}
	if (lost.len > 0)
		ereport(WARNING,
				errmsg("tables no longer remember that they were protected: %s", lost.data),
				errdetail("What was spent on them is in books that are not here. Whoever protects them is not asked about that any more."),
				errhint("If they have spent budget, GRANT REFERENCES ON %s TO %s.", lost.data, PA_READER_ROLE));
}
