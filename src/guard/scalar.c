/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scalar.c
 *		Subqueries over protected rows that are values become joins.
 *
 *	 (SELECT max(y) + count(*) FROM F WHERE C AND k = x)
 *
 * becomes, in what is computed of each row, v.max + coalesce(v.count, 0) with
 *
 *	 FROM ... LEFT JOIN (SELECT k, max(y), count(*) FROM F WHERE C GROUP BY k) v ON v.k = x
 *
 * which is the same: no row outside meets two groups, and of no rows the aggregates
 * are null, or 0 if they count.  An aggregate of the subquery itself, without GROUP BY,
 * makes one row.  That k names the owner, as that of the row outside, is for
 * grouped.c and owned.c to see.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"

#include "descend.h"
#include "guard/column.h"
#include "guard/related.h"
#include "guard/scalar.h"

#define INSTEAD "Write a value as (SELECT aggregate FROM ... WHERE ... AND b.owner = a.owner), related to the row outside by equalities of columns."

/* --- the aggregates of a subquery, as columns --- */

typedef struct AggregatesContext
{
	const PaRelated *related;
	List	   *columns;		/* what the subquery hands up from now on: aggregates */
} AggregatesContext;

/* What it is if there are no rows: nothing; but a count is zero. */
static Node *
of_any_rows(Aggref *aggref, Var *column)
{
	CoalesceExpr *value = makeNode(CoalesceExpr);

	if (!pa_is_count(aggref->aggfnoid))
		return (Node *) column;
	value->coalescetype = INT8OID;
	value->args = list_make2(column, makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(0), false, FLOAT8PASSBYVAL));
	value->location = aggref->location;
	return (Node *) value;
}

static Node *
column_of_aggregate(AggregatesContext *context, Aggref *aggref)
{
	TargetEntry *entry = NULL;
	Var		   *column;
	ListCell   *cell;

	if (contain_vars_of_level((Node *) aggref, 1))
		pa_refuse(context->related->guard, aggref->location,
				  "An aggregate in a subquery over protected rows is of columns of the query around it.", INSTEAD);
	foreach(cell, context->columns)
		if (equal(((TargetEntry *) lfirst(cell))->expr, aggref))
			entry = lfirst(cell);
	if (entry == NULL)
	{
		entry = makeTargetEntry((Expr *) aggref, list_length(context->columns) + 1, pstrdup("value"), false);
		context->columns = lappend(context->columns, entry);
	}
	column = makeVar(context->related->rtindex, entry->resno, aggref->aggtype, -1, aggref->aggcollid, 0);
	column->location = aggref->location;
	return of_any_rows(aggref, column);
}

static Node *
aggregates_mutator(Node *node, AggregatesContext *context)
{
	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == 0)
		return column_of_aggregate(context, (Aggref *) node);
	if (IsA(node, Var))
		return pa_as_outside(node);
	if (IsA(node, Aggref) || IsA(node, SubLink) || IsA(node, GroupingFunc))
		pa_refuse(context->related->guard, exprLocation(node),
				  "A subquery over protected rows computes its value from more than aggregates of its own and columns of the row outside.", INSTEAD);
	return expression_tree_mutator(node, aggregates_mutator, context);
}

/* --- the join --- */

bool
pa_is_one_row(const Query *subquery)
{
	return subquery->commandType == CMD_SELECT && subquery->hasAggs && !subquery->groupClause && !subquery->groupingSets &&
		!subquery->distinctClause && !subquery->setOperations && !subquery->hasWindowFuncs && !subquery->hasTargetSRFs &&
		!subquery->limitCount && !subquery->limitOffset && !subquery->rowMarks && !subquery->cteList;
}

/* Whether conditions make columns that say whose the rows are equal to something outside. */
bool
pa_is_related_by_owner(const Query *subquery)
{
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) subquery->jointree->quals))
	{
		const OpExpr *test = lfirst(cell);

		if (!IsA(test, OpExpr) || list_length(test->args) != 2)
			continue;
		for (int i = 0; i < 2; i++)
			if (contain_vars_of_level(list_nth(test->args, 1 - i), 1))
			{
				PaColumn   *column = palloc(sizeof(PaColumn));

				*column = pa_column_of(subquery, list_nth(test->args, i));
				columns = lappend(columns, column);
			}
	}
	return pa_name_owners(columns);
}

List *
pa_join_one_row(PaGuard *guard, Query *query, Query *subquery, int location)
{
	PaRelated	related = {guard, subquery, list_length(query->rtable) + 1, location};
	AggregatesContext context = {.related = &related};
	List	   *values = NIL;
	List	   *conditions;
	Node	   *having;
	ListCell   *cell;

	having = aggregates_mutator(subquery->havingQual, &context);
	foreach(cell, subquery->targetList)
	{
		TargetEntry *entry = lfirst(cell);

		if (!entry->resjunk)
			values = lappend(values, pa_apply_filter(aggregates_mutator((Node *) entry->expr, &context), copyObject(having)));
	}
	subquery->targetList = context.columns;
	subquery->havingQual = NULL;
	conditions = pa_take_group_conditions(&related);
	pa_join_distinct(guard, subquery);
	pa_join_subquery(query, JOIN_LEFT, &related, conditions);
	return values;
}

/* --- expressions --- */

typedef struct ValuesContext
{
	PaGuard    *guard;
	Query	   *query;
	PaPrepareSubquery prepare;
	bool		of_rows;		/* what is looked at is computed of each row, not of groups */
} ValuesContext;

/* Others are for those to judge who come later (validate.c). */
static bool
can_be_joined(const ValuesContext *context, const SubLink *sublink)
{
	return sublink->subLinkType == EXPR_SUBLINK && context->of_rows && pa_names_protected(sublink->subselect, context->guard) &&
		pa_is_one_row(castNode(Query, sublink->subselect)) && pa_is_related_by_owner(castNode(Query, sublink->subselect));
}

static Node *
values_mutator(Node *node, ValuesContext *context)
{
	bool		of_rows = context->of_rows;

	pa_descend();
	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, SubLink) && can_be_joined(context, (SubLink *) node))
	{
		Query	   *subquery = castNode(Query, ((SubLink *) node)->subselect);

		context->prepare(context->guard, subquery);
		return linitial(pa_join_one_row(context->guard, context->query, subquery, ((SubLink *) node)->location));
	}
	context->of_rows |= IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == 0;
	node = expression_tree_mutator(node, values_mutator, context);
	context->of_rows = of_rows;
	return node;
}

static bool
is_key(const Query *query, const TargetEntry *entry)
{
	return entry->ressortgroupref > 0 &&
		(get_sortgroupref_clause_noerr(entry->ressortgroupref, query->groupClause) ||
		 (!query->hasAggs && query->groupClause == NIL && get_sortgroupref_clause_noerr(entry->ressortgroupref, query->distinctClause)));
}

void
pa_join_values(PaGuard *guard, Query *query, PaPrepareSubquery prepare)
{
	ValuesContext context = {guard, query, prepare, true};
	ListCell   *cell;

	query->jointree->quals = values_mutator(query->jointree->quals, &context);
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst(cell);

		context.of_rows = !pa_groups_rows(query) || is_key(query, entry);
		entry->expr = (Expr *) values_mutator((Node *) entry->expr, &context);
	}
	context.of_rows = false;
	query->havingQual = values_mutator(query->havingQual, &context);
}
