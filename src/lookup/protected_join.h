/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * protected_join.h
 *		Joins of protected rows with each other: hash joins, whatever PostgreSQL proposes.
 *
 * Only rows of one owner meet in them.  Which side is hashed follows from the declared numbers of rows of an owner, never
 * from the rows.
 */
#ifndef PA_PROTECTED_JOIN_H
#define PA_PROTECTED_JOIN_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/* The paths by which both sides, which hold protected rows, are read; NULL: there is none. */
typedef struct PaProtectedSides
{
	Path	   *outer;
	Path	   *partial;		/* of the outer side, in several processes */
	Path	   *inner;			/* the one that is hashed */
	double		discount;		/* of the cost of joining them, so that nothing else pushes it out, */
	Cost		(*discounted) (const Path *path);	/* and of a side, if it is none of its own */
} PaProtectedSides;

/*
 * Adds hash joins of the two sides, if among the conditions that these are hashed by are equalities by which only
 * rows of one owner meet.
 */
extern void pa_add_protected_joins(PlannerInfo *root, RelOptInfo *joinrel, const PaProtectedSides *sides,
								   JoinType jointype, JoinPathExtraData *extra);

/* Whether it is one of those, which cost nothing before the first row; node/owned_joins.c judges the finished plan. */
extern bool pa_is_protected_join(const HashPath *path);

#endif							/* PA_PROTECTED_JOIN_H */
