/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tables.c
 *		The terms of a release from several protected tables, which are of one privacy unit.
 *
 * How much each owner contributes is bounded for the block as a whole, by the first policy.
 * Of what the others declare beside that the strictest holds.  (Tables whose releases have
 * noise on time are not joined.)
 */
#include "postgres.h"

#include "price/release.h"

const PaPolicy *
pa_strictest_policy(const PaPolicy **policies, int count)
{
	PaPolicy   *strictest;

	if (count == 1)
		return policies[0];
	strictest = palloc(sizeof(PaPolicy));
	*strictest = *policies[0];
	for (int i = 1; i < count; i++)
	{
		strictest->kernels &= policies[i]->kernels;
		strictest->sample_rate = Min(strictest->sample_rate, policies[i]->sample_rate);
		strictest->min_owners = Max(strictest->min_owners, policies[i]->min_owners);
		strictest->floor = Max(strictest->floor, policies[i]->floor);
		strictest->time_grid = Max(strictest->time_grid, policies[i]->time_grid);
		strictest->workers = Min(strictest->workers, policies[i]->workers);
		strictest->repeat_age = Min(strictest->repeat_age, policies[i]->repeat_age);	/* 0: none */
		strictest->repeats_shared &= policies[i]->repeats_shared;
		strictest->repeats_unchanged &= policies[i]->repeats_unchanged;
	}
	if (strictest->time_grid > 0)
		strictest->workers = 0;	/* other sessions can see when they end */
	return strictest;
}
