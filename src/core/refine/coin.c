/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coin.c
 *		Truncated geometric draws by rejection.
 *
 * x = rest + q turns: the rest, below q, is uniform and kept with probability
 * e^(-rest/q) > 0.36, turns are counted by coins of e^-1.  If the limit is below q there are no turns,
 * and the rest is uniform below the limit; if it is at least q, what is at or above the limit is
 * refused, with probability at most e^-1.  So a round is kept with probability above 0.23, and
 * 0.77^PATIENCE is below 2^-3000.  A number of turns above LONGEST, of probability below
 * e^-4096, is a failure of the source: no draw of ours depends on data before it.
 */
#include "core/refine/coin.h"

#define PATIENCE 8192
#define LONGEST 4096

/* A round, or false; bound: of the rest */
static bool
propose(PaRandom *random, PaUint128 bound, PaUint128 q, bool turn, PaUint128 *x)
{
	PaUint128	turns = 0;

	*x = pa_random_below128(random, bound);
	if (!pa_random_bernoulli_exp(random, *x, q))
		return false;
	while (turn && pa_random_bernoulli_exp(random, 1, 1))
		if (++turns > LONGEST)
			pa_random_fail(random);
	*x += turns * q;
	return true;
}

PaUint128
pa_coin_cell(PaRandom *random, PaUint128 limit, PaUint128 q)
{
	PaUint128	x;
	int			round;

	for (round = 0; round < PATIENCE && pa_random_status(random) == PA_OK; round++)
		if (propose(random, limit < q ? limit : q, q, limit > q, &x) && x < limit)
			return x;
	pa_random_fail(random);
	return 0;
}

PaUint128
pa_coin_geometric(PaRandom *random, PaUint128 q)
{
	return pa_coin_cell(random, (PaUint128) 1 << 119, q);
}

bool
pa_coin_ratio(PaRandom *random, PaUint128 part, PaUint128 whole, PaUint128 q)
{
	return pa_coin_cell(random, whole, q) < part;
}
