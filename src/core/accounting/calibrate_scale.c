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
#include "core/noise/dyadic.h"

/* Grows a scale, from a guess, until it suffices; the kernel's shift is the grid's. */
static PaStatus
find_sufficient(const PaPromise *promise, PaKernelKind kind, PaPromiseTest keeps, int64_t shift, PaKernel *kernel)
{
	double		scale = promise->unit * (double) shift;
	PaStatus	status;

	for (;;)
	{
		status = pa_kernel_make(kind, scale, kernel);
		if (status != PA_OK || keeps(promise, kernel, shift))
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

/*
 * The least numerator on the grid that suffices, as far as the condition is
 * monotone: steps of growing size down from one that does, then halving.
 */
static void
lower(const PaPromise *promise, PaPromiseTest keeps, int64_t shift, PaKernel *kernel)
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
		if (short_of > 0 && !keeps(promise, &trial, shift))
			break;
		if (short_of > 0)
			enough = short_of;
	}
	while (enough - short_of > 1)
	{
		trial.numerator = short_of + (enough - short_of) / 2;
		if (keeps(promise, &trial, shift))
			enough = trial.numerator;
		else
			short_of = trial.numerator;
	}
	kernel->numerator = enough;
}

PaStatus
pa_promise_scale(const PaPromise *promise, PaKernelKind kind, PaPromiseTest keeps, int64_t shift, PaKernel *kernel)
{
	PaStatus	status = find_sufficient(promise, kind, keeps, shift, kernel);

	if (status != PA_OK)
		return status;
	refine_grid(kernel);
	lower(promise, keeps, shift, kernel);
	pa_dyadic_reduce(kernel);
	return PA_OK;
}

/* --- rows --- */

static PaStatus
fit_laplace(const PaPromise *promise, int64_t shift, int64_t band, const PaEnvironment *environment, PaKernel *kernel)
{
	(void) band;
	(void) environment;
	return pa_promise_scale(promise, PA_KERNEL_LAPLACE, pa_promise_by_loss, shift, kernel);
}

static PaStatus
fit_gaussian(const PaPromise *promise, int64_t shift, int64_t band, const PaEnvironment *environment, PaKernel *kernel)
{
	(void) band;
	(void) environment;
	return pa_promise_scale(promise, PA_KERNEL_GAUSSIAN, pa_promise_by_profile, shift, kernel);
}

static PaStatus
planned_laplace(double strength, int64_t shift, int64_t band, PaKernel *kernel)
{
	(void) band;
	return pa_kernel_make(PA_KERNEL_LAPLACE, (double) shift / strength, kernel);
}

static PaStatus
planned_gaussian(double strength, int64_t shift, int64_t band, PaKernel *kernel)
{
	(void) band;
	return pa_kernel_make(PA_KERNEL_GAUSSIAN, (double) shift / strength, kernel);
}

const PaCalibrator pa_calibrate_laplace = {
	.prepare = pa_promise_pure, .coarsen = pa_promise_coarsen, .fit = fit_laplace, .planned = planned_laplace
};

const PaCalibrator pa_calibrate_gaussian = {
	.prepare = pa_promise_gaussian, .coarsen = pa_promise_coarsen, .fit = fit_gaussian, .planned = planned_gaussian
};
