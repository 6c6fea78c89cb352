/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shape.c
 *		Queries that ask for the columns of a table and for no row.
 *
 * Clients learn the columns of a table, or of a query, from "SELECT * FROM t
 * WHERE 0 = 1" or "... LIMIT 0".  Such a query returns no row whatever is in its
 * tables, so each protected table that is named anywhere in it, and for which the
 * user holds a budget, is replaced by an empty relation with the same columns:
 * nothing is read, nothing is charged.  Without LIMIT 0, queries with aggregates
 * answer with a row and are not of this kind, but may be below one.
 *
 * Some clients read a row instead.  With privacct.empty_rows the statement's own
 * SELECT is of this kind if it hands up rows of protected tables.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/rel.h"

#include "compat/permissions.h"
#include "descend.h"
#include "guard/guard.h"
#include "guard/parameters.h"
#include "guard/shape.h"
#include "guard/subquery_entry.h"
#include "settings.h"

static bool
is_false(const Const *value)
{
	return value && (value->constisnull || !DatumGetBool(value->constvalue));
}

/* Whatever parameters say: a statement means the same with other values. */
static bool
is_never_true(Node *condition)
{
	const PaGuard without_values = {.parameters = NULL};
	bool		waits;
	ListCell   *cell;

	pa_descend();
	if (condition == NULL || !is_andclause(condition))
		return is_false(pa_constant(&without_values, condition, &waits));
	foreach(cell, ((BoolExpr *) condition)->args)
		if (is_never_true(lfirst(cell)))
			return true;
	return false;
}

static bool
is_zero(const Const *value)
{
	return value && !value->constisnull && DatumGetInt64(value->constvalue) == 0;
}

/* A query whose rows come from its tables one by one; aggregates, and groups that are known, make rows of their own. */
static bool
hands_up_rows(const Query *query)
{
	return query->commandType == CMD_SELECT && !pa_groups_rows(query) && query->setOperations == NULL && query->rowMarks == NIL;
}

/* A limit that has no value yet matters to a query that would be refused. */
static bool
wants_no_row(PaGuard *guard, const Query *query)
{
	bool		waits;
	bool		none = is_zero(pa_constant(guard, query->limitCount, &waits));

	guard->waits |= waits && (pa_hands_up_rows(guard, query) || query->setOperations) && pa_names_protected((Node *) query, guard);
	return none;
}

/* What writes does so whether or not its rows are wanted, and so does what locks them. */
static bool
returns_no_row(PaGuard *guard, const Query *query)
{
	if (query->commandType != CMD_SELECT || query->rowMarks || query->hasModifyingCTE)
		return false;
	return wants_no_row(guard, query) || (hands_up_rows(query) && is_never_true(query->jointree->quals));
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

static bool
empty_table(const PaGuard *guard, RangeTblEntry *rte)
{
	const PaPolicy *policy;

	if (!pa_is_protected(guard, rte) || rte->tablesample)
		return false;
	policy = pa_policy_of(rte->relid);
	if (policy == NULL || !OidIsValid(pa_policy_payer(policy, guard->user)))
		return false;
	pa_become_subquery(rte, empty_relation(rte->relid));
	return true;
}

/* --- columns that only tables have --- */

typedef struct ColumnContext
{
	Relids		emptied;		/* entries of the query */
	int			depth;			/* of subqueries in it */
} ColumnContext;

/* Whole rows and system columns of what is empty are null; there are none. */
static Node *
null_columns_mutator(Node *node, ColumnContext *context)
{
	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Query))
	{
		context->depth++;
		node = (Node *) query_tree_mutator((Query *) node, null_columns_mutator, context, QTW_DONT_COPY_QUERY);
		context->depth--;
		return node;
	}
	if (IsA(node, Var))
	{
		const Var  *var = (const Var *) node;

		if (var->varattno <= 0 && (int) var->varlevelsup == context->depth && bms_is_member(var->varno, context->emptied))
			return (Node *) makeNullConst(var->vartype, var->vartypmod, var->varcollid);
		return node;
	}
	return expression_tree_mutator(node, null_columns_mutator, context);
}

static void
empty_entries(const PaGuard *guard, Query *query)
{
	ColumnContext context = {NULL, 0};

	for (int i = 1; i <= list_length(query->rtable); i++)
		if (empty_table(guard, rt_fetch(i, query->rtable)))
			context.emptied = bms_add_member(context.emptied, i);
	if (context.emptied)
		(void) query_tree_mutator(query, null_columns_mutator, &context, QTW_DONT_COPY_QUERY);
}

/* --- queries --- */

/* Nothing of what the query computes is wanted, neither groups nor WITH queries nor subqueries in expressions. */
static bool
empty_all_walker(Node *node, const PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, empty_all_walker, (void *) guard);
	if (((Query *) node)->commandType != CMD_SELECT || ((Query *) node)->rowMarks)
		return false;
	empty_entries(guard, (Query *) node);
	return query_tree_walker((Query *) node, empty_all_walker, (void *) guard, 0);
}

static bool
empty_shapes_walker(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, empty_shapes_walker, guard);
	if (returns_no_row(guard, (Query *) node))
		return empty_all_walker(node, guard);
	return query_tree_walker((Query *) node, empty_shapes_walker, guard, 0);
}

void
pa_empty_shapes(PaGuard *guard, Query *query)
{
	if (pa_empty_rows && hands_up_rows(query) && pa_reads_rows(guard, query))
		query->jointree->quals = makeBoolConst(false, false);
	(void) empty_shapes_walker((Node *) query, guard);
}
