/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * estimate.c
 *		Unbiased estimates from randomised answers.
 *
 * Unbiased: an owner's bit has the mean flip + (1 - 2 flip) u for u = (y -
 * low)/(high - low), so (pi - flip)/(1 - 2 flip) has the mean of the u.  An
 * owner's answer is category c with probability lie/k, plus 1 - lie if c is
 * true.  The coins that are drawn differ from this by their rounding, a
 * relative 2^-51. (The estimator as printed in section 2.5 of "Actual
 * Knowledge Gain", a + b (...), is right for a = 0 only.)
 *
 * Variance of the noise: for a symmetric law E[N^2] = 2 sum over k >= 1 of (2k
 * - 1) Pr[N >= k].  As the law is unimodal, Pr[N >= k] is convex in k >= 1, so
 * chords over blocks of k bound it from above; blocks grow by 1/64 of k.
 */
#include "core/bayes/estimate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define MOST_OWNERS (UINT64_C(1) << 52)
#define NO_TAIL 1e-200

typedef struct Frequency
{
	double		value;
	double		error;
	double		low;
	double		high;
} Frequency;

static bool
valid(uint64_t hits, uint64_t n, double confidence)
{
	return n >= 1 && n < MOST_OWNERS && hits <= n && confidence > 0 && confidence < 1;
}

/* z with Pr[|Z| <= z] = confidence */
static double
normal_quantile(double confidence)
{
	return gsl_cdf_ugaussian_Qinv(0.5 * (1.0 - confidence));
}

/*
 * One end of Wilson's interval with continuity correction, for the share p of
 * n; lower
 */
static double
wilson_low(double p, double n, double z)
{
	double		z2 = z * z;
	double		inner = z2 - 2.0 - 1.0 / n + 4.0 * p * (n * (1.0 - p) + 1.0);

	if (p <= 0)
		return 0.0;
	return fmax(0.0, (2.0 * n * p + z2 - 1.0 - z * sqrt(fmax(0.0, inner))) / (2.0 * (n + z2)));
}

static Frequency
frequency(uint64_t hits, uint64_t n, double confidence)
{
	double		size = (double) n;
	double		p = (double) hits / size;
	double		z = normal_quantile(confidence);
	Frequency	f;

	f.value = p;
	f.error = sqrt(p * ((double) (n - hits) / size) / size);
	f.low = wilson_low(p, size, z);
	f.high = 1.0 - wilson_low((double) (n - hits) / size, size, z);
	return f;
}

/* scale ((x - offset)/slope) + origin, ends clipped to origin..origin + scale */
static PaLocalEstimate
straighten(Frequency f, double offset, double slope, double origin, double scale)
{
	PaLocalEstimate estimate;

	estimate.value = origin + scale * ((f.value - offset) / slope);
	estimate.error = scale * (f.error / slope);
	estimate.low = origin + scale * fmin(1.0, fmax(0.0, (f.low - offset) / slope));
	estimate.high = origin + scale * fmin(1.0, fmax(0.0, (f.high - offset) / slope));
	return estimate;
}

PaStatus
pa_estimate_mean(const PaBinary *binary, uint64_t hits, uint64_t n, double confidence, PaLocalEstimate *mean)
{
	if (!valid(hits, n, confidence))
		return PA_INVALID;
	*mean = straighten(frequency(hits, n, confidence), binary->flip, 1.0 - 2.0 * binary->flip,
					   binary->low, binary->high - binary->low);
	return PA_OK;
}

PaStatus
pa_estimate_sum(const PaBinary *binary, uint64_t hits, uint64_t n, double confidence, PaLocalEstimate *sum)
{
	double		size = (double) n;
	PaStatus	status = pa_estimate_mean(binary, hits, n, confidence, sum);

	if (status != PA_OK)
		return status;
	sum->value *= size;
	sum->error *= size;
	sum->low *= size;
	sum->high *= size;
	return PA_OK;
}

PaStatus
pa_estimate_category(const PaResponse *response, uint64_t hits, uint64_t n, double confidence, PaLocalEstimate *count)
{
	if (!valid(hits, n, confidence) || response->lie >= 1.0)
		return PA_INVALID;
	*count = straighten(frequency(hits, n, confidence), pa_response_other(response), 1.0 - response->lie,
						0.0, (double) n);
	return PA_OK;
}

PaStatus
pa_estimate_additive(const PaAdditive *additive, double variance, double total, uint64_t n,
					 double confidence, PaLocalEstimate *sum)
{
	double		size = (double) n;
	double		reach;
	double		least = size * (double) additive->least;
	double		most = size * (double) additive->most;

	if (!valid(0, n, confidence) || !isfinite(total) || !(variance >= 0))
		return PA_INVALID;
	sum->value = total;
	sum->error = sqrt(size * variance);
	reach = normal_quantile(confidence) * sum->error;
	sum->low = fmin(most, fmax(least, total - reach));
	sum->high = fmin(most, fmax(least, total + reach));
	return PA_OK;
}

PaLocalEstimate
pa_estimate_per_owner(PaLocalEstimate sum, uint64_t n)
{
	double		size = (double) n;
	PaLocalEstimate mean = {sum.value / size, sum.error / size, sum.low / size, sum.high / size};

	return mean;
}

/* By how much the frequency of an output is off where the mean is off by alpha, rounded down. */
static double
frequency_of(const PaBinary *binary, double alpha)
{
	return alpha / (binary->high - binary->low) * (1.0 - 2.0 * binary->flip) * (1.0 - 1e-12);
}

double
pa_estimate_miss(const PaBinary *binary, uint64_t n, double alpha)
{
	double		frequency = frequency_of(binary, alpha);

	if (n < 1 || n >= UINT64_C(1) << 52 || !(alpha > 0))
		return NAN;
	return fmin(1.0, 2.0 * exp(-2.0 * (double) n * frequency * frequency) * (1.0 + 1e-12));
}

/* ln(2/beta)/2, rounded up: what n times the square of the frequency has to be */
static double
wanted_of(double beta)
{
	return beta > 0 && beta < 1 ? (M_LN2 - log(beta)) / 2.0 * (1.0 + 1e-11) : NAN;
}

double
pa_estimate_reach(const PaBinary *binary, uint64_t n, double beta)
{
	if (n < 1 || n >= UINT64_C(1) << 52)
		return NAN;
	return sqrt(wanted_of(beta) / (double) n) / frequency_of(binary, 1.0) * (1.0 + 1e-12);
}

double
pa_estimate_owners(const PaBinary *binary, double alpha, double beta)
{
	double		frequency = frequency_of(binary, alpha);
	double		owners = ceil(wanted_of(beta) / (frequency * frequency));

	return alpha > 0 ? owners + (owners < 1.0) : NAN;	/* NaN stays */
}

/*
 * Sum over k = a..a+n-1 of (2k - 1) times the chord from `first` at a to
 * `next` at a + n
 */
static double
chord_sum(double a, double n, double first, double next)
{
	double		even = n * (2.0 * a - 2.0 + n);
	double		rising = (n - 1.0) * ((2.0 * a - 1.0) / 2.0 + (2.0 * n - 1.0) / 3.0);

	return even * first + rising * (next - first);
}

double
pa_additive_variance(const PaAdditive *additive)
{
	double		sum = 0.0;
	double		tail = pa_kernel_tail(&additive->kernel, 1);
	int64_t		k = 1;

	while (tail > NO_TAIL && k < PA_BAND_LIMIT)
	{
		int64_t		step = 1 + k / 64;
		double		next = pa_kernel_tail(&additive->kernel, k + step);

		sum += chord_sum((double) k, (double) step, tail, next);
		tail = next;
		k += step;
	}
	return 2.0 * sum;
}
