/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * join.c
 *		Outer joins of a block.
 *
 * Rows without an owner do not count.  So where an outer join would make up a
 * row of nobody, by nulls in place of a protected row, it is as good as an inner
 * join; and the protected rows are on the side that is read last.  So it is where a
 * condition around it demands a value of the side that it makes up.
 */
#include "postgres.h"

#include "parser/parsetree.h"

#include "descend.h"
#include "guard/branches.h"
#include "guard/from.h"

static void
make_inner(const Query *query, JoinExpr *join)
{
	join->jointype = JOIN_INNER;
	if (join->rtindex > 0)
		rt_fetch(join->rtindex, query->rtable)->jointype = JOIN_INNER;
}

static void
keep_owned_rows(Query *query, Node *node)
{
	ListCell   *cell;

	pa_descend();
	if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;
		bool		left = pa_reads_stamped(query, join->larg);
		bool		right = pa_reads_stamped(query, join->rarg);

		if ((join->jointype == JOIN_LEFT && right && !left) || (join->jointype == JOIN_RIGHT && left && !right))
			make_inner(query, join);
		keep_owned_rows(query, join->larg);
		keep_owned_rows(query, join->rarg);
	}
	else if (IsA(node, FromExpr))
		foreach(cell, ((FromExpr *) node)->fromlist)
			keep_owned_rows(query, lfirst(cell));
	else
	{
		RangeTblEntry *rte = rt_fetch(castNode(RangeTblRef, (Node *) node)->rtindex, query->rtable);

		if (rte->rtekind == RTE_SUBQUERY)
			foreach(cell, pa_branches(rte->subquery))
				keep_owned_rows(lfirst(cell), (Node *) ((Query *) lfirst(cell))->jointree);
	}
}

void
pa_keep_owned_rows(Query *leaf)
{
	keep_owned_rows(leaf, (Node *) leaf->jointree);
}

/* --- conditions --- */

static bool
demands(List *holds, const List *tables)
{
	ListCell   *cell;

	foreach(cell, holds)
	{
		const PaEquality *equality = lfirst(cell);

		if (list_member_ptr(tables, equality->sides[0].table) || list_member_ptr(tables, equality->sides[1].table))
			return true;
	}
	return false;
}

/* The tables that a part of FROM reads, those of subqueries among them. */
static List *
tables_below(const Query *query, Node *node)
{
	List	   *tables = NIL;
	ListCell   *cell;
	RangeTblEntry *rte;

	pa_descend();
	if (IsA(node, JoinExpr))
		return list_concat(tables_below(query, ((JoinExpr *) node)->larg), tables_below(query, ((JoinExpr *) node)->rarg));
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
			tables = list_concat(tables, tables_below(query, lfirst(cell)));
		return tables;
	}
	rte = rt_fetch(castNode(RangeTblRef, node)->rtindex, query->rtable);
	return rte->rtekind == RTE_SUBQUERY && !pa_is_union(rte) ? tables_below(rte->subquery, (Node *) rte->subquery->jointree) : list_make1(rte);
}

static void
keep_demanded_rows(PaBlock *block, Query *query, Node *part, List *holds)
{
	JoinExpr   *join = (JoinExpr *) part;

	if (!IsA(part, JoinExpr) || (join->jointype != JOIN_LEFT && join->jointype != JOIN_RIGHT))
		return;
	if (demands(holds, tables_below(query, join->jointype == JOIN_RIGHT ? join->larg : join->rarg)))
		make_inner(query, join);
}

void
pa_keep_demanded_rows(PaBlock *block)
{
	pa_visit_from(block, keep_demanded_rows);
}
