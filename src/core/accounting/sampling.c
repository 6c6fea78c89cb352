/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sampling.c
 *		Amplification by Poisson sampling.
 *
 * An owner is in the sample with probability r, so the release has the law
 * P' = (1 - r) Q + r P where they are in the table and Q where they are not.  With
 * a = e^epsilon, H_a(X, Y) = the integral of max(0, X - a Y):
 *
 *	 remove	P' - a Q = r (P - (1 + (a - 1)/r) Q), so
 *			H_a(P', Q) = r H_b(P, Q), b = 1 + (a - 1)/r; 1 - a if b <= 0
 *	 add	Q - a P' = f Q - a r P, f = 1 - a (1 - r), so
 *			H_a(Q, P') = f H_c(Q, P), c = a r/f; 0 if f <= 0
 *
 * H_c(Q, P) = H_c(P, Q) as noise is symmetric.  (epsilon, delta)-DP on the sample
 * gives delta' = r delta at a = 1 + r (e^epsilon - 1) by the first; the second is
 * less there, since f <= r and c >= e^epsilon:
 * a (r + (1 - r) e^epsilon) = e^epsilon + r (1 - r) (e^epsilon - 1)^2.
 *
 * zCDP.  Renyi divergences are jointly quasi-convex: D(P', Q) <= D(P, Q), and so in the
 * other direction, hence rho does not grow.  A pair whose losses are at most e in
 * size is dominated by randomised response, for which
 *		D_alpha/alpha = (ln cosh(y e) - ln cosh(e/2)) / (y^2 - 1/4), y = alpha - 1/2,
 * a chord's slope of ln cosh(e sqrt(z)), which is concave in z; so it is largest
 * for alpha = 1: e tanh(e/2).
 *
 * Laplace noise at a fixed cost, c = e^epsilon - 1: the derivative of r ln(1 + c/r) is
 * ln(1 + z) - z/(1 + z) > 0 for z = c/r > 0, so noise/r is least at r = 1.
 *
 * Rounding: the arguments of H are rounded down and f up, both of which raise the
 * result (f H_(ar/f) rises in f, since H falls in its argument).
 */
#include "core/accounting/sampling.h"

#include <float.h>
#include <math.h>

#include "core/noise/continuous.h"

#define UP (1.0 + 8 * DBL_EPSILON)
#define DOWN (1.0 - 8 * DBL_EPSILON)
#define STEPS 200				/* of the search for a rate */
#define LEAST_RATE 1e-6
#define LEAST_PROTECTION 1e-3	/* largest delta on the sample */

static double
remove_delta(const PaLaw *law, double shift, double rate, double epsilon)
{
	double		z = expm1(epsilon) / rate;
	double		x = epsilon < 30.0 ? log1p(z) : epsilon - log(rate);

	if (z <= -1.0 + 1e-12)
		return -expm1(epsilon) * UP;
	x -= 8 * DBL_EPSILON * (fabs(x) + fabs(epsilon) + (z < 0 ? -z / (1.0 + z) : 0.0));
	return rate * pa_law_delta(law, shift, x) * UP;
}

static double
add_delta(const PaLaw *law, double shift, double rate, double epsilon)
{
	double		both = log1p(-rate);
	double		f = -expm1(epsilon + both) + 4 * DBL_EPSILON * (fabs(epsilon) - both);
	double		x = epsilon + log(rate / f);

	if (f <= 0)
		return 0.0;
	x -= 8 * DBL_EPSILON * (1.0 + fabs(x) + fabs(epsilon));
	return fmin(f * pa_law_delta(law, shift, x) * UP, 1.0);
}

PaSampledDelta
pa_sampled_delta(const PaLaw *law, double shift, double rate, double epsilon)
{
	PaSampledDelta both;

	if (rate == 1.0)
		both.remove = both.add = pa_law_delta(law, shift, epsilon);
	else
	{
		both.remove = fmin(1.0, remove_delta(law, shift, rate, epsilon));
		both.add = add_delta(law, shift, rate, epsilon);
	}
	return both;
}

static bool
valid(double rate, double epsilon, double delta)
{
	return rate > 0 && rate <= 1 && epsilon >= 0 && isfinite(epsilon) && delta >= 0 && delta <= 1;
}

PaStatus
pa_sampling_amplify(double rate, double epsilon, double delta,
					double *amplified_epsilon, double *amplified_delta)
{
	double		amplified;

	if (!valid(rate, epsilon, delta))
		return PA_INVALID;
	if (epsilon < 30.0)
		amplified = log1p(rate * expm1(epsilon));
	else
		amplified = fmax(0.0, epsilon + log(rate + (1.0 - rate) * exp(-epsilon)) + 8 * DBL_EPSILON * epsilon);
	*amplified_epsilon = rate == 1.0 ? epsilon : fmin(epsilon, amplified * UP);
	*amplified_delta = rate == 1.0 ? delta : fmin(delta, fmax(rate * delta * UP, DBL_MIN));	/* it may underflow */
	return PA_OK;
}

PaStatus
pa_sampling_inner(double rate, double epsilon, double delta, double *inner_epsilon, double *inner_delta)
{
	double		inner;

	if (!valid(rate, epsilon, delta))
		return PA_INVALID;
	/* quotients by the least rates overflow */
	if (epsilon < 30.0 && rate > 1e-290)
		inner = log1p(expm1(epsilon) / rate);
	else if (epsilon < 30.0)
		inner = fmax(epsilon, log(expm1(epsilon)) - log(rate));
	else
		inner = epsilon + log(1.0 - (1.0 - rate) * exp(-epsilon)) - log(rate);
	*inner_epsilon = rate == 1.0 ? epsilon : fmax(epsilon, inner * DOWN);
	*inner_delta = rate == 1.0 ? delta : fmin(1.0, delta / rate * DOWN);
	return PA_OK;
}

double
pa_sampling_rho(double rate, double epsilon, double rho)
{
	double		amplified = INFINITY;
	double		unused;

	if (!(rate > 0 && rate <= 1) || !(epsilon >= 0) || !(rho >= 0))
		return INFINITY;
	if (isfinite(epsilon))
		pa_sampling_amplify(rate, epsilon, 0.0, &amplified, &unused);
	return fmin(rho, amplified * tanh(0.5 * amplified) * UP);
}

double
pa_sampling_error(double rate, double noise_sd, double owners, double sensitivity)
{
	return hypot(noise_sd / rate, sensitivity * sqrt((1.0 - rate) / rate * owners));
}

/* What a rate makes of a fixed cost. */
typedef struct Offer
{
	double		epsilon;
	double		delta;
	double		sensitivity;
	double		owners;
} Offer;

static double
error_at(const Offer *offer, double rate)
{
	double		epsilon;
	double		delta;
	double		noise_sd;

	if (pa_sampling_inner(rate, offer->epsilon, offer->delta, &epsilon, &delta) != PA_OK)
		return INFINITY;
	if (offer->delta == 0)
		noise_sd = M_SQRT2 * offer->sensitivity / epsilon;
	else if (pa_gaussian_sigma(epsilon, delta, offer->sensitivity, &noise_sd) != PA_OK)
		return INFINITY;
	return pa_sampling_error(rate, noise_sd, offer->owners, offer->sensitivity);
}

/* A grid over ln(rate), then the same about the best of it. */
static double
least_error(const Offer *offer, double least_rate, double *rate)
{
	double		best = error_at(offer, 1.0);
	double		low = log(least_rate);
	double		high = 0;
	int			round;
	int			i;

	*rate = 1.0;
	for (round = 0; round < 3; round++)
	{
		double		width = (high - low) / STEPS;

		for (i = 0; i <= STEPS; i++)
		{
			double		at = fmin(1.0, exp(low + width * i));
			double		error = error_at(offer, at);

			if (error < best * (1.0 - 1e-9))
			{
				best = error;
				*rate = at;
			}
		}
		low = fmax(log(least_rate), log(*rate) - width);
		high = fmin(0.0, log(*rate) + width);
	}
	return best;
}

PaStatus
pa_sampling_best_rate(double epsilon, double delta, double sensitivity, double owners,
					  double *rate, double *error, double *error_without)
{
	Offer		offer = {epsilon, delta, sensitivity, owners};
	double		without;
	double		least_rate = fmin(1.0, fmax(LEAST_RATE, delta / LEAST_PROTECTION));

	if (!valid(1.0, epsilon, delta) || epsilon <= 0 || delta >= 1 ||
		!(sensitivity > 0 && isfinite(sensitivity)) || !(owners >= 0 && isfinite(owners)))
		return PA_INVALID;
	without = error_at(&offer, 1.0);
	if (!isfinite(without))
		return PA_NO_SOLUTION;
	*error = least_error(&offer, least_rate, rate);
	*error_without = without;
	return PA_OK;
}
