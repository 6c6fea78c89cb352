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

/*
 * Runs what can wait in a transaction of its own, which need not reach the disk; false
 * after an error, which is written to the server's log.
 */
extern bool pa_ledger_try(void (*run) (void *), void *argument);

/* Around the queries of it, once it has the locks that its snapshot needs. */
extern void pa_ledger_begin_query(void);
extern void pa_ledger_end_query(void);

/* In PG_CATCH: writes the error to the server's log, ends the transaction, and returns its SQLSTATE. */
extern int	pa_ledger_roll_back(MemoryContext context);

#endif							/* PA_LEDGER_TRANSACTION_H */
