/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * full_join.c
 *		FULL JOIN of protected rows becomes a left join, and what it leaves out.
 *
 *	 SELECT ... FROM A FULL JOIN B ON C
 *
 * becomes
 *
 *	 SELECT ... FROM (SELECT a, b FROM A LEFT JOIN B ON C
 *					  UNION ALL SELECT NULL, b FROM B anti-join A ON C) u
 *
 * for those columns a of A and b of B that are used outside; coalesce(a, b), as USING
 * makes it, is a or b there.  Where one side is public, what it has no partners for is
 * nobody's, and an outer join of the other side remains.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"

#include "compat/planner.h"
#include "descend.h"
#include "guard/guard.h"
#include "guard/make_query.h"
#include "guard/related.h"
#include "guard/subquery_entry.h"

typedef struct FullJoinContext
{
	PaGuard    *guard;
	Query	   *query;
	JoinExpr   *join;
	Relids		left;
	Relids		right;
	Relids		entries;		/* of both sides, their joins and this one */
	int			rtindex;		/* that the union will have */
	List	   *columns;		/* Var, and CoalesceExpr of one of each side: what is used outside of the join */
	int			depth;			/* queries between the query and where a column is looked for */
} FullJoinContext;

/* --- what is used outside --- */

/* The column of the union that the expression, of the query's own level, is; depth: of where it is used. */
static Node *
column_of_union(FullJoinContext *context, Node *expression, int depth)
{
	Var		   *column;
	ListCell   *cell;
	int			number = 0;

	foreach(cell, context->columns)
		if (equal(lfirst(cell), expression))
			number = foreach_current_index(cell) + 1;
	if (number == 0)
	{
		context->columns = lappend(context->columns, expression);
		number = list_length(context->columns);
	}
	column = makeVar(context->rtindex, number, exprType(expression), exprTypmod(expression), exprCollation(expression), depth);
	column->location = exprLocation(expression);
	return (Node *) column;
}

static bool
is_column_of(const Node *node, Relids side, int depth)
{
	return IsA(node, Var) && (int) ((const Var *) node)->varlevelsup == depth && bms_is_member(((const Var *) node)->varno, side);
}

/* coalesce(a, b) */
static bool
is_merged(const FullJoinContext *context, const CoalesceExpr *node)
{
	return IsA(node, CoalesceExpr) && context->depth == 0 && list_length(node->args) == 2 &&
		is_column_of(linitial(node->args), context->left, 0) && is_column_of(lsecond(node->args), context->right, 0);
}

static Node *
use_union_mutator(Node *node, FullJoinContext *context)
{
	pa_descend();
	if (node == NULL)
		return NULL;
	if (is_merged(context, (CoalesceExpr *) node))
		return column_of_union(context, copyObject(node), 0);
	if (is_column_of(node, context->left, context->depth) || is_column_of(node, context->right, context->depth))
	{
		Var		   *column = copyObject((Var *) node);

		column->varlevelsup = 0;
		return column_of_union(context, (Node *) column, context->depth);
	}
	if (IsA(node, Query))
	{
		context->depth++;
		node = (Node *) query_tree_mutator((Query *) node, use_union_mutator, context, 0);
		context->depth--;
		return node;
	}
	return expression_tree_mutator(node, use_union_mutator, context);
}

/* --- the two parts --- */

/* What the part does not join is not in it, and asks for no privileges. */
static List *
entries_of_part(const FullJoinContext *context)
{
	List	   *entries = ((Query *) pa_copy(context->guard, context->query))->rtable;
	ListCell   *cell;

	foreach(cell, entries)
		if (!bms_is_member(foreach_current_index(cell) + 1, context->entries))
			pa_leave_out(lfirst(cell));
	return entries;
}

static Node *
in_part(const FullJoinContext *context, const Query *part, JoinType type, Node *column)
{
	List	   *both = IsA(column, CoalesceExpr) ? ((CoalesceExpr *) column)->args : NIL;

	if (both != NIL && type == JOIN_ANTI)
		return lsecond(both);
	if (both != NIL)
		return pa_is_never_null(part, linitial(both)) ? linitial(both) : column;
	if (type == JOIN_ANTI && is_column_of(column, context->left, 0))
		return (Node *) makeNullConst(exprType(column), exprTypmod(column), exprCollation(column));
	return column;
}

static Query *
make_part(const FullJoinContext *context, JoinType type)
{
	Query	   *part = pa_make_query();
	JoinExpr   *join = pa_copy(context->guard, context->join);
	ListCell   *cell;

	part->rtable = entries_of_part(context);
	part->hasSubLinks = context->query->hasSubLinks;
	join->jointype = type;
	join->rtindex = 0;
	if (type == JOIN_ANTI)
	{
		Node	   *left = join->larg;

		join->larg = join->rarg;
		join->rarg = left;
	}
	part->jointree->fromlist = list_make1(join);
	foreach(cell, context->columns)
		(void) pa_add_output(part, in_part(context, part, type, copyObject(lfirst(cell))));
	return part;
}

static RangeTblEntry *
make_union(const FullJoinContext *context)
{
	List	   *types = NIL;
	List	   *typmods = NIL;
	List	   *collations = NIL;
	ListCell   *cell;

	foreach(cell, context->columns)
	{
		types = lappend_oid(types, exprType(lfirst(cell)));
		typmods = lappend_int(typmods, exprTypmod(lfirst(cell)));
		collations = lappend_oid(collations, exprCollation(lfirst(cell)));
	}
	return pa_subquery_entry(pa_union_all(pa_subquery_entry(make_part(context, JOIN_LEFT), "joined"),
										  pa_subquery_entry(make_part(context, JOIN_ANTI), "alone"),
										  types, typmods, collations), "*FULL JOIN*");
}

/* --- the join --- */

/* LATERAL below it, or what stands in a query around. */
static void
require_closed(const FullJoinContext *context)
{
	Relids		members = bms_union(context->left, context->right);
	Relids		outside = bms_difference(pull_varnos(NULL, (Node *) context->join), members);
	int			member = -1;
	bool		closed = bms_is_empty(outside) && !contain_vars_of_level((Node *) context->join, 1);

	while ((member = bms_next_member(members, member)) >= 0)
		closed &= !rt_fetch(member, context->query->rtable)->lateral;
	if (!closed)
		pa_refuse(context->guard, exprLocation(context->join->quals), "A FULL JOIN of protected rows refers to what stands outside of it.",
				  "Put the FULL JOIN into a subquery of its own.");
}

/* The join has been taken out of FROM, where a reference to the union stands. */
static void
use_union(FullJoinContext *context)
{
	Query	   *query = context->query;
	int			member = -1;

	query->targetList = (List *) use_union_mutator((Node *) query->targetList, context);
	query->havingQual = use_union_mutator(query->havingQual, context);
	query->jointree = (FromExpr *) use_union_mutator((Node *) query->jointree, context);
	query->rtable = lappend(query->rtable, make_union(context));
	while ((member = bms_next_member(context->entries, member)) >= 0)
		pa_leave_out(rt_fetch(member, query->rtable));
}

/* Whether a side of a join reads protected rows. */
static bool
reads_rows(const PaGuard *guard, const Query *query, Node *side)
{
	Relids		members = pa_entries_below(side, false);
	int			member = -1;

	while ((member = bms_next_member(members, member)) >= 0)
		if (pa_entry_reads_rows(guard, rt_fetch(member, query->rtable)))
			return true;
	return false;
}

/* The next one that reads protected rows, those within others first. */
static Node **
find_full_join(const PaGuard *guard, const Query *query, Node **place)
{
	JoinExpr   *join = (JoinExpr *) *place;
	Node	  **found = NULL;
	ListCell   *cell;

	pa_descend();
	if (IsA(*place, FromExpr))
		foreach(cell, ((FromExpr *) *place)->fromlist)
			if ((found = find_full_join(guard, query, (Node **) &lfirst(cell))) != NULL)
				return found;
	if (!IsA(*place, JoinExpr))
		return NULL;
	if ((found = find_full_join(guard, query, &join->larg)) != NULL || (found = find_full_join(guard, query, &join->rarg)) != NULL)
		return found;
	return join->jointype == JOIN_FULL && reads_rows(guard, query, (Node *) join) ? place : NULL;
}

static void
set_type(const Query *query, JoinExpr *join, JoinType type)
{
	join->jointype = type;
	if (join->rtindex)
		rt_fetch(join->rtindex, query->rtable)->jointype = type;
}

static void
join_by_union(PaGuard *guard, Query *query, Node **place)
{
	FullJoinContext context = {guard, query, (JoinExpr *) *place};

	context.left = pa_entries_below(context.join->larg, false);
	context.right = pa_entries_below(context.join->rarg, false);
	context.entries = pa_entries_below((Node *) context.join, true);
	require_closed(&context);
	context.rtindex = list_length(query->rtable) + 1;
	*place = (Node *) pa_reference_to(context.rtindex);
	use_union(&context);
}

void
pa_join_full(PaGuard *guard, Query *query)
{
	Node	  **place;

	while ((place = find_full_join(guard, query, (Node **) &query->jointree)) != NULL)
	{
		JoinExpr   *join = (JoinExpr *) *place;

		if (!reads_rows(guard, query, join->rarg))
			set_type(query, join, JOIN_LEFT);
		else if (!reads_rows(guard, query, join->larg))
			set_type(query, join, JOIN_RIGHT);
		else
			join_by_union(guard, query, place);
	}
}
