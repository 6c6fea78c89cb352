/*
 * promise.c
 *		What kinds of noise share: the goal of one coordinate, the lattice, the test.
 *
 * L0 coordinates share the goal.  Pure epsilons and rho add up, so each gets
 * its part.  (epsilon, delta) of Gaussian kinds is met by the exact profile where
 * L0 = 1, else by the largest rho that implies it.
 */
#include "core/accounting/promise.h"

#include <float.h>
#include <math.h>

#include "core/accounting/zcdp.h"
#include "core/noise/continuous.h"

#define MOST_SHIFT_BITS 62

static double
below(double x)
{
	return nextafter(x, 0.0);
}

/* --- goals --- */

static PaStatus
set_rho(PaPromise *promise, double rho)
{
	promise->rho = below(below(rho / promise->groups));
	return promise->rho < DBL_MIN ? PA_NO_SOLUTION : PA_OK;
}

static PaStatus
set_gaussian_rho(PaPromise *promise, double rho)
{
	PaStatus	status = set_rho(promise, rho);

	if (status == PA_OK)
		promise->unit = sqrt(0.5 / promise->rho);
	return status;
}

PaStatus
pa_promise_pure(const PaRequest *request, PaPromise *promise)
{
	PaStatus	status;

	if (request->rho > 0)
	{
		status = set_rho(promise, request->rho);
		if (status == PA_OK)
			promise->unit = 1.0 / (promise->rho + sqrt(2.0 * promise->rho));
		return status;
	}
	promise->unit = promise->groups / request->epsilon;
	return pa_decimal_shortest(request->epsilon, &promise->decimal);
}

PaStatus
pa_promise_gaussian(const PaRequest *request, PaPromise *promise)
{
	double		rho;
	PaStatus	status;

	if (request->rho > 0)
		return set_gaussian_rho(promise, request->rho);
	if (promise->delta < DBL_MIN)
		return PA_NO_SOLUTION;
	if (promise->groups == 1)
		return pa_gaussian_sigma(promise->epsilon, promise->delta, 1.0, &promise->unit);
	status = pa_zcdp_rho(promise->epsilon, promise->delta, &rho);
	return status == PA_OK ? set_gaussian_rho(promise, rho) : status;
}

PaStatus
pa_promise_planned_loss(double strength, PaPromise *promise)
{
	PaPromise	made = {.groups = 1, .epsilon = below(strength), .unit = 1.0 / strength};

	*promise = made;
	return pa_decimal_shortest(strength, &promise->decimal);
}

void
pa_promise_planned_rho(double strength, PaPromise *promise)
{
	PaPromise	made = {.groups = 1, .rho = below(below(strength * strength / 2)), .unit = 1.0 / strength};

	*promise = made;
}

/* --- lattices: coarser than the fine one by powers of two --- */

PaInt128
pa_promise_shift(const PaRequest *request, int coarsen)
{
	PaLattice	lattice = {.divisor = (PaInt128) 1 << coarsen, .multiple = 1};

	return pa_lattice_shift(&lattice, request->sensitivity.per_group);
}

/* Division by a power of two is exact, so floor is right; -1: no bound. */
int64_t
pa_promise_band(const PaRequest *request, int coarsen)
{
	double		band = floor(ldexp(request->within, -coarsen));

	if (request->within < 0)
		return -1;
	return band < 0x1p62 ? (int64_t) band : INT64_C(1) << 62;
}

static bool
is_fine(const PaRequest *request, const PaPromise *promise, int coarsen)
{
	double		scale = promise->unit * (double) request->sensitivity.per_group;

	return ldexp(scale, -coarsen) >= PA_COARSE_STEPS &&
		request->sensitivity.per_group >> coarsen >= PA_COARSE_STEPS &&
		(request->within < 0 || pa_promise_band(request, coarsen) >= PA_COARSE_STEPS);
}

/* Whether it is known beforehand that the scale or the shift is too large to be drawn. */
static bool
is_too_fine(const PaRequest *request, const PaPromise *promise, int coarsen)
{
	double		scale = promise->unit * (double) request->sensitivity.per_group;

	return ldexp(scale, -coarsen) >= 2.0 * ldexp(1.0, PA_SCALE_WHOLE_BITS) ||
		pa_promise_shift(request, coarsen) >> MOST_SHIFT_BITS != 0;
}

int
pa_promise_coarsen(const PaRequest *request, const PaPromise *promise)
{
	int			coarsen = 0;

	while (coarsen < PA_SENSITIVITY_BITS && is_fine(request, promise, coarsen + 1))
		coarsen++;
	while (coarsen < PA_SENSITIVITY_BITS && is_too_fine(request, promise, coarsen))
		coarsen++;
	return coarsen;
}

/* --- tests --- */

/*
 * L0 D 2^s <= n epsilon with epsilon = digits 10^exponent.  No overflow: the
 * left side is below 2^(32 + 63 + 20), n digits below 2^(40 + 57).  Epsilon's
 * exponent is in [-26, 6], and digits 10^exponent is at most 10^6 where it is
 * positive.  The division may round down because the left side is whole.
 */
static bool
loss_suffices(const PaPromise *promise, const PaKernel *kernel, int64_t shift)
{
	PaUint128	loss = ((PaUint128) promise->groups * (uint64_t) shift) << kernel->shift;
	PaUint128	allowed = (PaUint128) kernel->numerator * promise->decimal.digits;

	if (promise->decimal.exponent >= 0)
		return loss <= allowed * pa_power_of_ten(promise->decimal.exponent);
	return loss <= allowed / pa_power_of_ten(-promise->decimal.exponent);
}

bool
pa_promise_by_loss(const PaPromise *promise, const PaKernel *kernel, int64_t shift)
{
	if (promise->rho > 0)
		return pa_kernel_rho(kernel, shift) <= promise->rho;
	return loss_suffices(promise, kernel, shift);
}

bool
pa_promise_by_profile(const PaPromise *promise, const PaKernel *kernel, int64_t shift)
{
	if (promise->rho > 0)
		return pa_kernel_rho(kernel, shift) <= promise->rho;
	return pa_kernel_delta(kernel, shift, promise->epsilon) <= promise->delta;
}
