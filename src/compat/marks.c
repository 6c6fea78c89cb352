/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marks.c
 *		See marks.h.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"

#include "compat/marks.h"
#include "descend.h"

#if PG_VERSION_NUM >= 160000

static bool
is_same_column(const Node *node, const Node *other)
{
	if (nodeTag(node) != nodeTag(other))
		return false;
	if (IsA(node, PlaceHolderVar))
		return ((const PlaceHolderVar *) node)->phid == ((const PlaceHolderVar *) other)->phid &&
			((const PlaceHolderVar *) node)->phlevelsup == ((const PlaceHolderVar *) other)->phlevelsup;
	return ((const Var *) node)->varno == ((const Var *) other)->varno &&
		((const Var *) node)->varattno == ((const Var *) other)->varattno &&
		((const Var *) node)->varlevelsup == ((const Var *) other)->varlevelsup;
}

static Node *
mark_mutator(Node *node, List *columns)
{
	ListCell   *cell;

	pa_descend();
	if (node == NULL)
		return NULL;
	if (!IsA(node, Var) && !IsA(node, PlaceHolderVar))
		return expression_tree_mutator(node, mark_mutator, columns);
	foreach(cell, columns)
		if (is_same_column(node, lfirst(cell)))
			return copyObject(lfirst(cell));
	return copyObject(node);
}

List *
pa_mark_alike(List *expressions, List *others)
{
	return (List *) mark_mutator((Node *) expressions,
								 pull_var_clause((Node *) others, PVC_RECURSE_AGGREGATES | PVC_RECURSE_WINDOWFUNCS |
												 PVC_INCLUDE_PLACEHOLDERS));
}

#else

List *
pa_mark_alike(List *expressions, List *others)
{
	return expressions;
}

#endif
