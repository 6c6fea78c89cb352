/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain_sides.c
 *		Finds the influences of a pair in the table of its chain.
 */
#include "core/pufferfish/chain_sides.h"

bool
pa_chain_sides(const PaChain *chain, const PaChainTable *table, int64_t node,
			   int first, int second, double *scratch, PaChainSides *sides)
{
	size_t		at = (size_t) (first * table->states + second) * (size_t) table->radius;

	if (chain->wanted != NULL && !chain->wanted[first * table->states + second])
		return false;
	sides->right = table->right + at;
	sides->left = table->left + at;
	sides->radius = table->radius;
	sides->before = node > 0 ? node - 1 : INT64_MAX;
	sides->after = node > 0 ? chain->length - node : INT64_MAX;
	if (table->stationary)
		return true;
	if (!pa_chain_possible(table, node, first) || !pa_chain_possible(table, node, second))
		return false;
	pa_chain_left(table, node, first, second,
				  (int) (sides->before < table->radius ? sides->before : table->radius), scratch);
	sides->left = scratch;
	return true;
}
