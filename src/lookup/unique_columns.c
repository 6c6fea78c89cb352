/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unique_columns.c
 *		See unique_columns.h.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "parser/parsetree.h"

#include "descend.h"
#include "lookup/unique_columns.h"

/* The columns of the query that are these of its expressions, by reference; false if one is not shown. */
static bool
add_grouped_columns(const Query *query, List *clauses, Bitmapset **columns)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		const TargetEntry *entry = get_sortgroupclause_tle(lfirst(cell), query->targetList);

		if (entry->resjunk)
			return false;
		*columns = bms_add_member(*columns, entry->resno);
	}
	return true;
}

/* The columns of the query that are these columns of its only table; false if one is not shown. */
static bool
add_columns_above(const Query *query, Index rtindex, const Bitmapset *inner, Bitmapset **columns)
{
	int			column = -1;

	while ((column = bms_next_member(inner, column)) >= 0)
	{
		ListCell   *cell;
		AttrNumber	found = InvalidAttrNumber;

		foreach(cell, query->targetList)
		{
			const TargetEntry *entry = lfirst(cell);
			const Var  *var = (const Var *) entry->expr;

			if (!entry->resjunk && IsA(var, Var) && var->varlevelsup == 0 && var->varno == rtindex && var->varattno == column)
				found = entry->resno;
		}
		if (found == InvalidAttrNumber)
			return false;
		*columns = bms_add_member(*columns, found);
	}
	return true;
}

static bool
limits_to_one_row(const Query *query)
{
	const Const *limit = (const Const *) eval_const_expressions(NULL, query->limitCount);

	return limit && IsA(limit, Const) && !limit->constisnull && query->limitOption == LIMIT_OPTION_COUNT &&
		DatumGetInt64(limit->constvalue) <= 1;
}

/* What an entry of FROM stands for, if it is a query. */
static const Query *
query_of(const Query *around, const RangeTblEntry *rte, PaFindWith find, const void *argument)
{
	ListCell   *cell;

	if (rte->rtekind == RTE_SUBQUERY)
		return rte->subquery;
	if (rte->rtekind != RTE_CTE || rte->self_reference)
		return NULL;
	foreach(cell, around->cteList)
		if (strcmp(((const CommonTableExpr *) lfirst(cell))->ctename, rte->ctename) == 0)
			return (const Query *) ((const CommonTableExpr *) lfirst(cell))->ctequery;
	return find(rte->ctename, argument);
}

bool
pa_unique_columns(const Query *query, PaFindWith find, const void *argument, Bitmapset **columns)
{
	const RangeTblRef *reference;
	const Query *below;
	Bitmapset  *inner = NULL;

	pa_descend();
	if (query->commandType != CMD_SELECT)
		return false;
	if (limits_to_one_row(query))
		return true;
	if (query->setOperations || query->groupingSets || query->hasTargetSRFs)
		return false;
	if (query->groupClause || query->hasAggs)
		return add_grouped_columns(query, query->groupClause, columns);
	if (query->jointree == NULL || list_length(query->jointree->fromlist) != 1)
		return false;
	reference = linitial(query->jointree->fromlist);
	if (!IsA(reference, RangeTblRef))
		return false;
	below = query_of(query, rt_fetch(reference->rtindex, query->rtable), find, argument);
	return below && pa_unique_columns(below, find, argument, &inner) &&
		add_columns_above(query, reference->rtindex, inner, columns);
}
