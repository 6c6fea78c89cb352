/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * semijoin.c
 *		EXISTS, NOT EXISTS and IN over protected rows become joins; and over releases that
 *		are looked up for a row.
 *
 * PostgreSQL does the same later, with those that it can.  Here they are what the guard
 * looks at like other joins: as a conjunct of WHERE,
 *
 *	 EXISTS (SELECT ... FROM F WHERE C)				FROM ... semi-join F ON C
 *	 NOT EXISTS (SELECT ... FROM F WHERE C)			FROM ... anti-join F ON C
 *	 x IN (SELECT y FROM F WHERE C)					FROM ... semi-join F ON x = y AND C
 *	 x NOT IN (SELECT y FROM F WHERE C)				FROM ... anti-join F ON x = y AND C
 *													where neither x nor y can be null
 *
 * where the conditions of C that are about F alone stay with F, in a subquery.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "rewrite/rewriteManip.h"

#include "descend.h"
#include "guard/decorrelate.h"
#include "guard/guard.h"
#include "guard/inputs.h"
#include "guard/related.h"

#define INSTEAD "Write EXISTS (SELECT FROM ... WHERE ...), or NOT EXISTS, as a condition of WHERE, joined by AND with others, with plain conditions on the row outside."

/* --- the subquery --- */

static void
require_plain(const PaGuard *guard, const SubLink *sublink, const Query *subquery)
{
	if (subquery->commandType != CMD_SELECT || pa_groups_rows(subquery) || subquery->setOperations ||
		subquery->hasWindowFuncs || subquery->hasTargetSRFs || subquery->limitCount || subquery->limitOffset ||
		subquery->rowMarks || subquery->cteList)
		pa_refuse(guard, sublink->location,
				  "A subquery over protected rows in a condition does more than SELECT ... FROM ... WHERE.", INSTEAD);
}

static Node *
columns_mutator(Node *node, List *columns)
{
	pa_descend();
	if (node == NULL || IsA(node, SubLink))	/* which has parameters of its own */
		return node;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_SUBLINK)
		return copyObject((Node *) ((TargetEntry *) list_nth(columns, ((Param *) node)->paramid - 1))->expr);
	return expression_tree_mutator(node, columns_mutator, columns);
}

/* The comparison of IN, in terms of the subquery. */
static Node *
comparison_within(const SubLink *sublink, List *columns)
{
	Node	   *comparison = copyObject(sublink->testexpr);

	IncrementVarSublevelsUp(comparison, 1, 0);
	return columns_mutator(comparison, columns);
}

/* --- the join --- */

static void
add_join(PaGuard *guard, Query *query, const SubLink *sublink, JoinType type, PaPrepareSubquery prepare)
{
	Query	   *subquery = castNode(Query, sublink->subselect);
	PaRelated	related = {guard, subquery, list_length(query->rtable) + 1, sublink->location};
	List	   *conditions = NIL;

	require_plain(guard, sublink, subquery);
	prepare(guard, subquery);
	if (sublink->subLinkType == ANY_SUBLINK)
		conditions = make_ands_implicit((Expr *) comparison_within(sublink, subquery->targetList));
	subquery->sortClause = subquery->distinctClause = subquery->targetList = NIL;
	pa_join_subquery(query, type, &related, pa_take_conditions(&related, conditions));
}

/* Whether NOT IN is NOT EXISTS: nothing that it compares can be null. */
static bool
compares_no_null(const Query *query, const SubLink *sublink)
{
	ListCell   *cell;

	if (sublink->subLinkType == EXISTS_SUBLINK)
		return true;
	foreach(cell, make_ands_implicit((Expr *) sublink->testexpr))
	{
		const OpExpr *test = lfirst(cell);
		const Query *subquery = castNode(Query, sublink->subselect);

		if (!IsA(test, OpExpr) || !IsA(lsecond(test->args), Param) || !pa_is_never_null(query, linitial(test->args)) ||
			!pa_is_never_null(subquery, (Node *) ((TargetEntry *) list_nth(subquery->targetList, lsecond_node(Param, test->args)->paramid - 1))->expr))
			return false;
	}
	return true;
}

/* For the row outside; those that are the same for all rows become joins later (sublink.c). */
static bool
looks_up_releases(const PaGuard *guard, const SubLink *sublink)
{
	const Query *subquery = castNode(Query, sublink->subselect);

	return pa_reads_releases(guard, subquery) && pa_refers_outside(subquery);
}

/* True if the conjunct has become a join. */
static bool
make_semijoin(PaGuard *guard, Query *query, Node *condition, PaPrepareSubquery prepare)
{
	bool		negated = is_notclause(condition);
	const SubLink *sublink = (const SubLink *) (negated ? (Node *) get_notclausearg((Expr *) condition) : condition);

	if (!IsA(sublink, SubLink) || !(pa_names_protected(sublink->subselect, guard) || looks_up_releases(guard, sublink)))
		return false;
	if (sublink->subLinkType != EXISTS_SUBLINK && sublink->subLinkType != ANY_SUBLINK)
		return false;
	if (negated && !compares_no_null(query, sublink))
		return false;
	add_join(guard, query, sublink, negated ? JOIN_ANTI : JOIN_SEMI, prepare);
	return true;
}

void
pa_make_semijoins(PaGuard *guard, Query *query, PaPrepareSubquery prepare)
{
	List	   *kept = NIL;
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) query->jointree->quals))
		if (!make_semijoin(guard, query, lfirst(cell), prepare))
			kept = lappend(kept, lfirst(cell));
	query->jointree->quals = kept == NIL ? NULL : (Node *) make_ands_explicit(kept);
}
