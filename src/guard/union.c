/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * union.c
 *		Subqueries of a block that put protected rows together by UNION ALL.
 *
 * The rows of such a query are those of its inputs, which are owned each for itself.
 * Its columns are columns of no table: what is inferred of them holds if it holds in
 * every input.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "parser/parse_coerce.h"
#include "parser/parsetree.h"

#include "descend.h"
#include "guard/branches.h"
#include "guard/expose.h"
#include "guard/guard.h"
#include "guard/union.h"

/* --- what it may be --- */

/* PostgreSQL would do so when it plans, by functions that nobody has looked at. */
static void
convert_columns(const PaBlock *block, const SetOperationStmt *operation, Query *input)
{
	ListCell   *cell;
	ListCell   *type;
	ListCell   *typmod;
	List	   *columns = NIL;

	foreach(cell, input->targetList)
		if (!((TargetEntry *) lfirst(cell))->resjunk)
			columns = lappend(columns, lfirst(cell));
	forthree(cell, columns, type, operation->colTypes, typmod, operation->colTypmods)
	{
		TargetEntry *entry = lfirst(cell);
		Oid			own = exprType((Node *) entry->expr);

		if (own == lfirst_oid(type))
			continue;
		if (entry->ressortgroupref > 0)
			pa_refuse(block->guard, exprLocation((Node *) entry->expr), "The columns of a UNION ALL over protected rows are of different types.",
					  "Cast them to one type in each part.");
		entry->expr = (Expr *) coerce_to_target_type(NULL, (Node *) entry->expr, own, lfirst_oid(type), lfirst_int(typmod),
													 COERCION_IMPLICIT, COERCE_IMPLICIT_CAST, -1);
	}
}

void
pa_validate_union(PaBlock *block, Query *query)
{
	ListCell   *cell;

	if (!pa_is_union_all(query->setOperations) || block->rules->one_table)
		pa_refuse(block->guard, -1, "A subquery in a block on a protected table uses a set operation that is not allowed there.",
				  "UNION ALL, UNION, INTERSECT and EXCEPT of rows of owners are, without WITH or LIMIT of their own.");
	foreach(cell, pa_union_inputs(query))
	{
		const RangeTblEntry *input = lfirst(cell);

		if (!pa_hands_up_rows(block->guard, input->subquery))
			pa_refuse_table(block->guard, input, "A UNION ALL puts rows of owners together with others.",
							"Join the result of the block with what is not protected.");
		if (pa_is_union(input))
			pa_refuse_table(block->guard, input, "A part of a UNION ALL over protected rows is one, with ORDER BY or WITH of its own.",
							"Leave these out.");
		convert_columns(block, (SetOperationStmt *) query->setOperations, input->subquery);
	}
}

/* --- one more column --- */

/* What each operation hands up. */
static void
widen(Node *node, Oid type, Oid collation)
{
	SetOperationStmt *operation = (SetOperationStmt *) node;

	pa_descend();
	if (IsA(node, RangeTblRef))
		return;
	operation->colTypes = lappend_oid(operation->colTypes, type);
	operation->colTypmods = lappend_int(operation->colTypmods, -1);
	operation->colCollations = lappend_oid(operation->colCollations, collation);
	widen(operation->larg, type, collation);
	widen(operation->rarg, type, collation);
}

/* Values of owners are the same whichever of these types they have. */
static Node *
as_wide_as_needed(Node *column, bool same_type)
{
	Oid			own = exprType(column);
	Oid			wide = same_type ? own : own == VARCHAROID ? TEXTOID : own == INT2OID || own == INT4OID ? INT8OID : own;

	return coerce_to_target_type(NULL, column, own, wide, -1, COERCION_IMPLICIT, COERCE_IMPLICIT_CAST, -1);
}

static bool
are_same_type(const List *columns)
{
	const ListCell *cell;

	foreach(cell, columns)
		if (exprType(lfirst(cell)) != exprType(linitial(columns)))
			return false;
	return true;
}

static void
add_output(RangeTblEntry *rte, Node *column)
{
	Query	   *query = rte->subquery;

	query->targetList = lappend(query->targetList,
								makeTargetEntry((Expr *) column, list_length(query->targetList) + 1, pstrdup("owner"), false));
	if (pa_groups_rows(query))
		pa_group_by_owner(query, llast(query->targetList));
	rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup("owner")));
}

AttrNumber
pa_add_union_column(RangeTblEntry *rte, List *columns)
{
	Query	   *query = rte->subquery;
	AttrNumber	resno = list_length(query->targetList) + 1;
	bool		same_type = are_same_type(columns);
	Node	   *first = as_wide_as_needed(linitial(columns), same_type);
	ListCell   *input;
	ListCell   *column;

	forboth(input, pa_union_inputs(query), column, columns)
		add_output(lfirst(input), as_wide_as_needed(lfirst(column), same_type));
	widen(query->setOperations, exprType(first), exprCollation(first));
	add_output(rte, (Node *) makeVar(bms_next_member(pa_members(query), -1), resno, exprType(first), -1, exprCollation(first), 0));
	return resno;
}
