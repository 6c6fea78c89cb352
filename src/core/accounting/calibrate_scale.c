/*
 * calibrate_scale.c
 *		The least scale of Laplace and Gaussian noise.
 *
 * The scale is searched on a grid: the numerators of one fixed shift, chosen by
 * a first guess of the scale.  The kernel that is handed out was tested:
 *	 Laplace	L0 D <= epsilon b, in integers, epsilon as its shortest decimal;
 *	 Gaussian	the exact lattice profile, rounded up, is at most delta;
 *	 rho		that of one coordinate, rounded up, is at most its part of the goal.
 */
#include <math.h>

#include "core/accounting/promise.h"

/*
 * L0 D 2^s <= n epsilon with epsilon = digits 10^exponent.  No overflow: the
 * left side is below 2^(32 + 63 + 20), n digits below 2^(40 + 57).  Epsilon's
 * exponent is in [-26, 6], and digits 10^exponent is at most 10^6 where it is
 * positive.  The division may round down because the left side is whole.
 */
static bool
laplace_suffices(const PaPromise *promise, const PaKernel *kernel, int64_t shift)
{
	PaUint128	loss = ((PaUint128) promise->groups * (uint64_t) shift) << kernel->shift;
	PaUint128	allowed = (PaUint128) kernel->numerator * promise->decimal.digits;

	if (promise->decimal.exponent >= 0)
		return loss <= allowed * pa_power_of_ten(promise->decimal.exponent);
	return loss <= allowed / pa_power_of_ten(-promise->decimal.exponent);
}

bool
pa_promise_suffices(const PaPromise *promise, const PaKernel *kernel, int64_t shift)
{
	if (promise->rho > 0)
		return pa_kernel_rho(kernel, shift) <= promise->rho;
	if (kernel->kind == PA_KERNEL_LAPLACE)
		return laplace_suffices(promise, kernel, shift);
	return pa_kernel_delta(kernel, shift, promise->epsilon) <= promise->delta;
}

/* Grows a scale, from a guess, until it suffices; the kernel's shift is the grid's. */
static PaStatus
find_sufficient(const PaPromise *promise, PaKernelKind kind, int64_t shift, PaKernel *kernel)
{
	double		scale = promise->unit * (double) shift;
	PaStatus	status;

	for (;;)
	{
		status = pa_kernel_make(kind, scale, kernel);
		if (status != PA_OK || pa_promise_suffices(promise, kernel, shift))
			return status;
		scale *= 1.0 + 1.0 / 64;
	}
}

/* Undoes lowest terms, as far as the range of numerators allows. */
static void
refine_grid(PaKernel *kernel)
{
	while (kernel->shift < PA_SCALE_SHIFT && kernel->numerator >> (PA_SCALE_BITS - 1) == 0)
	{
		kernel->numerator *= 2;
		kernel->shift++;
	}
}

static void
lowest_terms(PaKernel *kernel)
{
	while (kernel->shift > 0 && kernel->numerator % 2 == 0)
	{
		kernel->numerator /= 2;
		kernel->shift--;
	}
}

/*
 * The least numerator on the grid that suffices, as far as the condition is
 * monotone: steps of growing size down from one that does, then halving.
 */
static void
reduce(const PaPromise *promise, int64_t shift, PaKernel *kernel)
{
	PaKernel	trial = *kernel;
	uint64_t	enough = kernel->numerator;
	uint64_t	short_of = enough;
	uint64_t	step = 1;

	while (short_of > 0)
	{
		short_of = short_of > step ? short_of - step : 0;
		step *= 2;
		trial.numerator = short_of;
		if (short_of > 0 && !pa_promise_suffices(promise, &trial, shift))
			break;
		if (short_of > 0)
			enough = short_of;
	}
	while (enough - short_of > 1)
	{
		trial.numerator = short_of + (enough - short_of) / 2;
		if (pa_promise_suffices(promise, &trial, shift))
			enough = trial.numerator;
		else
			short_of = trial.numerator;
	}
	kernel->numerator = enough;
}

PaStatus
pa_promise_scale(const PaPromise *promise, PaKernelKind kind, int64_t shift, PaKernel *kernel)
{
	PaStatus	status = find_sufficient(promise, kind, shift, kernel);

	if (status != PA_OK)
		return status;
	refine_grid(kernel);
	reduce(promise, shift, kernel);
	lowest_terms(kernel);
	return PA_OK;
}
