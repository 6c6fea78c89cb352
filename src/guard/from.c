/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * from.c
 *		See from.h.
 */
#include "postgres.h"

#include "parser/parsetree.h"

#include "descend.h"
#include "guard/branches.h"
#include "guard/from.h"

static void visit_part(PaBlock *block, Query *query, Node *part, List *holds, PaVisitFrom visit);

List *
pa_holds_in_pairs(const Query *query, const JoinExpr *join, Node *made_up, List *holds)
{
	return pa_with_established(pa_with_equalities(holds, query, join->quals), query, made_up);
}

static void
visit_outer(PaBlock *block, Query *query, JoinExpr *join, List *holds, PaVisitFrom visit)
{
	Node	   *made_up = join->jointype == JOIN_RIGHT ? join->larg : join->rarg;
	List	   *pairs = pa_holds_in_pairs(query, join, made_up, holds);

	visit_part(block, query, join->larg, join->larg == made_up ? pairs : holds, visit);
	visit_part(block, query, join->rarg, join->rarg == made_up ? pairs : holds, visit);
}

static void
visit_join(PaBlock *block, Query *query, JoinExpr *join, List *holds, PaVisitFrom visit)
{
	JoinType	was = join->jointype;

	visit(block, query, (Node *) join, holds);
	if (join->jointype != JOIN_INNER)
	{
		visit_outer(block, query, join, holds, visit);
		return;
	}
	if (was != JOIN_INNER)		/* from now on more is known */
		holds = pa_with_established(holds, query, (Node *) join);
	visit_part(block, query, join->larg, holds, visit);
	visit_part(block, query, join->rarg, holds, visit);
}

/* What holds of groups need not hold of the rows in them, so these are looked at by themselves. */
static void
visit_rows(PaBlock *block, Query *query, PaVisitFrom visit)
{
	Node	   *from = (Node *) query->jointree;

	visit_part(block, query, from, pa_with_established(NIL, query, from), visit);
}

static void
visit_part(PaBlock *block, Query *query, Node *part, List *holds, PaVisitFrom visit)
{
	ListCell   *cell;
	RangeTblEntry *rte;

	pa_descend();
	if (IsA(part, FromExpr))
	{
		foreach(cell, ((FromExpr *) part)->fromlist)
			visit_part(block, query, lfirst(cell), holds, visit);
		return;
	}
	if (IsA(part, JoinExpr))
	{
		visit_join(block, query, (JoinExpr *) part, holds, visit);
		return;
	}
	visit(block, query, part, holds);
	rte = rt_fetch(castNode(RangeTblRef, part)->rtindex, query->rtable);
	if (pa_is_union(rte))
		foreach(cell, pa_branches(rte->subquery))
			visit_rows(block, lfirst(cell), visit);
	else if (rte->rtekind == RTE_SUBQUERY && pa_groups_rows(rte->subquery))
		visit_rows(block, rte->subquery, visit);
	else if (rte->rtekind == RTE_SUBQUERY)
		visit_part(block, rte->subquery, (Node *) rte->subquery->jointree, holds, visit);
}

void
pa_visit_from(PaBlock *block, PaVisitFrom visit)
{
	visit_rows(block, block->leaf, visit);
}
