/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf_exec.c
 *		Executing a leaf: entitle, read public tables, charge, read, bound, noise, release.
 *
 * Nothing of the protected table is read before the charge is durable, and from
 * then on nothing is said to the client until all is released (quiet.h).  The
 * released rows stay in a tuplestore: a rescan, a cursor that goes back or a
 * suspended portal reads them again and never draws new noise.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "commands/explain.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "bound/canonical_key.h"
#include "bound/gate.h"
#include "bound/group_table.h"
#include "bound/reader.h"
#include "catalog/members.h"
#include "node/child.h"
#include "node/closed_world.h"
#include "node/intervals.h"
#include "node/leaf.h"
#include "node/partial.h"
#include "price/choice.h"
#include "price/form/estimate.h"
#include "price/form/form.h"
#include "price/price.h"
#include "price/release.h"
#include "price/unit/unit.h"
#include "quiet/delay.h"
#include "quiet/quiet.h"
#include "quiet/silence.h"
#include "quiet/traces.h"
#include "size_limits.h"
#include "ledger/ledger.h"

typedef struct LeafState
{
	CustomScanState css;		/* must be first */
	PaLeafSpec *spec;
	int			eflags;
	Tuplestorestate *store;		/* released rows; NULL before the release */
	TupleTableSlot *stored;		/* a row of the store */
	PlanState  *child;			/* NULL before public tables are read */
} LeafState;

/* --- reading the child --- */

static PaReader *
read_all(LeafState *state, const PaRelease *release, const void *gate, MemoryContext context)
{
	PaReading	reading = {
		.policy_id = release->policy->policy_id,
		.max_groups = release->max_groups,
		.one_row_per_owner = release->one_row_per_owner,
		.declared_groups = release->declared_groups,
		.select_groups = release->select_groups,
		.sample = pa_sample_draw(release->statistics->rate),
		.gate = gate
	};
	PaReader   *reader;

	reader = pa_reader_create(&state->css.ss.ps,
							  state->spec->workers > 0 ? pa_partial_rows(state->child) : ExecGetResultType(state->child),
							  state->spec, release->statistics, release->policy, &reading, context);
	if (reader->set->nstatistics == 0)
		;						/* declared keys alone: no row matters */
	else if (state->spec->workers > 0)
		pa_partial_gather(state->child, &reading, reader);
	else
		pa_reader_run(reader, state->child);
	pa_reader_total(reader);
	return reader;
}

/* --- releasing --- */

static void
remember_intervals(const PaLeafSpec *spec, const Datum *keys, const bool *nulls, const PaEstimate *estimates)
{
	char	   *texts[PA_MAX_KEYS];

	for (int i = 0; i < spec->nkeys; i++)
	{
		Oid			output;
		bool		varlena;

		getTypeOutputInfo(spec->keys[i].type, &output, &varlena);
		texts[i] = nulls[i] ? NULL : OidOutputFunctionCall(output, keys[i]);
	}
	for (int i = 0; i < spec->naggregates; i++)
		pa_intervals_add(spec->nkeys, texts, spec->aggregates[i].label, &estimates[i]);
}

/* One output row: keys and estimates in the order of the scan tuple. */
static void
store_row(LeafState *state, const Datum *keys, const bool *key_nulls, const PaEstimate *estimates)
{
	const PaLeafSpec *spec = state->spec;
	Datum	   *values = palloc0(sizeof(Datum) * Max(spec->ncolumns, 1));
	bool	   *nulls = palloc0(sizeof(bool) * Max(spec->ncolumns, 1));

	for (int i = 0; i < spec->ncolumns; i++)
	{
		int			column = spec->columns[i];

		nulls[i] = column < 0 || (column < PA_AGGREGATE_COLUMN(0) && key_nulls[column]);
		if (column >= PA_AGGREGATE_COLUMN(0))
			values[i] = pa_estimate_datum(&spec->aggregates[column - PA_AGGREGATE_COLUMN(0)],
										  &estimates[column - PA_AGGREGATE_COLUMN(0)]);
		else if (!nulls[i])
			values[i] = keys[column];
	}
	tuplestore_putvalues(state->store, state->stored->tts_tupleDescriptor, values, nulls);
}

/*
 * Selects by the noised number of owners.  Unless it is declared, a group that no
 * owner was left in has no chance: it is there only because somebody has rows in more groups than
 * count, and there may be any number of such groups, while the threshold covers
 * as many as an owner counts in.
 */
static bool
select_group(const PaRelease *release, const PaGroup *group)
{
	int			selection = release->statistics->selection;
	const PaStatistic *statistic = &release->statistics->statistics[selection];
	PaInt128	owners = group->totals[selection];

	return (owners > 0 || release->declared_groups) &&
		pa_release_noise(statistic, owners) >= pa_lattice_shift(&statistic->calibration.lattice, release->threshold);
}

/* Noises every statistic of a group; false if the group is not selected. */
static bool
noise_group(const PaRelease *release, const PaGroup *group, double *noised)
{
	PaStatistics *set = release->statistics;

	if (release->select_groups && !select_group(release, group))
		return false;
	for (int i = 0; i < set->nstatistics; i++)
		if (i != set->selection)
			noised[i] = pa_statistic_value(&set->statistics[i],
										   pa_release_noise(&set->statistics[i], group->totals[i]));
	return true;
}

/* Declared keys have the form in which they were declared. */
static void
make_keys_canonical(const PaLeafSpec *spec, Datum *keys, const bool *nulls)
{
	for (int i = 0; i < spec->nkeys; i++)
		if (!nulls[i])
			keys[i] = pa_canonical_key(spec->keys[i].type, keys[i]);
}

static void
release_groups(LeafState *state, const PaRelease *release, PaGroupTable *groups)
{
	const PaLeafSpec *spec = state->spec;
	int		   *order = pa_groups_order(groups);
	int		   *scores = release->choose > 0 ? pa_choice_draw(release, groups, order) : NULL;
	double	   *noised = palloc0(sizeof(double) * (release->statistics->nstatistics + 1));
	PaEstimate *estimates = palloc0(sizeof(PaEstimate) * (spec->naggregates + 1));
	MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext, "privacct release row", ALLOCSET_SMALL_SIZES);

	for (int i = 0; i < pa_groups_count(groups); i++)
	{
		Datum		keys[PA_MAX_KEYS];
		bool		nulls[PA_MAX_KEYS];
		MemoryContext caller;

		CHECK_FOR_INTERRUPTS();
		if (scores ? scores[i] == 0 : !noise_group(release, pa_groups_get(groups, order[i]), noised))
			continue;
		caller = MemoryContextSwitchTo(row_context);
		pa_groups_keys(groups, order[i], keys, nulls);
		if (!release->declared_groups)
			make_keys_canonical(spec, keys, nulls);
		for (int j = 0; j < spec->naggregates; j++)
			estimates[j] = scores ? (PaEstimate) {.value = scores[i],.low = NAN,.high = NAN,.acceptance = NAN} :
				pa_statistics_estimate(release->statistics, spec, j, noised);
		store_row(state, keys, nulls, estimates);
		if (scores == NULL && !pa_release_is_free(release))
			remember_intervals(spec, keys, nulls, estimates);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(row_context);
	}
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

/* What is done in silence. */
typedef struct Work
{
	LeafState  *state;
	const PaRelease *release;
	const void *gate;
	int			guc_level;		/* of the child */
	MemoryContext context;
} Work;

static void
read_and_release(void *argument)
{
	Work	   *work = argument;
	LeafState  *state = work->state;
	EState	   *estate = state->css.ss.ps.state;
	MemoryContext caller = MemoryContextSwitchTo(work->context);
	PaReader   *reader;

	pa_resolve_again(state->spec, linitial(((CustomScan *) state->css.ss.ps.plan)->custom_plans), estate);
	reader = read_all(state, work->release, work->gate, work->context);
	pa_child_close(state->child, work->guc_level);
	state->child = NULL;
	MemoryContextSwitchTo(estate->es_query_cxt);
	state->store = tuplestore_begin_heap(false, false, work_mem);
	MemoryContextSwitchTo(work->context);
	release_groups(state, work->release, reader->groups);
	MemoryContextSwitchTo(caller);
}

/* What rows have filled is free in any case before something is said: see traces.h. */
static void
read_in_silence(Work *work)
{
	PG_TRY();
	{
		pa_quietly(read_and_release, work);
	}
	PG_CATCH();
	{
		MemoryContextDelete(work->context);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

/* Charges; returns the gate, if there is one. */
static const void *
pay(const LeafState *state, const PaRelease *release, PaDelay *delay)
{
	int64		charge_id;
	const void *gate;

	pa_require_members(release->policy, state->css.ss.ps.state->es_plannedstmt);
	charge_id = pa_release_charge(release);
	pa_delay_owe(delay, release->policy, &release->delay);
	gate = release->unit->admit(release, charge_id, state->css.ss.ps.state->es_snapshot);
	pa_intervals_begin(charge_id, release->user);
	remember_owners(gate);
	return gate;
}

static void
release_all(void *node, PaDelay *delay)
{
	LeafState  *state = node;
	EState	   *estate = state->css.ss.ps.state;
	CustomScan *plan = (CustomScan *) state->css.ss.ps.plan;
	ParamListInfo params = estate->es_param_list_info;
	MemoryContext context = AllocSetContextCreate(estate->es_query_cxt, "privacct release", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Work		work = {.state = state,.context = context};
	PaRelease  *release;

	/* the plan was made, and a cursor opened, under settings that may have changed */
	pa_require_silence();
	pa_ledger_require_open();
	estate->es_param_list_info = pa_freeze_parameters(params);
	release = pa_release_prepare(state->spec, plan->custom_exprs, state->css.ss.ps.ps_ExprContext, GetUserId(), estate->es_snapshot);
	if (!pa_release_is_free(release))
		release->unit->require(release, estate->es_snapshot);
	pa_traces_begin(pa_close_world(state->spec, linitial(plan->custom_plans), estate));
	state->child = pa_child_open(&state->css.ss.ps, state->eflags, state->spec->fanout, &work.guc_level);
	work.release = release;
	if (!pa_release_is_free(release))
		work.gate = pay(state, release, delay);

	/* paid: from here on protected rows may be read */
	read_in_silence(&work);
	estate->es_param_list_info = params;
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* --- the node --- */

TupleTableSlot *
pa_leaf_next_stored(Tuplestorestate *store, TupleTableSlot *stored, TupleTableSlot *slot)
{
	ExecClearTuple(slot);
	if (!tuplestore_gettupleslot(store, true, false, stored))
		return slot;
	slot_getallattrs(stored);
	memcpy(slot->tts_values, stored->tts_values, sizeof(Datum) * slot->tts_tupleDescriptor->natts);
	memcpy(slot->tts_isnull, stored->tts_isnull, sizeof(bool) * slot->tts_tupleDescriptor->natts);
	return ExecStoreVirtualTuple(slot);
}

static TupleTableSlot *
next_row(ScanState *scan)
{
	LeafState  *state = (LeafState *) scan;

	if (state->store == NULL)
	{
		pa_intervals_drop();
		pa_delay_run(release_all, state);
		pa_intervals_publish();
	}
	return pa_leaf_next_stored(state->store, state->stored, scan->ss_ScanTupleSlot);
}

static bool
recheck_row(ScanState *scan, TupleTableSlot *slot)
{
	return true;
}

static TupleTableSlot *
leaf_exec(CustomScanState *node)
{
	return ExecScan(&node->ss, next_row, recheck_row);
}

static void
leaf_begin(CustomScanState *node, EState *estate, int eflags)
{
	LeafState  *state = (LeafState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;

	/* the plan may come from a cache, made under other settings */
	if (!(eflags & EXEC_FLAG_EXPLAIN_ONLY))
		pa_require_silence();
	state->spec = pa_leaf_spec_decode(plan->custom_private);
	state->spec->source = estate->es_sourceText;
	state->eflags = eflags & ~(EXEC_FLAG_REWIND | EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK);
	state->stored = ExecInitExtraTupleSlot(estate, node->ss.ss_ScanTupleSlot->tts_tupleDescriptor,
										   &TTSOpsMinimalTuple);
}

static void
leaf_rescan(CustomScanState *node)
{
	LeafState  *state = (LeafState *) node;

	if (state->store)
		tuplestore_rescan(state->store);
	ExecScanReScan(&node->ss);
}

static void
leaf_end(CustomScanState *node)
{
	LeafState  *state = (LeafState *) node;

	if (state->store)
		tuplestore_end(state->store);
}

static char *
describe_noise(const PaStatistic *statistic)
{
	const PaKernel *kernel = &statistic->calibration.kernel;

	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "%s: %s, scale %g", statistic->label, pa_kernel_name(kernel->kind),
					 pa_kernel_scale(kernel) * pa_statistic_value(statistic, 1));
	if (pa_kernel_recycles(kernel->kind))
		appendStringInfo(&text, ", q %g", pa_kernel_recycling(kernel));
	if (statistic->within >= 0)
		appendStringInfo(&text, ", within %g with probability %.3f", statistic->within, statistic->calibration.acceptance);
	return text.data;
}

/* As text a line for each statistic; else one list, since keys must not repeat. */
static void
explain_noise(const PaStatistics *set, ExplainState *es)
{
	List	   *lines = NIL;

	for (int i = 0; i < set->nstatistics; i++)
		if (es->format == EXPLAIN_FORMAT_TEXT)
			ExplainPropertyText("Noise", describe_noise(&set->statistics[i]), es);
		else
			lines = lappend(lines, describe_noise(&set->statistics[i]));
	if (es->format != EXPLAIN_FORMAT_TEXT)
		ExplainPropertyList("Noise", lines, es);
}

/* Under a plan: the slots that would pay, as "1, 3 twice" is "1, 3 x 2". */
static void
explain_uses(const PaRelease *release, ExplainState *es)
{
	StringInfoData uses;

	if (release->nuses == 0)
		return;
	initStringInfo(&uses);
	for (int i = 0; i < release->nuses; i++)
	{
		appendStringInfo(&uses, "%s%d", i > 0 ? ", " : "", release->uses[i].slot);
		if (release->uses[i].uses > 1)
			appendStringInfo(&uses, " x %d", release->uses[i].uses);
	}
	ExplainPropertyText("Planned Slots", uses.data, es);
}

/* When it would be handed up, and what that would cost. */
static void
explain_time(const PaRelease *release, ExplainState *es)
{
	const PaDelayLaw *delay = &release->delay;
	PaCost		time = pa_price_of_time(release->policy, delay);
	char		text[PA_AMOUNT_TEXT];

	if (release->policy->time_grid > 0)
		ExplainPropertyFloat("Time Grid", "ms", release->policy->time_grid / 1000.0, 3, es);
	if (delay->reach == 0)
		return;
	ExplainPropertyFloat("Delay on Average", "ms", delay->reach * PA_ROW_WORK_MICROSECONDS / 1000.0, 2, es);
	ExplainPropertyFloat("Delay at Most", "ms", 2 * delay->reach * PA_ROW_WORK_MICROSECONDS / 1000.0, 2, es);
	pa_amount_print(time.epsilon, text);
	ExplainPropertyText("Time Epsilon", text, es);
	pa_amount_print(time.delta, text);
	ExplainPropertyText("Time Delta", text, es);
}

/* EXPLAIN shows what the release would be, never the child or its estimates. */
static void
leaf_explain(CustomScanState *node, List *ancestors, ExplainState *es)
{
	LeafState  *state = (LeafState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	PaRelease  *release;
	char		text[PA_AMOUNT_TEXT];

	ExplainPropertyText("Protected Table", get_rel_name(state->spec->relation), es);
	release = pa_release_prepare(state->spec, plan->custom_exprs, node->ss.ps.ps_ExprContext, GetUserId(), node->ss.ps.state->es_snapshot);
	ExplainPropertyText("Groups", state->spec->nkeys == 0 ? "one" :
						release->declared_groups ? "declared keys" : "selected", es);
	if (release->select_groups)
		ExplainPropertyInteger("Noised Owners at Least", NULL, release->threshold, es);
	release->unit->explain(release, es);
	if (state->spec->workers > 0)
		ExplainPropertyInteger("Workers Planned", NULL, state->spec->workers, es);
	if (release->statistics->rate < 1)
		ExplainPropertyFloat("Sample Rate of Owners", NULL, release->statistics->rate, 6, es);
	if (release->choose > 0)
		ExplainPropertyText("Exponential Mechanism",
							psprintf("%s: %d draws, epsilon %g each", release->statistics->statistics[0].label,
									 release->choose, release->draw_epsilon), es);
	else
		explain_noise(release->statistics, es);
	explain_uses(release, es);
	explain_time(release, es);
	pa_amount_print(release->cost.epsilon, text);
	ExplainPropertyText("Cost Epsilon", text, es);
	pa_amount_print(release->cost.delta, text);
	ExplainPropertyText("Cost Delta", text, es);
	pa_amount_print(release->cost.rho, text);
	ExplainPropertyText("Cost Rho", text, es);
}

static const CustomExecMethods leaf_exec_methods = {
	.CustomName = "privacct release",
	.BeginCustomScan = leaf_begin,
	.ExecCustomScan = leaf_exec,
	.EndCustomScan = leaf_end,
	.ReScanCustomScan = leaf_rescan,
	.ExplainCustomScan = leaf_explain,
};

Node *
pa_create_leaf_state(CustomScan *scan)
{
	LeafState  *state = (LeafState *) newNode(sizeof(LeafState), T_CustomScanState);

	state->css.methods = &leaf_exec_methods;
	return (Node *) state;
}
