/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch.c
 *		One transaction for all requests that wait: the group commit.
 *
 *	 1.	begin, and lock out any other worker of the database; set aside the
 *		requests on policies that somebody holds (catalog/charge_lock.h), and keep
 *		who wants to hold one of the others waiting;
 *	 2.	write rows of those that want some written, if no question came between, and
 *		read caps and sums, with snapshots taken under these locks;
 *	 3.	decide in order of arrival: the cost is not below the policy's least price,
 *		and the policy's account and the payer's both admit it, or, under a plan,
 *		every slot has the uses left; what is admitted is charged before the next request is
 *		looked at;
 *		(of a local policy, whose cap holds for each owner, the payer's alone; a
 *		release about some owners raises what a pufferfish policy has spent by
 *		what it adds to the owner charged most);
 *	 4.	write the admitted charges and the new sums, commit, wait for the disk
 *		(and for synchronous standbys);
 *	 5.	only then publish the answers.
 *
 * If the transaction fails, nothing of it was charged, so it may be tried
 * again: one request at a time, lest one that cannot be written takes the
 * others with it.  An error after the commit record was written does not come
 * back here (it is a PANIC), so nothing is ever charged twice.
 */
#include "postgres.h"

#include <signal.h>

#include "access/xact.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "catalog/charge_lock.h"
#include "catalog/price.h"
#include "ledger/batch.h"
#include "ledger/owners.h"
#include "ledger/store.h"
#include "ledger/sum.h"
#include "ledger/transaction.h"


static PaAccounts *accounts;
static PaPurse **purse_of;		/* per slot of the batch */
static PaLedgerSlot **admitted;	/* whose policies nobody holds */
static PaLedgerSlot **charged;
static Latch **clients;

void
pa_batch_init(int n)
{
	MemoryContext previous = MemoryContextSwitchTo(TopMemoryContext);

	accounts = pa_store_create(n);
	purse_of = palloc(n * sizeof(PaPurse *));
	admitted = palloc(n * sizeof(PaLedgerSlot *));
	charged = palloc(n * sizeof(PaLedgerSlot *));
	clients = palloc(n * sizeof(Latch *));
	MemoryContextSwitchTo(previous);
}

static bool
is_for(const PaPurse *purse, const PaChargeRequest *request)
{
	return purse->policy_id == request->policy_id && purse->payer == request->payer &&
		purse->request->ntables == request->ntables &&
		memcmp(purse->request->tables, request->tables, request->ntables * sizeof(int64)) == 0;
}

static PaPurse *
find_or_add_purse(const PaChargeRequest *request)
{
	PaPurse    *purse;

	for (int i = 0; i < accounts->npurses; i++)
	{
		purse = &accounts->purses[i];
		if (is_for(purse, request))
			return purse;
	}
	purse = &accounts->purses[accounts->npurses++];
	memset(purse, 0, sizeof(PaPurse));
	purse->policy_id = request->policy_id;
	purse->payer = request->payer;
	purse->request = request;
	return purse;
}

/*
 * "added" is what the batch will add to the sums in the table: all of the cost,
 * though it may raise what is spent by less (owners.h).
 */
static void
charge_line(PaLine *line, const PaCost *cost, const PaCost *raised)
{
	pa_account_charge(&line->account, raised);
	pa_account_charge(&line->added, cost);
	line->releases++;
}

static PaCost
smaller_cost(PaCost a, PaCost b)
{
	PaCost		smaller;

	smaller.epsilon = Min(a.epsilon, b.epsilon);
	smaller.delta = Min(a.delta, b.delta);
	smaller.rho = Min(a.rho, b.rho);
	return smaller;
}

/* Of the policy's cap, for the owners that the cost is about. */
static PaCost
left_of_total(const PaAccount *total, const PaCost *cost, const PaCost *raised)
{
	PaCost		left = pa_account_left(total);

	left.epsilon += cost->epsilon - raised->epsilon;
	left.delta += cost->delta - raised->delta;
	return left;
}

/* Whether the sums admit the cost, which raises what the policy has spent by "raised". */
static void
decide_by_sums(const PaCost *cost, const PaCost *raised, const PaPurse *purse, PaChargeAnswer *answer)
{
	if (!purse->local && !pa_filter_admits(&purse->total->account, raised))
		answer->verdict = PA_VERDICT_CAP_EXHAUSTED;
	else if (!pa_filter_admits(&purse->quota->account, cost))
		answer->verdict = PA_VERDICT_QUOTA_EXHAUSTED;
	if (answer->verdict == PA_VERDICT_CHARGED)
		return;
	answer->accountant = purse->total->account.accountant;
	answer->left = pa_account_left(&purse->quota->account);
	if (!purse->local)
		answer->left = smaller_cost(left_of_total(&purse->total->account, cost, raised), answer->left);
}

/* The slot of that very plan that this payer may use; NULL if there is none. */
static PaSlotLine *
find_slot(const PaChargeRequest *request, int number)
{
	for (int i = 0; i < accounts->nslots; i++)
	{
		PaSlotLine *line = &accounts->slots[i];

		if (line->policy_id == request->policy_id && line->plan_id == request->plan_id && line->slot == number)
			return line->everybodys || line->role == request->payer ? line : NULL;
	}
	return NULL;
}

static bool
uses_are_valid(const PaChargeRequest *request)
{
	if (request->nuses < 1 || request->nuses > PA_PLAN_SLOTS)
		return false;
	for (int i = 0; i < request->nuses; i++)
		if (request->uses[i].uses < 1)
			return false;
	return true;
}

/* Whether each slot has the uses left; if so they are taken. */
static void
decide_by_slots(const PaChargeRequest *request, PaChargeAnswer *answer)
{
	int			taken;

	if (!uses_are_valid(request))
	{
		answer->verdict = PA_VERDICT_MISMATCH;
		return;
	}
	for (taken = 0; taken < request->nuses; taken++)
	{
		PaSlotLine *line = find_slot(request, request->uses[taken].slot);

		if (line == NULL || line->left < request->uses[taken].uses)
		{
			answer->verdict = PA_VERDICT_SLOT_EXHAUSTED;
			answer->short_of.slot = request->uses[taken].slot;
			answer->short_of.uses = line ? (int) line->left : 0;
			break;
		}
		line->left -= request->uses[taken].uses;
		line->added += request->uses[taken].uses;
	}
	if (answer->verdict == PA_VERDICT_CHARGED)
		return;
	while (taken-- > 0)			/* all of it or nothing */
	{
		PaSlotLine *line = find_slot(request, request->uses[taken].slot);

		line->left += request->uses[taken].uses;
		line->added -= request->uses[taken].uses;
	}
}

/* Whatever mistake makes a price negative, nobody is given anything back. */
static bool
takes_nothing_back(const PaChargeRequest *request)
{
	return request->cost.epsilon >= 0 && request->cost.delta >= 0 && request->cost.rho >= 0;
}

/* Step 3 for one slot: fills its answer; true if it is to be written. */
static bool
decide(PaLedgerSlot *slot, PaPurse *purse)
{
	const PaChargeRequest *request = &slot->request;
	PaChargeAnswer *answer = &slot->answer;
	PaCost		raised;

	memset(answer, 0, sizeof(PaChargeAnswer));
	answer->verdict = purse->verdict;
	if (purse->verdict != PA_VERDICT_CHARGED)
		return false;
	raised = pa_owners_cost(accounts, request, purse->total);

	if (!takes_nothing_back(request))
		answer->verdict = PA_VERDICT_MISMATCH;
	else if (pa_accountant(purse->total->account.accountant)->counts_uses)
		decide_by_slots(request, answer);
	else if (request->nuses != 0)
		answer->verdict = PA_VERDICT_MISMATCH;
	else if (request->is_look && !pa_price_suffices(purse->total->account.accountant, purse->floor, &request->look))
		answer->verdict = PA_VERDICT_TOO_CHEAP;
	else
		decide_by_sums(&request->cost, &raised, purse, answer);
	if (answer->verdict != PA_VERDICT_CHARGED)
		return false;
	charge_line(purse->total, &request->cost, &raised);
	charge_line(purse->quota, &request->cost, &request->cost);
	pa_owners_charge(accounts, request, purse->total, &raised);
	return true;
}

/* Else it wants rows written. */
static bool
is_charge(const PaLedgerSlot *slot)
{
	return slot->request.rows == DSM_HANDLE_INVALID;
}

/*
 * Before anything is read for the charges: rows change accounts, whose places would be others then;
 * and who has read a table, and then waits to write to it, may wait for somebody who rebuilds its indexes.
 */
static void
write_rows(PaLedgerSlot **slots, int count)
{
	for (int i = 0; i < count; i++)
		if (!is_charge(slots[i]))
			pa_store_write_rows(&slots[i]->request, &slots[i]->answer);
}

/* Steps 2 to 4 without the commit. */
static void
check_and_write(PaLedgerSlot **slots, int count)
{
	int			ncharged = 0;

	write_rows(slots, count);
	accounts->npurses = 0;
	for (int i = 0; i < count; i++)
		purse_of[i] = is_charge(slots[i]) ? find_or_add_purse(&slots[i]->request) : NULL;
	if (accounts->npurses > 0)
	{
		pa_store_read(accounts);
		pa_store_read_last(accounts);
	}
	pa_store_read_slots(accounts, slots, count);
	pa_owners_read(accounts, slots, count);
	for (int i = 0; i < count; i++)
	{
		if (purse_of[i] == NULL || !decide(slots[i], purse_of[i]))
			continue;
		slots[i]->answer.charge_id = pa_store_next_id();
		charged[ncharged++] = slots[i];
	}
	if (ncharged > 0)
	{
		pa_store_write(charged, ncharged, accounts);
		pa_owners_write(accounts);
	}
}

/* Step 1: answers those whose policy is held; the others are "admitted". */
static int
set_aside(PaLedgerSlot **slots, int count)
{
	int			nadmitted = 0;

	for (int i = 0; i < count; i++)
	{
		if (pa_enter_policy(slots[i]->request.policy_id))
			admitted[nadmitted++] = slots[i];
		else
			slots[i]->answer = (PaChargeAnswer) {.verdict = PA_VERDICT_HELD};
	}
	return nadmitted;
}

static void
transact(PaLedgerSlot **slots, int count)
{
	int			nadmitted;

	SetCurrentStatementStartTimestamp();
	StartTransactionCommand();
	pa_lock_ledger();
	pa_store_lock();
	nadmitted = set_aside(slots, count);
	SPI_connect();
	PushActiveSnapshot(GetTransactionSnapshot());
	check_and_write(admitted, nadmitted);
	PopActiveSnapshot();
	SPI_finish();
	pa_ledger_commit();
}

/* True if committed; else nothing was charged. */
static bool
try_transact(PaLedgerSlot **slots, int count, int *sqlstate)
{
	MemoryContext context = CurrentMemoryContext;
	volatile bool committed = false;

	PG_TRY();
	{
		transact(slots, count);
		committed = true;
	}
	PG_CATCH();
	{
		*sqlstate = pa_ledger_roll_back(context);
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	return committed;
}

/*
 * A termination that arrives during the commit ends the wait for a synchronous
 * standby: the charge may not be durable there, so the process goes before the
 * answer is published.
 */
static void
publish(PaLedgerSlot **slots, int count)
{
	CHECK_FOR_INTERRUPTS();
	pa_sum_note(slots, count);
	pa_queue_answer(slots, clients, count);
}

static void
fail(PaLedgerSlot **slots, int count, int sqlstate)
{
	for (int i = 0; i < count; i++)
	{
		slots[i]->answer.verdict = PA_VERDICT_FAILED;
		slots[i]->answer.sqlstate = sqlstate;
	}
	publish(slots, count);
}

/* Errors that have nothing to do with a single request. */
static bool
is_everybodys_error(int sqlstate)
{
	return sqlstate == ERRCODE_LOCK_NOT_AVAILABLE ||
		sqlstate == ERRCODE_QUERY_CANCELED ||
		ERRCODE_TO_CATEGORY(sqlstate) == ERRCODE_INSUFFICIENT_RESOURCES ||
		ERRCODE_TO_CATEGORY(sqlstate) == ERRCODE_OPERATOR_INTERVENTION ||
		ERRCODE_TO_CATEGORY(sqlstate) == ERRCODE_SYSTEM_ERROR;
}

/* If nobody waits for it any more it is dropped, and costs nothing. */
static void
retry_alone(PaLedgerSlot *slot)
{
	int			sqlstate = 0;

	if (pa_queue_is_abandoned(slot))
		fail(&slot, 1, ERRCODE_QUERY_CANCELED);
	else if (try_transact(&slot, 1, &sqlstate))
		publish(&slot, 1);
	else
		fail(&slot, 1, sqlstate);
}

void
pa_batch_run(PaLedgerSlot **slots, int count)
{
	int			sqlstate = 0;

	if (try_transact(slots, count, &sqlstate))
		publish(slots, count);
	else if (count == 1 || is_everybodys_error(sqlstate))
		fail(slots, count, sqlstate);
	else
	{
		for (int i = 0; i < count; i++)
			retry_alone(slots[i]);
	}
}
