/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make_query.c
 *		See make_query.h.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"

#include "guard/make_query.h"

Query *
pa_make_query(void)
{
	Query	   *query = makeNode(Query);

	query->commandType = CMD_SELECT;
	query->canSetTag = true;
	query->stmt_location = -1;
	query->jointree = makeFromExpr(NIL, NULL);
	return query;
}

RangeTblRef *
pa_reference_to(int rtindex)
{
	RangeTblRef *reference = makeNode(RangeTblRef);

	reference->rtindex = rtindex;
	return reference;
}

Query *
pa_query_over(RangeTblEntry *entry)
{
	Query	   *query = pa_make_query();

	query->rtable = list_make1(entry);
	query->jointree->fromlist = list_make1(pa_reference_to(1));
	return query;
}

TargetEntry *
pa_add_output(Query *query, Node *expression)
{
	TargetEntry *entry = makeTargetEntry((Expr *) expression, list_length(query->targetList) + 1, pstrdup("value"), false);

	query->targetList = lappend(query->targetList, entry);
	return entry;
}

Query *
pa_union_all(RangeTblEntry *left, RangeTblEntry *right, List *types, List *typmods, List *collations)
{
	Query	   *query = pa_make_query();
	SetOperationStmt *all = makeNode(SetOperationStmt);
	ListCell   *type;
	ListCell   *typmod;
	ListCell   *collation;

	query->rtable = list_make2(left, right);
	all->op = SETOP_UNION;
	all->all = true;
	all->larg = (Node *) pa_reference_to(1);
	all->rarg = (Node *) pa_reference_to(2);
	all->colTypes = types;
	all->colTypmods = typmods;
	all->colCollations = collations;
	forthree(type, types, typmod, typmods, collation, collations)
		(void) pa_add_output(query, (Node *) makeVar(1, list_length(query->targetList) + 1, lfirst_oid(type), lfirst_int(typmod), lfirst_oid(collation), 0));
	query->setOperations = (Node *) all;
	return query;
}
