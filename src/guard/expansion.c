/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expansion.c
 *		How large a block is once each column of a subquery is written as what it is
 *		made of.
 *
 * Whoever follows a column down to the tables, as the guard does in several places
 * and the planner when it pulls subqueries up, meets every node of the expressions
 * that it is made of, wherever it is used: with SELECT a + a AS a FROM (SELECT a + a
 * AS a FROM ...), twice as many with each level.  So they are counted before anybody
 * does, from the innermost subquery outwards, each node of the text once.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"

#include "descend.h"
#include "guard/branches.h"
#include "guard/column.h"
#include "guard/guard.h"

#define MOST_NODES 200000		/* in a statement */

/* A query whose nodes are counted, or have been. */
typedef struct Expansion
{
	PaGuard    *guard;
	const struct Expansion *around;
	const Query *query;
	struct Expansion **subqueries;	/* by range table index; NULL: no subquery */
	double	   *columns;		/* nodes of each */
	double		nodes;			/* of all its expressions, and of its subqueries */
} Expansion;

typedef struct CountContext
{
	const Expansion *expansion;
	double		nodes;
} CountContext;

static const Expansion *count_query(PaGuard *guard, const Query *query, const Expansion *around);
static double count_nodes(const Expansion *expansion, Node *node);

static double
nodes_of_column(const Expansion *expansion, const Var *var)
{
	const RangeTblEntry *rte;
	const Expansion *subquery;

	for (int level = var->varlevelsup; level > 0 && expansion; level--)
		expansion = expansion->around;
	if (expansion == NULL)
		return 1;
	rte = rt_fetch(var->varno, expansion->query->rtable);
	subquery = expansion->subqueries[var->varno];
	if (subquery)
		return var->varattno > 0 ? subquery->columns[var->varattno - 1] : subquery->nodes;
	if (rte->rtekind == RTE_JOIN && var->varattno > 0)
		return count_nodes(expansion, list_nth(rte->joinaliasvars, var->varattno - 1));
	return 1;
}

static bool
count_walker(Node *node, CountContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Var))
	{
		context->nodes += nodes_of_column(context->expansion, (Var *) node);
		return false;
	}
	if (IsA(node, Query))
	{
		context->nodes += count_query(context->expansion->guard, (Query *) node, context->expansion)->nodes;
		return false;
	}
	context->nodes += 1;
	return expression_tree_walker(node, count_walker, context);
}

static double
count_nodes(const Expansion *expansion, Node *node)
{
	CountContext context = {expansion, 0};

	(void) count_walker(node, &context);
	return context.nodes;
}

/* Refuses when these make the statement too large. */
static double
add_nodes(Expansion *expansion, Node *node)
{
	double		nodes = count_nodes(expansion, node);

	expansion->nodes += nodes;
	expansion->guard->expanded += nodes;
	if (expansion->guard->expanded > MOST_NODES)
		pa_refuse(expansion->guard, exprLocation(node),
				  psprintf("The statement has more than %d operations and columns once those of subqueries are written out.", MOST_NODES),
				  "Nest fewer subqueries, or compute less in them.");
	return nodes;
}

/* A column of a union is one of each input. */
static void
add_union_columns(Expansion *expansion)
{
	Relids		inputs = pa_members(expansion->query);
	int			input = -1;

	while ((input = bms_next_member(inputs, input)) >= 0)
		for (int i = 0; i < list_length(expansion->query->targetList); i++)
			expansion->columns[i] += expansion->subqueries[input]->columns[i];
}

static const Expansion *
count_query(PaGuard *guard, const Query *query, const Expansion *around)
{
	Expansion  *expansion = palloc(sizeof(Expansion));
	ListCell   *cell;

	pa_descend();
	*expansion = (Expansion) {.guard = guard,.around = around,.query = query};
	expansion->subqueries = palloc0(sizeof(Expansion *) * (list_length(query->rtable) + 1));
	expansion->columns = palloc0(sizeof(double) * Max(list_length(query->targetList), 1));
	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(cell);
		const Expansion *subquery = rte->rtekind == RTE_SUBQUERY ? count_query(guard, rte->subquery, expansion) : NULL;

		expansion->subqueries[foreach_current_index(cell) + 1] = unconstify(Expansion *, subquery);
		expansion->nodes += subquery ? subquery->nodes : 0;
	}
	if (query->setOperations)
		add_union_columns(expansion);
	else
		foreach(cell, query->targetList)
			expansion->columns[foreach_current_index(cell)] = add_nodes(expansion, (Node *) ((TargetEntry *) lfirst(cell))->expr);
	(void) add_nodes(expansion, (Node *) query->jointree);
	(void) add_nodes(expansion, query->havingQual);
	return expansion;
}

void
pa_bound_expansion(PaGuard *guard, const Query *query)
{
	(void) count_query(guard, query, NULL);
}
