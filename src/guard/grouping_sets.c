/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grouping_sets.c
 *		GROUPING SETS, ROLLUP and CUBE: one release whose groupings agree.
 *
 * The leaf groups by all expressions that any of the groupings has, and says which groupings are
 * wanted as PostgreSQL does, so that the planner knows what its rows are.  The
 * release computes them (price/levels.h).
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "bound/aggregate.h"
#include "guard/block_rules.h"
#include "price/form/form.h"

static void
validate_keys(const PaBlock *block, const List *keys)
{
	const ListCell *cell;

	foreach(cell, keys)
	{
		Node	   *key = (Node *) ((TargetEntry *) lfirst(cell))->expr;

		if (!contain_var_clause(key))
			pa_refuse(block->guard, exprLocation(key),
					  "GROUPING SETS, ROLLUP or CUBE has an expression that is the same for all rows.",
					  "Leave it out of GROUP BY.");
	}
}

/* On a table of the local regime each owner's account would have to know what a level costs them. */
void
pa_take_grouping_sets(PaBlock *block, Query *query, List *keys)
{
	if (query->groupingSets == NIL)
		return;
	if (query->groupClause == NIL || !block->rules->has_levels || block->policy->regime != PA_REGIME_CENTRAL)
		pa_refuse_grouping_sets(block->guard, query);
	validate_keys(block, keys);
	block->leaf->groupingSets = copyObject(query->groupingSets);
	block->leaf->groupDistinct = query->groupDistinct;
}

/* Their totals are no sums of what their groups have. */
void
pa_validate_level_aggregate(const PaBlock *block, const Aggref *written, const Aggref *canonical)
{
	PaAggregateKind kind;

	if (block->leaf->groupingSets == NIL || !pa_aggregate_kind(canonical->aggfnoid, &kind) || pa_aggregate_form(kind)->adds_up)
		return;
	pa_refuse(block->guard, written->location,
			  "GROUPING SETS, ROLLUP or CUBE has an aggregate whose totals are not the sums of its groups.",
			  "Ask for it in a query for each grouping, as in SELECT ward, count(DISTINCT patient) FROM visit GROUP BY ward; counts, sums, averages and variances can stay.");
}

Node *
pa_grouping_of_one_level(const PaBlock *block, const GroupingFunc *call)
{
	if (block->leaf->groupingSets)
		return NULL;
	return (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(0), false, true);
}
