/*
 * calibrate.c
 *		The least noise that keeps a promise.
 *
 * A scale is searched on a grid: the numerators of one fixed shift, chosen by
 * a first guess of the scale.  The kernel that is handed out was tested against
 * the promise itself, in the form that the charge is made in:
 *	 Laplace	L0 D <= epsilon b, in integers, epsilon as its shortest decimal;
 *	 Gaussian	L0 = 1: the exact lattice profile, rounded up, is at most delta;
 *				L0 > 1: L0 rho is at most the largest rho that implies
 *				(epsilon, delta), rounded down.
 * For Gaussian epsilon and delta are first lowered by one unit in the last
 * place, so that they are not above their shortest decimals.
 */
#include "core/accounting/calibrate.h"

#include <float.h>
#include <math.h>

#include "core/accounting/decimal.h"
#include "core/accounting/zcdp.h"
#include "core/noise/continuous.h"

#define LEAST_EPSILON 1e-9
#define MOST_EPSILON 1e6
#define SENSITIVITY_BITS 100

typedef struct Promise
{
	PaKernelKind kind;
	PaInt128	per_group;
	uint32_t	groups;
	double		epsilon;		/* as asked */
	double		delta;
	PaDecimal	decimal;		/* epsilon, as charged */
	double		unit;			/* first guess of scale / sensitivity */
	double		rho;			/* of all coordinates, for Gaussian with groups > 1 */
} Promise;

static double
below(double x)
{
	return nextafter(x, 0.0);
}

static bool
valid(PaKernelKind kind, const PaSensitivity *sensitivity, double epsilon, double delta)
{
	if (kind != PA_KERNEL_LAPLACE && kind != PA_KERNEL_GAUSSIAN)
		return false;
	if (sensitivity->per_group < 1 || sensitivity->per_group >> SENSITIVITY_BITS != 0 ||
		sensitivity->groups < 1)
		return false;
	if (!(epsilon >= LEAST_EPSILON && epsilon <= MOST_EPSILON))
		return false;
	return delta >= (kind == PA_KERNEL_GAUSSIAN ? DBL_MIN : 0.0) && delta < 1;
}

/* Fills what follows from the request alone. */
static PaStatus
prepare(Promise *promise)
{
	PaStatus	status;

	if (promise->kind == PA_KERNEL_LAPLACE)
	{
		promise->unit = promise->groups / promise->epsilon;
		return pa_decimal_shortest(promise->epsilon, &promise->decimal);
	}
	if (promise->groups == 1)
		return pa_gaussian_sigma(promise->epsilon, promise->delta, 1.0, &promise->unit);
	status = pa_zcdp_rho(below(promise->epsilon), below(promise->delta), &promise->rho);
	if (status == PA_OK)
		promise->unit = sqrt(promise->groups / (2.0 * promise->rho));
	return status;
}

/*
 * L0 D 2^s <= n epsilon with epsilon = digits 10^exponent.  No overflow: the
 * left side is below 2^(32 + 63 + 20), n digits below 2^(40 + 57).  Epsilon's
 * exponent is in [-26, 6], and digits 10^exponent is at most 10^6 where it is
 * positive.  The division may round down because the left side is whole.
 */
static bool
laplace_suffices(const Promise *promise, const PaKernel *kernel, int64_t shift)
{
	PaUint128	loss = ((PaUint128) promise->groups * (uint64_t) shift) << kernel->shift;
	PaUint128	allowed = (PaUint128) kernel->numerator * promise->decimal.digits;

	if (promise->decimal.exponent >= 0)
		return loss <= allowed * pa_power_of_ten(promise->decimal.exponent);
	return loss <= allowed / pa_power_of_ten(-promise->decimal.exponent);
}

static bool
suffices(const Promise *promise, const PaKernel *kernel, int64_t shift)
{
	if (promise->kind == PA_KERNEL_LAPLACE)
		return laplace_suffices(promise, kernel, shift);
	if (promise->groups == 1)
		return pa_kernel_delta(kernel, shift, below(promise->epsilon)) <= below(promise->delta);
	return promise->groups * pa_kernel_rho(kernel, shift) * (1.0 + DBL_EPSILON) <= promise->rho;
}

/* Doubles a scale, from a guess, until it suffices; the kernel's shift is the grid's. */
static PaStatus
find_sufficient(const Promise *promise, int64_t shift, PaKernel *kernel)
{
	double		scale = promise->unit * (double) shift;
	PaStatus	status;

	for (;;)
	{
		status = pa_kernel_make(promise->kind, scale, kernel);
		if (status != PA_OK || suffices(promise, kernel, shift))
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
reduce(const Promise *promise, int64_t shift, PaKernel *kernel)
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
		if (short_of > 0 && !suffices(promise, &trial, shift))
			break;
		if (short_of > 0)
			enough = short_of;
	}
	while (enough - short_of > 1)
	{
		trial.numerator = short_of + (enough - short_of) / 2;
		if (suffices(promise, &trial, shift))
			enough = trial.numerator;
		else
			short_of = trial.numerator;
	}
	kernel->numerator = enough;
}

/* ceil(sensitivity / 2^coarsen) */
static PaInt128
coarse_shift(PaInt128 sensitivity, uint32_t coarsen)
{
	return ((sensitivity - 1) >> coarsen) + 1;
}

/* Least noise on the lattice that is coarser by the given power of two. */
static PaStatus
calibrate_on(const Promise *promise, uint32_t coarsen, PaCalibration *out)
{
	PaInt128	shift = coarse_shift(promise->per_group, coarsen);
	PaKernel	kernel;
	PaStatus	status;

	if (shift >> 62 != 0)
		return PA_OUT_OF_RANGE;
	status = find_sufficient(promise, (int64_t) shift, &kernel);
	if (status != PA_OK)
		return status;
	refine_grid(&kernel);
	reduce(promise, (int64_t) shift, &kernel);
	while (kernel.shift > 0 && kernel.numerator % 2 == 0)
	{
		kernel.numerator /= 2;
		kernel.shift--;
	}
	out->kernel = kernel;
	out->coarsen = coarsen;
	out->shift = (int64_t) shift;
	out->epsilon = promise->epsilon;
	out->delta = promise->kind == PA_KERNEL_GAUSSIAN ? promise->delta : 0.0;
	out->rho = promise->groups * pa_kernel_rho(&kernel, out->shift) * (1.0 + DBL_EPSILON);
	if (promise->kind == PA_KERNEL_LAPLACE) /* rounding must not pass what is promised */
		out->rho = fmin(out->rho, promise->epsilon);
	return PA_OK;
}

/* The coarsest lattice on which scale and sensitivity keep PA_COARSE_STEPS steps. */
static uint32_t
choose_coarsen(const Promise *promise)
{
	double		scale = promise->unit * (double) promise->per_group;
	uint32_t	coarsen = 0;

	while (ldexp(scale, -(int) coarsen - 1) >= PA_COARSE_STEPS &&
		   promise->per_group >> (coarsen + 1) >= PA_COARSE_STEPS)
		coarsen++;
	return coarsen;
}

PaStatus
pa_calibrate(PaKernelKind kind, const PaSensitivity *sensitivity,
			 double epsilon, double delta, PaCalibration *out)
{
	Promise		promise = {
		.kind = kind, .per_group = sensitivity->per_group, .groups = sensitivity->groups,
		.epsilon = epsilon, .delta = delta
	};
	uint32_t	coarsen;
	PaStatus	status;

	if (!valid(kind, sensitivity, epsilon, delta))
		return PA_INVALID;
	status = prepare(&promise);
	if (status != PA_OK)
		return status;
	coarsen = choose_coarsen(&promise);
	while ((status = calibrate_on(&promise, coarsen, out)) == PA_OUT_OF_RANGE &&
		   coarse_shift(promise.per_group, coarsen) > 1)
		coarsen++;
	return status == PA_OUT_OF_RANGE ? PA_NO_SOLUTION : status;
}

PaInt128
pa_coarsen(PaInt128 total, uint32_t coarsen)
{
	if (coarsen == 0)
		return total;
	if (coarsen > 126)
		coarsen = 126;
	return (total >> coarsen) + (total >> (coarsen - 1) & 1);
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
