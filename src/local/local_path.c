/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * local_path.c
 *		Planning a leaf that asks owners: columns that are asked about, expressions over them.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"

#include "descend.h"
#include "local/spec.h"

/* The column's number among those that are asked about, from 1 on; it becomes an input. */
static int
add_column(PaLeafDraft *draft, Var *var)
{
	PaLocalSpec *spec = draft->own;
	PaLocalColumn *column;

	for (int i = 0; i < spec->ncolumns; i++)
		if (spec->columns[i].attnum == var->varattno)
			return i + 1;
	spec->columns = repalloc(spec->columns, sizeof(PaLocalColumn) * (spec->ncolumns + 1));
	column = &spec->columns[spec->ncolumns++];
	*column = (PaLocalColumn) {var->varattno, pa_leaf_add_input(draft->target, (Node *) var),
	var->vartype, var->vartypmod, var->varcollid};
	return spec->ncolumns;
}

/* The expression over the columns that are asked about, in order of their numbers. */
static Node *
over_columns_mutator(Node *node, PaLeafDraft *draft)
{
	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Var))
	{
		Var		   *var = (Var *) node;

		return (Node *) makeVar(1, add_column(draft, var), var->vartype, var->vartypmod, var->varcollid, 0);
	}
	return expression_tree_mutator(node, over_columns_mutator, draft);
}

void
pa_local_take_marker(PaLeafDraft *draft)
{
	PaLocalSpec *spec = draft->own = palloc0(sizeof(PaLocalSpec));

	draft->spec->fanout = 1;
	spec->columns = palloc0(sizeof(PaLocalColumn));
	spec->public_columns = castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_PUBLIC));
	for (int i = PA_MARK_DOMAIN; i < list_length(draft->marker->args); i++)
		(void) add_column(draft, castNode(Var, pa_aggregate_argument(draft->marker, i)));
}

void
pa_local_take_aggregate(PaLeafDraft *draft, const Aggref *call, PaLeafAggregate *aggregate)
{
	PaLocalSpec *spec = draft->own;

	spec->expressions = lappend(spec->expressions, over_columns_mutator(pa_aggregate_argument(call, PA_ARG_VALUE), draft));
}

Path *
pa_local_finish(PaLeafDraft *draft, List **private)
{
	*private = pa_local_spec_encode(draft->own);
	return pa_leaf_child(draft);
}
