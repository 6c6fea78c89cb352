/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch.h
 *		Checks and charges a batch of requests.
 */
#ifndef PA_LEDGER_BATCH_H
#define PA_LEDGER_BATCH_H

#include "postgres.h"

#include "ledger/queue.h"

/* Room for batches of up to n slots; once per process. */
extern void pa_batch_init(int n);

/*
 * Charges what fits, in the order given, and publishes the answers of all
 * slots.  Outside a transaction; leaves by ereport only to end the process.
 */
extern void pa_batch_run(PaLedgerSlot **slots, int count);

#endif							/* PA_LEDGER_BATCH_H */
