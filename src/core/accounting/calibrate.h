/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibrate.h
 *		From a sensitivity and a wanted cost to a kernel on a lattice.
 *
 * Contributions are summed exactly on a fine lattice (integers).  The noise
 * may live on another one, whose step is divisor/multiple fine steps: as coarse
 * as possible while scale, sensitivity and error bound still span
 * PA_COARSE_STEPS steps (coarser only where the scale would not be
 * representable otherwise).  The exact total x becomes the whole number nearest
 * to x multiple/divisor, ties upwards; that map is monotone and commutes with
 * whole steps, so the sensitivity is ceil(D multiple/divisor) steps, with
 * nothing to add (docs/theory.md).
 *
 * A promise is made for the shortest decimal form of epsilon and delta, the
 * form in which budget.h charges them.
 */
#ifndef PA_CALIBRATE_H
#define PA_CALIBRATE_H

#include "core/environment.h"
#include "core/noise/kernel.h"

#define PA_SENSITIVITY_BITS 100
#define PA_FIT_STEPS (INT64_C(1) << 26)
#define PA_COARSE_STEPS 512		/* least scale, shift and band, in steps, once the lattice is coarser */

typedef struct PaSensitivity
{
	PaInt128	per_group;		/* largest change of one group's total by one owner, fine steps, >= 1, < 2^100 */
	uint32_t	groups;			/* L0: how many groups one owner can change, >= 1 */
} PaSensitivity;

/* The lattice of the noise: one step is divisor/multiple fine steps, both >= 1. */
typedef struct PaLattice
{
	PaInt128	divisor;
	uint64_t	multiple;
} PaLattice;

/*
 * What is asked for.  The goal is either (epsilon, delta)-DP of the vector of
 * L0 totals (rho = 0), or rho-zCDP of it (rho > 0; epsilon and delta are then
 * only what the caller calls it).  epsilon in [1e-9, 1e6]; delta in [0, 1).
 */
typedef struct PaRequest
{
	PaKernelKind kind;
	PaSensitivity sensitivity;
	double		epsilon;
	double		delta;
	double		rho;			/* 0, or the goal */
	double		within;			/* error bound in fine steps, >= 0; negative: none */
} PaRequest;

typedef struct PaCalibration
{
	PaKernel	kernel;			/* in steps of the lattice, as are: */
	PaLattice	lattice;
	int64_t		shift;			/* sensitivity of one coordinate */
	int64_t		band;			/* error bound, rounded down; -1: none */
	double		epsilon;		/* as asked */
	double		delta;			/* what the kernel needs of the delta asked for: 0 if it is pure */
	double		rho;			/* of the vector, rounded up; INFINITY if it is not zCDP */
	double		acceptance;		/* Pr[|noise| <= error bound], rounded down; NAN: no bound */
} PaCalibration;

/*
 * The kernel of the request's kind that meets the goal: with least scale
 * (Laplace, Gaussian), else with greatest acceptance.
 *
 * Goal (epsilon, delta):
 *	 laplace		pure: L0 shift <= epsilon b
 *	 staircase		pure: L0 e <= epsilon
 *	 brdp_laplace	pure: L0 (shift/b - ln(1-q)) <= epsilon
 *	 gaussian, brdp_gaussian	L0 = 1: exact lattice profile; L0 > 1: rho that implies it
 *	 optimal		each coordinate (epsilon/L0, delta/L0), by linear program
 * Goal rho: L0 times the exact rho of a coordinate is at most rho.
 *
 * PA_INVALID for arguments out of range, or a kind that needs an error bound
 * without one.  PA_NO_SOLUTION where the kind cannot do it: no gain from
 * recycling is no failure (q = 0 is valid), but delta = 0 for Gaussian, delta
 * below 1e-3 or too fine a lattice for optimal, rho as goal for optimal, a
 * round that would be accepted with less than PA_LEAST_ROUND are.
 * A table is allocated from the environment (and owned by the caller, who
 * releases kernel.table with pa_calibration_free); environment may be NULL for other kinds.
 */
extern PaStatus pa_calibrate(const PaRequest *request, const PaEnvironment *environment, PaCalibration *out);

extern void pa_calibration_free(PaCalibration *calibration, const PaEnvironment *environment);

/*
 * The kind, among those whose bit (1 << kind) is set, with the greatest
 * acceptance at the same goal (request->kind is ignored).  Kinds that have no
 * solution are passed over; ties go to the first kind.  Needs an error bound.
 */
extern PaStatus pa_calibrate_best(const PaRequest *request, uint32_t kinds,
								  const PaEnvironment *environment, PaCalibration *out);

/*
 * A lattice on which the sensitivity is at most, and within 1/512 of, the given
 * number of steps (at most PA_FIT_STEPS): what a planned slot needs.  Finer than
 * one fine step if need be; multiple is then at most 512 steps / per_group + 1.
 */
extern PaStatus pa_lattice_fit(PaInt128 per_group, int64_t steps, PaLattice *lattice);

/* ceil(fine multiple/divisor), for a sensitivity.  |fine| multiple < 2^126. */
extern PaInt128 pa_lattice_shift(const PaLattice *lattice, PaInt128 fine);

/* Rounds an exact total to the lattice, ties upwards.  |total| multiple < 2^126. */
extern PaInt128 pa_lattice_round(const PaLattice *lattice, PaInt128 total);

/* Fine steps of one step. */
extern double pa_lattice_step(const PaLattice *lattice);

/*
 * Private group selection: the smallest tau >= 1 such that the groups which are there because of one owner
 * are shown with probability at most delta.  N is the kernel of a calibrated
 * count (per_group = 1, so the lattice is the fine one), to which an owner adds up to "widest" in each group, and "groups"
 * in all.  If widest is 1 that is L0 Pr[1 + N >= tau] <= delta, else the kernel must be Laplace or Gaussian
 * noise (docs/theory-derived.md).  delta in (0, 1), 1 <= widest <= groups.  PA_NO_SOLUTION for a delta
 * next to the least double.
 */
extern PaStatus pa_selection_threshold(const PaKernel *kernel, uint32_t groups, uint32_t widest, double delta, int64_t *tau);

#endif							/* PA_CALIBRATE_H */
