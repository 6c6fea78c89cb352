/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * moments.h
 *		Aggregates of two variables, from those of one.
 */
#ifndef PA_MOMENTS_H
#define PA_MOMENTS_H

#include "bound/aggregate.h"
#include "guard/guard.h"

/* Expressions of dp_ aggregates of the same block, and of ends of their intervals. */
typedef struct PaMoments
{
	Node	   *value;
	List	   *steps;			/* of the ends: column n of INNER_VAR is the n-th; they refer to those before them ... */
	Node	   *low;			/* ... as do the ends of an interval, which hold if those of "together" aggregates do at once */
	Node	   *high;
	int			together;
} PaMoments;

/* What corr, covar_ and regr_ aggregates are computed by; false: it is another aggregate.  Errors out if no bounds are known. */
extern bool pa_expand_moments(PaBlock *block, const Aggref *call, PaMoments *moments);

/* An end of its interval without steps; NULL likewise. */
extern Node *pa_expand_interval(PaBlock *block, const Aggref *call, PaShown end);

/* Whether the function is one of these. */
extern bool pa_is_of_two_variables(Oid function);

#endif							/* PA_MOMENTS_H */
