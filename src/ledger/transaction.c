/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * transaction.c
 *		See transaction.h.
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timeout.h"

#include "catalog/charge_lock.h"
#include "ledger/store.h"
#include "ledger/transaction.h"

volatile sig_atomic_t pa_ledger_committing = false;

void
pa_ledger_commit(void)
{
	CHECK_FOR_INTERRUPTS();
	pa_ledger_committing = true;
	CommitTransactionCommand();
	pa_ledger_committing = false;
}

int
pa_ledger_roll_back(MemoryContext context)
{
	int			sqlstate;

	HOLD_INTERRUPTS();
	pa_ledger_committing = false;
	MemoryContextSwitchTo(context);
	sqlstate = geterrcode();
	disable_all_timeouts(false);
	QueryCancelPending = false;
	EmitErrorReport();
	AbortCurrentTransaction();
	MemoryContextSwitchTo(context);
	FlushErrorState();
	RESUME_INTERRUPTS();
	return sqlstate;
}

void
pa_ledger_begin_query(void)
{
	SPI_connect();
	PushActiveSnapshot(GetTransactionSnapshot());
}

void
pa_ledger_end_query(void)
{
	PopActiveSnapshot();
	SPI_finish();
}

static void
run_in_transaction(void (*run) (void *), void *argument)
{
	SetCurrentStatementStartTimestamp();
	StartTransactionCommand();
	(void) set_config_option("synchronous_commit", "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
	pa_lock_ledger();
	pa_store_lock();
	run(argument);
	CommitTransactionCommand();
}

bool
pa_ledger_try(void (*run) (void *), void *argument)
{
	MemoryContext context = CurrentMemoryContext;
	volatile bool done = true;

	PG_TRY();
	{
		run_in_transaction(run, argument);
	}
	PG_CATCH();
	{
		(void) pa_ledger_roll_back(context);
		done = false;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	return done;
}
