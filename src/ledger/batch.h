/*
 * batch.h
 *		Checks and charges a batch of requests.
 */
#ifndef PA_LEDGER_BATCH_H
#define PA_LEDGER_BATCH_H

#include "postgres.h"

#include "ledger/queue.h"

/* True while a commit is under way and must not be cut short. */
extern volatile sig_atomic_t pa_batch_committing;

/* Room for batches of up to n slots; once per process. */
extern void pa_batch_init(int n);

/*
 * Charges what fits, in the order given, and publishes the answers of all
 * slots.  Outside a transaction; leaves by ereport only to end the process.
 */
extern void pa_batch_run(PaLedgerSlot **slots, int count);

/* In PG_CATCH: writes the error to the server's log, ends the transaction, and returns its SQLSTATE. */
extern int	pa_batch_roll_back(MemoryContext context);

#endif							/* PA_LEDGER_BATCH_H */
