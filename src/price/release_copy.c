/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * release_copy.c
 *		A release to be calibrated otherwise, which leaves the one it is a copy of as it is.
 */
#include "postgres.h"

#include "bound/distinct.h"
#include "bound/order.h"
#include "price/release.h"

static void *
copy_of(const void *original, Size size)
{
	return memcpy(palloc(size), original, size);
}

/* Two statistics share a choice: the one that is counted, and the one by which its cap is drawn. */
static PaCapChoice *
copy_choice(const PaStatistics *original, PaStatistics *copy, int index)
{
	for (int i = 0; i < index; i++)
		if (original->statistics[i].choice == original->statistics[index].choice)
			return copy->statistics[i].choice;
	return copy_of(original->statistics[index].choice, sizeof(PaCapChoice));
}

PaRelease *
pa_release_copy(const PaRelease *release)
{
	const PaStatistics *original = release->statistics;
	PaRelease  *copy = copy_of(release, sizeof(PaRelease));
	PaStatistics *set = copy->statistics = copy_of(original, sizeof(PaStatistics));

	set->statistics = copy_of(original->statistics, sizeof(PaStatistic) * original->nstatistics);
	for (int i = 0; i < set->nstatistics; i++)
	{
		PaStatistic *statistic = &set->statistics[i];

		if (statistic->order)
			statistic->order = copy_of(statistic->order, sizeof(PaOrder));
		if (statistic->choice)
			statistic->choice = copy_choice(original, set, i);
	}
	return copy;
}
