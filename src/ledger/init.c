/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * init.c
 *		Settings and shared memory of the ledger.
 */
#include "postgres.h"

#include <limits.h>

#include "access/xlog.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/guc.h"

#include "ledger/queue.h"

int			pa_ledger_queue_size = 256;
int			pa_ledger_timeout = 10000;
int			pa_ledger_idle_timeout = 3000;
int			pa_ledger_reserved_workers = 3;
bool		pa_ledger_require_durable = true;

static shmem_request_hook_type previous_shmem_request = NULL;
static shmem_startup_hook_type previous_shmem_startup = NULL;

/* A commit that the kernel or a torn page may undo is no charge. */
bool
pa_ledger_storage_is_durable(void)
{
	return enableFsync && fullPageWrites;
}

static void
request_shmem(void)
{
	if (previous_shmem_request)
		previous_shmem_request();
	RequestAddinShmemSpace(pa_queue_shmem_size());
	RequestNamedLWLockTranche("privacct_ledger", 1);
}

static void
startup_shmem(void)
{
	if (previous_shmem_startup)
		previous_shmem_startup();
	pa_queue_shmem_startup();
}

static void
define_settings(void)
{
	DefineCustomIntVariable("privacct.queue_size",
							"Number of charges that can wait for the ledger at the same time.",
							NULL, &pa_ledger_queue_size, 256, 1, 16384,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.ledger_timeout",
							"How long a guarded query waits for its charge.",
							NULL, &pa_ledger_timeout, 10000, 1, INT_MAX,
							PGC_SUSET, GUC_UNIT_MS, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.worker_idle_timeout",
							"How long an idle ledger worker stays connected to its database.",
							"DROP DATABASE and ALTER DATABASE RENAME wait 5 seconds for it to go.",
							&pa_ledger_idle_timeout, 3000, 0, INT_MAX,
							PGC_SIGHUP, GUC_UNIT_MS, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.reserved_workers",
							"How many of max_worker_processes parallel queries leave free.",
							"The ledger of each database in which charges are made needs one, and so do other background workers.",
							&pa_ledger_reserved_workers, 3, 0, 1000,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("privacct.require_durable_storage",
							 "Refuses charges while fsync or full_page_writes is off.",
							 NULL, &pa_ledger_require_durable, true,
							 PGC_POSTMASTER, 0, NULL, NULL, NULL);
}

void
pa_ledger_init(void)
{
	define_settings();
	pa_reserve_init();
	previous_shmem_request = shmem_request_hook;
	shmem_request_hook = request_shmem;
	previous_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = startup_shmem;
}
