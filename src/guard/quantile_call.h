/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quantile_call.h
 *		Calls that name quantiles: dp_quantile and ordered sets.
 */
#ifndef PA_QUANTILE_CALL_H
#define PA_QUANTILE_CALL_H

#include "postgres.h"

#include "nodes/primnodes.h"

#include "guard/guard.h"

/* Which quantile, or which ones, a call of the kind PA_AGG_QUANTILE names. */
extern Node *pa_quantile_of(const Aggref *call);

/*
 * Whether two canonical calls are quantiles of the same values, for the same noise.  With options
 * of their own only those of one array are.
 */
extern bool pa_are_drawn_together(const Aggref *a, const Aggref *b);

/* The value of a statistic of order without a cast of whole numbers to double precision. */
extern Node *pa_uncast_whole(Node *value);

/* Errors out if an ordered set is sorted otherwise than by its values, ascending. */
extern void pa_validate_ordered_set(PaGuard *guard, const Aggref *call);

/* Of a call that names an array: calls of each of its elements; NIL: it does not.  Errors out if they cannot be seen. */
extern List *pa_calls_of_array(PaGuard *guard, const Aggref *call);

#endif							/* PA_QUANTILE_CALL_H */
