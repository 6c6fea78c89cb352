/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * composed.c
 *		See composed.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/value.h"
#include "utils/fmgroids.h"

#include "descend.h"
#include "bound/leaf_spec.h"
#include "guard/composed.h"
#include "guard/interval_call.h"

typedef struct Parts
{
	PaColumnOf	column_of;
	void	   *context;		/* of that */
	List	   *columns;		/* of the leaf, one for each part */
} Parts;

static Node *
part(Parts *parts, Aggref *call, PaShown shown)
{
	int			column = parts->column_of(parts->context, call);
	int			number = 0;

	while (number < list_length(parts->columns) && list_nth_int(parts->columns, number) != column)
		number++;
	if (number == list_length(parts->columns))
		parts->columns = lappend_int(parts->columns, column);
	return (Node *) makeVar(1, PA_PART_COLUMN(number, shown), shown == PA_SHOWN_VALUE ? call->aggtype : FLOAT8OID, -1, InvalidOid, 0);
}

static Node *
take_parts_mutator(Node *node, Parts *parts)
{
	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Aggref))
		return part(parts, (Aggref *) node, PA_SHOWN_VALUE);
	if (pa_is_interval_call(node))
		return part(parts, linitial_node(Aggref, ((FuncExpr *) node)->args), pa_end_of_interval((FuncExpr *) node));
	return expression_tree_mutator(node, take_parts_mutator, parts);
}

/* Counts are whole. */
static Node *
as_number(Node *value)
{
	if (exprType(value) == FLOAT8OID)
		return value;
	Assert(exprType(value) == INT8OID);
	return (Node *) makeFuncExpr(F_FLOAT8_INT8, FLOAT8OID, list_make1(value), InvalidOid, InvalidOid, COERCE_IMPLICIT_CAST);
}

void
pa_note_composed(PaBlock *block, const Aggref *call, const PaMoments *moments, PaColumnOf column_of, void *context)
{
	Parts		parts = {column_of, context};
	Node	   *value;
	List	   *expressions;
	ListCell   *cell;

	foreach(cell, block->composed_calls)
		if (equal(lfirst(cell), call))
			return;
	value = take_parts_mutator(as_number(moments->value), &parts);	/* its parts come first */
	expressions = (List *) take_parts_mutator((Node *) list_concat(list_copy(moments->steps), list_make2(moments->low, moments->high)), &parts);
	expressions = list_insert_nth(expressions, list_length(moments->steps), value);
	block->composed_calls = lappend(block->composed_calls, copyObject(unconstify(Aggref *, call)));
	block->composed = lappend(block->composed,
							  list_make4(makeString(pa_aggregate_label(block, call)), makeInteger(moments->together), parts.columns,
										 pa_total_expression((Node *) expressions)));
}

char *
pa_composed_text(const PaBlock *block)
{
	return block->composed ? nodeToString(block->composed) : NULL;
}
