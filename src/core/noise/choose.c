/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * choose.c
 *		The exponential mechanism by rejection.
 */
#include "core/noise/choose.h"

#include <math.h>
#include <string.h>

#define GRID 40					/* epsilon is a multiple of 2^-GRID */
#define MOST_GAP (INT64_C(1) << 62) /* scores further behind the best count as that far */
#define PATIENCE 90				/* proposals per item: all refused with a probability below e^-90 < 2^-128 */

typedef struct Choice
{
	const int64_t *score;
	int			items;
	PaUint128	numerator;		/* epsilon/(2 sensitivity) is numerator/denominator */
	PaUint128	denominator;
	PaRandom   *random;
	unsigned char *taken;
} Choice;

static int64_t
best_left(const Choice *choice)
{
	int64_t		best = INT64_MIN;
	int			i;

	for (i = 0; i < choice->items; i++)
		if (!choice->taken[i] && choice->score[i] > best)
			best = choice->score[i];
	return best;
}

static bool
accepts(const Choice *choice, int item, int64_t best)
{
	PaInt128	gap = (PaInt128) best - choice->score[item];

	if (gap > MOST_GAP)
		gap = MOST_GAP;
	return pa_random_bernoulli_exp(choice->random, choice->numerator * (PaUint128) gap, choice->denominator);
}

/* One item that is left.  The best of them is never refused: a source that does not propose it is stuck. */
static int
draw(const Choice *choice)
{
	int64_t		best = best_left(choice);
	int64_t		proposals = 0;
	int			item;

	do
	{
		if (++proposals > (int64_t) PATIENCE * choice->items)
			pa_random_fail(choice->random);
		item = (int) pa_random_below(choice->random, (uint64_t) choice->items);
	} while (pa_random_status(choice->random) == PA_OK &&
			 (choice->taken[item] || !accepts(choice, item, best)));
	return item;
}

PaStatus
pa_choose(const int64_t *score, int items, int k, double epsilon, int64_t sensitivity,
		  PaRandom *random, unsigned char *taken, int *chosen, const PaEnvironment *environment)
{
	Choice		choice = {score, items, 0, 0, random, taken};
	int			i;

	if (!(epsilon >= ldexp(1, -GRID) && epsilon <= 1e5) || k < 1 || k > items ||
		sensitivity < 1 || sensitivity >= (INT64_C(1) << 40))
		return PA_INVALID;
	choice.numerator = (PaUint128) floor(ldexp(epsilon, GRID));
	choice.denominator = (PaUint128) (2 * sensitivity) << GRID;
	memset(taken, 0, (size_t) items);
	for (i = 0; i < k && pa_random_status(random) == PA_OK; i++)
	{
		if (environment && environment->interrupted && environment->interrupted(environment->context))
			return PA_INTERRUPTED;
		chosen[i] = draw(&choice);
		taken[chosen[i]] = 1;
	}
	return pa_random_status(random);
}
