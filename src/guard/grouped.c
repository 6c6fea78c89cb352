/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grouped.c
 *		Subqueries of a block that group protected rows by their owner.
 *
 * Each group is of one owner, so what is computed of it is a function of that owner's
 * rows: rows of owners again, which the block aggregates.  It must not depend on the
 * order of rows.  So keys are of types whose equal values are the same, and aggregates
 * those whose result is exact, or that only compare.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"

#include "guard/column.h"
#include "guard/guard.h"

/* Of any values, without an error, in any order. */
static bool
is_total_aggregate(Oid function)
{
	switch (function)
	{
		case F_COUNT_:
		case F_COUNT_ANY:
		case F_SUM_INT2:
		case F_SUM_INT4:
		case F_SUM_INT8:
		case F_SUM_NUMERIC:		/* of limited length (total.c) */
		case F_AVG_INT2:
		case F_AVG_INT4:
		case F_AVG_INT8:
		case F_AVG_NUMERIC:
		case F_MIN_INT2:
		case F_MIN_INT4:
		case F_MIN_INT8:
		case F_MIN_DATE:
		case F_MIN_TIMESTAMP:
		case F_MIN_TIMESTAMPTZ:
		case F_MAX_INT2:
		case F_MAX_INT4:
		case F_MAX_INT8:
		case F_MAX_DATE:
		case F_MAX_TIMESTAMP:
		case F_MAX_TIMESTAMPTZ:
		case F_BOOL_AND:
		case F_BOOL_OR:
		case F_EVERY:
			return true;
		default:
			return false;
	}
}

/* Of those above: the others are null of no rows. */
bool
pa_is_count(Oid function)
{
	return function == F_COUNT_ || function == F_COUNT_ANY;
}

void
pa_validate_grouped_aggregate(const PaBlock *block, const Query *query, const Aggref *aggref)
{
	if (query == block->leaf || !pa_groups_by_owner(query))
		pa_refuse(block->guard, aggref->location, "An aggregate stands where the block reads rows.",
				  "Aggregate in the block, or in a subquery that groups by the owner.");
	if (!is_total_aggregate(aggref->aggfnoid))
		pa_refuse(block->guard, aggref->location,
				  psprintf("Aggregate %s is not allowed in a subquery that groups by the owner.", format_procedure(aggref->aggfnoid)),
				  "Use count, bool_and, bool_or; sum and avg of integers and numerics; min and max of integers, dates and timestamps.");
	if (aggref->aggdistinct || aggref->aggorder || aggref->aggdirectargs || aggref->agglevelsup != 0)
		pa_refuse(block->guard, aggref->location,
				  "An aggregate in a subquery that groups by the owner has DISTINCT, ORDER BY, or is of another query.",
				  "Group by more columns in a subquery of it, and count the groups.");
}

static void
validate_key(const PaBlock *block, Node *key)
{
	if (!pa_is_exact(exprType(key), exprCollation(key)))
		pa_refuse(block->guard, exprLocation(key),
				  "A subquery groups by the owner and by something whose equal values need not be the same, so that its rows depend on their order.",
				  "Group by integers, dates, timestamps, booleans, uuid, or texts with a collation that is deterministic.");
}

/* Keys that are not shown are from now on: everything that is grouped by is a column. */
void
pa_keep_keys(Query *query)
{
	List	   *kept = NIL;
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst(cell);

		if (entry->resjunk && !(entry->ressortgroupref > 0 && get_sortgroupref_clause_noerr(entry->ressortgroupref, query->groupClause)))
			continue;
		entry->resjunk = false;
		entry->resno = list_length(kept) + 1;
		if (entry->resname == NULL)
			entry->resname = pstrdup("key");
		kept = lappend(kept, entry);
	}
	query->targetList = kept;
	query->sortClause = NIL;
}

void
pa_validate_grouped(const PaBlock *block, Query *query)
{
	ListCell   *cell;

	if (query->groupClause && query->distinctClause)
		pa_refuse(block->guard, -1, "A subquery that groups by the owner has DISTINCT.", "Leave DISTINCT out.");
	if (query->constraintDeps)
		pa_refuse(block->guard, -1, "A subquery groups by a primary key, and shows columns that it does not group by.",
				  "Group by these, too.");
	if (query->groupClause == NIL)	/* SELECT DISTINCT */
	{
		query->groupClause = query->distinctClause;
		query->distinctClause = NIL;
	}
	foreach(cell, query->groupClause)
		validate_key(block, (Node *) get_sortgroupclause_tle(lfirst(cell), query->targetList)->expr);
	pa_keep_keys(query);
}
