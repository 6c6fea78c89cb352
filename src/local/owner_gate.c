/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_gate.c
 *		Who of the owners that have accounts of their own is in a central release.
 *
 * A release is one more question, without answers: whoever is in it bears its
 * epsilon, whatever comes out.  Who can bear it is decided from published
 * answers; it is recorded before the first row is read.  Owners who were never
 * asked have no number and need none: if the release is within the cap they are
 * in it, and state 0 bears it for all of them, also for those who come later.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "bound/gate.h"
#include "local/able.h"
#include "local/book/apply.h"
#include "local/book/fold.h"
#include "local/book/session_books.h"
#include "local/record.h"
#include "local/spec.h"

typedef struct CentralGate
{
	PaBook	   *book;
	Oid			owner_type;
	bool		everybody_new;
	const uint8 *answered;		/* a bit for each owner with a number */
	size_t		answered_bytes;
	int			admitted;		/* how many of them are in it */
	int			known;
} CentralGate;

static PaBearers
bearers(const PaPolicy *policy, double epsilon)
{
	PaDomain	domain = pa_domain_of(policy);
	PaQuestion *question = pa_central_question(&domain, epsilon);
	PaAble		able = pa_able(policy, 1, &question);

	return (PaBearers) {able.able[0], able.known, able.newcomers[0], able.releases};
}

static void
require_able(const PaPolicy *policy, double epsilon, Snapshot snapshot)
{
	PaDomain	domain = pa_domain_of(policy);
	PaQuestion *question = pa_central_question(&domain, epsilon);

	pa_require_able(policy, 1, &question, snapshot);
}

static PaAnswered
collect(const PaBook *book, const PaAdmission *admission)
{
	PaAnswered	answered = {.answered_bytes = ((size_t) book->nowners + 7) / 8,.most_states = pa_book_most_states(book)};

	answered.answered = MemoryContextAllocExtended(CurrentMemoryContext, answered.answered_bytes + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int owner = 0; owner < book->nowners; owner++)
		if (admission->admitted[book->states[owner]])
		{
			answered.answered[owner / 8] |= (uint8) (1 << (owner % 8));
			answered.count++;
		}
	return answered;
}

static void
bear(PaBook *book, PaQuestion *question, const PaAnswered *answered)
{
	PaAnswers	answers = {.answered = answered->answered,.answered_bytes = answered->answered_bytes,.most_states = answered->most_states};

	book->ahead = true;
	pa_book_apply(book, question, &answers);
	pa_rows_write(pa_record_answers(book, book->nowners, question, answered));
	book->ahead = false;
}

static void *
open_gate(const PaPolicy *policy, double epsilon, int64 charge_id)
{
	CentralGate *gate = palloc0(sizeof(CentralGate));
	PaQuestion *question;
	PaAdmission admission;
	PaAnswered	answered;

	pa_book_lock(policy->policy_id);
	gate->book = pa_book_open(policy);
	pa_record_states_if_due(gate->book);
	question = pa_central_question(&gate->book->domain, epsilon);
	question->number = gate->book->question + 1;
	question->charge_id = charge_id;
	admission = pa_admit(policy, gate->book, question);
	question->everybody_new = admission.admitted[0];
	answered = collect(gate->book, &admission);
	bear(gate->book, question, &answered);
	pa_book_unlock(policy->policy_id);

	if (answered.count < gate->book->nowners)
		ereport(NOTICE,
				errmsg("%d of %d owners who were asked before are left out of the release",
					   gate->book->nowners - answered.count, gate->book->nowners),
				errdetail("Their budgets cannot bear its epsilon of %g.", epsilon));
	gate->owner_type = policy->owner_type;
	gate->everybody_new = question->everybody_new;
	gate->answered = answered.answered;
	gate->answered_bytes = answered.answered_bytes;
	gate->admitted = answered.count;
	gate->known = gate->book->nowners;
	return gate;
}

static bool
gate_admits(const void *opaque, Datum owner)
{
	const CentralGate *gate = opaque;
	int			number = pa_book_find(gate->book, pa_book_key(gate->book, gate->owner_type, owner));

	return number < 0 ? gate->everybody_new : pa_bit(gate->answered, gate->answered_bytes, number);
}

static void
gate_owners(const void *opaque, int64 *admitted, int64 *known)
{
	const CentralGate *gate = opaque;

	*admitted = gate->admitted;
	*known = gate->known;
}

void
pa_owner_gate_init(void)
{
	static const PaOwnerGate gate = {bearers, require_able, open_gate, gate_admits, gate_owners};

	pa_owner_gate = &gate;
}
