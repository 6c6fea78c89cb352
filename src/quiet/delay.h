/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * delay.h
 *		When a release is handed up.
 *
 * The time of a release begins with it, before it is charged, and is the
 * release's own: of a statement with several, each has its own, one after the other.
 * What is fetched later from a cursor was handed up with the first row.  Once
 * charged, a release and an error alike are held back
 *
 *	 noise	until a random number of steps after they are done (core/noise/delay.h);
 *			the end of the work counts as that of the step it falls into
 *	 grid	then until the next of the times 1, 2, 4, 8, ... grids
 *
 * A cancel (statement_timeout too) does not shorten noise, and leaves at the next
 * multiple of the grid, so that it tells no more than the answer would: whether the
 * work was done when it came is not seen, neither by time nor by what is said.  What a
 * release says beside its rows, or leaves in the session, comes when it is handed up.
 * A cancel also comes before any error that is held
 * back.  The end of the session (terminated, or its
 * client is gone) waits as a cancel does, unless the postmaster or a superuser asks
 * for it: that session ends at once.
 */
#ifndef PA_DELAY_H
#define PA_DELAY_H

#include "postgres.h"

#include "catalog/policy.h"
#include "core/noise/delay.h"

typedef struct PaDelay PaDelay;

/* Installs the log hook; called from _PG_init. */
extern void pa_delay_init(void);

/*
 * Runs work(state, delay), which calls pa_delay_owe() as soon as it is charged, and
 * returns, or passes its error on, when it is time.
 */
extern void pa_delay_run(void (*work) (void *state, PaDelay *delay), void *state);

/*
 * Runs look(state), by which the release under way looks up, for nothing, what depends
 * on which rows there are.  Returns, or passes its error on, on a grid of 20 ms, or on
 * the policy's if that is coarser: whether the release is charged must not depend on
 * whether a cancel came before the look was done.
 */
extern void pa_delay_look(const PaPolicy *policy, void (*look) (void *state), void *state);

/* From here on what the release under way does may depend on rows. */
extern void pa_delay_reads(void);

/*
 * Before something is done that others can see, such as a transaction of the ledger: a
 * release that has read rows is held back first, and not once more when it is handed up.  What is done
 * from then on may depend on what was released alone.
 */
extern void pa_delay_show(void);

/* In a parallel worker, which reads for a release: until it ends no wait event is shown. */
extern void pa_hide_waits(void);

/* From here on the policy's grid holds, and noise unless the law's reach is 0; NULL: no noise. */
extern void pa_delay_owe(PaDelay *delay, const PaPolicy *policy, const PaDelayLaw *law);

#endif							/* PA_DELAY_H */
