/*
 * plan.h
 *		A plan: so many releases of such noise, made as strong as a total allows.
 *
 * A slot of a plan is a number of releases whose noise has one law, fixed before
 * the first answer.  Noise lives on a canonical lattice, on which the
 * sensitivity is PA_PLAN_STEPS steps; a query of sensitivity D gets a lattice by
 * pa_lattice_fit(D, PA_PLAN_STEPS), so that its shift is at most that.  Hence
 * every release of a slot loses no more than what was composed for it, whatever
 * is asked, and whatever was answered before (docs/theory.md).
 *
 * One strength x is common to all slots.  A slot of weight w has, for one
 * coordinate and with s the sensitivity,
 *	 laplace		s/b = w x
 *	 gaussian		s/sigma = w x
 *	 brdp_laplace	pure loss w x
 *	 brdp_gaussian	rho = (w x)^2/2
 *	 staircase		pure loss w x (less where it could not be drawn)
 * where the largest weight counts as 1.
 */
#ifndef PA_PLAN_H
#define PA_PLAN_H

#include "core/environment.h"
#include "core/noise/kernel.h"

#define PA_PLAN_STEPS 1024
#define PA_PLAN_SLOTS 64		/* most slots of a plan */
#define PA_PLAN_RELEASES UINT64_C(1000000000)	/* most releases of a slot */
#define PA_PLAN_GROUPS 1000000	/* most coordinates of a release */
#define PA_PLAN_WITHIN 1000.0	/* largest error bound */
#define PA_PLAN_WEIGHTS 1000.0	/* weights are in [1/1000, 1000] */

/* Whether slots can have this kind of noise. */
extern bool pa_plan_allows(PaKernelKind kind);

typedef struct PaPlannedSlot
{
	PaKernelKind kind;			/* one that a plan allows */
	uint64_t	releases;		/* from 1 on */
	uint32_t	groups;			/* coordinates that one owner can change, from 1 on */
	double		within;			/* error bound as a fraction of the sensitivity; negative: none */
	double		weight;
} PaPlannedSlot;

typedef struct PaPlannedNoise
{
	PaKernel	kernel;			/* of one coordinate, shifted by PA_PLAN_STEPS */
	int64_t		band;			/* error bound in steps, rounded down; -1: none */
	double		acceptance;		/* Pr[|noise| <= error bound], rounded down; NAN: no bound */
	double		rho;			/* of one release, rounded up */
	double		epsilon;		/* of one release by itself at the plan's delta, rounded up */
} PaPlannedNoise;

/*
 * The noise of all slots at the largest strength, to within a part in 10^5, at
 * which all releases together were found to be (epsilon, delta)-DP.  epsilon in
 * [1e-9, 1e6], delta in [0, 1); with delta = 0 losses are added up.
 * PA_INVALID for what is out of range, PA_NO_SOLUTION where no strength fits
 * (Gaussian noise with delta = 0 is one case), PA_NO_MEMORY, PA_INTERRUPTED;
 * noise is then undefined.
 */
extern PaStatus pa_plan_fit(const PaPlannedSlot *slots, int nslots, double epsilon, double delta,
							const PaEnvironment *environment, PaPlannedNoise *noise);

/* What all releases of slots that have this noise lose together at delta, rounded up. */
extern PaStatus pa_plan_epsilon(const PaPlannedSlot *slots, const PaPlannedNoise *noise, int nslots,
								double delta, const PaEnvironment *environment, double *epsilon);

#endif							/* PA_PLAN_H */
