/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reach.c
 *		How a block reaches the public tables that it joins.
 *
 * A protected row must not become many rows, nor be compared with many: each
 * public table is reached by equalities, on columns of which it is known how
 * many of its rows can agree in them, from the protected table or from tables
 * that are reached already.  In VALUES all rows can.  The product of these numbers is the block's fan-out.
 *
 * Equalities are gathered from the whole FROM of the block with the views and
 * subqueries in it.  In the ON of a left join they restrict its right side only.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "catalog/public_table.h"
#include "guard/guard.h"
#include "size_limits.h"

/* A column of a table of the block, or no single column (table NULL). */
typedef struct Column
{
	RangeTblEntry *table;
	AttrNumber	attnum;
} Column;

typedef struct Equality
{
	Column		sides[2];
	List	   *tables[2];		/* that each side depends on */
	List	   *restricts;		/* tables whose rows it restricts */
} Equality;

typedef struct Reach
{
	const PaBlock *block;
	List	   *tables;			/* RTEs of public tables and VALUES in FROM */
	List	   *equalities;
	List	   *reached;		/* the protected table and what is reached from it */
} Reach;

static bool
is_stamped(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION && rte->checkAsUser == pa_reader_role();
}

/* --- what an expression is made of --- */

static Node *
behind_var(const Query *query, const Var *var, const Query **inner)
{
	RangeTblEntry *rte = rt_fetch(var->varno, query->rtable);
	TargetEntry *entry;

	*inner = query;
	if (rte->rtekind == RTE_JOIN)
		return list_nth(rte->joinaliasvars, var->varattno - 1);
	if (rte->rtekind != RTE_SUBQUERY)
		return NULL;
	entry = get_tle_by_resno(rte->subquery->targetList, var->varattno);
	*inner = rte->subquery;
	return entry ? (Node *) entry->expr : NULL;
}

static Column
column_of(const Query *query, Node *node)
{
	const Query *inner;
	Node	   *behind;

	while (node && IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	if (node == NULL || !IsA(node, Var))
		return (Column) {NULL, 0};
	behind = behind_var(query, (Var *) node, &inner);
	if (behind)
		return column_of(inner, behind);
	return (Column) {rt_fetch(((Var *) node)->varno, query->rtable), ((Var *) node)->varattno};
}

typedef struct TablesContext
{
	const Query *query;
	List	   *tables;
} TablesContext;

static bool
tables_walker(Node *node, TablesContext *context)
{
	const Query *inner;
	Node	   *behind;

	if (node == NULL)
		return false;
	if (!IsA(node, Var))
		return expression_tree_walker(node, tables_walker, context);
	behind = behind_var(context->query, (Var *) node, &inner);
	if (behind)
	{
		TablesContext inside = {inner, context->tables};

		(void) tables_walker(behind, &inside);
		context->tables = inside.tables;
	}
	else
		context->tables = list_append_unique_ptr(context->tables, rt_fetch(((Var *) node)->varno, context->query->rtable));
	return false;
}

static List *
tables_of(const Query *query, Node *node)
{
	TablesContext context = {query, NIL};

	(void) tables_walker(node, &context);
	return context.tables;
}

/* --- gathering --- */

static void
gather_condition(Reach *reach, const Query *query, Node *condition, List *restricts)
{
	OpExpr	   *test = (OpExpr *) condition;
	Equality   *equality;
	ListCell   *cell;

	if (condition == NULL)
		return;
	if (IsA(condition, List) || is_andclause(condition))
	{
		foreach(cell, IsA(condition, List) ? (List *) condition : ((BoolExpr *) condition)->args)
			gather_condition(reach, query, lfirst(cell), restricts);
		return;
	}
	if (!IsA(condition, OpExpr) || list_length(test->args) != 2 ||
		!op_hashjoinable(test->opno, exprType(linitial(test->args))))
		return;
	equality = palloc0(sizeof(Equality));
	for (int i = 0; i < 2; i++)
	{
		equality->sides[i] = column_of(query, list_nth(test->args, i));
		equality->tables[i] = tables_of(query, list_nth(test->args, i));
	}
	equality->restricts = restricts;
	reach->equalities = lappend(reach->equalities, equality);
}

/* The tables below a part of FROM. */
static List *gather(Reach *reach, const Query *query, Node *node);

static List *
gather_join(Reach *reach, const Query *query, const JoinExpr *join)
{
	List	   *left = gather(reach, query, join->larg);
	List	   *right = gather(reach, query, join->rarg);
	List	   *both = list_concat_copy(left, right);

	gather_condition(reach, query, join->quals,
					 join->jointype == JOIN_LEFT ? right : join->jointype == JOIN_RIGHT ? left : both);
	return both;
}

static List *
gather_table(Reach *reach, RangeTblEntry *rte)
{
	if (rte->rtekind == RTE_SUBQUERY)
		return gather(reach, rte->subquery, (Node *) rte->subquery->jointree);
	if (is_stamped(rte))
		reach->reached = lappend(reach->reached, rte);
	else
		reach->tables = lappend(reach->tables, rte);
	if (list_length(reach->tables) > PA_MAX_PUBLIC_TABLES)
		pa_refuse_table(reach->block->guard, rte,
						psprintf("The block joins more than %d tables.", PA_MAX_PUBLIC_TABLES),
						"Join the result of the block instead.");
	return list_make1(rte);
}

static List *
gather(Reach *reach, const Query *query, Node *node)
{
	List	   *tables = NIL;
	ListCell   *cell;

	if (IsA(node, RangeTblRef))
		return gather_table(reach, rt_fetch(((RangeTblRef *) node)->rtindex, query->rtable));
	if (IsA(node, JoinExpr))
		return gather_join(reach, query, (JoinExpr *) node);
	foreach(cell, castNode(FromExpr, node)->fromlist)
		tables = list_concat(tables, gather(reach, query, lfirst(cell)));
	gather_condition(reach, query, ((FromExpr *) node)->quals, tables);
	return tables;
}

/* --- reaching --- */

static bool
all_reached(const Reach *reach, List *tables)
{
	return list_difference_ptr(tables, reach->reached) == NIL;
}

/* Columns of the table that are set equal to what is known once the reached tables are. */
static Bitmapset *
known_columns(const Reach *reach, RangeTblEntry *table)
{
	Bitmapset  *columns = NULL;
	ListCell   *cell;

	foreach(cell, reach->equalities)
	{
		const Equality *equality = lfirst(cell);

		if (!list_member_ptr(equality->restricts, table))
			continue;
		for (int i = 0; i < 2; i++)
			if (equality->sides[i].table == table && equality->sides[i].attnum > 0 &&
				all_reached(reach, equality->tables[1 - i]))
				columns = bms_add_member(columns, equality->sides[i].attnum);
	}
	return columns;
}

/* How many rows of the table agree in the columns; 0: too many, or nobody knows. */
static int
rows_that_agree(const RangeTblEntry *table, Bitmapset *columns)
{
	if (table->rtekind == RTE_VALUES)
		return bms_is_empty(columns) ? 0 : list_length(table->values_lists);
	return pa_public_rows(table->relid, columns);
}

/* Reaches one more table; 0 if none can be. */
static int
reach_next(Reach *reach)
{
	ListCell   *cell;

	CHECK_FOR_INTERRUPTS();
	foreach(cell, reach->tables)
	{
		RangeTblEntry *table = lfirst(cell);
		int			rows = rows_that_agree(table, known_columns(reach, table));

		if (rows > 0)
		{
			reach->tables = foreach_delete_current(reach->tables, cell);
			reach->reached = lappend(reach->reached, table);
			return rows;
		}
	}
	return 0;
}

static void
refuse_unreached(const PaGuard *guard, const RangeTblEntry *table)
{
	const char *key;

	if (table->rtekind == RTE_VALUES)
		pa_refuse_table(guard, table, "VALUES is not joined by equality on a column.",
						"Join on one of its columns, write IN (VALUES ...), or join the result of the block.");
	key = pa_public_key(table->relid);
	pa_refuse_table(guard, table,
					psprintf("Table %s is not joined by equality on a unique key.", get_rel_name(table->relid)),
					psprintf("Join %s, or on columns for which privacct.declare_public() says how many rows agree; or join the result of the block.",
							 key ? psprintf("it by equality on %s", key) : "on all columns of a unique key, once the table has one"));
}

int
pa_reach_public_tables(const PaBlock *block)
{
	Reach		reach = {.block = block};
	double		fanout = 1;

	(void) gather(&reach, block->leaf, (Node *) block->leaf->jointree);
	while (reach.tables != NIL)
	{
		int			rows = reach_next(&reach);

		if (rows == 0)
			refuse_unreached(block->guard, linitial(reach.tables));
		fanout *= rows;
	}
	if (fanout > PA_MAX_FANOUT)
		pa_refuse_table(block->guard, llast(reach.reached),
						psprintf("The joins of the block can turn one row into %.0f.", fanout),
						psprintf("At most %d are allowed; join the result of the block instead.", PA_MAX_FANOUT));
	return (int) fanout;
}
