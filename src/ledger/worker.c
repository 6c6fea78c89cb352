/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worker.c
 *		The life of a ledger worker.
 *
 *	 enter		become the one worker of the database, or leave at once
 *	 connect	as the bootstrap superuser, which no analyst can signal
 *	 serve		take all pending requests, charge them, sleep, repeat
 *	 retire		idle for privacct.worker_idle_timeout: make room for DROP DATABASE
 *
 * The callback that answers its clients and gives the place back is installed
 * before anything can fail and runs last, when the worker's transaction has
 * been rolled back and its locks are released.
 */
#include "postgres.h"

#include <signal.h>

#include "access/xact.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "catalog/by_hand.h"
#include "ledger/batch.h"
#include "ledger/loss.h"
#include "ledger/queue.h"
#include "ledger/sum.h"
#include "ledger/transaction.h"

/* Settings of the server, database or role that must not reach the ledger. */
static const struct
{
	const char *name;
	const char *value;
}			own_settings[] =
{
	{"search_path", ""},
	{"default_transaction_read_only", "off"},
	{"default_transaction_isolation", "read committed"},
	{"default_transaction_deferrable", "off"},
	{"session_replication_role", "origin"},
	{"row_security", "off"},
	{"privacct.write_books", "on"},
	{"jit", "off"},
	{"gin_fuzzy_search_limit", "0"},
	/* one row per element, always by primary key, never planned twice */
	{"plan_cache_mode", "force_generic_plan"},
	{"enable_seqscan", "off"},
	{"enable_hashjoin", "off"},
	{"enable_mergejoin", "off"},
};

static void
gone(int code, Datum database)
{
	(void) code;
	pa_queue_worker_gone((PaLedgerDatabase *) DatumGetPointer(database));
}

/*
 * SIGINT comes from lock_timeout or from a superuser.  During a commit it would
 * end the wait for a synchronous standby, after which nobody could tell whether
 * the charge is durable.
 */
static void
handle_interrupt(SIGNAL_ARGS)
{
	if (!pa_ledger_committing)
		StatementCancelHandler(postgres_signal_arg);
}

/* A stronger setting of the server is kept. */
static void
insist_on_synchronous_commit(void)
{
	if (synchronous_commit < SYNCHRONOUS_COMMIT_ON)
		SetConfigOption("synchronous_commit", "on", PGC_USERSET, PGC_S_SESSION);
}

static void
adopt_settings(void)
{
	/* who waits for a lock must give up before the clients do, so that they learn that nothing was charged */
	int			lock_timeout = Max(pa_ledger_timeout / 10 * 3, 1);

	SetConfigOption("lock_timeout", psprintf("%d", lock_timeout), PGC_SUSET, PGC_S_OVERRIDE);
	for (int i = 0; i < (int) lengthof(own_settings); i++)
		SetConfigOption(own_settings[i].name, own_settings[i].value, PGC_SUSET, PGC_S_OVERRIDE);
	pa_by_hand_never();
	insist_on_synchronous_commit();
	if (!pa_ledger_storage_is_durable())
		ereport(WARNING,
				(errmsg("the ledger of privacct is kept on storage that is not durable"),
				 errdetail("A crash can undo charges while fsync or full_page_writes is off.")));
}

static void
handle_pending_signals(void)
{
	CHECK_FOR_INTERRUPTS();
	if (ConfigReloadPending)
	{
		ConfigReloadPending = false;
		ProcessConfigFile(PGC_SIGHUP);
		insist_on_synchronous_commit();
	}
}

/* How long nothing is charged before the worker does what can wait. */
#define SUM_AFTER_MS 20

static long
idle_time_left(TimestampTz idle_since)
{
	TimestampTz until = TimestampTzPlusMilliseconds(idle_since, pa_ledger_idle_timeout);

	return TimestampDifferenceMilliseconds(GetCurrentTimestamp(), until);
}

/* Charges what is pending; false if nothing was. */
static bool
work(PaLedgerDatabase *database, PaLedgerSlot **slots)
{
	int			count = pa_queue_take(database, slots);

	if (count == 0)
		return false;
	pgstat_report_activity(STATE_RUNNING, "charging releases");
	pa_batch_run(slots, count);
	pa_sum_follow(false);
	pa_loss_note();
	pgstat_report_activity(STATE_IDLE, NULL);
	(void) pgstat_report_stat(false);
	return true;
}

/* What can wait, and when. */
static long
time_until_spare_work(void)
{
	return pa_sum_is_wanted() ? SUM_AFTER_MS : pa_loss_wait();
}

static void
do_spare_work(void)
{
	if (pa_sum_is_wanted())
		pa_sum_follow(true);
	else if (pa_loss_wait() >= 0)
		pa_loss_follow();
}

static void
serve(PaLedgerDatabase *database)
{
	PaLedgerSlot **slots = palloc(pa_ledger_queue_size * sizeof(PaLedgerSlot *));
	TimestampTz idle_since = GetCurrentTimestamp();

	for (;;)
	{
		long		left;
		long		spare;

		handle_pending_signals();
		if (work(database, slots))
		{
			idle_since = GetCurrentTimestamp();
			continue;
		}
		left = idle_time_left(idle_since);
		if (left <= 0 && pa_queue_retire(database))
			break;
		spare = time_until_spare_work();
		if (spare >= 0)
			left = Min(left, spare);
		if (WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, left, PG_WAIT_EXTENSION) & WL_TIMEOUT)
			do_spare_work();
		ResetLatch(MyLatch);
	}
}

/* What is to be done once after pg_upgrade. */
static void
follow_server(void *nothing)
{
	pa_ledger_begin_query();
	(void) SPI_execute("SELECT privacct._follow_server()", false, 0);
	pa_ledger_end_query();
}

void
pa_ledger_worker_main(Datum dboid)
{
	PaLedgerDatabase *database;

	if (pa_ledger_shared == NULL)
		proc_exit(1);
	database = pa_queue_enter(DatumGetObjectId(dboid));
	if (database == NULL)
		proc_exit(0);
	before_shmem_exit(gone, PointerGetDatum(database));

	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, die);
	pqsignal(SIGINT, handle_interrupt);
	BackgroundWorkerUnblockSignals();
	BackgroundWorkerInitializeConnectionByOid(DatumGetObjectId(dboid), InvalidOid, 0);

	adopt_settings();
	pa_batch_init(pa_ledger_queue_size);
	(void) pa_ledger_try(follow_server, NULL);
	pa_queue_serve(database);
	serve(database);
	(void) pgstat_report_stat(true);
	proc_exit(0);
}
