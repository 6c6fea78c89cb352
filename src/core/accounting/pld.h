/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld.h
 *		Tight composition by privacy-loss distributions.
 *
 * The losses of all parts are put on a grid so that hockey-stick divergences
 * only grow (connect the dots: each cell's mass goes to its two ends such that
 * both its p- and its q-mass are kept; Doroshenko, Ghazi, Kamath, Kumar,
 * Manurangsi 2022), convolved by FFT under an exponential tilt, and what was
 * cut off, wrapped around or lost to rounding is added to delta.  So results
 * may be above the truth, never below.
 *
 * Valid for parameters fixed beforehand, whoever chooses queries and order
 * (docs/theory.md): an odometer, and a filter for planned slots.  For releases
 * whose parameters react to answers it is no filter.
 */
#ifndef PA_PLD_H
#define PA_PLD_H

#include <stdint.h>

#include "core/environment.h"
#include "core/noise/law.h"

/* Independent noise of one law on so many coordinates that are shifted by "shift" each. */
typedef struct PaPart
{
	PaLaw		law;
	double		shift;
	uint32_t	coordinates;	/* from 1 on */
} PaPart;

/*
 * One release, or several equal ones: parts that are noised independently, an
 * additional delta (private selection), all of it on a Poisson sample of owners
 * if rate < 1.
 */
typedef struct PaRun
{
	const PaPart *parts;
	int			nparts;
	double		delta;			/* in [0, 1] */
	double		rate;			/* in (0, 1]; add/remove neighbours, the worse direction counts */
	uint64_t	times;			/* from 1 on */
} PaRun;

/*
 * delta(epsilon) of all runs together, epsilon >= 0, and the least epsilon >= 0
 * with delta(epsilon) <= delta, 0 <= delta < 1; INFINITY if there is none (the
 * deltas of the runs alone exceed it).  Aims at a relative excess of epsilon
 * below 1e-3, and stays near 3e-4 up to about 10^6 releases in all; with more
 * rounding and the coarser grid cost more (Gaussians at epsilon 4: 1e-3 at 10^7,
 * 4 % at 10^9), but time and memory stay bounded.  Equal parts of different runs
 * are counted together.  PA_INVALID, PA_NO_MEMORY, PA_INTERRUPTED.
 */
extern PaStatus pa_compose_delta(const PaRun *runs, int nruns, double epsilon,
								 const PaEnvironment *environment, double *delta);
extern PaStatus pa_compose_epsilon(const PaRun *runs, int nruns, double delta,
								   const PaEnvironment *environment, double *epsilon);

#endif							/* PA_PLD_H */
