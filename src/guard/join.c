/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * join.c
 *		Outer joins of a block.
 *
 * Rows without an owner do not count.  So where an outer join would make up a
 * row of nobody, by nulls in place of a protected row, it is as good as an inner
 * join; and the protected rows are on the side that is read last.  That is so only where
 * nothing around it gives the row an owner: what is joined with the public columns of
 * a row of nobody may be a row of somebody.  And it is as good as an inner join where a
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

/* --- what is there --- */

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

/* --- rows of nobody --- */

/* What is around a part of FROM. */
typedef struct Place
{
	bool		says_owner;		/* nothing there gives its rows another owner */
	List	   *meetings;		/* of List of PaEquality: conditions of outer joins that keep its rows, and join protected rows to them */
} Place;

static void keep_owned_rows(Query *query, Node *node, Place place);

/* Whether a row of nobody that the join makes up meets nothing that is somebody's. */
static bool
meets_nobody(const Query *query, Node *made_up, Place place)
{
	List	   *tables = tables_below(query, made_up);
	ListCell   *cell;

	foreach(cell, place.meetings)
		if (!demands(lfirst(cell), tables))
			return false;
	return place.says_owner;
}

static bool
keeps_side(JoinType type, JoinType preserves)
{
	return type == preserves || (preserves == JOIN_LEFT && (type == JOIN_SEMI || type == JOIN_ANTI));
}

/* Of what a join keeps, every row has its own owner, or none. */
static Place
place_of_side(const Query *query, const JoinExpr *join, Place place, JoinType preserves, bool other_reads)
{
	if (join->jointype == JOIN_INNER)
		place.says_owner &= !other_reads;
	else if (!keeps_side(join->jointype, preserves))
		place.says_owner = false;
	else if (join->jointype == preserves && other_reads)
		place.meetings = lappend(list_copy(place.meetings), pa_with_equalities(NIL, query, join->quals));
	return place;
}

static void
keep_owned_rows_of_join(Query *query, JoinExpr *join, Place place)
{
	bool		left = pa_reads_stamped(query, join->larg);
	bool		right = pa_reads_stamped(query, join->rarg);

	if (((join->jointype == JOIN_LEFT && right && !left) || (join->jointype == JOIN_RIGHT && left && !right)) &&
		meets_nobody(query, right ? join->rarg : join->larg, place))
		make_inner(query, join);
	keep_owned_rows(query, join->larg, place_of_side(query, join, place, JOIN_LEFT, right));
	keep_owned_rows(query, join->rarg, place_of_side(query, join, place, JOIN_RIGHT, left));
}

/* The rows of a subquery that groups have owners by its keys, those of a union from its inputs, whatever is around them. */
static void
keep_owned_rows_of_subquery(RangeTblEntry *rte, Place place)
{
	ListCell   *cell;

	if (rte->rtekind != RTE_SUBQUERY)
		return;
	if (pa_is_union(rte) || pa_groups_rows(rte->subquery))
		place = (Place) {.says_owner = true};
	foreach(cell, pa_branches(rte->subquery))
		keep_owned_rows(lfirst(cell), (Node *) ((Query *) lfirst(cell))->jointree, place);
}

static void
keep_owned_rows(Query *query, Node *node, Place place)
{
	ListCell   *cell;
	int			reading = 0;

	pa_descend();
	if (IsA(node, JoinExpr))
	{
		keep_owned_rows_of_join(query, (JoinExpr *) node, place);
		return;
	}
	if (!IsA(node, FromExpr))
	{
		keep_owned_rows_of_subquery(rt_fetch(castNode(RangeTblRef, (Node *) node)->rtindex, query->rtable), place);
		return;
	}
	foreach(cell, ((FromExpr *) node)->fromlist)
		reading += pa_reads_stamped(query, lfirst(cell));
	place.says_owner &= reading < 2;
	foreach(cell, ((FromExpr *) node)->fromlist)
		keep_owned_rows(query, lfirst(cell), place);
}

/* --- conditions --- */

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
pa_simplify_outer_joins(PaBlock *block)
{
	pa_visit_from(block, keep_demanded_rows);
	keep_owned_rows(block->leaf, (Node *) block->leaf->jointree, (Place) {.says_owner = true});
	pa_visit_from(block, keep_demanded_rows);	/* what is an inner join now demands more */
}
