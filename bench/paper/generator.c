/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generator.c
 *		Repeatable numbers for a survey or a simulation.  Never noise of a release.
 */
#include "generator.h"

uint64_t
generator_next(Generator *generator)
{
	uint64_t	z = generator->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

double
generator_uniform(Generator *generator)
{
	return ((double) (generator_next(generator) >> 12) + 0.5) * 0x1p-52;
}
