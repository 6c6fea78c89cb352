/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld_grid.h
 *		Pairs of laws, and the law of their loss on a grid, never understated.
 */
#ifndef PA_PLD_GRID_H
#define PA_PLD_GRID_H

#include <stdint.h>

#include "core/accounting/pld_pool.h"
#include "core/noise/law.h"

/*
 * The loss takes the values width * (lowest + i), i from 0 to count - 1, with
 * probability mass[i] each, and infinity with the rest, "infinite".
 */
typedef struct PaGrid
{
	double		width;
	int64_t		lowest;
	int64_t		count;
	double	   *mass;
	double		infinite;
} PaGrid;

/* A grid with its sums from each point on, under p and under q. */
typedef struct PaGridTails
{
	PaGrid		grid;
	double	   *p;				/* count + 1 each */
	double	   *q;
} PaGridTails;

typedef enum PaDirection
{
	PA_REMOVE,					/* (1-rate) Q + rate P against Q */
	PA_ADD						/* Q against (1-rate) Q + rate P */
} PaDirection;

/* What is compared: a law and its shift, or a grid, on a sample if rate < 1. */
typedef struct PaPair
{
	const PaLaw *law;			/* NULL: tails */
	double		shift;
	const PaGridTails *tails;
	double		rate;
	PaDirection direction;		/* of no matter if rate = 1 */
} PaPair;

typedef struct PaTail
{
	double		delta;			/* of the privacy profile at this loss */
	double		error;			/* delta is wrong by at most this */
	double		exceed;			/* Pr[L > loss], rounded up */
} PaTail;

/* loss >= 0 */
extern PaTail pa_pair_tail(const PaPair *pair, double loss);

/* The largest loss on a sample if the release's own is "loss", rounded up. */
extern double pa_sampled_loss(double rate, PaDirection direction, double loss);

/* The largest loss, rounded up; INFINITY if there is none. */
extern double pa_pair_most_loss(const PaPair *pair);

/*
 * A loss beyond which there is at most "tail" of mass, or all that is infinite
 * besides.  hint > 0: where to look first.
 */
extern double pa_pair_reach(const PaPair *pair, double tail, double hint);

/*
 * The law of the loss up to the reach (beyond it is infinite), by connecting the
 * dots; dots are rarer where there is little mass under that tilt (INFINITY: nowhere).
 */
extern PaStatus pa_grid_make(const PaPair *pair, double width, double reach, double tilt,
							 PaPool *pool, PaGrid *grid);

/*
 * *sum becomes the law of a + b, on a grid that is coarser by powers of two if
 * there are more than "most" points; about "tail" moves to infinity.  Widths
 * differ by powers of two; the finer one of a and b is made coarser.
 * Relative errors stay small even far out, where transforms would drown them.
 */
extern PaStatus pa_grid_add(PaGrid *a, PaGrid *b, double tail, int64_t most, PaPool *pool, PaGrid *sum);

/* The same law on a grid twice as wide, in place. */
extern void pa_grid_coarsen(PaGrid *grid);

extern PaStatus pa_grid_tails(const PaGrid *grid, PaPool *pool, PaGridTails *tails);

#endif							/* PA_PLD_GRID_H */
