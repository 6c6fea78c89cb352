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

static double
each(const PaPromise *promise, double all)
{
	return nextafter(all / promise->groups, 0.0);
}

/* Past the band the masses fall by e^-epsilon a shift, until delta can pay for the rest. */
double
pa_promise_table_last(const PaPromise *promise, double shift, double band)
{
	double		stairs = ceil(-log(each(promise, promise->delta)) / each(promise, promise->epsilon)) + 2.0;

	return band + shift * stairs;
}

PaStatus
pa_promise_table(const PaPromise *promise, int64_t shift, int64_t band,
				 const PaEnvironment *environment, PaKernel *kernel)
{
	double		last;
	PaNoiseTable *table;
	PaKernel	made = {.kind = PA_KERNEL_OPTIMAL};
	PaStatus	status;

	if (promise->rho > 0 || shift > PA_TABLE_SHIFT || band > PA_TABLE_BAND)
		return PA_NO_SOLUTION;
	last = fmin(pa_promise_table_last(promise, (double) shift, (double) band), PA_TABLE_LAST);
	status = pa_optimal_noise(shift, band, (int32_t) last, each(promise, promise->epsilon),
							  each(promise, promise->delta), environment, &table);
	if (status != PA_OK)
		return status;
	made.table = table;
	*kernel = made;
	return PA_OK;
}
