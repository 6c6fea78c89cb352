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
 *
 * Partitions that come to a table while no policy covers it have no history, nor has a
 * parent that a table gets in that time.  They get rows of the others by what is written
 * to the table.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "commands/prepare.h"
#include "fmgr.h"
#include "nodes/parsenodes.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "catalog/extension.h"
#include "catalog/known_owners.h"
#include "catalog/near.h"
#include "catalog/policy.h"
#include "catalog/protected.h"
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

/*
 * Of a table that has partitions or children with histories, the one without that gets rows of what is written to it;
 * InvalidOid: there is none.  What a policy covers has a history.
 */
static Oid
unknown_part(Oid table)
{
	PaRelationSet *parts;
	const ListCell *cell;

	if (!has_subclass(table) || pa_known_owners(table).owners == NIL || OidIsValid(pa_protected_root(table)))
		return InvalidOid;
	if (get_rel_relkind(table) != RELKIND_PARTITIONED_TABLE)
		return pa_has_history(table) ? InvalidOid : table;
	parts = pa_relation_set();
	pa_add_family(parts, table);
	foreach(cell, pa_relation_set_members(parts))
		if (get_rel_relkind(lfirst_oid(cell)) != RELKIND_PARTITIONED_TABLE && !pa_has_history(lfirst_oid(cell)))
			return lfirst_oid(cell);
	return InvalidOid;
}

/* Nobody protects a temporary table; what it has got is remembered. */
static void
tell_of_copy(Oid table, Oid unknown, const List *targets)
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

		if (OidIsValid(unknown))
			warn(unknown, origin);
		else if (origin->relation != table && !is_told(table, origin->relation))
			warn(table, origin);
	}
}

/* --- rows that go to another partition --- */

static bool
updates_key_of(const Query *query, Oid table, Oid partitioned)
{
	Relation	rel = table_open(partitioned, AccessShareLock);
	PartitionKey key = RelationGetPartitionKey(rel);
	Bitmapset  *columns = NULL;
	int			column = -1;
	bool		updated = false;

	for (int i = 0; i < key->partnatts; i++)
		if (key->partattrs[i] != InvalidAttrNumber)
			columns = bms_add_member(columns, key->partattrs[i] - FirstLowInvalidHeapAttributeNumber);
	pull_varattnos((Node *) key->partexprs, 1, &columns);
	while (!updated && (column = bms_next_member(columns, column)) >= 0)
	{
		const char *name = get_attname(partitioned, column + FirstLowInvalidHeapAttributeNumber, true);

		/* of a whole row any column */
		updated = name == NULL || pa_updates_column(query, get_attnum(table, name));
	}
	table_close(rel, AccessShareLock);
	return updated;
}

static bool
moves_rows(const Query *query, Oid table)
{
	PaRelationSet *partitions = pa_relation_set();
	const ListCell *cell;

	pa_add_family(partitions, table);
	foreach(cell, pa_relation_set_members(partitions))
		if (get_rel_relkind(lfirst_oid(cell)) == RELKIND_PARTITIONED_TABLE && updates_key_of(query, table, lfirst_oid(cell)))
			return true;
	return false;
}

/* --- statements that fill a table --- */

static bool
inserts(const Query *query)
{
	const ListCell *cell;

	foreach(cell, query->mergeActionList)
		if (((const MergeAction *) lfirst(cell))->commandType == CMD_INSERT)
			return true;
	return query->commandType == CMD_INSERT;
}

static void
tell_of_assigned(const Query *query, const Query *outer)
{
	Oid			table = query->resultRelation ? rt_fetch(query->resultRelation, query->rtable)->relid : InvalidOid;
	Oid			unknown;

	if (!OidIsValid(table) || query->commandType == CMD_DELETE)
		return;
	unknown = unknown_part(table);
	/* what reads nothing else copies nothing */
	if (list_length(query->rtable) > 1 || query->hasSubLinks || pa_is_remembered(table))
		tell_of_copy(table, unknown, pa_assigned_with_origin(query, outer, OidIsValid(unknown) && inserts(query) ? InvalidOid : table));
	if (OidIsValid(unknown) && moves_rows(query, table))
		warn(unknown, pa_make_origin(table, linitial_int(pa_known_owners(table).owners)));
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
		tell_of_copy(table, InvalidOid, pa_targets_with_origin(query));
}
