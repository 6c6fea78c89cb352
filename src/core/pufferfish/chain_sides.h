/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain_sides.h
 *		The two influences of a pair of values at one row of a chain (inside only).
 */
#ifndef PA_CHAIN_SIDES_H
#define PA_CHAIN_SIDES_H

#include "core/pufferfish/chain_table.h"

/* side[d - 1] for d = 1 up to the radius of the table */
typedef struct PaChainSides
{
	const double *left;
	const double *right;
	int			radius;
	int64_t		before;			/* rows; INT64_MAX inside of a chain without ends */
	int64_t		after;
} PaChainSides;

/*
 * Row "node" from 1, or 0 for the row inside.  False if the row cannot have both
 * values, or the pair is not wanted.  scratch has room for the radius of the table and is used for a given
 * start.
 */
extern bool pa_chain_sides(const PaChain *chain, const PaChainTable *table, int64_t node,
						   int first, int second, double *scratch, PaChainSides *sides);

#endif							/* PA_CHAIN_SIDES_H */
