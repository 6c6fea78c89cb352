/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain.h
 *		Influence curves and budgets of Markov chains with any number of states.
 *
 * The rows x_1, ..., x_T of an owner form a chain with the transition matrix P,
 * Pr[x_{t+1} = j | x_t = i] = P_ij; the secrets are the values of single rows, all
 * wanted ordered pairs of values that are possible at a row.
 *
 * Length 0 stands for every length at once: the curve of a node inside of a
 * stationary chain without ends, which bounds all finite ones.  So rows may be
 * appended without a new curve.  The curve of a finite length holds for shorter
 * ones too.  All sets H around a row are considered: windows, sets that reach one
 * end, and the whole chain.  Proofs: docs/theory-pufferfish.md, "Chains".
 *
 * Errors of rounding are bounded and added, so the curves are upper bounds of those
 * of the chain whose rows are divided by their sums.
 */
#ifndef PA_CHAIN_H
#define PA_CHAIN_H

#include "core/pufferfish/curve.h"

#define PA_CHAIN_STATES 256		/* most states */
#define PA_CHAIN_RADIUS 4096	/* most b of a point, and longest chain for which rows differ */

typedef struct PaChain
{
	int			states;			/* m, 2 to PA_CHAIN_STATES */
	const double *transition;	/* P at [i * m + j] */
	const double *start;		/* law of x_1; NULL: the stationary one */
	int64_t		length;			/* T; 0: any, which needs the stationary start */
	const unsigned char *wanted;	/* [s * m + s']: whether s is to be kept apart from s'; NULL: all */
} PaChain;

/*
 * PA_FAULT_ENTRY, _SUM; _SIZE if m or T is too large; _UNREACHABLE if the
 * stationary law is not unique or has no mass at some state, or if a state cannot
 * be reached from the given start within the length.
 */
extern PaStatus pa_chain_check(const PaChain *chain, const PaEnvironment *environment, PaFault *fault);

/* The stationary law of an irreducible P, each entry right within m^3 2^-51 of its size */
extern PaStatus pa_chain_stationary(const PaChain *chain, const PaEnvironment *environment,
									double *law, PaFault *fault);

/*
 * point[b - 1] for b = 1..most, most <= PA_CHAIN_RADIUS.  About most m^3 steps, for
 * a given start and for b > T/2 about T most m^2 more; 8 most m^2 bytes twice.
 */
extern PaStatus pa_chain_curve(const PaChain *chain, int most, const PaEnvironment *environment,
							   PaInfluence *point, PaFault *fault);

#endif							/* PA_CHAIN_H */
