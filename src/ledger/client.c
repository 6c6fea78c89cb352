/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * client.c
 *		The client's side of a charge.
 *
 * The client puts its request into the queue, sees to it that a worker runs,
 * and sleeps on its own latch until the worker has answered.  It takes no lock
 * but the queue's and writes nothing, so it may be in a read-only, serializable
 * or parallel-mode transaction, in a subtransaction, and may hold any locks.
 *
 * However the wait ends (answer, cancel, timeout, termination), the slot is
 * given up exactly once.  A request that no worker has taken yet is withdrawn
 * and costs nothing; one that was taken counts as charged.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "tcop/utility.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "catalog/subscription.h"
#include "quiet/delay.h"
#include "errors.h"
#include "ledger/queue.h"

/* How long to go on asking for a worker when the postmaster has no place. */
#define PA_LAUNCH_RETRY_MS 1000
#define PA_LAUNCH_PAUSE_MS 50

/*
 * How often to ask again while somebody changes the policy, for three tenths of
 * the timeout.  It is asked anew each time, so that those who wait leave no less
 * room in the queue.
 */
#define PA_HELD_PAUSE_MS 20

/*
 * The worker wakes us; looking up by ourselves now and then is for the rare
 * cases in which nobody does (a worker that could not be forked).
 */
#define PA_LOOK_MS 500

/* What the cleanup has to give up. */
typedef struct PaClaim
{
	PaLedgerSlot *slot;			/* NULL: nothing */
	TimestampTz deadline;
	TimestampTz launch_until;
} PaClaim;

static int	closed = 0;			/* by how many who look without asking */

void
pa_ledger_close(void)
{
	closed++;
}

void
pa_ledger_reopen(void)
{
	closed--;
}

void
pa_ledger_require_open(void)
{
	if (closed > 0)
		ereport(ERROR,
				(errcode(ERRCODE_PA_REFUSED),
				 errmsg("a preview executes no query on a protected table"),
				 errdetail("A function that is called while the query is planned asks a protected table."),
				 errhint("Leave the function out of the text that is previewed.")));
}

static void
check_service(void)
{
	pa_ledger_require_open();
	PreventCommandDuringRecovery("a guarded query");
	if (IsBinaryUpgrade)
		ereport(ERROR,
				(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
				 errmsg("the ledger is not available during an upgrade"),
				 errhint("Ask again when pg_upgrade is done.")));
	if (IsParallelWorker())
		ereport(ERROR,
				(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
				 errmsg("a release cannot be charged in a parallel worker"),
				 errdetail("A function that is declared PARALLEL SAFE asks a protected table, and the query was planned with parallel workers."),
				 errhint("Declare the function PARALLEL UNSAFE, or ask the protected table directly.")));
	if (pa_books_are_subscribed())
		ereport(ERROR,
				(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
				 errmsg("the ledger is kept by another server"),
				 errdetail("A subscription writes to the tables of the extension. Charges made here would be unknown to its publisher."),
				 errhint("Ask the publisher, or leave the schema privacct out of the publication.")));
	if (pa_ledger_require_durable && !pa_ledger_storage_is_durable())
		ereport(ERROR,
				(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
				 errmsg("the ledger is not available on storage that is not durable"),
				 errdetail("A crash could undo charges, because %s is off.",
						   enableFsync ? "full_page_writes" : "fsync"),
				 errhint("Set fsync and full_page_writes to on, or, where losing the ledger in a crash is acceptable, privacct.require_durable_storage to off.")));
}

static void
give_up(PaClaim *claim)
{
	PaLedgerSlot *slot = claim->slot;

	claim->slot = NULL;
	if (slot != NULL)
		(void) pa_queue_leave(slot);
}

static void
give_up_callback(int code, Datum claim)
{
	(void) code;
	give_up((PaClaim *) DatumGetPointer(claim));
}

/* Sleeps until a slot is free and puts the request into it. */
static void
submit(PaClaim *claim, const PaChargeRequest *request)
{
	PaLedgerSlot *slot = NULL;
	PaSubmit	outcome;

	while ((outcome = pa_queue_submit(request, &slot)) == PA_SUBMIT_FULL)
	{
		long		left = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), claim->deadline);

		if (left <= 0)
			ereport(ERROR,
					(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
					 errmsg("the ledger is busy"),
					 errdetail("No place in the queue became free within privacct.ledger_timeout; nothing was charged."),
					 errhint("Try again later, or raise privacct.queue_size or privacct.ledger_timeout.")));
		(void) ConditionVariableTimedSleep(&pa_ledger_shared->freed, left, PG_WAIT_EXTENSION);
	}
	claim->slot = slot;
	ConditionVariableCancelSleep();
	if (outcome == PA_SUBMIT_DATABASES)
		ereport(ERROR,
				(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
				 errmsg("the ledger is busy"),
				 errdetail("Charges are being made in %d other databases of this server.",
						   PA_LEDGER_DATABASES),
				 errhint("Try again later.")));
}

/* Asks for a worker; false if that failed and should be tried again. */
static bool
launch(PaClaim *claim)
{
	if (pa_ledger_launch(MyDatabaseId))
		return true;
	pa_queue_launch_failed(claim->slot);
	if (GetCurrentTimestamp() >= claim->launch_until)
		ereport(ERROR,
				(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
				 errmsg("the ledger worker could not be started"),
				 errdetail("All background worker slots are in use; nothing was charged."),
				 errhint("Raise max_worker_processes and privacct.reserved_workers.")));
	return false;
}

static void
fail_by_timeout(PaClaim *claim)
{
	PaLedgerSlot *slot = claim->slot;
	bool		maybe_charged;

	claim->slot = NULL;
	maybe_charged = pa_queue_leave(slot);
	ereport(ERROR,
			(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
			 errmsg("the ledger did not answer in time"),
			 maybe_charged ?
			 errdetail("The release may have been charged; nothing was released.") :
			 errdetail("Nothing was charged and nothing was released."),
			 errhint("Try again later, or raise privacct.ledger_timeout.")));
}

static void
await_answer(PaClaim *claim)
{
	PaProgress	progress;

	while ((progress = pa_queue_look(claim->slot)) != PA_PROGRESS_ANSWERED)
	{
		long		patience = PA_LOOK_MS;
		long		left = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), claim->deadline);

		if (left <= 0)
			fail_by_timeout(claim);
		if (progress == PA_PROGRESS_LAUNCH && !launch(claim))
			patience = PA_LAUNCH_PAUSE_MS;
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
						 Min(left, patience), PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
}

static void
obtain_answer(const PaChargeRequest *request, PaChargeAnswer *answer)
{
	PaClaim		claim = {0};

	pa_delay_show();			/* what the worker commits is seen by others */
	claim.deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), pa_ledger_timeout);
	claim.launch_until = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), PA_LAUNCH_RETRY_MS);

	PG_ENSURE_ERROR_CLEANUP(give_up_callback, PointerGetDatum(&claim));
	{
		submit(&claim, request);
		await_answer(&claim);
		*answer = claim.slot->answer;
		give_up(&claim);
	}
	PG_END_ENSURE_ERROR_CLEANUP(give_up_callback, PointerGetDatum(&claim));
}

/* Whether to ask again for a charge to a policy that is held; waits a little. */
static bool
wait_for_policy(TimestampTz until)
{
	long		left = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), until);

	if (left <= 0)
		return false;
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
					 Min(left, PA_HELD_PAUSE_MS), PG_WAIT_EXTENSION);
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
	return true;
}

/* Waits for a policy that is held, for a while. */
static void
ask(const PaChargeRequest *request, PaChargeAnswer *answer)
{
	TimestampTz until = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), Max(pa_ledger_timeout / 10 * 3, 1));

	do
		obtain_answer(request, answer);
	while (answer->verdict == PA_VERDICT_HELD && wait_for_policy(until));
}

int64
pa_ledger_charge(const PaChargeRequest *request)
{
	PaChargeRequest aligned;	/* the caller's may come from palloc */
	PaChargeAnswer answer;

	memcpy(&aligned, request, sizeof(aligned));
	check_service();
	ask(&aligned, &answer);
	if (answer.verdict != PA_VERDICT_CHARGED)
		pa_ledger_refuse(&aligned, &answer);
	return answer.charge_id;
}

/*
 * What is refused here was refused between waits, where nothing is held but the slot, which
 * is given up by then: so there is no subtransaction to end, which a parallel query could
 * not begin.  Whatever else goes wrong is passed on.
 */
static bool
try_to(void (*obtain) (const PaChargeRequest *request, PaChargeAnswer *answer), const PaChargeRequest *request)
{
	PaChargeAnswer answer = {.verdict = PA_VERDICT_FAILED};
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		obtain(request, &answer);
	}
	PG_CATCH();
	{
		if (geterrcode() != ERRCODE_PA_LEDGER_UNAVAILABLE)
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		FlushErrorState();
		answer.verdict = PA_VERDICT_FAILED;
	}
	PG_END_TRY();
	return answer.verdict == PA_VERDICT_CHARGED;
}

bool
pa_ledger_try_charge(const PaChargeRequest *request)
{
	PaChargeRequest aligned;

	memcpy(&aligned, request, sizeof(aligned));
	return try_to(ask, &aligned);
}

void
pa_ledger_offer_rows(int64 policy_id, dsm_handle rows)
{
	PaChargeRequest request = {.policy_id = policy_id,.rows = rows};

	(void) try_to(obtain_answer, &request);
}

void
pa_ledger_write_rows(int64 policy_id, dsm_handle rows)
{
	PaChargeRequest request = {.policy_id = policy_id,.rows = rows};

	(void) pa_ledger_charge(&request);
}
