/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * joint.h
 *		Several quantiles drawn at once, on small lattices: the joint exponential mechanism.
 *
 *	 p(y) ~ exp(-epsilon d(y)/(2 D)) over all y_1 <= .. <= y_m,  D = 2 M (1 - least w),
 *	 d(y) = least sum over j of |n_j - w_j n|,
 *
 * where w_j = q_j - q_(j-1) (q_0 = 0, q_(m+1) = 1), n_j is the number of rows between answers
 * j - 1 and j, and the least is taken over all ways to divide rows that are equal to an answer
 * (Gillenwater, Joseph, Kulesza 2021, moved to a lattice).  epsilon-DP and epsilon^2/8-zCDP for all
 * answers together; docs/theory-analysts.md, 4.  All tuples are weighed, so it is for lattices on
 * which there are few: ratings, ages in bands.  Elsewhere: quantiles.h.
 */
#ifndef PA_JOINT_H
#define PA_JOINT_H

#include "core/order/node.h"

#define PA_JOINT_TUPLES (INT64_C(1) << 20)
#define PA_JOINT_CELLS 4096

/* One tuple, and its whole weight */
typedef void (*PaJointVisit) (void *context, const int64_t *cell, uint64_t weight);

/* How many tuples there are, or PA_JOINT_TUPLES + 1 if more.  cells >= 1, count >= 1 */
extern int64_t pa_joint_tuples(int64_t cells, int count);

/*
 * cell[0..count - 1].  As pa_quantiles_draw; PA_OUT_OF_RANGE if there are more than PA_JOINT_TUPLES
 * tuples or PA_JOINT_CELLS cells; PA_NO_MEMORY.  environment must have memory, for the cells.
 */
extern PaStatus pa_joint_draw(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows,
							  const PaExponential *mechanism, PaRandom *random, const PaEnvironment *environment,
							  int64_t *cell);

/* All tuples, in the order of their cells */
extern PaStatus pa_joint_law(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows,
							 const PaExponential *mechanism, const PaEnvironment *environment,
							 PaJointVisit visit, void *context);

#endif							/* PA_JOINT_H */
