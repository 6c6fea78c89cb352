/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bounded.c
 *		See bounded.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "compat/planner.h"
#include "allow/allowlist.h"
#include "catalog/public_table.h"
#include "lookup/bounded.h"
#include "lookup/owner_equality.h"
#include "lookup/unique_columns.h"

static bool
has_limit(Oid type)
{
	return type == TEXTOID || type == VARCHAROID || type == BPCHAROID || type == NUMERICOID;
}

/* Limited in length or not. */
static const Var *
column_of(const Node *node, const RelOptInfo *table)
{
	const FuncExpr *limit = (const FuncExpr *) (node = pa_source_expression(node));

	if (IsA(node, FuncExpr) && has_limit(limit->funcresulttype) && limit->funcid == pa_short_function(limit->funcresulttype))
		node = pa_source_expression(linitial(limit->args));
	return IsA(node, Var) && ((const Var *) node)->varno == table->relid && ((const Var *) node)->varattno > 0 ? (const Var *) node : NULL;
}

static Bitmapset *
with_column(Bitmapset *columns, const Var *column)
{
	return column ? bms_add_member(columns, column->varattno) : columns;
}

/*
 * The rows that a lookup brings together: of the other side, and of the tables of the public side that it
 * reaches.  An equality is a key if what it compares with is of one of them; with a value that is computed of
 * both, it is looked at for each pair.
 */
typedef struct Sides
{
	Relids		from;
	Relids		reached;
} Sides;

static bool
is_known(const PlannerInfo *root, const Sides *sides, Relids relids)
{
	relids = pa_relations_read(root, relids);
	return bms_is_subset(relids, sides->from) || bms_is_subset(relids, sides->reached);
}

/* Columns that are equal to something of the reached tables, or to a constant. */
static Bitmapset *
columns_of_class(const PlannerInfo *root, Bitmapset *columns, const EquivalenceClass *class, const RelOptInfo *table, const Sides *sides)
{
	bool		known = class->ec_has_const;
	ListCell   *cell;

	foreach(cell, class->ec_members)
		known |= !bms_is_empty(((EquivalenceMember *) lfirst(cell))->em_relids) && is_known(root, sides, ((EquivalenceMember *) lfirst(cell))->em_relids);
	foreach(cell, class->ec_members)
		if (known)
			columns = with_column(columns, column_of((const Node *) ((EquivalenceMember *) lfirst(cell))->em_expr, table));
	return columns;
}

/* As the guard writes most of them (guard/once.c), or as they are. */
static const OpExpr *
equality_of(const RestrictInfo *clause)
{
	const Node *node = (const Node *) clause->clause;

	if (IsA(node, BooleanTest) && ((const BooleanTest *) node)->booltesttype == IS_TRUE)
		node = (const Node *) ((const BooleanTest *) node)->arg;
	if (!IsA(node, OpExpr) || list_length(((const OpExpr *) node)->args) != 2)
		return NULL;
	return op_hashjoinable(((const OpExpr *) node)->opno, exprType(linitial(((const OpExpr *) node)->args))) ? (const OpExpr *) node : NULL;
}

static Bitmapset *
columns_of_clauses(PlannerInfo *root, Bitmapset *columns, List *clauses, const RelOptInfo *table, const Sides *sides)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		const RestrictInfo *clause = lfirst_node(RestrictInfo, cell);
		const OpExpr *equality = equality_of(clause);

		if (bms_is_member(table->relid, clause->outer_relids))
			continue;			/* its rows stay, whether they meet the condition of an outer join or not */
		for (int side = 0; equality && side < 2; side++)
			if (is_known(root, sides, pull_varnos(root, list_nth(equality->args, 1 - side))))
				columns = with_column(columns, column_of(list_nth(equality->args, side), table));
	}
	return columns;
}

/* As the guard names them, those in reach are of no two WITH queries. */
static const Query *
find_with(const char *name, const void *planner)
{
	for (const PlannerInfo *root = planner; root; root = root->parent_root)
	{
		ListCell   *cell;

		foreach(cell, root->parse->cteList)
			if (strcmp(((const CommonTableExpr *) lfirst(cell))->ctename, name) == 0)
				return (const Query *) ((const CommonTableExpr *) lfirst(cell))->ctequery;
	}
	return NULL;
}

/* How many of its rows agree in the columns at most; 0: nobody knows. */
static int
rows_that_agree(const PlannerInfo *root, const RangeTblEntry *rte, const Bitmapset *columns)
{
	const Query *query = rte->rtekind == RTE_CTE ? find_with(rte->ctename, root) : rte->subquery;
	Bitmapset  *unique = NULL;

	if (rte->rtekind == RTE_RELATION)
		return pa_public_rows(rte->relid, columns);
	if (rte->rtekind == RTE_VALUES)
		return bms_is_empty(columns) ? 0 : list_length(rte->values_lists);
	if (rte->rtekind == RTE_RESULT)
		return 1;
	/* over public tables; or, in a WITH query, what was released */
	return query && pa_unique_columns(query, find_with, root, &unique) && bms_is_subset(unique, columns) ? 1 : 0;
}

static Bitmapset *
known_columns(PlannerInfo *root, const RelOptInfo *table, const Sides *sides)
{
	Bitmapset  *columns = NULL;
	ListCell   *cell;

	foreach(cell, root->eq_classes)
		columns = columns_of_class(root, columns, lfirst(cell), table, sides);
	columns = columns_of_clauses(root, columns, table->joininfo, table, sides);
	return columns_of_clauses(root, columns, table->baserestrictinfo, table, sides);
}

/*
 * Not before its rows are as few as they will be: the block was admitted for as many as agree in all columns
 * that the query makes equal to something, and may know another number for some of them.
 */
static bool
is_reached(PlannerInfo *root, const RelOptInfo *table, const Sides *sides)
{
	const RangeTblEntry *rte = root->simple_rte_array[table->relid];
	Sides		all = {.from = bms_del_member(bms_copy(root->all_baserels), table->relid)};
	int			rows = rows_that_agree(root, rte, known_columns(root, table, sides));

	return rows > 0 && rows <= rows_that_agree(root, rte, known_columns(root, table, &all));
}

bool
pa_is_bounded(PlannerInfo *root, const RelOptInfo *from, const RelOptInfo *public)
{
	Sides		sides = {.from = from->relids};
	Relids		left = bms_copy(pa_relations_read(root, public->relids));
	bool		grown = true;

	while (grown && !bms_is_empty(left))
	{
		int			member = -1;

		grown = false;
		while ((member = bms_next_member(left, member)) >= 0)
			if (is_reached(root, root->simple_rel_array[member], &sides))
			{
				sides.reached = bms_add_member(sides.reached, member);
				left = bms_del_member(left, member);
				grown = true;
				break;
			}
	}
	return bms_is_empty(left);
}
