/*
 * sum.h
 *		Brings the sums of the ledger forward: privacct.ledger_sum and its like.
 *
 * They follow from the ledger and decide nothing: where they lag behind, who looks
 * adds up more lines.
 */
#ifndef PA_LEDGER_SUM_H
#define PA_LEDGER_SUM_H

#include "postgres.h"

#include "ledger/queue.h"

/* Counts what a batch charged; before its answers are published, when slots may be used anew. */
extern void pa_sum_note(PaLedgerSlot **slots, int count);

/*
 * Sums the lines of policies that have many new ones, in transactions of its own, which
 * need not reach the disk.  Errors are written to the server's log.
 */
extern void pa_sum_follow(void);

#endif							/* PA_LEDGER_SUM_H */
