/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * moments.h
 *		Aggregates of two variables, from those of one.
 */
#ifndef PA_MOMENTS_H
#define PA_MOMENTS_H

#include "guard/guard.h"

/*
 * corr, covar_ and regr_ aggregates as an expression of dp_ aggregates of the same
 * block; NULL: it is another aggregate.  Errors out if no bounds are known.
 */
extern Node *pa_expand_moments(PaBlock *block, const Aggref *call);

#endif							/* PA_MOMENTS_H */
