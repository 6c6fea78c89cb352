/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * transaction.h
 *		How transactions of the ledger's worker end.
 */
#ifndef PA_LEDGER_TRANSACTION_H
#define PA_LEDGER_TRANSACTION_H

#include "postgres.h"

#include <signal.h>

/* True while a commit is under way and must not be cut short. */
extern volatile sig_atomic_t pa_ledger_committing;

extern void pa_ledger_commit(void);

/* In PG_CATCH: writes the error to the server's log, ends the transaction, and returns its SQLSTATE. */
extern int	pa_ledger_roll_back(MemoryContext context);

#endif							/* PA_LEDGER_TRANSACTION_H */
