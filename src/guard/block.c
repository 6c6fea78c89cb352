/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block.c
 *		Splits one SELECT that reads protected rows into outer query and leaf.
 *
 * The outer query keeps everything but FROM, WHERE and GROUP BY.  In its
 * expressions each grouping expression and each aggregate becomes a column of
 * the leaf; whatever is left that refers to FROM is an error.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "bound/aggregate.h"
#include "guard/asked_keys.h"
#include "guard/block_rules.h"
#include "guard/composed.h"
#include "guard/interval_call.h"
#include "guard/quantile_call.h"
#include "guard/subquery_entry.h"
#include "guard/work.h"
#include "guard/query_level.h"
#include "guard/rephrase.h"
#include "node/leaf.h"
#include "leaf_tag.h"

#define LEAF_RTINDEX 1			/* the leaf is the outer query's only table */

#define RESPONSE_REFERENCE PG_INT32_MAX /* of no clause */

typedef struct SplitContext
{
	PaBlock    *block;
	List	   *keys;			/* target entries of the leaf that are keys */
	List	   *calls;			/* aggregates and GROUPING() as written, in order of their columns */
	List	   *columns;		/* their target entries in the leaf */
	int			level;			/* sublinks between here and the block */
} SplitContext;

static Node *
leaf_column(const SplitContext *context, AttrNumber resno, Node *expression)
{
	Var		   *column = makeVar(LEAF_RTINDEX, resno, exprType(expression), exprTypmod(expression),
								 exprCollation(expression), context->level);

	column->location = exprLocation(expression);
	return (Node *) column;
}

/* The node as it would read at the block's own level. */
static Node *
at_block_level(const SplitContext *context, Node *node)
{
	if (context->level == 0)
		return node;
	node = copyObject(node);
	IncrementVarSublevelsUp(node, -context->level, context->level);
	return node;
}

/* The column of a call that was met before; NULL: it was not. */
static Node *
known_column(const SplitContext *context, Node *call)
{
	int			position = 0;
	ListCell   *cell;

	foreach(cell, context->calls)
	{
		if (equal(lfirst(cell), call))
			return leaf_column(context, ((TargetEntry *) list_nth(context->columns, position))->resno, call);
		position++;
	}
	return NULL;
}

static TargetEntry *
add_column(SplitContext *context, Node *call, Node *computed, char *name)
{
	TargetEntry *entry = makeTargetEntry((Expr *) computed, list_length(context->keys) + list_length(context->columns) + 1, name, false);

	context->calls = lappend(context->calls, copyObject(call));
	context->columns = lappend(context->columns, entry);
	return entry;
}

static Node *
call_column(SplitContext *context, Aggref *call)
{
	Node	   *known = known_column(context, (Node *) call);
	Aggref	   *canonical;
	TargetEntry *entry;
	PaAggregateKind kind;

	if (known)
		return known;
	canonical = pa_canonical_aggregate(context->block, call);
	pa_validate_level_aggregate(context->block, call, canonical);
	entry = add_column(context, (Node *) call, (Node *) canonical, pa_aggregate_label(context->block, call));
	/* what is sorted by is not pruned: without its answers ldp_response would have no rows */
	if (pa_aggregate_kind(call->aggfnoid, &kind) && kind == PA_AGG_LDP_RESPONSE)
		entry->ressortgroupref = RESPONSE_REFERENCE;
	return leaf_column(context, entry->resno, (Node *) call);
}

/* For PaColumnOf. */
static AttrNumber
column_of_call(void *context, Aggref *call)
{
	return ((Var *) call_column(context, call))->varattno;
}

/* The expression of aggregates in the leaf that an aggregate, or an end of its interval, is; NULL: it is in the leaf itself. */
static Node *
composed_expression(SplitContext *context, const Aggref *call, PaShown shown)
{
	PaMoments	moments;

	if (context->level > 0 || !pa_expand_moments(context->block, call, &moments))
		return NULL;
	pa_note_composed(context->block, call, &moments, column_of_call, context);
	return shown == PA_SHOWN_VALUE ? moments.value : pa_expand_interval(context->block, call, shown);
}

static Node *
grouping_column(SplitContext *context, GroupingFunc *grouping)
{
	GroupingFunc *call = (GroupingFunc *) at_block_level(context, (Node *) grouping);
	Node	   *known = pa_grouping_of_one_level(context->block, call);

	if (known == NULL)
		known = known_column(context, (Node *) call);
	if (known == NULL)
		known = leaf_column(context, add_column(context, (Node *) call, (Node *) copyObject(call), pstrdup("grouping"))->resno,
							(Node *) call);
	return known;
}

/* A column of the leaf for each of the calls. */
static Node *
array_of_columns(SplitContext *context, const Aggref *call, List *calls)
{
	ArrayExpr  *array = makeNode(ArrayExpr);
	ListCell   *cell;

	array->array_typeid = call->aggtype;
	array->element_typeid = get_element_type(call->aggtype);
	array->location = call->location;
	foreach(cell, calls)
		array->elements = lappend(array->elements, call_column(context, lfirst(cell)));
	return (Node *) array;
}

static Node *
aggregate_column(SplitContext *context, Aggref *aggref)
{
	Aggref	   *call = (Aggref *) at_block_level(context, (Node *) aggref);
	List	   *calls = pa_calls_of_array(context->block->guard, call);

	return calls != NIL ? array_of_columns(context, call, calls) : call_column(context, call);
}

/* An end of an interval: another column of the same aggregate. */
static Node *
interval_column(SplitContext *context, FuncExpr *interval)
{
	FuncExpr   *call = (FuncExpr *) at_block_level(context, (Node *) interval);
	Aggref	   *aggref = pa_aggregate_of_interval(context->block, call);
	Node	   *known = known_column(context, (Node *) call);
	TargetEntry *value;

	if (known)
		return known;
	value = list_nth(context->columns, ((Var *) call_column(context, aggref))->varattno - list_length(context->keys) - 1);
	return leaf_column(context, add_column(context, (Node *) call, (Node *) pa_show_interval(call, (Aggref *) value->expr),
										   value->resname)->resno, (Node *) call);
}

static Node *
key_column(SplitContext *context, Node *node)
{
	ListCell   *cell;

	foreach(cell, context->keys)
	{
		TargetEntry *key = lfirst(cell);
		Node	   *expression = (Node *) key->expr;

		if (context->level > 0)
		{
			expression = copyObject(expression);
			IncrementVarSublevelsUp(expression, context->level, 0);
		}
		if (equal(node, expression))
			return leaf_column(context, key->resno, expression);
	}
	return NULL;
}

static Node *
split(Node *node, int level, void *data)
{
	SplitContext *context = data;
	Node	   *column;

	pa_descend();
	context->level = level;
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == level)
	{
		Node	   *composed = composed_expression(context, (Aggref *) node, PA_SHOWN_VALUE);

		return composed ? pa_replace_at_level(composed, split, context) : aggregate_column(context, (Aggref *) node);
	}
	if (IsA(node, GroupingFunc) && ((GroupingFunc *) node)->agglevelsup == level)
		return grouping_column(context, (GroupingFunc *) node);
	if (pa_is_interval_call(node) && pa_interval_level((FuncExpr *) node) == level)
	{
		Node	   *composed = composed_expression(context, linitial_node(Aggref, ((FuncExpr *) node)->args),
												   pa_end_of_interval((FuncExpr *) node));

		return composed ? pa_replace_at_level(composed, split, context) : interval_column(context, (FuncExpr *) node);
	}
	column = IsA(node, Const) ? NULL : key_column(context, node);
	if (column)
		return column;
	if (IsA(node, Var) && ((Var *) node)->varlevelsup == level)
		pa_refuse(context->block->guard, ((Var *) node)->location,
				  "A column of the block is neither grouped nor aggregated.",
				  "Put it into GROUP BY or into an aggregate.");
	return NULL;
}

/* --- the leaf --- */

static void
validate_key(PaBlock *block, Node *key)
{
	pa_validate_expression(block, block->leaf, key);
	if (contain_subplans(key))
		pa_refuse(block->guard, exprLocation(key), "A grouping expression has a subquery.",
				  "Group by columns and expressions of columns.");
	block->rules->validate_key(block, key);
}

static int
location_of_clause(const SortGroupClause *clause, List *target_list)
{
	return exprLocation((Node *) get_sortgroupclause_tle(unconstify(SortGroupClause *, clause), target_list)->expr);
}

/* Keys come first in the leaf, under the sort-group references they have in the query. */
static List *
make_keys(PaBlock *block, List *clauses, List *target_list)
{
	List	   *keys = NIL;
	ListCell   *cell;

	if (list_length(clauses) > PA_MAX_KEYS)
		pa_refuse(block->guard, location_of_clause(list_nth(clauses, PA_MAX_KEYS), target_list),
				  psprintf("A block has more than %d grouping expressions.", PA_MAX_KEYS),
				  "Group by fewer columns.");
	foreach(cell, clauses)
	{
		SortGroupClause *clause = lfirst(cell);
		TargetEntry *entry = get_sortgroupclause_tle(clause, target_list);
		TargetEntry *key;

		validate_key(block, (Node *) entry->expr);
		key = makeTargetEntry(copyObject(entry->expr), list_length(keys) + 1,
							  entry->resname ? entry->resname : pstrdup("key"), false);
		key->ressortgroupref = clause->tleSortGroupRef;
		keys = lappend(keys, key);
	}
	return keys;
}

static Query *
start_leaf(Query *query)
{
	Query	   *leaf = makeNode(Query);

	leaf->commandType = CMD_SELECT;
	leaf->querySource = query->querySource;
	leaf->queryId = pa_leaf_tag();
	leaf->canSetTag = true;
	leaf->rtable = query->rtable;
	leaf->jointree = query->jointree;
	leaf->hasSubLinks = query->hasSubLinks;
	leaf->hasAggs = true;
	leaf->limitOffset = (Node *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(0), false, FLOAT8PASSBYVAL);
	leaf->limitOption = LIMIT_OPTION_COUNT;
	leaf->stmt_location = -1;
	return leaf;
}

/* --- the outer query --- */

static void
refuse_shapes(PaGuard *guard, const Query *query)
{
	if (query->rowMarks)
		pa_refuse_table(guard, rt_fetch(linitial_node(RowMarkClause, query->rowMarks)->rti, query->rtable),
						"FOR UPDATE and FOR SHARE are not allowed on a protected table.", "Leave them out.");
	if (query->hasDistinctOn && !query->hasAggs && !query->groupClause)
		pa_refuse(guard, location_of_clause(linitial(query->distinctClause), query->targetList),
				  "DISTINCT ON is not allowed on protected rows.",
				  "Use GROUP BY with aggregates, as in SELECT x, count(*) FROM t GROUP BY x.");
}

/* Its rows are made after the charge. */
static void
refuse_many_columns(PaBlock *block)
{
	List	   *columns = block->leaf->targetList;

	if (list_length(columns) > MaxTupleAttributeNumber)
		pa_refuse(block->guard, exprLocation((Node *) list_nth_node(TargetEntry, columns, MaxTupleAttributeNumber - 1)->expr),
				  psprintf("A block has more than %d grouping expressions, aggregates and calls of GROUPING.", MaxTupleAttributeNumber - 1),
				  "Split the block into several.");
}

static void
make_outer(Query *query, Query *leaf, SplitContext *context)
{
	Node	   *having = pa_replace_at_level(query->havingQual, split, context);
	RangeTblRef *reference = makeNode(RangeTblRef);
	int			rows;

	query->targetList = (List *) pa_replace_at_level((Node *) query->targetList, split, context);
	leaf->targetList = list_concat(list_copy(context->keys), context->columns);
	pa_validate_public_tables(context->block);
	context->block->fanout = pa_reach_public_tables(context->block, &rows);
	if (context->block->rules->lists_keys)
		pa_list_keys(context->block, context->keys);
	pa_leave_asked_keys(context->block, query, context->keys, rows);
	leaf->targetList = lappend(leaf->targetList,
							   pa_make_marker(context->block, list_length(leaf->targetList) + 1));
	pa_join_sublinks(context->block->guard, leaf);
	pa_mark_row_work(context->block, pa_bound_row_work(context->block, rows));
	pa_make_query_total(leaf);
	pa_evaluate_once(leaf);
	pa_keep_places(leaf);
	refuse_many_columns(context->block);

	reference->rtindex = LEAF_RTINDEX;
	query->rtable = list_make1(pa_subquery_entry(leaf, "release"));
	query->jointree = makeFromExpr(list_make1(reference), having);
	query->havingQual = NULL;
	query->groupClause = NIL;
	query->groupingSets = NIL;
	query->groupDistinct = false;
	query->hasAggs = false;
	query->constraintDeps = NIL;
}

void
pa_make_block(PaGuard *guard, Query *query)
{
	PaBlock		block = {.guard = guard};
	SplitContext context = {.block = &block};
	List	   *clauses = query->groupClause;

	refuse_shapes(guard, query);
	pa_rephrase(guard, query);
	pa_bound_expansion(guard, query);
	pa_factor_conditions(query);
	pa_flatten_joins(query);
	pa_join_related(guard, query);
	block.rules = pa_block_rules(guard, query);
	block.leaf = start_leaf(query);
	pa_validate_from(&block, block.leaf);
	if (block.rules->one_table)
	{
		pa_flatten_subqueries(query);
		block.leaf->rtable = query->rtable;
		block.leaf->jointree = query->jointree;
		block.leaf->hasSubLinks = query->hasSubLinks;
	}
	pa_take_protected(&block);
	pa_simplify_outer_joins(&block);
	pa_follow_paths(&block);
	pa_expose_owner(&block);
	block.rules->validate(&block);

	/* SELECT DISTINCT of rows is a grouping without aggregates */
	if (!query->hasAggs && query->havingQual == NULL && clauses == NIL)
	{
		clauses = query->distinctClause;
		query->distinctClause = NIL;
	}
	context.keys = make_keys(&block, clauses, query->targetList);
	block.leaf->groupClause = copyObject(clauses);
	pa_take_grouping_sets(&block, query, context.keys);
	block.rules->restrict_rows(&block, context.keys);
	make_outer(query, block.leaf, &context);
}
