/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measures.c
 *		MBP, ABP, their realised forms, and bounds between measures.
 *
 * Jensen-Shannon.  With m = (p + q)/2 and t = (p - q)/(p + q),
 *		JS(p, q) = sum of m h(t),  h(t) = ((1 + t) ln(1 + t) + (1 - t) ln(1 - t))/2,
 * all terms >= 0, and h(t) = sum of t^2k/(2k (2k - 1)): so nothing cancels near
 * p = q as long as t is right.  Hence t is made from what is small: from
 * z = ln p/q as tanh(z/2), or from c = p/q - 1 as c/(2 + c).
 *
 * ABP.  Let r(w, d) = Pr[w | d]/Pr[w].  The mixture of posteriors at d0 is the
 * prior times 1 + c(d), c(d) = sum over w of Pr[w] (r(w, d0) - 1)(r(w, d) -
 * 1), since r has the mean 1 under Pr[w].
 *
 * ABP of MBP.  By convexity the largest JS among distributions whose ratio to
 * the prior is within 1 - a to 1 + b and has the mean 1 puts all ratios at the
 * ends:
 *		(b F(-a) + a F(b))/(a + b),  F(c) = (1 + c/2) h(c/(2 + c)).
 * For e^-a to e^a this is h(tanh(a/2)) = ln 2 - H(1/(1 + e^a)).  Relative to the true
 * prior c is a covariance of two variables within e^-xi..e^xi of mean 1, so
 * |c| <= (e^xi - 1)(1 - e^-xi); relative to another prior, within a factor of
 * e^-error..e^error of it, 1 + c is multiplied by that factor.
 *
 * LDP of MBP.  For a pair of values of prior mass p, q the largest quotient
 * u/v with u, v within l = e^-xi to h = e^xi and all values' mean 1 is h/l if
 * the others can balance it.  They cannot if p h + (1 - p) l > 1: then v = l,
 * u = (1 - (1 - p) l)/p; nor if q l + (1 - q) h < 1: then u = h, v = (1 - (1 -
 * q) h)/q.  Both quotients fall in the mass, and of two values the one of less
 * mass on top gives the larger quotient: with g = h - 1 and masses p < q = 1 -
 * p, h q^2 >= (q + g)(q - p g).
 */
#include "core/bayes/measures.h"

#include <float.h>
#include <math.h>

#define UP (1.0 + 16 * DBL_EPSILON)
#define SUM_ERROR 1e-9
#define POLLED 65536			/* values between two looks at interrupts */
#define FAR 30.0				/* from here on ABP may be all of sqrt(ln 2), but for 1e-11 */

static double
half_entropy_gap(double t)
{
	double		square = t * t;
	double		term = square;
	double		sum = 0.0;
	int			k;

	if (fabs(t) >= 1.0)
		return M_LN2;
	if (fabs(t) > 0.1)
		return 0.5 * ((1.0 + t) * log1p(t) + (1.0 - t) * log1p(-t));
	for (k = 2; k <= 18; k += 2)
	{
		sum += term / (k * (k - 1.0));
		term *= square;
	}
	return sum;
}

/* q's share of JS(p, q) where p = q (1 + c), divided by q */
static double
share(double c)
{
	return (1.0 + 0.5 * c) * half_entropy_gap(c / (2.0 + c));
}

static bool
distribution(const double *p, size_t size)
{
	double		sum = 0.0;
	size_t		x;

	for (x = 0; x < size; x++)
	{
		if (!(p[x] >= 0.0 && p[x] <= 1.0))
			return false;
		sum += p[x];
	}
	return fabs(sum - 1.0) <= SUM_ERROR;
}

bool
pa_channel_valid(const PaChannel *channel)
{
	size_t		d;

	if (channel->inputs < 1 || channel->outputs < 1)
		return false;
	for (d = 0; d < channel->inputs; d++)
		if (!distribution(channel->probability + d * channel->outputs, channel->outputs))
			return false;
	return channel->prior == NULL || distribution(channel->prior, channel->inputs);
}

static bool
interrupted(const PaEnvironment *environment)
{
	return environment->interrupted != NULL && environment->interrupted(environment->context);
}

/* The same in a loop over values, which are many and quickly done. */
static bool
interrupted_at(const PaEnvironment *environment, size_t x)
{
	return x % POLLED == 0 && interrupted(environment);
}

static double
mass(const double *prior, size_t size, size_t x)
{
	return prior == NULL ? 1.0 / (double) size : prior[x];
}

static double
channel_mass(const PaChannel *channel, size_t d)
{
	return mass(channel->prior, channel->inputs, d);
}

static double
chance(const PaChannel *channel, size_t d, size_t w)
{
	return channel->probability[d * channel->outputs + w];
}

static double
marginal(const PaChannel *channel, size_t w)
{
	double		sum = 0.0;
	size_t		d;

	for (d = 0; d < channel->inputs; d++)
		sum += channel_mass(channel, d) * chance(channel, d, w);
	return sum;
}

PaStatus
pa_channel_level(const PaChannel *channel, const PaEnvironment *environment, double *level)
{
	double		most = 0.0;
	size_t		w;
	size_t		d;

	if (!pa_channel_valid(channel))
		return PA_INVALID;
	for (w = 0; w < channel->outputs; w++)
	{
		double		high = 0.0;
		double		low = 1.0;

		if (interrupted(environment))
			return PA_INTERRUPTED;
		for (d = 0; d < channel->inputs; d++)
		{
			high = fmax(high, chance(channel, d, w));
			low = fmin(low, chance(channel, d, w));
		}
		if (high > 0)
			most = fmax(most, log(high) - log(low));
	}
	*level = most;
	return PA_OK;
}

PaStatus
pa_channel_mbp(const PaChannel *channel, const PaEnvironment *environment, double *mbp)
{
	double		most = 0.0;
	size_t		w;
	size_t		d;

	if (!pa_channel_valid(channel))
		return PA_INVALID;
	for (w = 0; w < channel->outputs; w++)
	{
		double		all = marginal(channel, w);

		if (interrupted(environment))
			return PA_INTERRUPTED;
		for (d = 0; all > 0 && d < channel->inputs; d++)
			if (channel_mass(channel, d) > 0)
				most = fmax(most, fabs(log1p((chance(channel, d, w) - all) / all)));
	}
	*mbp = most;
	return PA_OK;
}

/* c(d) of the file's head */
static double
mixture_change(const PaChannel *channel, const double *all, size_t d0, size_t d)
{
	double		sum = 0.0;
	size_t		w;

	for (w = 0; w < channel->outputs; w++)
		if (all[w] > 0)
			sum += (chance(channel, d0, w) - all[w]) * ((chance(channel, d, w) - all[w]) / all[w]);
	return fmax(sum, -1.0);
}

static double
abp_at(const PaChannel *channel, const double *all, size_t d0)
{
	double		sum = 0.0;
	size_t		d;

	if (!(channel_mass(channel, d0) > 0))
		return NAN;
	for (d = 0; d < channel->inputs; d++)
		if (channel_mass(channel, d) > 0)
			sum += channel_mass(channel, d) * share(mixture_change(channel, all, d0, d));
	return sqrt(fmin(sum, M_LN2));
}

PaStatus
pa_channel_abp(const PaChannel *channel, const PaEnvironment *environment, double *abp)
{
	double	   *all;
	PaStatus	status = PA_OK;
	size_t		i;

	if (!pa_channel_valid(channel))
		return PA_INVALID;
	all = environment->allocate(environment->context, channel->outputs * sizeof(double));
	if (all == NULL)
		return PA_NO_MEMORY;
	for (i = 0; status == PA_OK && i < channel->outputs; i++)
	{
		all[i] = marginal(channel, i);
		if (interrupted(environment))
			status = PA_INTERRUPTED;
	}
	for (i = 0; status == PA_OK && i < channel->inputs; i++)
	{
		abp[i] = abp_at(channel, all, i);
		if (interrupted(environment))
			status = PA_INTERRUPTED;
	}
	environment->release(environment->context, all);
	return status;
}

typedef struct Span
{
	double		high;			/* largest log-likelihood, over values with prior mass */
	double		loss;			/* over all values */
} Span;

static Span
span(const double *log_likelihood, const double *prior, size_t size)
{
	Span		found = {-INFINITY, 0.0};
	double		high = -INFINITY;
	double		low = INFINITY;
	size_t		x;

	for (x = 0; x < size; x++)
	{
		high = fmax(high, log_likelihood[x]);
		low = fmin(low, log_likelihood[x]);
		if (mass(prior, size, x) > 0)
			found.high = fmax(found.high, log_likelihood[x]);
	}
	found.loss = high - low;
	return found;
}

/* ln of the prior's mean of e^(log_likelihood - high), which is at most 0; NAN if interrupted */
static double
log_mean(const double *log_likelihood, const double *prior, size_t size, double high, const PaEnvironment *environment)
{
	double		less = 0.0;
	double		sum = 0.0;
	size_t		x;

	for (x = 0; x < size; x++)
	{
		double		m = mass(prior, size, x);

		if (interrupted_at(environment, x))
			return NAN;
		if (m > 0)
		{
			less += m * expm1(log_likelihood[x] - high);
			sum += m * exp(log_likelihood[x] - high);
		}
	}
	return less > -0.5 ? log1p(less) : log(sum);
}

/* One value's part of the measures; z = ln posterior/prior */
static void
measure(double z, double m, PaRealisedMeasures *measures)
{
	measures->mbp = fmax(measures->mbp, fabs(z));
	measures->abp += 0.5 * m * (1.0 + exp(z)) * half_entropy_gap(tanh(0.5 * z));
}

PaStatus
pa_realised_measures(const double *log_likelihood, const double *prior, size_t size,
					 const PaEnvironment *environment, PaRealisedMeasures *measures, double *posterior)
{
	PaRealisedMeasures found = {0.0, 0.0, 0.0};
	double		mean;
	Span		range;
	size_t		x;

	for (x = 0; x < size; x++)
		if (!(log_likelihood[x] < INFINITY))
			return PA_INVALID;
	if (size < 1 || (prior != NULL && !distribution(prior, size)))
		return PA_INVALID;
	range = span(log_likelihood, prior, size);
	if (range.high == -INFINITY)
		return PA_INVALID;
	mean = log_mean(log_likelihood, prior, size, range.high, environment);
	for (x = 0; x < size; x++)
	{
		double		m = mass(prior, size, x);
		double		z = (log_likelihood[x] - range.high) - mean;

		if (isnan(mean) || interrupted_at(environment, x))
			return PA_INTERRUPTED;
		if (m > 0)
			measure(z, m, &found);
		if (posterior != NULL)
			posterior[x] = m > 0 ? m * exp(z) : 0.0;
	}
	found.loss = range.loss;
	found.abp = sqrt(fmin(found.abp, M_LN2));
	*measures = found;
	return PA_OK;
}

double
pa_mbp_of_ldp(double epsilon, double least_prior)
{
	if (!(epsilon >= 0) || !(least_prior >= 0 && least_prior <= 0.5))
		return NAN;
	if (epsilon < 1.0)
		return fmin(epsilon, log1p((1.0 - least_prior) * expm1(epsilon)) * UP);
	return fmin(epsilon, (epsilon + log1p(least_prior * expm1(-epsilon))) * UP);
}

double
pa_ldp_of_mbp(double xi)
{
	return xi >= 0 ? 2.0 * xi : NAN;
}

/* ln(1 + (e^xi - 1)/p), which does not overflow */
static double
log_upper(double xi, double p)
{
	if (xi < 1.0)
		return log1p(expm1(xi) / p);
	return xi + log1p(-(1.0 - p) * exp(-xi)) - log(p);
}

/* ln of the largest quotient for a pair of masses p (upper value) and q */
static double
pair_loss(double xi, double p, double q)
{
	double		limit = 1.0 / (1.0 + exp(xi));
	double		loss = 2.0 * xi;

	if (p > limit)
		loss = fmin(loss, log_upper(xi, p));
	if (1.0 - q < limit)
		loss = fmin(loss, xi - log1p(-(1.0 - q) * expm1(xi) / q));
	return loss;
}

double
pa_ldp_of_mbp_tight(double xi, double least, double second)
{
	if (!(xi >= 0) || !(least > 0 && least <= second && least + second <= 1.0 + SUM_ERROR))
		return NAN;
	return fmin(2.0 * xi, pair_loss(xi, least, second) * UP);
}

double
pa_abp_of_mbp_printed(double a)
{
	return a >= 0 ? sqrt(0.5 * a * expm1(a)) * UP : NAN;
}

double
pa_abp_of_mbp(double a)
{
	return a >= 0 ? sqrt(half_entropy_gap(tanh(0.5 * a))) * UP : NAN;
}

double
pa_abp_of_mbp_near(double xi, double prior_error)
{
	double		half = sinh(0.5 * xi);
	double		down = fmin(4.0 * half * half, -expm1(-xi));
	double		up = fmin(4.0 * half * half, expm1(xi));

	if (!(xi >= 0 && prior_error >= 0))
		return NAN;
	if (xi + prior_error > FAR)
		return sqrt(M_LN2) * UP;
	down = down * exp(-prior_error) - expm1(-prior_error);
	up = up * exp(prior_error) + expm1(prior_error);
	if (up == 0)
		return 0.0;
	return sqrt(up / (up + down) * share(-down) + down / (up + down) * share(up)) * UP;
}

static bool
valid_pac(double epsilon, double beta)
{
	return epsilon >= 0 && beta >= 0 && beta <= 1;
}

double
pa_pac_gamma_printed(double epsilon, double beta)
{
	return valid_pac(epsilon, beta) ? (1.0 + 4.0 * epsilon) * beta : NAN;
}

double
pa_pac_gamma(double epsilon, double beta)
{
	double		complement = exp(-2.0 * epsilon) * beta - expm1(-2.0 * epsilon);
	double		multiple = beta > 0 ? exp(2.0 * epsilon) * beta : 0.0;

	if (!valid_pac(epsilon, beta))
		return NAN;
	return fmin(1.0, fmin(complement, multiple) * UP);
}
