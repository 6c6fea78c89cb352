/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibrate.c
 *		From a request to a kernel, by the row of its kind.
 *
 * For what is computed in doubles epsilon and delta are first lowered by one unit
 * in the last place, so that they are not above their shortest decimals, which
 * is what is charged.
 */
#include "core/accounting/calibrate.h"

#include <float.h>
#include <math.h>

#include "core/accounting/promise.h"

#define LEAST_EPSILON 1e-9
#define MOST_EPSILON 1e6
#define MOST_SHIFT_BITS 62
#define MOST_THRESHOLD (INT64_C(1) << 53)	/* no kernel reaches beyond */

static const PaCalibrator *const calibrators[] = {
#define PA_KERNEL(kind, name) [kind] = &pa_calibrate_##name,
#include "core/noise/kernel_list.h"
};

const PaCalibrator *
pa_calibrator(PaKernelKind kind)
{
	return calibrators[kind];
}

static double
below(double x)
{
	return nextafter(x, 0.0);
}

static bool
valid(const PaRequest *request)
{
	const PaSensitivity *sensitivity = &request->sensitivity;

	if ((int) request->kind < 0 || (int) request->kind >= PA_KERNEL_KINDS)
		return false;
	if (sensitivity->per_group < 1 || sensitivity->per_group >> PA_SENSITIVITY_BITS != 0 ||
		sensitivity->groups < 1)
		return false;
	if (isnan(request->within) || (pa_kernel_needs_band(request->kind) && request->within < 0))
		return false;
	if (request->rho != 0)
		return request->rho >= DBL_MIN && isfinite(request->rho);
	return request->epsilon >= LEAST_EPSILON && request->epsilon <= MOST_EPSILON &&
		request->delta >= 0 && request->delta < 1;
}

/* What follows from the kernel; rounding must not make rho pass what is promised. */
static void
describe(const PaRequest *request, PaCalibration *out)
{
	out->epsilon = request->epsilon;
	out->delta = pa_kernel_is_pure(request->kind) ? 0.0 : request->delta;
	out->rho = request->sensitivity.groups * pa_kernel_rho(&out->kernel, out->shift) * (1.0 + DBL_EPSILON);
	if (request->rho > 0)
		out->rho = fmin(out->rho, request->rho);
	else if (pa_kernel_is_pure(request->kind))
		out->rho = fmin(out->rho, request->epsilon);
	out->acceptance = out->band < 0 ? NAN : pa_kernel_acceptance(&out->kernel, out->band);
}

static PaStatus
calibrate_on(const PaRequest *request, const PaPromise *promise, int coarsen,
			 const PaEnvironment *environment, PaCalibration *out)
{
	PaInt128	shift = pa_promise_shift(request, coarsen);
	PaCalibration made = {
		.lattice = {.divisor = (PaInt128) 1 << coarsen, .multiple = 1},
		.shift = (int64_t) shift, .band = pa_promise_band(request, coarsen)
	};
	PaStatus	status;

	if (shift >> MOST_SHIFT_BITS != 0)
		return PA_OUT_OF_RANGE;
	status = calibrators[request->kind]->fit(promise, made.shift, made.band, environment, &made.kernel);
	if (status != PA_OK)
		return status;
	describe(request, &made);
	*out = made;
	return PA_OK;
}

/* What can be computed at all, with such an environment. */
static bool
possible(PaKernelKind kind, const PaEnvironment *environment)
{
	return environment != NULL || !calibrators[kind]->needs_environment;
}

PaStatus
pa_calibrate(const PaRequest *request, const PaEnvironment *environment, PaCalibration *out)
{
	PaPromise	promise = {
		.groups = request->sensitivity.groups, .epsilon = below(request->epsilon), .delta = below(request->delta)
	};
	int			coarsen;
	PaStatus	status;

	if (!valid(request) || !possible(request->kind, environment))
		return PA_INVALID;
	status = calibrators[request->kind]->prepare(request, &promise);
	if (status != PA_OK)
		return status;
	coarsen = calibrators[request->kind]->coarsen(request, &promise);
	if (coarsen < 0)
		return PA_NO_SOLUTION;
	while ((status = calibrate_on(request, &promise, coarsen, environment, out)) == PA_OUT_OF_RANGE &&
		   pa_promise_shift(request, coarsen) > 1)
		coarsen++;
	return status == PA_OUT_OF_RANGE ? PA_NO_SOLUTION : status;
}

void
pa_calibration_free(PaCalibration *calibration, const PaEnvironment *environment)
{
	if (calibration->kernel.table == NULL || environment == NULL)
		return;
	environment->release(environment->context, (void *) calibration->kernel.table);
	calibration->kernel.table = NULL;
}

PaStatus
pa_calibrate_best(const PaRequest *request, uint32_t kinds,
				  const PaEnvironment *environment, PaCalibration *out)
{
	PaCalibration best = {.acceptance = -1};
	PaRequest	trial = *request;
	int			kind;

	if (!(request->within >= 0))
		return PA_INVALID;
	for (kind = 0; kind < PA_KERNEL_KINDS; kind++)
	{
		PaCalibration got;
		PaStatus	status;

		trial.kind = (PaKernelKind) kind;
		if ((kinds & PA_KERNEL_BIT(kind)) == 0 || !possible(trial.kind, environment))
			continue;
		status = pa_calibrate(&trial, environment, &got);
		if (status == PA_NO_SOLUTION)
			continue;
		if (status == PA_OK && got.acceptance <= best.acceptance)
		{
			pa_calibration_free(&got, environment);
			continue;
		}
		pa_calibration_free(&best, environment);
		if (status != PA_OK)
			return status;
		best = got;
	}
	if (best.acceptance < 0)
		return PA_NO_SOLUTION;
	*out = best;
	return PA_OK;
}

/* The least tau >= 1 with Pr[added + N >= tau] <= allowed, which falls in tau: doubling, then halving; 0: none */
static int64_t
least_threshold(const PaKernel *kernel, uint32_t added, double allowed)
{
	int64_t		low = 0;		/* not enough, or not a threshold */
	int64_t		high = 1;

	while (pa_kernel_tail(kernel, high - added) > allowed)
	{
		if (high > MOST_THRESHOLD)
			return 0;
		low = high;
		high *= 2;
	}
	while (high - low > 1)
	{
		int64_t		middle = low + (high - low) / 2;

		if (pa_kernel_tail(kernel, middle - added) > allowed)
			low = middle;
		else
			high = middle;
	}
	return high;
}

PaStatus
pa_selection_threshold(const PaKernel *kernel, uint32_t groups, uint32_t widest, double delta, int64_t *tau)
{
	double		allowed;
	int64_t		narrow,
				wide;

	if (!pa_kernel_valid(kernel) || widest < 1 || groups < widest || !(delta >= DBL_MIN && delta < 1))
		return PA_INVALID;
	allowed = below(below(delta) / groups);
	narrow = least_threshold(kernel, 1, allowed);
	wide = widest == 1 ? narrow : least_threshold(kernel, widest, below(below(allowed * widest)));
	if (narrow == 0 || wide == 0)
		return PA_NO_SOLUTION;
	*tau = narrow > wide ? narrow : wide;
	if (*tau < widest)			/* the proof looks at one side of the noise */
		*tau = widest;
	return PA_OK;
}
