/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * set_operation.c
 *		UNION, INTERSECT and EXCEPT of protected rows become groups over UNION ALL.
 *
 *	 A UNION B			SELECT c FROM (A UNION ALL B) u GROUP BY c
 *	 A INTERSECT B		SELECT c FROM (SELECT c, 1 AS side FROM A UNION ALL SELECT c, 2 FROM B) u
 *						GROUP BY c HAVING min(side) = 1 AND max(side) = 2
 *	 A EXCEPT B			the same, HAVING max(side) = 1
 *
 * for all columns c, where nulls are equal as they are to the set operations.  That the
 * owner is among the columns of each part is for grouped.c and owned.c to see.
 */
#include "postgres.h"

#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"

#include "descend.h"
#include "guard/branches.h"
#include "guard/guard.h"
#include "guard/make_query.h"
#include "guard/own_groups.h"
#include "guard/related.h"
#include "guard/subquery_entry.h"

#define LEFT_SIDE 1
#define RIGHT_SIDE 2

/* --- which --- */

static bool
can_be_grouped(const Node *node)
{
	const SetOperationStmt *operation = (const SetOperationStmt *) node;

	pa_descend();
	return IsA(node, RangeTblRef) ||
		((operation->op == SETOP_UNION || !operation->all) && can_be_grouped(operation->larg) && can_be_grouped(operation->rarg));
}

/* Others stay as they are, and are refused (union.c). */
static bool
is_set_operation(const PaGuard *guard, const Query *query)
{
	return query->setOperations && !pa_is_union_all(query->setOperations) && can_be_grouped(query->setOperations) &&
		!query->limitCount && !query->limitOffset && query->cteList == NIL && pa_reads_rows(guard, query);
}

/* --- queries --- */

static Const *
side_number(int side)
{
	return makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(side), false, true);
}

/* SELECT the columns of the part, and which side it is, FROM the part */
static RangeTblEntry *
make_side(Query *part, int side)
{
	Query	   *query = pa_query_over(pa_subquery_entry(part, "part"));
	ListCell   *cell;

	foreach(cell, part->targetList)
		if (!((TargetEntry *) lfirst(cell))->resjunk)
			(void) pa_add_output(query, (Node *) makeVarFromTargetEntry(1, lfirst(cell)));
	(void) pa_add_output(query, (Node *) side_number(side));
	return pa_subquery_entry(query, "side");
}

/* left UNION ALL right, with a column more that says which of them a row is of */
static Query *
put_together(const SetOperationStmt *operation, Query *left, Query *right)
{
	return pa_union_all(make_side(left, LEFT_SIDE), make_side(right, RIGHT_SIDE),
						lappend_oid(list_copy(operation->colTypes), INT4OID),
						lappend_int(list_copy(operation->colTypmods), -1),
						lappend_oid(list_copy(operation->colCollations), InvalidOid));
}

static Node *
side_is(Oid aggregate, const TargetEntry *side, int number)
{
	Aggref	   *aggref = pa_aggregate_of(aggregate, INT4OID, (Node *) makeVarFromTargetEntry(1, unconstify(TargetEntry *, side)), -1);

	return (Node *) make_opclause(Int4EqualOperator, BOOLOID, false, (Expr *) aggref, (Expr *) side_number(number), InvalidOid, InvalidOid);
}

static Node *
condition_of(const SetOperationStmt *operation, const TargetEntry *side)
{
	switch (operation->op)
	{
		case SETOP_INTERSECT:
			return (Node *) make_andclause(list_make2(side_is(F_MIN_INT4, side, LEFT_SIDE), side_is(F_MAX_INT4, side, RIGHT_SIDE)));
		case SETOP_EXCEPT:
			return side_is(F_MAX_INT4, side, LEFT_SIDE);
		case SETOP_UNION:
		case SETOP_NONE:
			break;
	}
	return NULL;
}

/* SELECT the columns FROM the rows of both [GROUP BY them HAVING the condition] */
static Query *
make_operation(const PaGuard *guard, const SetOperationStmt *operation, Query *both)
{
	Query	   *query = pa_query_over(pa_subquery_entry(both, "both"));
	ListCell   *cell;

	foreach(cell, both->targetList)
		if (lnext(both->targetList, cell) != NULL)
			(void) pa_add_output(query, (Node *) makeVarFromTargetEntry(1, lfirst(cell)));
	if (operation->all)
		return query;
	foreach(cell, operation->groupClauses)
	{
		SortGroupClause *clause = copyObject(lfirst_node(SortGroupClause, cell));
		TargetEntry *column = list_nth(query->targetList, foreach_current_index(cell));

		column->ressortgroupref = clause->tleSortGroupRef = column->resno;
		query->groupClause = lappend(query->groupClause, clause);
	}
	query->havingQual = condition_of(operation, llast(both->targetList));
	query->hasAggs = query->havingQual != NULL;
	if (!pa_groups_by_owner(query))
		pa_refuse(guard, -1, "UNION, INTERSECT or EXCEPT of protected rows compares them without their owners.",
				  "Have each part show the owner column, in the same place.");
	return query;
}

/* --- the whole tree --- */

/* The query of a part of the tree; depth: how many queries stand between it and the one around the tree. */
static Query *
make_part(const PaGuard *guard, const Query *query, Node *node, int depth)
{
	SetOperationStmt *operation = (SetOperationStmt *) node;
	Query	   *part;

	pa_descend();
	if (!IsA(node, RangeTblRef))
		return make_operation(guard, operation, put_together(operation, make_part(guard, query, operation->larg, depth + 3),
															 make_part(guard, query, operation->rarg, depth + 3)));
	part = rt_fetch(((RangeTblRef *) node)->rtindex, query->rtable)->subquery;
	if (depth > 1)
		IncrementVarSublevelsUp((Node *) part, depth - 1, 1);
	return part;
}

static void
keep_names(Query *operation, const Query *query)
{
	ListCell   *entry;
	ListCell   *was;

	forboth(entry, operation->targetList, was, query->targetList)
		((TargetEntry *) lfirst(entry))->resname = ((TargetEntry *) lfirst(was))->resname;
}

void
pa_group_set_operations(const PaGuard *guard, Query *query)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);
		Query	   *operation;

		if (rte->rtekind != RTE_SUBQUERY || !is_set_operation(guard, rte->subquery))
			continue;
		operation = make_part(guard, rte->subquery, rte->subquery->setOperations, 0);
		keep_names(operation, rte->subquery);
		rte->subquery = operation;
	}
}
