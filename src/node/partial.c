/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * partial.c
 *		The plan node below the Gather of a parallel release.
 *
 * It runs in the leader and in each worker, reads its share of the rows and then
 * yields chunks.  What the release decided (which policy, how many groups per
 * owner) reaches the workers through the node's shared memory, so that all
 * processes read alike.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "storage/shm_toc.h"
#include "utils/memutils.h"

#include "bound/chunk.h"
#include "node/closed_world.h"
#include "node/leaf.h"
#include "node/partial.h"
#include "node/seeded_groups.h"
#include "node/whole_joins.h"
#include "price/form/form.h"
#include "price/release.h"
#include "price/unit/unit.h"
#include "quiet/delay.h"
#include "quiet/quiet.h"
#include "errors.h"
#include "lookup/lookup.h"

typedef struct PartialState
{
	CustomScanState css;		/* must be first */
	PaLeafSpec *spec;
	PaReading	reading;
	PaReader   *leader;			/* in the leader: where its share goes at once */
	PaChunkWriter writer;		/* in a worker */
	MemoryContext context;
	bool		read;			/* the rows are read; chunks are being sent */
} PartialState;

static PlanState *
rows_of(const PartialState *state)
{
	return linitial(state->css.custom_ps);
}

/* Those that the release was prepared by. */
static const PaPolicy **
policies_of(const PaLeafSpec *spec)
{
	const PaPolicy **policies = palloc(sizeof(PaPolicy *) * spec->ntables);

	for (int i = 0; i < spec->ntables; i++)
	{
		policies[i] = pa_policy_of(spec->tables[i].relation);
		if (policies[i] == NULL || policies[i]->policy_id != spec->tables[i].policy_id)
			ereport(ERROR,
					errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("the policy changed while a release was under way"),
					errhint("Ask again."));
	}
	return policies;
}

/* A worker's own groups and owners, to be sent when all is read. */
static void
read_for_sending(PartialState *state)
{
	CustomScan *plan = (CustomScan *) state->css.ss.ps.plan;
	const PaPolicy **policies = policies_of(state->spec);
	PaAggregateArguments *arguments;
	PaStatistics *set;
	MemoryContext caller = MemoryContextSwitchTo(state->context);

	pa_lookup_fill(rows_of(state));
	arguments = pa_release_arguments(state->spec, pa_leaf_arguments(plan), state->css.ss.ps.ps_ExprContext);
	set = pa_statistics_build(state->spec, arguments, pa_unit_of(policies[0]), state->reading.select_groups,
							  state->reading.max_rows, state->reading.one_row_per_owner);
	state->writer.reader = pa_reader_create(&state->css.ss.ps, ExecGetResultType(rows_of(state)), state->spec, set,
											policies, &state->reading, state->context);
	state->writer.process = ParallelWorkerNumber;
	pa_reader_run((PaReader *) state->writer.reader, rows_of(state));
	if (state->writer.reader->cells)
		pa_sorted_cells_sort(state->writer.reader->cells);
	if (state->writer.reader->values)
		pa_sorted_values_sort(state->writer.reader->values);
	MemoryContextSwitchTo(caller);
}

static void
read_share(PartialState *state)
{
	if (state->leader)
		pa_reader_run(state->leader, rows_of(state));
	else
		read_for_sending(state);
	state->read = true;
}

static TupleTableSlot *
next_chunk(ScanState *scan)
{
	PartialState *state = (PartialState *) scan;
	TupleTableSlot *slot = scan->ss_ScanTupleSlot;
	MemoryContext caller;
	bytea	   *chunk;

	if (!state->read)
		read_share(state);
	ExecClearTuple(slot);
	if (state->leader)
		return slot;			/* nothing to send */
	caller = MemoryContextSwitchTo(scan->ps.ps_ExprContext->ecxt_per_tuple_memory);
	chunk = pa_chunk_write(&state->writer);
	MemoryContextSwitchTo(caller);
	if (chunk == NULL)
		return slot;
	slot->tts_values[0] = PointerGetDatum(chunk);
	slot->tts_isnull[0] = false;
	return ExecStoreVirtualTuple(slot);
}

static bool
recheck_chunk(ScanState *scan, TupleTableSlot *slot)
{
	return true;
}

typedef struct Fetch
{
	CustomScanState *node;
	TupleTableSlot *slot;
} Fetch;

static void
fetch_chunk(void *argument)
{
	Fetch	   *fetch = argument;

	fetch->slot = ExecScan(&fetch->node->ss, next_chunk, recheck_chunk);
}

/* The leader is silent already; what a worker says must not reach it when it is no more. */
static TupleTableSlot *
partial_exec(CustomScanState *node)
{
	Fetch		fetch = {node};

	if (IsParallelWorker())
		pa_quietly(fetch_chunk, &fetch);
	else
		fetch_chunk(&fetch);
	return fetch.slot;
}

static void
partial_begin(CustomScanState *node, EState *estate, int eflags)
{
	PartialState *state = (PartialState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;

	state->spec = pa_leaf_spec(plan, NULL);
	state->context = AllocSetContextCreate(estate->es_query_cxt, "privacct partial release", ALLOCSET_DEFAULT_SIZES);
	if (IsParallelWorker())
	{
		pa_hide_waits();
		pa_resolve_again(state->spec, linitial(plan->custom_plans), estate);
	}
	pa_custom_begin_children(node, estate, eflags);
	if (IsParallelWorker())
	{
		pa_make_joins_whole(rows_of(state));
		pa_seed_groups(rows_of(state));
	}
}

/* The rows of keys come after the rest. */
static Size
partial_estimate(CustomScanState *node, ParallelContext *pcxt)
{
	const PaKeyRows *rows = ((PartialState *) node)->reading.key_rows;

	return MAXALIGN(sizeof(PaReading)) + (rows ? pa_key_rows_size(rows) : 0);
}

static void
partial_share(CustomScanState *node, ParallelContext *pcxt, void *shared)
{
	const PaReading *reading = &((PartialState *) node)->reading;

	*(PaReading *) shared = *reading;
	if (reading->key_rows)
		pa_key_rows_write(reading->key_rows, (char *) shared + MAXALIGN(sizeof(PaReading)));
}

static void
partial_attach(CustomScanState *node, shm_toc *toc, void *shared)
{
	PartialState *state = (PartialState *) node;
	MemoryContext caller = MemoryContextSwitchTo(state->context);

	state->reading = *(PaReading *) shared;
	if (state->reading.key_rows)
		state->reading.key_rows = pa_key_rows_read(state->spec, (char *) shared + MAXALIGN(sizeof(PaReading)));
	MemoryContextSwitchTo(caller);
}

const PaCustomNode pa_partial_node = PA_CUSTOM_NODE("privacct partial release", PartialState, pa_leaf_plan_path,
													.BeginCustomScan = partial_begin,
													.ExecCustomScan = partial_exec,
													.EndCustomScan = pa_custom_end_children,
													.ReScanCustomScan = pa_custom_refuse_rescan,
													.EstimateDSMCustomScan = partial_estimate,
													.InitializeDSMCustomScan = partial_share,
													.InitializeWorkerCustomScan = partial_attach);

/* --- the leader's side --- */

static PartialState *
partial_below(PlanState *gather)
{
	PlanState  *partial = IsA(gather, GatherState) ? outerPlanState(gather) : NULL;

	if (partial == NULL || !pa_is_custom_state(partial, &pa_partial_node))
		elog(ERROR, "a parallel release has an unexpected plan");
	return (PartialState *) partial;
}

TupleDesc
pa_partial_rows(PlanState *gather)
{
	return ExecGetResultType(rows_of(partial_below(gather)));
}

void
pa_partial_gather(PlanState *gather, const PaReading *reading, PaReader *reader)
{
	MemoryContext caller = MemoryContextSwitchTo(reader->context);
	PaChunkReader chunks = {.reader = reader,.nprocesses = castNode(Gather, gather->plan)->num_workers};
	TupleTableSlot *slot;

	partial_below(gather)->reading = *reading;
	partial_below(gather)->leader = reader;
	chunks.row = MakeSingleTupleTableSlot(pa_partial_rows(gather), &TTSOpsMinimalTuple);
	chunks.numbers = palloc0(sizeof(int *) * chunks.nprocesses);
	chunks.counts = palloc0(sizeof(int) * chunks.nprocesses);
	for (;;)
	{
		MemoryContextSwitchTo(gather->state->es_query_cxt);
		slot = ExecProcNode(gather);
		MemoryContextSwitchTo(reader->context);
		if (TupIsNull(slot))
			break;
		slot_getallattrs(slot);
		pa_chunk_read(&chunks, DatumGetByteaPP(slot->tts_values[0]));
	}
	ExecDropSingleTupleTableSlot(chunks.row);
	MemoryContextSwitchTo(caller);
}
