/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * moments.h
 *		Aggregates of two variables, from those of one.
 */
#ifndef PA_MOMENTS_H
#define PA_MOMENTS_H

#include "bound/aggregate.h"
#include "guard/guard.h"

/*
 * corr, covar_ and regr_ aggregates as an expression of dp_ aggregates of the same
 * block; NULL: it is another aggregate.  Errors out if no bounds are known.
 */
extern Node *pa_expand_moments(PaBlock *block, const Aggref *call);

/* Whether the function is one of these. */
extern bool pa_is_of_two_variables(Oid function);

/* An end of an interval of such an aggregate, as an expression of ends of intervals; NULL likewise. */
extern Node *pa_expand_interval(PaBlock *block, const Aggref *call, PaShown end);

#endif							/* PA_MOMENTS_H */
