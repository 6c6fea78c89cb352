/*
 * dyadic.c
 *		See dyadic.h.
 */
#include "core/noise/dyadic.h"

#include <math.h>

bool
pa_dyadic_valid(const PaKernel *kernel)
{
	int			bits = kernel->shift == 0 ? PA_SCALE_WHOLE_BITS : PA_SCALE_BITS;

	return kernel->shift <= PA_SCALE_SHIFT &&
		kernel->numerator >= 1 && kernel->numerator >> bits == 0;
}

double
pa_dyadic_scale(const PaKernel *kernel)
{
	return ldexp((double) kernel->numerator, -(int) kernel->shift);
}

void
pa_dyadic_reduce(PaKernel *kernel)
{
	while (kernel->shift > 0 && kernel->numerator % 2 == 0)
	{
		kernel->numerator /= 2;
		kernel->shift--;
	}
}

/*
 * ldexp is exact here (scale 2^shift neither overflows nor, being at least
 * 1 where it matters, loses bits), and ceil rounds the scale up.
 */
PaStatus
pa_dyadic_make(PaKernelKind kind, double scale, PaKernel *kernel)
{
	PaKernel	made = {.kind = kind, .shift = PA_SCALE_SHIFT};

	if (!isfinite(scale) || scale <= 0)
		return PA_INVALID;
	while (made.shift > 0 && ceil(ldexp(scale, (int) made.shift)) >= 1 << PA_SCALE_BITS)
		made.shift--;
	if (ceil(ldexp(scale, (int) made.shift)) >= ldexp(1.0, PA_SCALE_WHOLE_BITS))
		return PA_OUT_OF_RANGE;
	made.numerator = (uint64_t) ceil(ldexp(scale, (int) made.shift));
	pa_dyadic_reduce(&made);
	*kernel = made;
	return PA_OK;
}
