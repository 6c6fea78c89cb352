/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * work.c
 *		See work.h.
 *
 * This runs when subqueries have become joins, on a leaf that is not yet made total.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "core/order/quantiles.h"

#include "descend.h"
#include "guard/branches.h"
#include "guard/call_work.h"
#include "guard/measure.h"
#include "guard/quantile_call.h"
#include "guard/work.h"
#include "price/form/form.h"
#include "price/options.h"
#include "size_limits.h"

#define ROW_WORK 1500			/* reading a row of so many columns, finding its owner and group */
#define ROW_COLUMNS 32
#define COLUMN_WORK 7			/* each column more, which may have to be taken apart before the one that is wanted */
#define JOINED_WORK 300			/* each row more that it is joined with */
#define OWNER_BYTE 3
#define SUBLINK_WORK 500		/* looking a value up in what a subquery yielded */
#define KEY_WORK 200			/* of a group */
#define ORDER_WORK 2000			/* sorting a value, and drawing by the sorted ones */
#define NODE_WORK 250			/* one quantile more, drawn from what others cut */
#define UNIT_WORK 12			/* each unit of loss in which its cut can see a row */
#define DISTINCT_WORK 3000		/* sorting owner and value, and covering it */
#define EXACT_WORK 10000		/* covering it by an exact cover */
#define CAP_WORK 2000			/* drawing the cap of a group that a row is alone in */
#define FIELD_WORK 200			/* a part of such a value */
#define KEY_BYTE 6

typedef struct BlockWork
{
	const PaBlock *block;
	List	   *columns;
	List	   *inputs;			/* expressions of the leaf that are computed once */
	double		total;
	double		largest;
	int			location;		/* of the expression with the largest part */
} BlockWork;

static void
add_work(BlockWork *work, Node *node, double amount)
{
	work->total += amount;
	if (amount > work->largest)
	{
		work->largest = amount;
		work->location = exprLocation(node);
	}
}

/* Conditions one by one.  The planner concludes nothing from them (once.c). */
static void
add_conditions(BlockWork *work, const Query *query, Node *quals)
{
	PaWorkContext context = {query, INFINITY, &work->columns};

	pa_descend();
	if (quals == NULL)
		return;
	if (is_andclause(quals))
	{
		ListCell   *cell;

		foreach(cell, ((BoolExpr *) quals)->args)
			add_conditions(work, query, lfirst(cell));
		return;
	}
	if (IsA(quals, List))
	{
		ListCell   *cell;

		foreach(cell, (List *) quals)
			add_conditions(work, query, lfirst(cell));
		return;
	}
	add_work(work, quals, pa_measure(&context, quals).work);
}

/* A row may be one of a group of its own. */
static void
add_groups(BlockWork *work, const Query *query)
{
	PaWorkContext context = {query, INFINITY, &work->columns};
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		Node	   *column = (Node *) ((TargetEntry *) lfirst(cell))->expr;

		add_work(work, column, pa_measure(&context, column).work + KEY_WORK +
				 (get_typlen(exprType(column)) == -1 ? KEY_BYTE * fmin(pa_measure(&context, column).bytes, PA_MAX_TEXT_BYTES) : 0));
	}
	add_conditions(work, query, query->havingQual);
}

static void add_from(BlockWork *work, const Query *query, Node *node);

static void
add_subquery(BlockWork *work, const Query *query)
{
	add_from(work, query, (Node *) query->jointree);
	if (pa_groups_rows(query))
		add_groups(work, query);
}

/* A row of the union is of one of its inputs; the rows that a stored one becomes in all of them are counted (reach.c). */
static void
add_branches(BlockWork *work, const Query *query)
{
	double		before = work->total;
	double		most = before;
	ListCell   *cell;

	foreach(cell, pa_branches(query))
	{
		work->total = before;
		add_subquery(work, lfirst(cell));
		most = fmax(most, work->total);
	}
	work->total = most;
}

static void
add_from(BlockWork *work, const Query *query, Node *node)
{
	pa_descend();
	if (IsA(node, FromExpr))
	{
		ListCell   *cell;

		foreach(cell, ((FromExpr *) node)->fromlist)
			add_from(work, query, lfirst(cell));
		add_conditions(work, query, ((FromExpr *) node)->quals);
	}
	else if (IsA(node, JoinExpr))
	{
		add_from(work, query, ((JoinExpr *) node)->larg);
		add_from(work, query, ((JoinExpr *) node)->rarg);
		add_conditions(work, query, ((JoinExpr *) node)->quals);
	}
	else
	{
		const RangeTblEntry *rte = rt_fetch(castNode(RangeTblRef, node)->rtindex, query->rtable);

		if (rte->rtekind == RTE_SUBQUERY && pa_is_read_first(rte->subquery))
			work->total += SUBLINK_WORK;
		else if (rte->rtekind == RTE_SUBQUERY)
			add_branches(work, rte->subquery);
	}
}

/*
 * A value that the leaf reads, with the work of reading it, computed once however often it stands there;
 * and of what is done with it.
 */
static void
add_input(BlockWork *work, Node *node, bool key, double use)
{
	PaWorkContext context = {work->block->leaf, INFINITY, &work->columns};
	PaMeasure		value = {0, 0};
	Oid			type = exprType(node);

	if (!list_member(work->inputs, node))
	{
		work->inputs = lappend(work->inputs, node);
		value = pa_measure(&context, node);
	}
	value.work += use;
	if (key)
		value.work += (get_typlen(type) == -1 ? KEY_BYTE * fmin(pa_measure(&context, node).bytes, PA_MAX_KEY_BYTES) : 0);
	if (type == NUMERICOID)
		value.work += pa_call_work(WORK_NUMERIC_READ, InvalidOid, fmin(pa_measure(&context, node).bytes, PA_NUMERIC_BYTES), 0);
	add_work(work, node, value.work);
}

/* Of quantiles of one value that are drawn together, which are sorted once: in all */
static double
work_of_quantiles(int count)
{
	return ORDER_WORK + (count - 1) * NODE_WORK + pa_quantiles_row_units(count) * UNIT_WORK;
}

/* Whether the word stands in the options, which may be known only when the query is executed. */
static bool
may_say(const Aggref *call, const char *word)
{
	const Const *options = (const Const *) ((TargetEntry *) list_nth(call->args, PA_ARG_OPTIONS))->expr;

	if (!IsA(options, Const))
		return true;
	return !options->constisnull && pa_options_name(TextDatumGetCString(options->constvalue), word);
}

static double
work_of_distinct(const Aggref *call)
{
	return DISTINCT_WORK + (may_say(call, "exact") ? EXACT_WORK : 0) + (may_say(call, "auto") ? CAP_WORK : 0);
}

static double
work_of_call(const BlockWork *work, const TargetEntry *entry, PaAggregateKind kind)
{
	int			together = 0;	/* with others before it */

	if (pa_aggregate_form(kind)->distinct)
		return work_of_distinct((const Aggref *) entry->expr);
	if (!pa_aggregate_form(kind)->draws)
		return AGGREGATE_WORK;
	for (int i = 0; i < entry->resno - 1; i++)
	{
		const TargetEntry *before = list_nth(work->block->leaf->targetList, i);

		together += IsA(before->expr, Aggref) && pa_are_drawn_together((Aggref *) before->expr, (Aggref *) entry->expr);
	}
	return work_of_quantiles(together + 1) - (together > 0 ? work_of_quantiles(together) : 0);
}

static void
add_call(BlockWork *work, const TargetEntry *entry, PaAggregateKind kind)
{
	const Aggref *call = (const Aggref *) entry->expr;

	add_input(work, (Node *) linitial_node(TargetEntry, call->args)->expr, false, work_of_call(work, entry, kind));
	for (int i = PA_ARG_COUNT; i < list_length(call->args); i++)
		add_input(work, (Node *) ((TargetEntry *) list_nth(call->args, i))->expr, true, FIELD_WORK);
}

static void
add_outputs(BlockWork *work)
{
	ListCell   *cell;

	foreach(cell, work->block->leaf->targetList)
	{
		TargetEntry *entry = lfirst(cell);
		PaAggregateKind kind;

		if (entry->resjunk || IsA(entry->expr, GroupingFunc))
			continue;			/* the marker, and what is known of a group without its rows */
		if (!IsA(entry->expr, Aggref))
			add_input(work, (Node *) entry->expr, true, KEY_WORK);
		else if (pa_aggregate_kind(((Aggref *) entry->expr)->aggfnoid, &kind) && !pa_aggregate_form(kind)->asks_owners)
			add_call(work, entry, kind);
	}
}

/* Columns of the table, or of the widest of its partitions, all of which may stand before one that is wanted. */
static int
most_columns(Oid relation)
{
	int			most = pa_table_columns(relation);
	ListCell   *cell;

	if (has_subclass(relation))
		foreach(cell, find_all_inheritors(relation, NoLock, NULL))
			most = Max(most, pa_table_columns(lfirst_oid(cell)));
	return most;
}

/* How often the block reads the table. */
static int
count_scans(const PaBlock *block, Oid relation)
{
	int			scans = 0;
	ListCell   *cell;

	foreach(cell, block->tables)
		scans += ((const PaBlockTable *) lfirst(cell))->policy->relation == relation;
	return scans;
}

/* Before anything is done with it: a row is taken apart wherever its table is read. */
static double
row_work(const PaBlock *block)
{
	int			columns = 0;
	ListCell   *cell;

	foreach(cell, block->tables)
	{
		Oid			relation = ((const PaBlockTable *) lfirst(cell))->policy->relation;

		columns = Max(columns, count_scans(block, relation) * (most_columns(relation) - ROW_COLUMNS));
	}
	return ROW_WORK + COLUMN_WORK * columns;
}

/* location: of the expression with the largest part */
static double
work_bound(const PaBlock *block, int *location)
{
	BlockWork	work = {.block = block,.total = row_work(block),.location = -1};

	if (get_typlen(block->owner->vartype) == -1)
		work.total += OWNER_BYTE * fmin(pa_declared_bytes(block->owner->vartype, block->owner->vartypmod), PA_MAX_TEXT_BYTES);
	add_from(&work, block->leaf, (Node *) block->leaf->jointree);
	add_outputs(&work);
	*location = work.location;
	return work.total;
}

/* The same of all that it is joined with. */
static double
work_of_rows(const PaBlock *block, double rows_per_row, int *location)
{
	double		row = row_work(block);

	return row + rows_per_row * (work_bound(block, location) - row) + (rows_per_row - 1) * JOINED_WORK;
}

bool
pa_is_much_work(const PaBlock *block, double rows_per_row)
{
	int			location;

	return work_of_rows(block, rows_per_row, &location) > PA_MAX_ROW_WORK;
}

int
pa_bound_row_work(const PaBlock *block, double rows_per_row)
{
	int			location;
	double		work = work_of_rows(block, rows_per_row, &location);

	if (work <= PA_MAX_ROW_WORK)
		return (int) ceil(work);
	pa_refuse(block->guard, location,
			  psprintf("A row could take %.0f microseconds in this block; at most %d are allowed.",
					   ceil(work / 1000), PA_MAX_ROW_WORK / 1000),
			  "Split the block into several, ask for fewer quantiles at once, shorten patterns, write long lists as IN (VALUES (...), ...), put texts in the order of COLLATE \"C\", or work on columns with a declared length such as varchar(50).");
}
