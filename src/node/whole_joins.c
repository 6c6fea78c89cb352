/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * whole_joins.c
 *		See whole_joins.h.
 *
 * A hash join (nodeHashjoin.c) has three shortcuts.  It fetches a row of the outer side
 * before it reads the inner one if that may spare the latter: which it is told was done already, or,
 * where rows are made up for the outer side, has one row of nulls instead of none.  And it stops
 * when the hash table has no rows: so one more is counted there than it has.  For this a node that
 * hands rows on stands between the join and each side.
 *
 * Where keys are whole numbers, these nodes make the join faster.  The one at the inner side puts our own
 * hash function into the table, which has just been made.  And if the outer side is expected to
 * be much smaller, its rows are read first, and kept: of the inner side only those are hashed that may meet one.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/extensible.h"
#include "nodes/nodeFuncs.h"
#include "utils/tuplestore.h"

#include "compat/hash_join.h"
#include "descend.h"
#include "lookup/key_filter.h"
#include "lookup/lookup.h"
#include "lookup/seeded_hash.h"
#include "node/whole_joins.h"

#define MUCH_SMALLER 4

/* The key by which a side is hashed, if it is one whole number: equal ones are the same (node/closed_world.c). */
typedef struct Key
{
	ExprState  *value;			/* NULL: it is not */
	ExprContext *context;
	PaNearHash	hash;
} Key;

typedef struct Side
{
	CustomScanState css;		/* must be first */
	Key			key;
	struct Side *outer;			/* of an inner side: the other one; NULL: an outer side */
	HashJoinState *join;		/* of an inner side */
	HashState  *hash;			/* of an inner side: whose table it fills */
	bool		made_up;		/* rows are made up for an outer side, which must not be empty */
	bool		begun;
	bool		ended;
	bool		any;			/* it had a row */

	/* of an outer side that is read first: */
	Tuplestorestate *rows;
	TupleTableSlot *kept;
	PaKeyFilter *keys;
} Side;

/* --- keys --- */

/* false: it is null, and meets nothing */
static bool
hash_key(Key *key, TupleTableSlot *row, uint32 *hash)
{
	bool		isnull;
	Datum		value;

	ResetExprContext(key->context);
	key->context->ecxt_outertuple = row;
	value = ExecEvalExprSwitchContext(key->value, key->context, &isnull);
	if (!isnull)
		*hash = pa_near_hash(&key->hash, value);
	return !isnull;
}

static bool
may_meet(Side *side, TupleTableSlot *row)
{
	uint32		hash;

	return hash_key(&side->key, row, &hash) && pa_key_filter_may_have(side->outer->keys, hash);
}

static Key
key_of(PlanState *node, ExprState *value, List *expressions)
{
	Oid			type = exprType(linitial(expressions));

	if (list_length(expressions) != 1 || !pa_is_whole_number(type))
		return (Key) {NULL};
	return (Key) {value, node->ps_ExprContext, {type}};
}

/* --- an outer side that is read first --- */

static void
read_first(Side *outer)
{
	MemoryContext caller = MemoryContextSwitchTo(outer->css.ss.ps.state->es_query_cxt);
	TupleTableSlot *row;
	uint32		hash;

	outer->keys = pa_key_filter_create();
	outer->kept = MakeSingleTupleTableSlot(outer->css.ss.ss_ScanTupleSlot->tts_tupleDescriptor, &TTSOpsMinimalTuple);
	outer->rows = tuplestore_begin_heap(false, false, work_mem);
	while (row = ExecProcNode(outerPlanState(&outer->css.ss.ps)), !TupIsNull(row))
	{
		CHECK_FOR_INTERRUPTS();
		tuplestore_puttupleslot(outer->rows, row);
		if (hash_key(&outer->key, row, &hash))
			pa_key_filter_add(outer->keys, hash);
	}
	MemoryContextSwitchTo(caller);
}

/* In a slot of the kind that the join knows. */
static TupleTableSlot *
kept_row(Side *outer)
{
	if (!tuplestore_gettupleslot(outer->rows, true, false, outer->kept))
		return NULL;
	return ExecCopySlot(outer->css.ss.ss_ScanTupleSlot, outer->kept);
}

/* --- rows --- */

static void
begin_side(Side *side)
{
	HashJoinTable table = side->outer ? side->hash->hashtable : NULL;
	MemoryContext caller;

	side->begun = true;
	if (table == NULL || side->key.value == NULL || side->outer->key.value == NULL)
		return;
	caller = MemoryContextSwitchTo(table->hashCxt);
	pa_replace_hashes(side->join, side->hash, pa_hash_near, side->outer->key.hash.type, side->key.hash.type);
	MemoryContextSwitchTo(caller);
}

static TupleTableSlot *
end_side(Side *side)
{
	if (side->ended)
		return NULL;
	side->ended = true;
	if (side->outer)
		side->hash->hashtable->totalTuples += 1;
	return side->made_up && !side->any ? ExecStoreAllNullTuple(side->css.ss.ss_ScanTupleSlot) : NULL;
}

static TupleTableSlot *
next_row(Side *side)
{
	TupleTableSlot *row;

	if (side->rows)
		return kept_row(side);
	do
		row = ExecProcNode(outerPlanState(&side->css.ss.ps));
	while (side->outer && side->outer->rows && !TupIsNull(row) && !may_meet(side, row));
	return row;
}

static TupleTableSlot *
side_next(PlanState *plan)
{
	Side	   *side = (Side *) plan;
	TupleTableSlot *row;

	if (!side->begun)
		begin_side(side);
	row = side->ended ? NULL : next_row(side);
	if (TupIsNull(row))
		return end_side(side);
	side->any = true;
	return row;
}

/* An outer side that is read first is so whichever side the join asks first. */
static TupleTableSlot *
side_next_reading_first(PlanState *plan)
{
	Side	   *side = (Side *) plan;
	Side	   *outer = side->outer ? side->outer : side;

	if (outer->rows == NULL)
		read_first(outer);
	return side_next(plan);
}

static void
side_end(CustomScanState *node)
{
	Side	   *side = (Side *) node;

	if (side->rows)
		tuplestore_end(side->rows);
	ExecEndNode(outerPlanState(node));
}

/* --- the nodes --- */

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

/* Stands before the left child of the node. */
static Side *
stand_before(PlanState *node, Key key)
{
	PlanState  *child = outerPlanState(node);
	Side	   *side = palloc0(sizeof(Side));
	PlanState  *state = &side->css.ss.ps;

	side->css.ss.ps.type = T_CustomScanState;
	side->css.methods = &side_methods;
	side->key = key;
	state->plan = plan_over(child);
	state->state = child->state;
	outerPlanState(state) = child;
	side->css.ss.ss_ScanTupleSlot = state->ps_ResultTupleSlot =
		ExecInitExtraTupleSlot(child->state, ExecGetResultType(child), ExecGetResultSlotOps(child, NULL));
	state->ExecProcNode = state->ExecProcNodeReal = side_next;
	outerPlanState(node) = state;
	return side;
}

/*
 * By what the planner expects of both sides, who knows nothing of protected rows.  Inner rows
 * without a partner must not be wanted.
 */
static bool
is_read_first(const HashJoinState *join, const Side *outer, const Side *inner)
{
	const Plan *plan = join->js.ps.plan;

	return outer->key.value && inner->key.value && join->hj_NullOuterTupleSlot == NULL &&
		outerPlan(plan)->plan_rows * MUCH_SMALLER <= innerPlan(plan)->plan_rows;
}

static void
make_whole(HashJoinState *join)
{
	HashState  *hash = castNode(HashState, innerPlanState(join));
	List	   *outer_keys = castNode(HashJoin, join->js.ps.plan)->hashkeys;
	List	   *inner_keys = castNode(Hash, hash->ps.plan)->hashkeys;
	Side	   *outer = stand_before(&join->js.ps, key_of(&join->js.ps, pa_outer_key(join), outer_keys));
	Side	   *inner = stand_before(&hash->ps, key_of(&hash->ps, pa_inner_key(hash), inner_keys));

	inner->outer = outer;
	inner->join = join;
	inner->hash = hash;
	outer->made_up = join->hj_NullInnerTupleSlot != NULL;
	join->hj_OuterNotEmpty = !outer->made_up;
	if (is_read_first(join, outer, inner))
		inner->css.ss.ps.ExecProcNode = outer->css.ss.ps.ExecProcNode = side_next_reading_first;
	else if (!outer->made_up)
		outerPlanState(join) = outerPlanState(&outer->css.ss.ps);	/* rows need not pass it */
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
