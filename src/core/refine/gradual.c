/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gradual.c
 *		A chain of discrete Laplace noises, drawn exactly in both directions.
 *
 * With the scales n1/2^s1 > n2/2^s2, 1/scale is a/q and b/q for q = n1 n2, a = n2 2^s1,
 * b = n1 2^s2, a < b: all exponents are whole numbers over q.  n < 2^40, and n < 2^21
 * where s > 0, s <= 20: q < 2^80 and b < 2^60.
 *
 * Coarser: keep = e^(-(b - a)/q) times twice the coin (1 - e^(-a/q))/(1 - e^(-b/q)).
 *
 * Finer, given x >= 0 (x < 0 by symmetry): with r1 = e^(-a/q), r2 = e^(-b/q), d = r2/r1,
 * s = r1 r2 the law of the finer y given x is, times 1 - r2^2,
 *		y = -1 - j		s (1 - d) s^j (1 - s)		all: s (1 - d)
 *		y in 0..x		(1 - s) (1 - d) d^y			all: (1 - s) (1 - d^(x+1))
 *		y = x + 1 + j	d^x s (1 - d) s^j (1 - s)	all: d^x s (1 - d)
 *		y = x, kept		d^(x+1) (1 - r1^2)
 * and these four add up to 1 - r2^2 (docs/theory-derived.md).  So one of the four is tried,
 * each with probability 1/4, and taken with its probability, a product of coins: 1/4 of all
 * rounds succeed, whatever x.
 */
#include "core/refine/gradual.h"

#include <math.h>

#include "core/noise/draw.h"
#include "core/refine/coin.h"

#define PATIENCE 8192			/* rounds of which 3/4 are refused: 0.75^8192 < 2^-3000 */
#define MOST_COARSE (INT64_C(1) << 60)
#define MOST_SENSITIVITY (INT64_C(1) << 52)

/* Two neighbouring levels: inverse scales a/q of the coarse one, b/q of the fine one */
typedef struct Step
{
	PaUint128	q;
	PaUint128	a;
	PaUint128	b;
} Step;

static Step
step_to(const PaGradual *gradual, int level)
{
	const PaKernel *coarse = &gradual->kernel[level];
	const PaKernel *fine = &gradual->kernel[level + 1];

	return (Step) {
		.q = (PaUint128) coarse->numerator * fine->numerator,
		.a = (PaUint128) fine->numerator << coarse->shift,
		.b = (PaUint128) coarse->numerator << fine->shift
	};
}

/* The least scale that a kernel can have with sensitivity/scale <= epsilon; fma tells the sign exactly. */
static PaStatus
make_kernel(double sensitivity, double epsilon, PaKernel *kernel)
{
	PaStatus	status;

	if (!(epsilon > 0 && isfinite(epsilon)))
		return PA_INVALID;
	status = pa_kernel_make(PA_KERNEL_LAPLACE, sensitivity / epsilon, kernel);
	if (status == PA_OK && fma(pa_kernel_scale(kernel), epsilon, -sensitivity) < 0)
		status = pa_kernel_make(PA_KERNEL_LAPLACE, nextafter(pa_kernel_scale(kernel), INFINITY), kernel);
	return status;
}

PaStatus
pa_gradual_make(const double *epsilon, int levels, int64_t sensitivity, PaGradual *gradual)
{
	PaGradual	made = {.levels = levels};
	int			i;

	if (levels < 1 || levels > PA_GRADUAL_LEVELS || sensitivity < 1 || sensitivity > MOST_SENSITIVITY)
		return PA_INVALID;
	for (i = 0; i < levels; i++)
	{
		PaStatus	status = make_kernel((double) sensitivity, epsilon[i], &made.kernel[i]);

		if (status != PA_OK)
			return status;
	}
	for (i = 0; i + 1 < levels; i++)
	{
		Step		step = step_to(&made, i);

		if (step.a >= step.b)
			return PA_INVALID;
	}
	*gradual = made;
	return PA_OK;
}

/* Twice the scale */
static PaStatus
coarsen(PaKernel *kernel)
{
	if (kernel->shift > 0)
		kernel->shift--;
	else if (kernel->numerator >> (PA_SCALE_WHOLE_BITS - 1) == 0)
		kernel->numerator *= 2;
	else
		return PA_OUT_OF_RANGE;
	return PA_OK;
}

PaStatus
pa_gradual_halving(const PaKernel *finest, int levels, PaGradual *gradual)
{
	PaGradual	made = {.levels = levels};
	int			i;

	if (levels < 1 || levels > PA_GRADUAL_LEVELS || finest->kind != PA_KERNEL_LAPLACE || !pa_kernel_valid(finest))
		return PA_INVALID;
	made.kernel[levels - 1] = *finest;
	for (i = levels - 2; i >= 0; i--)
	{
		made.kernel[i] = made.kernel[i + 1];
		if (coarsen(&made.kernel[i]) != PA_OK)
			return PA_OUT_OF_RANGE;
	}
	*gradual = made;
	return PA_OK;
}

double
pa_gradual_cost(const PaGradual *gradual, int level, int64_t sensitivity)
{
	double		scale = pa_kernel_scale(&gradual->kernel[level]);
	double		cost = (double) sensitivity / scale;

	return fma(cost, scale, -(double) sensitivity) < 0 ? nextafter(cost, INFINITY) : cost;
}

double
pa_gradual_keep(const PaGradual *gradual, int level)
{
	double		coarse = 1 / pa_kernel_scale(&gradual->kernel[level]);
	double		fine = 1 / pa_kernel_scale(&gradual->kernel[level + 1]);
	double		half = expm1(-coarse) / expm1(-fine);

	return exp(coarse - fine) * half * half;
}

/* e^(-exponent/q) */
static bool
flip(PaRandom *random, PaUint128 exponent, const Step *step)
{
	return pa_random_bernoulli_exp(random, exponent, step->q);
}

static bool
keeps(PaRandom *random, const Step *step)
{
	return flip(random, step->b - step->a, step) &&
		pa_coin_ratio(random, step->a, step->b, step->q) &&
		pa_coin_ratio(random, step->a, step->b, step->q);
}

PaStatus
pa_gradual_draw(const PaGradual *gradual, PaRandom *random, int64_t *noise)
{
	int64_t		drawn[PA_GRADUAL_LEVELS];
	PaStatus	status = pa_kernel_sample(&gradual->kernel[gradual->levels - 1], random, &drawn[gradual->levels - 1]);
	int			i;

	for (i = gradual->levels - 2; i >= 0 && status == PA_OK; i--)
	{
		Step		step = step_to(gradual, i);

		drawn[i] = drawn[i + 1];
		if (!keeps(random, &step))
			drawn[i] += pa_draw_laplace(random, gradual->kernel[i].numerator, gradual->kernel[i].shift);
		status = pa_random_status(random);
	}
	for (i = 0; i < gradual->levels && status == PA_OK; i++)
		noise[i] = drawn[i];
	return status;
}

/* j >= 0 with probability proportional to (r1 r2)^j */
static int64_t
beyond(PaRandom *random, const Step *step)
{
	return (int64_t) (pa_coin_geometric(random, step->q) / (step->a + step->b));
}

/* (1 - r2/r1)/(1 - r2^2) */
static bool
flip_apart(PaRandom *random, const Step *step)
{
	return pa_coin_ratio(random, step->b - step->a, 2 * step->b, step->q);
}

/* One of the four cases, x >= 0; false if it was not taken */
static bool
try_case(PaRandom *random, const Step *step, int64_t x, int64_t *y)
{
	PaUint128	gap = step->b - step->a;
	PaUint128	end = (PaUint128) x + 1;

	switch (pa_random_below(random, 4))
	{
		case 0:
			if (!flip(random, step->a + step->b, step) || !flip_apart(random, step))
				return false;
			*y = -1 - beyond(random, step);
			return true;
		case 1:
			if (!pa_coin_ratio(random, step->a + step->b, 2 * step->b, step->q) || flip(random, end * gap, step))
				return false;
			*y = (int64_t) (pa_coin_cell(random, end * gap, step->q) / gap);
			return true;
		case 2:
			if (!flip(random, (PaUint128) x * gap + step->a + step->b, step) || !flip_apart(random, step))
				return false;
			*y = x + 1 + beyond(random, step);
			return true;
		default:
			*y = x;
			return flip(random, end * gap, step) && pa_coin_ratio(random, 2 * step->a, 2 * step->b, step->q);
	}
}

PaStatus
pa_gradual_refine(const PaGradual *gradual, int level, int64_t coarse, PaRandom *random, int64_t *fine)
{
	Step		step;
	int64_t		y;
	int			round;

	if (level < 0 || level + 1 >= gradual->levels || coarse <= -MOST_COARSE || coarse >= MOST_COARSE)
		return PA_INVALID;
	step = step_to(gradual, level);
	for (round = 0; round < PATIENCE && pa_random_status(random) == PA_OK; round++)
		if (try_case(random, &step, coarse < 0 ? -coarse : coarse, &y) && pa_random_status(random) == PA_OK)
		{
			*fine = coarse < 0 ? -y : y;
			return PA_OK;
		}
	pa_random_fail(random);
	return PA_NO_RANDOMNESS;
}
