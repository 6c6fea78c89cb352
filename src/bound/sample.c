/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sample.c
 *		A Poisson sample of owners: each is in it or not, with all their rows.
 */
#include "postgres.h"

#include <math.h>

#include "bound/keyed_hash.h"
#include "bound/sample.h"

PaSample
pa_sample_draw(double rate)
{
	PaSample	sample = {.everybody = rate >= 1};

	if (sample.everybody)
		return sample;
	sample.threshold = (uint64) ldexp(rate, 64);
	if (!pg_strong_random(sample.key, PA_SAMPLE_KEY))
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("could not draw a sample of owners"),
				errdetail("The operating system provided no random bits."));
	return sample;
}

bool
pa_sample_has(const PaSample *sample, Oid owner_type, Datum owner)
{
	return sample->everybody || pa_owner_hash64(sample->key, owner_type, owner) < sample->threshold;
}
