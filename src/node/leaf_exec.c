/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf_exec.c
 *		Executing a leaf: what is done around what its kind does.
 *
 * Nothing of the protected table is read before the charge is durable.  The
 * released rows stay in a tuplestore: a rescan, a cursor that goes back or a
 * suspended portal reads them again and never draws new noise.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "catalog/definition.h"
#include "ledger/ledger.h"
#include "node/child.h"
#include "node/closed_world.h"
#include "node/inputs.h"
#include "node/intervals.h"
#include "node/leaf.h"
#include "node/own_types.h"
#include "node/progress.h"
#include "quiet/quiet.h"
#include "quiet/silence.h"
#include "quiet/traces.h"

static CustomScan *
plan_of(const PaLeafState *state)
{
	return castNode(CustomScan, state->css.ss.ps.plan);
}

static Plan *
child_plan(const PaLeafState *state)
{
	return linitial(plan_of(state)->custom_plans);
}

/* --- at the first fetch --- */

static void
open_child(PaLeafState *state)
{
	pa_traces_begin(pa_close_world(state->spec, child_plan(state), state->css.ss.ps.state));
	state->child = pa_child_open(&state->css.ss.ps, state->eflags, state->spec->fanout, &state->guc_level);
}

/* What the guard and the planner inferred from the catalog is about the rows that will be read. */
static void
require_older_definitions(PaLeafState *state)
{
	EState	   *estate = state->css.ss.ps.state;

	pa_require_older_definitions(pa_world_relations(state->spec, child_plan(state), estate), estate->es_snapshot);
}

/* Runs a step in a context of its own, with parameters that stay. */
static void
run_step(PaLeafState *state, void (*step) (PaLeafState *state, PaDelay *delay), PaDelay *delay)
{
	EState	   *estate = state->css.ss.ps.state;
	ParamListInfo params = estate->es_param_list_info;
	MemoryContext caller;

	state->context = AllocSetContextCreate(estate->es_query_cxt, "privacct release", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(state->context);
	estate->es_param_list_info = pa_freeze_parameters(params);
	step(state, delay);
	estate->es_param_list_info = params;
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(state->context);
	state->context = NULL;
}

static void
price(PaLeafState *state)
{
	/* the plan was made, and a cursor opened, under settings that may have changed */
	pa_require_silence();
	pa_ledger_require_open();
	pa_keep_types(state->css.ss.ps.state->es_plannedstmt);
	pa_leaf_kind(plan_of(state))->prepare(state);
	require_older_definitions(state);
}

/* How long it takes to give back what rows have filled is hidden with the reading, whatever follows. */
static void
release_hidden(PaLeafState *state)
{
	MemoryContext caller = CurrentMemoryContext;

	state->reading = AllocSetContextCreate(state->context, "privacct reading", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(state->reading);
	pa_leaf_kind(plan_of(state))->release(state);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(state->reading);
	state->reading = NULL;
	pa_traces_remove();
}

static void
make_release(PaLeafState *state, PaDelay *delay)
{
	const PaLeafKind *kind = pa_leaf_kind(plan_of(state));
	int			guc_level;

	price(state);
	if (kind->repeat && kind->repeat(state))
		return;
	pa_progress_priced(state->spec);
	guc_level = pa_child_lift_limits();
	open_child(state);
	pa_progress_enter(PA_PHASE_CHARGING);
	kind->charge(state, delay);

	/* paid: from here on protected rows may be read */
	pa_progress_enter(PA_PHASE_RELEASING);
	release_hidden(state);
	AtEOXact_GUC(true, guc_level);
	if (kind->keep)
		kind->keep(state);
}

static void
release_all(void *node, PaDelay *delay)
{
	run_step(node, make_release, delay);
}

/* --- before what it reads is released --- */

static void
check_step(PaLeafState *state, PaDelay *delay)
{
	price(state);
	(void) pa_close_world(state->spec, child_plan(state), state->css.ss.ps.state);
}

static void
check(void *node, PaDelay *delay)
{
	run_step(node, check_step, delay);
}

/*
 * Whatever is refused for what the statement says is refused before one of the releases in
 * it is charged: first the block itself, then what it reads, at any depth.  All of it is
 * looked at again when it is made.
 */
static void
check_with_inputs(PaLeafState *first)
{
	List	   *leaves = list_make1(first);

	for (int i = 0; i < list_length(leaves); i++)
	{
		PaLeafState *state = list_nth(leaves, i);

		if (pa_leaf_kind(plan_of(state)) == NULL || state->checked)
			continue;
		pa_delay_run(check, state);
		state->checked = true;
		leaves = list_concat(leaves, pa_inputs_custom_scans(state->inputs));
	}
	list_free(leaves);
}

void
pa_leaf_silently(PaLeafState *state, void (*step) (void *argument), void *argument)
{
	PG_TRY();
	{
		pa_quietly(step, argument);
	}
	PG_CATCH();
	{
		MemoryContextDelete(state->context);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

void
pa_leaf_begin_reading(PaLeafState *state)
{
	pa_delay_reads();
	pa_resolve_again(state->spec, child_plan(state), state->css.ss.ps.state);
}

void
pa_leaf_end_reading(PaLeafState *state)
{
	pa_child_close(state->child, state->guc_level);
	state->child = NULL;
}

void
pa_leaf_open_store(PaLeafState *state)
{
	MemoryContext caller = MemoryContextSwitchTo(state->css.ss.ps.state->es_query_cxt);

	state->store = tuplestore_begin_heap(false, false, work_mem);
	MemoryContextSwitchTo(caller);
}

/* --- at every fetch --- */

/* In a slot of the same shape, which belongs to the node above. */
static TupleTableSlot *
next_stored(PaLeafState *state, TupleTableSlot *slot)
{
	TupleTableSlot *stored = state->stored;

	ExecClearTuple(slot);
	if (!tuplestore_gettupleslot(state->store, true, false, stored))
		return slot;
	slot_getallattrs(stored);
	memcpy(slot->tts_values, stored->tts_values, sizeof(Datum) * slot->tts_tupleDescriptor->natts);
	memcpy(slot->tts_isnull, stored->tts_isnull, sizeof(bool) * slot->tts_tupleDescriptor->natts);
	return ExecStoreVirtualTuple(slot);
}

static TupleTableSlot *
next_row(ScanState *scan)
{
	PaLeafState *state = (PaLeafState *) scan;

	if (state->store == NULL)
	{
		const PaLeafKind *kind = pa_leaf_kind(plan_of(state));

		if (state->inputs)
			check_with_inputs(state);
		pa_inputs_read(state->inputs);
		pa_intervals_drop();
		pa_progress_begin(state->spec);
		pa_delay_run(release_all, state);
		pa_progress_end();
		pa_intervals_publish();
		if (kind->released)
			kind->released(state);
	}
	return next_stored(state, scan->ss_ScanTupleSlot);
}

static bool
recheck_row(ScanState *scan, TupleTableSlot *slot)
{
	return true;
}

TupleTableSlot *
pa_leaf_exec(CustomScanState *node)
{
	return ExecScan(&node->ss, next_row, recheck_row);
}

/* --- begin, rescan, end --- */

void
pa_leaf_begin(CustomScanState *node, EState *estate, int eflags)
{
	PaLeafState *state = (PaLeafState *) node;

	/* the plan may come from a cache, made under other settings */
	if (!(eflags & EXEC_FLAG_EXPLAIN_ONLY))
		pa_require_silence();
	state->spec = pa_leaf_spec(plan_of(state), estate->es_sourceText);
	state->eflags = eflags & ~(EXEC_FLAG_REWIND | EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK);
	if (!(eflags & EXEC_FLAG_EXPLAIN_ONLY))
		state->inputs = pa_inputs_begin(child_plan(state), estate, state->eflags);
	state->stored = ExecInitExtraTupleSlot(estate, node->ss.ss_ScanTupleSlot->tts_tupleDescriptor,
										   &TTSOpsMinimalTuple);
}

void
pa_leaf_rescan(CustomScanState *node)
{
	PaLeafState *state = (PaLeafState *) node;

	if (state->store)
		tuplestore_rescan(state->store);
	ExecScanReScan(&node->ss);
}

void
pa_leaf_end(CustomScanState *node)
{
	PaLeafState *state = (PaLeafState *) node;

	if (state->store)
		tuplestore_end(state->store);
	pa_inputs_end(state->inputs);
}

/* --- EXPLAIN --- */

/* One table as a text; several as a list, each once. */
static void
explain_tables(const PaLeafSpec *spec, ExplainState *es)
{
	List	   *relations = NIL;
	List	   *names = NIL;
	ListCell   *cell;

	for (int i = 0; i < spec->ntables; i++)
		relations = list_append_unique_oid(relations, spec->tables[i].relation);
	foreach(cell, relations)
		names = lappend(names, get_rel_name(lfirst_oid(cell)));
	if (list_length(names) == 1)
		ExplainPropertyText("Protected Table", linitial(names), es);
	else
		ExplainPropertyList("Protected Tables", names, es);
}

void
pa_leaf_explain(CustomScanState *node, List *ancestors, ExplainState *es)
{
	PaLeafState *state = (PaLeafState *) node;

	explain_tables(state->spec, es);
	pa_leaf_kind(plan_of(state))->explain(state, es);
}

void
pa_leaf_explain_lines(const char *label, List *lines, ExplainState *es)
{
	ListCell   *cell;

	if (es->format != EXPLAIN_FORMAT_TEXT)
		ExplainPropertyList(label, lines, es);
	else
		foreach(cell, lines)
			ExplainPropertyText(label, lfirst(cell), es);
}

void
pa_leaf_explain_time_grid(const PaPolicy *policy, ExplainState *es)
{
	if (policy->time_grid > 0)
		ExplainPropertyFloat("Time Grid", "ms", policy->time_grid / 1000.0, 3, es);
}
