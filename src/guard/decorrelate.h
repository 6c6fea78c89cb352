/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decorrelate.h
 *		A release for each value outside becomes one release of all groups.
 *
 *	 (SELECT 0.2 * avg(y) FROM t WHERE k = outside.k AND c)
 *
 * becomes SELECT 0.2 * avg(y), k FROM t WHERE c GROUP BY k, of which the query around it
 * reads the row with the same k.
 */
#ifndef PA_DECORRELATE_H
#define PA_DECORRELATE_H

#include "postgres.h"

#include "nodes/primnodes.h"

#include "guard/guard.h"

/* A comparison of a key of the release with something of the query around it, in terms of that query. */
typedef struct PaKeyMatch
{
	OpExpr	   *test;
	int			side;			/* the argument that the key stands for */
	AttrNumber	key;			/* the column of the release */
} PaKeyMatch;

/* Whether rows of queries around the query are named in it. */
extern bool pa_refers_outside(const Query *query);

/*
 * Takes the comparisons with the row outside from a subquery that is a value, which groups
 * by the other side of them from then on.  PaKeyMatch; NIL if it has none.  Errors out if
 * it depends on rows outside in another way.
 */
extern List *pa_take_matches(const PaGuard *guard, const SubLink *sublink);

#endif							/* PA_DECORRELATE_H */
