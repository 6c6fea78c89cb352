/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * never_null.c
 *		Columns that are not null in the place where they are named: declared so, and made
 *		up by no outer join in between.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"

#include "compat/not_null.h"
#include "compat/planner.h"
#include "descend.h"
#include "guard/branches.h"
#include "guard/column.h"
#include "guard/guard.h"

static bool
is_below(const Node *node, int rtindex)
{
	return bms_is_member(rtindex, pa_entries_below(unconstify(Node *, node), false));
}

/* Whether an outer join may yield nulls in the place of the entry's columns. */
static bool
is_made_up(Node *node, int rtindex)
{
	JoinExpr   *join = (JoinExpr *) node;
	ListCell   *cell;

	pa_descend();
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
			if (is_made_up(lfirst(cell), rtindex))
				return true;
		return false;
	}
	if (!IsA(node, JoinExpr))
		return false;
	if ((join->jointype == JOIN_LEFT || join->jointype == JOIN_FULL) && is_below(join->rarg, rtindex))
		return true;
	if ((join->jointype == JOIN_RIGHT || join->jointype == JOIN_FULL) && is_below(join->larg, rtindex))
		return true;
	return is_made_up(join->larg, rtindex) || is_made_up(join->rarg, rtindex);
}

static bool
is_never_null_in_all(const List *queries, AttrNumber column)
{
	const ListCell *cell;

	foreach(cell, queries)
		if (!pa_is_never_null(lfirst(cell), (Node *) get_tle_by_resno(((Query *) lfirst(cell))->targetList, column)->expr))
			return false;
	return true;
}

bool
pa_is_never_null_in(const Query *query, Node *from, Node *node)
{
	const Var  *var = (const Var *) node;
	RangeTblEntry *rte;

	pa_descend();
	if (IsA(node, RelabelType))
		return pa_is_never_null_in(query, from, (Node *) ((RelabelType *) node)->arg);
	if (!IsA(node, Var) || var->varlevelsup != 0 || var->varattno <= 0 || !is_below(from, var->varno) || is_made_up(from, var->varno))
		return false;
	rte = rt_fetch(var->varno, query->rtable);
	if (rte->rtekind == RTE_SUBQUERY)
		return !rte->subquery->groupingSets && is_never_null_in_all(pa_branches(rte->subquery), var->varattno);
	return rte->rtekind == RTE_RELATION && pa_column_is_not_null(rte->relid, var->varattno);
}

bool
pa_is_never_null(const Query *query, Node *node)
{
	return pa_is_never_null_in(query, (Node *) query->jointree, node);
}
