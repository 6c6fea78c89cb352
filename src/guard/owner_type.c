/*
 * owner_type.c
 *		Before the type of a column changes: owners must not become one another.
 *
 * What two owners lost is in one account each, or bounded for each: once a new
 * type gives them one name, what is charged to that name later is only half of
 * the story.  Event triggers are not told which column ALTER TYPE rewrites, and
 * by what.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "commands/tablecmds.h"
#include "fmgr.h"
#include "nodes/parsenodes.h"
#include "parser/parse_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "catalog/extension.h"
#include "guard/guard.h"

/* Types, each with those that keep all of its values apart by PostgreSQL's own cast, without a length. */
static const Oid wider[][2] = {
	{INT2OID, INT4OID}, {INT2OID, INT8OID}, {INT2OID, NUMERICOID}, {INT2OID, TEXTOID},
	{INT4OID, INT8OID}, {INT4OID, NUMERICOID}, {INT4OID, TEXTOID},
	{INT8OID, NUMERICOID}, {INT8OID, TEXTOID},
	{VARCHAROID, TEXTOID}, {VARCHAROID, VARCHAROID}, {TEXTOID, VARCHAROID}, {TEXTOID, TEXTOID},
	{UUIDOID, TEXTOID},
};

static bool
keeps_apart(Oid from, Oid to, int32 typmod)
{
	for (int i = 0; typmod < 0 && i < lengthof(wider); i++)
		if (wider[i][0] == from && wider[i][1] == to)
			return true;
	return false;
}

/* Without COLLATE: a collation may hold for equal what differed. */
static bool
is_harmless(Oid relation, const AlterTableCmd *command)
{
	const ColumnDef *definition = castNode(ColumnDef, command->def);
	AttrNumber	column = get_attnum(relation, command->name);
	Oid			type;
	int32		typmod;

	if (column == InvalidAttrNumber)
		return true;			/* PostgreSQL will say so */
	typenameTypeIdAndMod(NULL, definition->typeName, &type, &typmod);
	return definition->raw_default == NULL && definition->collClause == NULL &&
		keeps_apart(get_atttype(relation, column), type, typmod);
}

/* Refuses for an open policy, and makes sure that a closed one is not renewed by this column. */
static void
owners_rewritten(Oid relation, const char *column)
{
	static const Oid arguments[] = {REGCLASSOID, NAMEOID};
	Oid			function = pa_find_own_function("_owners_rewritten", 2, arguments);
	NameData	name;

	if (!OidIsValid(function))
	{
		if (OidIsValid(pa_protected_root(relation)))
			pa_require_version();
		return;
	}
	namestrcpy(&name, column);
	(void) OidFunctionCall2(function, ObjectIdGetDatum(relation), NameGetDatum(&name));
}

/* The table is locked before policies are looked for, as ALTER TABLE itself would lock it: protect() may be under way. */
void
pa_before_alter_table(const AlterTableStmt *statement)
{
	Oid			relation = InvalidOid;
	ListCell   *cell;

	if (!IsTransactionState() || !OidIsValid(pa_schema()))
		return;
	foreach(cell, statement->cmds)
	{
		const AlterTableCmd *command = lfirst(cell);

		if (command->subtype != AT_AlterColumnType)
			continue;
		if (!OidIsValid(relation))
			relation = AlterTableLookupRelation(unconstify(AlterTableStmt *, statement), AlterTableGetLockLevel(statement->cmds));
		if (OidIsValid(relation) && !is_harmless(relation, command))
			owners_rewritten(relation, command->name);
	}
}
