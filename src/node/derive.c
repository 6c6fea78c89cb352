/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * derive.c
 *		See derive.h.
 *
 * All releases that are whole and of the edition of the answer are tried together first.  If it does
 * not follow from them, each is tried alone, and the one with the least error is taken.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#include "node/derive.h"
#include "node/derive_table.h"
#include "node/editions.h"
#include "node/repeat.h"
#include "price/form/form.h"
#include "server_environment.h"

#define MOST_RELEASES 64		/* the youngest: others are not looked at */
#define DUST 1e-12
#define TOO_LARGE "The releases and the query tell too many groups apart."
#define MOST_WEIGHTS 4000000	/* that are computed at once */

/* The noised totals of a statistic, from all releases, and where each comes from. */
typedef struct Answers
{
	int			count;
	int		   *kept;
	int		   *sum;
	int		   *cell;
	double	   *variance;
	int32	   *start;
	int32	   *cells;
} Answers;

/* A group of the answer: which cells its rows are in. */
typedef struct AnswerGroup
{
	uint32		level;
	int64		combination;
	int			ncells;
	int32	   *cells;
} AnswerGroup;

typedef struct Derivation
{
	const PaTable *table;
	const char *problem;
	bool		too_large;		/* that is the problem */
	int			ngroups;
	AnswerGroup *groups;
	double	  **values;			/* [statistic][group] */
	PaSpread ***spreads;		/* the same */
	bool	   *used;			/* [kept] */
	double		error;			/* by which derivations are compared */
} Derivation;

static const PaParts *
parts_of(const PaTable *table, int number)
{
	return ((PaKept *) list_nth(table->kept, number))->parts;
}

static void *
allocate(Size count, Size size)
{
	return MemoryContextAllocHuge(CurrentMemoryContext, Max(count, 1) * size);
}

/* --- groups --- */

static void
add_group(Derivation *derivation, uint32 level, int64 combination, int ncells, const int32 *cells)
{
	AnswerGroup *group = &derivation->groups[derivation->ngroups++];

	*group = (AnswerGroup) {level, combination, ncells, allocate(ncells, sizeof(int32))};
	memcpy(group->cells, cells, sizeof(int32) * ncells);
}

/* Cells of each combination are listed one after the other. */
static void
add_level(Derivation *derivation, uint32 level)
{
	const PaTable *table = derivation->table;
	int64		most = table->target->combinations;
	int32	   *start = allocate(most + 1, sizeof(int32));
	int32	   *cells = allocate(table->ncells, sizeof(int32));

	memset(start, 0, sizeof(int32) * (most + 1));
	for (int i = 0; i < table->ncells; i++)
		if (table->wanted[i])
			start[pa_target_at_level(table->target, level, table->groups[i]) + 1]++;
	for (int64 c = 0; c < most; c++)
		start[c + 1] += start[c];
	for (int i = 0; i < table->ncells; i++)
		if (table->wanted[i])
			cells[start[pa_target_at_level(table->target, level, table->groups[i])]++] = i;
	for (int64 c = 0; c < most; c++)
	{
		int32		from = c == 0 ? 0 : start[c - 1];

		if (start[c] > from)
			add_group(derivation, level, c, start[c] - from, cells + from);
	}
}

static void
make_groups(Derivation *derivation)
{
	const PaTarget *target = derivation->table->target;

	derivation->groups = allocate((Size) target->nlevels * target->combinations, sizeof(AnswerGroup));
	for (int i = 0; i < target->nlevels; i++)
		add_level(derivation, target->levels[i]);
	if (derivation->ngroups == 0)
		derivation->problem = "No group of the releases meets its conditions.";
}

/* --- answers --- */

static double
variance_of(const PaPartSum *sum)
{
	double		deviation = pa_noise_deviation(sum->shape, sum->scale) * sum->step;

	return deviation * deviation;
}

static void
append_answers(Answers *answers, const PaTable *table, int kept, int sum)
{
	int		   *cells = NULL;
	PaSums		sums = pa_table_answers(table, kept, sum, &cells);
	int32		used = answers->start ? answers->start[answers->count] : 0;
	int			count = answers->count + sums.count;
	Size		length = (Size) used + sums.start[sums.count];

	if (sums.count == 0)
		return;
#define GROW(array, size) \
	(answers->array = answers->array ? repalloc_huge(answers->array, Max(size, 1) * sizeof(*answers->array)) : \
	 allocate(size, sizeof(*answers->array)))
	GROW(kept, count);
	GROW(sum, count);
	GROW(cell, count);
	GROW(variance, count);
	GROW(start, count + 1);
	GROW(cells, length);
#undef GROW
	memcpy(answers->cells + used, sums.cell, sizeof(int32) * sums.start[sums.count]);
	answers->start[0] = 0;
	for (int i = 0; i < sums.count; i++)
	{
		answers->kept[answers->count] = kept;
		answers->sum[answers->count] = sum;
		answers->cell[answers->count] = cells[i];
		answers->variance[answers->count++] = variance_of(&parts_of(table, kept)->sums[sum]);
		answers->start[answers->count] = used + sums.start[i + 1];
	}
}

static int
most_keys(const PaParts *parts)
{
	int			most = 0;

	for (int i = 0; i < parts->nsums; i++)
		most = Max(most, pg_popcount32(parts->sums[i].level));
	return most;
}

/* finest: of each release the groups that are not totals of others */
static Answers
collect(const PaTable *table, PaSumName name, bool finest)
{
	Answers		answers = {0};

	for (int i = 0; i < list_length(table->kept); i++)
		for (int j = 0; j < parts_of(table, i)->nsums; j++)
		{
			const PaPartSum *sum = &parts_of(table, i)->sums[j];

			if (memcmp(&sum->name, &name, sizeof(name)) == 0 &&
				(!finest || pg_popcount32(sum->level) == most_keys(parts_of(table, i))))
				append_answers(&answers, table, i, j);
		}
	return answers;
}

/* --- estimates --- */

static double
released(const PaTable *table, const Answers *answers, int number)
{
	return parts_of(table, answers->kept[number])->cells[answers->cell[number]].totals[answers->sum[number]];
}

/* Equal noises with equal weights are one part, as often as they are there. */
static void
add_part(PaSpread *spread, const PaPartSum *sum, double weight)
{
	PaPart		part = {.weight = weight * sum->step,.shape = sum->shape,.scale = sum->scale};

	spread->rounding += fabs(weight) * sum->rounding;
	for (int i = spread->nparts - 1; i >= Max(spread->nparts - 8, 0); i--)
		if (fabs(spread->parts[i].weight) == fabs(part.weight) && spread->parts[i].shape == part.shape &&
			spread->parts[i].scale == part.scale)
		{
			spread->times[i]++;
			return;
		}
	if (spread->nparts == 0)
	{
		spread->parts = palloc(sizeof(PaPart) * 4);
		spread->times = palloc(sizeof(double) * 4);
	}
	else if (spread->nparts >= 4 && (spread->nparts & (spread->nparts - 1)) == 0)
	{
		spread->parts = repalloc_huge(spread->parts, sizeof(PaPart) * spread->nparts * 2);
		spread->times = repalloc_huge(spread->times, sizeof(double) * spread->nparts * 2);
	}
	spread->parts[spread->nparts] = part;
	spread->times[spread->nparts++] = 1;
}

/* Most weights are whole but for the rounding of their computation. */
static double
without_dust(double weight)
{
	return fabs(weight - rint(weight)) < DUST ? rint(weight) : weight;
}

static void
estimate_group(Derivation *derivation, const Answers *answers, int statistic, int group, const double *weight)
{
	PaSpread   *spread = palloc0(sizeof(PaSpread));
	double		value = 0;

	for (int i = 0; i < answers->count; i++)
	{
		double		known = without_dust(weight[i]);

		if (known == 0)
			continue;
		value += known * released(derivation->table, answers, i);
		add_part(spread, &parts_of(derivation->table, answers->kept[i])->sums[answers->sum[i]], known);
		derivation->used[answers->kept[i]] = true;
		derivation->error += known * known * answers->variance[i];
	}
	derivation->values[statistic][group] = value;
	derivation->spreads[statistic][group] = spread;
}

/* What the answer is told apart by. */
static uint32
dimensions_of_answer(const PaTable *table)
{
	const PaAsked *asked = table->target->asked;
	uint32		used = 0;
	ListCell   *cell;

	foreach(cell, asked->conditions)
		used |= pa_layout_uses(table->layout, lfirst(cell));
	foreach(cell, asked->keys)
		used |= pa_layout_uses(table->layout, lfirst(cell));
	return used;
}

/* Which of the groups is missing is not said: its values are not for messages. */
static const char *
what_is_missing(const PaTable *table, int32 cell)
{
	const PaLayout *layout = table->layout;
	uint32		used = dimensions_of_answer(table);
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < layout->ndimensions; i++)
		if ((used >> Min(i, 31) & 1) && pa_is_gap(table->places[(size_t) cell * layout->ndimensions + i]))
			appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "", layout->dimensions[i].name);
	if (names.len == 0)
		return "The releases do not add up to it: the count of one of its groups, or of what it leaves out, is missing.";
	return psprintf("The releases do not add up to it: rows with other values of %s are missing.", names.data);
}

/* As many groups as their weights have room for. */
static void
solve_some(Derivation *derivation, const Answers *answers, int statistic, int first, int count)
{
	PaSums		sums = {answers->count, answers->start, answers->cells};
	int32	   *start = palloc(sizeof(int32) * (count + 1));
	int32	   *cells;
	PaCombined	combined = {palloc(sizeof(bool) * count), allocate((Size) count * answers->count, sizeof(double)), palloc(sizeof(int32) * count)};
	PaStatus	status;

	start[0] = 0;
	for (int i = 0; i < count; i++)
		start[i + 1] = start[i] + derivation->groups[first + i].ncells;
	cells = allocate(start[count], sizeof(int32));
	for (int i = 0; i < count; i++)
		memcpy(cells + start[i], derivation->groups[first + i].cells, sizeof(int32) * derivation->groups[first + i].ncells);
	status = pa_combine(&sums, answers->variance, derivation->table->ncells, &(PaSums) {count, start, cells},
						pa_server_environment(), &combined);
	CHECK_FOR_INTERRUPTS();
	derivation->too_large = status == PA_OUT_OF_RANGE;
	if (status != PA_OK)
		derivation->problem = derivation->too_large ? TOO_LARGE : psprintf("Least squares failed: %s.", pa_status_text(status));
	for (int i = 0; i < count && derivation->problem == NULL; i++)
		if (combined.estimable[i])
			estimate_group(derivation, answers, statistic, first + i, combined.weight + (size_t) i * answers->count);
		else
			derivation->problem = what_is_missing(derivation->table, combined.missing[i]);
	pfree(combined.weight);
	pfree(cells);
}

static void
derive_statistic_from(Derivation *derivation, int statistic, bool finest)
{
	const PaTarget *target = derivation->table->target;
	Answers		answers = collect(derivation->table, pa_sum_name(target->release, target->asked, statistic), finest);
	int			batch;

	if (answers.count == 0)
	{
		derivation->problem = psprintf("No release has %s, with the same bounds and limits and noise of a known law.",
									   target->release->statistics->statistics[statistic].plain_label);
		return;
	}
	derivation->values[statistic] = allocate(derivation->ngroups, sizeof(double));
	derivation->spreads[statistic] = allocate(derivation->ngroups, sizeof(PaSpread *));
	batch = Max(MOST_WEIGHTS / answers.count, 1);
	for (int i = 0; i < derivation->ngroups && derivation->problem == NULL; i += batch)
		solve_some(derivation, &answers, statistic, i, Min(batch, derivation->ngroups - i));
}

/* Where all answers are too many, the finest alone say as much, but less exactly. */
static void
derive_statistic(Derivation *derivation, int statistic)
{
	derive_statistic_from(derivation, statistic, false);
	if (!derivation->too_large)
		return;
	derivation->too_large = false;
	derivation->problem = NULL;
	derive_statistic_from(derivation, statistic, true);
}

/* Those that aggregates are made of: with levels these are the first, each with noise for the finest of them. */
static int
count_sums(const PaTarget *target)
{
	return target->release->statistics->nsummed;
}

static Derivation *
derive_from(const PaTarget *target, List *kept, bool whole, ExprContext *context)
{
	Derivation *derivation = palloc0(sizeof(Derivation));
	int			sums = count_sums(target);

	/* groups that are met are those of one try */
	derivation->table = pa_table_make(pa_target_make(target->release, target->asked), kept, whole, context);
	derivation->problem = derivation->table->problem;
	derivation->too_large = derivation->table->too_large;
	derivation->values = palloc0(sizeof(double *) * (sums + 1));
	derivation->spreads = palloc0(sizeof(PaSpread **) * (sums + 1));
	derivation->used = palloc0(sizeof(bool) * (list_length(derivation->table->kept) + 1));
	if (derivation->problem == NULL)
		make_groups(derivation);
	for (int i = 0; i < sums && derivation->problem == NULL; i++)
		if (i != target->release->statistics->selection)
			derive_statistic(derivation, i);
	return derivation;
}

/* --- which --- */

static Derivation *
derive_alone(const PaTarget *target, List *kept, ExprContext *context)
{
	Derivation *best = NULL;
	ListCell   *cell;

	foreach(cell, kept)
	{
		Derivation *next = derive_from(target, list_make1(lfirst(cell)), false, context);

		CHECK_FOR_INTERRUPTS();
		if (best == NULL || (next->problem == NULL && (best->problem || next->error < best->error)))
			best = next;
	}
	return best;
}

/* Bounding did nothing to them, and their tables are as they were. */
static List *
whole_ones(const PaRelease *release, List *kept, List *editions)
{
	List	   *whole = NIL;
	ListCell   *cell;

	if (!release->one_row_per_owner)
		return NIL;
	foreach(cell, kept)
	{
		const PaKept *one = lfirst(cell);

		if (one->parts->whole && pa_same_editions(editions, one->editions))
			whole = lappend(whole, lfirst(cell));
	}
	return whole;
}

/* As many of them, the youngest first, as there is room for. */
static Derivation *
derive_together(const PaTarget *target, List *whole, ExprContext *context)
{
	Derivation *derivation = NULL;

	for (int count = list_length(whole); count > 0; count /= 2)
	{
		derivation = derive_from(target, list_truncate(list_copy(whole), count), true, context);
		if (!derivation->too_large)
			break;
	}
	return derivation;
}

/* --- the answer --- */

static PaStatistics *
known_statistics(const Derivation *derivation, int group)
{
	const PaStatistics *set = derivation->table->target->release->statistics;
	PaStatistics *known = palloc(sizeof(PaStatistics));

	*known = *set;
	known->nstatistics = set->nsummed;
	known->statistics = palloc(sizeof(PaStatistic) * Max(set->nsummed, 1));
	memcpy(known->statistics, set->statistics, sizeof(PaStatistic) * set->nsummed);
	for (int i = 0; i < set->nsummed; i++)
		if (derivation->spreads[i])
			known->statistics[i].spread = derivation->spreads[i][group];
	return known;
}

static PaDerivedRow *
make_row(const Derivation *derivation, int number)
{
	const PaTarget *target = derivation->table->target;
	const PaLeafSpec *spec = target->release->spec;
	const AnswerGroup *group = &derivation->groups[number];
	PaStatistics *known = known_statistics(derivation, number);
	double	   *noised = palloc0(sizeof(double) * (known->nreleased + 1));
	PaDerivedRow *row = palloc0(sizeof(PaDerivedRow));

	for (int i = 0; i < known->nsummed; i++)
		if (derivation->values[i])
			noised[i] = derivation->values[i][number];
	row->level = group->level;
	row->keys = palloc(sizeof(Datum) * Max(spec->nkeys, 1));
	row->nulls = palloc(sizeof(bool) * Max(spec->nkeys, 1));
	row->estimates = palloc(sizeof(PaEstimate) * Max(spec->naggregates, 1));
	pa_target_keys(target, group->level, group->combination, row->keys, row->nulls);
	for (int i = 0; i < spec->naggregates; i++)
		row->estimates[i] = pa_statistics_estimate(known, spec, i, noised);
	return row;
}

static PaDerived *
take_derivation(const Derivation *derivation, bool whole)
{
	PaDerived  *derived = palloc0(sizeof(PaDerived));

	for (int i = 0; i < derivation->ngroups; i++)
	{
		CHECK_FOR_INTERRUPTS();
		derived->rows = lappend(derived->rows, make_row(derivation, i));
	}
	for (int i = list_length(derivation->table->kept) - 1; i >= 0; i--)
		if (derivation->used[i])
			derived->charges = lappend(derived->charges, &((PaKept *) list_nth(derivation->table->kept, i))->charge_id);
	derived->errors = palloc0(sizeof(double) * (count_sums(derivation->table->target) + 1));
	for (int i = 0; i < count_sums(derivation->table->target); i++)
		for (int j = 0; derivation->spreads[i] && j < derivation->ngroups; j++)
			derived->errors[i] = Max(derived->errors[i], pa_spread_error(derivation->spreads[i][j], PA_CONFIDENCE));
	derived->scope = whole ? NULL : pa_table_scope(derivation->table);
	return derived;
}

static PaDerived *
not_derived(const char *problem)
{
	PaDerived  *derived = palloc0(sizeof(PaDerived));

	derived->problem = problem;
	return derived;
}

PaDerived *
pa_derive(const PaRelease *release, List *expressions, ExprContext *context, Snapshot snapshot)
{
	PaAsked    *asked = pa_asked(release, expressions, context);
	const char *problem = pa_parts_problem(release, false);
	PaTarget   *target;
	List	   *editions;
	List	   *kept;
	List	   *whole;
	Derivation *together = NULL;
	Derivation *alone;
	bool		others;

	if (!pa_policy_repeats(release->policy))
		return not_derived("Releases of its tables are not kept.");
	if (problem)
		return not_derived(problem);
	if (asked == NULL || release->owners != NIL)
		return not_derived("It reads other releases, or something else that is not the same each time.");
	editions = pa_editions_seen(release, snapshot);
	kept = pa_repeat_of_source(release, editions, asked->source, MOST_RELEASES, &others);
	if (kept == NIL && others)
		return not_derived("The releases of the same FROM that are kept are of no use: of groups that were selected, of samples, or not of sums.");
	if (kept == NIL)
		return not_derived("No release of the same FROM, under the same settings, is kept for this role.");
	target = pa_target_make(release, asked);
	if (target == NULL)
		return not_derived("It has too many groups.");
	/* what a column cannot have, it may have beside a row that meets none */
	whole = release->spec->npublic == 0 ? whole_ones(release, kept, editions) : NIL;
	if (whole != NIL)
		together = derive_together(target, whole, context);
	if (together && together->problem == NULL)
		return take_derivation(together, true);
	alone = derive_alone(target, kept, context);
	if (alone->problem == NULL)
		return take_derivation(alone, false);
	return not_derived(together && list_length(whole) > 1 ? together->problem : alone->problem);
}
