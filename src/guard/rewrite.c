/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rewrite.c
 *		Finds the protected blocks of a statement and has each rewritten.
 *
 * A query that reads rows (reads.c) must group them; then it is a block.  A query that does not group hands the rows up to the query above it,
 * which must be a block (views, custom SQL of BI tools, WITH); at the top, in a
 * set operation, in a sublink or in a data-modifying statement it is refused.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "node/leaf.h"
#include "leaf_tag.h"
#include "errors.h"
#include "guard/guard.h"
#include "guard/branches.h"
#include "guard/inputs.h"
#include "guard/interval_call.h"
#include "guard/take_inputs.h"
#include "guard/with.h"

/* Of a union, the first input that does; else the query itself. */
static const Query *
that_hands_up_rows(const PaGuard *guard, const Query *query)
{
	ListCell   *cell;

	foreach(cell, pa_branches(query))
		if (pa_hands_up_rows(guard, lfirst(cell)))
			return lfirst(cell);
	return query;
}

/* before and after: what is allowed, around the name of the table */
static void
refuse_rows(const PaGuard *guard, const Query *whole, const char *before, const char *after)
{
	const Query *query = that_hands_up_rows(guard, whole);
	const RangeTblEntry *rte = pa_table_read(guard, query);
	int			location = pa_location_of_query(query);
	const char *name = rte ? pa_name_of_table(pa_protected_root(rte->relid)) : "...";

	if (pa_groups_by_owner(query))
		pa_refuse(guard, location, "The owner column cannot be grouped by.",
				  "Group by something that many owners share, or aggregate the groups of owners in the query around this one.");
	pa_refuse(guard, location < 0 && rte ? pa_place_of_table(guard, rte) : location,
			  "The statement would return or use single rows of a protected table.",
			  psprintf("Ask for aggregates, with or without GROUP BY, as in %s%s%s.", before, name, after));
}

#define REFUSE_ROWS(guard, query) refuse_rows(guard, query, "SELECT count(*) FROM ", "")
#define REFUSE_ROWS_IN_EXPRESSION(guard, query) refuse_rows(guard, query, "(SELECT count(*) FROM ", ") > 0")

static void
refuse_change(const PaGuard *guard, const Query *query)
{
	if (query->resultRelation > 0 &&
		pa_is_protected(guard, rt_fetch(query->resultRelation, query->rtable)))
		pa_refuse_table(guard, rt_fetch(query->resultRelation, query->rtable),
						"The statement would change a protected table.",
						"Only the owner may change a protected table, and roles that may write to it and have no budget for it.");
}

static void rewrite_query(PaGuard *guard, Query *query);

/* --- WITH queries --- */

/* Whoever reads the rows has other queries between; what was released is read in one place. */
static void
inline_cte(PaGuard *guard, Query *query, int *position)
{
	CommonTableExpr *cte = list_nth(query->cteList, *position);
	Query	   *subquery = castNode(Query, cte->ctequery);

	if (cte->cterecursive || subquery->commandType != CMD_SELECT)
		REFUSE_ROWS(guard, subquery);
	pa_take_inputs(guard, query, position, subquery, 1, rewrite_query);
	pa_write_in_place(guard, query, cte);
}

static void
rewrite_ctes(PaGuard *guard, Query *query)
{
	for (int position = 0; position < list_length(query->cteList); position++)
	{
		CommonTableExpr *cte = list_nth(query->cteList, position);
		Query	   *subquery = castNode(Query, cte->ctequery);

		if (pa_hands_up_rows(guard, subquery) || pa_is_plain_public(guard, cte))
			inline_cte(guard, query, &position);
		else
		{
			rewrite_query(guard, subquery);
			pa_note_input(guard, query, cte);
		}
	}
}

/* --- the recursion --- */

static bool
rewrite_sublinks_walker(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		if (pa_hands_up_rows(guard, (Query *) node))
			REFUSE_ROWS_IN_EXPRESSION(guard, (Query *) node);
		rewrite_query(guard, (Query *) node);
		return false;
	}
	return expression_tree_walker(node, rewrite_sublinks_walker, guard);
}

static void
rewrite_subqueries(PaGuard *guard, Query *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind != RTE_SUBQUERY)
			continue;
		if (pa_hands_up_rows(guard, rte->subquery))
			REFUSE_ROWS(guard, rte->subquery);
		rewrite_query(guard, rte->subquery);
	}
}

static void
rewrite_query(PaGuard *guard, Query *query)
{
	const Query *around = guard->query;
	int			position;

	pa_descend();
	guard->query = query;
	/* an unreferenced WITH that hands up rows stays behind, never planned */
	rewrite_ctes(guard, query);
	if (query->cteList != NIL)
		pa_write_nested_in_place(guard, query); /* they may read what has been written in place */
	position = list_length(query->cteList);

	refuse_change(guard, query);
	if (pa_reads_rows(guard, query) && query->hasAggs)
	{
		pa_expand_topk(guard, query);
		pa_expand_choice(guard, query);
	}
	if (pa_reads_rows(guard, query))
	{
		if (query->commandType != CMD_SELECT || !pa_groups_rows(query))
			REFUSE_ROWS(guard, query);
		pa_take_inputs(guard, query, &position, query, 0, rewrite_query);
		pa_decorrelate(guard, query, rewrite_query);
		pa_make_block(guard, query);
		guard->blocks++;
	}
	else
	{
		rewrite_subqueries(guard, query);
		pa_join_correlated(guard, query, rewrite_query);
		pa_decorrelate(guard, query, rewrite_query);
	}
	query_tree_walker(query, rewrite_sublinks_walker, guard,
					  QTW_IGNORE_RT_SUBQUERIES | QTW_IGNORE_CTE_SUBQUERIES);
	guard->query = around;
}

/* Who holds no budget is told no more than PostgreSQL would tell. */
static bool
check_entitled_walker(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, check_entitled_walker, guard, QTW_EXAMINE_RTES_BEFORE);
	if (IsA(node, RangeTblEntry))
	{
		RangeTblEntry *rte = (RangeTblEntry *) node;

		if (pa_is_protected(guard, rte) &&
			!OidIsValid(pa_policy_payer(pa_policy_covering(rte->relid), guard->user)))
			ereport(ERROR,
					errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					errmsg("permission denied for table %s", get_rel_name(rte->relid)),
					errhint("The table's owner can give a role a privacy budget with privacct.grant_budget()."));
		return false;
	}
	return expression_tree_walker(node, check_entitled_walker, guard);
}

/* An aggregate or an interval that answers only in a block would fail once the blocks below it were paid for. */
static bool
refuse_strays_walker(Node *node, PaGuard *guard)
{
	PaAggregateKind kind;

	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return !pa_is_leaf((Query *) node) &&
			query_tree_walker((Query *) node, refuse_strays_walker, guard, 0);
	if (IsA(node, Aggref) && pa_is_dp_aggregate(((Aggref *) node)->aggfnoid) &&
		pa_aggregate_kind(((Aggref *) node)->aggfnoid, &kind))
		pa_refuse(guard, ((Aggref *) node)->location, "An aggregate of this extension is used outside the blocks that read protected rows.",
				  "Use the ordinary aggregate over what was released.");
	if (pa_is_interval_call(node))
		pa_refuse(guard, ((FuncExpr *) node)->location, "An interval is asked for of something that is not one aggregate over protected rows.",
				  "Write it around the aggregate, in the same query, as in privacct.dp_interval_low(count(*)).");
	return expression_tree_walker(node, refuse_strays_walker, guard);
}

void
pa_require_budget(PaGuard *guard, Query *query)
{
	(void) check_entitled_walker((Node *) query, guard);
}

void
pa_guard_rewrite(PaGuard *guard, Query *query)
{
	pa_require_budget(guard, query);
	refuse_change(guard, query);
	if (pa_hands_up_rows(guard, query))
		REFUSE_ROWS(guard, query);
	pa_write_nested_in_place(guard, query);
	rewrite_query(guard, query);
	pa_settle_inputs(guard, query);
	if (guard->blocks > 0)
		(void) refuse_strays_walker((Node *) query, guard);
}
