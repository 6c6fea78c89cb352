/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reach.c
 *		How a block reaches the public tables that it joins.
 *
 * A protected row must not become many rows, nor be compared with many: each
 * public table is reached by equalities, on columns of which it is known how
 * many of its rows can agree in them, from the protected table or from tables
 * that are reached already.  In VALUES all rows can; of a release (inputs.h) one row
 * has a group's whole key.  The product of these numbers is the block's fan-out.
 *
 * Equalities are gathered from the whole FROM of the block with the views and
 * subqueries in it.  In the ON of a left, semi- or anti-join they restrict its right side
 * only.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "catalog/public_table.h"
#include "guard/branches.h"
#include "guard/column.h"
#include "guard/guard.h"
#include "guard/inputs.h"
#include "size_limits.h"

typedef struct Equality
{
	PaColumn	sides[2];
	List	   *tables[2];		/* that each side depends on */
	List	   *restricts;		/* tables whose rows it restricts */
} Equality;

typedef struct Reach
{
	const PaBlock *block;
	List	   *tables;			/* RTEs of public tables and VALUES in FROM */
	List	   *equalities;
	List	   *reached;		/* protected tables and what is reached from them */
	double		fanout;			/* of a row, by joins with public tables */
	double		rows;			/* that it becomes by these, and in the inputs of unions */
} Reach;

/* --- gathering --- */

static void
gather_condition(Reach *reach, const Query *query, Node *condition, List *restricts)
{
	OpExpr	   *test = (OpExpr *) condition;
	Equality   *equality;
	ListCell   *cell;

	pa_descend();
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
		equality->sides[i] = pa_column_of(query, list_nth(test->args, i));
		equality->tables[i] = pa_tables_of(query, list_nth(test->args, i));
	}
	equality->restricts = restricts;
	reach->equalities = lappend(reach->equalities, equality);
}

/* The tables below a part of FROM. */
static List *gather(Reach *reach, const Query *query, Node *node);
static List *gather_groups(Reach *reach, const Query *query);
static List *gather_union(Reach *reach, const RangeTblEntry *rte);

static List *
gather_join(Reach *reach, const Query *query, const JoinExpr *join)
{
	List	   *left = gather(reach, query, join->larg);
	List	   *right = gather(reach, query, join->rarg);
	List	   *both = list_concat_copy(left, right);

	gather_condition(reach, query, join->quals,
					 join->jointype == JOIN_INNER ? both : join->jointype == JOIN_RIGHT ? left : right);
	return both;
}

static List *
gather_table(Reach *reach, RangeTblEntry *rte)
{
	if (pa_is_union(rte))
		return gather_union(reach, rte);
	if (rte->rtekind == RTE_SUBQUERY && pa_groups_rows(rte->subquery))
		return gather_groups(reach, rte->subquery);
	if (rte->rtekind == RTE_SUBQUERY)
		return gather(reach, rte->subquery, (Node *) rte->subquery->jointree);
	if (pa_is_stamped(rte))
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

	pa_descend();
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
rows_that_agree(const PaGuard *guard, const RangeTblEntry *table, Bitmapset *columns)
{
	if (table->rtekind == RTE_CTE)
		return pa_input_rows(guard, table, columns);
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
		int			rows = rows_that_agree(reach->block->guard, table, known_columns(reach, table));

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
	if (table->rtekind == RTE_CTE)
		pa_refuse_table(guard, table, "A release is not joined by equality on all columns that it is grouped by.",
						"Join it as in WITH r AS (SELECT k, avg(x) AS v FROM t GROUP BY k) SELECT ... FROM ... JOIN r USING (k); write IN (SELECT k FROM r); or join the result of the block.");
	key = pa_public_key(table->relid);
	pa_refuse_table(guard, table,
					psprintf("Table %s is not joined by equality on a unique key.", get_rel_name(table->relid)),
					psprintf("Join %s, or on columns for which privacct.declare_public() says how many rows agree; or join the result of the block.",
							 key ? psprintf("it by equality on %s", key) : "on all columns of a unique key, once the table has one"));
}

/* Reaches all tables that were gathered. */
static void
reach_all(Reach *reach)
{
	while (reach->tables != NIL)
	{
		int			rows = reach_next(reach);

		if (rows == 0)
			refuse_unreached(reach->block->guard, linitial(reach->tables));
		reach->fanout *= rows;
		reach->rows *= rows;
	}
}

/* Conditions around a subquery that groups reach nothing in it: they hold of groups. */
static List *
gather_groups(Reach *reach, const Query *query)
{
	Reach		inside = {.block = reach->block,.fanout = 1,.rows = 1};

	(void) gather(&inside, query, (Node *) query->jointree);
	reach_all(&inside);
	reach->fanout *= inside.fanout;
	reach->rows *= inside.rows;
	reach->reached = list_concat(reach->reached, inside.reached);
	return inside.reached;
}

/* Nor in the inputs of a union; a row of it is of one of them, but a row that is stored may be in each. */
static List *
gather_union(Reach *reach, const RangeTblEntry *rte)
{
	List	   *reached = NIL;
	double		fanout = 1;
	double		rows = 0;
	ListCell   *cell;

	pa_descend();
	foreach(cell, pa_branches(rte->subquery))
	{
		Reach		inside = {.block = reach->block,.fanout = 1,.rows = 1};

		reached = list_concat(reached, gather_groups(&inside, lfirst(cell)));
		fanout = fmax(fanout, inside.fanout);
		rows += inside.rows;
	}
	reach->fanout *= fanout;
	reach->rows *= rows;
	reach->reached = list_concat(reach->reached, reached);
	return reached;
}

int
pa_reach_public_tables(const PaBlock *block, int *rows)
{
	Reach		reach = {.block = block,.fanout = 1,.rows = 1};

	(void) gather(&reach, block->leaf, (Node *) block->leaf->jointree);
	reach_all(&reach);
	if (reach.rows > PA_MAX_FANOUT)
		pa_refuse_table(block->guard, llast(reach.reached),
						psprintf("The joins and unions of the block can turn one row into %.0f.", reach.rows),
						psprintf("At most %d are allowed; join the result of the block instead.", PA_MAX_FANOUT));
	*rows = (int) reach.rows;
	return (int) reach.fanout;
}
