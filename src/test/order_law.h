/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order_law.h
 *		Exact laws of order statistics on small lattices, for tests.
 *
 * A law is a number for each outcome: for tuples of cells y_1, .., y_m that is
 * (..(y_1 K + y_2) K + ..) + y_m.
 */
#ifndef PA_TEST_ORDER_LAW_H
#define PA_TEST_ORDER_LAW_H

#include "core/order/joint.h"
#include "core/order/quantiles.h"

/* probability[0..cells - 1], from whole weights */
extern PaStatus rank_law(const PaCells *data, const PaRank *rank, int32_t owner_rows,
						 const PaExponential *mechanism, long double *probability);

/* All outcomes of the recursion, summed up over sub-cells; probability is added to */
extern PaStatus quantiles_law(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows, uint64_t parts,
							  const PaExponential *mechanism, long double *probability);

extern PaStatus joint_law(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows,
						  const PaExponential *mechanism, long double *probability);

/* The law of something over data */
typedef PaStatus (*LawOf) (const void *what, const PaCells *data, long double *probability);

/* Of ln P(outcome)/Q(outcome) over all outcomes; infinite if an outcome is possible for one alone */
typedef struct LossFound
{
	long double loss;			/* largest size */
	long double range;			/* largest less smallest; never less than the loss */
} LossFound;

/*
 * The largest of all histograms over so many cells, with at most that many rows, and all that have
 * up to owner_rows more.
 */
extern LossFound largest_loss(LawOf law, const void *what, int cells, int rows, int owner_rows, int outcomes);

/* The same for one histogram, and those with up to owner_rows more rows */
extern LossFound loss_around(LawOf law, const void *what, int cells, const int64_t *rows, int owner_rows,
							 int outcomes);

#define HISTOGRAM_CELLS 8
#define HISTOGRAM_OUTCOMES 4096

/* The next histogram with at most that many rows in all, from all 0; false after the last */
extern bool next_histogram(int64_t *rows, int cells, int most);

/* As runs, which has room for the cells */
extern PaCells runs_of(const int64_t *rows, int cells, PaCellRun *run);

#endif							/* PA_TEST_ORDER_LAW_H */
