/*
 * kernel_staircase.c
 *		The staircase: weights that fall by a constant factor from one stair to the next.
 *
 * Let band = t width + r with 0 <= r < width, and w = exp(-e).  Relative to
 * |k| <= r, the j-th stair r + (j-1) width < |k| <= r + j width has weight w^j:
 * the band matters through r only.  A round draws a stair J with Pr[J >= j] =
 * w^j, which is floor(X / numerator) for Pr[X >= x] = exp(-x / 2^44), and a cell
 * uniform below 2 width.  If J > 0 it is one of the 2 width cells of that stair;
 * if J = 0 it is one of the 2r+1 cells of the plateau, or nothing.  So each cell
 * of stair j has probability (1-w) w^j / (2 width), j = 0 included.  How small e
 * is does not matter to the time that it takes.
 *
 * The acceptance of a round is a = w + (1-w)(2r+1)/(2 width), so 1/a <=
 * 2 width/(2r+1), and 1/a <= exp(e) < 2^(1.5 e).
 *
 * Nothing overflows: X < 2^44 (PA_DRAW_LONGEST + 1) < 2^57.  As width/e < 2^40,
 * J width <= X width / numerator < (PA_DRAW_LONGEST + 1) 2^40 < 2^52.1, and
 * e < 2^8 makes width < 2^48: |noise| <= r + J width < 2^53.
 */
#include <math.h>

#include "core/noise/draw.h"
#include "core/noise/kernel_routine.h"

#define MOST_ROUNDS ((uint64_t) (1 / PA_LEAST_ROUND))

static double
loss_of(const PaKernel *kernel)
{
	return ldexp((double) kernel->numerator, -PA_STAIR_SHIFT);
}

/* Cells from 0 to the end of the central plateau, without 0. */
static uint64_t
plateau(const PaKernel *kernel)
{
	return (uint64_t) (kernel->band % kernel->width);
}

static uint64_t
rounds(const PaKernel *kernel)
{
	uint64_t	by_plateau = 2 * (uint64_t) kernel->width / (2 * plateau(kernel) + 1) + 1;
	uint64_t	log_by_loss = (3 * kernel->numerator >> (PA_STAIR_SHIFT + 1)) + 1;
	uint64_t	by_loss = log_by_loss < 63 ? UINT64_C(1) << log_by_loss : UINT64_MAX;

	return by_plateau < by_loss ? by_plateau : by_loss;
}

static bool
climbs_soon(const PaKernel *kernel)
{
	double		loss = loss_of(kernel);
	double		centre = (2 * (double) plateau(kernel) + 1) / (2 * (double) kernel->width);

	return rounds(kernel) <= MOST_ROUNDS ||
		exp(-loss) - expm1(-loss) * centre >= PA_LEAST_ROUND;
}

/* width/e < 2^40 is width 2^44 < numerator 2^40. */
static bool
valid_stairs(const PaKernel *kernel)
{
	return kernel->shift == PA_STAIR_SHIFT &&
		kernel->numerator >= 1 && kernel->numerator >> PA_STAIR_BITS == 0 &&
		kernel->width >= 1 && kernel->width < PA_BAND_LIMIT &&
		(uint64_t) kernel->width << (PA_STAIR_SHIFT - PA_SCALE_WHOLE_BITS) < kernel->numerator;
}

static bool
valid(const PaKernel *kernel)
{
	return valid_stairs(kernel) && kernel->band >= 0 && kernel->band < PA_BAND_LIMIT && climbs_soon(kernel);
}

/* Of a Laplace of the same cost. */
static double
scale(const PaKernel *kernel)
{
	return (double) kernel->width / loss_of(kernel);
}

static PaLaw
law(const PaKernel *kernel)
{
	PaLaw		made = {0};

	(void) pa_law_staircase(PA_LATTICE, loss_of(kernel), (double) kernel->width, (double) kernel->band, &made);
	return made;
}

static PaStatus
law_of(const PaKernelNumbers *numbers, PaLaw *made)
{
	return pa_law_staircase(numbers->space, numbers->sensitivity / numbers->scale, numbers->sensitivity,
							numbers->band, made);
}

/* k on the given stair from 1 on, cell being one of its 2 width ones */
static int64_t
place_on_stair(const PaKernel *kernel, uint64_t stair, uint64_t cell)
{
	int64_t		below = (int64_t) plateau(kernel) + (int64_t) (stair - 1) * kernel->width;
	int64_t		magnitude = below + 1 + (int64_t) (cell / 2);

	return cell % 2 == 0 ? magnitude : -magnitude;
}

static int64_t
draw(const PaKernel *kernel, PaRandom *random, uint32_t patience)
{
	uint64_t	centre = plateau(kernel);

	for (; patience > 0 && !random->failed; patience--)
	{
		uint64_t	stair = pa_draw_geometric(random, UINT64_C(1) << PA_STAIR_SHIFT) / kernel->numerator;
		uint64_t	cell = pa_random_below(random, 2 * (uint64_t) kernel->width);

		if (stair > 0)
			return place_on_stair(kernel, stair, cell);
		if (cell < 2 * centre + 1)
			return (int64_t) cell - (int64_t) centre;
	}
	pa_random_fail(random);
	return 0;
}

/* Stairs from the plateau down to k. */
static double
log_fall(const PaKernel *kernel, int64_t k)
{
	int64_t		beyond = k - (int64_t) plateau(kernel);
	int64_t		stairs = beyond > 0 ? (beyond - 1) / kernel->width + 1 : 0;

	return (double) -stairs * loss_of(kernel);
}

static PaKernelTail
tail(const PaKernel *kernel)
{
	PaKernelTail made = {.margin = kernel->width, .period = kernel->width};

	return made;
}

const PaKernelRoutine pa_kernel_staircase = {
	.needs_band = true, .pure = true,
	.fields = {{"band", offsetof(PaKernel, band)}, {"width", offsetof(PaKernel, width)}},
	.valid = valid, .scale = scale, .law = law, .law_of = law_of, .rounds = rounds, .draw = draw,
	.log_fall = log_fall, .tail = tail
};
