/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central.h
 *		A leaf that adds noise to totals over owners or entries: a central release.
 */
#ifndef PA_CENTRAL_H
#define PA_CENTRAL_H

#include "postgres.h"

#include "node/leaf.h"
#include "price/release.h"

/* central_exec.c: called from _PG_init */
extern void pa_central_init(void);

/* central_path.c */
extern void pa_central_take_marker(PaLeafDraft *draft);
extern void pa_central_take_aggregate(PaLeafDraft *draft, const Aggref *call, PaLeafAggregate *aggregate);
extern Path *pa_central_finish(PaLeafDraft *draft, List **private);

/* central_row.c: a row, keys and estimates in the order of the scan tuple, into the store; its intervals are remembered or not */
extern void pa_central_store_row(PaLeafState *state, const Datum *keys, const bool *key_nulls, const PaEstimate *estimates,
								 bool remember);

/* central_explain.c: noise and cost */
extern void pa_central_explain(PaLeafState *state, ExplainState *es);

/* central_preview.c */
extern void pa_central_preview(PaLeafSpec *spec, const CustomScan *scan, ExprContext *context, PaPreview *preview);

#endif							/* PA_CENTRAL_H */
