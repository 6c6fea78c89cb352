/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * derive_target.h
 *		The groups of an answer that is to be derived, and which cells are in each.
 */
#ifndef PA_DERIVE_TARGET_H
#define PA_DERIVE_TARGET_H

#include "postgres.h"

#include "node/asked.h"
#include "node/layout.h"
#include "price/release.h"

/* The values of a key that the groups have: public, or those that are met in cells. */
typedef struct PaTargetKey
{
	bool		met;
	int			count;
	Datum	   *values;
	bool	   *nulls;
} PaTargetKey;

typedef struct PaTarget
{
	const PaRelease *release;
	const PaAsked *asked;
	PaTargetKey *keys;
	bool		met;			/* groups are those that are met */
	int64		combinations;	/* of their values, of which not all need be groups: */
	bool	   *exists;			/* [combinations]; the last key runs fastest */
	int			nlevels;
	const uint32 *levels;
	MemoryContext context;		/* of all of this */
} PaTarget;

#define PA_NO_GROUP (-1)		/* a cell of which is none of the groups */
#define PA_UNKNOWN_GROUP (-2)

/* NULL if there are too many groups. */
extern PaTarget *pa_target_make(const PaRelease *release, const PaAsked *asked);

/* The values of keys as points of the layout. */
extern void pa_target_add_points(const PaTarget *target, PaLayout *layout);

/*
 * Which combination the cells are of; NULL: there are too many.  To be asked for before combinations are looked at.
 * places holds those of each cell, one after the other.
 */
extern int64 *pa_target_groups(PaTarget *target, const PaLayout *layout, const int *places, int ncells);

/* The combination that stands for a group of a level; the values of its keys. */
extern int64 pa_target_at_level(const PaTarget *target, uint32 level, int64 combination);
extern void pa_target_keys(const PaTarget *target, uint32 level, int64 combination, Datum *values, bool *nulls);

#endif							/* PA_DERIVE_TARGET_H */
