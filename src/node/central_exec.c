/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central_exec.c
 *		Executing a central release: calibrate, charge, read, bound, noise, release.
 *
 * From the first row that is read nothing is said to the client until all is
 * released (quiet.h).
 */
#include "postgres.h"

#include <math.h>

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "bound/canonical_key.h"
#include "bound/gate.h"
#include "bound/group_order.h"
#include "bound/reader.h"
#include "catalog/members.h"
#include "ledger/ledger.h"
#include "node/central.h"
#include "node/central_numbers.h"
#include "node/composed.h"
#include "node/editions.h"
#include "node/intervals.h"
#include "node/partial.h"
#include "node/repeat.h"
#include "price/choice.h"
#include "price/form/estimate.h"
#include "price/form/form.h"
#include "price/levels.h"
#include "price/order.h"
#include "price/unit/unit.h"

typedef struct CentralState
{
	PaLeafState leaf;			/* must be first */

	/* in its context */
	PaRelease  *release;
	const void *gate;			/* who may be in it; NULL: everybody */
	PaRepeatKey key;			/* by which it is kept: */
	bool		repeatable;
	PaAsked    *asked;
	List	   *editions;		/* of which it is */
	PaKeeping  *keeping;		/* NULL: it is not kept */
} CentralState;

/* --- before protected rows are read --- */

static void
prepare(PaLeafState *leaf)
{
	CentralState *state = (CentralState *) leaf;
	CustomScan *plan = castNode(CustomScan, leaf->css.ss.ps.plan);
	Snapshot	snapshot = leaf->css.ss.ps.state->es_snapshot;

	leaf->composing = pa_composing_begin(leaf->spec);
	state->release = pa_release_prepare(leaf->spec, pa_leaf_arguments(plan), leaf->css.ss.ps.ps_ExprContext, GetUserId(), snapshot);
	if (!pa_release_is_free(state->release))
		state->release->unit->require(state->release, snapshot);
}

static void
remember_owners(const void *gate)
{
	int64		admitted,
				known;

	if (gate == NULL)
		return;
	pa_owner_gate->owners(gate, &admitted, &known);
	pa_intervals_owners(admitted, known);
}

static void
require_members(const CentralState *state)
{
	for (int i = 0; i < state->leaf.spec->ntables; i++)
		pa_require_members(state->release->policies[i], state->leaf.css.ss.ps.state->es_plannedstmt);
}

static void
charge(PaLeafState *leaf, PaDelay *delay)
{
	CentralState *state = (CentralState *) leaf;
	const PaRelease *release = state->release;
	int64		charge_id;

	if (pa_release_is_free(release))
		return;
	require_members(state);
	charge_id = pa_release_charge(release);
	pa_delay_owe(delay, release->policy, &release->delay);
	state->gate = release->unit->admit(release, charge_id, leaf->css.ss.ps.state->es_snapshot);
	pa_intervals_begin(charge_id, release->user);
	remember_owners(state->gate);
	if (state->repeatable)
		state->keeping = pa_keep_begin(release, &state->key, state->asked, state->editions, charge_id);
}

/* --- instead --- */

static void
repeat_rows(CentralState *state, PaRepeat *repeat)
{
	const PaLeafSpec *spec = state->leaf.spec;
	PaEstimate *estimates = palloc0(sizeof(PaEstimate) * (spec->naggregates + 1));
	Datum		keys[PA_MAX_KEYS];
	bool		nulls[PA_MAX_KEYS];
	uint32		level;

	bool		remembered = pa_intervals_begin_again(repeat->charge_id, state->release->user);

	pa_leaf_open_store(&state->leaf);
	while (pa_repeat_next(repeat, spec, &level, keys, nulls, estimates))
	{
		CHECK_FOR_INTERRUPTS();
		pa_central_store_row(&state->leaf, level, keys, nulls, estimates, !remembered && state->release->choose == 0);
	}
}

/* Nothing is charged, and no row is read: so nothing has to be hidden. */
static bool
repeat(PaLeafState *leaf)
{
	CentralState *state = (CentralState *) leaf;
	CustomScan *plan = castNode(CustomScan, leaf->css.ss.ps.plan);
	PaRepeat   *found;

	state->keeping = NULL;
	state->repeatable = pa_repeat_key(state->release, pa_leaf_arguments(plan), leaf->css.ss.ps.ps_ExprContext, &state->key);
	if (!state->repeatable)
		return false;
	state->editions = pa_editions_seen(state->release, leaf->css.ss.ps.state->es_snapshot);
	found = pa_repeat_find(state->release, &state->key, state->editions);
	if (found == NULL)
	{
		state->asked = pa_asked(state->release, pa_leaf_arguments(plan), leaf->css.ss.ps.ps_ExprContext);
		return false;
	}
	require_members(state);
	repeat_rows(state, found);
	return true;
}

/* --- reading --- */

static PaReader *
read_all(CentralState *state)
{
	PaLeafState *leaf = &state->leaf;
	const PaRelease *release = state->release;
	PaReading	reading = {
		.max_groups = release->max_groups,
		.max_rows = release->max_rows,
		.one_row_per_owner = release->one_row_per_owner,
		.declared_groups = release->declared_groups,
		.key_rows = release->key_rows,
		.select_groups = release->select_groups,
		.sample = pa_sample_draw(release->statistics->rate),
		.gate = state->gate
	};
	PaReader   *reader;

	reader = pa_reader_create(&leaf->css.ss.ps,
							  leaf->spec->workers > 0 ? pa_partial_rows(leaf->child) : ExecGetResultType(leaf->child),
							  leaf->spec, release->statistics, release->policies, &reading, leaf->reading);
	if (reader->set->nstatistics == 0)
		;						/* declared keys alone: no row matters */
	else if (leaf->spec->workers > 0)
		pa_partial_gather(leaf->child, &reading, reader);
	else
		pa_reader_run(reader, leaf->child);
	pa_reader_total(reader);
	return reader;
}

/* --- releasing --- */

/* Declared keys have the form in which they were declared. */
static void
make_keys_canonical(const PaLeafSpec *spec, Datum *keys, const bool *nulls)
{
	for (int i = 0; i < spec->nkeys; i++)
		if (!nulls[i])
			keys[i] = pa_canonical_key(spec->keys[i].type, keys[i]);
}

/* A row that has been released. */
static void
take_row(void *context, uint32 level, Datum *keys, const bool *nulls, const PaEstimate *estimates, const double *totals)
{
	CentralState *state = context;

	if (!state->release->declared_groups)
		make_keys_canonical(state->leaf.spec, keys, nulls);
	pa_central_store_row(&state->leaf, level, keys, nulls, estimates, state->release->choose == 0 && !pa_release_is_free(state->release));
	if (state->keeping)
		pa_keep_row(state->keeping, state->leaf.spec, level, keys, nulls, estimates, totals);
}

static void
release_groups(CentralState *state, const PaReader *reader)
{
	PaGroupTable *groups = reader->groups;
	const PaRelease *release = state->release;
	const PaLeafSpec *spec = state->leaf.spec;
	int		   *order = pa_groups_order(groups);
	bool		candidates = release->choose > 0 && release->choice == PA_CHOICE_CANDIDATES;
	int		   *scores = release->choose > 0 && !candidates ? pa_choice_draw(release, groups, order) : NULL;
	double	   *drawn = reader->cells ? pa_orders_draw(release, reader->cells, pa_groups_count(groups)) : NULL;
	PaNumbers  *numbers = scores || candidates ? NULL : pa_numbers_begin(release, groups, order, drawn);
	PaEstimate *estimates = palloc0(sizeof(PaEstimate) * (spec->naggregates + 1));
	MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext, "privacct release row", ALLOCSET_SMALL_SIZES);

	for (int i = 0; i < pa_groups_count(groups); i++)
	{
		Datum		keys[PA_MAX_KEYS];
		bool		nulls[PA_MAX_KEYS];
		const double *noised = NULL;
		MemoryContext caller;
		int			chosen;

		CHECK_FOR_INTERRUPTS();
		if (scores ? scores[i] == 0 : numbers && (noised = pa_numbers_of(numbers, i)) == NULL)
			continue;
		caller = MemoryContextSwitchTo(row_context);
		pa_groups_keys(groups, order[i], keys, nulls);
		chosen = candidates ? pa_candidate_draw(release, pa_groups_get(groups, order[i])) : -1;
		for (int j = 0; j < spec->naggregates; j++)
			estimates[j] = candidates ? (PaEstimate) {.value = j == chosen,.low = NAN,.high = NAN,.acceptance = NAN} : scores ? (PaEstimate) {.value = scores[i],.low = NAN,.high = NAN,.acceptance = NAN} :
				pa_statistics_estimate(numbers->known, spec, j, noised);
		take_row(state, spec->levels[0], keys, nulls, estimates, noised);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(row_context);
	}
}

static void
read_and_release(void *argument)
{
	CentralState *state = argument;
	MemoryContext caller = MemoryContextSwitchTo(state->leaf.reading);
	PaReader   *reader;

	pa_leaf_begin_reading(&state->leaf);
	reader = read_all(state);
	pa_leaf_end_reading(&state->leaf);
	pa_leaf_open_store(&state->leaf);
	if (state->release->levels && state->release->levels->selected)
		pa_central_release_selected(state->release, reader->groups, take_row, state);
	else if (state->release->levels)
		pa_central_release_levels(state->release, reader->groups, take_row, state);
	else
		release_groups(state, reader);
	MemoryContextSwitchTo(caller);
}

static void
release(PaLeafState *leaf)
{
	pa_leaf_silently(leaf, read_and_release, leaf);
}

static void
keep(PaLeafState *leaf)
{
	CentralState *state = (CentralState *) leaf;

	if (state->keeping)
		pa_keep_end(state->keeping, state->release);
}

/* --- the node --- */

static const PaLeafKind central_leaf = {
	.node = PA_LEAF_NODE("privacct release", CentralState),
	.marker = pa_marker_aggregate,
	.take_marker = pa_central_take_marker,
	.take_aggregate = pa_central_take_aggregate,
	.finish = pa_central_finish,
	.prepare = prepare,
	.repeat = repeat,
	.charge = charge,
	.release = release,
	.keep = keep,
	.explain = pa_central_explain,
	.preview = pa_central_preview,
};

bool
pa_leaf_is_central(const CustomScan *scan)
{
	return pa_leaf_kind(scan) == &central_leaf;
}

void
pa_central_init(void)
{
	pa_leaf_register(&central_leaf);
	pa_custom_register(&pa_partial_node);
}
