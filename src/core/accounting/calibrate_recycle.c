/*
 * calibrate_recycle.c
 *		Recyclers that can be drawn: a dyadic scale, and keep for exactly that scale.
 *
 * recycle.h finds the best real scale.  It is rounded up to one that can be
 * drawn, for which keep is computed anew and rounded up to PA_KEEP_BITS bits.
 * The second candidate is the least plain scale, so that recycling is never
 * worse than its plain base.  The kernel itself is tested last; if it fails,
 * keep grows until it passes, at the latest as the plain kernel.
 *
 * brdp_laplace under epsilon is pure: L0 (D/b - ln keep) <= epsilon.  With the
 * per-coordinate epsilon e' and D/b computed in doubles (each off by less than
 * two units, their difference by one more),
 *		left = e' - D/b - 8 u (e' + D/b),	keep >= exp(-left) (1 + 8 u),
 * u = DBL_EPSILON, covers these and the error of exp, which glibc states as below
 * one unit; 2^62 keep is then rounded up.  With keep = 1 the test is plain
 * Laplace's, in integers.
 */
#include <float.h>
#include <math.h>

#include "core/accounting/promise.h"
#include "core/accounting/recycle.h"

#define KEEP_ALL (UINT64_C(1) << PA_KEEP_BITS)
#define LEAST_ROUND (PA_LEAST_ROUND * (1 + 0x1p-20))
#define MARGIN (8 * DBL_EPSILON)

/* What a kind recycles. */
typedef struct Base
{
	PaKernelKind kind;			/* of the recycler */
	PaKernelKind plain;
	PaShape		shape;
	PaPromiseTest keeps;		/* of the plain kind */
	bool		pure;			/* under epsilon, the loss is all that counts */
} Base;

typedef struct Fit
{
	const PaPromise *promise;
	const Base *base;
	int64_t		shift;
	double		distance;		/* the shift, rounded up to a double */
	int64_t		band;
} Fit;

static bool
is_pure(const Fit *fit)
{
	return fit->promise->rho == 0 && fit->base->pure;
}

/* epsilon of one coordinate, rounded down */
static double
epsilon_each(const Fit *fit)
{
	return nextafter(fit->promise->epsilon / fit->promise->groups, 0.0);
}

/* What keep must at least be in a pure promise; above 1 if the plain kernel spends all. */
static double
pure_keep(const Fit *fit, const PaKernel *kernel)
{
	double		all = epsilon_each(fit);
	double		spent = fit->distance / pa_kernel_scale(kernel);
	double		left = all - spent - MARGIN * (all + spent);

	return exp(-left) * (1.0 + MARGIN);
}

static PaKernel
plain_of(const Fit *fit, const PaKernel *kernel)
{
	PaKernel	plain = {.kind = fit->base->plain, .shift = kernel->shift, .numerator = kernel->numerator};

	return plain;
}

/* The last word on a kernel. */
static bool
keeps(const Fit *fit, const PaKernel *kernel)
{
	if (kernel->keep == KEEP_ALL)
	{
		PaKernel	plain = plain_of(fit, kernel);

		return fit->base->keeps(fit->promise, &plain, fit->shift);
	}
	if (!pa_kernel_valid(kernel))
		return false;
	if (is_pure(fit))
		return ldexp((double) kernel->keep, -PA_KEEP_BITS) >= pure_keep(fit, kernel);
	return pa_promise_by_profile(fit->promise, kernel, fit->shift);
}

/* Rounded up; keep has 53 bits, so from 2^-9 up ldexp is whole, and below ceil is exact. */
static uint64_t
keep_bits(double keep)
{
	return keep < 1.0 ? (uint64_t) fmax(1.0, ceil(ldexp(keep, PA_KEEP_BITS))) : KEEP_ALL;
}

static PaStatus
law_at(const Fit *fit, double scale, PaLaw *law)
{
	const PaPromise *promise = fit->promise;
	double		band = (double) fit->band;

	if (promise->rho > 0)
		return pa_recycle_at_rho(fit->base->shape, PA_LATTICE, scale, band, fit->distance,
								 promise->rho, LEAST_ROUND, law);
	return pa_recycle_at(fit->base->shape, PA_LATTICE, scale, band, fit->distance,
						 is_pure(fit) ? epsilon_each(fit) : promise->epsilon,
						 is_pure(fit) ? 0.0 : promise->delta, LEAST_ROUND, law);
}

static PaStatus
best_law(const Fit *fit, PaLaw *law)
{
	const PaPromise *promise = fit->promise;
	double		band = (double) fit->band;

	if (promise->rho > 0)
		return pa_recycle_best_rho(fit->base->shape, PA_LATTICE, band, fit->distance,
								   promise->rho, LEAST_ROUND, law);
	return pa_recycle_best(fit->base->shape, PA_LATTICE, band, fit->distance,
						   is_pure(fit) ? epsilon_each(fit) : promise->epsilon,
						   is_pure(fit) ? 0.0 : promise->delta, LEAST_ROUND, law);
}

/* Gives a plain kernel its band and the least keep that passes. */
static PaStatus
recycle(const Fit *fit, PaKernel *kernel)
{
	PaLaw		law;
	double		keep = 1.0;
	double		growth = 0x1p-52;

	if (law_at(fit, pa_kernel_scale(kernel), &law) == PA_OK)
		keep = pa_law_keep(&law);
	if (is_pure(fit) && keep < 1.0)
		keep = fmax(keep, pure_keep(fit, kernel));
	kernel->kind = fit->base->kind;
	kernel->band = fit->band;
	for (;;)
	{
		kernel->keep = keep_bits(keep);
		if (keeps(fit, kernel))
			return PA_OK;
		if (kernel->keep == KEEP_ALL)
			return PA_NO_SOLUTION;
		keep *= 1.0 + growth;
		growth *= 4.0;
	}
}

static PaStatus
fit_best(const Fit *fit, PaKernel *kernel)
{
	PaLaw		law;
	PaStatus	status = best_law(fit, &law);

	if (status == PA_OK)
		status = pa_kernel_make(fit->base->plain, law.base.scale, kernel);
	return status == PA_OK ? recycle(fit, kernel) : status;
}

static PaStatus
fit_recycler(const Base *base, const PaPromise *promise, int64_t shift, int64_t band, PaKernel *kernel)
{
	Fit			fit = {
		.promise = promise, .base = base, .shift = shift, .distance = (double) shift,
		.band = band < PA_BAND_LIMIT ? band : PA_BAND_LIMIT - 1
	};
	PaKernel	best;
	PaStatus	status = pa_promise_scale(promise, base->plain, base->keeps, shift, kernel);

	if (shift > INT64_C(1) << 53)
		fit.distance = nextafter(fit.distance, INFINITY);
	if (status == PA_OK)
		status = recycle(&fit, kernel);
	if (status != PA_OK || fit_best(&fit, &best) != PA_OK)
		return status;
	if (pa_kernel_acceptance(&best, fit.band) > pa_kernel_acceptance(kernel, fit.band))
		*kernel = best;
	return PA_OK;
}

/* --- rows --- */

static const Base laplace = {
	.kind = PA_KERNEL_BRDP_LAPLACE, .plain = PA_KERNEL_LAPLACE, .shape = PA_LAPLACE,
	.keeps = pa_promise_by_loss, .pure = true
};

static const Base gaussian = {
	.kind = PA_KERNEL_BRDP_GAUSSIAN, .plain = PA_KERNEL_GAUSSIAN, .shape = PA_GAUSSIAN,
	.keeps = pa_promise_by_profile
};

static PaStatus
fit_laplace(const PaPromise *promise, int64_t shift, int64_t band, const PaEnvironment *environment, PaKernel *kernel)
{
	(void) environment;
	return fit_recycler(&laplace, promise, shift, band, kernel);
}

static PaStatus
fit_gaussian(const PaPromise *promise, int64_t shift, int64_t band, const PaEnvironment *environment, PaKernel *kernel)
{
	(void) environment;
	return fit_recycler(&gaussian, promise, shift, band, kernel);
}

static PaStatus
planned_laplace(double strength, int64_t shift, int64_t band, PaKernel *kernel)
{
	PaPromise	promise;
	PaStatus	status = pa_promise_planned_loss(strength, &promise);

	return status == PA_OK ? fit_recycler(&laplace, &promise, shift, band, kernel) : status;
}

static PaStatus
planned_gaussian(double strength, int64_t shift, int64_t band, PaKernel *kernel)
{
	PaPromise	promise;

	pa_promise_planned_rho(strength, &promise);
	return fit_recycler(&gaussian, &promise, shift, band, kernel);
}

const PaCalibrator pa_calibrate_brdp_laplace = {
	.prepare = pa_promise_pure, .coarsen = pa_promise_coarsen, .fit = fit_laplace, .planned = planned_laplace
};

const PaCalibrator pa_calibrate_brdp_gaussian = {
	.prepare = pa_promise_gaussian, .coarsen = pa_promise_coarsen, .fit = fit_gaussian, .planned = planned_gaussian
};
