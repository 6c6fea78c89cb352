/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel_cases.h
 *		Kernels of every kind, to test what holds of all of them.
 */
#ifndef PA_TEST_KERNEL_CASES_H
#define PA_TEST_KERNEL_CASES_H

#include "kernel_reference.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const PaKernelKind plain_kinds[] = {PA_KERNEL_LAPLACE, PA_KERNEL_GAUSSIAN};

static const uint64_t few_weights[] = {7, 5, 5, 1, 0};
static const PaNoiseTable few = {4, 29, few_weights};
static const uint64_t lone_weight[] = {3};
static const PaNoiseTable lone = {0, 3, lone_weight};
static const uint64_t rare_weights[] = {(UINT64_C(1) << 62) - 2, 1};
static const PaNoiseTable rare = {1, UINT64_C(1) << 62, rare_weights};

static const double law_scales[] = {0.05, 0.3, 0.75, 1, 2.5, 10, 31.5, 40, 100, 1024};

/* One kernel per number, until false */
static inline bool
kernel_at(size_t number, PaKernel *kernel)
{
	static const PaNoiseTable *const tables[] = {&few, &lone, &rare};
	const PaKernel odd[] = {
		recycler(PA_KERNEL_BRDP_LAPLACE, 10, 3, KEEP(-1)), recycler(PA_KERNEL_BRDP_LAPLACE, 10.7, 12, KEEP(-4) + KEEP(-30)),
		recycler(PA_KERNEL_BRDP_LAPLACE, 2.5, 0, KEEP(0)), recycler(PA_KERNEL_BRDP_LAPLACE, 0.3, 0, KEEP(-8)),
		recycler(PA_KERNEL_BRDP_LAPLACE, 100, 1, KEEP(-62)), recycler(PA_KERNEL_BRDP_LAPLACE, 3, 1000, KEEP(-30)),
		recycler(PA_KERNEL_BRDP_GAUSSIAN, 10, 3, KEEP(-1)), recycler(PA_KERNEL_BRDP_GAUSSIAN, 10.7, 12, KEEP(-4) + KEEP(-30)),
		recycler(PA_KERNEL_BRDP_GAUSSIAN, 2.5, 0, KEEP(0)), recycler(PA_KERNEL_BRDP_GAUSSIAN, 0.3, 0, KEEP(-8)),
		recycler(PA_KERNEL_BRDP_GAUSSIAN, 100, 1, KEEP(-62)), recycler(PA_KERNEL_BRDP_GAUSSIAN, 3, 1000, KEEP(-30)),
		staircase(E_ONE, 1, 0), staircase(E_ONE / 3, 5, 7), staircase(2 * E_ONE + 1, 10, 0),
		staircase(2 * E_ONE, 10, 39), staircase(E_ONE / 100, 3, 1), staircase(200 * E_ONE, 30, 12)
	};

	if (number < 2 * COUNT(law_scales))
		*kernel = plain(plain_kinds[number % 2], law_scales[number / 2]);
	else if (number < 2 * COUNT(law_scales) + COUNT(odd))
		*kernel = odd[number - 2 * COUNT(law_scales)];
	else if (number < 2 * COUNT(law_scales) + COUNT(odd) + COUNT(tables))
		*kernel = (PaKernel) {.kind = PA_KERNEL_OPTIMAL,.table = tables[number - 2 * COUNT(law_scales) - COUNT(odd)]};
	else
		return false;
	assert_true(pa_kernel_valid(kernel));
	return true;
}

/* A length that the law knows: its scale, or that of its support */
static inline double
typical(const PaKernel *kernel)
{
	return kernel->kind == PA_KERNEL_OPTIMAL ? kernel->table->last : (double) reference_scale(kernel);
}

#endif							/* PA_TEST_KERNEL_CASES_H */
