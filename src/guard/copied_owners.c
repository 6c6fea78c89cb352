/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * copied_owners.c
 *		Rows that are copied, with the columns that say whose they are, into a table of
 *		which the books know nothing.
 *
 * A table is known again by its names and by its columns.  A copy under another name that
 * has a column more or less passes for a new table, whose persons have lost nothing.  What
 * becomes of it nobody knows when it is made; so whoever makes it is told what to say when
 * it is protected.  What is computed of owners, or of several, is no copy.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "commands/prepare.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "parser/parsetree.h"
#include "rewrite/prs2lock.h"
#include "rewrite/rewriteHandler.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "catalog/known_owners.h"
#include "catalog/policy.h"
#include "compat/statement.h"
#include "descend.h"
#include "guard/guard.h"

/* --- what the columns of a query are --- */

/* A query, and those that it stands in. */
typedef struct Level
{
	const Query *query;
	const struct Level *outer;
} Level;

typedef struct Owner
{
	Oid			relation;		/* InvalidOid: none */
	AttrNumber	column;
} Owner;

static const Owner none = {InvalidOid, InvalidAttrNumber};

static Owner owner_in(const Level *level, AttrNumber column);

/* The same in another type, as far as a copy goes. */
static const Node *
without_casts(const Node *node)
{
	for (;;)
	{
		if (node && IsA(node, RelabelType))
			node = (const Node *) ((const RelabelType *) node)->arg;
		else if (node && IsA(node, CoerceViaIO))
			node = (const Node *) ((const CoerceViaIO *) node)->arg;
		else if (node && IsA(node, CollateExpr))
			node = (const Node *) ((const CollateExpr *) node)->arg;
		else if (node && IsA(node, FuncExpr) && ((const FuncExpr *) node)->funcformat != COERCE_EXPLICIT_CALL &&
				 ((const FuncExpr *) node)->args != NIL)
			node = linitial(((const FuncExpr *) node)->args);
		else
			return node;
	}
}

static const Level *
levels_up(const Level *level, Index count)
{
	for (; level && count > 0; count--)
		level = level->outer;
	return level;
}

static Owner
owner_in_with(const Level *level, const RangeTblEntry *rte, AttrNumber column)
{
	const Level *outer = levels_up(level, rte->ctelevelsup);
	const ListCell *cell;

	if (outer == NULL || rte->self_reference)
		return none;
	foreach(cell, outer->query->cteList)
	{
		const CommonTableExpr *with = lfirst(cell);
		Level		inner = {(const Query *) with->ctequery, outer};

		if (strcmp(with->ctename, rte->ctename) == 0 && IsA(with->ctequery, Query))
			return inner.query->commandType == CMD_SELECT ? owner_in(&inner, column) : none;
	}
	return none;
}

/* Others get no rows, but answers with noise. */
static bool
may_read(Oid relation, AttrNumber column)
{
	return pg_class_aclcheck(relation, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		pg_attribute_aclcheck(relation, column, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
}

/* The only rule of a materialized view is the query that it is filled with. */
static const Query *
query_of_view(Relation view)
{
	if (view->rd_rel->relkind == RELKIND_MATVIEW)
		return linitial_node(Query, view->rd_rules->rules[0]->actions);
	return get_view_query(view);
}

/* Rows of a materialized view are those that its query found.  A prepared statement may remember one that is gone. */
static Owner
owner_in_view(Oid relation, AttrNumber column)
{
	Relation	view = try_relation_open(relation, AccessShareLock);
	Level		inner = {NULL, NULL};
	Owner		owner;

	if (view == NULL)
		return none;
	inner.query = query_of_view(view);
	owner = owner_in(&inner, column);
	relation_close(view, AccessShareLock);
	return owner;
}

static Owner
owner_in_relation(const RangeTblEntry *rte, AttrNumber column)
{
	if (rte->relkind == RELKIND_VIEW || rte->relkind == RELKIND_MATVIEW)
		return column > 0 ? owner_in_view(rte->relid, column) : none;
	if (list_member_int(pa_known_owners(rte->relid).owners, column) && may_read(rte->relid, column))
		return (Owner) {rte->relid, column};
	return none;
}

/* What the expression is, if it is nothing else. */
static Owner
owner_of(const Level *level, const Node *node)
{
	const Var  *var;
	const RangeTblEntry *rte;
	Level		inner;

	pa_descend();
	node = without_casts(node);
	if (node == NULL || !IsA(node, Var))
		return none;
	var = (const Var *) node;
	level = levels_up(level, var->varlevelsup);
	if (level == NULL)
		return none;
	rte = rt_fetch(var->varno, level->query->rtable);
	inner = (Level) {rte->subquery, level};
	if (pa_key_of_grouping(rte, var->varattno))
		return owner_of(level, pa_key_of_grouping(rte, var->varattno));
	if (rte->rtekind == RTE_JOIN && var->varattno > 0)
		return owner_of(level, list_nth(rte->joinaliasvars, var->varattno - 1));
	if (rte->rtekind == RTE_SUBQUERY)
		return owner_in(&inner, var->varattno);
	if (rte->rtekind == RTE_CTE)
		return owner_in_with(level, rte, var->varattno);
	if (rte->rtekind == RTE_RELATION)
		return owner_in_relation(rte, var->varattno);
	return none;
}

static Owner
owner_in_union(const Level *level, const Node *branch, AttrNumber column)
{
	const SetOperationStmt *operation = (const SetOperationStmt *) branch;
	Owner		owner;

	pa_descend();
	if (IsA(branch, RangeTblRef))
	{
		Level		inner = {rt_fetch(((const RangeTblRef *) branch)->rtindex, level->query->rtable)->subquery, level};

		return owner_in(&inner, column);
	}
	owner = owner_in_union(level, operation->larg, column);
	if (OidIsValid(owner.relation) || operation->op == SETOP_EXCEPT)
		return owner;
	return owner_in_union(level, operation->rarg, column);
}

static Owner
owner_in(const Level *level, AttrNumber column)
{
	const TargetEntry *entry = get_tle_by_resno(level->query->targetList, column);

	pa_descend();
	if (level->query->setOperations)
		return owner_in_union(level, level->query->setOperations, column);
	return entry ? owner_of(level, (const Node *) entry->expr) : none;
}

/* The first column that says whose the rows of a known table are, and that is handed on as it is. */
static Owner
copied_owner(const Level *level, const List *targets)
{
	const ListCell *cell;

	foreach(cell, targets)
	{
		const TargetEntry *entry = lfirst(cell);
		Owner		owner = entry->resjunk ? none : level->query->setOperations ? owner_in(level, entry->resno) :
			owner_of(level, (const Node *) entry->expr);

		if (OidIsValid(owner.relation))
			return owner;
	}
	return none;
}

/* ... by INSERT or MERGE */
static Owner
inserted_owner(const Level *level)
{
	const ListCell *cell;

	if (level->query->commandType == CMD_INSERT)
		return copied_owner(level, level->query->targetList);
	foreach(cell, level->query->mergeActionList)
	{
		const MergeAction *action = lfirst(cell);
		Owner		owner = action->commandType == CMD_INSERT ? copied_owner(level, action->targetList) : none;

		if (OidIsValid(owner.relation))
			return owner;
	}
	return none;
}

/* --- what is said --- */

static void
warn(const char *target, Owner owner)
{
	Oid			source = owner.relation;
	char	   *name = quote_qualified_identifier(get_namespace_name(get_rel_namespace(source)), get_rel_name(source));

	ereport(WARNING,
			errmsg("table %s gets rows of owners of %s", target, get_rel_name(source)),
			errdetail("What was spent was spent for each owner that column \"%s\" tells. Whoever protects the copy is not asked about that, unless it has the name or the columns of the table.", get_attname(source, owner.column, false)),
			errhint("Protect it with inherits => %s.", quote_literal_cstr(name)));
}

static bool
is_known(Oid relation)
{
	PaKnownOwners known = pa_known_owners(relation);

	return known.owners != NIL || known.keys != NIL;
}

static void
warn_of_inserted(const Level *level)
{
	Oid			filled = level->query->resultRelation ? rt_fetch(level->query->resultRelation, level->query->rtable)->relid : InvalidOid;
	Owner		owner;

	if (!OidIsValid(filled) || get_rel_persistence(filled) == RELPERSISTENCE_TEMP)
		return;
	owner = inserted_owner(level);
	if (OidIsValid(owner.relation) && !is_known(filled))
		warn(get_rel_name(filled), owner);
}

void
pa_warn_of_copied_owners(const Query *query)
{
	Level		level = {query, NULL};
	const ListCell *cell;

	if (!pa_policies_existed())
		return;
	warn_of_inserted(&level);
	foreach(cell, query->cteList)
	{
		Level		inner = {(const Query *) ((const CommonTableExpr *) lfirst(cell))->ctequery, &level};

		if (IsA(inner.query, Query))
			warn_of_inserted(&inner);
	}
}

/* What the table will be filled with; NULL: a prepared statement that is none, which PostgreSQL reports. */
static const Query *
read_by(const CreateTableAsStmt *creation)
{
	const Query *query = (const Query *) creation->query;
	const PreparedStatement *prepared;

	if (query->commandType != CMD_UTILITY)
		return query;
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

void
pa_warn_of_copied_table(const Node *statement)
{
	const CreateTableAsStmt *creation = creation_in(statement);
	const RangeVar *table = creation ? creation->into->rel : NULL;
	Level		level = {NULL, NULL};
	Owner		owner;

	if (creation == NULL || creation->objtype != OBJECT_TABLE || creation->into->skipData || table->relpersistence == RELPERSISTENCE_TEMP || !pa_policies_existed() ||
		(creation->if_not_exists && OidIsValid(RangeVarGetRelid(table, NoLock, true))))
		return;
	level.query = read_by(creation);
	owner = level.query && level.query->commandType == CMD_SELECT ? copied_owner(&level, level.query->targetList) : none;
	if (OidIsValid(owner.relation))
		warn(table->relname, owner);
}
