/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * binary.h
 *		Chains of two states whose stay probabilities are known up to intervals.
 *
 * p = Pr[0 -> 0], q = Pr[1 -> 1], stationary start.  Whatever the length and
 * the set, influences grow with p and with q where p + q >= 1 and fall with both
 * where p + q <= 1 (docs/theory-pufferfish.md, "Two states").  So the priors of a
 * whole box have the maximum of at most two curves: those of its upper corner, if
 * p + q > 1 there, and of its lower one, if p + q < 1 there.
 */
#ifndef PA_BINARY_H
#define PA_BINARY_H

#include "core/pufferfish/chain.h"

typedef struct PaBinaryChains
{
	double		p_low;			/* 0 <= low <= high < 1 */
	double		p_high;
	double		q_low;
	double		q_high;
	int64_t		length;			/* as in PaChain; 0: any */
} PaBinaryChains;

/* As pa_chain_curve, exact up to rounding.  PA_FAULT_UNREACHABLE if p or q can be 1. */
extern PaStatus pa_binary_curve(const PaBinaryChains *chains, int most, const PaEnvironment *environment,
								PaInfluence *point, PaFault *fault);

#endif							/* PA_BINARY_H */
