/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pick.h
 *		Draws one candidate of a slice, with a probability in proportion to its whole weight.
 */
#ifndef PA_PICK_H
#define PA_PICK_H

#include "core/order/slice.h"

/* pa_slice_cells or pa_slice_sub_cells */
typedef PaStatus (*PaSliceWalk) (const PaSlice *slice, const PaRankLoss *loss, const PaEnvironment *environment,
								 const PaStretchVisitor *visitor);

typedef struct PaPick
{
	PaStretch	stretch;
	PaUint128	index;			/* of the candidate in the stretch */
} PaPick;

/*
 * Two passes, both to the end: one adds the weights up, at most 2^127, the other finds the
 * candidate in which a uniform whole number below the sum falls.
 * PA_NO_RANDOMNESS, PA_INTERRUPTED.
 */
extern PaStatus pa_pick(PaSliceWalk walk, const PaSlice *slice, const PaRankLoss *loss, PaRandom *random,
						const PaEnvironment *environment, PaPick *pick);

/* The sum of the weights alone */
extern PaStatus pa_pick_total(PaSliceWalk walk, const PaSlice *slice, const PaRankLoss *loss,
							  const PaEnvironment *environment, PaUint128 *total);

#endif							/* PA_PICK_H */
