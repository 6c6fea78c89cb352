/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * levels.c
 *		Which levels a release has, and which have noise of their own.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "utils/lsyscache.h"

#include "core/accounting/zcdp.h"
#include "core/derive/levels.h"

#include "compat/version.h"
#include "price/calibration.h"
#include "price/levels.h"
#include "price/refine.h"
#include "price/unit/unit.h"
#include "errors.h"
#include "position.h"
#include "settings.h"
#include "size_limits.h"

#define MOST_CELLS 1000000		/* of all levels of the cube together, and of all parts */

/* --- which --- */

static PA_NORETURN void
refuse(const PaRelease *release, const char *detail, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("GROUPING SETS, ROLLUP and CUBE are not possible here"),
			errdetail("%s", detail),
			errhint("%s", hint),
			release->spec->naggregates > 0 ? pa_position(release->spec->source, release->arguments[0].location) : 0);
}

/* Then there are fewer groups than the keys have combinations. */
static bool
is_grouped_by_twice(const PaLeafSpec *spec)
{
	for (int i = 0; i < spec->nkeys; i++)
		for (int j = 0; j < i; j++)
			if (spec->keys[i].input == spec->keys[j].input)
				return true;
	return false;
}

static double
sample_rate(const PaRelease *release)
{
	return Min(pa_default_sample_rate, release->policy->sample_rate);
}

static void
require_few(const PaRelease *release, int count, int64 cells)
{
	if (count > PA_MOST_LEVELS)
		refuse(release, psprintf("They make more than %d groupings.", PA_MOST_LEVELS), "Ask for fewer groupings.");
	if (cells > MOST_CELLS)
		refuse(release, psprintf("They make more than %d groups.", MOST_CELLS), "Ask for fewer groupings, or group by fewer columns.");
}

/* A row may make a group of every grouping, which has to be told from others. */
static void
require_little_work(const PaRelease *release, int work)
{
	if (release->spec->row_work + work > PA_MAX_ROW_WORK)
		refuse(release, psprintf("A row could take %d microseconds in this block; at most %d are allowed.",
								 (release->spec->row_work + work + 999) / 1000, PA_ROW_WORK_MICROSECONDS),
			   "Ask for fewer groupings, group by fewer texts, or write one query for each grouping and combine them with UNION ALL.");
}

static void
require_possible(const PaRelease *release)
{
	if (sample_rate(release) < 1)
		refuse(release, "The release is made on a sample of owners.",
			   "Use SET privacct.sample_rate = 1, or write one query for each grouping and combine them with UNION ALL.");
	if (pa_accountant(release->policy->accountant)->counts_uses)
		refuse(release, "The policy has a plan, whose slots are for one grouping each.",
			   "Write one query for each grouping and combine them with UNION ALL.");
}

/* All combinations of public keys are groups, and known beforehand. */
static void
require_table(const PaRelease *release)
{
	const PaLeafSpec *spec = release->spec;

	if (is_grouped_by_twice(spec))
		refuse(release, "Two of the grouped expressions are of one column, whose values are not in every combination.",
			   "Group by one of them, or write one query for each grouping and combine them with UNION ALL.");
	if (release->key_rows && pa_key_rows_count(release->key_rows) == 0)
		refuse(release, "The public table or the periods that are grouped by have nothing that the query keeps, so there is no group.",
			   "Write one query for each grouping and combine them with UNION ALL.");
	if (!pa_groups_told_apart(spec, release->policies, release->key_rows))
		refuse(release, "A key is too long for a group of its own: its rows are in the group of null.",
			   "Group by a column of shorter keys, or write one query for each grouping and combine them with UNION ALL.");
	if (spec->nkeys > PA_MOST_DIMENSIONS)
		refuse(release, psprintf("They have more than %d grouping expressions.", PA_MOST_DIMENSIONS), "Group by fewer columns.");
}

/* Listed values are slowest in the numbers of groups (bound/group_table.h). */
static void
set_dimensions(PaLevels *levels, const PaRelease *release)
{
	const PaLeafSpec *spec = release->spec;
	int32	   *size = palloc(sizeof(int32) * spec->nkeys);

	levels->key = palloc(sizeof(int) * spec->nkeys);
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < spec->nkeys; i++)
		{
			bool		listed = spec->keys[i].listed >= 0;

			if (listed != (pass == 0) || (listed && levels->cube.dimensions > 0))
				continue;
			size[levels->cube.dimensions] = listed ? (int32) pa_key_rows_count(release->key_rows) :
				pa_groups_keys_of(&spec->keys[i], release->policies)->count;
			levels->key[levels->cube.dimensions++] = i;
		}
	levels->cube.size = size;
}

static uint32
dimensions_of(const PaLevels *levels, uint32 keys)
{
	uint32		dimensions = 0;

	for (int i = 0; i < levels->cube.dimensions; i++)
		dimensions |= (keys >> levels->key[i] & 1) << i;
	return dimensions;
}

/* What can be added up from a level comes after it. */
static bool
comes_before(const PaCube *cube, uint32 level, uint32 other)
{
	int64		cells = pa_cube_cells(cube, level);
	int64		others = pa_cube_cells(cube, other);

	return cells > others || (cells == others && __builtin_popcount(level) > __builtin_popcount(other));
}

static void
add_level(PaLevels *levels, uint32 *level, uint32 keys)
{
	PaCube	   *cube = &levels->cube;
	uint32		dimensions = dimensions_of(levels, keys);
	int			at = cube->levels;

	while (at > 0 && comes_before(cube, dimensions, level[at - 1]))
		at--;
	memmove(level + at + 1, level + at, sizeof(uint32) * (cube->levels - at));
	memmove(levels->keys + at + 1, levels->keys + at, sizeof(uint32) * (cube->levels - at));
	level[at] = dimensions;
	levels->keys[at] = keys;
	cube->levels++;
}

static bool
has_level(const PaLevels *levels, uint32 keys)
{
	for (int i = 0; i < levels->cube.levels; i++)
		if (levels->keys[i] == keys)
			return true;
	return false;
}

/* Each is no larger than what it is added up from. */
static void
require_few_parts(const PaLevels *levels, const PaRelease *release)
{
	const PaLeafSpec *spec = release->spec;
	int			count = levels->cube.levels;
	int64		cells = 0;

	for (int i = 0; i < spec->nlevels; i++)
	{
		uint32		keys = pa_levels_whole(spec, spec->levels[i]);

		if (keys == spec->levels[i])
			continue;
		cells += pa_cube_cells(&levels->cube, dimensions_of(levels, keys));
		require_few(release, ++count, cells);
	}
}

/* Those of the cube: with what parts are added up from, asked for or not. */
static void
set_levels(PaLevels *levels, const PaRelease *release)
{
	const PaLeafSpec *spec = release->spec;
	uint32	   *level = palloc(sizeof(uint32) * (PA_MOST_LEVELS + 1));
	int64		cells = 0;

	levels->keys = palloc(sizeof(uint32) * (PA_MOST_LEVELS + 1));
	levels->cube.level = level;
	for (int i = 0; i < spec->nlevels; i++)
	{
		uint32		keys = pa_levels_whole(spec, spec->levels[i]);

		if (has_level(levels, keys))
			continue;
		add_level(levels, level, keys);
		cells += pa_cube_cells(&levels->cube, dimensions_of(levels, keys));
		require_few(release, levels->cube.levels, cells);
	}
}

PaLevels *
pa_levels_make(const PaRelease *release)
{
	const PaLeafSpec *spec = release->spec;
	PaLevels   *levels;

	if (spec->nlevels == 1 && spec->levels[0] == (uint32) ((UINT64CONST(1) << spec->nkeys) - 1))
		return NULL;
	require_possible(release);
	levels = palloc0(sizeof(PaLevels));
	if (release->select_groups)
	{
		pa_levels_set_selected(levels, spec);
		require_few(release, levels->cube.levels, Max(pa_groups_public_count(spec, release->policies, release->key_rows), 0) * levels->cube.levels);
		return levels;
	}
	require_table(release);
	set_dimensions(levels, release);
	set_levels(levels, release);
	require_few_parts(levels, release);
	pa_levels_set_parts(levels, release->spec, release->key_rows);
	return levels;
}

/* --- their noise --- */

static const char *
name_of_key(const PaLeafSpec *spec, int key)
{
	if (spec->keys[key].table < 0)
		return psprintf("expression %d", key + 1);
	return get_attname(spec->tables[spec->keys[key].table].relation, spec->keys[key].column, false);
}

char *
pa_levels_label(const PaRelease *release, int statistic, int level)
{
	const char *label = release->statistics->statistics[statistic].plain_label;
	uint32		keys = pa_levels_keys(release->levels, level);
	StringInfoData text;
	const char *separator = " by ";

	initStringInfo(&text);
	appendStringInfoString(&text, label);
	if (keys == 0)
		appendStringInfoString(&text, " in all");
	for (int i = 0; i < release->spec->nkeys; i++)
		if (keys >> i & 1)
		{
			appendStringInfo(&text, "%s%s", separator, name_of_key(release->spec, i));
			separator = ", ";
		}
	return text.data;
}

/* Of how many of the finest groups one of a level is the sum, at most */
static int64
width_of(const PaRelease *release, int level)
{
	const PaLevels *levels = release->levels;

	if (!levels->selected)
		return pa_cube_width(&levels->cube, levels->cube.level[level]);
	return __builtin_popcount(levels->keys[level]) == release->spec->nkeys ? 1 : release->max_groups;
}

static void
choose_levels_of_table(const PaRelease *release, const PaStatistic *statistic, bool *pays)
{
	const PaCube *cube = &release->levels->cube;
	PaNorm		norm = pa_release_kinds(release, statistic) == PA_KERNEL_BIT(PA_KERNEL_GAUSSIAN) ? PA_NORM_L2 : PA_NORM_L1;
	PaLevel		level[PA_MOST_LEVELS];

	for (int i = 0; i < cube->levels; i++)
		level[i] = (PaLevel) {
			.groups = pa_cube_cells(cube, cube->level[i]),.widest = pa_cube_width(cube, cube->level[i]),.keys = cube->level[i]
		};
	if (pa_levels_pay(norm, release->max_groups, level, cube->levels, pays) != PA_OK)
		elog(ERROR, "the levels of a release are not in order");
}

static void
choose_levels(const PaRelease *release, int base, bool *pays)
{
	const PaLevels *levels = release->levels;

	if (!levels->selected)
		choose_levels_of_table(release, &release->statistics->statistics[base], pays);
	for (int i = 0; levels->selected && i < levels->cube.levels; i++)
		pays[i] = base != release->statistics->selection || pa_levels_selects(levels, i);
}

static void
add_levels_of(PaRelease *release, int base)
{
	PaStatistics *set = release->statistics;
	int			levels = release->levels->cube.levels;
	bool		pays[PA_MOST_LEVELS];
	int			shares = 0;

	choose_levels(release, base, pays);
	for (int i = 0; i < levels; i++)
		shares += pays[i];
	for (int i = 0; i < levels; i++)
	{
		PaStatistic *statistic = i == 0 ? &set->statistics[base] : &set->statistics[set->nstatistics];

		if (!pays[i])
			continue;
		if (i > 0)
		{
			*statistic = set->statistics[base];
			set->nstatistics++;
		}
		statistic->base = base;
		statistic->level = i;
		statistic->widest = width_of(release, i);
		statistic->shares = shares;
		statistic->label = pa_levels_label(release, base, i);
	}
}

void
pa_levels_add(PaRelease *release)
{
	PaStatistics *set = release->statistics;

	if (release->levels == NULL)
		return;
	if (release->levels->selected)
		require_little_work(release, pa_levels_row_work(release->levels, release->spec, set));
	set->statistics = repalloc(set->statistics, sizeof(PaStatistic) * ((size_t) set->nsummed * release->levels->cube.levels + 1));
	for (int i = 0; i < set->nsummed; i++)
		add_levels_of(release, i);
}

bool
pa_levels_allow(const PaRelease *release, const PaStatistic *statistic, uint32 kinds, PaProblem *problem)
{
	bool		plain = kinds == PA_KERNEL_BIT(PA_KERNEL_LAPLACE) || kinds == PA_KERNEL_BIT(PA_KERNEL_GAUSSIAN);

	if (!plain && (kinds & (kinds - 1)) == 0)
		*problem = (PaProblem) {"GROUPING SETS, ROLLUP and CUBE are not possible here",
			"They need Laplace or Gaussian noise.",
		"Use the option kernel=laplace, or SET privacct.kernel = 'laplace'."};
	else if (statistic->within >= 0)
		*problem = (PaProblem) {"GROUPING SETS, ROLLUP and CUBE are not possible here",
			"An error bound is wanted, but the error of a total depends on those of its groups.",
		"Leave the option within out and reset privacct.within, or write one query for each grouping."};
	else if (statistic->error > 0 || pa_is_refined(release, statistic))
		*problem = (PaProblem) {"GROUPING SETS, ROLLUP and CUBE are not possible here",
			"An error is wanted, but the error of a total depends on those of its groups.",
		"Leave the option error out and reset privacct.accuracy, or write one query for each grouping."};
	else
		return true;
	return false;
}

/*
 * With n_j finest groups of an owner in group j of a level, that is at most L0 in all and
 * "widest" in each, Laplace noise loses at most L0 changes of one group; noise of rho for
 * one such change at most sum of n_j^2 times that.
 */
PaStatus
pa_levels_calibrate(const PaRelease *release, PaStatistic *statistic, uint32 kinds, double epsilon, double delta)
{
	double		squares = pa_level_change(PA_NORM_L2, release->max_groups, statistic->widest);
	bool		pure = kinds == PA_KERNEL_BIT(PA_KERNEL_LAPLACE);
	double		part = statistic->shares > 1 ? (1 - 4 * DBL_EPSILON) / statistic->shares : 1;
	PaCalibration *calibration = &statistic->calibration;
	PaRequest	request = {
		.sensitivity = {
			.per_group = pa_statistic_sensitivity(release->statistics, statistic),
			.groups = pure ? release->max_groups : (uint32) Min(squares, PG_UINT32_MAX)
		},
		.epsilon = pure ? epsilon * part : epsilon,.delta = pure ? 0 : delta,.within = -1
	};
	PaStatus	status = PA_OK;

	if (!pure && squares > PG_UINT32_MAX)
		return PA_OUT_OF_RANGE;
	if (!pure && (statistic->shares > 1 || statistic->widest > 1))
	{
		status = pa_zcdp_rho(nextafter(epsilon, 0), nextafter(delta, 0), &request.rho);
		request.rho *= part;
	}
	if (status == PA_OK)
		status = pa_calibration_find(&request, kinds, calibration);
	if (status == PA_OK && pure)
		calibration->rho = Min(squares * pa_kernel_rho(&calibration->kernel, calibration->shift) * (1 + 4 * DBL_EPSILON),
							   pa_currency(PA_CURRENCY_RHO)->of_loss(pa_release_loss(release, statistic) * (1 + 4 * DBL_EPSILON)) * (1 + 4 * DBL_EPSILON));
	return status;
}
