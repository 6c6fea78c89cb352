/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * limits.c
 *		See limits.h.
 */
#include "postgres.h"

#include <math.h>

#include "price/form/form.h"
#include "price/levels.h"
#include "price/limits.h"

static double
units(const PaStatistic *statistic, int64 steps)
{
	return ldexp((double) steps, statistic->exponent);
}

char *
pa_limit_text(const PaRelease *release, const PaStatistic *statistic)
{
	char	   *rows = psprintf(INT64_FORMAT " row%s", statistic->max_rows, statistic->max_rows == 1 ? "" : "s");

	if (release->spec->entries != 0)
		return NULL;
	switch (statistic->kind)
	{
		case PA_STAT_ROWS:
		case PA_STAT_VALUES:
			return rows;
		case PA_STAT_OWNERS:
			return pstrdup("once");
		case PA_STAT_CAP:
			return psprintf("1 to " INT64_FORMAT " different values", statistic->max_rows);
		case PA_STAT_DISTINCT:
			return psprintf(INT64_FORMAT " different value%s", statistic->max_rows, statistic->max_rows == 1 ? "" : "s");
		case PA_STAT_SUM:
		case PA_STAT_CENTRED:
		case PA_STAT_SQUARES:
		case PA_STAT_ORDER:
			return psprintf("%s of %g to %g", rows, statistic->lo, statistic->hi);
		case PA_STAT_OWNER_SUM:
			return psprintf("a sum of %g to %g", units(statistic, statistic->owner_lo), units(statistic, statistic->owner_hi));
	}
	elog(ERROR, "statistics of kind %d have no limit", (int) statistic->kind);
}

bool
pa_limit_is_own(const PaRelease *release, const PaStatistic *statistic)
{
	return statistic->kind == PA_STAT_OWNER_SUM || statistic->max_rows != release->max_rows;
}

static bool
same_limit(const PaStatistic *a, const PaStatistic *b)
{
	return a->kind == b->kind && a->lo == b->lo && a->hi == b->hi;
}

PaRelease *
pa_limit_alternative(const PaRelease *release, int aggregate, PaLimitKind limit, int *statistic)
{
	PaRelease  *other = palloc(sizeof(PaRelease));
	PaStatistics *set = release->statistics;
	size_t		size = sizeof(PaAggregateArguments) * release->spec->naggregates;
	PaAggregateArguments *arguments = memcpy(palloc(size), release->arguments, size);
	PaProblem	problem;

	if (!arguments[aggregate].owner_bounds || set->sources[aggregate].sum < 0)
		return NULL;
	*other = *release;
	arguments[aggregate].options.limit = limit;
	other->statistics = pa_statistics_build(release->spec, arguments, release->unit, release->select_groups,
											release->max_rows, release->one_row_per_owner);
	other->statistics->rate = set->rate;
	pa_levels_add(other);
	*statistic = other->statistics->sources[aggregate].sum;
	if (same_limit(&other->statistics->statistics[*statistic], &set->statistics[set->sources[aggregate].sum]))
		return NULL;
	return pa_release_calibrate(other, &problem) ? other : NULL;
}
