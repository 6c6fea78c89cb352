/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cube.h
 *		Least squares over sums of a table with several dimensions.
 *
 * The cells are all combinations of the values of the dimensions.  A level keeps some of
 * the dimensions and sums over the others: it is a table itself, in which the last of its
 * dimensions runs fastest.  Some levels are known with independent noise, of one variance for each
 * level.  What comes out are the best linear unbiased estimates of the levels, in which what
 * two levels have in common is the same in both (up to rounding).  ROLLUP is a chain of
 * levels, CUBE all of them.  Proofs: docs/theory-derived.md.
 */
#ifndef PA_CUBE_H
#define PA_CUBE_H

#include <stdint.h>

#include "core/environment.h"
#include "core/random/random.h"

#define PA_MOST_DIMENSIONS 10

typedef struct PaCube
{
	int			dimensions;		/* 0 to PA_MOST_DIMENSIONS */
	const int32_t *size;		/* values of each, at least 1; all combinations at most 2^30 */
	int			levels;			/* 1 to PA_MOST_LEVELS (levels.h), */
	const uint32_t *level;		/* as sets of dimensions (1 << dimension), no two the same */
} PaCube;

/* Cells of a level; cells of the whole table that make up one of its cells. */
extern int64_t pa_cube_cells(const PaCube *cube, uint32_t level);
extern int64_t pa_cube_width(const PaCube *cube, uint32_t level);

/* Where a cell of a level is in another one: dimensions that only the latter keeps are 0. */
extern int64_t pa_cube_image(const PaCube *cube, uint32_t from, uint32_t to, int64_t cell);

/*
 * variance[level]: > 0; INFINITY of a level that was not released.  table[level]: what was released, and
 * then the estimates.  PA_NO_SOLUTION if a level says what no released one
 * does; PA_INVALID, PA_NO_MEMORY, PA_INTERRUPTED.
 */
extern PaStatus pa_cube_estimate(const PaCube *cube, const double *variance, double *const *table,
								 const PaEnvironment *environment);

/* A noise of a released level, as often as it is part of the error of an estimate with that weight. */
typedef struct PaCubeTerm
{
	int			level;
	double		weight;
	double		times;
} PaCubeTerm;

/*
 * The error of the estimate of any cell of level "of" is the sum of these terms, at most
 * pa_cube_terms() of them; or, if the level keeps dimension 0, that of the sum of so many cells which differ
 * in this dimension only (else members is 1).
 */
extern int	pa_cube_terms(const PaCube *cube, int of);
extern PaStatus pa_cube_error(const PaCube *cube, const double *variance, int of, int32_t members, PaCubeTerm *term, int *terms);

/*
 * Whole numbers near to the estimates, of which those of a level are exactly the sums of those of
 * any finer level.  Each is within 1 of its estimate on the levels of a chain, which ROLLUP is; else
 * within the number of cells of that chain that it is the sum of.  estimate[level] and
 * whole[level] are tables.  Estimates beyond 2^100 are taken for that: the
 * caller's units are to be so large that there are none.
 */
extern PaStatus pa_cube_whole(const PaCube *cube, const double *const *estimate, PaInt128 *const *whole,
							  const PaEnvironment *environment);

#endif							/* PA_CUBE_H */
