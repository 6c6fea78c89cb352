/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * admit.h
 *		Who may be asked: the filter's decision for each state.
 *
 * A decision depends on published answers and on the question alone; it may be
 * public.  Nothing here changes a book.
 */
#ifndef PA_LOCAL_ADMIT_H
#define PA_LOCAL_ADMIT_H

#include "postgres.h"

#include "local/book/book.h"
#include "local/steps.h"

typedef struct PaAdmission
{
	bool	   *admitted;		/* of each state */
	double	   *bounds;			/* linear, logistic: PA_BOUNDS for each state, -1 where nothing is certified; else NULL */
} PaAdmission;

/* What deciding on a question takes, whatever the state. */
typedef struct PaAdmitter
{
	const PaPolicy *policy;
	const PaBook *book;
	const PaQuestion *question;
	PaSteps    *steps;			/* of a question with steps; else NULL */
} PaAdmitter;

extern PaAdmitter pa_admitter_make(const PaPolicy *policy, const PaBook *book, const PaQuestion *question);

/* Whether the owners of one state may be asked. */
extern bool pa_admits_state(const PaAdmitter *admitter, int state);

extern PaAdmission pa_admit(const PaPolicy *policy, const PaBook *book, const PaQuestion *question);

/*
 * Certifies a tighter loss of a state's linear and logistic answers, for odometers;
 * never raises it.  Of a copy: the book's own states are what was recorded.
 */
extern void pa_state_refine(const PaPolicy *policy, const PaBook *book, PaOwnerState *state);

/* What the owners of a state have lost so far, with everything that is bounded rounded up. */
extern double pa_state_loss(const PaOwnerState *state);

#endif							/* PA_LOCAL_ADMIT_H */
