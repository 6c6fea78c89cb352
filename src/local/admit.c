/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * admit.c
 *		The Bayesian Privacy Filter, for each state of a book.
 *
 * The owner's log-likelihood is a sum of a function of the point (the table) and
 * one of the box (linear and logistic answers); its range is at most the sum of
 * the ranges.  So either part is decided with the other's loss as spent.
 *
 * Certified bounds have the same slack as tables (PA_FILTER_TIE): a question at
 * exactly the cap is asked, whatever rounding adds to it.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "server_environment.h"
#include "local/admit.h"
#include "settings.h"

#define NODES_OF_QUESTION 3	/* times filter_nodes: boxes, times the answers in each, of all searches for a question */
#define LEAST_NODES 4			/* of a search */
#define CLOSED_GAP 1e-3			/* how tight closed groups of answers are bounded, nats */

/* Of the boxes of a question, those of a search for one of its states. */
static double
share_of(const PaBook *book, const PaOwnerState *state)
{
	return (double) NODES_OF_QUESTION * pa_filter_nodes / ((double) book->nstates * Max(state->nanswers, 1));
}

/*
 * A question looks at so many boxes, weighed by answers, however many histories there
 * are.  Where that is too little for a search for each, states take turns from question
 * to question.  Whose turn it is depends on numbers of states and questions alone.
 */
static long
nodes_of(const PaBook *book, int number, const PaQuestion *question)
{
	double		share = share_of(book, pa_book_state(book, number));
	double		turns = Max(ceil(LEAST_NODES / share), 1);

	if (share == 0 || fmod((double) number + question->number, turns) != 0)
		return 0;
	return (long) Min(pa_filter_nodes, share * turns);
}

static void
check(PaStatus status, const PaQuestion *question)
{
	if (status == PA_INTERRUPTED)
		CHECK_FOR_INTERRUPTS();
	if (status != PA_OK)
		elog(ERROR, "the filter cannot decide on question %d: %s", question->number, pa_status_text(status));
}

double
pa_state_loss(const PaOwnerState *state)
{
	PaRealisedLoss table = pa_likelihood_loss(&state->likelihood);

	return (table.loss + table.error + state->borne.beside + state->borne.central) * (1 + 1e-15);
}

/* Linear and logistic answers, as the core takes them, and what drawing them may differ from what is certified. */
static PaAnswer *
regression_answers(const PaBook *book, const PaOwnerState *state, int *count, double *slack)
{
	PaAnswer   *answers = palloc(sizeof(PaAnswer) * Max(state->nanswers, 1));

	*count = 0;
	for (int i = 0; i < state->nanswers; i++)
	{
		const PaQuestion *question = pa_book_regression(book, state->answers[2 * i]);

		if (question->ncuts > 0)
			break;				/* those with steps are behind */
		answers[(*count)++] = (PaAnswer) {question->regression, state->answers[2 * i + 1]};
		*slack += question->slack;
	}
	return answers;
}

void
pa_state_refine(const PaPolicy *policy, const PaBook *book, PaOwnerState *state)
{
	PaBox		box = pa_domain_box(&book->domain);
	PaRegressionRules rules = {.cap = policy->filter.epsilon,.group = policy->answer_group,.gap = CLOSED_GAP,.nodes = (long) Min(pa_filter_nodes, share_of(book, state))};
	double		slack = 0;
	PaAnswer   *answers;
	int			count;

	if (state->nanswers == 0 || rules.nodes < LEAST_NODES)
		return;
	answers = regression_answers(book, state, &count, &slack);
	if (count > 0 && pa_regression_refine(&box, answers, count, &rules, pa_server_environment(), &state->bounds) == PA_INTERRUPTED)
		CHECK_FOR_INTERRUPTS();
	pa_state_set_beside(state);
	pfree(answers);
}

static void
put_bounds(double *bounds, const PaRegressionDecision *decision)
{
	for (int output = 0; output < 2; output++)
	{
		bounds[3 * output] = decision->after[output].loss;
		bounds[3 * output + 1] = decision->after[output].closed_loss;
		bounds[3 * output + 2] = decision->after[output].closed;
	}
}

static bool
admit_regression(const PaPolicy *policy, const PaBook *book, const PaOwnerState *state,
				 const PaQuestion *question, long nodes, double *bounds)
{
	PaRealisedLoss table = pa_likelihood_loss(&state->likelihood);
	PaBox		box = pa_domain_box(&book->domain);
	double		slack = question->slack;
	int			count;
	PaAnswer   *answers = regression_answers(book, state, &count, &slack);
	PaRegressionRules rules = {
		.cap = policy->filter.epsilon + PA_FILTER_TIE - (state->borne.central + state->folded + state->steps_loss + table.loss + table.error + slack) * (1 + 1e-15),
		.simplified = policy->filter.kind == PA_FILTER_SIMPLIFIED,
		.group = policy->answer_group,.gap = CLOSED_GAP,.nodes = nodes
	};
	PaRegressionDecision decision = {.verdict = PA_REGRESSION_REJECT};

	/* sums hold whatever the record; realised loss is about one, which the basic filter does not require */
	if (rules.cap > 0 && policy->filter.kind != PA_FILTER_BASIC)
		check(pa_regression_decide(&box, answers, count, &state->bounds, &question->regression, &rules,
								   pa_server_environment(), &decision), question);
	if (decision.verdict == PA_REGRESSION_ACCEPT)
		put_bounds(bounds, &decision);
	return decision.verdict == PA_REGRESSION_ACCEPT ||
		pa_filter_sums(&policy->filter, &state->borne, question->level, question->rho);
}

/* The cells of the column have a table; all else is kept beside it. */
static PaFilterVerdict
judge_steps(const PaAdmitter *admitter, const PaOwnerState *state)
{
	int			dimension = admitter->book->domain.dimension[admitter->question->columns[0]];
	PaRealisedLoss listed = pa_likelihood_loss(&state->likelihood);
	double		others = pa_steps_loss(admitter->steps, state, dimension);
	PaLikelihood table = pa_steps_table(admitter->steps, state, dimension);
	PaBorne		borne = state->borne;
	PaFilterVerdict verdict;

	borne.beside = (state->folded + state->bounds.loss + others + listed.loss + listed.error) * (1 + 1e-15);
	check(pa_filter_query(&admitter->policy->filter, &borne, &table, pa_steps_query(admitter->steps),
						  pa_server_environment(), &verdict), admitter->question);
	return verdict;
}

static bool
admit_state(const PaAdmitter *admitter, int number, double *bounds)
{
	const PaPolicy *policy = admitter->policy;
	const PaBook *book = admitter->book;
	const PaQuestion *question = admitter->question;
	const PaOwnerState *state = pa_book_state(book, number);
	PaFilterVerdict verdict;

	if (pa_question_is_regression(question))
		return admit_regression(policy, book, state, question, nodes_of(book, number, question), bounds);
	/* most states are far from the cap: then the answers need not be gone through */
	if (question->level <= pa_filter_left(&policy->filter, &state->borne, &state->likelihood))
		return true;
	if (question->kind == PA_ASK_CENTRAL)
		check(pa_filter_central(&policy->filter, &state->borne, &state->likelihood, question->level, &verdict), question);
	else if (question->ncuts > 0)
		verdict = judge_steps(admitter, state);
	else
		check(pa_filter_query(&policy->filter, &state->borne, &state->likelihood, &question->query,
							  pa_server_environment(), &verdict), question);
	return verdict.accepted;
}

PaAdmitter
pa_admitter_make(const PaPolicy *policy, const PaBook *book, const PaQuestion *question)
{
	return (PaAdmitter) {policy, book, question, question->ncuts > 0 ? pa_steps_make(book, question) : NULL};
}

bool
pa_admits_state(const PaAdmitter *admitter, int state)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct admission", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	double		bounds[PA_BOUNDS];
	bool		admitted;

	CHECK_FOR_INTERRUPTS();
	admitted = admit_state(admitter, state, bounds);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return admitted;
}

PaAdmission
pa_admit(const PaPolicy *policy, const PaBook *book, const PaQuestion *question)
{
	PaAdmission admission = {.admitted = MemoryContextAllocExtended(CurrentMemoryContext, book->nstates, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO)};
	PaAdmitter	admitter = pa_admitter_make(policy, book, question);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct admission", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller;

	if (pa_question_is_regression(question))
	{
		admission.bounds = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(double) * PA_BOUNDS * book->nstates);
		for (int64 i = 0; i < (int64) PA_BOUNDS * book->nstates; i++)
			admission.bounds[i] = -1;
	}
	caller = MemoryContextSwitchTo(context);
	for (int i = 0; i < book->nstates; i++)
	{
		CHECK_FOR_INTERRUPTS();
		admission.admitted[i] = admit_state(&admitter, i,
											admission.bounds ? admission.bounds + (Size) PA_BOUNDS * i : NULL);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return admission;
}
