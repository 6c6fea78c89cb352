/*
 * dyadic.h
 *		The scale of a kernel as a fraction numerator/2^shift.
 */
#ifndef PA_DYADIC_H
#define PA_DYADIC_H

#include "core/noise/kernel.h"

/* Whether it is in the range that kernel.h states for Laplace and Gaussian. */
extern bool pa_dyadic_valid(const PaKernel *kernel);

extern double pa_dyadic_scale(const PaKernel *kernel);

/* The kernel of the kind, and nothing else, with the smallest scale >= scale: as pa_kernel_make. */
extern PaStatus pa_dyadic_make(PaKernelKind kind, double scale, PaKernel *kernel);

extern void pa_dyadic_reduce(PaKernel *kernel);

#endif							/* PA_DYADIC_H */
