/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random.c
 *		Buffered uniform bits, and exact integer draws made from them.
 *
 * Nothing here is floating point.  Every draw is exact for a source of fair,
 * independent bits: an integer below a bound by rejection, a rational
 * Bernoulli by comparing a uniform real with the rational, digit by digit.
 */
#include "core/random/random.h"

#include <string.h>

/*
 * Rounds after which a loop gives up on its source.  Each kind of round below
 * goes on with probability at most 1/2 (and the k-th round of the exponential
 * series with at most 1/k), so 2^10 of them are never seen.
 */
#define PATIENCE 1024

/*
 * Most factors exp(-1) tried one after the other.  Each holds with probability
 * below 0.37: a run of 4096 has probability below 2^-5900.
 */
#define LONGEST_RUN 4096

void
pa_random_init(PaRandom *random, PaRandomFill fill, void *context)
{
	memset(random, 0, sizeof(*random));
	random->fill = fill;
	random->context = context;
	random->used = PA_RANDOM_BUFFER;
}

PaStatus
pa_random_status(const PaRandom *random)
{
	return random->failed ? PA_NO_RANDOMNESS : PA_OK;
}

void
pa_random_fail(PaRandom *random)
{
	random->failed = true;
	random->used = PA_RANDOM_BUFFER;
	random->bits = 0;
	random->bits_left = 0;
	memset(random->buffer, 0, sizeof(random->buffer));
}

/* Hands out length <= 8 fresh bytes, or zeroes after a failure. */
static inline void
take(PaRandom *random, void *bytes, size_t length)
{
	if (!random->failed && random->used + length > PA_RANDOM_BUFFER)
	{
		random->used = 0;
		if (!random->fill(random->context, random->buffer, PA_RANDOM_BUFFER))
			pa_random_fail(random);
	}
	if (random->failed)
	{
		memset(bytes, 0, length);
		return;
	}
	memcpy(bytes, random->buffer + random->used, length);
	memset(random->buffer + random->used, 0, length);
	random->used += length;
}

static inline uint32_t
take_u32(PaRandom *random)
{
	uint32_t	word;

	take(random, &word, sizeof(word));
	return word;
}

uint64_t
pa_random_u64(PaRandom *random)
{
	uint64_t	word;

	take(random, &word, sizeof(word));
	return word;
}

bool
pa_random_bit(PaRandom *random)
{
	bool		bit;

	if (random->bits_left == 0)
	{
		random->bits = take_u32(random);
		random->bits_left = random->failed ? 0 : 32;
		if (random->failed)
			return false;
	}
	bit = random->bits & 1;
	random->bits >>= 1;
	random->bits_left--;
	return bit;
}

/*
 * Uniform below a bound of at most 32 bits.  The product of a uniform word and
 * the bound has the result in its upper half.  Each result has floor(2^32/bound)
 * or one more words that lead to it; refusing a lower half below 2^32 mod bound
 * leaves exactly floor(2^32/bound) for each (Lemire 2019).  A word is refused
 * with probability below 1/2.
 */
static inline uint32_t
below32(PaRandom *random, uint32_t bound)
{
	uint64_t	product = (uint64_t) take_u32(random) * bound;

	if ((uint32_t) product < bound)
	{
		uint32_t	refused = (uint32_t) -bound % bound;
		int			round = 0;

		while ((uint32_t) product < refused && !random->failed)
		{
			if (++round > PATIENCE)
				pa_random_fail(random);
			product = (uint64_t) take_u32(random) * bound;
		}
	}
	return random->failed ? 0 : (uint32_t) (product >> 32);
}

/*
 * Uniform below a wider bound: uniform below the next power of two, refused if
 * not below the bound, which has probability below 1/2.
 */
static PaUint128
below_wide(PaRandom *random, PaUint128 bound)
{
	PaUint128	mask = bound - 1;
	PaUint128	draw;
	int			width;
	int			round = 0;

	for (width = 1; width < 128; width *= 2)
		mask |= mask >> width;
	do
	{
		draw = pa_random_u64(random);
		if (mask >> 64)
			draw |= (PaUint128) pa_random_u64(random) << 64;
		draw &= mask;
		if (++round > PATIENCE)
			pa_random_fail(random);
	} while (draw >= bound && !random->failed);
	return random->failed ? 0 : draw;
}

PaUint128
pa_random_below128(PaRandom *random, PaUint128 bound)
{
	if (bound <= 1)
		return 0;
	if (bound <= UINT32_MAX)
		return below32(random, (uint32_t) bound);
	return below_wide(random, bound);
}

uint64_t
pa_random_below(PaRandom *random, uint64_t bound)
{
	return (uint64_t) pa_random_below128(random, bound);
}

/*
 * Compares a uniform real, drawn 32 binary digits at a time, with the digits
 * of numerator/denominator: smaller is true.  The remainder stays below the
 * denominator, so with a denominator of at most 2^96 nothing overflows; an
 * equal group of digits, the only one that goes on, has probability 2^-32.
 * A remainder of 0 means that the rational has no more digits: not smaller.
 */
static bool
bernoulli_digits(PaRandom *random, PaUint128 numerator, PaUint128 denominator)
{
	while (numerator > 0 && !random->failed)
	{
		uint32_t	drawn = take_u32(random);
		PaUint128	scaled = numerator << 32;
		uint32_t	digits = (uint32_t) (scaled / denominator);

		if (drawn != digits)
			return !random->failed && drawn < digits;
		numerator = scaled % denominator;
	}
	return false;
}

bool
pa_random_bernoulli(PaRandom *random, PaUint128 numerator, PaUint128 denominator)
{
	if (random->failed || numerator == 0)
		return false;
	if (numerator >= denominator)
		return true;
	if (denominator <= UINT32_MAX)
	{
		bool		smaller = below32(random, (uint32_t) denominator) < (uint32_t) numerator;

		return smaller && !random->failed;
	}
	if (denominator >> 96 == 0)
		return bernoulli_digits(random, numerator, denominator);
	return pa_random_below128(random, denominator) < numerator && !random->failed;
}

/*
 * exp(-gamma) for gamma = numerator/denominator <= 1.  The first K for which a
 * Bernoulli(gamma/K) fails is odd with probability sum over k of
 * (-gamma)^k / k! = exp(-gamma).  Bernoulli(gamma/K) is drawn as a
 * Bernoulli(1/K) and a Bernoulli(gamma) that both must hold, so that no
 * denominator grows.
 */
static bool
bernoulli_exp_fraction(PaRandom *random, PaUint128 numerator, PaUint128 denominator)
{
	uint32_t	k = 1;

	while ((k == 1 || below32(random, k) == 0) &&
		   pa_random_bernoulli(random, numerator, denominator))
	{
		if (++k > PATIENCE)
			pa_random_fail(random);
	}
	return k % 2 == 1 && !random->failed;
}

/* exp(-gamma) = exp(-1) ... exp(-1) exp(-fraction), each factor drawn in turn. */
bool
pa_random_bernoulli_exp(PaRandom *random, PaUint128 numerator, PaUint128 denominator)
{
	PaUint128	whole = numerator / denominator;
	int			run = 0;

	while (whole > 0)
	{
		if (!bernoulli_exp_fraction(random, 1, 1))
			return false;
		if (++run > LONGEST_RUN)
			pa_random_fail(random);
		whole--;
	}
	return bernoulli_exp_fraction(random, numerator % denominator, denominator);
}
