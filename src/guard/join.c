/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * join.c
 *		Outer joins of a block.
 *
 * Rows without an owner do not count.  So where an outer join would make up a
 * row of nobody, by nulls in place of a protected row, it is as good as an inner
 * join; and the protected rows are on the side that is read last.
 */
#include "postgres.h"

#include "parser/parsetree.h"

#include "guard/guard.h"

static bool
reads_stamped(const Query *query, const Node *node)
{
	const RangeTblEntry *rte;
	ListCell   *cell;

	if (IsA(node, JoinExpr))
		return reads_stamped(query, ((const JoinExpr *) node)->larg) || reads_stamped(query, ((const JoinExpr *) node)->rarg);
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((const FromExpr *) node)->fromlist)
			if (reads_stamped(query, lfirst(cell)))
				return true;
		return false;
	}
	rte = rt_fetch(castNode(RangeTblRef, (Node *) node)->rtindex, query->rtable);
	if (rte->rtekind == RTE_SUBQUERY)
		return reads_stamped(rte->subquery, (Node *) rte->subquery->jointree);
	return rte->rtekind == RTE_RELATION && rte->checkAsUser == pa_reader_role();
}

static void
keep_owned_rows(Query *query, Node *node)
{
	ListCell   *cell;

	if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		if ((join->jointype == JOIN_LEFT && reads_stamped(query, join->rarg)) ||
			(join->jointype == JOIN_RIGHT && reads_stamped(query, join->larg)))
		{
			join->jointype = JOIN_INNER;
			if (join->rtindex > 0)
				rt_fetch(join->rtindex, query->rtable)->jointype = JOIN_INNER;
		}
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
			keep_owned_rows(rte->subquery, (Node *) rte->subquery->jointree);
	}
}

void
pa_keep_owned_rows(Query *leaf)
{
	keep_owned_rows(leaf, (Node *) leaf->jointree);
}
