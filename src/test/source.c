/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source.c
 *		Random sources and small helpers for the tests of the core.
 */
#include "source.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

bool
source_system(void *context, void *bytes, size_t length)
{
	(void) context;
	return getrandom(bytes, length, 0) == (ssize_t) length;
}

bool
source_tape(void *context, void *bytes, size_t length)
{
	Tape	   *tape = context;

	if (tape->length - tape->at < length)
		return false;
	memcpy(bytes, tape->bytes + tape->at, length);
	tape->at += length;
	return true;
}

bool
source_stuck(void *context, void *bytes, size_t length)
{
	memset(bytes, *(unsigned char *) context, length);
	return true;
}

/* xorshift64*: good enough to choose cases with, and the same on every machine */
bool
source_seeded(void *context, void *bytes, size_t length)
{
	uint64_t   *state = context;
	unsigned char *out = bytes;
	size_t		i;

	for (i = 0; i < length; i++)
	{
		*state ^= *state >> 12;
		*state ^= *state << 25;
		*state ^= *state >> 27;
		out[i] = (unsigned char) ((*state * UINT64_C(0x2545F4914F6CDD1D)) >> 56);
	}
	return true;
}

double
uniform(PaRandom *random, double low, double high)
{
	return low + (high - low) * ldexp((double) (pa_random_u64(random) >> 11), -53);
}

PaRandom
seeded(uint64_t *seed)
{
	PaRandom	random;

	pa_random_init(&random, source_seeded, seed);
	return random;
}

void
random_law(PaRandom *random, int size, double spread, double zeros, double *law)
{
	double		sum = 0;
	int			i;

	while (!(sum > 0))
		for (i = 0, sum = 0; i < size; i++)
			sum += law[i] = uniform(random, 0, 1) < zeros ? 0.0 : exp(uniform(random, -spread, 0));
	for (i = 0; i < size; i++)
		law[i] /= sum;
}

long
draws_wanted(void)
{
	const char *text = getenv("PA_TEST_DRAWS");

	return text != NULL ? atol(text) : 1000000;
}

double
chi_square_p(const double *seen, const double *expected, int cells)
{
	double		statistic = 0;
	double		pooled_seen = 0;
	double		pooled_expected = 0;
	int			groups = 0;
	int			i;

	for (i = 0; i < cells; i++)
	{
		pooled_seen += seen[i];
		pooled_expected += expected[i];
		if (pooled_expected < 10 && i < cells - 1)
			continue;
		if (pooled_expected > 0)
		{
			double		off = pooled_seen - pooled_expected;

			statistic += off * off / pooled_expected;
			groups++;
		}
		else if (pooled_seen > 0)
			return 0.0;
		pooled_seen = pooled_expected = 0;
	}
	return groups < 2 ? 1.0 : gsl_cdf_chisq_Q(statistic, groups - 1);
}

static void *
allocate(void *context, size_t size)
{
	(void) context;
	return malloc(size);
}

static void
release(void *context, void *memory)
{
	(void) context;
	free(memory);
}

const PaEnvironment plain_memory = {.allocate = allocate, .release = release};
