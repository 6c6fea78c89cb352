/* SPDX-License-Identifier: GPL-3.0-or-later */
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

/* Whether something is worth doing when nothing is to be charged. */
extern bool pa_sum_is_wanted(void);

/*
 * Sums the lines of policies that have many new ones, or, while nothing is to be
 * charged, some; in transactions of its own, which need not reach the disk.  Errors are
 * written to the server's log.
 */
extern void pa_sum_follow(bool idle);

#endif							/* PA_LEDGER_SUM_H */
