/*
 * sampler.c
 *		Exact draws of discrete Laplace and discrete Gaussian noise.
 *
 * Method: Canonne, Kamath, Steinke (2020), Algorithms 2 and 3, in integers
 * only.  No libm call decides anything, so the law drawn is the law accounted.
 *
 * Let the scale be n / 2^s, as kernel.h allows: s <= 20, and n < 2^21 if
 * s > 0, n < 2^40 if s = 0.
 *
 * Truncation.  The geometric number of whole scales in a magnitude is at most
 * LONGEST: a longer one, of probability exp(-4096) < 2^-5900, is reported as a
 * failed source.  That is below every delta that a double can state, and the
 * event does not depend on data.
 *
 * Nothing overflows:
 *	 Laplace	x = u + n v < n (LONGEST + 1) < 2^40 * 2^12.1 < 2^53, and so is |noise|.
 *	 Gaussian, s = 0	proposal scale t = n, |y| < 2^53, and the exponent is
 *		(|y| - n)^2 / (2 n^2): | |y| - n | <= 2^12 n < 2^52, squared below
 *		2^104; the denominator is below 2^81.
 *	 Gaussian, s > 0	t = floor(n / 2^s) + 1, so t 2^s <= n + 2^s < 2^22.  The
 *		exponent is (|y| t 2^2s - n^2)^2 / (2 n^2 t^2 2^2s).  With
 *		|y| < t (LONGEST + 1), |y| t 2^2s < 2^12.1 (t 2^s)^2 < 2^57, squared
 *		below 2^114; the denominator is 2 n^2 (t 2^s)^2 < 2^1+42+44 = 2^87.
 * Both denominators are below the 2^96 that random.c treats fast.
 */
#include "core/noise/kernel.h"

#define LONGEST 4096

/* Rejection rounds that a working source never reaches: each ends with probability > 1/3. */
#define PATIENCE 1024

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

PaStatus
pa_kernel_sample(const PaKernel *kernel, PaRandom *random, int64_t *noise)
{
	int64_t		draw;

	if (!pa_kernel_valid(kernel))
		return PA_INVALID;
	if (kernel->kind == PA_KERNEL_LAPLACE)
		draw = draw_laplace(random, kernel->numerator, kernel->shift);
	else
		draw = draw_gaussian(random, kernel->numerator, kernel->shift);
	if (random->failed)
		return PA_NO_RANDOMNESS;
	*noise = draw;
	return PA_OK;
}
