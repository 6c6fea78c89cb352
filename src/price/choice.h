/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * choice.h
 *		What is chosen by the exponential mechanism: which groups or candidates come out, not how
 *		large they are.
 *
 * The groups of such a release are those of dp_topk's column, within each
 * combination of the other keys: a run.  A run gives k of its groups, drawn one
 * after the other (core/noise/choose.h), with a score that falls from one to
 * the next.  dp_response draws one of a run so, with weight e^epsilon for groups that have
 * an entry and 1 for others.
 *
 * dp_choose draws, in each group, one of the aggregates of the leaf, by their totals.
 */
#ifndef PA_CHOICE_H
#define PA_CHOICE_H

#include "bound/group_table.h"
#include "price/release.h"

/* Whether the release's aggregates are to be drawn so, by the options and k. */
extern bool pa_is_choice(const PaRelease *release, const PaAggregateArguments *arguments);

/* Of one that is: what is drawn, and how often. */
extern void pa_choice_set(PaRelease *release, const PaAggregateArguments *arguments);

/* How many, what each draw may cost, and the cost; false, with a problem, if it cannot be. */
extern bool pa_choice_calibrate(PaRelease *release, PaProblem *problem);

/* How far apart two scores are, one of which is drawn e times as often; of dp_choose and dp_response in changes of a unit. */
extern double pa_choice_scale(const PaRelease *release);

/* The score of each group, in order; 0: not drawn. */
extern int *pa_choice_draw(const PaRelease *release, const PaGroupTable *groups, const int *order);

/* Which of the candidates is drawn in a group. */
extern int	pa_candidate_draw(const PaRelease *release, const PaGroup *group);

#endif							/* PA_CHOICE_H */
