/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * derive_table.c
 *		See derive_table.h.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "node/derive_table.h"
#include "descend.h"

#define MOST_CELLS 32768		/* of all places */
#define MOST_PLACES (1 << 24)	/* of the keys of a release */

static const PaKept *
kept_at(const PaTable *table, int number)
{
	return list_nth(table->kept, number);
}

/* --- conditions --- */

/* Whether all of them, and the answer, have it. */
static bool
is_common(const PaTable *table, Node *condition)
{
	ListCell   *cell;

	if (!list_member(table->target->asked->conditions, condition))
		return false;
	foreach(cell, table->kept)
		if (!list_member(((PaKept *) lfirst(cell))->parts->conditions, condition))
			return false;
	return true;
}

/* Those of a release or of the answer that the others do not all have. */
static List *
own_conditions(const PaTable *table, List *conditions)
{
	List	   *own = NIL;
	ListCell   *cell;

	foreach(cell, conditions)
		if (!is_common(table, lfirst(cell)))
			own = lappend(own, lfirst(cell));
	return own;
}

static List *
common_conditions(const PaTable *table)
{
	return list_difference(table->target->asked->conditions, own_conditions(table, table->target->asked->conditions));
}

static bool
covers_all(const PaLayout *layout, List *conditions)
{
	ListCell   *cell;

	foreach(cell, conditions)
		if (!pa_layout_covers(layout, lfirst(cell)))
			return false;
	return true;
}

/* What is null leaves a row out of an answer, and in a table: such a condition is false, or else not. */
static PaVerdict
judge_all(const PaLayout *layout, List *conditions, const int *places, PaVerdict unknown)
{
	PaVerdict	verdict = PA_TRUE;
	ListCell   *cell;

	foreach(cell, conditions)
	{
		PaVerdict	next = pa_layout_judge(layout, lfirst(cell), places);

		if (next == PA_FALSE || (next == PA_NULL && unknown == PA_FALSE))
			return PA_FALSE;
		if (next == PA_UNDECIDED)
			verdict = PA_UNDECIDED;
	}
	return verdict;
}

/* What all have in common is true of all rows that are spoken of, so where it is false there is none. */
static PaVerdict
judge_rows(const PaTable *table, List *common, List *own, const int *places)
{
	if (judge_all(table->layout, common, places, PA_FALSE) == PA_FALSE)
		return PA_FALSE;
	return judge_all(table->layout, own, places, PA_FALSE);
}

static PaVerdict *
judge_cells(const PaTable *table, List *common, List *own)
{
	PaVerdict  *verdicts = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(PaVerdict) * Max(table->ncells, 1));
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "privacct derived conditions", ALLOCSET_SMALL_SIZES);

	for (int i = 0; i < table->ncells; i++)
	{
		MemoryContext caller = MemoryContextSwitchTo(scratch);

		CHECK_FOR_INTERRUPTS();
		verdicts[i] = judge_rows(table, common, own, table->places + (size_t) i * table->layout->ndimensions);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(scratch);
	}
	MemoryContextDelete(scratch);
	return verdicts;
}

/* --- the layout --- */

static void
add_keys(PaLayout *layout, const PaParts *parts)
{
	for (int i = 0; i < parts->nkeys; i++)
		(void) pa_layout_add(layout, parts->keys[i].expression, parts->keys[i].name);
}

static void
add_points(PaLayout *layout, const PaParts *parts)
{
	for (int i = 0; i < parts->nkeys; i++)
	{
		int			dimension = pa_layout_find(layout, parts->keys[i].expression);

		for (int j = 0; dimension >= 0 && j < parts->ncells; j++)
			if (!parts->cells[j].nulls[i])
				pa_layout_add_point(layout, dimension, parts->cells[j].keys[i]);
	}
}

static void
add_constants(PaLayout *layout, List *conditions, const PaAsked *add)
{
	ListCell   *cell;

	foreach(cell, conditions)
		pa_layout_add_constants(layout, lfirst(cell), add);
}

/* What only whole answers are told apart by: keys of the answer, and what conditions compare. */
static void
add_dimensions(PaTable *table)
{
	const PaAsked *asked = table->target->asked;
	ListCell   *cell;

	for (int i = 0; i < list_length(asked->keys); i++)
		if (!pa_layout_covers(table->layout, list_nth(asked->keys, i)))
			(void) pa_layout_add(table->layout, list_nth(asked->keys, i), pa_asked_name(asked, list_nth(asked->keys, i)));
	add_constants(table->layout, own_conditions(table, asked->conditions), asked);
	foreach(cell, table->kept)
		add_constants(table->layout, own_conditions(table, ((PaKept *) lfirst(cell))->parts->conditions), asked);
}

/* Releases with a condition that nothing tells apart are about rows of their own. */
static bool
fits(const PaTable *table, const PaParts *parts)
{
	List	   *asked = table->target->asked->conditions;

	for (int i = 0; i < parts->nkeys; i++)
		if (pa_layout_find(table->layout, parts->keys[i].expression) < 0)
			return false;
	return covers_all(table->layout, list_difference(parts->conditions, asked)) &&
		covers_all(table->layout, list_difference(asked, parts->conditions));
}

static void
make_layout(PaTable *table, bool whole, ExprContext *context)
{
	ListCell   *cell;

	table->layout = pa_layout_make(context);
	table->checks = whole ? pa_asked_checks(table->target->asked) : NIL;
	foreach(cell, table->kept)
		add_keys(table->layout, ((PaKept *) lfirst(cell))->parts);
	if (whole)
		add_dimensions(table);
	for (int i = 0; whole && i < table->layout->ndimensions; i++)
		table->layout->dimensions[i].never_null = pa_asked_never_null(table->target->asked, table->layout->dimensions[i].expression);
	add_constants(table->layout, table->checks, NULL);
	add_constants(table->layout, table->target->asked->conditions, NULL);
	foreach(cell, table->kept)
	{
		const PaParts *parts = ((PaKept *) lfirst(cell))->parts;

		add_constants(table->layout, parts->conditions, NULL);
		add_points(table->layout, parts);
	}
	pa_target_add_points(table->target, table->layout);
}

/* --- cells --- */

/* Every combination of places, those of a dimension being listed. */
static void
combine_places(PaTable *table, int *const *places, const int *count, int64 most)
{
	int			n = table->layout->ndimensions;
	int64		cells = 1;

	for (int i = 0; i < n; i++)
	{
		cells *= count[i];
		if (cells > most)
		{
			table->problem = "The releases and the query tell too many groups apart.";
			table->too_large = true;
			return;
		}
	}
	table->ncells = (int) cells;
	table->places = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int) * Max(cells * n, 1));
	for (int64 c = 0; c < cells; c++)
	{
		int64		rest = c;

		for (int i = n - 1; i >= 0; i--)
		{
			table->places[c * n + i] = places[i][rest % count[i]];
			rest /= count[i];
		}
	}
}

/* Cells that no row can be in are none. */
static void
drop_impossible(PaTable *table)
{
	int			n = table->layout->ndimensions;
	int			kept = 0;
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "privacct derived checks", ALLOCSET_SMALL_SIZES);

	for (int i = 0; i < table->ncells; i++)
	{
		MemoryContext caller = MemoryContextSwitchTo(scratch);

		CHECK_FOR_INTERRUPTS();
		if (judge_all(table->layout, table->checks, table->places + (size_t) i * n, PA_TRUE) != PA_FALSE)
			memmove(table->places + (size_t) kept++ * n, table->places + (size_t) i * n, sizeof(int) * n);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(scratch);
	}
	MemoryContextDelete(scratch);
	table->ncells = kept;
}

/*
 * Values that releases may take for null are in no place: there must be none.  The first dimension
 * that may have some; -1: none has.
 */
static int
long_dimension(const PaTable *table)
{
	int			n = table->layout->ndimensions;

	for (int i = 0; i < n; i++)
	{
		const PaDimension *dimension = &table->layout->dimensions[i];

		if (!dimension->long_as_null)
			continue;
		if (!pa_layout_short_points(dimension))
			return i;
		for (int j = 0; j < table->ncells; j++)
			if (pa_is_gap(table->places[(size_t) j * n + i]))
				return i;
	}
	return -1;
}

static bool
uses(const PaTable *table, const PaParts *parts, int dimension)
{
	uint32		bit = 1u << Min(dimension, 31);

	for (int i = 0; i < parts->nkeys; i++)
		if (pa_layout_uses(table->layout, parts->keys[i].expression) & bit)
			return true;
	return (pa_layout_uses(table->layout, (Node *) parts->conditions) & bit) != 0;
}

static List *
without(const PaTable *table, int dimension)
{
	List	   *others = NIL;
	ListCell   *cell;

	foreach(cell, table->kept)
		if (!uses(table, ((PaKept *) lfirst(cell))->parts, dimension))
			others = lappend(others, lfirst(cell));
	return others;
}

/* All that rows can have. */
static void
take_all_places(PaTable *table)
{
	int			n = table->layout->ndimensions;
	int		  **places = palloc(sizeof(int *) * Max(n, 1));
	int		   *count = palloc0(sizeof(int) * Max(n, 1));

	for (int i = 0; i < n; i++)
	{
		const PaDimension *dimension = &table->layout->dimensions[i];

		places[i] = palloc(sizeof(int) * pa_layout_places(dimension));
		for (int j = 0; j < pa_layout_places(dimension); j++)
			if (pa_layout_possible(dimension, j))
				places[i][count[i]++] = j;
	}
	combine_places(table, places, count, MOST_CELLS);
	if (table->checks != NIL && table->problem == NULL)
		drop_impossible(table);
}

/* All places, or else the releases without those that tell values apart which they cannot. */
static List *
take_decided_places(PaTable *table)
{
	int			dimension;

	take_all_places(table);
	dimension = table->problem ? -1 : long_dimension(table);
	if (dimension >= 0)
	{
		List	   *others = without(table, dimension);

		if (list_length(others) < list_length(table->kept))
			return others;
		table->problem = psprintf("Releases take values of %s for null that are too long to be looked at, "
								  "unless a CHECK constraint lists all values, of at most 20 bytes.",
								  table->layout->dimensions[dimension].name);
	}
	for (int i = 0; i < table->layout->ndimensions; i++)
		table->layout->dimensions[i].long_as_null = false;
	return table->kept;
}

/* Where the keys of a group are; anywhere, where its level does not group by them. */
static void
place_group(const PaTable *table, const PaParts *parts, const PaPartCell *cell, int *places)
{
	for (int i = 0; i < table->layout->ndimensions; i++)
		places[i] = PA_ANYWHERE;
	for (int i = 0; i < parts->nkeys; i++)
		if (cell->level >> i & 1)
		{
			int			dimension = pa_layout_find(table->layout, parts->keys[i].expression);

			places[dimension] = pa_layout_place(&table->layout->dimensions[dimension], cell->keys[i], cell->nulls[i]);
		}
}

static uint32
all_keys(const PaParts *parts)
{
	return (uint32) ((UINT64CONST(1) << parts->nkeys) - 1);
}

static bool
has_finest(const PaParts *parts)
{
	for (int i = 0; i < parts->nsums; i++)
		if (parts->sums[i].level == all_keys(parts))
			return true;
	return false;
}

/* All others are sums of the groups by all keys. */
static void
take_finest(PaTable *table, const PaParts *parts)
{
	int			n = table->layout->ndimensions;

	table->places = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int) * Max((Size) parts->ncells * n, 1));
	for (int i = 0; i < parts->ncells; i++)
		if (parts->cells[i].level == all_keys(parts))
			place_group(table, parts, &parts->cells[i], table->places + (size_t) table->ncells++ * n);
}

/* Where these were not asked for, they are all combinations of the values of keys (price/levels.h). */
static void
take_combinations(PaTable *table, const PaParts *parts)
{
	int			n = table->layout->ndimensions;
	int		   *at = palloc(sizeof(int) * Max(n, 1));
	int		  **places = palloc(sizeof(int *) * Max(n, 1));
	int		   *count = palloc0(sizeof(int) * Max(n, 1));

	for (int i = 0; i < n; i++)
	{
		int			all = pa_layout_places(&table->layout->dimensions[i]);
		bool	   *seen = palloc0(sizeof(bool) * all);

		for (int j = 0; j < parts->ncells; j++)
		{
			place_group(table, parts, &parts->cells[j], at);
			if (at[i] != PA_ANYWHERE)
				seen[at[i]] = true;
		}
		places[i] = palloc(sizeof(int) * all);
		for (int j = 0; j < all; j++)
			if (seen[j])
				places[i][count[i]++] = j;
	}
	combine_places(table, places, count, MOST_CELLS);
}

/* --- the answer --- */

static bool
has_cell(const PaTable *table, int64 combination, uint32 level)
{
	for (int i = 0; i < table->ncells; i++)
		if (table->groups[i] >= 0 && pa_target_at_level(table->target, level, table->groups[i]) == combination)
			return true;
	return false;
}

/* Each group of the answer must have cells, be it that the conditions leave none of them. */
static bool
has_all_groups(const PaTable *table)
{
	const PaTarget *target = table->target;
	bool	   *seen = palloc0(Max(target->combinations, 1));

	for (int i = 0; i < table->ncells; i++)
		if (table->groups[i] >= 0)
			seen[table->groups[i]] = true;
	for (int64 c = 0; c < target->combinations; c++)
		if (target->exists[c] && !seen[c])
			return false;
	return target->combinations > 0 && (target->release->spec->nkeys > 0 || has_cell(table, 0, 0));
}

static void
take_answer(PaTable *table)
{
	PaVerdict  *verdicts = judge_cells(table, common_conditions(table), own_conditions(table, table->target->asked->conditions));

	table->wanted = MemoryContextAllocHuge(CurrentMemoryContext, Max(table->ncells, 1));
	table->groups = pa_target_groups(table->target, table->layout, table->places, table->ncells);
	if (table->groups == NULL)
	{
		table->problem = "It has too many groups.";
		return;
	}
	for (int i = 0; i < table->ncells; i++)
	{
		table->wanted[i] = verdicts[i] == PA_TRUE && table->groups[i] >= 0;
		if ((verdicts[i] == PA_UNDECIDED && table->groups[i] != PA_NO_GROUP) ||
			(verdicts[i] == PA_TRUE && table->groups[i] == PA_UNKNOWN_GROUP))
			table->problem = "Its conditions and grouping expressions do not follow from the grouped columns of the releases.";
	}
	if (table->problem == NULL && !has_all_groups(table))
		table->problem = "It has groups that were not released.";
}

/* A release with a condition of its own says nothing of the rows that it left out. */
static void
count_rows(PaTable *table)
{
	int			number = 0;
	ListCell   *cell;

	table->counted = palloc0(sizeof(PaVerdict *) * list_length(table->kept));
	foreach(cell, table->kept)
		table->counted[number++] = judge_cells(table, common_conditions(table), own_conditions(table, ((PaKept *) lfirst(cell))->parts->conditions));
}

/* One release alone must have all rows of the answer that its groups can have. */
static void
check_single(PaTable *table)
{
	for (int i = 0; i < table->ncells && table->problem == NULL; i++)
		if (table->wanted[i] && table->counted[0][i] != PA_TRUE)
			table->problem = "The release has a condition that leaves out rows of the answer.";
}

static void
leave_out_misfits(PaTable *table)
{
	List	   *fitting = NIL;
	ListCell   *cell;

	foreach(cell, table->kept)
		if (fits(table, ((PaKept *) lfirst(cell))->parts))
			fitting = lappend(fitting, lfirst(cell));
	table->kept = fitting;
}

/* Whether its rows are certain in all cells. */
static bool
is_decided(const PaTable *table, int number)
{
	for (int i = 0; i < table->ncells; i++)
		if (table->counted[number][i] == PA_UNDECIDED)
			return false;
	return true;
}

PaTable *
pa_table_make(PaTarget *target, List *kept, bool whole, ExprContext *context)
{
	PaTable    *table = palloc0(sizeof(PaTable));

	pa_descend();
	table->target = target;
	table->kept = list_copy(kept);
	make_layout(table, whole, context);
	leave_out_misfits(table);
	if (table->kept == NIL)
	{
		table->problem = "The releases have other conditions, or are grouped by other columns.";
		return table;
	}
	if (whole)
	{
		List	   *decided = take_decided_places(table);

		if (decided != table->kept)
			return pa_table_make(target, decided, whole, context);
	}
	else if (has_finest(kept_at(table, 0)->parts))
		take_finest(table, kept_at(table, 0)->parts);
	else
		take_combinations(table, kept_at(table, 0)->parts);
	if (table->problem == NULL)
		take_answer(table);
	if (table->problem)
		return table;
	count_rows(table);
	if (!whole)
		check_single(table);
	return table;
}

/* --- answers --- */

/* Where a group is among all places of the keys of its level; -1: a key is in a gap, or anywhere. */
static int64
index_of_places(const PaTable *table, const PaParts *parts, uint32 level, const int *places)
{
	int64		index = 0;

	for (int i = 0; i < parts->nkeys; i++)
		if (level >> i & 1)
		{
			int			dimension = pa_layout_find(table->layout, parts->keys[i].expression);

			if (places[dimension] == PA_ANYWHERE || pa_is_gap(places[dimension]))
				return -1;
			index = index * pa_layout_places(&table->layout->dimensions[dimension]) + places[dimension];
		}
	return index;
}

static int64
count_places(const PaTable *table, const PaParts *parts, uint32 level)
{
	double		places = 1;

	for (int i = 0; i < parts->nkeys; i++)
		if (level >> i & 1)
			places *= pa_layout_places(&table->layout->dimensions[pa_layout_find(table->layout, parts->keys[i].expression)]);
	return places > MOST_PLACES ? -1 : (int64) places;
}

/* The group of a level that is at some places; -1: none. */
static int *
find_groups(const PaTable *table, const PaParts *parts, uint32 level, int64 count)
{
	int		   *at = palloc(sizeof(int) * Max(table->layout->ndimensions, 1));
	int		   *groups = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int) * Max(count, 1));

	for (int64 i = 0; i < count; i++)
		groups[i] = -1;
	for (int i = 0; i < parts->ncells; i++)
		if (parts->cells[i].level == level)
		{
			int64		index;

			place_group(table, parts, &parts->cells[i], at);
			index = index_of_places(table, parts, level, at);
			if (index >= 0)
				groups[index] = i;
		}
	return groups;
}

/*
 * At which places a key has groups, by key and place.  In whichever level it is not grouped by, rows at others are
 * left out all the same: all levels are sums of the groups by all keys (price/levels.h).
 */
static bool **
places_of_keys(const PaTable *table, const PaParts *parts)
{
	int		   *at = palloc(sizeof(int) * Max(table->layout->ndimensions, 1));
	bool	  **has = palloc(sizeof(bool *) * Max(parts->nkeys, 1));

	for (int i = 0; i < parts->nkeys; i++)
	{
		int			dimension = pa_layout_find(table->layout, parts->keys[i].expression);

		has[i] = palloc0(pa_layout_places(&table->layout->dimensions[dimension]));
		for (int j = 0; j < parts->ncells; j++)
			if (parts->cells[j].level >> i & 1)
			{
				place_group(table, parts, &parts->cells[j], at);
				has[i][at[dimension]] = true;
			}
	}
	return has;
}

static bool
is_of_groups(const PaTable *table, const PaParts *parts, bool *const *has, const int *places)
{
	for (int i = 0; i < parts->nkeys; i++)
	{
		int			place = places[pa_layout_find(table->layout, parts->keys[i].expression)];

		if (place == PA_ANYWHERE || !has[i][place])
			return false;
	}
	return true;
}

/* The group of each cell; -1: it is in none. */
static int *
groups_of_cells(const PaTable *table, int number, uint32 level)
{
	const PaParts *parts = kept_at(table, number)->parts;
	bool	  **has = places_of_keys(table, parts);
	int64		count = count_places(table, parts, level);
	int		   *found = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int) * Max(table->ncells, 1));
	int		   *groups;

	if (count < 0)
		return NULL;
	groups = find_groups(table, parts, level, count);
	for (int i = 0; i < table->ncells; i++)
	{
		const int  *places = table->places + (size_t) i * table->layout->ndimensions;
		int64		index = index_of_places(table, parts, level, places);

		found[i] = index < 0 || table->counted[number][i] != PA_TRUE || !is_of_groups(table, parts, has, places) ? -1 : groups[index];
	}
	pfree(groups);
	return found;
}

PaSums
pa_table_answers(const PaTable *table, int number, int sum, int **cells)
{
	const PaParts *parts = kept_at(table, number)->parts;
	int		   *groups = is_decided(table, number) ? groups_of_cells(table, number, parts->sums[sum].level) : NULL;
	int32	   *start = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int32) * (parts->ncells + 2));
	int32	   *cell = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int32) * Max(table->ncells, 1));
	int32	   *next = palloc0(sizeof(int32) * (parts->ncells + 1));
	int			count = 0;

	start[0] = 0;
	if (groups == NULL)
		return (PaSums) {0, start, cell};
	*cells = palloc(sizeof(int) * Max(parts->ncells, 1));
	for (int i = 0; i < table->ncells; i++)
		if (groups[i] >= 0)
			next[groups[i]]++;
	for (int i = 0; i < parts->ncells; i++)
	{
		int32		size = next[i];

		if (size == 0)
			continue;
		(*cells)[count] = i;
		next[i] = start[count];
		start[count + 1] = start[count] + size;
		count++;
	}
	for (int i = 0; i < table->ncells; i++)
		if (groups[i] >= 0)
			cell[next[groups[i]]++] = i;
	return (PaSums) {count, start, cell};
}

/* --- scope --- */

/* Whether rows that the release has no group for, by this key, are not asked for anyway. */
static bool
asks_for_no_others(const PaTable *table, int dimension)
{
	const PaLayout *layout = table->layout;
	int		   *at = palloc(sizeof(int) * layout->ndimensions);
	bool	   *seen = palloc0(sizeof(bool) * pa_layout_places(&layout->dimensions[dimension]));

	for (int i = 0; i < table->ncells; i++)
		seen[table->places[(size_t) i * layout->ndimensions + dimension]] = true;
	for (int i = 0; i < layout->ndimensions; i++)
		at[i] = PA_ANYWHERE;
	for (int i = 0; i < pa_layout_places(&layout->dimensions[dimension]); i++)
	{
		at[dimension] = i;
		if (!seen[i] && pa_layout_possible(&layout->dimensions[dimension], i) &&
			judge_all(layout, table->target->asked->conditions, at, PA_FALSE) != PA_FALSE)
			return false;
	}
	return true;
}

static bool
is_key_of_answer(const PaTable *table, Node *expression)
{
	const PaTarget *target = table->target;

	for (int i = 0; i < list_length(target->asked->keys); i++)
		if (pa_layout_find(table->layout, list_nth(target->asked->keys, i)) == pa_layout_find(table->layout, expression))
			return true;
	return false;
}

const char *
pa_table_scope(const PaTable *table)
{
	const PaParts *parts = kept_at(table, 0)->parts;
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < parts->nkeys; i++)
	{
		int			dimension = pa_layout_find(table->layout, parts->keys[i].expression);

		if (!parts->keys[i].listed && !is_key_of_answer(table, parts->keys[i].expression) && !asks_for_no_others(table, dimension))
			appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "", parts->keys[i].name);
	}
	if (names.len == 0)
		return NULL;
	return psprintf("rows with one of the released values of %s", names.data);
}
