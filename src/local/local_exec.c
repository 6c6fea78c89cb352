/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * local_exec.c
 *		Executing a leaf that asks owners: charge, read, ask, record, release.
 *
 * What is charged to the asker's quota is durable before a row is read, but for an
 * index of owners where it says whether anybody can bear the question; what the
 * answers said is durable before one of them leaves.  Between looking at the
 * states and recording the answers the policy's lock is held: questions to the
 * same table come one after the other. 
 *
 * What looks at rows and answers does so in silence (quiet/quiet.h).  Who may
 * answer, and whether the ledger takes it, is told: both follow from public
 * columns and from answers that are published.
 */
#include "postgres.h"

#include <math.h>

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/inval.h"
#include "utils/json.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "compat/explain.h"
#include "catalog/members.h"
#include "catalog/unique_owner.h"
#include "node/intervals.h"
#include "price/release.h"
#include "errors.h"
#include "ledger/ledger.h"
#include "local/able.h"
#include "local/book/image.h"
#include "local/book/session_books.h"
#include "local/record.h"
#include "local/result.h"
#include "local/spec.h"

typedef struct LocalState
{
	PaLeafState leaf;			/* must be first */
	int64		booked;			/* policy whose book is locked */
	List	   *left_out;		/* texts: which questions not all owners answered */

	/* in the leaf's context */
	PaLocalSpec *spec;
	const PaPolicy *policy;
	Oid			payer;
	PaAsk	   *asks;
	int64		charge_id;
	PaBook	   *book;
	PaRespondents *respondents;
	PaAnswered *answered;		/* to each question */

	/* of the question that is being asked */
	int			question;
	const PaAdmission *admission;
	PaRows	   *rows;
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

/* Who may ask, and whose quota pays. */
static void
entitle(LocalState *state)
{
	const PaPolicy *policy = pa_release_policies(state->spec->leaf, GetUserId(), &state->payer)[0];

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
	if (!pa_owner_is_unique(policy->relation, policy->owner_attnum, state->leaf.css.ss.ps.state->es_snapshot))
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("No unique index says that each owner has one row."),
				errhint("The table's owner has to add a primary key or unique constraint on the owner column."));
	state->policy = policy;
}

static void
make_asks(LocalState *state)
{
	CustomScan *plan = castNode(CustomScan, state->leaf.css.ss.ps.plan);
	PaDomain	domain = pa_domain_of(state->policy);

	state->asks = pa_ask_prepare(state->spec, pa_leaf_arguments(plan), state->policy, &domain, state->leaf.css.ss.ps.ps_ExprContext);
}

static void
entitle_and_ask(LocalState *state)
{
	CustomScan *plan = castNode(CustomScan, state->leaf.css.ss.ps.plan);

	state->spec = pa_local_spec_decode(state->leaf.spec, pa_leaf_private(plan));
	entitle(state);
	make_asks(state);
}

/* Each question is a look. */
static double
least_epsilon(const LocalState *state)
{
	double		least = INFINITY;

	for (int i = 0; i < state->leaf.spec->naggregates; i++)
		least = Min(least, state->asks[i].epsilon);
	return least;
}

static void
describe(const LocalState *state, char detail[PA_LEDGER_DETAIL])
{
	const PaAsk *asks = state->asks;
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"regime\": \"local\", \"filter\": \"%s\", \"questions\": [", pa_filter_name(state->policy->filter.kind));
	for (int i = 0; i < state->leaf.spec->naggregates && json.len < PA_LEDGER_DETAIL - 512; i++)
	{
		appendStringInfoString(&json, i > 0 ? ", {\"question\": " : "{\"question\": ");
		escape_json(&json, asks[i].question.text);
		appendStringInfo(&json, ", \"randomiser\": \"%s\", \"epsilon\": %.17g}",
						 pa_question_randomiser(&asks[i].question), asks[i].epsilon);
	}
	appendStringInfo(&json, "], \"questions_count\": %d}", state->leaf.spec->naggregates);
	strlcpy(detail, json.data, PA_LEDGER_DETAIL);
	pfree(json.data);
}

static void
prepare(PaLeafState *leaf)
{
	LocalState *state = (LocalState *) leaf;
	int			count = leaf->spec->naggregates;
	PaQuestion **questions = palloc(sizeof(PaQuestion *) * Max(count, 1));

	entitle_and_ask(state);

	/* who can bear a question is known beforehand: nobody pays for one that nobody can */
	for (int i = 0; i < count; i++)
		questions[i] = &state->asks[i].question;
	pa_require_able(state->policy, count, questions, leaf->css.ss.ps.state->es_snapshot);
	pfree(questions);
}

/* The quota pays what the questions may cost at most; each owner pays what their answer gives away. */
static void
charge(PaLeafState *leaf, PaDelay *delay)
{
	LocalState *state = (LocalState *) leaf;
	PaChargeRequest *request = palloc0(sizeof(PaChargeRequest));

	pa_require_members(state->policy, leaf->css.ss.ps.state->es_plannedstmt);
	request->policy_id = request->tables[0] = state->policy->policy_id;
	request->ntables = 1;
	request->payer = state->payer;
	request->user = GetUserId();
	request->cost.epsilon = pa_ask_amount(pa_ask_total(state->asks, leaf->spec->naggregates));
	request->is_look = true;
	request->look.epsilon = pa_ask_amount(least_epsilon(state));
	describe(state, request->detail);
	state->charge_id = pa_ledger_charge(request);
	pfree(request);
	pa_delay_owe(delay, state->policy, NULL);
	pa_intervals_begin(state->charge_id, GetUserId());
}

/* --- reading and asking, a step at a time --- */

static void
read_rows(void *argument)
{
	LocalState *state = argument;
	PaLeafState *leaf = &state->leaf;

	pa_leaf_begin_reading(leaf);
	state->respondents = pa_respondents_read(leaf->child, &leaf->css.ss.ps, state->spec, state->policy, state->book,
											 state->asks, leaf->reading);
	pa_leaf_end_reading(leaf);
}

static void
ask_question(void *argument)
{
	LocalState *state = argument;
	PaBook	   *book = state->book;
	int			owners = book->nowners;
	PaAsk	   *ask = &state->asks[state->question];
	PaAnswered *answered = &state->answered[state->question];

	HOLD_INTERRUPTS();
	*answered = pa_respondents_ask(state->respondents, state->question, ask, state->admission, state->policy, book);
	state->rows = pa_record_answers(book, owners, &ask->question, answered);
	RESUME_INTERRUPTS();
}

/*
 * One question: admitted, asked, recorded.  The book is ahead of the catalog until
 * the answers are recorded: an error leaves it to be thrown away.
 */
static void
ask_one(LocalState *state)
{
	PaAdmission admission = pa_respondents_admit(state->respondents, &state->asks[state->question], state->policy, state->book);

	state->admission = &admission;
	state->book->ahead = true;
	pa_leaf_silently(&state->leaf, ask_question, state);
	pa_rows_write(state->rows);
	state->book->ahead = false;
}

/* The next question's filter looks at answers that are durable. */
static void
ask_owners(LocalState *state)
{
	int			count = state->leaf.spec->naggregates;

	state->book = pa_book_open(state->policy);
	pa_record_states_if_due(state->book);
	pa_leaf_silently(&state->leaf, read_rows, state);
	state->answered = palloc0(sizeof(PaAnswered) * (count + 1));
	for (state->question = 0; state->question < count; state->question++)
	{
		state->asks[state->question].question.charge_id = state->charge_id;
		ask_one(state);
	}
}

static void
store_rows(void *argument)
{
	LocalState *state = argument;

	pa_leaf_open_store(&state->leaf);
	pa_local_store(state->respondents, state->leaf.store, state->leaf.stored->tts_tupleDescriptor);
}

/* Who was left out follows from published answers, or from public columns. */
static void
note_left_out(LocalState *state)
{
	MemoryContext caller = MemoryContextSwitchTo(state->leaf.css.ss.ps.state->es_query_cxt);

	for (int i = 0; i < state->leaf.spec->naggregates; i++)
		if (state->answered[i].count < state->respondents->count)
			state->left_out = lappend(state->left_out,
									  psprintf("%s: %d of " INT64_FORMAT " owners answered", state->asks[i].question.text,
											   state->answered[i].count, state->respondents->count));
	MemoryContextSwitchTo(caller);
}

static void
release(PaLeafState *leaf)
{
	LocalState *state = (LocalState *) leaf;

	/* now that there is a charge the domain cannot change; before it may have */
	AcceptInvalidationMessages();
	if (state->policy != pa_policy_of(leaf->spec->tables[0].relation))
	{
		entitle(state);
		make_asks(state);
	}
	pa_book_lock(state->policy->policy_id);
	state->booked = state->policy->policy_id;
	ask_owners(state);
	pa_leaf_silently(leaf, store_rows, state);
	note_left_out(state);
}

/* Whoever waits for the book must not see when the last row was read. */
static void
released(PaLeafState *leaf)
{
	LocalState *state = (LocalState *) leaf;
	ListCell   *cell;

	pa_book_unlock(state->booked);
	foreach(cell, state->left_out)
		ereport(NOTICE,
				errmsg("%s", (char *) lfirst(cell)),
				errdetail("The budgets of the others cannot bear the question, or their records have changed."));
}

/* --- the node --- */

static char *
describe_able(const PaAble *able, int i)
{
	return psprintf("; " INT64_FORMAT " of " INT64_FORMAT " owners asked before can answer, and those never asked %s",
					able->able[i], able->known, able->newcomers[i] ? "too" : "cannot");
}

/* What would be asked, and by which rule owners are admitted. */
static void
explain(PaLeafState *leaf, ExplainState *es)
{
	LocalState *state = (LocalState *) leaf;
	int			count = leaf->spec->naggregates;
	PaQuestion **questions = palloc(sizeof(PaQuestion *) * Max(count, 1));
	PaAble		able;
	List	   *lines = NIL;

	entitle_and_ask(state);
	for (int i = 0; i < count; i++)
		questions[i] = &state->asks[i].question;
	able = pa_able(state->policy, count, questions);
	for (int i = 0; i < count; i++)
		lines = lappend(lines, psprintf("%s: %s, level %g%s", questions[i]->text, pa_question_randomiser(questions[i]),
										questions[i]->level, describe_able(&able, i)));
	ExplainPropertyText("Filter", pa_filter_name(state->policy->filter.kind), es);
	ExplainPropertyFloat("Epsilon of an Owner", NULL, state->policy->filter.epsilon, 6, es);
	pa_leaf_explain_lines("Question", lines, es);
	pa_leaf_explain_time_grid(state->policy, es);
	ExplainPropertyFloat("Cost Epsilon", NULL, pa_ask_total(state->asks, count), 6, es);
}

static const PaLeafKind local_leaf = {
	.node = PA_LEAF_NODE("privacct local release", LocalState),
	.marker = pa_local_marker_aggregate,
	.take_marker = pa_local_take_marker,
	.take_aggregate = pa_local_take_aggregate,
	.finish = pa_local_finish,
	.prepare = prepare,
	.charge = charge,
	.release = release,
	.released = released,
	.explain = explain,
	.preview = pa_local_preview,
};

void
pa_local_init(void)
{
	pa_leaf_register(&local_leaf);
	pa_owner_gate_init();
	pa_images_init();
}
