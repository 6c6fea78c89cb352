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

#endif							/* PA_TEST_ORDER_LAW_H */
