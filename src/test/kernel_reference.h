/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel_reference.h
 *		Kernels to test, and their laws from the definitions alone, term by term.
 */
#ifndef PA_TEST_KERNEL_REFERENCE_H
#define PA_TEST_KERNEL_REFERENCE_H

#include <math.h>
#include <stdlib.h>

#include "core/noise/kernel.h"
#include "unit.h"

#define KEEP(log) (UINT64_C(1) << (PA_KEEP_BITS + (log)))
#define E_ONE (UINT64_C(1) << PA_STAIR_SHIFT)

static inline PaKernel
plain(PaKernelKind kind, double scale)
{
	PaKernel	kernel;

	assert_int_equal(pa_kernel_make(kind, scale, &kernel), PA_OK);
	return kernel;
}

/* This and the next may be asked for a kernel that is not valid. */
static inline PaKernel
recycler(PaKernelKind kind, double scale, int64_t band, uint64_t keep)
{
	PaKernel	kernel = plain(kind == PA_KERNEL_BRDP_LAPLACE ? PA_KERNEL_LAPLACE : PA_KERNEL_GAUSSIAN, scale);

	kernel.kind = kind;
	kernel.band = band;
	kernel.keep = keep;
	return kernel;
}

static inline PaKernel
staircase(uint64_t numerator, int64_t width, int64_t band)
{
	return (PaKernel) {PA_KERNEL_STAIRCASE, PA_STAIR_SHIFT, numerator, band, 0, width, NULL};
}

static inline long double
reference_scale(const PaKernel *kernel)
{
	long double number = ldexpl((long double) kernel->numerator, -(int) kernel->shift);

	if (kernel->kind == PA_KERNEL_OPTIMAL)
		return 0;
	return kernel->kind == PA_KERNEL_STAIRCASE ? kernel->width / number : number;
}

static inline bool
reference_is_gaussian(const PaKernel *kernel)
{
	return kernel->kind == PA_KERNEL_GAUSSIAN || kernel->kind == PA_KERNEL_BRDP_GAUSSIAN;
}

/* ln of Pr[N = k] / Pr[N = 0], but ln of the weight for a table */
static inline long double
reference_log(const PaKernel *kernel, int64_t k)
{
	int64_t		size = k < 0 ? -k : k;
	long double x = size / reference_scale(kernel);

	if (kernel->kind == PA_KERNEL_OPTIMAL)
		return size > kernel->table->last ? -INFINITY : logl((long double) kernel->table->weight[size]);
	if (kernel->kind == PA_KERNEL_STAIRCASE)
	{
		int64_t		rest = kernel->band % kernel->width;
		int64_t		stair = size <= rest ? 0 : (size - rest + kernel->width - 1) / kernel->width;

		return -(long double) stair * ldexpl((long double) kernel->numerator, -(int) kernel->shift);
	}
	return (reference_is_gaussian(kernel) ? -x * x / 2 : -x) +
		(pa_kernel_recycles(kernel->kind) && size > kernel->band ?
		 logl(ldexpl((long double) kernel->keep, -PA_KEEP_BITS)) : 0);
}

static inline long double
reference_weight(const PaKernel *kernel, int64_t k)
{
	return expl(reference_log(kernel, k));
}

/* Half width beyond which the law has no mass that a long double notices */
static inline int64_t
reference_reach(const PaKernel *kernel)
{
	if (kernel->kind == PA_KERNEL_OPTIMAL)
		return kernel->table->last + 1;
	return (int64_t) ((reference_is_gaussian(kernel) ? 16 : 120) * reference_scale(kernel)) + 20 +
		(kernel->kind == PA_KERNEL_STAIRCASE ? 2 * kernel->width : 0);
}

static inline long double
reference_total(const PaKernel *kernel)
{
	long double sum = 0;
	int64_t		k;

	for (k = reference_reach(kernel); k >= 1; k--)
		sum += 2 * reference_weight(kernel, k);
	return sum + reference_weight(kernel, 0);
}

static inline long double
reference_tail(const PaKernel *kernel, int64_t k)
{
	long double sum = 0;
	int64_t		j;

	for (j = (k < 0 ? -k : k) + reference_reach(kernel); j >= k; j--)
		sum += reference_weight(kernel, j);
	return sum / reference_total(kernel);
}

#endif							/* PA_TEST_KERNEL_REFERENCE_H */
