/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * interval_call.h
 *		Calls that show an end of an aggregate's interval: dp_interval_low and dp_interval_high.
 */
#ifndef PA_INTERVAL_CALL_H
#define PA_INTERVAL_CALL_H

#include "postgres.h"

#include "nodes/primnodes.h"

#include "bound/aggregate.h"
#include "guard/guard.h"

extern bool pa_is_interval_call(const Node *node);

/* How far outside the query is whose aggregate the call is about; -1: it is about something else. */
extern int	pa_interval_level(const FuncExpr *call);

/* The aggregate that a call is about; errors out if no interval is known of it. */
extern Aggref *pa_aggregate_of_interval(PaBlock *block, const FuncExpr *call);

/* Which end a call shows. */
extern PaShown pa_end_of_interval(const FuncExpr *call);

/* The canonical aggregate, which shows what the call wants of it. */
extern Aggref *pa_show_interval(const FuncExpr *call, const Aggref *canonical);

/* PA_ARG_SHOWN of a canonical aggregate, of which the value is shown. */
extern Node *pa_value_shown(void);

/* Whether an interval is known of what an aggregate releases, as far as its name tells. */
extern bool pa_has_interval(const Aggref *aggref);

/* The call that shows an end of its interval, one that holds at once with those of so many aggregates. */
extern FuncExpr *pa_interval_call(const Aggref *aggref, PaShown end, int together);

/* Whether a column of a leaf is an end of an interval. */
extern bool pa_shows_interval(const TargetEntry *column);

#endif							/* PA_INTERVAL_CALL_H */
