/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lookup_exec.c
 *		Executing a lookup; see lookup.h.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/memutils.h"

#include "descend.h"
#include "lookup/lookup.h"
#include "lookup/lookup_plan.h"
#include "lookup/lookup_table.h"
#include "lookup/scan_filter.h"
#include "lookup/seeded_hash.h"

typedef struct LookupState
{
	CustomScanState css;		/* must be first */
	JoinType	jointype;
	int			nouter;			/* columns of the scan tuple that are of the outer row */
	int			ninner;
	List	   *outer_keys;		/* of ExprState */
	List	   *inner_keys;
	ExprState  *conditions;
	PaLookupTable *table;		/* NULL before it is filled */
	bool		in_row;			/* an outer row is being joined: */
	bool		matched;		/* it has met a partner */
	const PaLookupRow *next;	/* its next partner */
} LookupState;

static PlanState *
outer_of(const LookupState *state)
{
	return linitial(state->css.custom_ps);
}

static PlanState *
inner_of(const LookupState *state)
{
	return lsecond(state->css.custom_ps);
}

/* --- filling --- */

/* Columns of a row in the scan tuple, from the given one on. */
static void
put_columns(LookupState *state, int first, int count, const Datum *values, const bool *nulls)
{
	TupleTableSlot *slot = state->css.ss.ss_ScanTupleSlot;

	memcpy(slot->tts_values + first, values, sizeof(Datum) * count);
	memcpy(slot->tts_isnull + first, nulls, sizeof(bool) * count);
}

static void
put_nulls(LookupState *state, int first, int count)
{
	TupleTableSlot *slot = state->css.ss.ss_ScanTupleSlot;

	memset(slot->tts_values + first, 0, sizeof(Datum) * count);
	memset(slot->tts_isnull + first, true, sizeof(bool) * count);
}

/* The keys of the side that was put last, in a slot of the table. */
static void
compute_key(LookupState *state, List *keys, TupleTableSlot *key)
{
	ExprContext *context = state->css.ss.ps.ps_ExprContext;
	MemoryContext caller = MemoryContextSwitchTo(context->ecxt_per_tuple_memory);
	int			i = 0;
	ListCell   *cell;

	context->ecxt_scantuple = state->css.ss.ss_ScanTupleSlot;
	foreach(cell, keys)
	{
		key->tts_values[i] = ExecEvalExpr((ExprState *) lfirst(cell), context, &key->tts_isnull[i]);
		i++;
	}
	MemoryContextSwitchTo(caller);
}

static void
require_memory(Size used)
{
	if (used / 1024 > (Size) pa_public_memory)
		ereport(ERROR,
				errcode(ERRCODE_OUT_OF_MEMORY),
				errmsg("the public tables that the query joins are too large"),
				errdetail("They take more than %d kB of memory; the block was not charged.", pa_public_memory),
				errhint("Join fewer columns or rows of public tables, or have privacct.public_memory raised."));
}

/* The numbers of each key that is one; NULL: it is not, or rows without a partner are wanted. */
static PaNumberSet **
create_numbers(const LookupState *state)
{
	PaNumberSet **numbers = palloc0(sizeof(PaNumberSet *) * (list_length(state->inner_keys) + 1));
	ListCell   *inner;
	ListCell   *outer;

	if (state->jointype == JOIN_INNER || state->jointype == JOIN_SEMI)
		forboth(inner, state->inner_keys, outer, state->outer_keys)
			if (pa_is_whole_number(exprType((Node *) ((ExprState *) lfirst(inner))->expr)) &&
				pa_is_whole_number(exprType((Node *) ((ExprState *) lfirst(outer))->expr)))
				numbers[foreach_current_index(inner)] = pa_number_set_create();
	return numbers;
}

static void
add_numbers(PaNumberSet **numbers, const TupleTableSlot *key)
{
	for (int i = 0; i < key->tts_tupleDescriptor->natts; i++)
		if (numbers[i] && !key->tts_isnull[i])
			pa_number_set_add(numbers[i], pa_whole_number(TupleDescAttr(key->tts_tupleDescriptor, i)->atttypid, key->tts_values[i]));
}

/* Rows that have no partner need not come so far. */
static void
filter_outer(LookupState *state, PaNumberSet **numbers)
{
	ListCell   *cell;

	foreach(cell, state->outer_keys)
	{
		PaNumberSet *set = numbers[foreach_current_index(cell)];
		PaScannedColumn column = pa_scanned_column(outer_of(state), (Node *) ((ExprState *) lfirst(cell))->expr, INDEX_VAR);

		if (set && column.scan && pa_number_set_is_sparse(set))
			pa_filter_scan_exactly(&column, set);
	}
}

static void
fill(LookupState *state, Size *used)
{
	CustomScan *plan = (CustomScan *) state->css.ss.ps.plan;
	PlanState  *inner = inner_of(state);
	TupleTableSlot *scan = state->css.ss.ss_ScanTupleSlot;
	PaNumberSet **numbers = create_numbers(state);
	TupleTableSlot *row;

	state->table = pa_lookup_table(&state->css.ss.ps, list_nth(plan->custom_private, PA_LOOKUP_OPERATORS),
								   list_nth(plan->custom_private, PA_LOOKUP_COLLATIONS),
								   state->inner_keys, state->outer_keys, ExecGetResultType(inner));
	put_nulls(state, 0, state->nouter);
	while (row = ExecProcNode(inner), !TupIsNull(row))
	{
		CHECK_FOR_INTERRUPTS();
		slot_getallattrs(row);
		put_columns(state, state->nouter, state->ninner, row->tts_values, row->tts_isnull);
		ExecStoreVirtualTuple(scan);
		if (state->inner_keys != NIL)
		{
			compute_key(state, state->inner_keys, pa_lookup_inner_key(state->table));
			add_numbers(numbers, pa_lookup_inner_key(state->table));
		}
		pa_lookup_add(state->table, row);
		ResetExprContext(state->css.ss.ps.ps_ExprContext);
		ExecClearTuple(scan);
		require_memory(*used + pa_lookup_memory(state->table));
	}
	*used += pa_lookup_memory(state->table);
	filter_outer(state, numbers);
}

static bool
is_lookup(const PlanState *plan)
{
	return pa_is_custom_state(plan, &pa_lookup_node);
}

PlanState *
pa_lookup_outer(PlanState *plan)
{
	return is_lookup(plan) ? outer_of((LookupState *) plan) : NULL;
}

static bool
fill_walker(PlanState *plan, void *used)
{
	MemoryContext caller;

	pa_descend();
	(void) planstate_tree_walker(plan, fill_walker, used);
	if (!is_lookup(plan))
		return false;
	caller = MemoryContextSwitchTo(plan->state->es_query_cxt);
	fill((LookupState *) plan, used);
	MemoryContextSwitchTo(caller);
	return false;
}

void
pa_lookup_fill(PlanState *plan)
{
	Size		used = 0;

	(void) fill_walker(plan, &used);
}

static bool fanout_walker(PlanState *plan, void *fanout);

/* A row comes from one of the inputs. */
static double
largest_fanout(const AppendState *append)
{
	double		largest = 1;

	for (int i = 0; i < append->as_nplans; i++)
	{
		double		fanout = 1;

		(void) fanout_walker(append->appendplans[i], &fanout);
		largest = Max(largest, fanout);
	}
	return largest;
}

static bool
fanout_walker(PlanState *plan, void *fanout)
{
	pa_descend();
	if (IsA(plan, AppendState))
	{
		*(double *) fanout *= largest_fanout((AppendState *) plan);
		return false;
	}
	if (is_lookup(plan))
		*(double *) fanout *= Max(pa_lookup_most(((LookupState *) plan)->table), 1);
	return planstate_tree_walker(plan, fanout_walker, fanout);
}

double
pa_lookup_fanout(PlanState *plan)
{
	double		fanout = 1;

	(void) fanout_walker(plan, &fanout);
	return fanout;
}

/* --- joining --- */

/* Starts on the next outer row; false at the end. */
static bool
next_outer(LookupState *state)
{
	TupleTableSlot *row = ExecProcNode(outer_of(state));

	if (TupIsNull(row))
		return false;
	slot_getallattrs(row);
	put_columns(state, 0, state->nouter, row->tts_values, row->tts_isnull);
	put_nulls(state, state->nouter, state->ninner);
	ExecStoreVirtualTuple(ExecClearTuple(state->css.ss.ss_ScanTupleSlot));
	if (state->outer_keys != NIL)
		compute_key(state, state->outer_keys, pa_lookup_outer_key(state->table));
	state->next = pa_lookup_find(state->table);
	state->in_row = true;
	state->matched = false;
	return true;
}

/* Puts the next partner that meets the conditions; false if there is none left. */
static bool
next_partner(LookupState *state)
{
	ExprContext *context = state->css.ss.ps.ps_ExprContext;

	while (state->next)
	{
		put_columns(state, state->nouter, state->ninner, state->next->values, state->next->nulls);
		state->next = state->next->next;
		if (ExecQual(state->conditions, context))
		{
			state->matched = true;
			return true;
		}
	}
	return false;
}

/* Makes the scan tuple the next joined row; false at the end. */
static bool
next_joined(LookupState *state)
{
	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		ResetExprContext(state->css.ss.ps.ps_ExprContext);
		if (!state->in_row && !next_outer(state))
			return false;
		if (next_partner(state))
		{
			if (state->jointype == JOIN_SEMI || state->jointype == JOIN_ANTI)
				state->in_row = false;
			if (state->jointype != JOIN_ANTI)
				return true;
			continue;
		}
		state->in_row = false;
		if (!state->matched && (state->jointype == JOIN_LEFT || state->jointype == JOIN_ANTI))
		{
			put_nulls(state, state->nouter, state->ninner);
			return true;
		}
	}
}

static TupleTableSlot *
lookup_exec(CustomScanState *node)
{
	LookupState *state = (LookupState *) node;
	ExprContext *context = node->ss.ps.ps_ExprContext;

	if (state->table == NULL)
		elog(ERROR, "a lookup is read before it was filled");
	context->ecxt_scantuple = node->ss.ss_ScanTupleSlot;
	while (next_joined(state))
	{
		if (!ExecQual(node->ss.ps.qual, context))
			continue;
		if (node->ss.ps.ps_ProjInfo)
			return ExecProject(node->ss.ps.ps_ProjInfo);
		return node->ss.ss_ScanTupleSlot;
	}
	return NULL;
}

/* --- the node --- */

static List *
init_list(List *expressions, PlanState *parent)
{
	List	   *states = NIL;
	ListCell   *cell;

	foreach(cell, expressions)
		states = lappend(states, ExecInitExpr(lfirst(cell), parent));
	return states;
}

static void
lookup_begin(CustomScanState *node, EState *estate, int eflags)
{
	LookupState *state = (LookupState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;

	pa_custom_begin_children(node, estate, eflags);
	state->jointype = (JoinType) intVal(list_nth(plan->custom_private, PA_LOOKUP_JOINTYPE));
	state->nouter = intVal(list_nth(plan->custom_private, PA_LOOKUP_OUTER_COLUMNS));
	state->ninner = list_length(plan->custom_scan_tlist) - state->nouter;
	state->outer_keys = init_list(list_nth(plan->custom_exprs, PA_LOOKUP_OUTER_KEYS), &node->ss.ps);
	state->inner_keys = init_list(list_nth(plan->custom_exprs, PA_LOOKUP_INNER_KEYS), &node->ss.ps);
	state->conditions = ExecInitQual(list_nth(plan->custom_exprs, PA_LOOKUP_CONDITIONS), &node->ss.ps);
}

const PaCustomNode pa_lookup_node = PA_CUSTOM_NODE("privacct lookup", LookupState, pa_lookup_plan,
												   .BeginCustomScan = lookup_begin,
												   .ExecCustomScan = lookup_exec,
												   .EndCustomScan = pa_custom_end_children,
												   .ReScanCustomScan = pa_custom_refuse_rescan);
