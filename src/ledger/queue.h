/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue.h
 *		The shared memory between the clients of the ledger and its workers.
 *
 * A client owns at most one slot and walks it through these states; every
 * change is made under PaLedgerShared.lock, which is held for a few dozen
 * instructions and never over SQL, a wait or an ereport.
 *
 *	 FREE --client submits--> PENDING --worker takes--> TAKEN
 *	 TAKEN --worker answers--> ANSWERED --client fetches--> FREE
 *	 PENDING --client leaves--> FREE			(withdrawn: never charged)
 *	 TAKEN --client leaves--> ABANDONED --worker answers--> FREE
 *
 * The request of a slot is written by the client before PENDING and read-only
 * until FREE; the answer is written by the worker while TAKEN or ABANDONED and
 * by nobody else, so that both are read without the lock.
 *
 * A database has at most one worker that is entitled to take slots: the one
 * whose pid stands in its entry.  A worker enters itself when it starts and
 * only if the place is empty, and strikes itself out, under the lock, before
 * it goes; so a surplus start is harmless and a client that finds the place
 * empty knows that it has to start one.
 */
#ifndef PA_LEDGER_QUEUE_H
#define PA_LEDGER_QUEUE_H

#include "compat/version.h"

#include "datatype/timestamp.h"
#include "lib/ilist.h"
#include "storage/condition_variable.h"
#include "storage/latch.h"
#include "storage/lwlock.h"

#include "ledger/ledger.h"

#define PA_LEDGER_DATABASES 64

typedef enum PaVerdict
{
	PA_VERDICT_CHARGED,
	PA_VERDICT_QUOTA_EXHAUSTED, /* the payer's quota cannot bear it */
	PA_VERDICT_CAP_EXHAUSTED,	/* the policy's cap cannot bear it */
	PA_VERDICT_NO_POLICY,		/* the policy is closed or was never there */
	PA_VERDICT_NO_QUOTA,		/* the payer was granted nothing */
	PA_VERDICT_TOO_CHEAP,		/* it costs less than the policy wants by now */
	PA_VERDICT_SLOT_EXHAUSTED,	/* a slot of the plan has too few uses left, or is not there any more */
	PA_VERDICT_MISMATCH,		/* slots without a plan, or a plan without slots */
	PA_VERDICT_HELD,			/* somebody is changing the policy: not charged */
	PA_VERDICT_STALE,			/* rows: another question was recorded meanwhile */
	PA_VERDICT_INCOMPLETE,		/* an account, or what it stands on, is missing */
	PA_VERDICT_UNREADABLE,		/* caps or sums are no amounts */
	PA_VERDICT_FAILED,			/* rolled back: not charged */
	PA_VERDICT_NO_WORKER,		/* the worker could not start: not charged */
	PA_VERDICT_WORKER_LOST		/* charged or not, nobody can tell */
} PaVerdict;

typedef struct PaChargeAnswer
{
	PaVerdict	verdict;
	int			sqlstate;		/* FAILED: what the transaction died of */
	int64		charge_id;		/* CHARGED */
	PaAccountant accountant;	/* CAP_ and QUOTA_EXHAUSTED: which parts are guarded */
	PaCost		left;			/* CAP_ and QUOTA_EXHAUSTED: the smaller of quota and cap */
	PaSlotUses	short_of;		/* SLOT_EXHAUSTED: the slot, and the uses that it has left */
} PaChargeAnswer;

typedef enum PaSlotState
{
	PA_SLOT_FREE,
	PA_SLOT_PENDING,
	PA_SLOT_TAKEN,
	PA_SLOT_ABANDONED,
	PA_SLOT_ANSWERED
} PaSlotState;

typedef enum PaWorkerState
{
	PA_WORKER_NONE,
	PA_WORKER_STARTING,			/* a client has asked the postmaster for one */
	PA_WORKER_ENTERED,			/* pid and latch are valid, connecting */
	PA_WORKER_SERVING
} PaWorkerState;

typedef struct PaLedgerDatabase
{
	Oid			dboid;			/* InvalidOid: never used */
	PaWorkerState worker;
	TimestampTz asked_at;		/* STARTING: since when */
	int			pid;			/* 0: nobody is entitled to take slots */
	Latch	   *latch;			/* of that worker */
	dlist_head	pending;		/* slots, in order of arrival */
	dlist_head	taken;			/* TAKEN and ABANDONED slots */
} PaLedgerDatabase;

typedef struct PaLedgerSlot
{
	dlist_node	node;			/* in free, pending or taken; ANSWERED: none */
	PaSlotState state;
	PaLedgerDatabase *database;
	Latch	   *client;
	PaChargeRequest request;
	PaChargeAnswer answer;
} PaLedgerSlot;

typedef struct PaLedgerShared
{
	LWLock	   *lock;			/* protects everything below but the condition */
	ConditionVariable freed;	/* signalled whenever a slot becomes FREE */
	dlist_head	free;
	PaLedgerDatabase databases[PA_LEDGER_DATABASES];
	PaLedgerSlot slots[FLEXIBLE_ARRAY_MEMBER];
} PaLedgerShared;

/* What a client learns when it looks at its slot. */
typedef enum PaProgress
{
	PA_PROGRESS_WAIT,
	PA_PROGRESS_LAUNCH,			/* wait, but start a worker first */
	PA_PROGRESS_ANSWERED
} PaProgress;

typedef enum PaSubmit
{
	PA_SUBMIT_OK,
	PA_SUBMIT_FULL,				/* no slot is free: sleep on "freed" */
	PA_SUBMIT_DATABASES			/* no room for one more database */
} PaSubmit;

extern PGDLLIMPORT PaLedgerShared *pa_ledger_shared;

/* init.c */
extern int	pa_ledger_queue_size;
extern int	pa_ledger_timeout;
extern int	pa_ledger_idle_timeout;
extern int	pa_ledger_reserved_workers;
extern bool pa_ledger_require_durable;
extern bool pa_ledger_storage_is_durable(void);

/* queue.c, postmaster */
extern Size pa_queue_shmem_size(void);
extern void pa_queue_shmem_startup(void);

/* queue.c, clients */
extern PaSubmit pa_queue_submit(const PaChargeRequest *request, PaLedgerSlot **slot);
extern PaProgress pa_queue_look(PaLedgerSlot *slot);
extern void pa_queue_launch_failed(PaLedgerSlot *slot);

/* Gives the slot up in whatever state it is; true if it may be charged. */
extern bool pa_queue_leave(PaLedgerSlot *slot);

/* queue.c, workers */
extern PaLedgerDatabase *pa_queue_enter(Oid dboid);
extern void pa_queue_serve(PaLedgerDatabase *database);
extern int	pa_queue_take(PaLedgerDatabase *database, PaLedgerSlot **slots);
extern bool pa_queue_is_abandoned(PaLedgerSlot *slot);
extern void pa_queue_answer(PaLedgerSlot **slots, Latch **clients, int count);
extern bool pa_queue_retire(PaLedgerDatabase *database);
extern void pa_queue_worker_gone(PaLedgerDatabase *database);

/* launch.c: asks the postmaster for a worker; false if it has no place left. */
extern bool pa_ledger_launch(Oid dboid);

/* reserve.c: parallel queries leave places to workers; called when the settings are defined. */
extern void pa_reserve_init(void);

/* refusal.c: turns any verdict but CHARGED into an error. */
extern void pa_ledger_refuse(const PaChargeRequest *request,
							 const PaChargeAnswer *answer) PA_NORETURN;

/*
 * worker.c: entry point of the background worker, argument: the database.  The
 * postmaster's children look it up by name, so it must not be hidden.
 */
extern __attribute__((visibility("default"))) void pa_ledger_worker_main(Datum dboid);

#endif							/* PA_LEDGER_QUEUE_H */
