/*
 * draw.c
 *		Exact draws of discrete Laplace and Gaussian noise.
 *
 * Method: Canonne, Kamath, Steinke (2020), Algorithms 2 and 3, in integers
 * only.  No libm call decides anything, so the law drawn is the law accounted.
 *
 * Patience.  The loops have a fixed PATIENCE: each of their rounds is accepted
 * with probability above 0.43, and 0.57^8192 < 2^-5900.
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
 * Both denominators are below the 2^96 that random.c treats fast.
 */
#include "core/noise/draw.h"

#define LONGEST PA_DRAW_LONGEST

/* Rejection rounds that a working source never reaches */
#define PATIENCE 8192

uint64_t
pa_draw_geometric(PaRandom *random, uint64_t t)
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

int64_t
pa_draw_laplace(PaRandom *random, uint64_t n, uint32_t s)
{
	int			round;

	for (round = 0; round < PATIENCE && !random->failed; round++)
	{
		int64_t		magnitude = (int64_t) (pa_draw_geometric(random, n) >> s);
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
 * A discrete Laplace proposal of a whole scale t near sigma, accepted with
 * probability above 0.44 for every sigma (least near 0.3, 0.76 for large ones).
 */
int64_t
pa_draw_gaussian(PaRandom *random, uint64_t n, uint32_t s)
{
	uint64_t	t = s == 0 ? n : (n >> s) + 1;
	int			round;

	for (round = 0; round < PATIENCE && !random->failed; round++)
	{
		int64_t		proposal = pa_draw_laplace(random, t, 0);
		uint64_t	magnitude = (uint64_t) (proposal < 0 ? -proposal : proposal);

		if (accept_gaussian(random, n, s, t, magnitude))
			return proposal;
	}
	pa_random_fail(random);
	return 0;
}
