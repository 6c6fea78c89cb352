/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment.h
 *		The experiment of the paper on Pufferfish composition, exactly.
 *
 * Which three states are the most frequent ones among the rows of a query's owners?
 * The prior is a chain fitted to other rows.  Each way to answer is one of the two
 * mechanisms of ranking.h with some scale of noise, so that all figures
 * are integrals, not averages over runs.
 */
#ifndef PA_TEST_EXPERIMENT_H
#define PA_TEST_EXPERIMENT_H

#include "core/pufferfish/chain.h"
#include "ranking.h"
#include "synthetic.h"

#define EXPERIMENT_K 3
#define EXPERIMENT_RADIUS 288
#define EXPERIMENT_SMOOTHING 1e-5

typedef struct Experiment
{
	Synthetic	data;
	double		transition[SYNTHETIC_STATES * SYNTHETIC_STATES];	/* the prior */
	PaInfluence point[EXPERIMENT_RADIUS];
	PaCurve		curve;			/* for any length, and group privacy */
} Experiment;

extern bool experiment_prepare(const char *config, Experiment *experiment);

/* How an answer is made */
typedef struct ExperimentNoise
{
	PaTopKMechanism mechanism;
	double		scale;
} ExperimentNoise;

/*
 * The noise that spends epsilon at once.  E(x) is the epsilon per row that x buys, m
 * the number of states, T of rows of an owner:
 *
 *	 Ours-Exp		exponential, E(epsilon)
 *	 Lap-hist		a histogram, E(epsilon)
 *	 MQM			m counts, E(epsilon)/m for each
 *	 MQM-splitpuf	m counts, E(epsilon/m) for each
 *	 Group-DP-Exp	exponential, epsilon/T
 *	 Group-DP-Hist	a histogram, epsilon/T
 *	 Group-DP-Lap	m counts, epsilon/(m T) for each
 *
 * False for other names.
 */
extern bool experiment_noise(const Experiment *experiment, const char *name, double epsilon, ExperimentNoise *noise);

/* Figures: the first EXPERIMENT_K are the probabilities that a rank is right. */
enum
{
	EXPERIMENT_HITS = EXPERIMENT_K, EXPERIMENT_NDCG, EXPERIMENT_L1, EXPERIMENT_FIGURES
};

#define EXPERIMENT_SLOPES 58

/* Of the average over all queries, each asked once */
typedef struct ExperimentFigure
{
	double		mean;
	double		deviation;		/* at least the standard deviation; exact for single ranks */
	double		rise[EXPERIMENT_SLOPES];	/* at least ln E e^(l (x - mean)), for growing l > 0 */
	double		fall[EXPERIMENT_SLOPES];	/* the same for l < 0 */
} ExperimentFigure;

extern bool experiment_figures(const Experiment *experiment, const ExperimentNoise *noise,
							   ExperimentFigure figure[EXPERIMENT_FIGURES]);

/* Of the sum of two figures that are independent: into "sum" */
extern void experiment_add(ExperimentFigure *sum, const ExperimentFigure *one);

/* The mean of so many runs is off by more than this with less than the given probability. */
extern double experiment_allowed(const ExperimentFigure *figure, int runs, double chance);

#endif							/* PA_TEST_EXPERIMENT_H */
