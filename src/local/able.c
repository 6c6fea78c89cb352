/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * able.c
 *		See able.h.
 */
#include "postgres.h"

#include <math.h>

#include "utils/guc.h"

#include "compat/version.h"
#include "look/owner_index.h"
#include "quiet/delay.h"
#include "quiet/uncounted.h"
#include "errors.h"
#include "local/able.h"
#include "local/admit.h"
#include "local/book/session_books.h"
#include "short_value.h"

#define MOST_RELEASES 1e15

/* How often the owners of the state are certain to bear so much. */
static int64
releases_of(const PaPolicy *policy, const PaOwnerState *state, double level)
{
	double		left = pa_filter_left(&policy->filter, &state->borne, &state->likelihood) + PA_FILTER_TIE;

	return level > 0 ? (int64) Min(floor(left / level), MOST_RELEASES) : (int64) MOST_RELEASES;
}

PaAble
pa_able(const PaPolicy *policy, int count, PaQuestion *const *questions)
{
	PaBook	   *book = pa_book_open(policy);
	const int64 *owners = pa_book_owners_of_states(book);
	PaAble		able = {.known = book->nowners,.able = palloc0(sizeof(int64) * Max(count, 1)),.newcomers = palloc0(sizeof(bool) * Max(count, 1))};
	PaAdmitter *admitters = palloc(sizeof(PaAdmitter) * Max(count, 1));
	double		level = 0;

	for (int i = 0; i < count; i++)
	{
		questions[i]->number = book->question + 1 + i;
		admitters[i] = pa_admitter_make(policy, book, questions[i]);
		level += questions[i]->level;
	}
	for (int state = 0; state < book->nstates; state++)
	{
		bool		all = true;

		if (state > 0 && owners[state] == 0)
			continue;
		for (int i = 0; i < count; i++)
		{
			bool		admitted = pa_admits_state(&admitters[i], state);

			able.able[i] += admitted ? owners[state] : 0;
			able.newcomers[i] |= state == 0 && admitted;
			all &= admitted;
		}
		able.releases = Max(able.releases, Max((int64) all, releases_of(policy, pa_book_state(book, state), level)));
	}
	return able;
}

/* --- owners who were never asked --- */

/*
 * Whether the table has any.  Without an index that says nothing else they count as
 * there: the question is paid for, and the answer shows that nobody was asked.
 */
typedef struct Look
{
	const PaPolicy *policy;
	const PaBook *book;
	Snapshot	snapshot;
	bool		done;
	bool		found;
} Look;

static bool
is_newcomer(const Look *look, PaOwnerIndex *index, Datum owner)
{
	return pa_owner_is_short(look->policy->owner_type, owner) &&
		pa_book_find(look->book, pa_book_key(look->book, look->policy->owner_type, owner)) < 0 &&
		pa_owner_index_sees_row(index);
}

static void
look_for_newcomers(void *argument)
{
	Look	   *look = argument;
	int			guc_level = pa_uncounted();
	PaOwnerIndex *index = pa_owner_index_open(look->policy, look->policy->relation, NULL, look->snapshot);
	Datum		owner;

	look->found = index == NULL;
	while (!look->found && pa_owner_index_next(index, &owner))
		look->found = is_newcomer(look, index, owner);
	if (index)
		pa_owner_index_close(index);
	AtEOXact_GUC(false, guc_level);
}

/* Once for all questions of a release: the time of a second look would double that of the first. */
static bool
has_newcomers(Look *look)
{
	if (!look->done)
		pa_delay_look(look->policy, look_for_newcomers, look);
	look->done = true;
	return look->found;
}

static bool
can_be_borne(Look *look, const PaQuestion *question)
{
	const PaBook *book = look->book;
	const int64 *owners = pa_book_owners_of_states(book);
	PaAdmitter	admitter = pa_admitter_make(look->policy, book, question);

	for (int state = 0; state < book->nstates; state++)
		if (owners[state] > 0 && pa_admits_state(&admitter, state))
			return true;
	return pa_admits_state(&admitter, 0) && (book->nowners == 0 || has_newcomers(look));
}

static void PA_NORETURN
refuse(const PaQuestion *question)
{
	bool		central = question->kind == PA_ASK_CENTRAL;

	ereport(ERROR,
			errcode(ERRCODE_PA_BUDGET_EXHAUSTED),
			errmsg("no owner can bear the %s", central ? "release" : "question"),
			isinf(question->level) ? errdetail("There is no bound on what an answer to %s gives away.", question->text) :
			errdetail("%s takes an epsilon of %g from each owner, and no owner of a row has that much left.",
					  central ? "It" : question->text, question->level),
			isinf(question->level) ? errhint("Use another kernel, or ask a table that is protected with filter => 'approximate'.") :
			errhint("Use a smaller epsilon; privacct.owners_left() says how many owners can bear it.  Nothing was charged."));
}

void
pa_require_able(const PaPolicy *policy, int count, PaQuestion *const *questions, Snapshot snapshot)
{
	PaBook	   *book = pa_book_open(policy);
	Look		look = {.policy = policy,.book = book,.snapshot = snapshot};

	for (int i = 0; i < count; i++)
	{
		questions[i]->number = book->question + 1;
		if (!can_be_borne(&look, questions[i]))
			refuse(questions[i]);
	}
}

PaQuestion *
pa_central_question(const PaDomain *domain, double epsilon)
{
	PaQuestion *question = palloc0(sizeof(PaQuestion));

	question->kind = PA_ASK_CENTRAL;
	question->text = "central release";
	question->level = epsilon;
	pa_question_complete(question, domain);
	return question;
}
