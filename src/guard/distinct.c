/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * distinct.c
 *		count(DISTINCT x) in a subquery that groups by the owner comes from a join with groups.
 *
 *	 SELECT o, k, count(DISTINCT x) FROM F WHERE C GROUP BY o, k
 *
 * becomes, F and C being as they are,
 *
 *	 SELECT o, k, max(g.count) FROM F JOIN (SELECT o, k, count(x) FROM
 *		(SELECT o, k, x FROM F WHERE C GROUP BY o, k, x) d GROUP BY o, k) g
 *		ON g.o = o AND g.k IS NOT DISTINCT FROM k WHERE C GROUP BY o, k
 *
 * where all rows of a group meet the same number.
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"

#include "descend.h"
#include "guard/own_groups.h"
#include "guard/related.h"
#include "guard/subquery_entry.h"

typedef struct DistinctContext
{
	PaGuard    *guard;
	Query	   *query;
	const Query *rows;			/* the query as it was */
} DistinctContext;

/* SELECT keys, x FROM the rows GROUP BY keys, x */
static Query *
different_values(const DistinctContext *context, const Aggref *count)
{
	Query	   *values = pa_copy_rows(context->guard, context->rows, count->location);
	SortGroupClause *clause = copyObject(linitial_node(SortGroupClause, count->aggdistinct));
	TargetEntry *value;

	pa_group_as(values, context->query, context->query->groupClause);
	value = pa_add_output(values, copyObject((Node *) linitial_node(TargetEntry, count->args)->expr));
	value->ressortgroupref = clause->tleSortGroupRef = list_length(values->targetList);
	values->groupClause = lappend(values->groupClause, clause);
	return values;
}

/* SELECT keys, count(x) FROM the values GROUP BY keys */
static Query *
count_values(const DistinctContext *context, Query *values, const Aggref *count)
{
	Query	   *counts = pa_query_over(pa_subquery_entry(values, "different"));
	ListCell   *cell;

	foreach(cell, values->groupClause)
	{
		SortGroupClause *clause = lfirst(cell);
		Var		   *column = makeVarFromTargetEntry(1, get_sortgroupclause_tle(clause, values->targetList));
		bool		is_key = lnext(values->groupClause, cell) != NULL;
		TargetEntry *entry = pa_add_output(counts, is_key ? (Node *) column : (Node *) pa_aggregate_of(F_COUNT_ANY, INT8OID, (Node *) column, count->location));

		if (!is_key)
			break;
		entry->ressortgroupref = clause->tleSortGroupRef;
		counts->groupClause = lappend(counts->groupClause, copyObject(clause));
	}
	counts->hasAggs = true;
	return counts;
}

static Node *
distinct_mutator(Node *node, DistinctContext *context)
{
	const Aggref *count = (const Aggref *) node;
	Query	   *counts;
	TargetEntry *number;

	pa_descend();
	if (node == NULL || IsA(node, Query))
		return node;
	if (!IsA(node, Aggref) || count->aggfnoid != F_COUNT_ANY || list_length(count->aggdistinct) != 1 || count->aggfilter || count->agglevelsup != 0)
		return expression_tree_mutator(node, distinct_mutator, context);
	counts = count_values(context, different_values(context, count), count);
	number = llast(counts->targetList);
	pa_join_groups(context->guard, context->query, counts, context->query->groupClause);
	return (Node *) pa_aggregate_of(F_MAX_INT8, INT8OID, (Node *) makeVarFromTargetEntry(list_length(context->query->rtable), number), count->location);
}

void
pa_join_distinct(PaGuard *guard, Query *query)
{
	DistinctContext context = {guard, query};

	if (!query->hasAggs || !pa_groups_by_owner(query))
		return;
	context.rows = pa_copy(guard, query);
	query->targetList = (List *) distinct_mutator((Node *) query->targetList, &context);
	query->havingQual = distinct_mutator(query->havingQual, &context);
}
