/*
 * calibrate_table.c
 *		The optimal noise of the linear program, where that is worth its time.
 *
 * Each coordinate gets (epsilon/L0, delta/L0), rounded down.  Below
 * PA_TABLE_DELTA the staircase is as good.
 */
#include <math.h>

#include "core/accounting/promise.h"
#include "core/noise/optimal.h"

#define MOST_SHIFT 64			/* steps for the program */
#define MOST_BAND 128
#define MOST_LAST 256			/* of the support: some 30 ms */
#define LEAST_STEPS 8			/* on a lattice that was made coarser for it */
#define LEAST_DELTA 1e-3		/* of a coordinate */

static double
each(const PaPromise *promise, double all)
{
	return nextafter(all / promise->groups, 0.0);
}

static PaStatus
prepare(const PaRequest *request, PaPromise *promise)
{
	if (request->rho > 0 || promise->delta / promise->groups < LEAST_DELTA * (1 - 1e-9))
		return PA_NO_SOLUTION;
	return pa_promise_pure(request, promise);
}

/*
 * The support that the program needs, without regard to limits.  Past the band the
 * masses fall by e^-epsilon a shift, until delta can pay for the rest.
 */
static double
last_of(const PaPromise *promise, double shift, double band)
{
	double		stairs = ceil(-log(each(promise, promise->delta)) / each(promise, promise->epsilon)) + 2.0;

	return band + shift * stairs;
}

/* The finest lattice the linear program can be solved on. */
static int
coarsen(const PaRequest *request, const PaPromise *promise)
{
	int			result;

	for (result = 0; result <= PA_SENSITIVITY_BITS; result++)
	{
		PaInt128	shift = pa_promise_shift(request, result);
		int64_t		band = pa_promise_band(request, result);

		if (result > 0 && (shift < LEAST_STEPS || band < LEAST_STEPS))
			return -1;
		if (shift <= MOST_SHIFT && band <= MOST_BAND &&
			last_of(promise, (double) shift, (double) band) <= MOST_LAST)
			return result;
	}
	return -1;
}

static PaStatus
fit(const PaPromise *promise, int64_t shift, int64_t band, const PaEnvironment *environment, PaKernel *kernel)
{
	double		last = fmin(last_of(promise, (double) shift, (double) band), MOST_LAST);
	PaNoiseTable *table;
	PaKernel	made = {.kind = PA_KERNEL_OPTIMAL};
	PaStatus	status;

	status = pa_optimal_noise(shift, band, (int32_t) last, each(promise, promise->epsilon),
							  each(promise, promise->delta), environment, &table);
	if (status != PA_OK)
		return status;
	made.table = table;
	*kernel = made;
	return PA_OK;
}

const PaCalibrator pa_calibrate_optimal = {
	.prepare = prepare, .coarsen = coarsen, .fit = fit, .needs_environment = true
};
