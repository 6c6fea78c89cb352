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
 * The node at the inner side puts our own hash functions into the table, which has just been made: they have a secret.
 * Where the key is a whole number, these nodes make the join faster: by a hash function that is, and if the outer side is expected to
 * be much smaller, its rows are read first, and kept: of the inner side only those are hashed that may meet one.
 * Else, if the inner side is not all of a table, only those rows of the outer side are joined that may meet one
 * of it.  Where rows of this number are of one owner, whatever else they are joined by, they are left out by the
 * scan (lookup/scan_filter.h); of several keys this is the one that counts.
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
#include "lookup/scan_filter.h"
#include "lookup/seeded_hash.h"
#include "node/owned_joins.h"
#include "node/whole_joins.h"

#define MUCH_SMALLER 4

/* The key by which a side is hashed, if it is a whole number: equal ones are the same (node/closed_world.c). */
typedef struct Key
{
	const Node *expression;		/* over the rows of the side; NULL: it is not */
	ExprState  *value;
	ExprContext *context;
	Oid			type;
	bool		alone;			/* there are no others */
	bool		of_owners;		/* rows of the two sides that have the same are of one owner */
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
	PaKeyFilter *keys;			/* of its rows, if the other side asks them */
	const PaKeyFilter *asked;	/* keys of the other side that its rows are asked for here */

	/* of an outer side that is read first: */
	bool		read_first;
	Tuplestorestate *rows;
	TupleTableSlot *kept;
} Side;

/* --- keys --- */

/* false: it is null, and meets nothing */
static bool
key_of_row(Key *key, TupleTableSlot *row, int64 *number)
{
	bool		isnull;
	Datum		value;

	ResetExprContext(key->context);
	key->context->ecxt_outertuple = row;
	value = ExecEvalExprSwitchContext(key->value, key->context, &isnull);
	if (!isnull)
		*number = pa_whole_number(key->type, value);
	return !isnull;
}

static bool
may_meet(Side *side, TupleTableSlot *row)
{
	int64		number;

	return key_of_row(&side->key, row, &number) && pa_key_filter_may_have(side->asked, number);
}

static void
remember_key(Side *side, TupleTableSlot *row)
{
	int64		number;

	if (key_of_row(&side->key, row, &number))
		pa_key_filter_add(side->keys, number);
}

static Key
key_of(PlanState *node, ExprState *value, List *expressions, int number, bool of_owners)
{
	const Node *expression = list_nth(expressions, number);
	Oid			type = exprType(expression);

	if (!pa_is_whole_number(type))
		return (Key) {NULL};
	return (Key) {expression, value, node->ps_ExprContext, type, list_length(expressions) == 1, of_owners};
}

/* --- an outer side that is read first --- */

static void
read_first(Side *outer)
{
	MemoryContext caller = MemoryContextSwitchTo(outer->css.ss.ps.state->es_query_cxt);
	TupleTableSlot *row;

	outer->kept = MakeSingleTupleTableSlot(outer->css.ss.ss_ScanTupleSlot->tts_tupleDescriptor, &TTSOpsMinimalTuple);
	outer->rows = tuplestore_begin_heap(false, false, work_mem);
	while (row = ExecProcNode(outerPlanState(&outer->css.ss.ps)), !TupIsNull(row))
	{
		CHECK_FOR_INTERRUPTS();
		tuplestore_puttupleslot(outer->rows, row);
		remember_key(outer, row);
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
hash_near(FmgrInfo *function, int place, Oid type)
{
	pa_hash_near(function, type);
}

static void
begin_side(Side *side)
{
	HashJoinTable table = side->outer ? side->hash->hashtable : NULL;
	MemoryContext caller;

	side->begun = true;
	if (table == NULL)
		return;
	caller = MemoryContextSwitchTo(table->hashCxt);
	pa_replace_hashes(side->join, side->hash, side->key.alone && side->outer->key.alone ? hash_near : pa_seed_hash);
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
	while (side->asked && !TupIsNull(row) && !may_meet(side, row));
	if (side->keys && !TupIsNull(row))
		remember_key(side, row);
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

/* Such as follow from one another: of several keys, one of owners. */
static bool
have_keys(const Side *outer, const Side *inner)
{
	return outer->key.value && inner->key.value && (outer->key.alone || outer->key.of_owners);
}

/*
 * By what the planner expects of both sides, who knows nothing of protected rows.  Inner rows
 * without a partner must not be wanted.
 */
static bool
is_read_first(const HashJoinState *join, const Side *outer, const Side *inner)
{
	const Plan *plan = join->js.ps.plan;

	return have_keys(outer, inner) && join->hj_NullOuterTupleSlot == NULL &&
		outerPlan(plan)->plan_rows * MUCH_SMALLER <= innerPlan(plan)->plan_rows;
}

/* --- which rows are asked for --- */

static bool
leaves_out(PlanState *plan, void *nothing)
{
	pa_descend();
	return plan->qual || pa_lookup_outer(plan) || planstate_tree_walker(plan, leaves_out, nothing);
}

/* Of an outer side whose rows are dropped if they meet nothing, while not all of a table is on the inner one. */
static bool
is_worth_asking(Side *outer, Side *inner)
{
	return have_keys(outer, inner) && outer->key.of_owners && !outer->made_up && leaves_out(outerPlanState(&inner->css.ss.ps), NULL);
}

/* Nowhere, if rows of other owners may have the same number there. */
static PaScannedColumn
scanned_key(Side *side)
{
	if (!side->key.of_owners)
		return (PaScannedColumn) {NULL};
	return pa_scanned_column(&side->css.ss.ps, side->key.expression, OUTER_VAR);
}

/* The inner rows are asked for the keys of outer ones. */
static void
ask_inner(Side *outer, Side *inner)
{
	PaScannedColumn column = scanned_key(inner);

	outer->keys = pa_key_filter_create();
	if (column.scan)
		pa_filter_scan(&column, outer->keys);
	else
		inner->asked = outer->keys;
}

/* The outer rows are asked for the keys of inner ones, where that spares more than it takes: by their scan. */
static void
ask_outer(Side *outer, Side *inner)
{
	PaScannedColumn column = scanned_key(outer);

	if (column.scan == NULL)
		return;
	inner->keys = pa_key_filter_create();
	pa_filter_scan(&column, inner->keys);
}

static void
ask_for_keys(HashJoinState *join, Side *outer, Side *inner)
{
	MemoryContext caller = MemoryContextSwitchTo(join->js.ps.state->es_query_cxt);

	outer->read_first = is_read_first(join, outer, inner);
	if (outer->read_first)
		ask_inner(outer, inner);
	else if (is_worth_asking(outer, inner))
		ask_outer(outer, inner);
	MemoryContextSwitchTo(caller);
}

static void
make_whole(HashJoinState *join)
{
	HashState  *hash = castNode(HashState, innerPlanState(join));
	const HashJoin *plan = castNode(HashJoin, join->js.ps.plan);
	int			of_owners = pa_key_of_owners(plan, join->js.ps.state);
	int			key = Max(of_owners, 0);
	Side	   *outer = stand_before(&join->js.ps, key_of(&join->js.ps, pa_outer_key(join, key), plan->hashkeys, key, of_owners >= 0));
	Side	   *inner = stand_before(&hash->ps, key_of(&hash->ps, pa_inner_key(hash, key), castNode(Hash, hash->ps.plan)->hashkeys, key, of_owners >= 0));

	inner->outer = outer;
	inner->join = join;
	inner->hash = hash;
	outer->made_up = join->hj_NullInnerTupleSlot != NULL;
	join->hj_OuterNotEmpty = !outer->made_up;
	ask_for_keys(join, outer, inner);
	if (outer->read_first)
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
