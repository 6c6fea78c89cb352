/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * continuous.c
 *		Closed forms for continuous noise.
 *
 * Laplace: delta = 1 - e^((epsilon - D/b)/2) for |epsilon| <= D/b.
 * Gaussian: with a = epsilon sigma/D - D/(2 sigma) and c = a + D/sigma,
 *		delta = Q(a) - e^epsilon Q(c);
 * since c^2 - a^2 = 2 epsilon this is phi(a) (M(a) - M(c)) for a >= 0, M the
 * Mills ratio: no overflow, and tiny values keep their precision.
 */
#include "core/noise/continuous.h"

#include <math.h>
#include <stdbool.h>

#include "core/noise/normal.h"
#include "core/optimize/bisect.h"

#define PHI0 0.39894228040143267794 /* 1 / sqrt(2 pi) */

static bool
positive(double x)
{
	return isfinite(x) && x > 0;
}

double
pa_laplace_profile(double b, double sensitivity, double epsilon)
{
	double		loss = sensitivity / b;

	if (!positive(b) || !positive(sensitivity) || !isfinite(epsilon))
		return NAN;
	if (epsilon >= loss)
		return 0.0;
	if (epsilon <= -loss)
		return -expm1(epsilon);
	return -expm1(0.5 * (epsilon - loss));
}

double
pa_gaussian_profile(double sigma, double sensitivity, double epsilon)
{
	double		step = sensitivity / sigma;
	double		a = epsilon / step - 0.5 * step;
	double		c = epsilon / step + 0.5 * step;

	if (!positive(sigma) || !positive(sensitivity) || !isfinite(epsilon))
		return NAN;
	if (a >= 0)
		return PHI0 * exp(-0.5 * a * a) * (pa_mills(a) - pa_mills(c));
	if (c >= 0)
		return pa_normal_tail(a) - PHI0 * exp(-0.5 * a * a) * pa_mills(c);
	return pa_normal_tail(a) - exp(epsilon) * pa_normal_tail(c);
}

PaStatus
pa_laplace_scale(double epsilon, double delta, double sensitivity, double *b)
{
	if (!positive(sensitivity) || !isfinite(epsilon) || epsilon < 0 ||
		!(delta >= 0 && delta < 1) || epsilon + delta <= 0)
		return PA_INVALID;
	*b = sensitivity / (epsilon - 2.0 * log1p(-delta));
	return PA_OK;
}

typedef struct GaussianGoal
{
	double		epsilon;
	double		delta;
} GaussianGoal;

static bool
gaussian_suffices(void *context, double sigma)
{
	const GaussianGoal *goal = context;

	return pa_gaussian_profile(sigma, 1.0, goal->epsilon) <= goal->delta;
}

PaStatus
pa_gaussian_sigma(double epsilon, double delta, double sensitivity, double *sigma)
{
	GaussianGoal goal = {epsilon, delta};
	double		unit;

	if (!positive(sensitivity) || !isfinite(epsilon) || epsilon < 0 ||
		!(delta > 0 && delta < 1))
		return PA_INVALID;
	if (!pa_bisect(gaussian_suffices, &goal, 1.0, &unit))
		return PA_NO_SOLUTION;
	*sigma = unit * sensitivity;
	return PA_OK;
}
