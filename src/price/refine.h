/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * refine.h
 *		Releases whose numbers are made finer, stage by stage, until they are exact enough.
 *
 * An aggregate may want an error in relation to its answer (the option "error", in per cent).  The
 * numbers that it is computed from are then released coarsely first, and refined as long as
 * what was released says that it is not exact enough, for all groups, and the ledger takes the
 * next stage.  A stage costs as much as all before it, the last one makes up what the
 * release would cost without all this:
 *
 *	 epsilon is charged		gradual Laplace noise (core/refine/gradual.h): all that was seen of a number
 *							loses no more than the finest
 *	 rho is charged			independent Gaussian releases, combined by the rho of each
 *
 * Each stage is charged, durably, before it is drawn.  Whether there is another one is a
 * function of what was released and of the ledger.  Intervals hold at whatever stage one stops: each of
 * k misses with a kth of the probability.  Proofs: docs/theory-derived.md.
 */
#ifndef PA_REFINE_H
#define PA_REFINE_H

#include "postgres.h"

#include "core/refine/gradual.h"

#include "price/release.h"

#define PA_REFINE_STAGES 7

typedef struct PaStage
{
	PaCost		cost;			/* of the stage alone; of the first what is left of the whole */
	PaStatistic *drawn;			/* with the noise of the stage alone, */
	PaStatistics *known;		/* and with the errors that estimates have after it */
} PaStage;

typedef struct PaRefinement
{
	int			nstages;
	PaStage		stages[PA_REFINE_STAGES];
	PaGradual  *gradual;		/* of each statistic; NULL: noise is Gaussian */
} PaRefinement;

/* Whether an aggregate that is computed from the statistic wants an error in relation to its answer. */
extern bool pa_is_refined(const PaRelease *release, const PaStatistic *statistic);

/* The kind of noise that can be refined. */
extern PaKernelKind pa_refined_kernel(const PaRelease *release);

/* For a calibrated release: how it is refined, if it is; false, with a problem, if it cannot be. */
extern bool pa_refinement_make(PaRelease *release, PaProblem *problem);

/* What the stages up to the last one cost together, with all else that the release costs. */
extern PaCost pa_refinement_cost(const PaRelease *release, int last);

/* "2 %", with what the share is of */
extern char *pa_refinement_text(const PaOptions *options);

/* A number on its way: one for each group and refined statistic. */
typedef struct PaRefined
{
	int64		noise;			/* of the last stage, on the lattice, where noise is gradual */
	double		weighted;		/* releases, each times its rho, where it is Gaussian, */
	double		rho;			/* and the sum of these */
} PaRefined;

/* Draws the next stage; what is known of the total then. */
extern double pa_refine(const PaRelease *release, int statistic, int stage, PaInt128 total, PaRefined *refined);

/* Whether all aggregates of a group are as exact as is wanted. */
extern bool pa_refined_suffices(const PaRelease *release, const PaEstimate *estimates);

#endif							/* PA_REFINE_H */
