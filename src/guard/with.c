/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * with.c
 *		See with.h.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "rewrite/rewriteManip.h"

#include "descend.h"
#include "guard/guard.h"
#include "guard/with.h"

/* --- which --- */

/* Another WITH query, which may be the one around it, or a sample. */
static bool
reads_cte_or_sample_walker(Node *node, void *nothing)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, reads_cte_or_sample_walker, nothing, QTW_EXAMINE_RTES_BEFORE);
	if (IsA(node, RangeTblEntry))
		return ((RangeTblEntry *) node)->rtekind == RTE_CTE || ((RangeTblEntry *) node)->tablesample != NULL;
	return expression_tree_walker(node, reads_cte_or_sample_walker, nothing);
}

static bool
reads_cte_or_sample(Query *query)
{
	return reads_cte_or_sample_walker((Node *) query, NULL);
}

bool
pa_is_plain_public(PaGuard *guard, const CommonTableExpr *cte)
{
	Query	   *query = castNode(Query, cte->ctequery);

	return cte->cterefcount == 1 && cte->ctematerialized != CTEMaterializeAlways && !reads_cte_or_sample(query) &&
		!cte->cterecursive && query->commandType == CMD_SELECT && query->cteList == NIL &&
		!pa_groups_rows(query) && !query->hasWindowFuncs && !query->hasTargetSRFs && !query->setOperations && !query->limitCount && !query->limitOffset &&
		!query->rowMarks && !contain_volatile_functions((Node *) query) && !pa_names_protected((Node *) query, guard);
}

/* --- in place of the references --- */

typedef struct InlineContext
{
	PaGuard    *guard;
	const CommonTableExpr *cte;
	int			level;			/* queries between the reference and the WITH */
} InlineContext;

static bool
inline_cte_walker(Node *node, InlineContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		context->level++;
		query_tree_walker((Query *) node, inline_cte_walker, context, QTW_EXAMINE_RTES_BEFORE);
		context->level--;
		return false;
	}
	if (IsA(node, RangeTblEntry))
	{
		RangeTblEntry *rte = (RangeTblEntry *) node;

		if (rte->rtekind == RTE_CTE && (int) rte->ctelevelsup == context->level &&
			strcmp(rte->ctename, context->cte->ctename) == 0)
		{
			Query	   *subquery = pa_copy(context->guard, context->cte->ctequery);

			if (context->level > 0)
				IncrementVarSublevelsUp((Node *) subquery, context->level, 1);
			rte->rtekind = RTE_SUBQUERY;
			rte->subquery = subquery;
			rte->security_barrier = false;
			rte->ctename = NULL;
			rte->ctelevelsup = 0;
			rte->self_reference = false;
			rte->coltypes = rte->coltypmods = rte->colcollations = NIL;
		}
		return false;
	}
	return expression_tree_walker(node, inline_cte_walker, context);
}

void
pa_write_in_place(PaGuard *guard, Query *query, CommonTableExpr *cte)
{
	InlineContext context = {guard, cte, 0};

	query_tree_walker(query, inline_cte_walker, &context, QTW_EXAMINE_RTES_BEFORE);
	cte->cterefcount = 0;		/* the planner leaves it out */
}

/* --- of subqueries --- */

/* Whether it groups protected rows anywhere. */
static bool
releases_walker(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return (pa_reads_rows(guard, (Query *) node) && !pa_hands_up_rows(guard, (Query *) node)) ||
			query_tree_walker((Query *) node, releases_walker, guard, 0);
	return expression_tree_walker(node, releases_walker, guard);
}

/* What it releases would be asked once for each copy. */
static bool
hands_up_rows_alone(PaGuard *guard, const CommonTableExpr *cte)
{
	Query	   *query = castNode(Query, cte->ctequery);

	return !cte->cterecursive && query->commandType == CMD_SELECT && pa_hands_up_rows(guard, query) &&
		(cte->cterefcount == 1 || !releases_walker((Node *) query, guard));
}

/* The query itself reads it, and not a subquery in an expression. */
static bool
is_in_from(const Query *query, const CommonTableExpr *cte)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind == RTE_CTE && rte->ctelevelsup == 0 && strcmp(rte->ctename, cte->ctename) == 0)
			return true;
	}
	return false;
}

/* In their order: each may refer to those before it.  True if there were any. */
static bool
write_own_in_place(PaGuard *guard, Query *query)
{
	bool		any = false;
	ListCell   *cell;

	foreach(cell, query->cteList)
	{
		CommonTableExpr *cte = lfirst(cell);

		if (!hands_up_rows_alone(guard, cte) && !(is_in_from(query, cte) && pa_is_plain_public(guard, cte)))
			continue;
		pa_write_in_place(guard, query, cte);
		query->cteList = foreach_delete_current(query->cteList, cell);
		any = true;
	}
	return any;
}

typedef struct NestedContext
{
	PaGuard    *guard;
	bool		any;
} NestedContext;

static bool
nested_walker(Node *node, NestedContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, nested_walker, context);
	(void) query_tree_walker((Query *) node, nested_walker, context, 0);
	context->any |= write_own_in_place(context->guard, (Query *) node);
	return false;
}

void
pa_write_nested_in_place(PaGuard *guard, Query *query)
{
	NestedContext context = {guard};

	do
	{
		context.any = false;
		(void) query_tree_walker(query, nested_walker, &context, 0);
	} while (context.any);		/* some may read what has been written in place */
}
