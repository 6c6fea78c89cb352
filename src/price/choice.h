/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * choice.h
 *		dp_topk by the exponential mechanism: which groups come out, not how large they are.
 *
 * The groups of such a release are those of dp_topk's column, within each
 * combination of the other keys: a run.  A run gives k of its groups, drawn one
 * after the other (core/noise/choose.h), with a score that falls from one to
 * the next.
 */
#ifndef PA_CHOICE_H
#define PA_CHOICE_H

#include "bound/group_table.h"
#include "price/release.h"

/* Whether the release's one aggregate is to be drawn so, by its options and k. */
extern bool pa_is_choice(const PaRelease *release, const PaAggregateArguments *arguments);

/* How many, what each draw may cost, and the cost; false, with a problem, if it cannot be. */
extern bool pa_choice_calibrate(PaRelease *release, PaProblem *problem);

/* The score of each group, in order; 0: not drawn. */
extern int *pa_choice_draw(const PaRelease *release, const PaGroupTable *groups, const int *order);

#endif							/* PA_CHOICE_H */
