/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel_plain.c
 *		Laplace and Gaussian noise.
 */
#include "core/noise/draw.h"
#include "core/noise/dyadic.h"
#include "core/noise/kernel_routine.h"

static PaLaw
law_of_shape(PaShape shape, const PaKernel *kernel)
{
	PaLaw		law = {0};

	(void) pa_law_plain(shape, PA_LATTICE, pa_dyadic_scale(kernel), &law);
	return law;
}

/* --- Laplace --- */

static PaLaw
laplace_law(const PaKernel *kernel)
{
	return law_of_shape(PA_LAPLACE, kernel);
}

static PaStatus
laplace_law_of(const PaKernelNumbers *numbers, PaLaw *law)
{
	return pa_law_plain(PA_LAPLACE, numbers->space, numbers->scale, law);
}

static int64_t
laplace_draw(const PaKernel *kernel, PaRandom *random, uint32_t patience)
{
	(void) patience;
	return pa_draw_laplace(random, kernel->numerator, kernel->shift);
}

static double
laplace_log_fall(const PaKernel *kernel, int64_t k)
{
	return -((double) k / pa_dyadic_scale(kernel));
}

static PaKernelTail
laplace_tail(const PaKernel *kernel)
{
	PaKernelTail tail = {.margin = 0, .period = 1};

	(void) kernel;
	return tail;
}

const PaKernelRoutine pa_kernel_laplace = {
	.pure = true, .reduces = true,
	.valid = pa_dyadic_valid, .scale = pa_dyadic_scale, .make = pa_dyadic_make,
	.law = laplace_law, .law_of = laplace_law_of, .draw = laplace_draw,
	.log_fall = laplace_log_fall, .tail = laplace_tail
};

/* --- Gaussian --- */

static PaLaw
gaussian_law(const PaKernel *kernel)
{
	return law_of_shape(PA_GAUSSIAN, kernel);
}

static PaStatus
gaussian_law_of(const PaKernelNumbers *numbers, PaLaw *law)
{
	return pa_law_plain(PA_GAUSSIAN, numbers->space, numbers->scale, law);
}

static int64_t
gaussian_draw(const PaKernel *kernel, PaRandom *random, uint32_t patience)
{
	(void) patience;
	return pa_draw_gaussian(random, kernel->numerator, kernel->shift);
}

static double
gaussian_log_fall(const PaKernel *kernel, int64_t k)
{
	double		x = (double) k / pa_dyadic_scale(kernel);

	return -0.5 * x * x;
}

const PaKernelRoutine pa_kernel_gaussian = {
	.reduces = true,
	.valid = pa_dyadic_valid, .scale = pa_dyadic_scale, .make = pa_dyadic_make,
	.law = gaussian_law, .law_of = gaussian_law_of, .draw = gaussian_draw,
	.log_fall = gaussian_log_fall
};
