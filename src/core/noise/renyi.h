/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * renyi.h
 *		The logarithm of the moments of a law's loss.
 */
#ifndef PA_RENYI_H
#define PA_RENYI_H

#include "core/noise/halves.h"

/* ln of the sum of p e^(t L), and how much the truth may be above or below */
typedef struct PaPsi
{
	double		value;
	double		error;
} PaPsi;

/* What psi is computed from; it is large: one on the stack at a time */
typedef struct PaMoments
{
	const PaLaw *law;
	double		shift;
	bool		halved;			/* halves is there */
	bool		any_order;		/* and serves every t */
	PaHalves	halves;
} PaMoments;

extern void pa_moments_make(const PaLaw *law, double shift, PaMoments *moments);

/* t > 0 */
extern PaPsi pa_moments_psi(const PaMoments *moments, double t);

/* Whether a law has no finite moments: some loss is infinite. */
extern bool pa_law_unbounded(const PaLaw *law, double shift);

#endif							/* PA_RENYI_H */
