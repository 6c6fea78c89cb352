/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue.c
 *		The slots and the list of workers in shared memory; see queue.h for the
 *		states and for who may change what.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/timestamp.h"

#include "ledger/queue.h"

/*
 * A worker that has not entered itself this long after it was asked for is
 * taken for lost (the postmaster could not fork it) and asked for again.
 */
#define PA_LAUNCH_PATIENCE_MS 2000

PaLedgerShared *pa_ledger_shared = NULL;

Size
pa_queue_shmem_size(void)
{
	return add_size(offsetof(PaLedgerShared, slots),
					mul_size(pa_ledger_queue_size, sizeof(PaLedgerSlot)));
}

static void
initialise(PaLedgerShared *shared)
{
	memset(shared, 0, pa_queue_shmem_size());
	shared->lock = &GetNamedLWLockTranche("privacct_ledger")->lock;
	ConditionVariableInit(&shared->freed);
	dlist_init(&shared->free);
	for (int i = 0; i < PA_LEDGER_DATABASES; i++)
	{
		dlist_init(&shared->databases[i].pending);
		dlist_init(&shared->databases[i].taken);
	}
	for (int i = 0; i < pa_ledger_queue_size; i++)
		dlist_push_tail(&shared->free, &shared->slots[i].node);
}

void
pa_queue_shmem_startup(void)
{
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	pa_ledger_shared = ShmemInitStruct("privacct ledger", pa_queue_shmem_size(), &found);
	if (!found)
		initialise(pa_ledger_shared);
	LWLockRelease(AddinShmemInitLock);
}

static void
lock_queue(void)
{
	LWLockAcquire(pa_ledger_shared->lock, LW_EXCLUSIVE);
}

static void
unlock_queue(void)
{
	LWLockRelease(pa_ledger_shared->lock);
}

/* Caller holds the lock and has taken the slot off its list. */
static void
free_slot(PaLedgerSlot *slot)
{
	slot->state = PA_SLOT_FREE;
	slot->database = NULL;
	slot->client = NULL;
	dlist_push_head(&pa_ledger_shared->free, &slot->node);
}

/* Caller holds the lock. */
static bool
launch_is_overdue(const PaLedgerDatabase *database)
{
	return database->worker == PA_WORKER_STARTING &&
		TimestampDifferenceExceeds(database->asked_at, GetCurrentTimestamp(),
								   PA_LAUNCH_PATIENCE_MS);
}

/* No worker, none expected, and nobody waits for one.  Caller holds the lock. */
static bool
entry_is_unused(PaLedgerDatabase *database)
{
	return database->pid == 0 &&
		dlist_is_empty(&database->pending) && dlist_is_empty(&database->taken) &&
		(database->worker == PA_WORKER_NONE || launch_is_overdue(database));
}

/* Caller holds the lock. */
static PaLedgerDatabase *
find_database(Oid dboid)
{
	for (int i = 0; i < PA_LEDGER_DATABASES; i++)
	{
		if (pa_ledger_shared->databases[i].dboid == dboid)
			return &pa_ledger_shared->databases[i];
	}
	return NULL;
}

/* Caller holds the lock.  NULL if the table is full of busy databases. */
static PaLedgerDatabase *
find_or_add_database(Oid dboid)
{
	PaLedgerDatabase *database = find_database(dboid);

	if (database != NULL)
		return database;
	for (int i = 0; i < PA_LEDGER_DATABASES; i++)
	{
		database = &pa_ledger_shared->databases[i];
		if (entry_is_unused(database))
		{
			database->dboid = dboid;
			database->worker = PA_WORKER_NONE;
			return database;
		}
	}
	return NULL;
}

/* Caller holds the lock; there is a free slot. */
static PaLedgerSlot *
fill_slot(PaLedgerDatabase *database, const PaChargeRequest *request)
{
	PaLedgerSlot *slot = dlist_container(PaLedgerSlot, node,
										 dlist_pop_head_node(&pa_ledger_shared->free));

	slot->state = PA_SLOT_PENDING;
	slot->database = database;
	slot->client = &MyProc->procLatch;
	memcpy(&slot->request, request, sizeof(PaChargeRequest));
	slot->request.detail[PA_LEDGER_DETAIL - 1] = '\0';
	dlist_push_tail(&database->pending, &slot->node);
	return slot;
}

PaSubmit
pa_queue_submit(const PaChargeRequest *request, PaLedgerSlot **slot)
{
	PaLedgerDatabase *database;
	Latch	   *worker = NULL;
	PaSubmit	outcome = PA_SUBMIT_OK;

	lock_queue();
	if (dlist_is_empty(&pa_ledger_shared->free))
		outcome = PA_SUBMIT_FULL;
	else if ((database = find_or_add_database(MyDatabaseId)) == NULL)
		outcome = PA_SUBMIT_DATABASES;
	else
	{
		*slot = fill_slot(database, request);
		worker = database->latch;
	}
	unlock_queue();
	if (worker != NULL)
		SetLatch(worker);
	return outcome;
}

/*
 * The client that is told to launch has the database's entry marked as
 * STARTING, so that of many waiting clients only one asks the postmaster.
 */
PaProgress
pa_queue_look(PaLedgerSlot *slot)
{
	PaProgress	progress = PA_PROGRESS_WAIT;

	lock_queue();
	if (slot->state == PA_SLOT_ANSWERED)
		progress = PA_PROGRESS_ANSWERED;
	else if (slot->database->worker == PA_WORKER_NONE || launch_is_overdue(slot->database))
	{
		slot->database->worker = PA_WORKER_STARTING;
		slot->database->asked_at = GetCurrentTimestamp();
		progress = PA_PROGRESS_LAUNCH;
	}
	unlock_queue();
	return progress;
}

void
pa_queue_launch_failed(PaLedgerSlot *slot)
{
	lock_queue();
	if (slot->state == PA_SLOT_PENDING && slot->database->worker == PA_WORKER_STARTING)
		slot->database->worker = PA_WORKER_NONE;
	unlock_queue();
}

bool
pa_queue_leave(PaLedgerSlot *slot)
{
	bool		maybe_charged;
	bool		freed = true;

	lock_queue();
	maybe_charged = slot->state != PA_SLOT_PENDING;
	if (slot->state == PA_SLOT_TAKEN)
	{
		slot->state = PA_SLOT_ABANDONED;
		freed = false;
	}
	else
	{
		if (slot->state == PA_SLOT_PENDING)
			dlist_delete(&slot->node);
		free_slot(slot);
	}
	unlock_queue();
	if (freed)
		ConditionVariableSignal(&pa_ledger_shared->freed);
	return maybe_charged;
}

/*
 * Makes this process the worker of the database, or returns NULL if there is
 * one already or if nobody wants one any more.
 */
PaLedgerDatabase *
pa_queue_enter(Oid dboid)
{
	PaLedgerDatabase *database;

	lock_queue();
	database = find_database(dboid);
	if (database != NULL && database->pid == 0)
	{
		database->pid = MyProcPid;
		database->latch = &MyProc->procLatch;
		database->worker = PA_WORKER_ENTERED;
	}
	else
		database = NULL;
	unlock_queue();
	return database;
}

void
pa_queue_serve(PaLedgerDatabase *database)
{
	lock_queue();
	database->worker = PA_WORKER_SERVING;
	unlock_queue();
}

/* Takes all pending slots, in order of arrival, and returns their number. */
int
pa_queue_take(PaLedgerDatabase *database, PaLedgerSlot **slots)
{
	int			count = 0;

	lock_queue();
	while (!dlist_is_empty(&database->pending))
	{
		dlist_node *node = dlist_pop_head_node(&database->pending);
		PaLedgerSlot *slot = dlist_container(PaLedgerSlot, node, node);

		slot->state = PA_SLOT_TAKEN;
		dlist_push_tail(&database->taken, node);
		slots[count++] = slot;
	}
	unlock_queue();
	return count;
}

bool
pa_queue_is_abandoned(PaLedgerSlot *slot)
{
	bool		abandoned;

	lock_queue();
	abandoned = slot->state == PA_SLOT_ABANDONED;
	unlock_queue();
	return abandoned;
}

/*
 * Caller holds the lock.  Publishes the answer that stands in a taken slot and
 * returns the latch to set, or NULL if the client has left.
 */
static Latch *
publish(PaLedgerSlot *slot)
{
	dlist_delete(&slot->node);
	if (slot->state == PA_SLOT_ABANDONED)
	{
		free_slot(slot);
		return NULL;
	}
	slot->state = PA_SLOT_ANSWERED;
	return slot->client;
}

/*
 * Publishes the answers in the slots.  "clients" is room for as many latches:
 * they are set after the lock was given back, when the slots are no longer
 * ours to look at.
 */
void
pa_queue_answer(PaLedgerSlot **slots, Latch **clients, int count)
{
	lock_queue();
	for (int i = 0; i < count; i++)
		clients[i] = publish(slots[i]);
	unlock_queue();
	for (int i = 0; i < count; i++)
	{
		if (clients[i] != NULL)
			SetLatch(clients[i]);
		else
			ConditionVariableSignal(&pa_ledger_shared->freed);
	}
}

/* Caller holds the lock. */
static void
strike_out(PaLedgerDatabase *database)
{
	database->pid = 0;
	database->latch = NULL;
	database->worker = PA_WORKER_NONE;
}

/* Strikes the worker out unless there is work; true if it has to go. */
bool
pa_queue_retire(PaLedgerDatabase *database)
{
	bool		idle;

	lock_queue();
	idle = dlist_is_empty(&database->pending) && dlist_is_empty(&database->taken);
	if (idle)
		strike_out(database);
	unlock_queue();
	return idle;
}

/* Caller holds the lock. */
static void
answer_list(dlist_head *list, PaVerdict verdict)
{
	while (!dlist_is_empty(list))
	{
		PaLedgerSlot *slot = dlist_head_element(PaLedgerSlot, node, list);
		Latch	   *client;

		slot->answer.verdict = verdict;
		client = publish(slot);
		if (client != NULL)
			SetLatch(client);
	}
}

/*
 * Called as the worker's process ends, however it ends.  What it had taken may
 * or may not have been committed.  What is still pending was not touched: it
 * waits for the next worker, unless this one never came to serve, for then the
 * next one would hardly fare better.
 */
void
pa_queue_worker_gone(PaLedgerDatabase *database)
{
	lock_queue();
	if (database->pid == MyProcPid)
	{
		dlist_iter	iter;

		answer_list(&database->taken, PA_VERDICT_WORKER_LOST);
		if (database->worker != PA_WORKER_SERVING)
			answer_list(&database->pending, PA_VERDICT_NO_WORKER);
		dlist_foreach(iter, &database->pending)
			SetLatch(dlist_container(PaLedgerSlot, node, iter.cur)->client);
		strike_out(database);
	}
	unlock_queue();
	ConditionVariableBroadcast(&pa_ledger_shared->freed);
}
