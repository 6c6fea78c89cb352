/*
 * calibrate.c
 *		From a request to a kernel: the goal of one coordinate, the lattice, the kind.
 *
 * L0 coordinates share the goal.  Pure epsilons and rho add up, so each gets
 * its part.  (epsilon, delta) of Gaussian kinds is met by the exact profile where
 * L0 = 1, else by the largest rho that implies it.
 *
 * For what is computed in doubles epsilon and delta are first lowered by one unit
 * in the last place, so that they are not above their shortest decimals, which
 * is what is charged.
 */
#include "core/accounting/calibrate.h"

#include <float.h>
#include <math.h>

#include "core/accounting/promise.h"
#include "core/accounting/zcdp.h"
#include "core/noise/continuous.h"

#define LEAST_EPSILON 1e-9
#define MOST_EPSILON 1e6
#define MOST_SHIFT_BITS 62
#define MOST_THRESHOLD (INT64_C(1) << 53)	/* no kernel reaches beyond */

static double
below(double x)
{
	return nextafter(x, 0.0);
}

static bool
is_gaussian(PaKernelKind kind)
{
	return kind == PA_KERNEL_GAUSSIAN || kind == PA_KERNEL_BRDP_GAUSSIAN;
}

static bool
is_pure(const PaRequest *request)
{
	return request->kind == PA_KERNEL_LAPLACE || request->kind == PA_KERNEL_BRDP_LAPLACE ||
		request->kind == PA_KERNEL_STAIRCASE;
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

/* The goal rho of one coordinate. */
static PaStatus
prepare_rho(PaPromise *promise, double rho)
{
	promise->rho = below(below(rho / promise->groups));
	if (promise->rho < DBL_MIN)
		return PA_NO_SOLUTION;
	promise->unit = is_gaussian(promise->kind) ? sqrt(0.5 / promise->rho) :
		1.0 / (promise->rho + sqrt(2.0 * promise->rho));
	return PA_OK;
}

static PaStatus
prepare_gaussian(PaPromise *promise)
{
	double		rho;
	PaStatus	status;

	if (promise->delta < DBL_MIN)
		return PA_NO_SOLUTION;
	if (promise->groups == 1)
		return pa_gaussian_sigma(promise->epsilon, promise->delta, 1.0, &promise->unit);
	status = pa_zcdp_rho(promise->epsilon, promise->delta, &rho);
	return status == PA_OK ? prepare_rho(promise, rho) : status;
}

static PaStatus
prepare(const PaRequest *request, PaPromise *promise)
{
	PaPromise	made = {
		.kind = request->kind, .groups = request->sensitivity.groups,
		.epsilon = below(request->epsilon), .delta = below(request->delta)
	};

	*promise = made;
	if (request->kind == PA_KERNEL_OPTIMAL &&
		(request->rho > 0 || promise->delta / promise->groups < PA_TABLE_DELTA * (1 - 1e-9)))
		return PA_NO_SOLUTION;
	if (request->rho > 0)
		return prepare_rho(promise, request->rho);
	if (is_gaussian(request->kind))
		return prepare_gaussian(promise);
	promise->unit = promise->groups / request->epsilon;
	return pa_decimal_shortest(request->epsilon, &promise->decimal);
}

/* Lattices here are coarser by powers of two. */
static PaLattice
coarser(int coarsen)
{
	PaLattice	lattice = {.divisor = (PaInt128) 1 << coarsen, .multiple = 1};

	return lattice;
}

static PaInt128
shift_on(const PaRequest *request, int coarsen)
{
	PaLattice	lattice = coarser(coarsen);

	return pa_lattice_shift(&lattice, request->sensitivity.per_group);
}

/* Division by a power of two is exact, so floor is right; -1: no bound. */
static int64_t
band_on(const PaRequest *request, int coarsen)
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
		(request->within < 0 || band_on(request, coarsen) >= PA_COARSE_STEPS);
}

/* Whether it is known beforehand that the scale or the shift is too large to be drawn. */
static bool
is_too_fine(const PaRequest *request, const PaPromise *promise, int coarsen)
{
	double		scale = promise->unit * (double) request->sensitivity.per_group;

	return ldexp(scale, -coarsen) >= 2.0 * ldexp(1.0, PA_SCALE_WHOLE_BITS) ||
		shift_on(request, coarsen) >> MOST_SHIFT_BITS != 0;
}

/* The coarsest lattice that is fine enough, or the finest one that may be possible. */
static int
choose_coarsen(const PaRequest *request, const PaPromise *promise)
{
	int			coarsen = 0;

	while (coarsen < PA_SENSITIVITY_BITS && is_fine(request, promise, coarsen + 1))
		coarsen++;
	while (coarsen < PA_SENSITIVITY_BITS && is_too_fine(request, promise, coarsen))
		coarsen++;
	return coarsen;
}

/* The finest lattice the linear program can be solved on; -1 if there is none. */
static int
choose_coarsen_for_table(const PaRequest *request, const PaPromise *promise)
{
	int			coarsen;

	for (coarsen = 0; coarsen <= PA_SENSITIVITY_BITS; coarsen++)
	{
		PaInt128	shift = shift_on(request, coarsen);
		int64_t		band = band_on(request, coarsen);

		if (coarsen > 0 && (shift < PA_TABLE_LEAST || band < PA_TABLE_LEAST))
			return -1;
		if (shift <= PA_TABLE_SHIFT && band <= PA_TABLE_BAND &&
			pa_promise_table_last(promise, (double) shift, (double) band) <= PA_TABLE_LAST)
			return coarsen;
	}
	return -1;
}

static PaStatus
fit_kind(const PaPromise *promise, const PaEnvironment *environment, PaCalibration *out)
{
	switch (promise->kind)
	{
		case PA_KERNEL_LAPLACE:
		case PA_KERNEL_GAUSSIAN:
			return pa_promise_scale(promise, promise->kind, out->shift, &out->kernel);
		case PA_KERNEL_BRDP_LAPLACE:
		case PA_KERNEL_BRDP_GAUSSIAN:
			return pa_promise_recycler(promise, out->shift, out->band, &out->kernel);
		case PA_KERNEL_STAIRCASE:
			return pa_promise_staircase(promise, out->shift, out->band, &out->kernel);
		case PA_KERNEL_OPTIMAL:
			return pa_promise_table(promise, out->shift, out->band, environment, &out->kernel);
	}
	return PA_INVALID;
}

/* What follows from the kernel; rounding must not make rho pass what is promised. */
static void
describe(const PaRequest *request, PaCalibration *out)
{
	out->epsilon = request->epsilon;
	out->delta = is_pure(request) ? 0.0 : request->delta;
	out->rho = request->sensitivity.groups * pa_kernel_rho(&out->kernel, out->shift) * (1.0 + DBL_EPSILON);
	if (request->rho > 0)
		out->rho = fmin(out->rho, request->rho);
	else if (is_pure(request))
		out->rho = fmin(out->rho, request->epsilon);
	out->acceptance = out->band < 0 ? NAN : pa_kernel_acceptance(&out->kernel, out->band);
}

static PaStatus
calibrate_on(const PaRequest *request, const PaPromise *promise, int coarsen,
			 const PaEnvironment *environment, PaCalibration *out)
{
	PaInt128	shift = shift_on(request, coarsen);
	PaCalibration made = {
		.lattice = coarser(coarsen), .shift = (int64_t) shift, .band = band_on(request, coarsen)
	};
	PaStatus	status;

	if (shift >> MOST_SHIFT_BITS != 0)
		return PA_OUT_OF_RANGE;
	status = fit_kind(promise, environment, &made);
	if (status != PA_OK)
		return status;
	describe(request, &made);
	*out = made;
	return PA_OK;
}

PaStatus
pa_calibrate(const PaRequest *request, const PaEnvironment *environment, PaCalibration *out)
{
	PaPromise	promise;
	int			coarsen;
	PaStatus	status;

	if (!valid(request) || (request->kind == PA_KERNEL_OPTIMAL && environment == NULL))
		return PA_INVALID;
	status = prepare(request, &promise);
	if (status != PA_OK)
		return status;
	coarsen = request->kind == PA_KERNEL_OPTIMAL ? choose_coarsen_for_table(request, &promise) :
		choose_coarsen(request, &promise);
	if (coarsen < 0)
		return PA_NO_SOLUTION;
	while ((status = calibrate_on(request, &promise, coarsen, environment, out)) == PA_OUT_OF_RANGE &&
		   shift_on(request, coarsen) > 1)
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
		if ((kinds >> kind & 1) == 0 || (kind == PA_KERNEL_OPTIMAL && environment == NULL))
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

/* tail(tau - 1) falls in tau; doubling, then halving. */
PaStatus
pa_selection_threshold(const PaKernel *kernel, uint32_t groups, double delta, int64_t *tau)
{
	double		allowed;
	int64_t		low = 0;		/* not enough, or not a threshold */
	int64_t		high = 1;

	if (!pa_kernel_valid(kernel) || groups < 1 || !(delta >= DBL_MIN && delta < 1))
		return PA_INVALID;
	allowed = below(below(delta) / groups);
	while (pa_kernel_tail(kernel, high - 1) > allowed)
	{
		if (high > MOST_THRESHOLD)
			return PA_NO_SOLUTION;
		low = high;
		high *= 2;
	}
	while (high - low > 1)
	{
		int64_t		middle = low + (high - low) / 2;

		if (pa_kernel_tail(kernel, middle - 1) > allowed)
			low = middle;
		else
			high = middle;
	}
	*tau = high;
	return PA_OK;
}
