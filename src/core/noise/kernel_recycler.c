/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel_recycler.c
 *		Budget recycling: Laplace or Gaussian noise that is drawn again outside of a band.
 *
 * A round draws from the base law; a draw outside of the band stays with
 * probability keep/2^62, which is a comparison of 62 fair bits.
 *
 * Let a be the acceptance of a round: a >= keep/2^62, and a >= M = Pr[|N| <= m]
 * for the band m and the scale s, where 1/M <= 6 + 5 s/(2m+1):
 *	 Laplace	M = 1 - 2 x^(m+1)/(1+x) with x = exp(-1/s), and 1+x >= 2 sqrt(x),
 *		so M >= 1 - exp(-y) >= y/(1+y) with y = (2m+1)/(2s): 1/M <= 1 + 2s/(2m+1).
 *	 Gaussian	with weight 1 at 0 the total is at most 1 + s sqrt(2 pi), and
 *		the 2n+1 weights up to n = min(m, floor(s)) are at least exp(-1/2), so
 *		1/M <= 1.65 (1 + 2.51 s)/(2n+1) < 1.65 + 4.14 max(s/(2m+1), 1), for
 *		2 floor(s) + 1 > s.
 */
#include <float.h>
#include <math.h>

#include "core/noise/draw.h"
#include "core/noise/dyadic.h"
#include "core/noise/kernel_routine.h"

#define KEEP_ALL (UINT64_C(1) << PA_KEEP_BITS)
#define MOST_ROUNDS ((uint64_t) (1 / PA_LEAST_ROUND))
#define FIELDS {{"band", offsetof(PaKernel, band)}, {"keep", offsetof(PaKernel, keep)}}

static double
keep_of(const PaKernel *kernel)
{
	return ldexp((double) kernel->keep, -PA_KEEP_BITS);
}

static PaLaw
law_of_shape(PaShape shape, const PaKernel *kernel)
{
	PaLaw		law = {0};

	(void) pa_law_recycled(shape, PA_LATTICE, pa_dyadic_scale(kernel), (double) kernel->band, keep_of(kernel), &law);
	return law;
}

static uint64_t
rounds(const PaKernel *kernel)
{
	uint64_t	scale = (5 * kernel->numerator >> kernel->shift) + 1;
	uint64_t	by_band = 7 + scale / (2 * (uint64_t) kernel->band + 1);
	uint64_t	by_keep = KEEP_ALL / kernel->keep + 1;

	return by_band < by_keep ? by_band : by_keep;
}

/* The law is asked only where the bound by integers does not decide. */
static bool
recycles_soon(PaShape shape, const PaKernel *kernel)
{
	PaLaw		law;

	if (kernel->keep >> (PA_KEEP_BITS - 12) != 0 || rounds(kernel) <= MOST_ROUNDS)
		return true;
	law = law_of_shape(shape, kernel);
	return law.band_mass + keep_of(kernel) * law.out_mass >= PA_LEAST_ROUND;
}

static bool
valid_keep(uint64_t keep)
{
	uint64_t	lowest = keep & (~keep + 1);

	return keep >= 1 && keep <= KEEP_ALL && keep / lowest >> DBL_MANT_DIG == 0;
}

static bool
valid(PaShape shape, const PaKernel *kernel)
{
	return pa_dyadic_valid(kernel) && kernel->band >= 0 && kernel->band < PA_BAND_LIMIT &&
		valid_keep(kernel->keep) && recycles_soon(shape, kernel);
}

/* True with probability exactly keep/2^PA_KEEP_BITS */
static bool
draw_keep(PaRandom *random, uint64_t keep)
{
	return pa_random_u64(random) >> (64 - PA_KEEP_BITS) < keep;
}

/* "base" draws Laplace or Gaussian noise of a scale. */
static inline int64_t
draw(const PaKernel *kernel, PaRandom *random, uint32_t patience, int64_t (*base) (PaRandom *, uint64_t, uint32_t))
{
	for (; patience > 0 && !random->failed; patience--)
	{
		int64_t		proposal = base(random, kernel->numerator, kernel->shift);

		if ((-kernel->band <= proposal && proposal <= kernel->band) || draw_keep(random, kernel->keep))
			return proposal;
	}
	pa_random_fail(random);
	return 0;
}

/* What recycling takes from the logarithm of the density outside of the band. */
static double
log_keep(const PaKernel *kernel, int64_t k)
{
	return k > kernel->band ? log(keep_of(kernel)) : 0.0;
}

/* --- of Laplace noise --- */

static bool
laplace_valid(const PaKernel *kernel)
{
	return valid(PA_LAPLACE, kernel);
}

static PaLaw
laplace_law(const PaKernel *kernel)
{
	return law_of_shape(PA_LAPLACE, kernel);
}

static PaStatus
laplace_law_of(const PaKernelNumbers *numbers, PaLaw *law)
{
	return pa_law_recycled(PA_LAPLACE, numbers->space, numbers->scale, numbers->band, numbers->keep, law);
}

static int64_t
laplace_draw(const PaKernel *kernel, PaRandom *random, uint32_t patience)
{
	return draw(kernel, random, patience, pa_draw_laplace);
}

static double
laplace_log_fall(const PaKernel *kernel, int64_t k)
{
	return log_keep(kernel, k) - (double) k / pa_dyadic_scale(kernel);
}

static PaKernelTail
laplace_tail(const PaKernel *kernel)
{
	PaKernelTail tail = {.margin = kernel->band + 1, .period = 1};

	return tail;
}

const PaKernelRoutine pa_kernel_brdp_laplace = {
	.needs_band = true, .recycles = true, .pure = true, .reduces = true, .fields = FIELDS,
	.valid = laplace_valid, .scale = pa_dyadic_scale,
	.law = laplace_law, .law_of = laplace_law_of, .rounds = rounds, .draw = laplace_draw,
	.log_fall = laplace_log_fall, .tail = laplace_tail
};

/* --- of Gaussian noise --- */

static bool
gaussian_valid(const PaKernel *kernel)
{
	return valid(PA_GAUSSIAN, kernel);
}

static PaLaw
gaussian_law(const PaKernel *kernel)
{
	return law_of_shape(PA_GAUSSIAN, kernel);
}

static PaStatus
gaussian_law_of(const PaKernelNumbers *numbers, PaLaw *law)
{
	return pa_law_recycled(PA_GAUSSIAN, numbers->space, numbers->scale, numbers->band, numbers->keep, law);
}

static int64_t
gaussian_draw(const PaKernel *kernel, PaRandom *random, uint32_t patience)
{
	return draw(kernel, random, patience, pa_draw_gaussian);
}

static double
gaussian_log_fall(const PaKernel *kernel, int64_t k)
{
	double		x = (double) k / pa_dyadic_scale(kernel);

	return log_keep(kernel, k) - 0.5 * x * x;
}

const PaKernelRoutine pa_kernel_brdp_gaussian = {
	.needs_band = true, .recycles = true, .reduces = true, .fields = FIELDS,
	.valid = gaussian_valid, .scale = pa_dyadic_scale,
	.law = gaussian_law, .law_of = gaussian_law_of, .rounds = rounds, .draw = gaussian_draw,
	.log_fall = gaussian_log_fall
};
