/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central.h
 *		A leaf that adds noise to totals over owners or entries: a central release.
 */
#ifndef PA_CENTRAL_H
#define PA_CENTRAL_H

#include "postgres.h"

#include "bound/group_table.h"
#include "node/leaf.h"
#include "price/release.h"

/* central_exec.c: called from _PG_init */
extern void pa_central_init(void);
extern bool pa_leaf_is_central(const CustomScan *scan);

/* central_path.c */
extern void pa_central_take_marker(PaLeafDraft *draft);
extern void pa_central_take_aggregate(PaLeafDraft *draft, const Aggref *call, PaLeafAggregate *aggregate);
extern Path *pa_central_finish(PaLeafDraft *draft, List **private);

/*
 * central_row.c: a row, keys and estimates in the order of the scan tuple, into the store; its intervals are remembered or not.
 * level: by which keys it is grouped, as in PaLeafSpec.levels; others are null.
 */
extern void pa_central_store_row(PaLeafState *state, uint32 level, const Datum *keys, const bool *key_nulls,
								 const PaEstimate *estimates, bool remember);

/*
 * central_levels.c: the rows of a release with levels, each handed to a function with its level, keys and estimates, and
 * with the noised totals of which they were made, by the numbers of statistics; NULL: it was handed over before
 */
typedef void (*PaRowTaker) (void *context, uint32 level, Datum *keys, const bool *nulls, const PaEstimate *estimates,
							const double *totals);
extern void pa_central_release_levels(const PaRelease *release, PaGroupTable *groups, PaRowTaker take, void *context);

/* central_selected_levels.c: the same where groups are selected */
extern void pa_central_release_selected(const PaRelease *release, PaGroupTable *groups, PaRowTaker take, void *context);

/* central_explain.c: noise and cost */
extern void pa_central_explain(PaLeafState *state, ExplainState *es);

/* preview_answers.c: rows of answers that depend on how many values they are of, if that is known */
extern void pa_preview_answers(PaPreview *preview, const PaRelease *release);

/* central_preview.c */
extern void pa_central_preview(PaLeafSpec *spec, const CustomScan *scan, ExprContext *context, PaPreview *preview);

#endif							/* PA_CENTRAL_H */
