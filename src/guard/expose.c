/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expose.c
 *		See expose.h.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/prep.h"
#include "parser/parse_clause.h"
#include "parser/parse_oper.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "compat/planner.h"
#include "descend.h"
#include "guard/branches.h"
#include "guard/expose.h"
#include "guard/guard.h"

void
pa_group_by_owner(Query *query, TargetEntry *entry)
{
	SortGroupClause *clause = makeNode(SortGroupClause);

	get_sort_group_operators(exprType((Node *) entry->expr), true, true, false, &clause->sortop, &clause->eqop, NULL, &clause->hashable);
	clause->tleSortGroupRef = assignSortGroupRef(entry, query->targetList);
	query->groupClause = lappend(query->groupClause, clause);
}

static TargetEntry *
output_of(const Query *subquery, const Var *column)
{
	ListCell   *cell;

	foreach(cell, subquery->targetList)
		if (equal(((TargetEntry *) lfirst(cell))->expr, column))
			return lfirst(cell);
	return NULL;
}

static bool
is_owner_column(PaColumn column)
{
	const PaPolicy *policy = pa_is_union(column.table) ? NULL : pa_policy_of(column.table->relid);

	if (pa_is_union(column.table))
		return true;
	return policy && policy->path == NIL && policy->owner_attnum == column.attnum;
}

/* Adds the column to the output of a subquery that has it; NULL if it has not, or makes groups that have none. */
static Var *
expose_in_subquery(RangeTblEntry *rte, int rtindex, PaColumn column)
{
	Query	   *subquery = rte->subquery;
	Var		   *var = pa_expose_column(subquery, column);
	TargetEntry *entry = var ? output_of(subquery, var) : NULL;

	if (var == NULL)
		return NULL;
	if (entry == NULL)
	{
		if (pa_groups_rows(subquery) && !is_owner_column(column))
			return NULL;
		entry = makeTargetEntry((Expr *) var, list_length(subquery->targetList) + 1, pstrdup("owner"), false);
		subquery->targetList = lappend(subquery->targetList, entry);
		if (pa_groups_rows(subquery))
			pa_group_by_owner(subquery, entry);
		rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup("owner")));
	}
	return makeVar(rtindex, entry->resno, var->vartype, var->vartypmod, var->varcollid, 0);
}

static Var *
column_of_table(PaColumn column, int rtindex)
{
	Oid			type,
				collation;
	int32		typmod;

	if (column.table->rtekind == RTE_SUBQUERY)
		return makeVarFromTargetEntry(rtindex, get_tle_by_resno(column.table->subquery->targetList, column.attnum));
	get_atttypetypmodcoll(column.table->relid, column.attnum, &type, &typmod, &collation);
	return makeVar(rtindex, column.attnum, type, typmod, collation, 0);
}

Var *
pa_expose_column(Query *query, PaColumn column)
{
	Relids		members = pa_entries_below((Node *) query->jointree, false);
	int			member = -1;
	Var		   *var = NULL;

	pa_descend();
	while (var == NULL && (member = bms_next_member(members, member)) >= 0)
	{
		RangeTblEntry *rte = rt_fetch(member, query->rtable);

		if (rte == column.table)
			var = column_of_table(column, member);
		else if (rte->rtekind == RTE_SUBQUERY && !pa_is_union(rte))
			var = expose_in_subquery(rte, member, column);
	}
	return var;
}
