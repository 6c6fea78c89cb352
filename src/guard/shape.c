/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shape.c
 *		Queries that ask for the columns of a table and for no row.
 *
 * Clients learn the columns of a table from "SELECT * FROM t WHERE 0 = 1" or
 * "... LIMIT 0".  Such a query returns no row whatever is in the table, so a
 * protected table in its FROM, for which the user holds a budget, is replaced by
 * an empty relation with the same columns: nothing is read, nothing is charged.
 * Queries with aggregates answer with a row and are not of this kind.
 *
 * Some clients read a row instead.  With privacct.empty_rows the statement's own
 * SELECT, if it hands up rows, finds protected tables empty.
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/sysattr.h"
#include "access/transam.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/rel.h"

#include "descend.h"
#include "guard/guard.h"
#include "guard/shape.h"
#include "guard/subquery_entry.h"
#include "settings.h"

/* Anything but constants and built-in functions of them. */
static bool
is_more_than_constants_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL || IsA(node, Const))
		return false;
	if (IsA(node, OpExpr))
		set_opfuncid((OpExpr *) node);
	if (IsA(node, OpExpr) ? ((OpExpr *) node)->opfuncid >= FirstNormalObjectId :
		IsA(node, FuncExpr) ? ((FuncExpr *) node)->funcid >= FirstNormalObjectId :
		!IsA(node, BoolExpr) && !IsA(node, List))
		return true;
	return expression_tree_walker(node, is_more_than_constants_walker, context);
}

/* The constant that the expression is, or NULL. */
static const Const *
constant(Node *expression)
{
	if (expression == NULL || is_more_than_constants_walker(expression, NULL))
		return NULL;
	expression = eval_const_expressions(NULL, expression);
	return IsA(expression, Const) ? (Const *) expression : NULL;
}

static bool
is_never_true(Node *condition)
{
	const Const *value = constant(condition);

	return value && (value->constisnull || !DatumGetBool(value->constvalue));
}

static bool
is_zero(Node *limit)
{
	const Const *value = constant(limit);

	return value && !value->constisnull && DatumGetInt64(value->constvalue) == 0;
}

/* A query whose rows come from its tables one by one; aggregates make rows of their own. */
static bool
hands_up_rows(const Query *query)
{
	return query->commandType == CMD_SELECT && !pa_groups_rows(query) && query->setOperations == NULL && query->rowMarks == NIL;
}

static bool
returns_no_row(const Query *query)
{
	return hands_up_rows(query) && (is_never_true(query->jointree->quals) || is_zero(query->limitCount));
}

/* A dropped column keeps its place. */
static TargetEntry *
null_column(Form_pg_attribute attribute)
{
	Oid			type = attribute->attisdropped ? INT4OID : attribute->atttypid;

	return makeTargetEntry((Expr *) makeNullConst(type, attribute->attisdropped ? -1 : attribute->atttypmod,
												  attribute->attisdropped ? InvalidOid : attribute->attcollation),
						   attribute->attnum, pstrdup(NameStr(attribute->attname)), false);
}

/* SELECT NULL, NULL, ... WHERE false */
static Query *
empty_relation(Oid relid)
{
	Query	   *query = makeNode(Query);
	Relation	relation = relation_open(relid, AccessShareLock);

	query->commandType = CMD_SELECT;
	query->querySource = QSRC_QUAL_INSTEAD_RULE;
	query->canSetTag = true;
	query->jointree = makeFromExpr(NIL, makeBoolConst(false, false));
	for (int i = 0; i < RelationGetNumberOfAttributes(relation); i++)
		query->targetList = lappend(query->targetList, null_column(TupleDescAttr(RelationGetDescr(relation), i)));
	relation_close(relation, NoLock);
	return query;
}

/* Whole rows and system columns are not asked for by those who want the columns. */
static bool
reads_plain_columns(const RangeTblEntry *rte)
{
	int			first = bms_next_member(rte->selectedCols, -1);

	return first < 0 || first + FirstLowInvalidHeapAttributeNumber > InvalidAttrNumber;
}

static void
empty_table(const PaGuard *guard, RangeTblEntry *rte)
{
	const PaPolicy *policy;

	if (!pa_is_protected(guard, rte) || rte->tablesample || !reads_plain_columns(rte))
		return;
	policy = pa_policy_of(rte->relid);
	if (policy == NULL || !OidIsValid(pa_policy_payer(policy, guard->user)))
		return;
	pa_become_subquery(rte, empty_relation(rte->relid));
}

/* What subqueries in FROM hand up comes to nothing as well. */
static void
empty_tables(const PaGuard *guard, Query *query)
{
	ListCell   *cell;

	pa_descend();
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind == RTE_SUBQUERY && hands_up_rows(rte->subquery))
			empty_tables(guard, rte->subquery);
		else
			empty_table(guard, rte);
	}
}

static bool
empty_tables_walker(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, empty_tables_walker, guard);
	if (returns_no_row((Query *) node))
		empty_tables(guard, (Query *) node);
	return query_tree_walker((Query *) node, empty_tables_walker, guard, 0);
}

void
pa_empty_shapes(PaGuard *guard, Query *query)
{
	if (pa_empty_rows && hands_up_rows(query))
		empty_tables(guard, query);
	(void) empty_tables_walker((Node *) query, guard);
}
