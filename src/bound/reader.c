/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reader.c
 *		From rows to groups and owners.  Runs in the backend, and in each parallel
 *		worker of a release on its share of the rows.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "bound/distinct.h"
#include "bound/gate.h"
#include "bound/order.h"
#include "bound/reader.h"
#include "bound/ring.h"
#include "lookup/scan_filter.h"
#include "short_value.h"
#include "size_limits.h"

PaReader *
pa_reader_create(PlanState *node, TupleDesc rows, const PaLeafSpec *spec, PaStatistics *set,
				 const PaPolicy *const *policies, const PaReading *reading, MemoryContext context)
{
	const PaPolicy *policy = policies[0];
	PaReader   *reader = MemoryContextAllocZero(context, sizeof(PaReader));

	reader->spec = spec;
	reader->set = set;
	reader->context = context;
	reader->sample = reading->sample;
	reader->gate = reading->gate;
	reader->owner_type = TupleDescAttr(rows, spec->owner_input)->atttypid;
	reader->terms = MemoryContextAllocZero(context, sizeof(int64) * (set->naccumulators + 1));
	reader->kept = MemoryContextAlloc(context, pa_order_packed_size(set->nstatistics + 1));
	reader->room.context = context;
	reader->groups = pa_groups_create(node, rows, spec, set, policy->secret, context);
	if (reading->declared_groups)
		pa_groups_add_public(reader->groups, policies, reading->key_rows);
	if (pa_has_orders(set))
		reader->cells = pa_sorted_cells_create();
	if (pa_has_distinct(set))
		reader->values = pa_sorted_values_create();
	reader->secret = policy->secret;
	if (!set->one_row)
	{
		reader->of_owners = AllocSetContextCreate(context, "privacct owners", ALLOCSET_DEFAULT_SIZES);
		reader->owners = pa_owners_create(reader->owner_type, reading->max_groups, set,
										  policy->secret, reader->of_owners);
	}
	return reader;
}

/*
 * Rows are taken in batches: all owners of a batch are fetched into cache before
 * the first of them is touched.
 */
#define BATCH_ROWS 64

typedef struct BatchRow
{
	PaOwner		owner;
	int			group;
} BatchRow;

typedef struct Batch
{
	int			nrows;
	BatchRow	rows[BATCH_ROWS];
	PaValue    *inputs;			/* set->ninputs for each row */
} Batch;

static inline PaValue *
inputs_of(const PaReader *reader, const Batch *batch, int row)
{
	return batch->inputs + row * reader->set->ninputs;
}

static void
spill_row(PaReader *reader, const BatchRow *row, const PaValue *inputs)
{
	PaPacked	packed = {reader->terms, reader->kept};

	pa_statistics_clear(reader->set, reader->terms);
	pa_statistics_add_row(reader->set, inputs, reader->terms, &reader->room);
	pa_orders_pack(reader->set, reader->terms, reader->kept);
	pa_owners_spill(reader->owners, &row->owner, row->group, &packed);
}

/* NULL: the row does not count in its group. */
static void
add_row(PaReader *reader, const BatchRow *row, const PaValue *inputs, int64 *accumulators, bool full)
{
	if (full)
		spill_row(reader, row, inputs);
	else if (accumulators)
		pa_statistics_add_row(reader->set, inputs, accumulators, pa_owners_room(reader->owners));
	else
		return;
	if (reader->values)
		pa_distinct_take_row(reader->set, inputs, row->group, &row->owner, reader->values);
}

static void
flush_batch(PaReader *reader, Batch *batch)
{
	for (int i = 0; i < batch->nrows; i++)
		pa_owners_fetch_groups(reader->owners, &batch->rows[i].owner);
	for (int i = 0; i < batch->nrows; i++)
	{
		const BatchRow *row = &batch->rows[i];
		bool		full;
		int64	   *accumulators = pa_owners_accumulators(reader->owners, &row->owner, row->group,
														  pa_groups_get(reader->groups, row->group)->hash, &full);

		add_row(reader, row, inputs_of(reader, batch, i), accumulators, full);
	}
	batch->nrows = 0;
}

/* Adds one row of the child to the batch, or at once to its group. */
static void
take_row(PaReader *reader, Batch *batch, TupleTableSlot *slot)
{
	int			owner = reader->spec->owner_input;
	BatchRow   *row = &batch->rows[batch->nrows];

	slot_getallattrs(slot);
	if (slot->tts_isnull[owner])
		return;					/* an outer join's row of nobody */
	if (!pa_owner_is_short(reader->owner_type, slot->tts_values[owner]))
		return;
	if (!pa_sample_has(&reader->sample, reader->owner_type, slot->tts_values[owner]))
		return;
	if (reader->gate && !pa_owner_gate->admits(reader->gate, slot->tts_values[owner]))
		return;
	row->group = pa_groups_find(reader->groups, slot);
	if (row->group < 0)
		return;
	pa_statistics_read_row(reader->set, reader->secret, slot->tts_values, slot->tts_isnull, inputs_of(reader, batch, batch->nrows));
	if (reader->owners == NULL)
	{
		pa_statistics_add_row(reader->set, inputs_of(reader, batch, 0), pa_groups_get(reader->groups, row->group)->direct, NULL);
		if (reader->cells)
			pa_orders_take_row(reader->set, inputs_of(reader, batch, 0), row->group, reader->cells);
		if (reader->values)
			pa_distinct_take_owner(reader->set, inputs_of(reader, batch, 0), row->group, reader->values);
		return;
	}
	__builtin_prefetch(pa_groups_get(reader->groups, row->group));
	row->owner = pa_owner_of(reader->owners, slot->tts_values[owner]);
	pa_owners_fetch_entry(reader->owners, &row->owner);
	if (++batch->nrows == BATCH_ROWS)
		flush_batch(reader, batch);
}

/*
 * Reads the child to its end.  The child runs in the query's memory context,
 * where Gather keeps what it needs at shutdown; a row is worked on in a context
 * that is emptied after it.
 */
void
pa_reader_run(PaReader *reader, PlanState *rows)
{
	MemoryContext row_context = AllocSetContextCreate(reader->context, "privacct input row", ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(rows->state->es_query_cxt);
	Batch	   *batch = MemoryContextAllocZero(reader->context, sizeof(Batch));
	BufferAccessStrategy ring = pa_ring_begin(rows);
	TupleTableSlot *row;

	batch->inputs = MemoryContextAllocZero(reader->context, sizeof(PaValue) * (reader->set->ninputs + 1) * BATCH_ROWS);
	pa_filter_pages(rows);
	while (row = ExecProcNode(rows), !TupIsNull(row))
	{
		MemoryContext query_context = MemoryContextSwitchTo(row_context);

		CHECK_FOR_INTERRUPTS();
		take_row(reader, batch, row);
		MemoryContextReset(row_context);
		MemoryContextSwitchTo(query_context);
	}
	pa_ring_end(rows, ring);
	MemoryContextSwitchTo(caller);
	flush_batch(reader, batch);
}

/* Without owners each row is a whole owner: with M = 1 its contribution is what it adds. */
static void
total_rows(PaReader *reader)
{
	PaGroupTable *groups = reader->groups;

	for (int number = 0; number < pa_groups_count(groups); number++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < reader->set->nsummed; i++)
			pa_groups_get(groups, number)->totals[i] = pa_groups_get(groups, number)->direct[i];
	}
}

static void
total_owners(PaReader *reader)
{
	do
		pa_owners_contribute(reader->owners, reader->groups, reader->cells, reader->values);
	while (pa_owners_refill(reader->owners, reader->groups));
	MemoryContextDelete(reader->of_owners);
	reader->owners = NULL;
}

void
pa_reader_total(PaReader *reader)
{
	if (reader->owners)
		total_owners(reader);
	else
		total_rows(reader);
	if (reader->values)
		pa_distinct_total(reader->set, reader->values, reader->groups);
}
