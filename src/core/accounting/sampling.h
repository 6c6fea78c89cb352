/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sampling.h
 *		Amplification by Poisson sampling of owners, add/remove neighbours.
 *
 * A release on a sample that every owner enters independently with probability
 * "rate".  If the release on the sample has profile H(epsilon) of a symmetric
 * pair (P, Q), then with P' = (1 - rate) Q + rate P (docs/theory.md):
 *	 remove	H(P' || Q) at epsilon = rate H(ln(1 + (e^epsilon - 1)/rate))
 *	 add	H(Q || P') at epsilon = (1 - e^epsilon (1 - rate)) H(ln(rate e^epsilon/(1 - e^epsilon (1 - rate))))
 *			where e^epsilon (1 - rate) < 1, else 0
 * (Balle, Barthe, Gaboardi 2018.)  rate in (0, 1].
 */
#ifndef PA_SAMPLING_H
#define PA_SAMPLING_H

#include "core/noise/law.h"

typedef struct PaSampledDelta
{
	double		remove;
	double		add;
} PaSampledDelta;

/* Both directions, rounded up. */
extern PaSampledDelta pa_sampled_delta(const PaLaw *law, double shift, double rate, double epsilon);

/*
 * An (epsilon, delta)-DP release on the sample is (out)-DP: ln(1 + rate (e^epsilon - 1)),
 * rate delta; rounded up.
 */
extern PaStatus pa_sampling_amplify(double rate, double epsilon, double delta,
									double *amplified_epsilon, double *amplified_delta);

/* What a release on the sample may cost so that all of it costs at most this; rounded down. */
extern PaStatus pa_sampling_inner(double rate, double epsilon, double delta,
								  double *inner_epsilon, double *inner_delta);

/*
 * rho of zCDP of a sampled release that is pure epsilon-DP and rho-zCDP on the
 * sample, rounded up: the lesser of rho itself and epsilon' tanh(epsilon'/2),
 * epsilon' the amplified epsilon (INFINITY for a release that is not pure).
 */
extern double pa_sampling_rho(double rate, double epsilon, double rho);

/*
 * Root mean square error of an unbiased estimate (sum over the sample, noise,
 * divided by rate) of a total to which "owners" owners contribute, each at most
 * "sensitivity": noise_sd / rate and sampling sqrt((1 - rate)/rate owners) sensitivity.
 */
extern double pa_sampling_error(double rate, double noise_sd, double owners, double sensitivity);

/*
 * The rate with the least such error at a fixed cost (epsilon, delta): Laplace
 * noise of scale sensitivity/inner epsilon for delta = 0, Gaussian noise by the
 * analytic calibration else.  owners >= 0.  PA_NO_SOLUTION if there is no
 * such noise.
 *
 * Sampling does not pay at a fixed cost.  Laplace: the noise of the estimate is
 * proportional to 1/(r ln(1 + (e^epsilon - 1)/r)), and r ln(1 + c/r) rises in r, so
 * the rate 1 is best even before the sampling error (sampling.c has the proof).
 * Gaussian: for small epsilon inner epsilon and delta are epsilon/r and delta/r,
 * for which sigma/r is what it was; for larger ones it grows as r falls.  The search
 * has found nothing but 1, for epsilon from 1e-3 to 30 and delta from 1e-10 to
 * 1e-3, even without owners.  What a sample saves is reading, and a sample that was
 * taken anyway costs less than its release alone.
 *
 * Rates below 1000 delta are not searched: there delta on the sample is above 1e-3,
 * and in the end a few owners would be published without noise, with probability delta.
 */
extern PaStatus pa_sampling_best_rate(double epsilon, double delta, double sensitivity, double owners,
									  double *rate, double *error, double *error_without);

#endif							/* PA_SAMPLING_H */
