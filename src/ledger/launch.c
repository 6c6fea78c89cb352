/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * launch.c
 *		Asks the postmaster for the ledger worker of a database.
 *
 * The worker is dynamic and is never restarted by the postmaster: it lives as
 * long as there is something to charge, so that an idle database can be
 * dropped, renamed or used as a template.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "postmaster/bgworker.h"

#include "ledger/queue.h"

bool
pa_ledger_launch(Oid dboid)
{
	BackgroundWorker worker;

	memset(&worker, 0, sizeof(worker));
	worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
	worker.bgw_restart_time = BGW_NEVER_RESTART;
	worker.bgw_main_arg = ObjectIdGetDatum(dboid);
	worker.bgw_notify_pid = MyProcPid;
	snprintf(worker.bgw_library_name, BGW_MAXLEN, "privacct");
	snprintf(worker.bgw_function_name, BGW_MAXLEN, "pa_ledger_worker_main");
	snprintf(worker.bgw_type, BGW_MAXLEN, "privacct ledger");
	snprintf(worker.bgw_name, BGW_MAXLEN, "privacct ledger of database %u", dboid);
	return RegisterDynamicBackgroundWorker(&worker, NULL);
}
