/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * levels_selected.c
 *		The levels of a release whose groups are selected.
 */
#include "postgres.h"

#include "price/levels.h"

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
