/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zcdp.c
 *		The tight conversion of Canonne, Kamath and Steinke (2020), Corollary 13.
 *
 * ln of the bound at order alpha = 1 + a is
 *		f = a ((1+a) rho - epsilon) - a ln(1 + 1/a) - ln(1+a),
 * convex in alpha: f' = (1+2a) rho - epsilon - ln(1 + 1/a) rises from minus
 * infinity.  Every order gives a valid delta, so the minimum need not be hit
 * exactly; what protects is that f is rounded up by more than its error, which
 * is a few units in the last place of its largest part.
 */
#include "core/accounting/zcdp.h"

#include <float.h>
#include <math.h>

#include "core/optimize/bisect.h"

#define PART_ERROR (8 * DBL_EPSILON)

typedef struct Conversion
{
	double		rho;
	double		epsilon;
	double		delta;
} Conversion;

static bool
past_minimum(void *context, double a)
{
	const Conversion *at = context;

	return (1.0 + 2.0 * a) * at->rho - log1p(1.0 / a) >= at->epsilon;
}

/* The bound of one order, rounded up */
static double
delta_of_order(double rho, double epsilon, double a)
{
	double		part[4] = {a * (1.0 + a) * rho, -a * epsilon, -a * log1p(1.0 / a), -log1p(a)};
	double		sum = 0;
	double		size = 0;
	int			i;

	for (i = 0; i < 4; i++)
	{
		sum += part[i];
		size += fabs(part[i]);
	}
	return fmin(1.0, exp(sum + size * PART_ERROR) * (1.0 + PART_ERROR));
}

double
pa_zcdp_delta(double rho, double epsilon)
{
	Conversion	at = {.rho = rho, .epsilon = epsilon};
	double		guess;
	double		a;

	if (!(rho >= 0) || !isfinite(epsilon))
		return 1.0;
	if (rho == 0)
		return epsilon >= 0 ? 0.0 : fmin(1.0, -expm1(epsilon) * (1.0 + PART_ERROR));
	if (!isfinite(rho))
		return 1.0;
	guess = epsilon > rho ? (epsilon - rho) / (2.0 * rho) + DBL_EPSILON : 1.0;
	if (!isfinite(guess) || !pa_bisect(past_minimum, &at, guess, &a))
		a = 1.0;
	return fmin(delta_of_order(rho, epsilon, a), 1.0);
}

static bool
epsilon_suffices(void *context, double epsilon)
{
	const Conversion *at = context;

	return pa_zcdp_delta(at->rho, epsilon) <= at->delta;
}

double
pa_zcdp_epsilon(double rho, double delta)
{
	Conversion	at = {.rho = rho, .delta = delta};
	double		guess = rho + 2.0 * sqrt(rho * -log(delta));
	double		epsilon;

	if (!(rho >= 0) || !(delta > 0 && delta < 1))
		return INFINITY;
	if (pa_zcdp_delta(rho, 0.0) <= delta)
		return 0.0;
	if (!isfinite(guess) || !pa_bisect(epsilon_suffices, &at, guess, &epsilon))
		return INFINITY;
	return epsilon;
}

/* In terms of the inverse of rho, for which the condition holds from some point on. */
static bool
rho_suffices(void *context, double inverse)
{
	const Conversion *at = context;

	return pa_zcdp_delta(1.0 / inverse, at->epsilon) <= at->delta;
}

/* The guess is what the simpler rho + 2 sqrt(rho ln(1/delta)) = epsilon gives. */
PaStatus
pa_zcdp_rho(double epsilon, double delta, double *rho)
{
	Conversion	at = {.epsilon = epsilon, .delta = delta};
	double		root;
	double		inverse;

	if (!isfinite(epsilon) || epsilon <= 0 || !(delta > 0 && delta < 1))
		return PA_INVALID;
	root = epsilon / (sqrt(epsilon - log(delta)) + sqrt(-log(delta)));
	if (!pa_bisect(rho_suffices, &at, 1.0 / (root * root), &inverse))
		return PA_NO_SOLUTION;
	*rho = nextafter(1.0 / inverse, 0.0);
	return PA_OK;
}
