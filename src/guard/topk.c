/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * topk.c
 *		dp_topk, dp_mode, mode and dp_response: a block that groups by their column as well, and a
 *		ranking of what it releases.
 *
 *	 SELECT keys, dp_topk(x, k, options) FROM ... WHERE ... GROUP BY keys
 *
 * becomes
 *
 *	 SELECT keys, _first(x, score, k) FROM (
 *		SELECT keys, x, _score(x, k, options) AS score FROM ... WHERE ... GROUP BY keys, x
 *	 ) GROUP BY keys
 *
 * where _score gives noised counts, or ranks drawn by the exponential mechanism; dp_response has
 * _response in its place, and is the first of one.
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_oper.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "bound/aggregate.h"
#include "guard/column.h"
#include "guard/guard.h"
#include "guard/make_call.h"
#include "guard/query_level.h"
#include "guard/subquery_entry.h"

#define INNER_RTINDEX 1

typedef struct TopContext
{
	PaGuard    *guard;
	int			level;			/* sublinks between here and the query */
	Aggref	   *call;			/* the one dp_topk, dp_mode or dp_response */
	int			calls;
	int			others;
	int			location;		/* of one that cannot be beside it */
	List	   *inner;			/* target list of the block */
} TopContext;

/* --- finding it --- */

static void
find_calls(const Query *query, TopContext *context)
{
	ListCell   *cell;

	foreach(cell, pa_aggregates_of(query))
	{
		Aggref	   *call = lfirst_node(Aggref, cell);
		PaAggregateKind kind;

		if (!pa_aggregate_kind(call->aggfnoid, &kind) || (kind != PA_AGG_TOPK && kind != PA_AGG_RESPONSE))
		{
			context->others++;
			context->location = call->location;
		}
		else if (context->call == NULL || !equal(context->call, call))
		{
			context->calls++;
			context->call = call;
		}
	}
}

static void
refuse_company(const TopContext *context, const Query *query)
{
	if (context->others > 0 || context->calls > 1)
		pa_refuse(context->guard, context->others > 0 ? context->location : context->call->location,
				  "A block with dp_topk, dp_mode or dp_response has another aggregate.",
				  "Ask for it in a subquery of its own and join the results.");
	if (context->call->aggfilter || context->call->aggdistinct ||
		(context->call->aggorder && context->call->aggkind == AGGKIND_NORMAL) || context->call->agglevelsup > 0)
		pa_refuse(context->guard, context->call->location, "dp_topk, dp_mode or dp_response has FILTER, DISTINCT or ORDER BY.",
				  "Put the condition into WHERE.");
	if (query->groupingSets)
		pa_refuse_grouping_sets(context->guard, query);
}

static Node *
argument_of(const Aggref *call, int position)
{
	return (Node *) ((TargetEntry *) list_nth(call->args, position))->expr;
}

/* k and options of a call; dp_mode is the first of one. */
static Node *
number_wanted(const Aggref *call)
{
	if (list_length(call->args) > 1 && exprType(argument_of(call, 1)) == INT4OID)
		return argument_of(call, 1);
	return (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(1), false, true);
}

static Node *
options_of(const Aggref *call)
{
	Node	   *last = argument_of(call, list_length(call->args) - 1);

	if (list_length(call->args) > 1 && exprType(last) == TEXTOID)
		return last;
	return pa_no_options(call->location);
}

/* --- the block --- */

static Node *
score_of(const Aggref *call)
{
	PaAggregateKind kind;

	if (pa_aggregate_kind(call->aggfnoid, &kind) && kind == PA_AGG_RESPONSE)
		return (Node *) pa_make_call(pa_response_aggregate(), FLOAT8OID, InvalidOid,
									 list_make2(copyObject(argument_of(call, 0)), copyObject(options_of(call))), call->location);
	return (Node *) pa_make_call(pa_score_aggregate(), FLOAT8OID, InvalidOid,
								 list_make3(copyObject(argument_of(call, 0)), copyObject(number_wanted(call)),
											copyObject(options_of(call))),
								 call->location);
}

static void
group_by(Query *inner, TargetEntry *entry)
{
	SortGroupClause *clause = makeNode(SortGroupClause);

	get_sort_group_operators(exprType((Node *) entry->expr), true, true, false,
							 &clause->sortop, &clause->eqop, NULL, &clause->hashable);
	entry->ressortgroupref = clause->tleSortGroupRef = list_length(inner->groupClause) + 1;
	inner->groupClause = lappend(inner->groupClause, clause);
}

static TargetEntry *
add_column(Query *inner, Node *expression, const char *name)
{
	TargetEntry *entry = makeTargetEntry((Expr *) expression, list_length(inner->targetList) + 1, pstrdup(name), false);

	inner->targetList = lappend(inner->targetList, entry);
	return entry;
}

static Query *
make_inner(const PaGuard *guard, Query *query, const Aggref *call)
{
	Query	   *inner = makeNode(Query);
	ListCell   *cell;

	inner->commandType = CMD_SELECT;
	inner->querySource = query->querySource;
	inner->canSetTag = true;
	inner->rtable = query->rtable;
	inner->jointree = query->jointree;
	inner->hasSubLinks = query->hasSubLinks;
	inner->hasAggs = true;
	inner->limitOption = LIMIT_OPTION_COUNT;
	inner->stmt_location = -1;
	foreach(cell, query->groupClause)
	{
		TargetEntry *key = get_sortgroupclause_tle(lfirst(cell), query->targetList);

		if (equal(key->expr, argument_of(call, 0)))
			pa_refuse(guard, call->location, "dp_topk, dp_mode or dp_response is applied to a grouping column.",
					  "Leave it out of GROUP BY, or count the groups.");
		group_by(inner, add_column(inner, (Node *) copyObject(key->expr), "key"));
	}
	group_by(inner, add_column(inner, copyObject(argument_of(call, 0)), "value"));
	(void) add_column(inner, score_of(call), "score");
	return inner;
}

/* --- the query around it --- */

static Node *
inner_column(const TopContext *context, TargetEntry *entry)
{
	return (Node *) makeVar(INNER_RTINDEX, entry->resno, exprType((Node *) entry->expr),
							exprTypmod((Node *) entry->expr), exprCollation((Node *) entry->expr), context->level);
}

static Node *
ranking_of(const TopContext *context, const Aggref *call)
{
	TargetEntry *value = list_nth(context->inner, list_length(context->inner) - 2);
	TargetEntry *score = llast(context->inner);
	Aggref	   *ranking = pa_make_call(pa_ranking_aggregate(type_is_array(call->aggtype) && !type_is_array(exprType(argument_of(call, 0)))),
										 call->aggtype, call->aggcollid,
										 list_make3(inner_column(context, value), inner_column(context, score),
													copyObject(number_wanted(call))),
										 call->location);

	ranking->agglevelsup = context->level;
	return (Node *) ranking;
}

static Node *
outer(Node *node, int level, void *data)
{
	TopContext *context = data;
	ListCell   *cell;

	context->level = level;
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == level)
		return ranking_of(context, (Aggref *) node);
	foreach(cell, context->inner)
	{
		TargetEntry *key = lfirst(cell);
		Node	   *expression = copyObject((Node *) key->expr);

		if (key->ressortgroupref == 0 || lnext(context->inner, cell) == list_tail(context->inner))
			break;				/* the value and its score are no keys */
		if (level > 0)
			IncrementVarSublevelsUp(expression, level, 0);
		if (equal(node, expression))
			return inner_column(context, key);
	}
	if (IsA(node, Var) && ((Var *) node)->varlevelsup == level)
		pa_refuse(context->guard, ((Var *) node)->location,
				  "A column of the block is neither grouped nor aggregated.",
				  "Put it into GROUP BY or into an aggregate.");
	return NULL;
}

void
pa_expand_topk(PaGuard *guard, Query *query)
{
	TopContext	context = {.guard = guard};
	Query	   *inner;
	RangeTblRef *reference = makeNode(RangeTblRef);

	find_calls(query, &context);
	if (context.call == NULL)
		return;
	refuse_company(&context, query);
	pa_flatten_joins(query);
	context.call = NULL;		/* as it is without merged columns */
	find_calls(query, &context);
	if (pa_is_owner_column(query, (Node *) linitial_node(TargetEntry, context.call->args)->expr))
		pa_refuse(guard, context.call->location, "The owner column cannot be grouped by.",
				  "Rank something that many owners share.");
	inner = make_inner(guard, query, context.call);
	context.inner = inner->targetList;
	query->targetList = (List *) pa_replace_at_level((Node *) query->targetList, outer, &context);
	query->havingQual = pa_replace_at_level(query->havingQual, outer, &context);
	reference->rtindex = INNER_RTINDEX;
	query->rtable = list_make1(pa_subquery_entry(inner, "counts"));
	query->jointree = makeFromExpr(list_make1(reference), NULL);
	query->constraintDeps = NIL;
}
