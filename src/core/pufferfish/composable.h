/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * composable.h
 *		What repeated releases from finite likelihood tables give away.
 *
 * A mechanism is Pr[w | D] over numbered data sets D and outputs w.  Three questions
 * about mechanisms that are run again and again on the same data:
 *
 *	 leakage	how much a release of k runs says, exactly
 *	 necessary	if any number of runs leak at most epsilon each, then for each pair
 *				(s, s') and each D of s there are weights beta over the data sets of s'
 *				with ln Pr[w | D] <= epsilon + sum of beta_l ln Pr[w | l] for each
 *				mechanism and each w that D can produce (Theorem 5.1).  This is not
 *				sufficient.
 *	 transport	if such weights can be chosen for one prior so that they also carry its
 *				law given s to the one given s', then any number of runs, in any order
 *				and adaptively, leak at most epsilon each (docs/theory-pufferfish.md)
 *
 * Where D can produce w, weight may lie only on data sets that can as well; if there
 * are none, no epsilon will do: INFINITY.  "Composition for Pufferfish Privacy",
 * Section 5, with the corrections of docs/theory-pufferfish.md.
 *
 * GLPK proposes weights and multipliers; epsilon is computed from the weights, and a
 * lower bound from the multipliers, so neither depends on its tolerances.
 */
#ifndef PA_REPEATED_RELEASE_H
#define PA_REPEATED_RELEASE_H

#include "core/pufferfish/secrets.h"

typedef struct PaMechanism
{
	int			outputs;
	const double *likelihood;	/* Pr[w | D] at [D * outputs + w] */
} PaMechanism;

/* For secrets of PaFinite with entries = 0, cells = data sets */
typedef struct PaReleases
{
	int			datasets;
	int			mechanisms;
	const PaMechanism *mechanism;
} PaReleases;

/* Each row a distribution: PA_FAULT_ENTRY, _SUM; _SIZE, _ARGUMENT */
extern PaStatus pa_releases_check(const PaReleases *releases, PaFault *fault);

typedef struct PaEpsilonBounds
{
	double		epsilon;		/* attained by weights that were found */
	double		least;			/* no weights do with less */
} PaEpsilonBounds;

/*
 * support[D]: whether any prior gives D mass; NULL for all.  by_dataset[pair *
 * datasets + D] is the epsilon of each, NAN where D is not of the first secret;
 * may be NULL.
 */
extern PaStatus pa_release_necessary(const PaReleases *releases, const PaFinite *secrets,
									 const unsigned char *support, const PaEnvironment *environment,
									 PaEpsilonBounds *bounds, double *by_dataset, PaFault *fault);

/*
 * first, second: masks of the data sets of s and of s', in this order only; both must
 * have mass.  INFINITY if no weights were found.
 */
extern PaStatus pa_release_transport(const PaReleases *releases, const double *prior,
									 const unsigned char *first, const unsigned char *second,
									 const PaEnvironment *environment, double *epsilon, PaFault *fault);

/*
 * An epsilon for the same under whatever prior, whose masks must not be empty, of
 * releases that were checked: max over D of s, l of s', mechanisms and outputs of
 * ln Pr[w | D]/Pr[w | l].
 */
extern double pa_release_level(const PaReleases *releases, const unsigned char *first, const unsigned char *second);

/* max over outputs w with p(w) > 0 of ln p(w) - sum of beta_l ln row_l(w) */
extern double pa_release_slack(int outputs, const double *p, int rows, const double *row, const double *beta);

/*
 * max over priors, pairs and outputs of k >= 1 runs of the one mechanism of
 * ln Pr[w_1, ..., w_k | s]/Pr[... | s']; a pair does not count under a prior that
 * gives one of its secrets no mass.
 */
extern PaStatus pa_release_leakage(const PaReleases *releases, const PaFinite *secrets,
								   const double *prior, int priors, int k,
								   const PaEnvironment *environment, double *leakage, PaFault *fault);

#endif							/* PA_REPEATED_RELEASE_H */
