/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branches.c
 *		See branches.h.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"

#include "compat/planner.h"
#include "descend.h"
#include "guard/branches.h"

static List *
inputs_below(const Query *query, const Node *node)
{
	pa_descend();
	if (IsA(node, RangeTblRef))
		return list_make1(rt_fetch(((const RangeTblRef *) node)->rtindex, query->rtable));
	return list_concat(inputs_below(query, castNode(SetOperationStmt, (Node *) node)->larg),
					   inputs_below(query, castNode(SetOperationStmt, (Node *) node)->rarg));
}

List *
pa_union_inputs(const Query *query)
{
	return query->setOperations ? inputs_below(query, query->setOperations) : NIL;
}

bool
pa_is_union(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_SUBQUERY && rte->subquery->setOperations;
}

Node *
pa_union_column(const RangeTblEntry *input, AttrNumber column)
{
	return (Node *) get_tle_by_resno(input->subquery->targetList, column)->expr;
}

bool
pa_is_union_all(const Node *node)
{
	const SetOperationStmt *operation = (const SetOperationStmt *) node;

	pa_descend();
	return IsA(node, RangeTblRef) ||
		(operation->op == SETOP_UNION && operation->all && pa_is_union_all(operation->larg) && pa_is_union_all(operation->rarg));
}

List *
pa_branches(const Query *query)
{
	List	   *branches = NIL;
	ListCell   *cell;

	if (query->setOperations == NULL)
		return list_make1(unconstify(Query *, query));
	foreach(cell, pa_union_inputs(query))
		branches = lappend(branches, ((RangeTblEntry *) lfirst(cell))->subquery);
	return branches;
}

static Relids
members_below(const Node *node)
{
	pa_descend();
	if (IsA(node, RangeTblRef))
		return bms_make_singleton(((const RangeTblRef *) node)->rtindex);
	return bms_join(members_below(((const SetOperationStmt *) node)->larg), members_below(((const SetOperationStmt *) node)->rarg));
}

Relids
pa_members(const Query *query)
{
	if (query->setOperations)
		return members_below(query->setOperations);
	return query->jointree ? pa_entries_below((Node *) query->jointree, false) : NULL;
}
