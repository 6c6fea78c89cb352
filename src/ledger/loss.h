/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * loss.h
 *		Keeps what releases lose together: privacct.kept_loss.
 *
 * It follows from the ledger and decides nothing: where it is not known, who looks
 * computes it.
 */
#ifndef PA_LEDGER_LOSS_H
#define PA_LEDGER_LOSS_H

#include "postgres.h"

/* Something was charged. */
extern void pa_loss_note(void);

/* After how many milliseconds without charges there is something to do; negative: there is nothing. */
extern long pa_loss_wait(void);

/* Computes a part of what is not known, in a transaction of its own, which need not reach the disk. */
extern void pa_loss_follow(void);

#endif							/* PA_LEDGER_LOSS_H */
