/*
 * kernel.c
 *		Kernels: their scales, and their laws read at exactly those scales.
 *
 * A sensitivity of more than 53 bits is rounded up when it becomes a double,
 * which asks for more privacy than needed.
 */
#include "core/noise/kernel.h"

#include <math.h>

#include "core/noise/law.h"

const char *
pa_kernel_name(PaKernelKind kind)
{
	return kind == PA_KERNEL_LAPLACE ? "laplace" : "gaussian";
}

bool
pa_kernel_valid(const PaKernel *kernel)
{
	int			bits = kernel->shift == 0 ? PA_SCALE_WHOLE_BITS : PA_SCALE_BITS;

	return (kernel->kind == PA_KERNEL_LAPLACE || kernel->kind == PA_KERNEL_GAUSSIAN) &&
		kernel->shift <= PA_SCALE_SHIFT &&
		kernel->numerator >= 1 && kernel->numerator >> bits == 0;
}

/*
 * ldexp is exact here (scale 2^shift neither overflows nor, being at least
 * 1 where it matters, loses bits), and ceil rounds the scale up.
 */
PaStatus
pa_kernel_make(PaKernelKind kind, double scale, PaKernel *kernel)
{
	PaKernel	made = {.kind = kind, .shift = PA_SCALE_SHIFT};

	if (!isfinite(scale) || scale <= 0)
		return PA_INVALID;
	while (made.shift > 0 && ceil(ldexp(scale, (int) made.shift)) >= 1 << PA_SCALE_BITS)
		made.shift--;
	if (ceil(ldexp(scale, (int) made.shift)) >= ldexp(1.0, PA_SCALE_WHOLE_BITS))
		return PA_OUT_OF_RANGE;
	made.numerator = (uint64_t) ceil(ldexp(scale, (int) made.shift));
	while (made.shift > 0 && made.numerator % 2 == 0)
	{
		made.numerator /= 2;
		made.shift--;
	}
	*kernel = made;
	return PA_OK;
}

double
pa_kernel_scale(const PaKernel *kernel)
{
	return ldexp((double) kernel->numerator, -(int) kernel->shift);
}

static PaLaw
law_of(const PaKernel *kernel)
{
	return pa_law_make(kernel->kind, pa_kernel_scale(kernel));
}

double
pa_kernel_pmf(const PaKernel *kernel, int64_t k)
{
	PaLaw		law = law_of(kernel);

	return pa_law_pmf(&law, (double) k);
}

double
pa_kernel_tail(const PaKernel *kernel, int64_t k)
{
	PaLaw		law = law_of(kernel);

	return fmin(1.0, pa_law_tail(&law, (double) k) * (1.0 + 2 * PA_LAW_ERROR));
}

/* Finds the first m with 2 Pr[N > m] small enough, by doubling and halving. */
int64_t
pa_kernel_error(const PaKernel *kernel, double confidence)
{
	int64_t		low = -1;		/* not enough */
	int64_t		high = 0;

	if (!(confidence > 0 && confidence < 1))
		return -1;
	while (2.0 * pa_kernel_tail(kernel, high + 1) > 1.0 - confidence)
	{
		low = high;
		high = 2 * high + 1;
	}
	while (high - low > 1)
	{
		int64_t		middle = low + (high - low) / 2;

		if (2.0 * pa_kernel_tail(kernel, middle + 1) > 1.0 - confidence)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* The least double that is not below a sensitivity. */
static double
shift_up(int64_t sensitivity)
{
	double		shift = (double) sensitivity;

	if (sensitivity > (INT64_C(1) << 53))
		shift = nextafter(shift, INFINITY);
	return shift;
}

double
pa_kernel_delta(const PaKernel *kernel, int64_t sensitivity, double epsilon)
{
	PaLaw		law = law_of(kernel);

	return pa_law_delta(&law, shift_up(sensitivity), epsilon);
}

double
pa_kernel_rho(const PaKernel *kernel, int64_t sensitivity)
{
	PaLaw		law = law_of(kernel);

	return pa_law_rho(&law, shift_up(sensitivity));
}
