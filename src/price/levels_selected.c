/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * levels_selected.c
 *		The levels of a release whose groups are selected.
 */
#include "postgres.h"

#include "utils/lsyscache.h"

#include "price/levels.h"

/* Measured with 100,000 groups: bench/row_time.sh. */
#define LEVEL_WORK 300			/* finding the class of a group, and drawing whether it is selected */
#define STATISTIC_WORK 30		/* adding a group's total up at a level */
#define RANK_WORK 300			/* sorting groups by a key */
#define TEXT_RANK_WORK 1500		/* ... of any length */

static void
add_level(PaLevels *levels, uint32 keys)
{
	int			at = levels->cube.levels;

	for (int i = 0; i < levels->cube.levels; i++)
		if (levels->keys[i] == keys)
			return;
	while (at > 0 && __builtin_popcount(keys) > __builtin_popcount(levels->keys[at - 1]))
		at--;
	memmove(levels->keys + at + 1, levels->keys + at, sizeof(uint32) * (levels->cube.levels - at));
	levels->keys[at] = keys;
	levels->cube.levels++;
}

void
pa_levels_set_selected(PaLevels *levels, const PaLeafSpec *spec)
{
	levels->selected = true;
	levels->keys = palloc(sizeof(uint32) * (spec->nlevels + 1));
	for (int i = 0; i < spec->nlevels; i++)
		add_level(levels, spec->levels[i]);
}

bool
pa_levels_selects(const PaLevels *levels, int level)
{
	for (int i = 0; i < levels->cube.levels; i++)
		if (i != level && (levels->keys[level] & ~levels->keys[i]) == 0)
			return false;
	return true;
}

int
pa_levels_row_work(const PaLevels *levels, const PaLeafSpec *spec, const PaStatistics *set)
{
	int			work = (LEVEL_WORK + STATISTIC_WORK * set->nsummed) * levels->cube.levels;
	uint32		keys = 0;

	for (int i = 0; i < levels->cube.levels; i++)
		keys |= levels->keys[i];
	for (int i = 0; i < spec->nkeys; i++)
		if (keys >> i & 1)
			work += get_typlen(spec->keys[i].type) == -1 ? TEXT_RANK_WORK : RANK_WORK;
	return work;
}
