/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random.h
 *		Uniform random bits and integers, from a source that the caller names.
 *
 * Production fills from the operating system's generator (pg_strong_random);
 * tests may fill from a recorded tape.  A PaRandom buffers a block of bytes,
 * wipes each byte once it was handed out, and must not be shared across fork:
 * whoever embeds it creates it after the fork.
 *
 * Failure is sticky: once the source failed every later call fails too, so a
 * sampler needs to test the status only once at its end.  A rejection loop
 * that is still rejecting after a number of rounds that no working source ever
 * reaches (probability below 2^-128) declares its source failed, so that a
 * source stuck at a constant cannot hang the caller.
 */
#ifndef PA_RANDOM_H
#define PA_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* aligned as PostgreSQL's allocator aligns, which is less than the compiler would assume */
__extension__ typedef unsigned __int128 PaUint128 __attribute__((aligned(8)));
__extension__ typedef __int128 PaInt128 __attribute__((aligned(8)));

#define PA_RANDOM_BUFFER 1024

typedef bool (*PaRandomFill) (void *context, void *bytes, size_t length);

typedef struct PaRandom
{
	PaRandomFill fill;
	void	   *context;
	bool		failed;			/* sticky */
	uint32_t	bits;			/* fair bits not handed out yet, in the low end */
	uint32_t	bits_left;
	size_t		used;			/* bytes of buffer already handed out */
	unsigned char buffer[PA_RANDOM_BUFFER];
} PaRandom;

/* Starts with an empty buffer; reads nothing from the source yet. */
extern void pa_random_init(PaRandom *random, PaRandomFill fill, void *context);

/* PA_OK, or PA_NO_RANDOMNESS once the source has failed. */
extern PaStatus pa_random_status(const PaRandom *random);

/* Declares the source failed and wipes what is left of the buffer. */
extern void pa_random_fail(PaRandom *random);

/* Uniform on [0, 2^64); 0 after a failure. */
extern uint64_t pa_random_u64(PaRandom *random);

/* One fair bit; buffered, so that single bits are cheap. */
extern bool pa_random_bit(PaRandom *random);

/* Exactly uniform on [0, bound), bound >= 1, by rejection; 0 after a failure. */
extern uint64_t pa_random_below(PaRandom *random, uint64_t bound);
extern PaUint128 pa_random_below128(PaRandom *random, PaUint128 bound);

/*
 * True with probability exactly numerator/denominator (0 <= n <= d, d >= 1);
 * false after a failure.
 */
extern bool pa_random_bernoulli(PaRandom *random, PaUint128 numerator, PaUint128 denominator);

/*
 * True with probability exactly exp(-numerator/denominator), by the series of
 * Canonne, Kamath and Steinke (2020), Algorithm 1; d >= 1.  False after a
 * failure.
 */
extern bool pa_random_bernoulli_exp(PaRandom *random, PaUint128 numerator, PaUint128 denominator);

#endif							/* PA_RANDOM_H */
