/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expansion.c
 *		Columns of subqueries that are made of columns of subqueries.
 *
 * Whoever follows a column down to the tables, as the guard does in several
 * places and the planner when it pulls subqueries up, meets every column that it
 * is made of: with SELECT a + a AS a FROM (SELECT a + a AS a FROM ...), twice as
 * many with each level.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"

#include "guard/guard.h"

#define MOST_COLUMNS 100000

/* Of how many columns of tables each column of a subquery is made. */
typedef struct Expansion
{
	const Query *query;
	double	   *columns;
} Expansion;

typedef struct CountContext
{
	const PaBlock *block;
	const Query *query;
	double		count;
} CountContext;

static double
columns_behind(const PaBlock *block, const Query *subquery, AttrNumber column)
{
	ListCell   *cell;

	foreach(cell, block->expansions)
	{
		const Expansion *expansion = lfirst(cell);

		if (expansion->query == subquery && column > 0)
			return expansion->columns[column - 1];
	}
	return 1;
}

static bool
count_walker(Node *node, CountContext *context)
{
	const RangeTblEntry *rte;
	const Var  *var = (const Var *) node;

	if (node == NULL)
		return false;
	if (!IsA(node, Var))
		return expression_tree_walker(node, count_walker, context);
	rte = rt_fetch(var->varno, context->query->rtable);
	context->count += rte->rtekind == RTE_SUBQUERY ? columns_behind(context->block, rte->subquery, var->varattno) : 1;
	return false;
}

void
pa_count_columns(PaBlock *block, const Query *query)
{
	Expansion  *expansion = palloc(sizeof(Expansion));
	ListCell   *cell;

	*expansion = (Expansion) {query, palloc(sizeof(double) * Max(list_length(query->targetList), 1))};
	foreach(cell, query->targetList)
	{
		CountContext context = {block, query, 1};
		Node	   *column = (Node *) ((TargetEntry *) lfirst(cell))->expr;

		(void) count_walker(column, &context);
		if (context.count > MOST_COLUMNS)
			pa_refuse(block->guard, exprLocation(column),
					  psprintf("A column of a subquery is made of more than %d others.", MOST_COLUMNS),
					  "Nest fewer subqueries, or compute less in them.");
		expansion->columns[foreach_current_index(cell)] = context.count;
	}
	block->expansions = lappend(block->expansions, expansion);
}
