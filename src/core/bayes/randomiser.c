/*
 * randomiser.c
 *		Randomised answers: probabilities, draws and likelihoods.
 *
 * Exact draws.  A double p of [2^-74, 1) is m 2^e with m < 2^53 and
 * e >= -74 - 52 = -126, so p 2^128 is whole, and Pr[U < p 2^128] = p for U
 * uniform on [0, 2^128).  The low half of U is drawn only if the high half
 * does not decide: with probability 2^-64, whatever p is.
 *
 * Binary.  With u = (y - low)/(high - low) the probability of "high" is flip +
 * u (1 - 2 flip), and that of "low" the same for 1 - u.  Of the two the
 * smaller is computed, as a sum of positive terms, so with a few ulps, and
 * clamped to [flip, 1/2]; the other is 1 less that double.  Hence every output
 * has a probability of [flip, 1 - flip] and the level is ln (1 - flip)/flip
 * whatever was rounded on the way.  flip >= 1/(e^epsilon + 1), so the level is
 * at most epsilon.
 *
 * Response.  Pr[other] = lie/k and Pr[same] = 1 - lie + lie/k, the ratio is 1
 * + (1 - lie) k/lie, which falls in lie; lie >= k/(e^epsilon + k - 1), where
 * the ratio is e^epsilon.
 *
 * Window.  For outputs below all values, |output - value| = value - output.
 * Laplace: an output further down adds the same to every log-likelihood.  A
 * recycler does so once all values are further away than the band.  A staircase:
 * one width further down is one stair more for each value.  Above by symmetry.
 */
#include "core/bayes/randomiser.h"

#include <float.h>
#include <math.h>

#define UP (1.0 + 8 * DBL_EPSILON)
#define MOST_VALUE (INT64_C(1) << 51)
#define TWO_64 0x1p64			/* products with it are exact */

bool
pa_chance(double p, PaRandom *random)
{
	double		scaled = p * TWO_64;
	uint64_t	high;
	uint64_t	low;
	uint64_t	drawn;

	drawn = pa_random_u64(random);
	if (pa_random_status(random) != PA_OK || p >= 1.0)
		return pa_random_status(random) == PA_OK;
	high = (uint64_t) scaled;
	if (drawn != high)
		return drawn < high;
	low = (uint64_t) ((scaled - (double) high) * TWO_64);
	drawn = pa_random_u64(random);
	return pa_random_status(random) == PA_OK && drawn < low;
}

PaStatus
pa_coin_draw(const PaCoin *coin, PaRandom *random, bool *output)
{
	bool		rare = pa_chance(coin->rare, random);

	if (pa_random_status(random) != PA_OK)
		return PA_NO_RANDOMNESS;
	*output = coin->likely != rare;
	return PA_OK;
}

double
pa_coin_log_likelihood(const PaCoin *coin, bool output)
{
	return output == coin->likely ? log1p(-coin->rare) : log(coin->rare);
}

static bool
valid_epsilon(double epsilon)
{
	return epsilon >= PA_LEAST_EPSILON && epsilon <= PA_MOST_EPSILON;
}

PaStatus
pa_binary_make(double low, double high, double epsilon, PaBinary *binary)
{
	double		e = exp(-epsilon);

	if (!valid_epsilon(epsilon) || !isfinite(low) || !isfinite(high) ||
		!(low < high) || !isfinite(high - low))
		return PA_INVALID;
	binary->low = low;
	binary->high = high;
	binary->flip = e / (1.0 + e) * UP;
	return PA_OK;
}

PaStatus
pa_binary_coin(const PaBinary *binary, double y, PaCoin *coin)
{
	double		width = binary->high - binary->low;
	double		rise;
	double		fall;
	double		rare;

	if (isnan(y))
		return PA_INVALID;
	y = fmax(binary->low, fmin(binary->high, y));
	rise = (y - binary->low) / width;
	fall = (binary->high - y) / width;
	rare = binary->flip + fmin(rise, fall) * (1.0 - 2.0 * binary->flip);
	coin->rare = fmax(binary->flip, fmin(rare, 0.5));
	coin->likely = rise > fall;
	return PA_OK;
}

double
pa_binary_level(const PaBinary *binary)
{
	return log1p((1.0 - 2.0 * binary->flip) / binary->flip) * UP;
}

PaStatus
pa_response_make(uint32_t categories, double epsilon, PaResponse *response)
{
	double		e = exp(-epsilon);
	double		k = categories;

	if (!valid_epsilon(epsilon) || categories < 2 || categories > PA_MOST_CATEGORIES)
		return PA_INVALID;
	response->categories = categories;
	response->lie = fmin(1.0, k * e / (1.0 + (k - 1.0) * e) * UP);
	return PA_OK;
}

PaStatus
pa_response_draw(const PaResponse *response, uint32_t truth, PaRandom *random, uint32_t *output)
{
	uint32_t	any;
	bool		lie;

	if (truth >= response->categories)
		return PA_INVALID;
	any = (uint32_t) pa_random_below(random, response->categories);
	lie = pa_chance(response->lie, random);
	if (pa_random_status(random) != PA_OK)
		return PA_NO_RANDOMNESS;
	*output = lie ? any : truth;
	return PA_OK;
}

double
pa_response_same(const PaResponse *response)
{
	return (1.0 - response->lie) + pa_response_other(response);
}

double
pa_response_other(const PaResponse *response)
{
	return response->lie / response->categories;
}

double
pa_response_log_likelihood(const PaResponse *response, bool same)
{
	double		others = response->lie * (response->categories - 1.0) / response->categories;

	if (!same)
		return log(pa_response_other(response));
	/* near 1 what is missing is known better than the probability */
	return others < 0.5 ? log1p(-others) : log(pa_response_same(response));
}

double
pa_response_level(const PaResponse *response)
{
	return log1p((1.0 - response->lie) * response->categories / response->lie) * UP;
}

PaStatus
pa_additive_make(const PaKernel *kernel, int64_t least, int64_t most, PaAdditive *additive)
{
	if (!pa_kernel_valid(kernel) || pa_kernel_is_table(kernel->kind) ||
		least > most || least < -MOST_VALUE || most > MOST_VALUE)
		return PA_INVALID;
	additive->kernel = *kernel;
	additive->least = least;
	additive->most = most;
	additive->log_peak = fmin(0.0, log(pa_kernel_pmf(kernel, 0)));
	return PA_OK;
}

static int64_t
clamp(const PaAdditive *additive, int64_t value)
{
	if (value < additive->least)
		return additive->least;
	return value > additive->most ? additive->most : value;
}

PaStatus
pa_additive_draw(const PaAdditive *additive, int64_t value, PaRandom *random, int64_t *output)
{
	int64_t		noise;
	PaStatus	status = pa_kernel_sample(&additive->kernel, random, &noise);

	if (status == PA_OK)
		*output = clamp(additive, value) + noise;
	return status;
}

static int64_t
floor_modulo(int64_t a, int64_t b)
{
	return a % b < 0 ? a % b + b : a % b;
}

double
pa_additive_log_likelihood(const PaAdditive *additive, int64_t value, int64_t output)
{
	int64_t		k = output - clamp(additive, value);

	return additive->log_peak + pa_kernel_log_fall(&additive->kernel, k < 0 ? -k : k);
}

double
pa_additive_level(const PaAdditive *additive)
{
	PaLaw		law = pa_kernel_law(&additive->kernel);
	double		shift = (double) (additive->most - additive->least);

	return shift == 0 ? 0.0 : pa_law_most_loss(&law, shift) * (1.0 + 1e-12);
}

double
pa_additive_rho(const PaAdditive *additive)
{
	int64_t		shift = additive->most - additive->least;

	return shift == 0 ? 0.0 : pa_kernel_rho(&additive->kernel, shift);
}

bool
pa_additive_window(const PaAdditive *additive, int64_t *first, int64_t *last)
{
	PaKernelTail tail;

	if (!pa_kernel_tail_repeats(&additive->kernel, &tail))
		return false;
	*first = additive->least - tail.margin;
	*last = additive->most + tail.margin;
	return true;
}

int64_t
pa_additive_fold(const PaAdditive *additive, int64_t output)
{
	PaKernelTail tail;
	int64_t		first;
	int64_t		last;

	if (!pa_kernel_tail_repeats(&additive->kernel, &tail))
		return output;
	first = additive->least - tail.margin;
	last = additive->most + tail.margin;
	if (output < first)
		return first + floor_modulo(output - first, tail.period);
	return output > last ? last - floor_modulo(last - output, tail.period) : output;
}
