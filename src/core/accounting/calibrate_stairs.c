/*
 * calibrate_stairs.c
 *		The staircase that is aligned to the error bound.
 *
 * Its loss is e for every shift up to a stair's width, so the width is the
 * sensitivity, and e is the promise's epsilon, L0 e <= epsilon, cut to a multiple
 * of 2^-PA_STAIR_SHIFT in integers.  Under rho, e is searched.
 *
 * The sampler proposes the plateau far too often where the plateau is a small
 * part of a stair and e is large.  Then the stairs are moved: down to the end of
 * a full stair, or outwards until a proposal is accepted often enough, whichever
 * leaves more within the error bound.
 */
#include <math.h>

#include "core/accounting/promise.h"

#define MOST_NUMERATOR ((UINT64_C(1) << PA_STAIR_BITS) - 1)
#define LEAST_ROUND (PA_LEAST_ROUND * (1 + 0x1p-20))
#define HALVINGS 24

/*
 * floor(epsilon 2^44/L0), by the decimal of epsilon.  digits 2^44 is below
 * 2^(57 + 44); where the exponent is positive the product is at most 10^6 2^44.
 */
static uint64_t
numerator_of_epsilon(const PaPromise *promise)
{
	PaUint128	scaled = (PaUint128) promise->decimal.digits << PA_STAIR_SHIFT;

	if (promise->decimal.exponent >= 0)
		scaled *= pa_power_of_ten(promise->decimal.exponent);
	else
		scaled /= pa_power_of_ten(-promise->decimal.exponent);
	scaled /= promise->groups;
	return scaled < MOST_NUMERATOR ? (uint64_t) scaled : MOST_NUMERATOR;
}

/* The acceptance of a proposal, of which the plateau needs its share. */
static int64_t
least_plateau(const PaKernel *kernel)
{
	double		loss = ldexp((double) kernel->numerator, -PA_STAIR_SHIFT);
	double		share = (LEAST_ROUND - exp(-loss)) / -expm1(-loss);

	return share > 0 ? (int64_t) ceil(share * (double) kernel->width) : 0;
}

/* Moves the stairs where they must be; goal is the error bound. */
static PaStatus
align(PaKernel *kernel, int64_t goal)
{
	int64_t		band = goal < PA_BAND_LIMIT ? goal : PA_BAND_LIMIT - 1;
	int64_t		stairs = band / kernel->width;
	PaKernel	down = *kernel;
	PaKernel	out = *kernel;

	kernel->band = band;
	if (pa_kernel_valid(kernel))
		return PA_OK;
	down.band = stairs * kernel->width - 1;
	out.band = stairs * kernel->width + least_plateau(kernel);
	if (pa_kernel_valid(&out))
		*kernel = out;
	if (stairs >= 1 && pa_kernel_valid(&down) &&
		(kernel->band == band || pa_kernel_acceptance(&down, goal) > pa_kernel_acceptance(&out, goal)))
		*kernel = down;
	return pa_kernel_valid(kernel) ? PA_OK : PA_OUT_OF_RANGE;
}

static PaStatus
at_numerator(uint64_t numerator, int64_t shift, int64_t band, PaKernel *kernel)
{
	PaKernel	made = {
		.kind = PA_KERNEL_STAIRCASE, .shift = PA_STAIR_SHIFT, .numerator = numerator, .width = shift
	};

	*kernel = made;
	if (numerator < 1)
		return PA_NO_SOLUTION;
	if (shift >= PA_BAND_LIMIT)
		return PA_OUT_OF_RANGE;
	return align(kernel, band);
}

static bool
fits_rho(const PaPromise *promise, uint64_t numerator, int64_t shift, int64_t band, PaKernel *kernel)
{
	return at_numerator(numerator, shift, band, kernel) == PA_OK &&
		pa_kernel_rho(kernel, shift) <= promise->rho;
}

/* rho is at most e^2/2 and at most e, so the first e below suffices; then doubling and halving. */
static PaStatus
search_rho(const PaPromise *promise, int64_t shift, int64_t band, PaKernel *kernel)
{
	double		start = fmax(sqrt(2.0 * promise->rho), promise->rho) * (1.0 - 1e-9);
	uint64_t	enough = (uint64_t) fmin(ldexp(start, PA_STAIR_SHIFT), (double) MOST_NUMERATOR);
	uint64_t	too_much;
	PaKernel	trial;
	PaStatus	status = at_numerator(enough, shift, band, kernel);
	int			i;

	if (status != PA_OK)
		return status;
	if (!fits_rho(promise, enough, shift, band, kernel))
		return PA_NO_SOLUTION;
	for (too_much = enough; too_much < MOST_NUMERATOR;)
	{
		too_much = too_much < MOST_NUMERATOR / 2 ? 2 * too_much : MOST_NUMERATOR;
		if (!fits_rho(promise, too_much, shift, band, &trial))
			break;
		enough = too_much;
		*kernel = trial;
	}
	for (i = 0; i < HALVINGS && too_much - enough > 1; i++)
	{
		uint64_t	middle = enough + (too_much - enough) / 2;

		if (fits_rho(promise, middle, shift, band, &trial))
		{
			enough = middle;
			*kernel = trial;
		}
		else
			too_much = middle;
	}
	return PA_OK;
}

static PaStatus
fit(const PaPromise *promise, int64_t shift, int64_t band, const PaEnvironment *environment, PaKernel *kernel)
{
	(void) environment;
	if (promise->rho > 0)
		return search_rho(promise, shift, band, kernel);
	return at_numerator(numerator_of_epsilon(promise), shift, band, kernel);
}

static PaStatus
planned(double strength, int64_t shift, int64_t band, PaKernel *kernel)
{
	PaPromise	promise;
	PaStatus	status = pa_promise_planned_loss(strength, &promise);

	return status == PA_OK ? fit(&promise, shift, band, NULL, kernel) : status;
}

const PaCalibrator pa_calibrate_staircase = {
	.prepare = pa_promise_pure, .coarsen = pa_promise_coarsen, .fit = fit, .planned = planned
};
