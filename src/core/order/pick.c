/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pick.c
 *		A uniform whole number below the sum of all weights, and whose it is.
 */
#include "core/order/pick.h"

typedef struct Search
{
	PaUint128	left;			/* of the number that was drawn, as long as nothing was found */
	bool		found;
	PaPick		pick;
} Search;

static void
add(void *context, const PaStretch *stretch)
{
	PaUint128  *total = context;

	*total += stretch->count * stretch->weight;
}

static bool
add_whole(void *context, PaUint128 weight)
{
	PaUint128  *total = context;

	*total += weight;
	return true;
}

static void
find(void *context, const PaStretch *stretch)
{
	Search	   *search = context;
	PaUint128	weight = stretch->count * stretch->weight;

	if (search->found)
		return;
	if (search->left < weight)
	{
		search->found = true;
		search->pick = (PaPick) {*stretch, search->left / stretch->weight};
	}
	else
		search->left -= weight;
}

static bool
pass(void *context, PaUint128 weight)
{
	Search	   *search = context;

	if (!search->found && search->left < weight)
		return false;
	if (!search->found)
		search->left -= weight;
	return true;
}

PaStatus
pa_pick_total(PaSliceWalk walk, const PaSlice *slice, const PaRankLoss *loss,
			  const PaEnvironment *environment, PaUint128 *total)
{
	PaUint128	sum = 0;
	PaStatus	status = walk(slice, loss, environment, &(PaStretchVisitor) {add, add_whole, &sum});

	if (status == PA_OK)
		*total = sum;
	return status;
}

PaStatus
pa_pick(PaSliceWalk walk, const PaSlice *slice, const PaRankLoss *loss, PaRandom *random,
		const PaEnvironment *environment, PaPick *pick)
{
	Search		search = {.found = false};
	PaUint128	total;
	PaStatus	status = pa_pick_total(walk, slice, loss, environment, &total);

	if (status != PA_OK)
		return status;
	search.left = pa_random_below128(random, total);
	if (pa_random_status(random) != PA_OK)
		return pa_random_status(random);
	status = walk(slice, loss, environment, &(PaStretchVisitor) {find, pass, &search});
	if (status == PA_OK)
		*pick = search.pick;
	return status;
}
