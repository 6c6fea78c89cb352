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

typedef struct Fit
{
	const PaPromise *promise;
	PaKernelKind base;			/* Laplace or Gaussian */
	PaShape		shape;
	int64_t		shift;
	double		distance;		/* the shift, rounded up to a double */
	int64_t		band;
} Fit;

static bool
is_pure(const Fit *fit)
{
	return fit->promise->rho == 0 && fit->base == PA_KERNEL_LAPLACE;
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
	PaKernel	plain = {.kind = fit->base, .shift = kernel->shift, .numerator = kernel->numerator};

	return plain;
}

/* The last word on a kernel. */
static bool
keeps(const Fit *fit, const PaKernel *kernel)
{
	if (kernel->keep == KEEP_ALL)
	{
		PaKernel	plain = plain_of(fit, kernel);

		return pa_promise_suffices(fit->promise, &plain, fit->shift);
	}
	if (!pa_kernel_valid(kernel))
		return false;
	if (is_pure(fit))
		return ldexp((double) kernel->keep, -PA_KEEP_BITS) >= pure_keep(fit, kernel);
	return pa_promise_suffices(fit->promise, kernel, fit->shift);
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
		return pa_recycle_at_rho(fit->shape, PA_LATTICE, scale, band, fit->distance,
								 promise->rho, LEAST_ROUND, law);
	return pa_recycle_at(fit->shape, PA_LATTICE, scale, band, fit->distance,
						 is_pure(fit) ? epsilon_each(fit) : promise->epsilon,
						 is_pure(fit) ? 0.0 : promise->delta, LEAST_ROUND, law);
}

static PaStatus
best_law(const Fit *fit, PaLaw *law)
{
	const PaPromise *promise = fit->promise;
	double		band = (double) fit->band;

	if (promise->rho > 0)
		return pa_recycle_best_rho(fit->shape, PA_LATTICE, band, fit->distance,
								   promise->rho, LEAST_ROUND, law);
	return pa_recycle_best(fit->shape, PA_LATTICE, band, fit->distance,
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
	kernel->kind = fit->promise->kind;
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
		status = pa_kernel_make(fit->base, law.base.scale, kernel);
	return status == PA_OK ? recycle(fit, kernel) : status;
}

PaStatus
pa_promise_recycler(const PaPromise *promise, int64_t shift, int64_t band, PaKernel *kernel)
{
	bool		laplace = promise->kind == PA_KERNEL_BRDP_LAPLACE;
	Fit			fit = {
		.promise = promise, .base = laplace ? PA_KERNEL_LAPLACE : PA_KERNEL_GAUSSIAN,
		.shape = laplace ? PA_LAPLACE : PA_GAUSSIAN, .shift = shift, .distance = (double) shift,
		.band = band < PA_BAND_LIMIT ? band : PA_BAND_LIMIT - 1
	};
	PaKernel	best;
	PaStatus	status = pa_promise_scale(promise, fit.base, shift, kernel);

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
