/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * database_marks.c
 *		Commands after which nobody knows any more that a database had books.
 *
 * What tells that is in catalogs that all databases share: the privileges by which
 * tables remember that they were protected, and what books that were dropped have left.
 * A database goes with both, and RESET ALL takes the latter.  The books themselves are
 * then where no command of theirs sees it: in another database, or gone.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/pg_class.h"
#include "catalog/pg_db_role_setting.h"
#include "catalog/pg_type.h"
#include "commands/dbcommands.h"
#include "nodes/parsenodes.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"

#include "catalog/by_hand.h"
#include "catalog/role_objects.h"
#include "guard/guard.h"

#define LEFT_SETTING "privacct.dropped_books="

/* InvalidOid: none that the command could make forget. */
static Oid
database_of(const Node *statement)
{
	const char *name = NULL;

	if (IsA(statement, DropdbStmt))
		name = ((const DropdbStmt *) statement)->dbname;
	else if (IsA(statement, AlterDatabaseSetStmt))
		name = ((const AlterDatabaseSetStmt *) statement)->dbname;
	else if (IsA(statement, AlterRoleSetStmt) && ((const AlterRoleSetStmt *) statement)->role == NULL)
		name = ((const AlterRoleSetStmt *) statement)->database;
	return name ? get_database_oid(name, true) : InvalidOid;
}

static bool
has_left_setting(Datum settings)
{
	Datum	   *elements;
	int			count;

	deconstruct_array(DatumGetArrayTypeP(settings), TEXTOID, -1, false, TYPALIGN_INT, &elements, NULL, &count);
	for (int i = 0; i < count; i++)
	{
		const char *setting = TextDatumGetCString(elements[i]);

		if (strncmp(setting, LEFT_SETTING, strlen(LEFT_SETTING)) == 0 && setting[strlen(LEFT_SETTING)] != '\0')
			return true;
	}
	return false;
}

/* Whether books that were dropped have left with the database how far they went. */
static bool
remembers_books(Oid database)
{
	Relation	rel = table_open(DbRoleSettingRelationId, AccessShareLock);
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	row;
	bool		found = false;

	ScanKeyInit(&keys[0], Anum_pg_db_role_setting_setdatabase, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(database));
	ScanKeyInit(&keys[1], Anum_pg_db_role_setting_setrole, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(InvalidOid));
	scan = systable_beginscan(rel, DbRoleSettingDatidRolidIndexId, true, NULL, lengthof(keys), keys);
	while (!found && HeapTupleIsValid(row = systable_getnext(scan)))
	{
		bool		isnull;
		Datum		settings = heap_getattr(row, Anum_pg_db_role_setting_setconfig, RelationGetDescr(rel), &isnull);

		found = !isnull && has_left_setting(settings);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}

/* Whether a table of the database was ever protected. */
static bool
has_marked_tables(Oid database)
{
	Oid			reader = get_role_oid(PA_READER_ROLE, true);

	return OidIsValid(reader) && pa_role_may_use(reader, database, RelationRelationId);
}

PaDatabaseMarks
pa_database_marks(const Node *statement)
{
	PaDatabaseMarks marks = {.database = database_of(statement)};

	if (!OidIsValid(marks.database))
		return marks;
	marks.dropped = remembers_books(marks.database);
	marks.tables = IsA(statement, DropdbStmt) && has_marked_tables(marks.database);
	return marks;
}

/* Functions of the extension take back what it left: what it says counts. */
void
pa_warn_of_lost_marks(const Node *statement, const PaDatabaseMarks *marks)
{
	if (!marks->dropped && !marks->tables)
		return;
	if (IsA(statement, DropdbStmt))
		ereport(WARNING,
				errmsg("what tables of database \"%s\" have spent is forgotten", ((const DropdbStmt *) statement)->dbname),
				errdetail("Tables in it were protected. Where their rows are loaded again, from a dump without the books or from before, they would pass for new ones."),
				errhint("Protect them with an epsilon that is smaller by what was spent."));
	else if (!remembers_books(marks->database) && !pa_extension_writes())
		ereport(WARNING,
				errmsg("the database no longer remembers that books of privacct were dropped in it"),
				errdetail("Tables that have spent budget by them, and bear no mark of that, would pass for new ones."),
				errhint("Restore these books, or protect tables with an epsilon that is smaller by what was spent."));
}
