/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * levels.h
 *		What a level of a hierarchy costs, and which levels are worth noise of their own.
 *
 * An owner is bounded once, at the finest level: at most "groups" groups there, each of
 * which changes by at most one (in units of the sensitivity of a group).  Coarser levels
 * are computed from what was kept.  Proofs: docs/theory-derived.md.
 */
#ifndef PA_LEVELS_H
#define PA_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/status.h"

/* By which norm noise is paid: Laplace noise by l1, Gaussian noise by the square of l2 */
typedef enum PaNorm
{
	PA_NORM_L1,
	PA_NORM_L2
} PaNorm;

#define PA_MOST_LEVELS 64

/*
 * How much an owner in at most "groups" (>= 1) of the finest groups changes a level each of
 * whose groups has at most "widest" (>= 1; INT64_MAX if nobody knows) of them: the sum of
 * changes, or the sum of their squares.  widest = 1 is the finest level itself.
 */
extern double pa_level_change(PaNorm norm, int64_t groups, int64_t widest);

typedef struct PaLevel
{
	int64_t		groups;			/* how many the level has: public, at least 1 */
	int64_t		widest;			/* of the finest groups in one of its groups, at most */
	uint32_t	keys;			/* what it groups by: it can be added up from levels that have all of these */
} PaLevel;

/*
 * Each level has as many groups as the next one, or more.  pays[i]: whether noise of its own,
 * at an equal share of epsilon or rho for every level that has some, makes the total of
 * one of its groups more accurate than adding up groups of the best level before it that pays.
 * A level that cannot be added up from those before it always pays.  Every number is public.
 * PA_INVALID unless 1 to PA_MOST_LEVELS levels.
 */
extern PaStatus pa_levels_pay(PaNorm norm, int64_t groups, const PaLevel *level, int levels, bool *pays);

#endif							/* PA_LEVELS_H */
