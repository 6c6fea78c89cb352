/*
 * condition.c
 *		Conditions of a block that have no columns, as "$1 > 3" or "now() < ...".
 *
 * PostgreSQL would put them above the joins, where it allows no joins but its
 * own.  Here they become conditions of the protected table's rows: "$1 > 3" is
 * written "($1 > 3) = (owner IS NULL OR owner IS NOT NULL)".
 *
 * This runs last, when subqueries have become joins.
 */
#include "postgres.h"

#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"

#include "guard/guard.h"

typedef struct LiftContext
{
	const PaBlock *block;
	List	   *lifted;
} LiftContext;

static bool
has_no_column(Node *condition)
{
	return !IsA(condition, Const) && !contain_var_clause(condition);
}

/* Takes conditions without columns out of an inner join's or a WHERE's. */
static Node *
lift_from(LiftContext *context, Node *quals, bool below_outer)
{
	List	   *kept = NIL;
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) quals))
	{
		if (!has_no_column(lfirst(cell)))
			kept = lappend(kept, lfirst(cell));
		else if (below_outer)
			pa_refuse(context->block->guard, exprLocation(lfirst(cell)),
					  "A condition without columns stands below an outer join.", "Put it into the WHERE of the block.");
		else
			context->lifted = lappend(context->lifted, lfirst(cell));
	}
	return kept == NIL ? NULL : (Node *) make_ands_explicit(kept);
}

static void
lift(LiftContext *context, Query *query, Node *node, bool below_outer)
{
	ListCell   *cell;

	if (IsA(node, FromExpr))
	{
		FromExpr   *from = (FromExpr *) node;

		foreach(cell, from->fromlist)
			lift(context, query, lfirst(cell), below_outer);
		from->quals = lift_from(context, from->quals, below_outer);
	}
	else if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;
		bool		outer = join->jointype != JOIN_INNER;

		lift(context, query, join->larg, below_outer || join->jointype == JOIN_RIGHT);
		lift(context, query, join->rarg, below_outer || join->jointype == JOIN_LEFT);
		join->quals = lift_from(context, join->quals, below_outer || outer);
	}
	else
	{
		RangeTblEntry *rte = rt_fetch(castNode(RangeTblRef, node)->rtindex, query->rtable);

		/* a subquery that groups is a plan of its own */
		if (rte->rtekind == RTE_SUBQUERY && !rte->subquery->hasAggs && rte->subquery->groupClause == NIL)
			lift(context, rte->subquery, (Node *) rte->subquery->jointree, below_outer);
	}
}

static Node *
of_owner(const PaBlock *block, NullTestType type)
{
	NullTest   *test = makeNode(NullTest);

	test->arg = (Expr *) copyObject(block->owner);
	test->nulltesttype = type;
	test->location = -1;
	return (Node *) test;
}

static Node *
tie(const PaBlock *block, Node *condition)
{
	Expr	   *always = make_orclause(list_make2(of_owner(block, IS_NULL), of_owner(block, IS_NOT_NULL)));

	return (Node *) make_opclause(BooleanEqualOperator, BOOLOID, false, (Expr *) condition, always, InvalidOid, InvalidOid);
}

void
pa_tie_conditions(const PaBlock *block)
{
	LiftContext context = {block, NIL};
	FromExpr   *from = block->leaf->jointree;
	List	   *quals;
	ListCell   *cell;

	lift(&context, block->leaf, (Node *) from, false);
	quals = make_ands_implicit((Expr *) from->quals);
	foreach(cell, context.lifted)
		quals = lappend(quals, tie(block, lfirst(cell)));
	from->quals = quals == NIL ? NULL : (Node *) make_ands_explicit(quals);
}
