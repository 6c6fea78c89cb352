/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pull_up.c
 *		See pull_up.h.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "rewrite/rewriteManip.h"

#include "compat/pull_up.h"
#include "descend.h"

#if PG_VERSION_NUM >= 180000

static bool
has_subquery(const Query *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
		if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_SUBQUERY)
			return true;
	return false;
}

/* The columns that are read above, each once. */
static List *
columns_above(const Query *query)
{
	List	   *columns = NIL;
	List	   *read = list_concat(pull_var_clause((Node *) query->targetList, PVC_RECURSE_AGGREGATES | PVC_RECURSE_PLACEHOLDERS),
								   pull_var_clause(query->havingQual, PVC_RECURSE_AGGREGATES | PVC_RECURSE_PLACEHOLDERS));
	ListCell   *cell;

	foreach(cell, read)
		if (tlist_member(lfirst(cell), columns) == NULL)
			columns = lappend(columns, makeTargetEntry(copyObject(lfirst(cell)), list_length(columns) + 1, pstrdup("column"), false));
	return columns;
}

static Node *
above_mutator(Node *node, const List *columns)
{
	TargetEntry *entry;
	Var		   *column;

	pa_descend();
	if (node == NULL)
		return NULL;
	if (!IsA(node, Var))
		return expression_tree_mutator(node, above_mutator, (void *) columns);
	entry = tlist_member((Expr *) node, unconstify(List *, columns));
	column = makeVarFromTargetEntry(1, entry);
	column->location = ((Var *) node)->location;
	return (Node *) column;
}

static RangeTblEntry *
entry_of(Query *rows)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	ListCell   *cell;

	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = rows;
	rte->eref = makeAlias("rows", NIL);
	foreach(cell, rows->targetList)
		rte->eref->colnames = lappend(rte->eref->colnames, makeString(lfirst_node(TargetEntry, cell)->resname));
	rte->inFromCl = true;
	return rte;
}

void
pa_set_rows_apart(Query *query)
{
	RangeTblRef *reference = makeNode(RangeTblRef);
	Query	   *rows = makeNode(Query);

	if (!has_subquery(query) || query->cteList || checkExprHasSubLink((Node *) query->targetList) || checkExprHasSubLink(query->havingQual))
		return;
	rows->commandType = CMD_SELECT;
	rows->canSetTag = true;
	rows->rtable = query->rtable;
	rows->jointree = query->jointree;
	rows->hasSubLinks = query->hasSubLinks;
	IncrementVarSublevelsUp((Node *) rows, 1, 1);	/* what is around the query is a level further away */
	rows->targetList = columns_above(query);
	query->targetList = (List *) above_mutator((Node *) query->targetList, rows->targetList);
	query->havingQual = above_mutator(query->havingQual, rows->targetList);
	query->rtable = list_make1(entry_of(rows));
	query->hasSubLinks = false;
	reference->rtindex = 1;
	query->jointree = makeFromExpr(list_make1(reference), NULL);
}

#else

void
pa_set_rows_apart(Query *query)
{
}

#endif
