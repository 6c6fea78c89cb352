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
#include "guard/column.h"
#include "guard/guard.h"
#include "guard/union.h"

/* --- its inputs --- */

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
	return query->jointree ? get_relids_in_jointree((Node *) query->jointree, false) : NULL;
}

/* --- what it may be --- */

static bool
is_union_all(const Node *node)
{
	const SetOperationStmt *operation = (const SetOperationStmt *) node;

	pa_descend();
	return IsA(node, RangeTblRef) ||
		(operation->op == SETOP_UNION && operation->all && is_union_all(operation->larg) && is_union_all(operation->rarg));
}

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

	pa_descend();
	if (!is_union_all(query->setOperations) || block->rules->one_table)
		pa_refuse(block->guard, -1, "A subquery in a block on a protected table uses UNION, INTERSECT or EXCEPT.",
				  "UNION ALL is allowed where rows of owners are protected; group around it.");
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
		pa_validate_from(block, input->subquery);
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
