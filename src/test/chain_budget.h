/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain_budget.h
 *		What the paper on Pufferfish composition says of rows of a chain one by one.
 *
 * The product books one epsilon per row for all rows; these are here to compare with.
 */
#ifndef PA_TEST_CHAIN_BUDGET_H
#define PA_TEST_CHAIN_BUDGET_H

#include "core/pufferfish/chain.h"

/*
 * What is spent if row t took part in releases worth sum[t - 1] per row in all
 * (disjoint time windows of an owner, say):
 *		max over nodes and pairs of min over H of a(H) + sum over t in H of sum[t - 1].
 * The length must be finite; rounded up.
 */
extern PaStatus pa_chain_spent(const PaChain *chain, const double *sum, const PaEnvironment *environment,
							   double *spent, PaFault *fault);

/*
 * The largest epsilon per row for a wanted epsilon, rounded down, in three ways, of
 * which the last is the best; the length must be finite.
 */
typedef struct PaChainLimits
{
	double		curve;			/* of the curve: for each b the best H of each pair */
	double		node;			/* one H for all pairs of a node (Song et al.) */
	double		pair;			/* the best H of each node and pair */
} PaChainLimits;

extern PaStatus pa_chain_limits(const PaChain *chain, double epsilon, const PaEnvironment *environment,
								PaChainLimits *limits, PaFault *fault);

#endif							/* PA_TEST_CHAIN_BUDGET_H */
