/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * levels.h
 *		Releases that group in several ways: GROUPING SETS, ROLLUP and CUBE.
 *
 * Owners are bounded once, in the finest groups: those by all keys of the block.  Groups of
 * a level are sums of what was kept there.  A level has noise of its own, or is
 * added up from one that has, whichever is more exact (core/derive/levels.h); then least squares make all
 * of them agree (core/derive/cube.h).  A release with one level is as if there were none: it
 * has no PaLevels.  Proofs: docs/theory-derived.md.
 *
 * Where groups are selected, nobody knows how many there are, and a total is more than the sum of the groups that
 * are shown.  So each level has noise of its own, and stands by itself.  Groups are selected at
 * the levels of which no other has all keys; elsewhere those are shown that a selected group is a part of, and
 * the one group without keys.
 */
#ifndef PA_RELEASE_LEVELS_H
#define PA_RELEASE_LEVELS_H

#include "postgres.h"

#include "core/derive/cube.h"

#include "bound/group_table.h"
#include "price/release.h"

typedef struct PaPartLevel
{
	uint32		keys;
	int			whole;			/* the level of the cube */
	int			classes;		/* of rows of the list that agree, */
	int		   *class_of;		/* by row; */
	int		   *first;			/* the first row of each, */
	int		   *members;		/* and how many there are */
} PaPartLevel;

typedef struct PaLevels
{
	PaCube		cube;			/* its dimensions are keys, the last runs fastest in the numbers of groups; */
	uint32	   *keys;			/* of each level, the one with most groups first: as in PaLeafSpec.levels */
	bool		selected;		/* its groups are: then there are levels, with most keys first, and no dimensions */
	int		   *key;			/* which each dimension is; of keys that are listed together, the first */
	int			nparts;			/* levels that are numbered after those of the cube */
	PaPartLevel *parts;
} PaLevels;

/* NULL: all keys are one level.  Errors out where levels cannot be released.  After the limits of the unit. */
extern PaLevels *pa_levels_make(const PaRelease *release);

/*
 * levels_parts.c: the level of the cube that a level with these keys is, or is a part of; the levels that are
 * parts, once those of the cube are set.
 */
extern uint32 pa_levels_whole(const PaLeafSpec *spec, uint32 keys);
extern void pa_levels_set_parts(PaLevels *levels, const PaLeafSpec *spec, const PaKeyRows *rows);

/* How many levels there are, and how many groups one has. */
extern int	pa_levels_count(const PaLevels *levels);
extern int64 pa_levels_cells(const PaLevels *levels, int level);
extern uint32 pa_levels_keys(const PaLevels *levels, int level);

/* The level if it is a part of another one, with what it is; NULL: it is one of the cube.  Then the cell in it of one of that level. */
extern const PaPartLevel *pa_levels_part(const PaLevels *levels, int level);
extern int64 pa_levels_cell_of_part(const PaLevels *levels, const PaPartLevel *part, int64 cell);

/* Adds the statistics that have noise for further levels.  Errors out where a row can cause too much work in them. */
extern void pa_levels_add(PaRelease *release);

/* What a statistic is called, and of which groups. */
extern char *pa_levels_label(const PaRelease *release, int statistic, int level);

/* levels_selected.c: the levels, where groups are selected; whether they are selected by their own owners in a level. */
extern void pa_levels_set_selected(PaLevels *levels, const PaLeafSpec *spec);
extern bool pa_levels_selects(const PaLevels *levels, int level);

/* Nanoseconds that they take of a row which may be in a group of its own in each, at most. */
extern int	pa_levels_row_work(const PaLevels *levels, const PaLeafSpec *spec, const PaStatistics *set);

/* The statistic with noise for a level; NULL: it has none. */
extern const PaStatistic *pa_levels_noised(const PaStatistics *set, int base, int level);

/* How often a grouping was written: so often it has its rows. */
extern int	pa_levels_times(const PaLeafSpec *spec, uint32 keys);

/* Whether groups of a level are added up from those of another one, without noise of their own; how far off they are. */
extern bool pa_levels_adds_up(const PaRelease *release, int statistic, int level);
extern double pa_levels_error(const PaRelease *release, int statistic, int level, double confidence);

/* Whether it can be calibrated so; then the noise of a statistic, from the epsilon and delta of all its levels. */
extern bool pa_levels_allow(const PaRelease *release, const PaStatistic *statistic, uint32 kinds, PaProblem *problem);
extern PaStatus pa_levels_calibrate(const PaRelease *release, PaStatistic *statistic, uint32 kinds, double epsilon, double delta);

/* The number of the finest group with the values of a group of a level, and some others. */
extern int64 pa_levels_group(const PaLevels *levels, int level, int64 cell);

/* Of how many groups of the level that it is added up from a group is the sum, if the level is a part; else 1. */
extern int	pa_levels_members(const PaLevels *levels, int level, int64 cell);
extern int	pa_levels_most_members(const PaLevels *levels, int level);

/* The statistics as they are known of a level's groups with so many members: with the errors that estimates have there. */
extern const PaStatistics *pa_levels_statistics(const PaRelease *release, int level, int members);

/*
 * Estimates of a statistic that rows add to, after noise is drawn: [level][cell]; and what they
 * were made from, under the numbers of the statistics with noise of their own: noised[number][cell].
 */
extern double **pa_levels_release(const PaRelease *release, PaGroupTable *groups, int statistic, double **noised);

/*
 * The same in whole steps of a grid that the type of the result can hold, so that totals are exactly the
 * sums of their parts.
 */
extern double **pa_levels_round(const PaRelease *release, double *const *estimates, int statistic, Oid type);

#endif							/* PA_RELEASE_LEVELS_H */
