/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slots.h
 *		Releases whose noise was fixed by privacct.plan_budget().
 */
#ifndef PA_RELEASE_PLAN_H
#define PA_RELEASE_PLAN_H

#include "price/release.h"

/*
 * Gives every statistic the noise of a slot and counts the uses; false, with a
 * problem, if the plan has no slot of the kind.  Whether uses are left is for
 * the ledger to say: where none is, the first fitting slot is taken all the same.
 */
extern bool pa_plan_calibrate(PaRelease *release, PaProblem *problem);

/* How often the release still fits into the slots, as things stand now. */
extern int64 pa_plan_releases_left(const PaRelease *release);

#endif							/* PA_RELEASE_PLAN_H */
