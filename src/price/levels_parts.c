/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * levels_parts.c
 *		Levels with some of the keys whose values public data list together.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port.h"
#include "utils/typcache.h"

#include "price/levels.h"

/* The keys with all those that are listed together, if any of them is among these: a level of the cube. */
uint32
pa_levels_whole(const PaLeafSpec *spec, uint32 keys)
{
	uint32		listed = 0;

	for (int i = 0; i < spec->nkeys; i++)
		listed |= (uint32) (spec->keys[i].listed >= 0) << i;
	return keys & listed ? keys | listed : keys;
}

/* --- which rows agree --- */

typedef struct Agreement
{
	const PaKeyRows *rows;
	int			columns;
	int			column[PA_MAX_KEYS];
	Oid			collation[PA_MAX_KEYS];
	FmgrInfo   *compare[PA_MAX_KEYS];
} Agreement;

static void
agree_in(Agreement *agreement, const PaLeafSpec *spec, uint32 keys)
{
	agreement->columns = 0;
	for (int i = 0; i < spec->nkeys; i++)
		if (spec->keys[i].listed >= 0 && keys >> i & 1)
		{
			int			n = agreement->columns++;

			agreement->column[n] = spec->keys[i].listed;
			agreement->collation[n] = spec->keys[i].collation;
			agreement->compare[n] = &lookup_type_cache(spec->keys[i].type, TYPECACHE_CMP_PROC_FINFO)->cmp_proc_finfo;
		}
}

static int
compare_rows(const void *a, const void *b, void *argument)
{
	const Agreement *agreement = argument;
	Datum		left[PA_MAX_KEYS],
				right[PA_MAX_KEYS];
	bool		left_null[PA_MAX_KEYS],
				right_null[PA_MAX_KEYS];

	CHECK_FOR_INTERRUPTS();
	pa_key_rows_get(agreement->rows, *(const int *) a, left, left_null);
	pa_key_rows_get(agreement->rows, *(const int *) b, right, right_null);
	for (int i = 0; i < agreement->columns; i++)
	{
		int			at = agreement->column[i];
		int			order = left_null[at] || right_null[at] ? left_null[at] - right_null[at] :
			DatumGetInt32(FunctionCall2Coll(agreement->compare[i], agreement->collation[i], left[at], right[at]));

		if (order != 0)
			return order;
	}
	return 0;
}

/* Numbers the classes of rows that agree; the first of each class is the one with the least number. */
static void
set_classes(PaPartLevel *part, const PaLeafSpec *spec, const PaKeyRows *key_rows)
{
	Agreement	agreement = {.rows = key_rows};
	int			rows = (int) pa_key_rows_count(key_rows);
	int		   *order = palloc(sizeof(int) * Max(rows, 1));

	agree_in(&agreement, spec, part->keys);
	for (int i = 0; i < rows; i++)
		order[i] = i;
	qsort_arg(order, rows, sizeof(int), compare_rows, &agreement);
	part->class_of = palloc(sizeof(int) * Max(rows, 1));
	part->first = palloc(sizeof(int) * Max(rows, 1));
	part->members = palloc0(sizeof(int) * Max(rows, 1));
	for (int i = 0; i < rows; i++)
	{
		if (i == 0 || compare_rows(&order[i - 1], &order[i], &agreement) != 0)
			part->first[part->classes++] = order[i];
		part->class_of[order[i]] = part->classes - 1;
		part->first[part->classes - 1] = Min(part->first[part->classes - 1], order[i]);
		part->members[part->classes - 1]++;
	}
	part->first = repalloc(part->first, sizeof(int) * Max(part->classes, 1));
	part->members = repalloc(part->members, sizeof(int) * Max(part->classes, 1));
	pfree(order);
}

static int
level_with(const PaLevels *levels, uint32 keys)
{
	int			level = 0;

	while (levels->keys[level] != keys)
		level++;
	return level;
}

static bool
has_part(const PaLevels *levels, uint32 keys)
{
	for (int i = 0; i < levels->nparts; i++)
		if (levels->parts[i].keys == keys)
			return true;
	return false;
}

void
pa_levels_set_parts(PaLevels *levels, const PaLeafSpec *spec, const PaKeyRows *rows)
{
	levels->parts = palloc0(sizeof(PaPartLevel) * spec->nlevels);
	for (int i = 0; i < spec->nlevels; i++)
	{
		PaPartLevel *part = &levels->parts[levels->nparts];

		if (pa_levels_whole(spec, spec->levels[i]) == spec->levels[i] || has_part(levels, spec->levels[i]))
			continue;
		part->keys = spec->levels[i];
		part->whole = level_with(levels, pa_levels_whole(spec, part->keys));
		set_classes(part, spec, rows);
		levels->nparts++;
	}
}

/* --- what is asked of levels of both kinds --- */

int
pa_levels_count(const PaLevels *levels)
{
	return levels->cube.levels + levels->nparts;
}

const PaPartLevel *
pa_levels_part(const PaLevels *levels, int level)
{
	return level < levels->cube.levels ? NULL : &levels->parts[level - levels->cube.levels];
}

uint32
pa_levels_keys(const PaLevels *levels, int level)
{
	const PaPartLevel *part = pa_levels_part(levels, level);

	return part ? part->keys : levels->keys[level];
}

int
pa_levels_times(const PaLeafSpec *spec, uint32 keys)
{
	int			times = 0;

	for (int i = 0; i < spec->nlevels; i++)
		times += spec->levels[i] == keys;
	return times;
}

/* Groups of a level with the listed keys that have the same row: they follow each other. */
static int64
cells_of_row(const PaLevels *levels, const PaPartLevel *part)
{
	return pa_cube_cells(&levels->cube, levels->cube.level[part->whole] & ~(uint32) 1);
}

int64
pa_levels_cells(const PaLevels *levels, int level)
{
	const PaPartLevel *part = pa_levels_part(levels, level);

	return part ? part->classes * cells_of_row(levels, part) : pa_cube_cells(&levels->cube, levels->cube.level[level]);
}

int64
pa_levels_cell_of_part(const PaLevels *levels, const PaPartLevel *part, int64 cell)
{
	int64		width = cells_of_row(levels, part);

	return part->class_of[cell / width] * width + cell % width;
}

int
pa_levels_members(const PaLevels *levels, int level, int64 cell)
{
	const PaPartLevel *part = pa_levels_part(levels, level);

	return part ? part->members[cell / cells_of_row(levels, part)] : 1;
}

int64
pa_levels_group(const PaLevels *levels, int level, int64 cell)
{
	const PaPartLevel *part = pa_levels_part(levels, level);

	if (part)
	{
		int64		width = cells_of_row(levels, part);

		cell = part->first[cell / width] * width + cell % width;
		level = part->whole;
	}
	return pa_cube_image(&levels->cube, levels->cube.level[level], UINT32_MAX, cell);
}

int
pa_levels_most_members(const PaLevels *levels, int level)
{
	const PaPartLevel *part = pa_levels_part(levels, level);
	int			most = 1;

	for (int i = 0; part && i < part->classes; i++)
		most = Max(most, part->members[i]);
	return most;
}
