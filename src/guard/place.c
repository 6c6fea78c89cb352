/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * place.c
 *		Where in its text a query, or a table of its FROM, stands.
 *
 * Analysed trees say of expressions where they stand, but not of tables, joins
 * and queries.  So a refusal that is about one of these parses the text again and
 * looks for the entry of FROM that has the name.  What stands in a view has no
 * place in the text but that of the view's own name.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "parser/parser.h"
#include "parser/parsetree.h"

#include "descend.h"
#include "guard/guard.h"

/* --- from the statement to what is looked for --- */

typedef struct PathContext
{
	const void *wanted;			/* a query, or an entry of a range table */
	List	   *path;			/* queries and entries, each within the one before */
} PathContext;

static bool
path_walker(Node *node, PathContext *context)
{
	bool		found;

	pa_descend();
	if (node == NULL)
		return false;
	if (!IsA(node, Query) && !IsA(node, RangeTblEntry))
		return expression_tree_walker(node, path_walker, context);
	context->path = lappend(context->path, node);
	if (node == context->wanted)
		return true;
	if (IsA(node, Query))
		found = query_tree_walker((Query *) node, path_walker, context,
								  QTW_EXAMINE_RTES_BEFORE | QTW_IGNORE_RT_SUBQUERIES);
	else
		found = path_walker((Node *) ((RangeTblEntry *) node)->subquery, context);
	if (!found)
		context->path = list_delete_last(context->path);
	return found;
}

/* --- what the tree says --- */

static bool
location_walker(Node *node, int *location)
{
	pa_descend();
	if (node == NULL || IsA(node, Query))
		return false;
	*location = exprLocation(node);
	return *location >= 0 || expression_tree_walker(node, location_walker, location);
}

int
pa_location_of_query(const Query *query)
{
	int			location = -1;

	(void) (location_walker((Node *) query->targetList, &location) ||
			location_walker((Node *) query->jointree, &location) ||
			location_walker(query->havingQual, &location) ||
			location_walker((Node *) query->returningList, &location));
	return location;
}

/* --- what the text says --- */

typedef struct NameContext
{
	const char *name;			/* by which the entry can be referred to */
	bool		changed;		/* it is what INSERT and its like write to, else in FROM */
	int			after;			/* best is the first place after this, else the first of all */
	int			first;
	int			best;
} NameContext;

static void
note_place(NameContext *context, const RangeVar *table)
{
	const char *name = table->alias ? table->alias->aliasname : table->relname;

	if (strcmp(name, context->name) != 0 || table->location < 0)
		return;
	if (context->first < 0 || table->location < context->first)
		context->first = table->location;
	if (table->location >= context->after && (context->best < 0 || table->location < context->best))
		context->best = table->location;
}

/* The query of a statement that has one; NULL: nothing to look at. */
static Node *
query_in(Node *statement)
{
	pa_descend();
	switch (nodeTag(statement))
	{
		case T_ExplainStmt:
			return query_in(((ExplainStmt *) statement)->query);
		case T_CreateTableAsStmt:
			return query_in(((CreateTableAsStmt *) statement)->query);
		case T_PrepareStmt:
			return query_in(((PrepareStmt *) statement)->query);
		case T_DeclareCursorStmt:
			return query_in(((DeclareCursorStmt *) statement)->query);
		case T_CopyStmt:
			return ((CopyStmt *) statement)->query;
		case T_SelectStmt:
		case T_InsertStmt:
		case T_UpdateStmt:
		case T_DeleteStmt:
		case T_MergeStmt:
		case T_PLAssignStmt:
			return statement;
		default:
			return NULL;
	}
}

static const RangeVar *
changed_table(const Node *node)
{
	switch (nodeTag(node))
	{
		case T_InsertStmt:
			return ((const InsertStmt *) node)->relation;
		case T_UpdateStmt:
			return ((const UpdateStmt *) node)->relation;
		case T_DeleteStmt:
			return ((const DeleteStmt *) node)->relation;
		case T_MergeStmt:
			return ((const MergeStmt *) node)->relation;
		default:
			return NULL;
	}
}

static bool
name_walker(Node *node, NameContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (context->changed && changed_table(node))
		note_place(context, changed_table(node));
	else if (!context->changed && IsA(node, RangeVar))
		note_place(context, (RangeVar *) node);
	return raw_expression_tree_walker(node, name_walker, context);
}

/* The text as statements; NIL if it is not of the kind. */
static List *
parse(const char *text, RawParseMode mode)
{
	MemoryContext caller = CurrentMemoryContext;
	List	   *volatile statements = NIL;

	PG_TRY();
	{
		statements = raw_parser(text, mode);
	}
	PG_CATCH();
	{
		if (geterrcode() != ERRCODE_SYNTAX_ERROR)
			PG_RE_THROW();
		MemoryContextSwitchTo(caller);
		FlushErrorState();
	}
	PG_END_TRY();
	return statements;
}

/* Expressions and assignments of PL/pgSQL are no statements by themselves. */
static List *
parse_as_written(const char *text)
{
	static const RawParseMode modes[] = {RAW_PARSE_DEFAULT, RAW_PARSE_PLPGSQL_EXPR, RAW_PARSE_PLPGSQL_ASSIGN1,
	RAW_PARSE_PLPGSQL_ASSIGN2, RAW_PARSE_PLPGSQL_ASSIGN3};
	List	   *statements = NIL;

	for (int i = 0; i < lengthof(modes) && statements == NIL; i++)
		statements = parse(text, modes[i]);
	return statements;
}

static int
place_of_name(const char *text, const char *name, bool changed, int after)
{
	NameContext context = {name, changed, after, -1, -1};
	ListCell   *cell;

	foreach(cell, parse_as_written(text))
		(void) name_walker(query_in(lfirst_node(RawStmt, cell)->stmt), &context);
	return context.best >= 0 ? context.best : context.first;
}

/* Functions in FROM. */
typedef struct FunctionContext
{
	int			count;
	int			location;		/* of the last one */
} FunctionContext;

static bool
function_walker(Node *node, FunctionContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, RangeFunction))
	{
		context->count++;
		context->location = exprLocation(linitial(linitial_node(List, ((RangeFunction *) node)->functions)));
	}
	return raw_expression_tree_walker(node, function_walker, context);
}

int
pa_place_of_function(const PaGuard *guard)
{
	FunctionContext context = {0, -1};
	ListCell   *cell;

	if (guard->source)
		foreach(cell, parse_as_written(guard->source))
			(void) function_walker(query_in(lfirst_node(RawStmt, cell)->stmt), &context);
	return context.count == 1 ? context.location : -1;
}

/* --- both --- */

/* That of the first expression of an entry of FROM that is made of expressions. */
static int
entry_location(const RangeTblEntry *entry)
{
	int			location = -1;

	(void) (location_walker((Node *) entry->functions, &location) ||
			location_walker((Node *) entry->tablefunc, &location) ||
			location_walker((Node *) entry->values_lists, &location));
	if (location < 0 && entry->rtekind == RTE_SUBQUERY && entry->subquery)
		location = pa_location_of_query(entry->subquery);
	return location;
}

/* Of an entry of the query, if the query stands in the text. */
static int
place_of_entry(const PaGuard *guard, const Query *query, const RangeTblEntry *entry)
{
	int			after = pa_location_of_query(query);
	int			location = entry_location(entry);
	bool		changed;

	if (location >= 0)
		return location;
	/* an expression that has a location is not of a view; one query may have none at all */
	if (after < 0 && (query != guard->statement || query->querySource != QSRC_ORIGINAL))
		return -1;
	changed = query->resultRelation > 0 && entry == rt_fetch(query->resultRelation, query->rtable);
	return place_of_name(guard->source, entry->eref->aliasname, changed, changed ? 0 : after);
}

/* The innermost that is known of what is looked for and what it stands in. */
static int
place_of(const PaGuard *guard, const void *wanted)
{
	PathContext context = {wanted, NIL};
	int			place = -1;

	if (guard->source == NULL || guard->statement == NULL || wanted == NULL ||
		!path_walker((Node *) guard->statement, &context))
		return -1;
	for (int i = list_length(context.path) - 1; i >= 0 && place < 0; i--)
	{
		Node	   *node = list_nth(context.path, i);

		if (IsA(node, Query))
			place = pa_location_of_query((Query *) node);
		else
			place = place_of_entry(guard, list_nth_node(Query, context.path, i - 1), (RangeTblEntry *) node);
	}
	return place;
}

int
pa_place_of_query(const PaGuard *guard, const Query *query)
{
	return place_of(guard, query);
}

int
pa_place_of_table(const PaGuard *guard, const RangeTblEntry *entry)
{
	return place_of(guard, entry);
}
