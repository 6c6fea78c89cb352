/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * interval.h
 *		Influence curves of rows whose joint law is known up to intervals.
 *
 * Sets of laws over the cells of a finite model, and for each pair (s, s') and set L
 * the largest ln Pr[x_L | s]/Pr[x_L | s']:
 *
 *	 PA_INTERVAL_CONDITIONAL	intervals hold Pr[cell | secret of the cell], secrets do
 *								not overlap: a linear-fractional program, exact
 *	 PA_INTERVAL_JOINT			intervals hold Pr[cell]: closed form, exact; no constraints
 *	 PA_INTERVAL_JOINT_BOUND	the same or with constraints: the two conditional
 *								probabilities are bounded by a program each, which is an
 *								upper bound (some percent above)
 *
 * Constraints are linear, row cell <= right, on the same numbers as the intervals.
 * Bounds are proved by duality whatever GLPK says (fractional.h).
 */
#ifndef PA_INTERVAL_H
#define PA_INTERVAL_H

#include "core/pufferfish/secrets.h"

#define PA_INTERVAL_CELLS 1024

typedef enum PaIntervalMode
{
	PA_INTERVAL_CONDITIONAL,
	PA_INTERVAL_JOINT,
	PA_INTERVAL_JOINT_BOUND
} PaIntervalMode;

typedef struct PaIntervals
{
	PaIntervalMode mode;
	const double *low;			/* [cell], 0 <= low <= high <= 1 */
	const double *high;
	int			constraints;
	const double *row;			/* [constraint * cells + cell] */
	const double *right;
} PaIntervals;

/*
 * point[b - 1] for b = 1..entries.  PA_FAULT_ENTRY, _EMPTY (no law), _SECRET
 * (secrets that overlap, if conditional), _SIZE, _ARGUMENT.
 */
extern PaStatus pa_interval_curve(const PaFinite *finite, const PaIntervals *intervals,
								  const PaEnvironment *environment, PaInfluence *point, PaFault *fault);

#endif							/* PA_INTERVAL_H */
