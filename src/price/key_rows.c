/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_rows.c
 *		See key_rows.h.
 *
 * The query is made by the guard (guard/key_query.c), and is planned here: how many
 * groups there are belongs to the price, also where nothing is executed.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "executor/tstoreReceiver.h"
#include "miscadmin.h"
#include "tcop/tcopprot.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/tuplestore.h"

#include "compat/executor.h"
#include "bound/canonical_key.h"
#include "bound/group_table.h"
#include "catalog/definition.h"
#include "price/key_rows.h"
#include "settings.h"

static bool
all_are_listed(const PaLeafSpec *spec, const PaPolicy *const *policies)
{
	for (int i = 0; i < spec->nkeys; i++)
		if (spec->keys[i].listed < 0 && pa_groups_keys_of(&spec->keys[i], policies) == NULL)
			return false;
	return true;
}

/* Runs the query into a tuplestore; the shape of its rows. */
static TupleDesc
run(const PaLeafSpec *spec, ParamListInfo params, Snapshot snapshot, Tuplestorestate *store)
{
	const char *text = spec->source ? spec->source : "";
	DestReceiver *receiver = CreateDestReceiver(DestTuplestore);
	PlannedStmt *plan;
	QueryDesc  *desc;
	TupleDesc	shape;

	SetTuplestoreDestReceiverParams(receiver, store, CurrentMemoryContext, true, NULL, NULL);
	PushActiveSnapshot(snapshot);
	plan = pg_plan_query(stringToNode(spec->key_query), text, 0, params);
	pa_require_older_definitions(plan->relationOids, snapshot);
	desc = CreateQueryDesc(plan, text, snapshot, InvalidSnapshot, receiver, params, NULL, 0);
	ExecutorStart(desc, 0);
	shape = CreateTupleDescCopy(desc->tupDesc);
	pa_run_whole(desc);
	ExecutorFinish(desc);
	ExecutorEnd(desc);
	FreeQueryDesc(desc);
	PopActiveSnapshot();
	receiver->rDestroy(receiver);
	return shape;
}

static void
add_row(PaKeyRows *rows, const PaLeafSpec *spec, TupleTableSlot *slot)
{
	Datum		values[PA_MAX_KEYS];

	slot_getallattrs(slot);
	for (int i = 0; i < spec->nkeys; i++)
	{
		int			column = spec->keys[i].listed;

		if (column >= 0)
			values[column] = slot->tts_isnull[column] ? (Datum) 0 :
				pa_canonical_key(spec->keys[i].type, slot->tts_values[column]);
	}
	pa_key_rows_add(rows, values, slot->tts_isnull);
}

void
pa_require_group_memory(double bytes)
{
	if (bytes > (double) pa_group_memory * 1024)
		ereport(ERROR,
				errcode(ERRCODE_OUT_OF_MEMORY),
				errmsg("the groups of the query take too much memory"),
				errdetail("They could take more than %d kB; the block was not charged.", pa_group_memory),
				errhint("Group by fewer columns, ask for fewer aggregates at once, or have privacct.group_memory raised."));
}

static void
take_rows(PaKeyRows *rows, const PaLeafSpec *spec, TupleDesc shape, Tuplestorestate *store)
{
	MemoryContext work = AllocSetContextCreate(CurrentMemoryContext, "privacct keys", ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(work);
	TupleTableSlot *slot = MakeSingleTupleTableSlot(shape, &TTSOpsMinimalTuple);
	MemoryContext row = AllocSetContextCreate(work, "privacct key", ALLOCSET_SMALL_SIZES);

	while (tuplestore_gettupleslot(store, true, false, slot))
	{
		CHECK_FOR_INTERRUPTS();
		MemoryContextSwitchTo(row);
		add_row(rows, spec, slot);
		pa_require_group_memory(pa_key_rows_size(rows));
		MemoryContextReset(row);
		MemoryContextSwitchTo(work);
	}
	ExecDropSingleTupleTableSlot(slot);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(work);
}

const PaKeyRows *
pa_release_key_rows(const PaLeafSpec *spec, const PaPolicy *const *policies, ExprContext *context, Snapshot snapshot)
{
	PaKeyRows  *rows;
	Tuplestorestate *store;
	TupleDesc	shape;

	if (spec->key_query == NULL || spec->key_query[0] == '\0' || !all_are_listed(spec, policies))
		return NULL;
	rows = pa_key_rows_create(spec);
	store = tuplestore_begin_heap(false, false, work_mem);
	shape = run(spec, context->ecxt_param_list_info, snapshot, store);
	if (shape->natts != pa_key_rows_width(rows))
		elog(ERROR, "the keys of a leaf are not those that are listed");
	take_rows(rows, spec, shape, store);
	tuplestore_end(store);
	return rows;
}
