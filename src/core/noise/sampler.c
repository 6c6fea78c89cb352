/*
 * sampler.c
 *		Exact draws of every kernel.
 *
 * Method: Canonne, Kamath, Steinke (2020), Algorithms 2 and 3, in integers
 * only, and rejection from their draws.  No libm call decides anything, so the
 * law drawn is the law accounted.
 *
 * Recycler.  A round draws from the base law; a draw outside of the band stays
 * with probability keep/2^62, which is a comparison of 62 fair bits.
 *
 * Staircase.  Let band = t width + r with 0 <= r < width, and w = exp(-e).
 * Relative to |k| <= r, the j-th stair r + (j-1) width < |k| <= r + j width has
 * weight w^j: the band matters through r only.  A round draws a stair J with
 * Pr[J >= j] = w^j, which is floor(X / numerator) for Pr[X >= x] = exp(-x / 2^44),
 * and a cell uniform below 2 width.  If J > 0 it is one of the 2 width cells of
 * that stair; if J = 0 it is one of the 2r+1 cells of the plateau, or nothing.
 * So each cell of stair j has probability (1-w) w^j / (2 width), j = 0 included.
 * How small e is does not matter to the time that it takes.
 *
 * Rounds are independent and alike, hence their number says nothing about what
 * the last one returns: Pr[i rounds, result k] = (1-a)^(i-1) Pr[a round gives k].
 *
 * Patience.  If rounds are accepted with probability a, then a working source
 * is refused LONGEST/a times in a row with probability below exp(-LONGEST) <
 * 2^-5900; pa_kernel_rounds is at least 1/a.  So a stuck source fails after
 * 2^24 rounds at worst, and some 2^15 for the usual kernel.  The loops of the
 * base laws have a fixed PATIENCE: each of their rounds is accepted with
 * probability above 0.43, and 0.57^8192 < 2^-5900.
 *
 * Truncation.  The geometric number of whole scales in a magnitude is at most
 * LONGEST: a longer one, of probability below exp(-4096), is reported as a
 * failed source.  A draw takes fewer than 2^14 geometric numbers on average,
 * so one of them is that long with probability below 2^-5890.
 * That is below every delta that a double can state, and none of these events
 * depends on data.
 *
 * Let the scale be n / 2^s, as kernel.h allows: s <= 20, and n < 2^21 if
 * s > 0, n < 2^40 if s = 0.  Nothing overflows:
 *	 Laplace	x = u + n v < n (LONGEST + 1) < 2^40 * 2^12.1 < 2^53, and so is |noise|.
 *	 Gaussian, s = 0	proposal scale t = n, |y| < 2^53, and the exponent is
 *		(|y| - n)^2 / (2 n^2): | |y| - n | <= 2^12 n < 2^52, squared below
 *		2^104; the denominator is below 2^81.
 *	 Gaussian, s > 0	t = floor(n / 2^s) + 1, so t 2^s <= n + 2^s < 2^22.  The
 *		exponent is (|y| t 2^2s - n^2)^2 / (2 n^2 t^2 2^2s).  With
 *		|y| < t (LONGEST + 1), |y| t 2^2s < 2^12.1 (t 2^s)^2 < 2^57, squared
 *		below 2^114; the denominator is 2 n^2 (t 2^s)^2 < 2^1+42+44 = 2^87.
 *	 Staircase	X < 2^44 (LONGEST + 1) < 2^57.  As width/e < 2^40, J width <=
 *		X width / numerator < (LONGEST + 1) 2^40 < 2^52.1, and e < 2^8 makes
 *		width < 2^48: |noise| <= r + J width < 2^53.
 * Both denominators are below the 2^96 that random.c treats fast.
 */
#include "core/noise/kernel.h"

#define LONGEST 4096

/* Rejection rounds of a base law that a working source never reaches */
#define PATIENCE 8192

/* x >= 0 with probability proportional to exp(-x/t) */
static uint64_t
draw_geometric(PaRandom *random, uint64_t t)
{
	uint64_t	rest = 0;
	uint64_t	whole = 0;
	int			round;

	for (round = 0; round < PATIENCE; round++)
	{
		rest = pa_random_below(random, t);
		if (pa_random_bernoulli_exp(random, rest, t) || random->failed)
			break;
	}
	while (whole <= LONGEST && pa_random_bernoulli_exp(random, 1, 1))
		whole++;
	if (round == PATIENCE || whole > LONGEST)
		pa_random_fail(random);
	return rest + t * whole;
}

/* k with probability proportional to exp(-|k| 2^s / n); 0 after a failure */
static int64_t
draw_laplace(PaRandom *random, uint64_t n, uint32_t s)
{
	int			round;

	for (round = 0; round < PATIENCE && !random->failed; round++)
	{
		int64_t		magnitude = (int64_t) (draw_geometric(random, n) >> s);
		bool		negative = pa_random_bit(random);

		/* one of the two zeros is refused, else 0 would count twice */
		if (!negative)
			return magnitude;
		if (magnitude != 0)
			return -magnitude;
	}
	pa_random_fail(random);
	return 0;
}

/* True with probability exp(-(|y| - sigma^2/t)^2 / (2 sigma^2)), sigma = n/2^s */
static bool
accept_gaussian(PaRandom *random, uint64_t n, uint32_t s, uint64_t t, uint64_t magnitude)
{
	PaInt128	distance;
	PaUint128	denominator;

	if (s == 0)
	{
		distance = (PaInt128) magnitude - (PaInt128) n;
		denominator = (PaUint128) n * n * 2;
	}
	else
	{
		PaUint128	wide = (PaUint128) n * t << s;

		distance = ((PaInt128) magnitude * t << 2 * s) - (PaInt128) n * n;
		denominator = wide * (n * t) << (s + 1);
	}
	return pa_random_bernoulli_exp(random, (PaUint128) (distance * distance), denominator);
}

/*
 * k with probability proportional to exp(-k^2 / (2 sigma^2)): a discrete
 * Laplace proposal of a whole scale t near sigma, accepted with probability
 * above 0.44 for every sigma (least near 0.3, 0.76 for large ones).
 */
static int64_t
draw_gaussian(PaRandom *random, uint64_t n, uint32_t s)
{
	uint64_t	t = s == 0 ? n : (n >> s) + 1;
	int			round;

	for (round = 0; round < PATIENCE && !random->failed; round++)
	{
		int64_t		proposal = draw_laplace(random, t, 0);
		uint64_t	magnitude = (uint64_t) (proposal < 0 ? -proposal : proposal);

		if (accept_gaussian(random, n, s, t, magnitude))
			return proposal;
	}
	pa_random_fail(random);
	return 0;
}

/* Laplace or Gaussian with the kernel's scale */
static int64_t
draw_base(PaRandom *random, const PaKernel *kernel)
{
	if (kernel->kind == PA_KERNEL_LAPLACE || kernel->kind == PA_KERNEL_BRDP_LAPLACE)
		return draw_laplace(random, kernel->numerator, kernel->shift);
	return draw_gaussian(random, kernel->numerator, kernel->shift);
}

/* Refusals after which a kernel's rounds give up on their source */
static uint32_t
patience_of(const PaKernel *kernel)
{
	return LONGEST * pa_kernel_rounds(kernel);
}

/* True with probability exactly keep/2^PA_KEEP_BITS */
static bool
draw_keep(PaRandom *random, uint64_t keep)
{
	return pa_random_u64(random) >> (64 - PA_KEEP_BITS) < keep;
}

static int64_t
draw_recycled(PaRandom *random, const PaKernel *kernel)
{
	uint32_t	left;

	for (left = patience_of(kernel); left > 0 && !random->failed; left--)
	{
		int64_t		proposal = draw_base(random, kernel);

		if ((-kernel->band <= proposal && proposal <= kernel->band) || draw_keep(random, kernel->keep))
			return proposal;
	}
	pa_random_fail(random);
	return 0;
}

/* k on the given stair from 1 on, cell being one of its 2 width ones */
static int64_t
place_on_stair(const PaKernel *kernel, uint64_t stair, uint64_t cell)
{
	int64_t		below = kernel->band % kernel->width + (int64_t) (stair - 1) * kernel->width;
	int64_t		magnitude = below + 1 + (int64_t) (cell / 2);

	return cell % 2 == 0 ? magnitude : -magnitude;
}

static int64_t
draw_staircase(PaRandom *random, const PaKernel *kernel)
{
	uint64_t	plateau = (uint64_t) (kernel->band % kernel->width);
	uint32_t	left;

	for (left = patience_of(kernel); left > 0 && !random->failed; left--)
	{
		uint64_t	stair = draw_geometric(random, UINT64_C(1) << PA_STAIR_SHIFT) / kernel->numerator;
		uint64_t	cell = pa_random_below(random, 2 * (uint64_t) kernel->width);

		if (stair > 0)
			return place_on_stair(kernel, stair, cell);
		if (cell < 2 * plateau + 1)
			return (int64_t) cell - (int64_t) plateau;
	}
	pa_random_fail(random);
	return 0;
}

/* The cells 0, 1, -1, 2, -2, ... in turn, each as wide as its weight */
static int64_t
draw_table(PaRandom *random, const PaNoiseTable *table)
{
	uint64_t	rest = pa_random_below(random, table->total);
	int32_t		k;

	if (rest < table->weight[0])
		return 0;
	rest -= table->weight[0];
	for (k = 1; k < table->last && rest >= 2 * table->weight[k]; k++)
		rest -= 2 * table->weight[k];
	return rest < table->weight[k] ? k : -k;
}

static int64_t
draw_kernel(PaRandom *random, const PaKernel *kernel)
{
	switch (kernel->kind)
	{
		case PA_KERNEL_LAPLACE:
		case PA_KERNEL_GAUSSIAN:
			return draw_base(random, kernel);
		case PA_KERNEL_BRDP_LAPLACE:
		case PA_KERNEL_BRDP_GAUSSIAN:
			return draw_recycled(random, kernel);
		case PA_KERNEL_STAIRCASE:
			return draw_staircase(random, kernel);
		case PA_KERNEL_OPTIMAL:
			return draw_table(random, kernel->table);
	}
	return 0;
}

PaStatus
pa_kernel_sample(const PaKernel *kernel, PaRandom *random, int64_t *noise)
{
	int64_t		draw;

	if (!pa_kernel_valid(kernel))
		return PA_INVALID;
	draw = draw_kernel(random, kernel);
	if (random->failed)
		return PA_NO_RANDOMNESS;
	*noise = draw;
	return PA_OK;
}
