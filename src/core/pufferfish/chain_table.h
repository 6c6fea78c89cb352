/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain_table.h
 *		What the nearest known row on one side tells about a row of a chain (inside only).
 *
 * For an ordered pair (s, s') and a distance d >= 1
 *
 *	 right(d) = max over x of ln P^d(s, x)/P^d(s', x)
 *	 left(d)  = max over x of ln P^d(x, s)/P^d(x, s') + ln mu(s')/mu(s)
 *
 * where mu is the law of the row itself and x runs over the possible values of
 * the row that is d before.  Tables lie at [pair * radius + d - 1], pair = s * m +
 * s', are rounded up and do not grow with d.
 */
#ifndef PA_CHAIN_TABLE_H
#define PA_CHAIN_TABLE_H

#include "core/pufferfish/chain.h"

typedef struct PaChainTable
{
	int			states;
	int			radius;			/* largest d */
	double	   *right;
	double	   *left;			/* with mu if "stationary", else without, over all x */
	bool		stationary;
	double	   *transition;		/* rows divided by their sums */
	double	   *power;			/* P^d for d = 1..radius, only for a given start; else NULL */
	double	   *law;			/* mu of rows 1..T for a given start; else of any row */
} PaChainTable;

/* A checked chain.  After PA_OK the table is to be released. */
extern PaStatus pa_chain_table(const PaChain *chain, int radius, const PaEnvironment *environment,
							   PaChainTable *table, PaFault *fault);
extern void pa_chain_table_release(PaChainTable *table, const PaEnvironment *environment);

/* left(d), d = 1..most, of a pair at row "node" (from 1, most < node) of a chain with a given start */
extern void pa_chain_left(const PaChainTable *table, int64_t node, int first, int second, int most, double *left);

/* Whether a row can have the value */
extern bool pa_chain_possible(const PaChainTable *table, int64_t node, int value);

#endif							/* PA_CHAIN_TABLE_H */
