/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress.h
 *		What a release is doing, for privacct.progress.
 *
 * Nothing that is shown depends on protected rows: not how many there are, nor how many
 * were read, nor when the last was.  From the charge to the end of the release it is one
 * phase, and under a policy that hides the time of releases all of it is one.  Why: see
 * docs/security.md.
 */
#ifndef PA_PROGRESS_H
#define PA_PROGRESS_H

#include "postgres.h"

#include "bound/leaf_spec.h"

typedef enum PaPhase
{
	PA_PHASE_RUNNING,			/* the policy hides the time of releases */
	PA_PHASE_PREPARING,			/* pricing, looks before a charge */
	PA_PHASE_PUBLIC,			/* public tables are read */
	PA_PHASE_CHARGING,
	PA_PHASE_RELEASING			/* rows are read and bounded, noise is drawn; the answer may be held back */
} PaPhase;

/* A release begins; an error ends it by itself, as it ends the (sub)transaction. */
extern void pa_progress_begin(const PaLeafSpec *spec);

/* It has a price, by a policy that may be newer than the one it began under: public tables are next. */
extern void pa_progress_priced(const PaLeafSpec *spec);

/* Its next phase; looks up nothing and raises nothing. */
extern void pa_progress_enter(PaPhase phase);

/* It is handed up: not earlier, where its time is hidden. */
extern void pa_progress_end(void);

#endif							/* PA_PROGRESS_H */
