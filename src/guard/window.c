/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * window.c
 *		What is computed of a whole partition of rows comes from a join with groups.
 *
 *	 SELECT x, avg(y) OVER (PARTITION BY o, k) FROM F WHERE C
 *
 * becomes
 *
 *	 SELECT x, g.avg FROM F JOIN (SELECT o, k, avg(y) FROM F WHERE C GROUP BY o, k) g
 *		ON g.o = o AND g.k IS NOT DISTINCT FROM k WHERE C
 *
 * where each row meets the group that it is in.  That o names the owner is for grouped.c
 * and owned.c to see.
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "descend.h"
#include "guard/own_groups.h"
#include "guard/related.h"

#define INSTEAD "Use aggregates OVER (PARTITION BY the owner, ...) without ORDER BY, in a subquery that does not group; or join with a subquery that groups by the owner."

/* Frames that start and end with the partition, or leave out nothing because all rows of it are peers. */
static bool
is_whole_partition(const WindowClause *window)
{
	int			frame = window->frameOptions;
	bool		from_start = frame & FRAMEOPTION_START_UNBOUNDED_PRECEDING;
	bool		to_end = frame & FRAMEOPTION_END_UNBOUNDED_FOLLOWING;

	if (frame & FRAMEOPTION_EXCLUSION)
		return false;
	if (window->orderClause == NIL && (frame & FRAMEOPTION_RANGE))
		return (from_start || (frame & FRAMEOPTION_START_CURRENT_ROW)) && (to_end || (frame & FRAMEOPTION_END_CURRENT_ROW));
	return from_start && to_end;
}

static Aggref *
as_aggregate(const PaGuard *guard, const WindowClause *window, const WindowFunc *call)
{
	Aggref	   *aggref = makeNode(Aggref);
	ListCell   *cell;

	if (!call->winagg || !is_whole_partition(window))
		pa_refuse(guard, call->location,
				  "A window function over protected rows is not an aggregate of a whole partition.", INSTEAD);
	aggref->aggfnoid = call->winfnoid;
	aggref->aggtype = call->wintype;
	aggref->aggcollid = call->wincollid;
	aggref->inputcollid = call->inputcollid;
	aggref->aggstar = call->winstar;
	aggref->aggfilter = copyObject(call->aggfilter);
	aggref->aggkind = AGGKIND_NORMAL;
	aggref->aggno = aggref->aggtransno = -1;
	aggref->location = call->location;
	foreach(cell, call->args)
	{
		aggref->aggargtypes = lappend_oid(aggref->aggargtypes, exprType(lfirst(cell)));
		aggref->args = lappend(aggref->args, makeTargetEntry(copyObject(lfirst(cell)), list_length(aggref->args) + 1, NULL, false));
	}
	return aggref;
}

typedef struct WindowContext
{
	PaGuard    *guard;
	Query	   *query;
	const WindowClause *window;
	Query	   *groups;			/* its partitions */
	int			rtindex;		/* that they will have in the query */
	int			calls;
} WindowContext;

static Node *
window_mutator(Node *node, WindowContext *context)
{
	const WindowFunc *call = (const WindowFunc *) node;
	TargetEntry *entry;

	pa_descend();
	if (node == NULL || IsA(node, Query))
		return node;
	if (!IsA(node, WindowFunc) || call->winref != context->window->winref)
		return expression_tree_mutator(node, window_mutator, context);
	entry = pa_add_output(context->groups, (Node *) as_aggregate(context->guard, context->window, call));
	context->calls++;
	return (Node *) makeVarFromTargetEntry(context->rtindex, entry);
}

/* Whether what names the owner does so in all rows: nulls are no owner's. */
static bool
has_owner(const Query *query, const Query *groups, List *clauses)
{
	Query		with_values = *groups;
	ListCell   *cell;

	with_values.groupClause = NIL;
	foreach(cell, clauses)
		if (pa_has_value(query, (Node *) get_sortgroupclause_tle(lfirst(cell), query->targetList)->expr))
			with_values.groupClause = lappend(with_values.groupClause, list_nth(groups->groupClause, foreach_current_index(cell)));
	return pa_groups_by_owner(&with_values);
}

/* rows: the query as it was before any of its windows was joined */
static void
join_window(PaGuard *guard, Query *query, const Query *rows, const WindowClause *window)
{
	WindowContext context = {guard, query, window, pa_copy_rows(guard, rows, exprLocation((Node *) query->targetList)), list_length(query->rtable) + 1};

	pa_group_as(context.groups, query, window->partitionClause);
	context.groups->hasAggs = true;
	query->targetList = (List *) window_mutator((Node *) query->targetList, &context);
	if (context.calls == 0)
		return;
	if (!pa_groups_by_owner(context.groups))
		pa_refuse(guard, exprLocation((Node *) llast_node(TargetEntry, context.groups->targetList)->expr),
				  "A window function over protected rows looks at partitions of several owners.", INSTEAD);
	if (!has_owner(query, context.groups, window->partitionClause))
		pa_refuse(guard, exprLocation((Node *) llast_node(TargetEntry, context.groups->targetList)->expr),
				  "The owner that a window is partitioned by may be null.",
				  "Add WHERE ... IS NOT NULL for the column that names the owner, in the query of the window.");
	pa_join_groups(guard, query, context.groups, window->partitionClause);
}

void
pa_join_windows(PaGuard *guard, Query *query)
{
	const Query *rows;
	ListCell   *cell;

	if (!query->hasWindowFuncs || query->hasAggs || query->groupClause || query->groupingSets)
		return;					/* over groups: of those of a block they are, once these are released */
	rows = pa_copy(guard, query);
	foreach(cell, query->windowClause)
		join_window(guard, query, rows, lfirst(cell));
	query->windowClause = NIL;
	query->hasWindowFuncs = false;
}
