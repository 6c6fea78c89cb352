/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * transaction.c
 *		See transaction.h.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "utils/timeout.h"

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
