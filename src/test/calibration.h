/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibration.h
 *		Requests for noise, and what must hold of every answer.
 */
#ifndef PA_TEST_CALIBRATION_H
#define PA_TEST_CALIBRATION_H

#include <math.h>

#include "core/accounting/calibrate.h"
#include "unit.h"

static inline PaRequest
plain_request(PaKernelKind kind, const PaSensitivity *sensitivity, double epsilon, double delta)
{
	PaRequest	request = {
		.kind = kind, .sensitivity = *sensitivity, .epsilon = epsilon, .delta = delta, .within = -1
	};

	return request;
}

static inline PaStatus
calibrate(PaKernelKind kind, const PaSensitivity *sensitivity, double epsilon, double delta, PaCalibration *got)
{
	PaRequest	request = plain_request(kind, sensitivity, epsilon, delta);

	return pa_calibrate(&request, NULL, got);
}

static inline bool
is_gaussian(PaKernelKind kind)
{
	return kind == PA_KERNEL_GAUSSIAN || kind == PA_KERNEL_BRDP_GAUSSIAN;
}

static inline bool
is_pure(PaKernelKind kind)
{
	return kind != PA_KERNEL_OPTIMAL && !is_gaussian(kind);
}

/* What must hold of every result, in terms of the request alone */
static inline void
check_frame(const PaRequest *request, const PaCalibration *got)
{
	PaInt128	divisor = got->lattice.divisor;
	PaInt128	covered = (PaInt128) got->shift * divisor;
	double		rho = pa_kernel_rho(&got->kernel, got->shift) * request->sensitivity.groups;

	assert_true(got->kernel.kind == request->kind && pa_kernel_valid(&got->kernel));
	assert_true(request->kind >= PA_KERNEL_STAIRCASE || got->kernel.shift == 0 || got->kernel.numerator % 2 == 1);
	assert_true(got->lattice.multiple == 1 && (divisor & (divisor - 1)) == 0);
	assert_true(covered >= request->sensitivity.per_group);
	assert_true(covered - divisor < request->sensitivity.per_group);
	assert_true(got->epsilon == request->epsilon || isnan(request->epsilon));
	assert_true(got->delta == (is_pure(request->kind) ? 0 : request->delta) || isnan(request->delta));
	assert_true(got->rho == rho || fabs(got->rho - rho) <= 1e-12 * rho);
	if (request->rho > 0)
		assert_at_most(got->rho, request->rho);
	if (request->within < 0)
		assert_true(got->band == -1 && isnan(got->acceptance));
	else
	{
		assert_true(got->acceptance >= 0 && got->acceptance <= 1);
		assert_true(got->band >= 0 && (long double) got->band * (long double) divisor <= request->within);
	}
}

#endif							/* PA_TEST_CALIBRATION_H */
