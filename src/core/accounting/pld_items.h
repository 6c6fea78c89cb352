/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld_items.h
 *		Runs as a list of different pairs, each so many times, and a first look at them.
 */
#ifndef PA_PLD_ITEMS_H
#define PA_PLD_ITEMS_H

#include "core/accounting/pld.h"
#include "core/accounting/pld_grid.h"

typedef struct PaItem
{
	PaPair		pair;
	double		times;
	double		reach;
	double		variance;		/* of the loss, roughly */
	PaGrid		pilot;			/* a coarse grid: its moments are upper bounds */
} PaItem;

typedef struct PaItems
{
	PaItem	   *item;
	int64_t		count;
	double		times;			/* of all */
	double		infinite;		/* Pr[loss = infinity] of all, by the pilots */
	double		variance;		/* of the sum */
} PaItems;

/*
 * tail: the probability that may move to infinity for each time.  Needs valid
 * runs.  What it allocates, and *items refers to, is the pool's.
 */
extern PaStatus pa_items_collect(const PaRun *runs, int nruns, PaDirection direction, double tail,
								 PaPool *pool, PaItems *items);

/* ln E[e^(sL)] of the sum over finite losses, rounded up; s > 0. */
extern double pa_items_log_moment(const PaItems *items, double s);

#endif							/* PA_PLD_ITEMS_H */
