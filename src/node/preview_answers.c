/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview_answers.c
 *		How exact the answers of a release would be that depend on how many values they are of:
 *		means, variances, deviations, and quantiles.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "node/central.h"
#include "node/intervals.h"
#include "price/form/form.h"
#include "price/order.h"

/* As the caller says, or the aggregate, or as was released last; NAN if nothing is known. */
static double
values_of(const PaPreview *preview, const PaRelease *release, int aggregate)
{
	double		last;

	if (!isnan(preview->rows))
		return preview->rows;
	if (release->arguments[aggregate].options.rows > 0)
		return release->arguments[aggregate].options.rows;
	last = pa_intervals_last_count(release->spec->tables[0].relation, GetUserId());
	return last >= 1 ? last : NAN;
}

static void
put_answer(PaPreview *preview, const char *label, double values, const char *unit, double error)
{
	if (isnan(error))
		return;
	pa_preview_begin(preview, psprintf("%s of %.0f values%s", label, values, unit), true);
	pa_preview_number(preview, PA_PREVIEW_ERROR, error);
	pa_preview_end(preview);
}

void
pa_preview_answers(PaPreview *preview, const PaRelease *release)
{
	const PaStatistics *set = release->statistics;

	for (int i = 0; i < release->spec->naggregates && release->levels == NULL; i++)
	{
		const PaLeafAggregate *aggregate = &release->spec->aggregates[i];
		double		values = values_of(preview, release, i);

		if (isnan(values) || aggregate->together > 0)
			continue;
		if (pa_aggregate_form(aggregate->kind)->draws)
			put_answer(preview, aggregate->label, values, ", as a share of them",
					   Min(pa_order_error(&set->statistics[set->sources[i].order], PA_CONFIDENCE).certain / values, 1));
		else
			put_answer(preview, aggregate->label, values, "", pa_statistics_error_of(set, release->spec, i, values));
	}
}
