/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rank_loss.c
 *		Whole numbers rounded down to units.
 */
#include "core/order/rank_loss.h"

PaUint128
pa_rank_loss_beyond(const PaRankLoss *loss, int32_t units)
{
	PaUint128	steps = (PaUint128) loss->mechanism->steps;

	return ((PaUint128) (units + 1) * loss->step_size + steps - 1) / steps;
}

/* A table of one entry has a limit of 0: all numbers weigh the tail. */
void
pa_rank_loss_set(PaRankLoss *loss, const PaExponential *mechanism)
{
	loss->mechanism = mechanism;
	loss->limit = pa_rank_loss_beyond(loss, mechanism->entries - 2);
	loss->unit = loss->step_size / (PaUint128) mechanism->steps;
	loss->unit_rest = (uint64_t) (loss->step_size % (PaUint128) mechanism->steps);
}

int32_t
pa_rank_loss_units(const PaRankLoss *loss, PaUint128 number)
{
	if (number >= loss->limit)
		return loss->mechanism->entries - 1;
	return (int32_t) (number * (PaUint128) loss->mechanism->steps / loss->step_size);
}
