/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measures.h
 *		Bayesian measures of privacy, and what they say about one another.
 *
 * A channel is Pr[w | d] over inputs d and outputs w, with a prior over the
 * inputs.  Values without prior mass take no part, and nothing follows for them.
 *
 *	 LDP	largest |ln Pr[w | d]/Pr[w | d']|
 *	 MBP	maximum Bayesian privacy xi: largest |ln Pr[d | w]/Pr[d]|
 *	 ABP	average Bayesian privacy at d0: the root of the Jensen-Shannon
 *			divergence between sum over w of Pr[w | d0] Pr[. | w] and the prior;
 *			at most sqrt(ln 2)
 *
 * All in nats.  Sources: "Deciphering the Interplay between Local Differential
 * Privacy, Average Bayesian Privacy, and Maximum Bayesian Privacy" and "Bridging
 * Privacy and Robustness for Trustworthy Machine Learning" (X. Zhang, W. Chen),
 * with the corrections that docs/theory-local.md proves.
 */
#ifndef PA_MEASURES_H
#define PA_MEASURES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/environment.h"

typedef struct PaChannel
{
	size_t		inputs;
	size_t		outputs;
	const double *probability;	/* Pr[w | d] at [d * outputs + w] */
	const double *prior;		/* of the inputs; NULL for uniform */
} PaChannel;

/* Whether the prior and each row of the channel are probabilities that add up to 1 within 1e-9. */
extern bool pa_channel_valid(const PaChannel *channel);

/* These are PA_INVALID unless that is so.  MBP and LDP may be INFINITY. */
extern PaStatus pa_channel_level(const PaChannel *channel, const PaEnvironment *environment, double *level);
extern PaStatus pa_channel_mbp(const PaChannel *channel, const PaEnvironment *environment, double *mbp);

/* abp[d0] for each input; NAN where the prior has no mass */
extern PaStatus pa_channel_abp(const PaChannel *channel, const PaEnvironment *environment, double *abp);

/*
 * The same for one transcript that was seen, from ln Pr[seen | x] up to a
 * constant (as in a likelihood table; -INFINITY for impossible) and a prior
 * (NULL: uniform). posterior may be NULL.  PA_INVALID if no value with prior
 * mass is possible.
 */
typedef struct PaRealisedMeasures
{
	double		loss;			/* log L over all values, with prior mass or not */
	double		mbp;			/* largest |ln posterior/prior| */
	double		abp;			/* root of JS(posterior, prior) */
} PaRealisedMeasures;

extern PaStatus pa_realised_measures(const double *log_likelihood, const double *prior, size_t size,
									 const PaEnvironment *environment, PaRealisedMeasures *measures, double *posterior);

/*
 * Bounds, rounded up, for epsilon, xi >= 0 (INFINITY allowed); NAN otherwise.
 */

/*
 * MBP of an epsilon-LDP channel, any prior; tight for the least mass
 * least_prior in (0, 1/2]; 0: epsilon.
 */
extern double pa_mbp_of_ldp(double epsilon, double least_prior);

/* LDP of a xi-MBP channel, any prior of full support: 2 xi */
extern double pa_ldp_of_mbp(double xi);

/*
 * The same, tight, from the two smallest masses of a prior of full support, 0
 * < least <= second, least + second <= 1 (with equality if there are but two
 * values).
 */
extern double pa_ldp_of_mbp_tight(double xi, double least, double second);

/*
 * ABP of a xi-MBP channel for a = xi + the prior error: the papers' bound, and
 * the tight one of every distribution within e^-a..e^a of the prior.
 */
extern double pa_abp_of_mbp_printed(double a);
extern double pa_abp_of_mbp(double a);

/*
 * ABP of a xi-MBP channel if the attacker's prior is within a factor of e^-error..e^error of
 * the true one: never above pa_abp_of_mbp(xi + error), and of order xi^2 if it is the true one.
 */
extern double pa_abp_of_mbp_near(double xi, double prior_error);

/*
 * PAC: an estimate that is epsilon-MBP and misses by more than alpha with
 * probability at most beta does so with at most gamma on a changed input.
 * The printed gamma, (1 + 4 epsilon) beta, is a bound for epsilon <= .6282 only;
 * the other always.
 */
extern double pa_pac_gamma_printed(double epsilon, double beta);
extern double pa_pac_gamma(double epsilon, double beta);

#endif							/* PA_MEASURES_H */
