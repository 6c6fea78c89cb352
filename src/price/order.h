/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.h
 *		The price of statistics of order, and their draws.
 *
 * An owner is in so many groups; each group's statistic is drawn by the exponential
 * mechanism, several quantiles of it in levels (core/order/quantiles.h).  So with epsilon
 * divided by groups and levels all draws together are epsilon-DP (docs/theory-analysts.md).
 */
#ifndef PA_PRICE_ORDER_H
#define PA_PRICE_ORDER_H

#include "core/order/accuracy.h"

#include "bound/order.h"
#include "price/release.h"

/* Whether the release may draw the statistic at all. */
extern bool pa_order_allowed(const PaRelease *release, const PaStatistic *statistic, PaProblem *problem);

/* Sets the mechanism and what it costs. */
extern bool pa_order_calibrate(const PaRelease *release, PaStatistic *statistic, double epsilon, PaProblem *problem);

/* How many draws follow from each other. */
extern int	pa_order_levels(const PaStatistic *statistic);

/*
 * With this confidence so many rows at most would have to come or go until what is drawn is
 * what was asked for: whatever the rows are, for all quantiles of a group at once; and where
 * rows are dense, for the least exact of them.
 */
extern PaRankError pa_order_error(const PaStatistic *statistic, double confidence);

/* By how many rows an owner can change what a draw goes by, over half its epsilon: the scale of its rank. */
extern double pa_order_scale(const PaStatistic *statistic);

/*
 * All numbers of all groups, from the cells, which are sorted and used up: those of a
 * group are set->nreleased from group * set->nreleased on, at the places of their orders.
 */
extern double *pa_orders_draw(const PaRelease *release, PaSortedCells *cells, int ngroups);

#endif							/* PA_PRICE_ORDER_H */
