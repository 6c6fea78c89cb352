/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * distinct.c
 *		See distinct.h.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/distinct/greedy.h"
#include "core/distinct/matching.h"

#include "bound/distinct.h"
#include "server_environment.h"
#include "session_random.h"

#define FIRST_ROOM 64			/* there may be many groups of few owners */

bool
pa_has_distinct(const PaStatistics *set)
{
	for (int i = 0; i < set->nsummed; i++)
		if (set->statistics[i].kind == PA_STAT_DISTINCT)
			return true;
	return false;
}

/* --- collecting --- */

static bool
has_value(const PaStatistic *statistic, const PaValue *inputs)
{
	return statistic->kind == PA_STAT_DISTINCT && inputs[statistic->input].present;
}

static PaHash128
value_of(const PaStatistic *statistic, const PaValue *inputs)
{
	return inputs[statistic->input].hash;
}

void
pa_distinct_take_row(const PaStatistics *set, const PaValue *inputs, int group, const PaOwner *owner,
					 PaSortedValues *values)
{
	for (int i = 0; i < set->nsummed; i++)
		if (has_value(&set->statistics[i], inputs))
			pa_sorted_values_add(values, &(PaOwnedValue) {group, i, *owner, false, value_of(&set->statistics[i], inputs)});
}

/* Owners who have one value, the same one, are as good as one of them. */
void
pa_distinct_take_owner(const PaStatistics *set, const PaValue *inputs, int group, PaSortedValues *values)
{
	for (int i = 0; i < set->nsummed; i++)
		if (has_value(&set->statistics[i], inputs))
		{
			PaHash128	value = value_of(&set->statistics[i], inputs);
			PaOwner		owner = {value, value.low};

			pa_sorted_values_add(values, &(PaOwnedValue) {group, i, owner, true});
			pa_sorted_values_add(values, &(PaOwnedValue) {group, i, owner, false, value});
		}
}

void
pa_distinct_admit(const PaStatistics *set, int group, const PaOwner *owner, PaSortedValues *values)
{
	for (int i = 0; i < set->nsummed; i++)
		if (set->statistics[i].kind == PA_STAT_DISTINCT)
			pa_sorted_values_add(values, &(PaOwnedValue) {group, i, *owner, true});
}

/* --- the values of one group --- */

typedef struct NumberedValue
{
	PaHash128	value;
	int32		number;
	char		status;
} NumberedValue;

#define SH_PREFIX value
#define SH_ELEMENT_TYPE NumberedValue
#define SH_KEY_TYPE PaHash128
#define SH_KEY value
#define SH_HASH_KEY(table, key) ((uint32) (key).high)
#define SH_EQUAL(table, a, b) ((a).high == (b).high && (a).low == (b).low)
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

typedef struct Cover
{
	value_hash *numbers;
	int64	   *start;			/* of each owner, and behind the last one the end */
	int64		owners;
	int64		owner_room;
	int32	   *value;
	int64		pair_room;
} Cover;

static void
start_cover(Cover *cover)
{
	*cover = (Cover) {.owner_room = FIRST_ROOM,.pair_room = FIRST_ROOM};
	cover->numbers = value_create(CurrentMemoryContext, FIRST_ROOM, NULL);
	cover->start = palloc(sizeof(int64) * (cover->owner_room + 1));
	cover->value = palloc(sizeof(int32) * cover->pair_room);
	cover->start[0] = 0;
}

static void
require_numbers(uint64 count)
{
	if (count >= PG_INT32_MAX)
		elog(ERROR, "a group of a release has more owners or values than can be numbered");
}

static int32
number_of(Cover *cover, PaHash128 value)
{
	bool		found;
	uint64		count = cover->numbers->members;
	NumberedValue *entry;

	require_numbers(count);
	entry = value_insert(cover->numbers, value, &found);
	if (!found)
		entry->number = (int32) count;
	return entry->number;
}

static void
add_owner(Cover *cover)
{
	require_numbers(cover->owners);
	if (cover->owners == cover->owner_room)
		cover->start = repalloc_huge(cover->start, sizeof(int64) * ((cover->owner_room *= 2) + 1));
	cover->owners++;
	cover->start[cover->owners] = cover->start[cover->owners - 1];
}

/* To the last owner, who has most at most. */
static void
add_value(Cover *cover, PaHash128 value, int64 most)
{
	int64	   *end = &cover->start[cover->owners];

	if (*end - end[-1] == most)
		return;
	if (*end == cover->pair_room)
		cover->value = repalloc_huge(cover->value, sizeof(int32) * (cover->pair_room *= 2));
	cover->value[(*end)++] = number_of(cover, value);
}

static void
require_counted(PaStatus status)
{
	CHECK_FOR_INTERRUPTS();
	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("counting different values failed: %s", pa_status_text(status)));
}

/* How many are covered with each cap */
static void
measure(const Cover *cover, bool exact, const int32 *cap, int caps, int64_t *covered)
{
	PaPairs		pairs = {(int32) cover->owners, (int32) cover->numbers->members, cover->start, cover->value};

	require_counted(exact ? pa_distinct_exact(&pairs, cap, caps, pa_server_environment(), covered) :
					pa_distinct_greedy(&pairs, cap, caps, pa_server_environment(), covered));
}

/* The cap, by how many are covered with each, and the number that is released with it */
static void
choose(const PaCapChoice *choice, const int64_t *covered, PaInt128 *totals)
{
	int			chosen;
	int32		most = choice->cap[choice->caps - 1];

	require_counted(pa_cap_choose(covered, choice->cap, choice->caps, &choice->terms,
								  pa_session_random(), pa_server_environment(), &chosen));
	totals[choice->chosen] = choice->cap[chosen];
	totals[choice->counted] = ((PaInt128) covered[chosen] * most << PA_CAP_BITS) / choice->cap[chosen];
}

static void
set_totals(const Cover *cover, const PaStatistic *statistic, int index, PaInt128 *totals)
{
	int32		cap = (int32) statistic->max_rows;
	int64_t		covered[lengthof(statistic->choice->cap)];

	if (statistic->choice)
	{
		measure(cover, statistic->exact, statistic->choice->cap, statistic->choice->caps, covered);
		choose(statistic->choice, covered, totals);
		return;
	}
	measure(cover, statistic->exact, &cap, 1, covered);
	totals[index] = covered[0];
}

/* Where there are no values, a cap is drawn all the same. */
static void
choose_for_empty(const PaStatistics *set, PaInt128 *totals)
{
	static const int64_t none[lengthof(((PaCapChoice *) NULL)->cap)];

	for (int i = 0; i < set->nsummed; i++)
		if (set->statistics[i].kind == PA_STAT_CAP && totals[i] == 0)
			choose(set->statistics[i].choice, none, totals);
}

/* --- all groups --- */

static bool
same_owner(const PaOwner *a, const PaOwner *b)
{
	return a->hash == b->hash && a->key.high == b->key.high && a->key.low == b->key.low;
}

/*
 * The owners of a group with their values, from *next on, which becomes the first of
 * another group or statistic; false at the end.  Before the values of an owner
 * it stands that the owner counts, if that is so.
 */
static bool
read_cover(Cover *cover, int64 most, PaSortedValues *values, PaOwnedValue *next)
{
	PaOwnedValue first = *next;
	PaOwner		counted;
	bool		any = false;
	bool		more = true;

	while (more && next->group == first.group && next->statistic == first.statistic)
	{
		if (next->counts)
		{
			add_owner(cover);
			counted = next->owner;
			any = true;
		}
		else if (any && same_owner(&counted, &next->owner))
			add_value(cover, next->value, most);
		more = pa_sorted_values_next(values, next);
	}
	return more;
}

void
pa_distinct_total(const PaStatistics *set, PaSortedValues *values, PaGroupTable *groups)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct different values", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	PaOwnedValue next;
	bool		more;

	pa_sorted_values_sort(values);
	more = pa_sorted_values_next(values, &next);
	while (more)
	{
		PaOwnedValue first = next;
		const PaStatistic *statistic = &set->statistics[first.statistic];
		Cover		cover;

		start_cover(&cover);
		more = read_cover(&cover, statistic->max_rows * PA_VALUES_PER_CAP, values, &next);
		set_totals(&cover, statistic, first.statistic, pa_groups_get(groups, first.group)->totals);
		MemoryContextReset(context);
	}
	for (int group = 0; group < pa_groups_count(groups); group++)
		choose_for_empty(set, pa_groups_get(groups, group)->totals);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	pa_sorted_values_end(values);
}
