/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sample.h
 *		A Poisson sample of owners: each is in it or not, with all their rows.
 *
 * A key is drawn for each release from the operating system; an owner is in the
 * sample if the keyed hash of the owner's value is below a threshold.  So the
 * choice is the same for all rows of an owner and in all processes of a release,
 * and independent between owners and releases as far as SipHash is a
 * pseudo-random function.  The key lives as long as the release and is never shown.
 */
#ifndef PA_SAMPLE_H
#define PA_SAMPLE_H

#include "postgres.h"

#define PA_SAMPLE_KEY 16

typedef struct PaSample
{
	bool		everybody;
	uint64		threshold;		/* hashes below it are in: rate 2^64, rounded down */
	uint8		key[PA_SAMPLE_KEY];
} PaSample;

/* A fresh sample; rate in (0, 1], 1: everybody. */
extern PaSample pa_sample_draw(double rate);

extern bool pa_sample_has(const PaSample *sample, Oid owner_type, Datum owner);

#endif							/* PA_SAMPLE_H */
