/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * whole_joins.c
 *		See whole_joins.h.
 *
 * A hash join (nodeHashjoin.c) has three shortcuts.  It fetches a row of the outer side
 * before it reads the inner one if that may spare the latter: which it is told was done already, or,
 * where rows are made up for the outer side, has one row of nulls instead of none.  And it stops
 * when the hash table has no rows: so one more is counted there than it has.  For this a node that
 * hands rows on stands between the join and each side.  That of the inner side, which the
 * hash table has just been made for, puts our own hash function into it.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "executor/hashjoin.h"
#include "nodes/extensible.h"
#include "nodes/nodeFuncs.h"

#include "descend.h"
#include "lookup/lookup.h"
#include "lookup/seeded_hash.h"
#include "node/whole_joins.h"

typedef struct Side
{
	CustomScanState css;		/* must be first */
	HashState  *hash;			/* whose table it fills; NULL: an outer side that must not be empty */
	List	   *hashkeys[2];	/* of the outer and the inner side of the join */
	bool		begun;
	bool		ended;
	bool		any;			/* it had a row */
} Side;

static TupleTableSlot *
row_of_nulls(Side *side)
{
	return ExecStoreAllNullTuple(side->css.ss.ss_ScanTupleSlot);
}

static Oid
type_of_key(const Side *side, int number)
{
	return exprType(linitial(side->hashkeys[number]));
}

/* Joins go by the keys that tables are filled in the order of. */
static void
begin_side(Side *side)
{
	MemoryContext caller;

	side->begun = true;
	if (side->hash == NULL || list_length(side->hashkeys[0]) != 1 ||
		!pa_is_whole_number(type_of_key(side, 0)) || !pa_is_whole_number(type_of_key(side, 1)))
		return;
	caller = MemoryContextSwitchTo(side->hash->hashtable->hashCxt);
	pa_hash_near(side->hash->hashtable->outer_hashfunctions, type_of_key(side, 0));
	pa_hash_near(side->hash->hashtable->inner_hashfunctions, type_of_key(side, 1));
	MemoryContextSwitchTo(caller);
}

static TupleTableSlot *
end_side(Side *side)
{
	if (side->ended)
		return NULL;
	side->ended = true;
	if (side->hash)
		side->hash->hashtable->totalTuples += 1;
	return side->hash || side->any ? NULL : row_of_nulls(side);
}

static TupleTableSlot *
side_next(PlanState *plan)
{
	Side	   *side = (Side *) plan;
	TupleTableSlot *row;

	if (!side->begun)
		begin_side(side);
	row = side->ended ? NULL : ExecProcNode(outerPlanState(plan));
	if (TupIsNull(row))
		return end_side(side);
	side->any = true;
	return row;
}

static void
side_end(CustomScanState *node)
{
	ExecEndNode(outerPlanState(node));
}

static const CustomExecMethods side_methods = {
	.CustomName = "privacct side of a join",
	.EndCustomScan = side_end
};

/* A plan for those who look at plans of states. */
static Plan *
plan_over(PlanState *child)
{
	CustomScan *plan = makeNode(CustomScan);

	plan->scan.plan.targetlist = child->plan->targetlist;
	return &plan->scan.plan;
}

static Side *
stand_before(PlanState *child, HashState *hash)
{
	Side	   *side = palloc0(sizeof(Side));
	PlanState  *state = &side->css.ss.ps;

	side->css.ss.ps.type = T_CustomScanState;
	side->css.methods = &side_methods;
	side->hash = hash;
	state->plan = plan_over(child);
	state->state = child->state;
	outerPlanState(state) = child;
	side->css.ss.ss_ScanTupleSlot = state->ps_ResultTupleSlot =
		ExecInitExtraTupleSlot(child->state, ExecGetResultType(child), ExecGetResultSlotOps(child, NULL));
	state->ExecProcNode = state->ExecProcNodeReal = side_next;
	return side;
}

static void
make_whole(HashJoinState *join)
{
	HashState  *hash = castNode(HashState, innerPlanState(join));
	Side	   *inner = stand_before(outerPlanState(hash), hash);

	inner->hashkeys[0] = ((HashJoin *) join->js.ps.plan)->hashkeys;
	inner->hashkeys[1] = ((Hash *) hash->ps.plan)->hashkeys;
	outerPlanState(hash) = &inner->css.ss.ps;
	if (join->hj_NullInnerTupleSlot)	/* rows are made up for the outer side */
		outerPlanState(join) = &stand_before(outerPlanState(join), NULL)->css.ss.ps;
	else
		join->hj_OuterNotEmpty = true;
}

static bool
make_whole_walker(PlanState *plan, void *nothing)
{
	pa_descend();
	if (pa_is_lookup_scan(plan->plan))	/* whose other child is public, and read as ever */
		return make_whole_walker(linitial(((CustomScanState *) plan)->custom_ps), nothing);
	(void) planstate_tree_walker(plan, make_whole_walker, nothing);
	if (IsA(plan, HashJoinState))
		make_whole((HashJoinState *) plan);
	return false;
}

void
pa_make_joins_whole(PlanState *plan)
{
	(void) make_whole_walker(plan, NULL);
}
