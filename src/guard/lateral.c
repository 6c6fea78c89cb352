/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lateral.c
 *		LATERAL subqueries over protected rows become joins like others.
 *
 * One that hands up rows, or groups of them, is joined on what it says of the row
 * outside.  One that makes one row of all it reads is what scalar.c makes of such.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"

#include "compat/planner.h"
#include "descend.h"
#include "guard/related.h"
#include "guard/scalar.h"

#define INSTEAD "Write ... JOIN LATERAL (SELECT ... FROM ... WHERE ... AND b.owner = a.owner) AS l ON true, without LIMIT, or join an ordinary subquery."

/* Where a LATERAL subquery stands in FROM. */
typedef struct Place
{
	int			rtindex;
	JoinExpr   *join;			/* of which it is the right side; NULL: it stands between commas */
	FromExpr   *from;			/* in whose list it, or the topmost join around it, stands */
} Place;

static bool
find_place(Node *node, FromExpr *from, Place *place)
{
	ListCell   *cell;

	pa_descend();
	if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		if (IsA(join->rarg, RangeTblRef) && ((RangeTblRef *) join->rarg)->rtindex == place->rtindex)
		{
			place->join = join;
			place->from = from;
			return true;
		}
		return find_place(join->larg, from, place) || find_place(join->rarg, from, place);
	}
	if (!IsA(node, FromExpr))
		return false;
	foreach(cell, ((FromExpr *) node)->fromlist)
	{
		if (!IsA(lfirst(cell), RangeTblRef) && find_place(lfirst(cell), (FromExpr *) node, place))
			return true;
		if (IsA(lfirst(cell), RangeTblRef) && ((RangeTblRef *) lfirst(cell))->rtindex == place->rtindex)
		{
			place->from = (FromExpr *) node;
			return true;
		}
	}
	return false;
}

static Node *
and_also(Node *quals, List *conditions)
{
	return (Node *) make_ands_explicit(list_concat(make_ands_implicit((Expr *) quals), conditions));
}

static bool
is_true(const Node *quals)
{
	return quals == NULL || (IsA(quals, Const) && !((const Const *) quals)->constisnull && DatumGetBool(((const Const *) quals)->constvalue));
}

/* --- those that hand up rows --- */

static void
require_plain(const PaGuard *guard, const RangeTblEntry *rte)
{
	const Query *subquery = rte->subquery;

	if (subquery->commandType != CMD_SELECT || subquery->setOperations || subquery->hasWindowFuncs || subquery->hasTargetSRFs ||
		subquery->groupingSets || subquery->limitCount || subquery->limitOffset || subquery->rowMarks || subquery->cteList)
		pa_refuse_table(guard, rte, "A LATERAL subquery over protected rows does more than SELECT ... FROM ... WHERE ... GROUP BY.", INSTEAD);
	if (contain_vars_of_level((Node *) subquery->targetList, 1))
		pa_refuse_table(guard, rte, "A LATERAL subquery over protected rows hands up columns of the row outside.", INSTEAD);
}

/* A condition of a join can be of what is joined there only. */
static void
require_within(const PaGuard *guard, const RangeTblEntry *rte, const JoinExpr *join, List *conditions)
{
	Relids		within = pa_entries_below((Node *) join, false);

	if (!bms_is_subset(pull_varnos(NULL, (Node *) conditions), within))
		pa_refuse_table(guard, rte, "A LATERAL subquery over protected rows refers to what its join does not join.", INSTEAD);
}

static void
join_rows(PaGuard *guard, Query *query, RangeTblEntry *rte, const Place *place)
{
	PaRelated	related = {guard, rte->subquery, place->rtindex, pa_place_of_table(guard, rte)};
	List	   *conditions;

	require_plain(guard, rte);
	conditions = pa_groups_rows(rte->subquery) ? pa_take_group_conditions(&related) : pa_take_conditions(&related, NIL);
	rte->lateral = false;
	if (place->join == NULL)
		query->jointree->quals = and_also(query->jointree->quals, conditions);
	else
	{
		require_within(guard, rte, place->join, conditions);
		place->join->quals = and_also(place->join->quals, conditions);
	}
}

/* --- those that make one row --- */

/* Leaves in FROM what stands before the subquery, which may refer to it; returns what stands after it. */
static List *
take_out_of_from(Query *query, const Place *place)
{
	List	   *from = query->jointree->fromlist;
	int			position = 0;
	List	   *after;

	while (place->join ? list_nth(from, position) != place->join :
		   !IsA(list_nth(from, position), RangeTblRef) || ((RangeTblRef *) list_nth(from, position))->rtindex != place->rtindex)
		position++;
	after = list_copy_tail(from, position + 1);
	query->jointree->fromlist = list_truncate(from, position);
	if (place->join)
		query->jointree->fromlist = lappend(query->jointree->fromlist, place->join->larg);
	return after;
}

static void
join_one_row(PaGuard *guard, Query *query, RangeTblEntry *rte, const Place *place)
{
	FromExpr   *whole = query->jointree;
	List	   *columns = NIL;
	List	   *after;
	ListCell   *cell;

	if (place->join && (!list_member_ptr(place->from->fromlist, place->join) || !is_true(place->join->quals) ||
						(place->join->jointype != JOIN_INNER && place->join->jointype != JOIN_LEFT)))
		pa_refuse_table(guard, rte, "A LATERAL subquery that aggregates protected rows is joined on a condition, or below another join.", INSTEAD);
	query->jointree = place->from;	/* what it may refer to, and is joined with */
	after = take_out_of_from(query, place);
	foreach(cell, pa_join_one_row(guard, query, rte->subquery, pa_place_of_table(guard, rte)))
		columns = lappend(columns, makeTargetEntry(lfirst(cell), list_length(columns) + 1, NULL, false));
	query->jointree->fromlist = list_concat(query->jointree->fromlist, after);
	query->jointree = whole;
	rte->rtekind = RTE_RESULT;
	rte->subquery = NULL;
	rte->lateral = false;
	*query = *castNode(Query, pa_replace_columns((Node *) query, place->rtindex, rte, columns, NULL));
}

/* --- each --- */

static void
join_lateral(PaGuard *guard, Query *query, int rtindex)
{
	RangeTblEntry *rte = rt_fetch(rtindex, query->rtable);
	Place		place = {.rtindex = rtindex};

	if (!contain_vars_of_level((Node *) rte->subquery, 1))
	{
		rte->lateral = false;	/* says more than it does */
		return;
	}
	if (!find_place((Node *) query->jointree, NULL, &place))
		return;					/* left side of a join: refused later */
	if (pa_is_one_row(rte->subquery) && pa_is_related_by_owner(rte->subquery))
		join_one_row(guard, query, rte, &place);
	else
		join_rows(guard, query, rte, &place);
}

void
pa_join_laterals(PaGuard *guard, Query *query)
{
	int			tables = list_length(query->rtable);
	bool		any = false;

	for (int rtindex = 1; rtindex <= tables; rtindex++)
	{
		RangeTblEntry *rte = rt_fetch(rtindex, query->rtable);

		if (rte->rtekind != RTE_SUBQUERY || !rte->lateral || !pa_names_protected((Node *) rte->subquery, guard))
			continue;
		join_lateral(guard, query, rtindex);
		any = true;
	}
	if (any)
		pa_flatten_joins(query);
}
