/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * settle_inputs.c
 *		Where the WITH query of each reference to an input stands.
 *
 * References are known by the name of the WITH query, which is unique; the levels that
 * PostgreSQL counts them by are written down last, for queries move meanwhile.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"

#include "descend.h"
#include "guard/decorrelate.h"
#include "guard/inputs.h"
#include "guard/take_inputs.h"
#include "leaf_tag.h"

typedef struct SettleContext
{
	PaGuard    *guard;
	List	   *around;			/* Query, the innermost first */
	bool		in_leaf;
	List	  **independent;	/* CommonTableExpr that are known to depend on no rows */
} SettleContext;

static CommonTableExpr *
cte_of(const Query *query, const char *name)
{
	ListCell   *cell;

	foreach(cell, query->cteList)
		if (strcmp(((CommonTableExpr *) lfirst(cell))->ctename, name) == 0)
			return lfirst(cell);
	return NULL;
}

/* The number of the query, from the innermost one, that has the WITH query. */
static int
level_of(List *around, const char *name)
{
	ListCell   *cell;

	foreach(cell, around)
		if (cte_of(lfirst(cell), name))
			return foreach_current_index(cell);
	elog(ERROR, "release \"%s\" is not in reach", name);
	return 0;
}

/* What a WITH query depends on: rows of queries around it, by itself or by other WITH queries. */
typedef struct DependContext
{
	const PaGuard *guard;
	List	   *around;			/* Query, the innermost first */
	int			depth;			/* of them stand below its holder */
	List	  **independent;	/* as above */
} DependContext;

static bool depends_on_rows(const PaGuard *guard, List *around, const char *name, List **independent);

static bool
depends_walker(Node *node, DependContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		DependContext inside = {context->guard, lcons(node, list_copy(context->around)), context->depth + 1, context->independent};

		return query_tree_walker((Query *) node, depends_walker, &inside, QTW_EXAMINE_RTES_BEFORE);
	}
	if (IsA(node, RangeTblEntry))
	{
		const RangeTblEntry *rte = (RangeTblEntry *) node;
		int			level;

		if (rte->rtekind != RTE_CTE || rte->self_reference)
			return false;
		level = pa_is_input(context->guard, rte) ? level_of(context->around, rte->ctename) : (int) rte->ctelevelsup;
		return level >= context->depth && depends_on_rows(context->guard, list_copy_tail(context->around, level), rte->ctename, context->independent);
	}
	return expression_tree_walker(node, depends_walker, context);
}

/* Of the WITH query of the first of the queries, which is looked at once. */
static bool
depends_on_rows(const PaGuard *guard, List *around, const char *name, List **independent)
{
	CommonTableExpr *cte = cte_of(linitial(around), name);
	DependContext context = {guard, around, 0, independent};

	if (list_member_ptr(*independent, cte))
		return false;
	if (pa_refers_outside(castNode(Query, cte->ctequery)) || depends_walker(cte->ctequery, &context))
		return true;
	*independent = lappend(*independent, cte);
	return false;
}

/* What a block reads is computed once, and never written in place of the reference. */
static void
settle(SettleContext *context, RangeTblEntry *rte)
{
	int			level = level_of(context->around, rte->ctename);
	List	   *around = list_copy_tail(context->around, level);
	CommonTableExpr *cte = cte_of(linitial(around), rte->ctename);

	rte->ctelevelsup = level;
	cte->cterefcount = Max(cte->cterefcount, 1);
	if (!context->in_leaf)
		return;
	cte->ctematerialized = CTEMaterializeAlways;
	if (depends_on_rows(context->guard, around, cte->ctename, context->independent))
		pa_refuse(context->guard, cte->location, "A release that a block reads depends on a row of a query around the block.",
				  "Leave what depends on it to the query around, which can use the results of blocks.");
}

static bool
settle_walker(Node *node, SettleContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		SettleContext inside = {context->guard, lcons(node, list_copy(context->around)), context->in_leaf || pa_is_leaf((Query *) node), context->independent};

		return query_tree_walker((Query *) node, settle_walker, &inside, QTW_EXAMINE_RTES_BEFORE);
	}
	if (IsA(node, RangeTblEntry))
	{
		if (pa_is_input(context->guard, (RangeTblEntry *) node))
			settle(context, (RangeTblEntry *) node);
		return false;
	}
	return expression_tree_walker(node, settle_walker, context);
}

void
pa_settle_inputs(PaGuard *guard, Query *statement)
{
	List	   *independent = NIL;
	SettleContext context = {guard, NIL, false, &independent};

	if (guard->inputs != NIL)
		(void) settle_walker((Node *) statement, &context);
}
