/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query_level.c
 *		See query_level.h.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"

#include "descend.h"
#include "guard/query_level.h"

typedef struct LevelContext
{
	int			level;			/* subqueries between here and the query */
	List	   *aggregates;		/* that were found */
	PaReplacement replacement;
	void	   *context;		/* of that */
} LevelContext;

static bool
aggregates_walker(Node *node, LevelContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		bool		result;

		context->level++;
		result = query_tree_walker((Query *) node, aggregates_walker, context, 0);
		context->level--;
		return result;
	}
	if (!IsA(node, Aggref) || ((Aggref *) node)->agglevelsup != context->level)
		return expression_tree_walker(node, aggregates_walker, context);
	context->aggregates = lappend(context->aggregates, node);
	return false;				/* none is in another */
}

List *
pa_aggregates_of(const Query *query)
{
	LevelContext context = {0};

	(void) aggregates_walker((Node *) query->targetList, &context);
	(void) aggregates_walker(query->havingQual, &context);
	return context.aggregates;
}

static Node *
replace_mutator(Node *node, LevelContext *context)
{
	Node	   *other;

	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Query))
	{
		Query	   *query;

		context->level++;
		query = query_tree_mutator((Query *) node, replace_mutator, context, 0);
		context->level--;
		return (Node *) query;
	}
	other = context->replacement(node, context->level, context->context);
	return other ? other : expression_tree_mutator(node, replace_mutator, context);
}

Node *
pa_replace_at_level(Node *expression, PaReplacement replacement, void *context)
{
	LevelContext level = {.replacement = replacement,.context = context};

	return replace_mutator(expression, &level);
}
