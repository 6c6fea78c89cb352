/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_query.c
 *		The query that lists the groups of a block, as far as public data make them.
 *
 * It is the block without its protected tables: what they join with stays, and of the
 * conditions those that public rows decide.  Every group that a protected row can be in
 * is among its rows, unless a date is out of its bounds:
 *
 *	 inner joins		public tables that hold no key and that no condition ties to one
 *						are left out; the rest is joined by the conditions that stay
 *	 left joins			the right side with a row of nulls beside, by
 *						(VALUES (true), (false)) LEFT JOIN right ON matched AND ...
 *	 protected tables	left out, or points in time in place of a column whose periods
 *						are keys (periods.c)
 *	 subqueries			that read protected rows become such queries themselves; where they
 *						group, sort or limit them, nothing is known of their columns
 *	 anything else		(releases that the block reads, LATERAL) left out as well
 *
 * Where a condition is left out, a group too many is listed: that tells nothing, since
 * all of this follows from the text of the query and from public rows.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "compat/names.h"
#include "compat/planner.h"
#include "descend.h"
#include "catalog/public_table.h"
#include "guard/column.h"
#include "guard/guard.h"
#include "guard/key_parts.h"
#include "guard/make_query.h"
#include "guard/periods.h"
#include "guard/subquery_entry.h"

#define MOST_GROUPS 1000000		/* see bound/group_table.c; one more shows that there are too many */

/* One query that loses its protected tables. */
typedef struct Reduction
{
	Query	   *query;
	List	   *points;			/* PaPoints, of the whole block */
	List	   *wanted;			/* expressions that are to be known */
	Bitmapset **lost;			/* of each table its columns of which nothing is known, ... */
	Bitmapset **coarse;			/* ... or points alone, so that conditions on them do not hold of rows */
	Bitmapset  *gone;			/* tables of which no column is known */
} Reduction;

/* Parts of FROM that are joined with each other, by these conditions. */
typedef struct Parts
{
	List	   *items;
	List	   *conditions;
} Parts;

static bool reduce_query(Query *query, List *wanted, List *points, Reduction *reduction);

/* --- what is known --- */

typedef struct LostContext
{
	const Reduction *reduction;
	bool		condition;		/* in which points are not enough */
} LostContext;

static bool
lost_walker(Node *node, LostContext *context)
{
	const Reduction *reduction = context->reduction;

	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Var))
	{
		const Var  *var = (const Var *) node;

		return var->varlevelsup > 0 || var->varattno <= 0 || bms_is_member(var->varno, reduction->gone) ||
			bms_is_member(var->varattno, reduction->lost[var->varno]) ||
			(context->condition && bms_is_member(var->varattno, reduction->coarse[var->varno]));
	}
	if (IsA(node, SubLink) || IsA(node, Query) || IsA(node, Aggref) || IsA(node, GroupingFunc) || IsA(node, WindowFunc))
		return true;
	return expression_tree_walker(node, lost_walker, context);
}

static bool
is_lost(const Reduction *reduction, Node *expression, bool condition)
{
	LostContext context = {reduction, condition};

	return lost_walker(expression, &context);
}

/* The conjuncts of a condition. */
static List *
conjuncts(Node *condition)
{
	if (condition && IsA(condition, List))
		return (List *) condition;
	return make_ands_implicit((Expr *) condition);
}

static List *
known_conjuncts(const Reduction *reduction, List *conditions)
{
	List	   *known = NIL;
	ListCell   *cell;

	foreach(cell, conditions)
		if (!is_lost(reduction, lfirst(cell), true))
			known = lappend(known, lfirst(cell));
	return known;
}

/* --- FROM --- */

/* The items that hold what is wanted, and those that known conditions tie to them; NULL if there are none. */
static Node *
assemble(const Reduction *reduction, const Parts *parts, Relids needed)
{
	List	   *conditions = known_conjuncts(reduction, parts->conditions);
	List	   *items = NIL;
	List	   *quals = NIL;
	Relids		taken = bms_copy(needed);
	Relids		before;
	ListCell   *cell;

	do
	{
		before = bms_copy(taken);
		foreach(cell, conditions)
		{
			Relids		tied = pull_varnos(NULL, lfirst(cell));

			if (bms_overlap(tied, taken))
				taken = bms_add_members(taken, tied);
		}
		foreach(cell, parts->items)
		{
			Relids		item = pa_entries_below(lfirst(cell), true);

			if (bms_overlap(item, taken))
				taken = bms_add_members(taken, item);
		}
	} while (!bms_equal(before, taken));
	foreach(cell, parts->items)
		if (bms_overlap(pa_entries_below(lfirst(cell), true), taken))
			items = lappend(items, lfirst(cell));
	foreach(cell, conditions)
		if (bms_is_subset(pull_varnos(NULL, lfirst(cell)), taken))
			quals = lappend(quals, lfirst(cell));
	return items == NIL ? NULL : (Node *) makeFromExpr(items, (Node *) make_ands_explicit(quals));
}

static void collect(Reduction *reduction, Node *node, Parts *parts);

/* The nullable side of a join, and a row of nulls. */
static void
collect_nullable(Reduction *reduction, Node *side, List *conditions, Parts *parts)
{
	Parts		inside = {NIL, NIL};
	Relids		members;
	Node	   *item;
	JoinExpr   *join;
	int			both;
	List	   *own = NIL;
	ListCell   *cell;

	collect(reduction, side, &inside);
	members = pa_entries_below(side, true);
	foreach(cell, conditions)
		if (bms_is_subset(pull_varnos(NULL, lfirst(cell)), members))
			own = lappend(own, lfirst(cell));
	item = assemble(reduction, &inside, bms_intersect(members, pull_varnos(NULL, (Node *) reduction->wanted)));
	if (item == NULL)
		return;
	reduction->query->rtable = lappend(reduction->query->rtable, pa_both_entry());
	both = list_length(reduction->query->rtable);
	join = makeNode(JoinExpr);
	join->jointype = JOIN_LEFT;
	join->larg = (Node *) pa_reference_to(both);
	join->rarg = item;
	/* conditions on tables that were left out are left out as well */
	members = pa_entries_below(item, true);
	own = known_conjuncts(reduction, own);
	foreach(cell, own)
		if (!bms_is_subset(pull_varnos(NULL, lfirst(cell)), members))
			own = foreach_delete_current(own, cell);
	join->quals = (Node *) make_ands_explicit(lcons(makeVar(both, 1, BOOLOID, -1, InvalidOid, 0), own));
	parts->items = lappend(parts->items, join);
}

static void
collect_join(Reduction *reduction, JoinExpr *join, Parts *parts)
{
	switch (join->jointype)
	{
		case JOIN_INNER:
			collect(reduction, join->larg, parts);
			collect(reduction, join->rarg, parts);
			parts->conditions = list_concat(parts->conditions, conjuncts(join->quals));
			break;
		case JOIN_LEFT:
			collect(reduction, join->larg, parts);
			collect_nullable(reduction, join->rarg, conjuncts(join->quals), parts);
			break;
		case JOIN_RIGHT:
			collect(reduction, join->rarg, parts);
			collect_nullable(reduction, join->larg, conjuncts(join->quals), parts);
			break;
		case JOIN_SEMI:
		case JOIN_ANTI:			/* the right side has no column above */
			collect(reduction, join->larg, parts);
			break;
		case JOIN_FULL:
		PA_CASE_PLANNERS_JOINS:
			collect_nullable(reduction, join->larg, NIL, parts);
			collect_nullable(reduction, join->rarg, NIL, parts);
			break;
	}
}

/* The columns of an entry that the expressions name. */
static Bitmapset *
columns_named(List *expressions, int rtindex)
{
	Bitmapset  *columns = NULL;
	List	   *vars = pull_var_clause((Node *) expressions, PVC_RECURSE_AGGREGATES | PVC_RECURSE_WINDOWFUNCS | PVC_RECURSE_PLACEHOLDERS);
	ListCell   *cell;

	foreach(cell, vars)
	{
		const Var  *var = lfirst(cell);

		if (var->varno == rtindex && var->varlevelsup == 0 && var->varattno > 0)
			columns = bms_add_member(columns, var->varattno);
	}
	return columns;
}

static void
leave_out(Reduction *reduction, int rtindex)
{
	reduction->gone = bms_add_member(reduction->gone, rtindex);
}

/* A subquery that reads protected rows keeps the columns that are wanted and others of the same tables, where they are known. */
static void
collect_subquery(Reduction *reduction, int rtindex, Parts *parts)
{
	Query	   *subquery = rt_fetch(rtindex, reduction->query->rtable)->subquery;
	Bitmapset  *named = columns_named(reduction->wanted, rtindex);
	List	   *wanted = NIL;
	Reduction	inside;
	Relids		members;
	ListCell   *cell;

	if (named == NULL || !pa_is_plain(subquery))
	{
		leave_out(reduction, rtindex);
		return;
	}
	pa_flatten_joins(subquery);
	foreach(cell, subquery->targetList)
		if (bms_is_member(((TargetEntry *) lfirst(cell))->resno, named))
			wanted = lappend(wanted, ((TargetEntry *) lfirst(cell))->expr);
	if (!reduce_query(subquery, wanted, reduction->points, &inside))
	{
		leave_out(reduction, rtindex);
		return;
	}
	members = pa_entries_below((Node *) subquery->jointree, true);
	foreach(cell, subquery->targetList)
	{
		TargetEntry *entry = lfirst(cell);
		Node	   *expression = (Node *) entry->expr;

		if (is_lost(&inside, expression, true))
			reduction->coarse[rtindex] = bms_add_member(reduction->coarse[rtindex], entry->resno);
		if (!is_lost(&inside, expression, false) && bms_is_subset(pull_varnos(NULL, expression), members))
			continue;
		reduction->lost[rtindex] = bms_add_member(reduction->lost[rtindex], entry->resno);
		entry->expr = (Expr *) makeNullConst(exprType(expression), exprTypmod(expression), exprCollation(expression));
	}
	parts->items = lappend(parts->items, (Node *) pa_reference_to(rtindex));
}

/* A protected table: the points of its columns. */
static void
collect_protected(Reduction *reduction, int rtindex, Parts *parts)
{
	RangeTblEntry *rte = rt_fetch(rtindex, reduction->query->rtable);
	int			columns = pa_table_columns(rte->relid);
	List	   *points = NIL;
	ListCell   *cell;

	foreach(cell, reduction->points)
		if (((PaPoints *) lfirst(cell))->table == rte)
			points = lappend(points, lfirst(cell));
	if (points == NIL)
	{
		leave_out(reduction, rtindex);
		return;
	}
	if (columns > 0)
		reduction->lost[rtindex] = bms_add_range(reduction->lost[rtindex], 1, columns);
	foreach(cell, points)
	{
		const PaPoints *known = lfirst(cell);

		reduction->lost[rtindex] = bms_del_member(reduction->lost[rtindex], known->column);
		if (!known->exact)
			reduction->coarse[rtindex] = bms_add_member(reduction->coarse[rtindex], known->column);
	}
	lfirst(list_nth_cell(reduction->query->rtable, rtindex - 1)) = pa_subquery_entry(pa_points_query(rte, points), "points");
	parts->items = lappend(parts->items, (Node *) pa_reference_to(rtindex));
}

static void
collect_entry(Reduction *reduction, int rtindex, Parts *parts)
{
	RangeTblEntry *rte = rt_fetch(rtindex, reduction->query->rtable);
	Node	   *reference = (Node *) pa_reference_to(rtindex);
	bool		stamped = pa_reads_stamped(reduction->query, reference);

	if (rte->lateral || (rte->rtekind != RTE_RELATION && rte->rtekind != RTE_SUBQUERY && rte->rtekind != RTE_VALUES))
		leave_out(reduction, rtindex);
	else if (stamped && rte->rtekind == RTE_SUBQUERY)
		collect_subquery(reduction, rtindex, parts);
	else if (stamped)
		collect_protected(reduction, rtindex, parts);
	else
		parts->items = lappend(parts->items, reference);
}

/* A public part stays as it is, if it is more than an inner join. */
static void
collect(Reduction *reduction, Node *node, Parts *parts)
{
	ListCell   *cell;

	pa_descend();
	if (IsA(node, RangeTblRef))
		collect_entry(reduction, ((RangeTblRef *) node)->rtindex, parts);
	else if (IsA(node, JoinExpr) && ((JoinExpr *) node)->jointype != JOIN_INNER && !pa_reads_stamped(reduction->query, node))
		parts->items = lappend(parts->items, node);
	else if (IsA(node, JoinExpr))
		collect_join(reduction, (JoinExpr *) node, parts);
	else
	{
		FromExpr   *from = castNode(FromExpr, node);

		foreach(cell, from->fromlist)
			collect(reduction, lfirst(cell), parts);
		parts->conditions = list_concat(parts->conditions, conjuncts(from->quals));
	}
}

/* --- the whole --- */

/* Entries that FROM no longer has: other ones than views, which say whose rights are needed. */
static void
empty_entries(Query *query)
{
	Relids		members = pa_entries_below((Node *) query->jointree, true);
	int			rtindex = 0;
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);
		RangeTblEntry *empty;

		if (bms_is_member(++rtindex, members) || (rte->rtekind == RTE_RELATION && !pa_is_stamped(rte)))
			continue;
		empty = makeNode(RangeTblEntry);
		empty->rtekind = RTE_RESULT;
		empty->eref = makeAlias("empty", NIL);
		lfirst(cell) = empty;
	}
}

/* The query over what stays of FROM, and what is known then; false if nothing stays. */
static bool
reduce_query(Query *query, List *wanted, List *points, Reduction *reduction)
{
	Parts		parts = {NIL, NIL};
	int			entries = list_length(query->rtable) + 1;

	*reduction = (Reduction) {.query = query,.points = points,.wanted = wanted};
	reduction->lost = palloc0(sizeof(Bitmapset *) * entries);
	reduction->coarse = palloc0(sizeof(Bitmapset *) * entries);
	collect(reduction, (Node *) query->jointree, &parts);
	query->jointree = (FromExpr *) assemble(reduction, &parts, pull_varnos(NULL, (Node *) wanted));
	if (query->jointree == NULL)
		return false;
	empty_entries(query);
	return true;
}

/* --- which keys --- */

/* Points of one column are the closest that any key needs. */
static List *
add_points(List *all, PaPoints *points)
{
	ListCell   *cell;

	foreach(cell, all)
	{
		PaPoints   *known = lfirst(cell);

		if (known->table == points->table && known->column == points->column)
		{
			known->step = Min(known->step, points->step);
			return all;
		}
	}
	return lappend(all, points);
}

static bool
has_policy_keys(const Query *query, Node *key)
{
	const PaPolicy *policy;
	AttrNumber	column = IsA(key, Var) ? pa_protected_column(query, (Var *) key, &policy) : InvalidAttrNumber;

	return column != InvalidAttrNumber && pa_policy_keys(policy, column) != NULL;
}

/* Whether the key can be listed; its points are added where it takes them. */
static bool
can_list(const Query *query, Node *key, List **points)
{
	PaColumn	column = pa_column_of(query, key);
	PaPoints   *found;

	if (column.table && column.table->rtekind == RTE_RELATION && !pa_is_stamped(column.table))
		return column.attnum > 0 && pa_public_lists(column.table->relid, column.attnum);
	found = column.table ? NULL : pa_points_of(query, key);
	if (found)
		*points = add_points(*points, found);
	return found != NULL;
}

/* Points of several columns meet in every combination. */
static bool
are_too_many(List *points)
{
	double		count = 1;
	ListCell   *cell;

	foreach(cell, points)
		count *= pa_points_count(lfirst(cell));
	return count > PA_MOST_POINTS;
}

/* The keys of the query that can be listed, with their points; NIL if others have no list either. */
static List *
keys_to_list(const Query *query, List *keys, List **points)
{
	List	   *listed = NIL;
	ListCell   *cell;

	foreach(cell, keys)
	{
		TargetEntry *key = lfirst(cell);

		if (IsA(key->expr, Const) || has_policy_keys(query, (Node *) key->expr))
			continue;
		if (!can_list(query, (Node *) key->expr, points))
			return NIL;
		listed = lappend(listed, key);
	}
	return are_too_many(*points) ? NIL : listed;
}

static void
limit_groups(Query *query)
{
	query->limitCount = (Node *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(MOST_GROUPS + 1), false, FLOAT8PASSBYVAL);
	query->limitOption = LIMIT_OPTION_COUNT;
}

/* DISTINCT and ORDER BY, as the block groups; and no more than are too many. */
static void
make_distinct(Query *query, const Query *leaf)
{
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst(cell);
		SortGroupClause *clause = copyObject(get_sortgroupref_clause(entry->ressortgroupref, leaf->groupClause));

		entry->resno = foreach_current_index(cell) + 1;
		query->distinctClause = lappend(query->distinctClause, clause);
		if (OidIsValid(clause->sortop))
			query->sortClause = lappend(query->sortClause, copyObject(clause));
	}
	if (list_length(query->sortClause) < list_length(query->distinctClause))
		query->sortClause = NIL;
	limit_groups(query);
}

/* Rows that are different already are not all made, to be sorted, if they are too many. */
static Query *
stop_early(Query *query)
{
	Query	   *over = pa_query_over(pa_subquery_entry(query, "groups"));
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst(cell);

		entry->resno = foreach_current_index(cell) + 1;
		pa_add_output(over, (Node *) makeVarFromTargetEntry(1, entry))->ressortgroupref = entry->ressortgroupref;
		entry->ressortgroupref = 0;
	}
	limit_groups(query);
	return over;
}

/* Whether anything protected, or a release of it, is left. */
static bool
reads_protected(Node *node, void *nothing)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
		return pa_is_stamped((RangeTblEntry *) node);
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, reads_protected, NULL, QTW_EXAMINE_RTES_BEFORE);
	return expression_tree_walker(node, reads_protected, NULL);
}

void
pa_list_keys(PaBlock *block, List *keys)
{
	Query	   *query = copyObject(block->leaf);
	List	   *points = NIL;
	List	   *wanted = NIL;
	Reduction	reduction;
	ListCell   *cell;

	query->targetList = keys_to_list(query, copyObject(keys), &points);
	if (query->targetList == NIL)
		return;
	foreach(cell, query->targetList)
		wanted = lappend(wanted, ((TargetEntry *) lfirst(cell))->expr);
	if (!reduce_query(query, wanted, points, &reduction) || is_lost(&reduction, (Node *) wanted, false) ||
		reads_protected((Node *) query, NULL))
		return;
	query->queryId = 0;
	query->hasAggs = false;
	query->groupClause = NIL;
	query->groupingSets = NIL;
	query->limitOffset = NULL;
	if (pa_split_key_query(query, block->leaf->groupClause))
		query = stop_early(query);
	make_distinct(query, block->leaf);
	pa_make_query_total(query);
	foreach(cell, query->targetList)
		block->listed_keys = lappend_int(block->listed_keys, ((TargetEntry *) lfirst(cell))->ressortgroupref);
	block->key_query = query;
}
