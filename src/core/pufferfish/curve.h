/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curve.h
 *		Influence curves: what the rows outside of b tell about a secret.
 *
 * Let an owner have the rows x_1, ..., x_n, drawn from a prior, and let s, s' be
 * two values of a secret.  For a set H of rows with the complement L the
 * influence is
 *
 *	 a(H; s, s') = max over x_L of ln Pr[x_L | s]/Pr[x_L | s']
 *
 * where x/0 is infinite and 0/0 does not count; and the curve is
 *
 *	 a(b) = max over priors, nodes and ordered pairs (s, s') of
 *			min over H, |H| <= b, of a(H; s, s'),
 *
 * in nats; b counts the secret's own row.  A release that is E-DP for the change
 * of a single row is (a(b) + b E)-Pufferfish, for every b (docs/theory-pufferfish.md).
 * Every a(b) here is an upper bound: rounded up, at least 0, and it does not grow
 * with b.  The point a = 0, b = n (group privacy) is on every curve.
 *
 * Source: "Composition for Pufferfish Privacy" (Bai, He, Gu, Kifer, Maeng),
 * Definition 6.2 and Theorem 6.2, with the corrections of docs/theory-pufferfish.md.
 */
#ifndef PA_CURVE_H
#define PA_CURVE_H

#include <stdint.h>

#include "core/environment.h"
#include "core/pufferfish/fault.h"

/*
 * For rows in a line, H is the secret's row with "left" rows before it and
 * "right" after it, those of the worst pair at the worst node; -1 where the
 * prior has no order, or where the curve is known to be below that of fewer rows.
 */
typedef struct PaInfluence
{
	double		a;				/* nats, >= 0, may be INFINITY */
	int64_t		b;				/* rows, >= 1 */
	int32_t		left;
	int32_t		right;
} PaInfluence;

/* Points in the order of b, and always the point (0, longest). */
typedef struct PaCurve
{
	const PaInfluence *point;
	int			points;
	int64_t		longest;		/* rows of the longest owner, >= 1 */
} PaCurve;

/* What is to be protected from whom: s against s', ordered, as indexes of secrets. */
typedef struct PaSecretPair
{
	int			first;
	int			second;
} PaSecretPair;

/* Makes a >= 0 and not grow with b, always upwards; what is not a number becomes INFINITY. */
extern void pa_curve_settle(PaInfluence *point, int points);

/*
 * Several priors: into "all" the pointwise maximum with "one", which is a
 * guarantee for both.  Both must have the same b; PA_INVALID otherwise.
 */
extern PaStatus pa_curve_join(PaInfluence *all, const PaInfluence *one, int points, PaFault *fault);

/* PA_INVALID unless b >= 1 and rises, a >= 0 and does not grow, longest >= 1. */
extern PaStatus pa_curve_check(const PaCurve *curve, PaFault *fault);

#endif							/* PA_CURVE_H */
