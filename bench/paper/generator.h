/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generator.h
 *		Repeatable numbers for a survey or a simulation.  Never noise of a release.
 *
 * SplitMix64 (Steele, Lea, Flood 2014).
 */
#ifndef GENERATOR_H
#define GENERATOR_H

#include <stdint.h>

typedef struct Generator
{
	uint64_t	state;
} Generator;

extern uint64_t generator_next(Generator *generator);

/* Even in (0, 1), both ends excluded. */
extern double generator_uniform(Generator *generator);

#endif							/* GENERATOR_H */
