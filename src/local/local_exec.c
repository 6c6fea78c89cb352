/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * local_exec.c
 *		Executing a leaf that asks owners: entitle, charge, read, ask, record, release.
 *
 * What is charged to the asker's quota is durable before a row is read, but for an
 * index of owners where it says whether anybody can bear the question; what the
 * answers said is durable before one of them leaves.  Between looking at the
 * states and recording the answers the policy's lock is held: questions to the
 * same table come one after the other.  Rescans read the store.
 *
 * What looks at rows and answers does so in silence (quiet/quiet.h).  Who may
 * answer, and whether the ledger takes it, is told: both follow from public
 * columns and from answers that are published.
 */
#include "postgres.h"

#include <math.h>

#include "commands/explain.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/inval.h"
#include "utils/json.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "catalog/members.h"
#include "catalog/unique_owner.h"
#include "node/child.h"
#include "node/closed_world.h"
#include "node/intervals.h"
#include "price/release.h"
#include "quiet/delay.h"
#include "quiet/quiet.h"
#include "quiet/silence.h"
#include "quiet/traces.h"
#include "errors.h"
#include "ledger/ledger.h"
#include "local/able.h"
#include "local/book/session_books.h"
#include "local/record.h"
#include "local/result.h"
#include "local/spec.h"

typedef struct LocalState
{
	CustomScanState css;		/* must be first */
	PaLocalSpec *spec;
	int			eflags;
	Tuplestorestate *store;		/* released rows; NULL before the release */
	TupleTableSlot *stored;
	PlanState  *child;			/* NULL before public tables are read */
	int64		booked;			/* policy whose book is locked */
	List	   *left_out;		/* texts: which questions not all owners answered */
} LocalState;

/* --- before a row is read --- */

/*
 * A plan that outlived a declaration, as that of an open cursor: its child does
 * not read all columns that make the record, or tells by others that are public no more.
 */
static bool
is_planned_for(const PaLocalSpec *spec, const PaPolicy *policy)
{
	ArrayType  *columns = DatumGetArrayTypeP(spec->public_columns->constvalue);
	int			count = ArrayGetNItems(ARR_NDIM(columns), ARR_DIMS(columns));

	if (list_length(pa_policy_domains(policy)) != spec->ncolumns)
		return false;
	for (int i = 0; i < spec->ncolumns; i++)
		if (pa_policy_domain(policy, spec->columns[i].attnum) == NULL)
			return false;
	for (int i = 0; i < count; i++)
		if (!list_member_int(policy->public_columns, ((int32 *) ARR_DATA_PTR(columns))[i]))
			return false;
	return true;
}

static const PaPolicy *
entitled_policy(const LocalState *state, Oid *payer)
{
	const PaPolicy *policy = pa_release_policy(state->spec->leaf, GetUserId(), payer);

	if (policy->regime != PA_REGIME_LOCAL)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("ldp_ aggregates ask owners, and the policy of the table is not local."),
				errhint("Use count, sum, avg, variance, stddev or their dp_ forms."));
	if (!is_planned_for(state->spec, policy))
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("The declarations of the table have changed since the query was planned."),
				errhint("Run the query again."));
	if (!pa_owner_is_unique(policy->relation, policy->owner_attnum, state->css.ss.ps.state->es_snapshot))
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("No unique index says that each owner has one row."),
				errhint("The table's owner has to add a primary key or unique constraint on the owner column."));
	return policy;
}

static PaAsk *
prepare(LocalState *state, const PaPolicy *policy)
{
	CustomScan *plan = (CustomScan *) state->css.ss.ps.plan;
	ExprContext *context = state->css.ss.ps.ps_ExprContext;
	PaDomain	domain = pa_domain_of(policy);

	return pa_ask_prepare(state->spec, plan->custom_exprs, policy, &domain, context);
}

static PaAmount
amount(double epsilon)
{
	PaAmount	result;

	if (pa_amount_from_double_up(epsilon, &result) != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("the cost of the release is out of range"),
				errdetail("The ledger cannot record so much epsilon."),
				errhint("Ask for less epsilon."));
	return result;
}

/* Each question is a look. */
static double
least_epsilon(const LocalState *state, const PaAsk *asks)
{
	double		least = INFINITY;

	for (int i = 0; i < state->spec->leaf->naggregates; i++)
		least = Min(least, asks[i].epsilon);
	return least;
}

static double
total_epsilon(const LocalState *state, const PaAsk *asks)
{
	double		total = 0;

	for (int i = 0; i < state->spec->leaf->naggregates; i++)
		total += asks[i].epsilon;
	return total;
}

static void
describe(const LocalState *state, const PaPolicy *policy, const PaAsk *asks, char detail[PA_LEDGER_DETAIL])
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"regime\": \"local\", \"filter\": \"%s\", \"questions\": [", pa_filter_name(policy->filter.kind));
	for (int i = 0; i < state->spec->leaf->naggregates && json.len < PA_LEDGER_DETAIL - 512; i++)
	{
		appendStringInfoString(&json, i > 0 ? ", {\"question\": " : "{\"question\": ");
		escape_json(&json, asks[i].question.text);
		appendStringInfo(&json, ", \"randomiser\": \"%s\", \"epsilon\": %.17g}",
						 pa_question_randomiser(&asks[i].question), asks[i].epsilon);
	}
	appendStringInfo(&json, "], \"questions_count\": %d}", state->spec->leaf->naggregates);
	strlcpy(detail, json.data, PA_LEDGER_DETAIL);
	pfree(json.data);
}

/* Who can bear a question is known beforehand: nobody pays for one that nobody can. */
static void
require_able(const LocalState *state, const PaPolicy *policy, PaAsk *asks)
{
	for (int i = 0; i < state->spec->leaf->naggregates; i++)
		pa_require_able(policy, &asks[i].question, state->css.ss.ps.state->es_snapshot);
}

/* The quota pays what the questions may cost at most; each owner pays what their answer gives away. */
static int64
charge(const LocalState *state, const PaPolicy *policy, Oid payer, const PaAsk *asks)
{
	PaChargeRequest *request = palloc0(sizeof(PaChargeRequest));
	int64		charge_id;

	request->policy_id = policy->policy_id;
	request->payer = payer;
	request->user = GetUserId();
	request->cost.epsilon = amount(total_epsilon(state, asks));
	request->is_look = true;
	request->look.epsilon = amount(least_epsilon(state, asks));
	describe(state, policy, asks, request->detail);
	charge_id = pa_ledger_charge(request);
	pfree(request);
	return charge_id;
}

/* --- reading and asking --- */

/* What is done in silence, a step at a time. */
typedef struct Work
{
	LocalState *state;
	const PaPolicy *policy;
	PaBook	   *book;
	PaAsk	   *asks;
	int			guc_level;		/* of the child */
	MemoryContext context;
	PaRespondents *respondents;
	PaAnswered *answered;		/* to each question */

	/* of the question that is being asked */
	int			question;
	const PaAdmission *admission;
	PaRows	   *rows;
} Work;

/* What rows have filled is free in any case before something is said: see traces.h. */
static void
in_silence(void (*step) (void *work), Work *work)
{
	PG_TRY();
	{
		pa_quietly(step, work);
	}
	PG_CATCH();
	{
		MemoryContextDelete(work->context);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

static void
read_rows(void *argument)
{
	Work	   *work = argument;
	LocalState *state = work->state;
	CustomScan *plan = (CustomScan *) state->css.ss.ps.plan;

	pa_resolve_again(state->spec->leaf, linitial(plan->custom_plans), state->css.ss.ps.state);
	work->respondents = pa_respondents_read(state->child, &state->css.ss.ps, state->spec, work->policy, work->book,
											work->asks, work->context);
	pa_child_close(state->child, work->guc_level);
	state->child = NULL;
}

static void
ask_question(void *argument)
{
	Work	   *work = argument;
	PaBook	   *book = work->book;
	int			owners = book->nowners;
	PaAsk	   *ask = &work->asks[work->question];
	PaAnswered *answered = &work->answered[work->question];

	HOLD_INTERRUPTS();
	*answered = pa_respondents_ask(work->respondents, work->question, ask, work->admission, work->policy, book);
	work->rows = pa_record_answers(book, owners, &ask->question, answered);
	RESUME_INTERRUPTS();
}

/*
 * One question: admitted, asked, recorded.  The book is ahead of the catalog until
 * the answers are recorded: an error leaves it to be thrown away.
 */
static void
ask_one(Work *work)
{
	PaAdmission admission = pa_respondents_admit(work->respondents, &work->asks[work->question], work->policy, work->book);

	work->admission = &admission;
	work->book->ahead = true;
	in_silence(ask_question, work);
	pa_rows_write(work->rows);
	work->book->ahead = false;
}

/* The next question's filter looks at answers that are durable. */
static void
ask_owners(Work *work, int64 charge_id)
{
	work->book = pa_book_open(work->policy);
	pa_record_states_if_due(work->book);
	in_silence(read_rows, work);
	for (work->question = 0; work->question < work->state->spec->leaf->naggregates; work->question++)
	{
		work->asks[work->question].question.charge_id = charge_id;
		ask_one(work);
	}
}

static void
store_rows(void *argument)
{
	Work	   *work = argument;
	LocalState *state = work->state;
	MemoryContext caller = MemoryContextSwitchTo(state->css.ss.ps.state->es_query_cxt);

	state->store = tuplestore_begin_heap(false, false, work_mem);
	MemoryContextSwitchTo(work->context);
	pa_local_store(work->respondents, state->store, state->stored->tts_tupleDescriptor);
	MemoryContextSwitchTo(caller);
}

/* Who was left out follows from published answers, or from public columns. */
static void
note_left_out(Work *work)
{
	LocalState *state = work->state;
	MemoryContext caller = MemoryContextSwitchTo(state->css.ss.ps.state->es_query_cxt);

	for (int i = 0; i < state->spec->leaf->naggregates; i++)
		if (work->answered[i].count < work->respondents->count)
			state->left_out = lappend(state->left_out,
									  psprintf("%s: %d of " INT64_FORMAT " owners answered", work->asks[i].question.text,
											   work->answered[i].count, work->respondents->count));
	MemoryContextSwitchTo(caller);
}

static void
tell_left_out(const LocalState *state)
{
	ListCell   *cell;

	foreach(cell, state->left_out)
		ereport(NOTICE,
				errmsg("%s", (char *) lfirst(cell)),
				errdetail("The budgets of the others cannot bear the question, or their records have changed."));
}

static void
release_all(void *node, PaDelay *delay)
{
	LocalState *state = node;
	EState	   *estate = state->css.ss.ps.state;
	CustomScan *plan = (CustomScan *) state->css.ss.ps.plan;
	ParamListInfo params = estate->es_param_list_info;
	MemoryContext context = AllocSetContextCreate(estate->es_query_cxt, "privacct local release", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Work		work = {.state = state,.context = context};
	Oid			payer;
	int64		charge_id;

	pa_require_silence();
	pa_ledger_require_open();
	estate->es_param_list_info = pa_freeze_parameters(params);
	work.answered = palloc0(sizeof(PaAnswered) * (state->spec->leaf->naggregates + 1));
	work.policy = entitled_policy(state, &payer);
	work.asks = prepare(state, work.policy);
	require_able(state, work.policy, work.asks);
	pa_traces_begin(pa_close_world(state->spec->leaf, linitial(plan->custom_plans), estate));
	state->child = pa_child_open(&state->css.ss.ps, state->eflags, state->spec->leaf->fanout, &work.guc_level);
	pa_require_members(work.policy, estate->es_plannedstmt);
	charge_id = charge(state, work.policy, payer, work.asks);
	pa_delay_owe(delay, work.policy, NULL);
	pa_intervals_begin(charge_id, GetUserId());

	/* now that there is a charge the domain cannot change; before it may have */
	AcceptInvalidationMessages();
	if (work.policy != pa_policy_of(state->spec->leaf->relation))
	{
		work.policy = entitled_policy(state, &payer);
		work.asks = prepare(state, work.policy);
	}
	pa_book_lock(work.policy->policy_id);
	state->booked = work.policy->policy_id;
	ask_owners(&work, charge_id);
	in_silence(store_rows, &work);
	estate->es_param_list_info = params;
	note_left_out(&work);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* --- the node --- */

static TupleTableSlot *
next_row(ScanState *scan)
{
	LocalState *state = (LocalState *) scan;
	TupleTableSlot *slot = scan->ss_ScanTupleSlot;

	if (state->store == NULL)
	{
		pa_intervals_drop();
		pa_delay_run(release_all, state);
		pa_book_unlock(state->booked);	/* whoever waits for it must not see when the last row was read */
		pa_intervals_publish();
		tell_left_out(state);
	}
	return pa_leaf_next_stored(state->store, state->stored, slot);
}

static bool
recheck_row(ScanState *scan, TupleTableSlot *slot)
{
	return true;
}

static TupleTableSlot *
local_exec(CustomScanState *node)
{
	return ExecScan(&node->ss, next_row, recheck_row);
}

static void
local_begin(CustomScanState *node, EState *estate, int eflags)
{
	LocalState *state = (LocalState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;

	if (!(eflags & EXEC_FLAG_EXPLAIN_ONLY))
		pa_require_silence();
	state->spec = pa_local_spec_decode(plan->custom_private);
	state->spec->leaf->source = estate->es_sourceText;
	state->eflags = eflags & ~(EXEC_FLAG_REWIND | EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK);
	state->stored = ExecInitExtraTupleSlot(estate, node->ss.ss_ScanTupleSlot->tts_tupleDescriptor, &TTSOpsMinimalTuple);
}

static void
local_rescan(CustomScanState *node)
{
	LocalState *state = (LocalState *) node;

	if (state->store)
		tuplestore_rescan(state->store);
	ExecScanReScan(&node->ss);
}

static void
local_end(CustomScanState *node)
{
	LocalState *state = (LocalState *) node;

	if (state->store)
		tuplestore_end(state->store);
}

static char *
describe_able(const PaAble *able, int i)
{
	return psprintf("; " INT64_FORMAT " of " INT64_FORMAT " owners asked before can answer, and those never asked %s",
					able->able[i], able->known, able->newcomers[i] ? "too" : "cannot");
}

/* What would be asked, and by which rule owners are admitted. */
static void
local_explain(CustomScanState *node, List *ancestors, ExplainState *es)
{
	LocalState *state = (LocalState *) node;
	Oid			payer;
	const PaPolicy *policy = entitled_policy(state, &payer);
	PaAsk	   *asks = prepare(state, policy);
	int			count = state->spec->leaf->naggregates;
	PaQuestion **questions = palloc(sizeof(PaQuestion *) * Max(count, 1));
	PaAble		able;
	List	   *lines = NIL;

	for (int i = 0; i < count; i++)
		questions[i] = &asks[i].question;
	able = pa_able(policy, count, questions);
	ExplainPropertyText("Protected Table", get_rel_name(policy->relation), es);
	ExplainPropertyText("Filter", pa_filter_name(policy->filter.kind), es);
	ExplainPropertyFloat("Epsilon of an Owner", NULL, policy->filter.epsilon, 6, es);
	for (int i = 0; i < count; i++)
	{
		char	   *line = psprintf("%s: %s, level %g%s", asks[i].question.text,
									pa_question_randomiser(&asks[i].question), asks[i].question.level,
									describe_able(&able, i));

		if (es->format == EXPLAIN_FORMAT_TEXT)
			ExplainPropertyText("Question", line, es);
		lines = lappend(lines, line);
	}
	if (es->format != EXPLAIN_FORMAT_TEXT)
		ExplainPropertyList("Question", lines, es);
	if (policy->time_grid > 0)
		ExplainPropertyFloat("Time Grid", "ms", policy->time_grid / 1000.0, 3, es);
	ExplainPropertyFloat("Cost Epsilon", NULL, total_epsilon(state, asks), 6, es);
}

static const CustomExecMethods local_exec_methods = {
	.CustomName = "privacct local release",
	.BeginCustomScan = local_begin,
	.ExecCustomScan = local_exec,
	.EndCustomScan = local_end,
	.ReScanCustomScan = local_rescan,
	.ExplainCustomScan = local_explain,
};

Node *
pa_create_local_state(CustomScan *scan)
{
	LocalState *state = (LocalState *) newNode(sizeof(LocalState), T_CustomScanState);

	state->css.methods = &local_exec_methods;
	return (Node *) state;
}
