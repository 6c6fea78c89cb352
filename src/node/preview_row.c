/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview_row.c
 *		See preview_row.h.
 */
#include "postgres.h"

#include <math.h>

#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "amount.h"
#include "node/preview_row.h"

#define SHOWN_DIGITS 4

static void
put(PaPreview *preview, PaPreviewColumn column, Datum value)
{
	preview->values[column] = value;
	preview->nulls[column] = false;
}

void
pa_preview_begin(PaPreview *preview, const char *statistic, bool used)
{
	memset(preview->nulls, true, sizeof(preview->nulls));
	put(preview, PA_PREVIEW_RELEASE, Int32GetDatum(preview->release));
	pa_preview_text(preview, PA_PREVIEW_STATISTIC, statistic);
	put(preview, PA_PREVIEW_USED, BoolGetDatum(used));
}

static double
to_nearest(double number)
{
	char		text[32];

	snprintf(text, sizeof(text), "%.*e", SHOWN_DIGITS - 1, number);
	return strtod(text, NULL);
}

/* Errors are rounded up; what has four digits stays as it is. */
static double
upwards(double number)
{
	double		nearest = to_nearest(number);

	if (!isfinite(number) || number == 0 || nearest >= number * (1 - 1e-12))
		return nearest;
	return to_nearest(nearest + pow(10, floor(log10(nearest)) - (SHOWN_DIGITS - 1)));
}

void
pa_preview_number(PaPreview *preview, PaPreviewColumn column, double number)
{
	if (isnan(number))
		return;
	if (column == PA_PREVIEW_ERROR || column == PA_PREVIEW_TOTAL_ERROR)
		number = upwards(number);
	else if (column == PA_PREVIEW_SCALE || column == PA_PREVIEW_SENSITIVITY)
		number = to_nearest(number);
	put(preview, column, Float8GetDatum(number));
}

void
pa_preview_threshold(PaPreview *preview, int64 owners)
{
	put(preview, PA_PREVIEW_THRESHOLD, Int64GetDatum(owners));
}

void
pa_preview_text(PaPreview *preview, PaPreviewColumn column, const char *text)
{
	put(preview, column, CStringGetTextDatum(text));
}

void
pa_preview_amount(PaPreview *preview, PaPreviewColumn column, PaAmount amount)
{
	put(preview, column, pa_amount_datum(amount));
}

void
pa_preview_left(PaPreview *preview, int64 releases)
{
	put(preview, PA_PREVIEW_LEFT, Int64GetDatum(releases));
}

void
pa_preview_groups(PaPreview *preview, int groups)
{
	put(preview, PA_PREVIEW_GROUPS, Int32GetDatum(groups));
}

void
pa_preview_owners(PaPreview *preview, int64 able, int64 known, bool newcomers)
{
	put(preview, PA_PREVIEW_ABLE, Int64GetDatum(able));
	put(preview, PA_PREVIEW_KNOWN, Int64GetDatum(known));
	put(preview, PA_PREVIEW_NEWCOMERS, BoolGetDatum(newcomers));
}

void
pa_preview_end(PaPreview *preview)
{
	tuplestore_putvalues(preview->result->setResult, preview->result->setDesc, preview->values, preview->nulls);
}
