/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * legendre.h
 *		Gauss and Legendre's rules on [-1, 1].
 *
 * GSL has them too, in memory that it allocates; whoever needs a rule here sums
 * masses, and has no way to say that there was none.
 */
#ifndef PA_LEGENDRE_H
#define PA_LEGENDRE_H

#define PA_LEGENDRE_PAIRS 8

/* Points are at -node[i] and node[i], both of weight[i]; the nearest to 0 first. */
typedef struct PaLegendre
{
	int			pairs;
	double		node[PA_LEGENDRE_PAIRS];
	double		weight[PA_LEGENDRE_PAIRS];
} PaLegendre;

extern const PaLegendre pa_legendre_8;
extern const PaLegendre pa_legendre_16;

#endif							/* PA_LEGENDRE_H */
