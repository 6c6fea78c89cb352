/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * distinct.h
 *		Whether a release may count different values.
 */
#ifndef PA_PRICE_DISTINCT_H
#define PA_PRICE_DISTINCT_H

#include "bound/statistic.h"
#include "price/release.h"

/* True of other statistics. */
extern bool pa_distinct_allowed(const PaRelease *release, const PaStatistic *statistic, PaProblem *problem);

#endif							/* PA_PRICE_DISTINCT_H */
