/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * copied_owners.c
 *		Rows that are copied into a table whose books know nothing of them.
 *
 * A table is known again by its names and by its columns.  A copy under another name that
 * has a column more or less passes for a new table, whose persons have lost nothing.  What
 * becomes of it nobody knows when it is made; so whoever makes it is told what to say when
 * it is protected.  A table that has a history of its own may get rows of others as well:
 * that is told unless it was said before what the two have to do with each other.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/prepare.h"
#include "fmgr.h"
#include "nodes/parsenodes.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "catalog/extension.h"
#include "catalog/known_owners.h"
#include "catalog/policy.h"
#include "guard/guard.h"
#include "guard/origin.h"
#include "guard/temporary_copy.h"

static void
warn(Oid table, const PaOrigin *origin)
{
	if (origin->column == InvalidAttrNumber)
		ereport(WARNING,
				errmsg("table %s gets rows of %s", get_rel_name(table), origin->name),
				errdetail("They come without a column that says whose they are. What these persons have lost is not known of the copy: whoever protects it is not asked about that, unless it has the name or the columns of the table."),
				errhint("Copy that column, too, and protect the table by it, with inherits => %s.", quote_literal_cstr(origin->qualified_name)));
	else
		ereport(WARNING,
				errmsg("table %s gets rows of owners of %s", get_rel_name(table), origin->name),
				errdetail("What was spent was spent for each owner that column \"%s\" tells. Whoever protects the copy is not asked about that, unless it has the name or the columns of the table.", origin->column_name),
				errhint("Protect it with inherits => %s.", quote_literal_cstr(origin->qualified_name)));
}

/* Where the extension is still of a version without it, nobody is asked about other tables either. */
static bool
is_told(Oid table, Oid source)
{
	static const Oid arguments[] = {OIDOID, OIDOID};
	PaKnownOwners known = pa_known_owners(table);
	Oid			function;
	bool		told;

	if (known.owners == NIL && known.keys == NIL)
		return false;
	function = pa_find_own_function("_is_told", lengthof(arguments), arguments);
	if (!OidIsValid(function))
		return true;
	PushActiveSnapshot(GetTransactionSnapshot());
	told = DatumGetBool(OidFunctionCall2(function, ObjectIdGetDatum(table), ObjectIdGetDatum(source)));
	PopActiveSnapshot();
	return told;
}

/* Nobody protects a temporary table; what it has got is remembered. */
static void
tell_of_copy(Oid table, const List *targets)
{
	List	   *origins = NIL;
	const ListCell *cell;

	if (get_rel_persistence(table) == RELPERSISTENCE_TEMP)
	{
		pa_remember_temporary(table, targets);
		return;
	}
	foreach(cell, targets)
		origins = pa_add_origins(origins, ((const PaTarget *) lfirst(cell))->origins);
	foreach(cell, origins)
	{
		const PaOrigin *origin = lfirst(cell);

		if (origin->relation != table && !is_told(table, origin->relation))
			warn(table, origin);
	}
}

/* --- statements that fill a table --- */

static void
tell_of_assigned(const Query *query, const Query *outer)
{
	Oid			table = query->resultRelation ? rt_fetch(query->resultRelation, query->rtable)->relid : InvalidOid;

	/* what reads nothing else copies nothing */
	if (OidIsValid(table) && (list_length(query->rtable) > 1 || query->hasSubLinks))
		tell_of_copy(table, pa_assigned_with_origin(query, outer, table));
}

void
pa_warn_of_copied_owners(const Query *query)
{
	const ListCell *cell;

	if (!pa_policies_existed())
		return;
	foreach(cell, query->cteList)
	{
		const Query *with = (const Query *) ((const CommonTableExpr *) lfirst(cell))->ctequery;

		if (IsA(with, Query))
			tell_of_assigned(with, query);
	}
	tell_of_assigned(query, NULL);	/* which may read what they return of a temporary table */
}

/* --- statements that make a table of a query --- */

/* Of what it is filled. */
struct PaTableCopy
{
	const CreateTableAsStmt *creation;
	const Query *query;			/* before the planner takes it apart; NULL: a prepared statement says it */
};

/* NULL: nobody knows. */
static const Query *
read_by(const PaTableCopy *copy)
{
	const Query *query = (const Query *) copy->creation->query;
	const PreparedStatement *prepared;

	if (copy->query)
		return copy->query;
	prepared = FetchPreparedStatement(castNode(ExecuteStmt, query->utilityStmt)->name, false);
	return prepared && list_length(prepared->plansource->query_list) == 1 ? linitial_node(Query, prepared->plansource->query_list) : NULL;
}

/* NULL: the statement makes no table of a query.  EXPLAIN (ANALYZE) makes the table, too. */
static const CreateTableAsStmt *
creation_in(const Node *statement)
{
	if (IsA(statement, ExplainStmt))
		statement = ((const Query *) ((const ExplainStmt *) statement)->query)->utilityStmt;
	return statement && IsA(statement, CreateTableAsStmt) ? (const CreateTableAsStmt *) statement : NULL;
}

static PaTableCopy *
begin_copy(const CreateTableAsStmt *creation)
{
	const Query *query = (const Query *) creation->query;
	PaTableCopy *copy = palloc(sizeof(PaTableCopy));

	*copy = (PaTableCopy) {creation, query->commandType == CMD_UTILITY ? NULL : copyObject(query)};
	return copy;
}

PaTableCopy *
pa_copy_begins(const Node *statement)
{
	const CreateTableAsStmt *creation = creation_in(statement);

	if (creation == NULL || creation->objtype != OBJECT_TABLE || creation->into->skipData || !pa_policies_existed() ||
		(creation->if_not_exists && OidIsValid(RangeVarGetRelid(creation->into->rel, NoLock, true))))
		return NULL;
	return begin_copy(creation);
}

/* EXPLAIN without ANALYZE makes none. */
void
pa_copy_ends(const PaTableCopy *copy)
{
	Oid			table = copy ? RangeVarGetRelid(copy->creation->into->rel, NoLock, true) : InvalidOid;
	const Query *query = OidIsValid(table) ? read_by(copy) : NULL;

	if (query && query->commandType == CMD_SELECT)
		tell_of_copy(table, pa_targets_with_origin(query));
}
