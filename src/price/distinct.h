/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * distinct.h
 *		Whether a release may count different values, and the price of a cap that is drawn.
 *
 * An owner is in so many groups, of each of which a cap is drawn by the generalised
 * exponential mechanism (core/distinct/cap.h): with epsilon divided by groups all draws together are
 * epsilon-DP.  The noise that follows has a sensitivity that the cap decides, and is paid for by itself.
 */
#ifndef PA_PRICE_DISTINCT_H
#define PA_PRICE_DISTINCT_H

#include "bound/statistic.h"
#include "price/release.h"

/* True of other statistics. */
extern bool pa_distinct_allowed(const PaRelease *release, const PaStatistic *statistic, PaProblem *problem);

/* Whether the cap of one may be drawn; sets what is needed for the draw, and what it costs. */
extern bool pa_cap_allowed(const PaRelease *release, const PaStatistic *statistic, PaProblem *problem);
extern bool pa_cap_calibrate(const PaRelease *release, PaStatistic *statistic, double epsilon, PaProblem *problem);

#endif							/* PA_PRICE_DISTINCT_H */
