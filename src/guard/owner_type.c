/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_type.c
 *		Before the type of a column changes: owners must not become one another, nor somebody new.
 *
 * What two owners lost is in one account each, or bounded for each: once a new
 * type gives them one name, what is charged to that name later is only half of
 * the story.  And where books are kept by keys of owners, which are made of their
 * values as they are stored, another kind of key makes strangers of all of them.
 * Along a path rows belong to others once a column has values that refer elsewhere.
 * Event triggers are not told which column ALTER TYPE rewrites, and by what.
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "commands/tablecmds.h"
#include "fmgr.h"
#include "nodes/parsenodes.h"
#include "parser/parse_coerce.h"
#include "parser/parse_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "catalog/extension.h"
#include "catalog/owner_key.h"
#include "guard/guard.h"

/* What a new type does to owners. */
typedef enum OwnerChange
{
	OWNERS_KEPT,				/* each has the same key */
	OWNERS_RENAMED,				/* each has another key, and no two the same */
	OWNERS_MERGED				/* two may have one */
} OwnerChange;

/* What PostgreSQL itself makes of a value; a cast that somebody has defined may make one of two. */
static bool
is_cast_by_postgres(Oid from, Oid to)
{
	Oid			function;
	CoercionPathType path = find_coercion_pathway(to, from, COERCION_ASSIGNMENT, &function);

	return from == to || path == COERCION_PATH_RELABELTYPE || path == COERCION_PATH_COERCEVIAIO ||
		(path == COERCION_PATH_FUNC && function < FirstUnpinnedObjectId);
}

/* Whether what a type of one length holds is the same with another: numeric has a scale in its lower half. */
static bool
holds_all(Oid type, int32 before, int32 after)
{
	if (after == before)
		return true;
	if (type == VARCHAROID)
		return after < 0 || (before >= 0 && after > before);
	return type == NUMERICOID && before >= 0 && after > before &&
		((before - VARHDRSZ) & 0xffff) == ((after - VARHDRSZ) & 0xffff);
}

static OwnerChange
change_of_type(Oid from, int32 from_typmod, Oid to, int32 typmod)
{
	PaOwnerKey	before = pa_owner_key(from);
	PaOwnerKey	after = pa_owner_key(to);

	if (from == to && holds_all(from, from_typmod, typmod))
		return OWNERS_KEPT;
	if (before == PA_OWNER_KEY_NONE || typmod >= 0 || !is_cast_by_postgres(from, to))
		return OWNERS_MERGED;
	if (before == after)
		return OWNERS_KEPT;
	return after == PA_OWNER_KEY_TEXT ? OWNERS_RENAMED : OWNERS_MERGED;	/* the output of integers and UUIDs */
}

/* Without COLLATE: a collation may hold for equal what differed. */
static OwnerChange
change_of_column(Oid relation, const AlterTableCmd *command)
{
	const ColumnDef *definition = castNode(ColumnDef, command->def);
	AttrNumber	column = get_attnum(relation, command->name);
	Oid			before,
				type,
				collation;
	int32		typmod_before,
				typmod;

	if (column == InvalidAttrNumber)
		return OWNERS_KEPT;		/* PostgreSQL will say so */
	typenameTypeIdAndMod(NULL, definition->typeName, &type, &typmod);
	if (definition->raw_default != NULL || definition->collClause != NULL)
		return OWNERS_MERGED;
	get_atttypetypmodcoll(relation, column, &before, &typmod_before, &collation);
	return change_of_type(before, typmod_before, type, typmod);
}

/* Refuses for an open policy, and makes sure that a closed one is not renewed by a column that may have merged owners. */
static void
owners_rewritten(Oid relation, const char *column, bool apart)
{
	static const Oid arguments[] = {REGCLASSOID, NAMEOID, BOOLOID};
	Oid			function = pa_find_own_function("_owners_rewritten", lengthof(arguments), arguments);
	NameData	name;

	if (!OidIsValid(function))
	{
		if (OidIsValid(pa_protected_root(relation)))
			pa_require_version();
		return;
	}
	namestrcpy(&name, column);
	(void) OidFunctionCall3(function, ObjectIdGetDatum(relation), NameGetDatum(&name), BoolGetDatum(apart));
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
		OwnerChange change;

		if (command->subtype != AT_AlterColumnType)
			continue;
		if (!OidIsValid(relation))
			relation = AlterTableLookupRelation(unconstify(AlterTableStmt *, statement), AlterTableGetLockLevel(statement->cmds));
		change = OidIsValid(relation) ? change_of_column(relation, command) : OWNERS_KEPT;
		if (change != OWNERS_KEPT)
			owners_rewritten(relation, command->name, change == OWNERS_RENAMED);
	}
}
