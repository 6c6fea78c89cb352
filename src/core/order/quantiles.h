/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quantiles.h
 *		Several quantiles at one cost: recursion over slices, rows divided where they are cut.
 *
 * Kaplan, Schnapp, Stemmer, "Differentially Private Approximate Quantiles" (2022), with the
 * interval loss at the leaves, and with ties divided: the paper's program sends rows that are
 * equal to a cut to both sides, which is not private.  Node.h has the law of each step.
 *
 * pa_quantiles_depth levels cost epsilon of the mechanism each, and epsilon^2/8 each under zCDP.
 * For adding or removing an owner; replacing one costs twice as much.
 */
#ifndef PA_QUANTILES_H
#define PA_QUANTILES_H

#include "core/order/node.h"
#include "core/order/rank.h"

/* floor(log2 count) + 1.  count >= 1 */
extern int	pa_quantiles_depth(int count);

/* Nodes of the level that has most of them: among so many draws the rows of a cell can be divided.  count >= 1 */
extern int	pa_quantiles_widest(int count);

/*
 * The mechanism of one level, which costs epsilon whatever its nodes: its draws are those of the widest
 * level.  steps: 0 for the default: of one quantile pa_exponential_steps(epsilon), of several
 * max(16 (draws - 1), min(32 epsilon, 64), epsilon/2), so that draws take at most a 16th of epsilon.
 * Otherwise as pa_exponential_make, of which this is a call.  1 <= count <= PA_QUANTILES_MOST
 */
extern PaStatus pa_quantiles_mechanism(int count, double epsilon, int64_t steps, const PaEnvironment *environment,
									   PaExponential *mechanism);

/*
 * In how many units one row is seen at most, in all nodes that are cut together, whatever epsilon: with
 * the default steps, and each unit twice, that is the work of a row beside a few visits of each node.
 */
extern int64_t pa_quantiles_row_units(int count);

/* Sub-cells of a cell, 2^32 or, for more than 2^33 cells, fewer: public.  cells: 1 to PA_CELLS_MOST */
extern uint64_t pa_quantiles_parts(int64_t cells);

/*
 * cell[0..count - 1], not falling.  owner_rows: M, at least 1; parts: pa_quantiles_parts, or what
 * satisfies parts <= 2^32 and cells parts <= 2^65.  The mechanism is that of one level, with
 * at least as many draws as the widest has.  PA_INVALID, PA_NO_RANDOMNESS, PA_INTERRUPTED.  environment may be NULL.  Two passes over
 * the runs for each level; allocates nothing.
 */
extern PaStatus pa_quantiles_draw(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows,
								  uint64_t parts, const PaExponential *mechanism, PaRandom *random,
								  const PaEnvironment *environment, int64_t *cell);

/* Whether the quantiles are as PaQuantiles says */
extern bool pa_quantiles_valid(const PaQuantiles *quantiles);

#endif							/* PA_QUANTILES_H */
