/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rank_loss.h
 *		From whole numbers that are made of ranks to units of the table of weights.
 *
 * A number is worth floor(number steps/step_size) units, where one owner changes it by at most
 * step_size; so an owner changes the units by at most "steps", rounding included.
 */
#ifndef PA_RANK_LOSS_H
#define PA_RANK_LOSS_H

#include "core/noise/exponential.h"

typedef struct PaRankLoss
{
	const PaExponential *mechanism;
	PaUint128	scale;			/* of ranks; at least 1 */
	PaInt128	target;			/* what a scaled rank is compared with */
	PaUint128	step_size;		/* by which one owner changes the number, at most; at least 1 */
	PaUint128	limit;			/* numbers from here on weigh the tail */
	PaUint128	unit;			/* so many numbers, or one more, are worth the same */
	uint64_t	unit_rest;		/* what is left: step_size = unit * steps + unit_rest */
} PaRankLoss;

/* Sets what follows them.  scale, target and step_size are set, and step_size entries < 2^126 */
extern void pa_rank_loss_set(PaRankLoss *loss, const PaExponential *mechanism);

/* The least number that is worth more than so many units; units < entries */
extern PaUint128 pa_rank_loss_beyond(const PaRankLoss *loss, int32_t units);

extern int32_t pa_rank_loss_units(const PaRankLoss *loss, PaUint128 number);

/*
 * From the end of one unit to that of the next are "unit" numbers, and what this says more.
 * over: how far the end is from where it would be were it not whole, in steps of a number
 */
static inline int
pa_rank_loss_carry(const PaRankLoss *loss, PaUint128 *over)
{
	bool		carry = *over < loss->unit_rest;

	*over += (carry ? (PaUint128) loss->mechanism->steps : 0) - (PaUint128) loss->unit_rest;
	return carry;
}

static inline uint64_t
pa_rank_loss_weight(const PaRankLoss *loss, PaUint128 number)
{
	return loss->mechanism->weight[pa_rank_loss_units(loss, number)];
}

#endif							/* PA_RANK_LOSS_H */
