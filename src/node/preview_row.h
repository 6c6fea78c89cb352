/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview_row.h
 *		Rows of privacct.preview(), which each kind of leaf writes for itself.
 */
#ifndef PA_PREVIEW_ROW_H
#define PA_PREVIEW_ROW_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "core/accounting/budget.h"

typedef enum PaPreviewColumn
{
	PA_PREVIEW_RELEASE, PA_PREVIEW_STATISTIC, PA_PREVIEW_KERNEL, PA_PREVIEW_USED, PA_PREVIEW_SCALE, PA_PREVIEW_Q,
	PA_PREVIEW_SENSITIVITY, PA_PREVIEW_GROUPS, PA_PREVIEW_WITHIN, PA_PREVIEW_ACCEPTANCE, PA_PREVIEW_ERROR,
	PA_PREVIEW_TOTAL_ERROR, PA_PREVIEW_EPSILON, PA_PREVIEW_DELTA, PA_PREVIEW_RHO, PA_PREVIEW_LEFT,
	PA_PREVIEW_ABLE, PA_PREVIEW_KNOWN, PA_PREVIEW_NEWCOMERS, PA_PREVIEW_LIMIT, PA_PREVIEW_THRESHOLD, PA_PREVIEW_COLUMNS
} PaPreviewColumn;

typedef struct PaPreview
{
	ReturnSetInfo *result;
	int			release;		/* number of the leaf, from 1 */
	double		owners;			/* how many contribute, as the caller says; NAN if not */
	double		rows;			/* of how many values a group is, likewise */

	/* the row that is being written */
	Datum		values[PA_PREVIEW_COLUMNS];
	bool		nulls[PA_PREVIEW_COLUMNS];
} PaPreview;

#define PA_NORMAL_95 1.959964	/* standard deviations that hold 95 % of a normal law */

/* A new row, about the given statistic: all else is NULL; used: it is what the release would do. */
extern void pa_preview_begin(PaPreview *preview, const char *statistic, bool used);

/* NAN is NULL.  Errors have four digits, rounded up, scales and sensitivities the nearest ones. */
extern void pa_preview_number(PaPreview *preview, PaPreviewColumn column, double number);
extern void pa_preview_text(PaPreview *preview, PaPreviewColumn column, const char *text);
extern void pa_preview_amount(PaPreview *preview, PaPreviewColumn column, PaAmount amount);
extern void pa_preview_left(PaPreview *preview, int64 releases);

/* How many noised owners a group has at least that is shown. */
extern void pa_preview_threshold(PaPreview *preview, int64 owners);

/* In how many groups one unit counts. */
extern void pa_preview_groups(PaPreview *preview, int groups);

/* Owners with accounts of their own: how many of the known ones can bear it, and whether others can. */
extern void pa_preview_owners(PaPreview *preview, int64 able, int64 known, bool newcomers);

extern void pa_preview_end(PaPreview *preview);

#endif							/* PA_PREVIEW_ROW_H */
