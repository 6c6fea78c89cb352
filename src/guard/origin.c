/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * origin.c
 *		See origin.h.
 *
 * A column is followed through subqueries, WITH queries, unions, joins and views to the
 * tables that it is made of.  Whatever is computed of one row is of that row: a hash of a
 * name is a name; and what is computed of the rows of one owner is of that owner.  Where
 * rows are grouped otherwise, only columns that say whose they are remain of somebody; so
 * it is where duplicates are removed.
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "rewrite/prs2lock.h"
#include "rewrite/rewriteHandler.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "catalog/known_owners.h"
#include "catalog/near.h"
#include "compat/statement.h"
#include "descend.h"
#include "guard/origin.h"
#include "guard/temporary_copy.h"

#define GROUPS (-1)				/* in place of a column: what the query groups by */

typedef struct ColumnKey
{
	const Query *query;
	int32		column;
	int32		grouped;
} ColumnKey;

typedef struct FoundColumn
{
	ColumnKey	key;
	List	   *origins;
} FoundColumn;

/* What is the same for all levels. */
typedef struct Statement
{
	Oid			filled;			/* InvalidOid: no table is */
	HTAB	   *found;			/* of FoundColumn, for a WITH query may be read many times; NULL: no query was read */
} Statement;

/* A query, and those that it stands in. */
typedef struct Level
{
	const Query *query;
	const struct Level *outer;
	bool		grouped;		/* what it hands on is of several owners, or becomes so further out */
	bool		returned;		/* it changes a table, and hands on what is in it then */
	Statement  *statement;
} Level;

/* The origins of an expression so far. */
typedef struct Search
{
	const Level *level;
	List	   *origins;
} Search;

static List *origins_in(const Level *level, AttrNumber column);
static List *origins_of(const Level *level, const Node *expression);
static bool origins_walker(Node *node, Search *search);

/* Lists are shared, and stay as they are. */
List *
pa_add_origins(const List *origins, const List *others)
{
	List	   *sum = list_copy(origins);
	const ListCell *cell;

	foreach(cell, others)
	{
		PaOrigin   *other = lfirst(cell);
		ListCell   *there;

		foreach(there, sum)
			if (((PaOrigin *) lfirst(there))->relation == other->relation)
				break;
		if (there == NULL)
			sum = lappend(sum, other);
		else if (((PaOrigin *) lfirst(there))->column == InvalidAttrNumber)
			lfirst(there) = other;
	}
	return sum;
}

static bool
is_grouped(const Query *query)
{
	return query->hasAggs || query->groupClause != NIL || query->groupingSets != NIL || query->havingQual != NULL ||
		(query->distinctClause != NIL && !query->hasDistinctOn);
}

static HTAB *
found_so_far(Statement *statement)
{
	HASHCTL		ctl = {.keysize = sizeof(ColumnKey), .entrysize = sizeof(FoundColumn), .hcxt = CurrentMemoryContext};

	if (statement->found == NULL)
		statement->found = hash_create("privacct origins", 16, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	return statement->found;
}

static void
keep_found(Statement *statement, const ColumnKey *key, List *origins)
{
	FoundColumn *found = hash_search(found_so_far(statement), key, HASH_ENTER, NULL);

	found->origins = origins;
}

/* Of whom each group of rows is; NIL: of several. */
static List *
owners_of_groups(const Level *level, const List *clauses)
{
	Level		of_several = *level;
	List	   *owners = NIL;
	const ListCell *cell;

	of_several.grouped = true;	/* all that is left are owners */
	foreach(cell, clauses)
		owners = pa_add_origins(owners, origins_of(&of_several, get_sortgroupclause_expr(lfirst(cell), level->query->targetList)));
	return owners;
}

static List *
owners_of_query(const Level *level)
{
	ColumnKey	key = {level->query, GROUPS, true};
	const FoundColumn *found = hash_search(found_so_far(level->statement), &key, HASH_FIND, NULL);
	List	   *owners;

	if (found)
		return found->origins;
	owners = owners_of_groups(level, level->query->groupClause);
	keep_found(level->statement, &key, owners);
	return owners;
}

static bool
is_of_several_owners(const Level *level)
{
	return is_grouped(level->query) && (level->query->groupClause == NIL || owners_of_query(level) == NIL);
}

/* A query that nobody reads but the statement. */
static Level
first_level(const Query *query, Statement *statement)
{
	Level		level = {.query = query, .statement = statement};

	level.grouped = is_of_several_owners(&level);
	return level;
}

static Level
level_in(const Query *query, const Level *outer, const Level *reader)
{
	Level		level = {query, outer, false, query->commandType != CMD_SELECT, reader->statement};

	level.grouped = reader->grouped || is_of_several_owners(&level);
	return level;
}

static const Level *
levels_up(const Level *level, Index count)
{
	for (; level && count > 0; count--)
		level = level->outer;
	return level;
}

/* What a query hands on: a statement that changes a table, what it returns. */
static List *
handed_on(const Query *query)
{
	return query->commandType == CMD_SELECT ? query->targetList : query->returningList;
}

/* --- what stands in FROM --- */

static bool
may_read(Oid relation, AttrNumber column)
{
	return pg_class_aclcheck(relation, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		(column != InvalidAttrNumber && pg_attribute_aclcheck(relation, column, GetUserId(), ACL_SELECT) == ACLCHECK_OK);
}

static List *
without_others(const List *origins)
{
	List	   *owners = NIL;
	const ListCell *cell;

	foreach(cell, origins)
		if (((const PaOrigin *) lfirst(cell))->column != InvalidAttrNumber)
			owners = lappend(owners, lfirst(cell));
	return owners;
}

/* The table itself, or one below it by whose history it is known. */
static Oid
with_history(Oid table)
{
	PaRelationSet *family = pa_relation_set();
	const ListCell *cell;

	pa_add_family(family, table);
	foreach(cell, pa_relation_set_members(family))
		if (pa_has_history(lfirst_oid(cell)))
			return lfirst_oid(cell);
	return table;
}

PaOrigin *
pa_make_origin(Oid relation, AttrNumber column)
{
	Oid			named = with_history(relation);
	PaOrigin   *origin = palloc(sizeof(PaOrigin));

	*origin = (PaOrigin) {
		.relation = relation,
		.column = column,
		.name = get_rel_name(relation),
		.qualified_name = quote_qualified_identifier(get_namespace_name(get_rel_namespace(named)), get_rel_name(named)),
		.column_name = column == InvalidAttrNumber ? NULL : get_attname(relation, column, false)
	};
	return origin;
}

/* The owner column that a generated column is computed from; InvalidAttrNumber: it is of none. */
static AttrNumber
owner_in_generated(Oid relation, AttrNumber column, const List *owners)
{
	Relation	rel;
	Bitmapset  *read = NULL;
	const ListCell *cell;

	if (column <= 0 || get_attgenerated(relation, column) == '\0')
		return InvalidAttrNumber;
	rel = table_open(relation, AccessShareLock);
	pull_varattnos(build_column_default(rel, column), 1, &read);
	table_close(rel, AccessShareLock);
	foreach(cell, owners)
		if (bms_is_member(lfirst_int(cell) - FirstLowInvalidHeapAttributeNumber, read))
			return lfirst_int(cell);
	return InvalidAttrNumber;
}

/* A whole row has the owner, too.  A prepared statement may remember a table that is gone. */
static List *
origins_in_table(const Level *level, Oid relation, AttrNumber column)
{
	List	   *remembered;
	PaKnownOwners known;

	if (get_rel_name(relation) == NULL)
		return NIL;
	remembered = pa_temporary_origins(relation, column);
	known = pa_known_owners(relation);
	if (remembered != NIL)
		return level->grouped ? without_others(remembered) : remembered;
	if ((known.owners == NIL && known.keys == NIL) || relation == level->statement->filled || !may_read(relation, column))
		return NIL;
	if (column == InvalidAttrNumber && known.owners != NIL)
		column = linitial_int(known.owners);
	if (!list_member_int(known.owners, column))
		column = owner_in_generated(relation, column, known.owners);
	if (column == InvalidAttrNumber && level->grouped)
		return NIL;
	return list_make1(pa_make_origin(relation, column));
}

/* Any column of it, if none is named. */
static List *
origins_in_query(const Level *level, AttrNumber column)
{
	List	   *origins = NIL;
	const ListCell *cell;

	if (column != InvalidAttrNumber)
		return origins_in(level, column);
	foreach(cell, handed_on(level->query))
		origins = pa_add_origins(origins, origins_in(level, ((const TargetEntry *) lfirst(cell))->resno));
	return origins;
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
static List *
origins_in_view(const Level *level, Oid relation, AttrNumber column)
{
	Relation	view = try_relation_open(relation, AccessShareLock);
	Level		inner;
	List	   *origins;

	if (view == NULL)
		return NIL;
	inner = level_in(query_of_view(view), NULL, level);
	origins = origins_in_query(&inner, column);
	relation_close(view, AccessShareLock);
	return origins;
}

static List *
origins_in_relation(const Level *level, const RangeTblEntry *rte, AttrNumber column)
{
	if (rte->relkind == RELKIND_VIEW || rte->relkind == RELKIND_MATVIEW)
		return column < 0 ? NIL : origins_in_view(level, rte->relid, column);
	return origins_in_table(level, rte->relid, column);
}

static List *
origins_in_with(const Level *level, const RangeTblEntry *rte, AttrNumber column)
{
	const Level *outer = levels_up(level, rte->ctelevelsup);
	const ListCell *cell;

	if (outer == NULL || rte->self_reference)
		return NIL;
	foreach(cell, outer->query->cteList)
	{
		const CommonTableExpr *with = lfirst(cell);
		Level		inner;

		if (strcmp(with->ctename, rte->ctename) != 0 || !IsA(with->ctequery, Query))
			continue;
		inner = level_in((const Query *) with->ctequery, outer, level);
		return origins_in_query(&inner, column);
	}
	return NIL;
}

/* Rows of constants are many, and have no origin. */
static List *
origins_in_values(const Level *level, const RangeTblEntry *rte, AttrNumber column)
{
	List	   *origins = NIL;
	const ListCell *cell;

	if (!rte->lateral && !level->query->hasSubLinks && level->outer == NULL)
		return NIL;
	foreach(cell, rte->values_lists)
	{
		const Node *row = lfirst(cell);

		origins = pa_add_origins(origins, origins_of(level, column == InvalidAttrNumber ? row : list_nth((const List *) row, column - 1)));
	}
	return origins;
}

static List *
origins_in_entry(const Level *level, const RangeTblEntry *rte, AttrNumber column)
{
	Level		inner;

	if (pa_key_of_grouping(rte, column))
		return origins_of(level, pa_key_of_grouping(rte, column));
	if (rte->rtekind == RTE_RELATION)
		return origins_in_relation(level, rte, column);
	if (rte->rtekind == RTE_SUBQUERY)
	{
		inner = level_in(rte->subquery, level, level);
		return origins_in_query(&inner, column);
	}
	if (rte->rtekind == RTE_CTE)
		return origins_in_with(level, rte, column);
	if (rte->rtekind == RTE_JOIN)
		return origins_of(level, column > 0 ? list_nth(rte->joinaliasvars, column - 1) : (const Node *) rte->joinaliasvars);
	if (rte->rtekind == RTE_VALUES)
		return origins_in_values(level, rte, column);
	return origins_of(level, rte->rtekind == RTE_TABLEFUNC ? (const Node *) rte->tablefunc : (const Node *) rte->functions);
}

/* --- expressions --- */

/* Of what it is made is not to be seen in it. */
static bool
is_condition(const Node *node)
{
	if (IsA(node, OpExpr))
		return ((const OpExpr *) node)->opresulttype == BOOLOID;
	if (IsA(node, FuncExpr))
		return ((const FuncExpr *) node)->funcresulttype == BOOLOID;
	return IsA(node, DistinctExpr) || IsA(node, ScalarArrayOpExpr) || IsA(node, RowCompareExpr) ||
		IsA(node, BoolExpr) || IsA(node, NullTest) || IsA(node, BooleanTest);
}

static List *
owners_of_window(const Level *level, Index window)
{
	const ListCell *cell;

	foreach(cell, level->query->windowClause)
		if (((const WindowClause *) lfirst(cell))->winref == window)
			return owners_of_groups(level, ((const WindowClause *) lfirst(cell))->partitionClause);
	return NIL;
}

/* Of whom all rows are of which something is computed; NIL: of several. */
static List *
owners_of_aggregate(const Level *level, const Node *node)
{
	if (IsA(node, WindowFunc))
		return owners_of_window(level, ((const WindowFunc *) node)->winref);
	return IsA(node, Aggref) && ((const Aggref *) node)->agglevelsup == 0 && level->query->groupClause != NIL ?
		owners_of_query(level) : NIL;
}

static bool
is_of_rows(const Node *node)
{
	return IsA(node, Aggref) || IsA(node, GroupingFunc) || (IsA(node, WindowFunc) && ((const WindowFunc *) node)->winagg);
}

/* Rows of these owners, which do not say whose they are. */
static List *
without_names(const List *owners)
{
	List	   *rows = NIL;
	const ListCell *cell;

	foreach(cell, owners)
	{
		PaOrigin   *row = palloc(sizeof(PaOrigin));

		*row = *(const PaOrigin *) lfirst(cell);
		row->column = InvalidAttrNumber;
		row->column_name = NULL;
		rows = lappend(rows, row);
	}
	return rows;
}

static List *
origins_of_entries(const Level *level, const List *entries, AttrNumber column)
{
	List	   *origins = NIL;
	const ListCell *cell;

	foreach(cell, entries)
	{
		const TargetEntry *entry = lfirst(cell);

		if (!entry->resjunk && (entry->resno == column || column == InvalidAttrNumber))
			origins = pa_add_origins(origins, origins_of(level, (const Node *) entry->expr));
	}
	return origins;
}

/* What a statement writes to a column of the table that it changes, or to any. */
static List *
origins_of_written(const Level *level, AttrNumber column)
{
	Level		writing = *level;
	const Query *query = level->query;
	List	   *origins;
	const ListCell *cell;

	writing.returned = false;
	origins = query->commandType == CMD_DELETE ? NIL : origins_of_entries(&writing, query->targetList, column);
	foreach(cell, query->mergeActionList)
		origins = pa_add_origins(origins, origins_of_entries(&writing, ((const MergeAction *) lfirst(cell))->targetList, column));
	if (query->onConflict)
		origins = pa_add_origins(origins, origins_of_entries(&writing, query->onConflict->onConflictSet, column));
	return origins;
}

static List *
origins_of_var(const Level *level, const Var *var)
{
	List	   *origins;

	level = levels_up(level, var->varlevelsup);
	if (level == NULL)
		return NIL;
	origins = origins_in_entry(level, rt_fetch(var->varno, level->query->rtable), var->varattno);
	return level->returned && var->varno == level->query->resultRelation ?
		pa_add_origins(origins, origins_of_written(level, var->varattno)) : origins;
}

static List *
origins_of_sublink(const Level *level, const SubLink *link, AttrNumber column)
{
	Level		inner = level_in((const Query *) link->subselect, level, level);

	return origins_in(&inner, column);
}

/* SET (a, b) = (SELECT ...): the subquery is another entry of the list. */
static List *
origins_of_parameter(const Level *level, const Param *parameter)
{
	const ListCell *cell;

	if (parameter->paramkind != PARAM_MULTIEXPR)
		return NIL;
	foreach(cell, level->query->targetList)
	{
		const SubLink *link = (const SubLink *) ((const TargetEntry *) lfirst(cell))->expr;

		if (IsA(link, SubLink) && link->subLinkType == MULTIEXPR_SUBLINK && link->subLinkId == parameter->paramid >> 16)
			return origins_of_sublink(level, link, parameter->paramid & 0xffff);
	}
	return NIL;
}

/* Something is computed of each owner, who is not named by it unless it is computed of the name. */
static bool
walk_aggregate(Node *node, Search *search)
{
	const List *owners = owners_of_aggregate(search->level, node);

	if (owners == NIL)
		return false;
	if (!search->level->grouped)
		search->origins = pa_add_origins(search->origins, without_names(owners));
	return expression_tree_walker(node, origins_walker, search);
}

static bool
origins_walker(Node *node, Search *search)
{
	const SubLink *link = (const SubLink *) node;
	List	   *origins = NIL;

	pa_descend();
	if (node == NULL || is_condition(node))
		return false;
	if (is_of_rows(node))
		return walk_aggregate(node, search);
	if (IsA(node, Var))
		origins = origins_of_var(search->level, (const Var *) node);
	else if (IsA(node, Param))
		origins = origins_of_parameter(search->level, (const Param *) node);
	else if (!IsA(node, SubLink))
		return expression_tree_walker(node, origins_walker, search);
	else if (link->subLinkType == EXPR_SUBLINK || link->subLinkType == ARRAY_SUBLINK)
		origins = origins_of_sublink(search->level, link, 1);
	search->origins = pa_add_origins(search->origins, origins);
	return false;
}

static List *
origins_of(const Level *level, const Node *expression)
{
	Search		search = {level, NIL};

	(void) origins_walker(unconstify(Node *, expression), &search);
	return search.origins;
}

/* --- columns of queries --- */

static List *
origins_in_union(const Level *level, const Node *branch, AttrNumber column)
{
	const SetOperationStmt *operation = (const SetOperationStmt *) branch;
	Level		whole = *level;
	List	   *origins;

	pa_descend();
	if (IsA(branch, RangeTblRef))
		return origins_in_entry(level, rt_fetch(((const RangeTblRef *) branch)->rtindex, level->query->rtable), column);
	whole.grouped |= !operation->all;
	origins = origins_in_union(&whole, operation->larg, column);
	return operation->op == SETOP_EXCEPT ? origins : pa_add_origins(origins, origins_in_union(&whole, operation->rarg, column));
}

static List *
find_in(const Level *level, AttrNumber column)
{
	const TargetEntry *entry = get_tle_by_resno(handed_on(level->query), column);

	if (level->query->setOperations)
		return origins_in_union(level, level->query->setOperations, column);
	return entry ? origins_of(level, (const Node *) entry->expr) : NIL;
}

static List *
origins_in(const Level *level, AttrNumber column)
{
	ColumnKey	key = {level->query, column, level->grouped};
	const FoundColumn *found = hash_search(found_so_far(level->statement), &key, HASH_FIND, NULL);
	List	   *origins;

	pa_descend();
	if (found)
		return found->origins;
	origins = find_in(level, column);
	keep_found(level->statement, &key, origins);
	return origins;
}

static List *
add_target(List *targets, AttrNumber column, List *origins)
{
	PaTarget   *target;

	if (origins == NIL)
		return targets;
	target = palloc(sizeof(PaTarget));
	*target = (PaTarget) {column, origins};
	return lappend(targets, target);
}

static List *
add_assigned(List *targets, const Level *level, const List *entries)
{
	const ListCell *cell;

	foreach(cell, entries)
	{
		const TargetEntry *entry = lfirst(cell);

		if (!entry->resjunk)
			targets = add_target(targets, entry->resno, origins_of(level, (const Node *) entry->expr));
	}
	return targets;
}

List *
pa_targets_with_origin(const Query *query)
{
	Statement	statement = {InvalidOid, NULL};
	Level		level = first_level(query, &statement);
	List	   *targets = NIL;
	const ListCell *cell;

	foreach(cell, query->targetList)
	{
		const TargetEntry *entry = lfirst(cell);

		if (!entry->resjunk)
			targets = add_target(targets, entry->resno, origins_in(&level, entry->resno));
	}
	if (statement.found)
		hash_destroy(statement.found);
	return targets;
}

List *
pa_assigned_with_origin(const Query *query, const Query *outer, Oid filled)
{
	Statement	statement = {filled, NULL};
	Level		above = {.query = outer, .statement = &statement};
	Level		level = {.query = query, .outer = outer ? &above : NULL, .statement = &statement};
	List	   *targets = add_assigned(NIL, &level, query->commandType == CMD_DELETE ? NIL : query->targetList);
	const ListCell *cell;

	foreach(cell, query->mergeActionList)
		targets = add_assigned(targets, &level, ((const MergeAction *) lfirst(cell))->targetList);
	if (query->onConflict)
		targets = add_assigned(targets, &level, query->onConflict->onConflictSet);
	if (statement.found)
		hash_destroy(statement.found);
	return targets;
}
