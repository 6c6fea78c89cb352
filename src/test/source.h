/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source.h
 *		Random sources and small helpers for the tests of the core.
 */
#ifndef PA_TEST_SOURCE_H
#define PA_TEST_SOURCE_H

#include "core/environment.h"
#include "core/random/random.h"

/*
 * Statistical tests draw fresh bits from the operating system, and fail by
 * chance with less than this probability each.
 */
#define FALSE_ALARM 1e-9

/* Bytes played back once; a fill beyond the end fails. */
typedef struct Tape
{
	const unsigned char *bytes;
	size_t		length;
	size_t		at;
} Tape;

extern bool source_system(void *context, void *bytes, size_t length);
extern bool source_tape(void *tape, void *bytes, size_t length);

/* Every byte is *(unsigned char *) context: a source that is stuck. */
extern bool source_stuck(void *context, void *bytes, size_t length);

/* Reproducible bits for choosing test cases (not for statistics); context is a uint64_t. */
extern bool source_seeded(void *context, void *bytes, size_t length);

/* Of such bits; the seed moves along. */
extern PaRandom seeded(uint64_t *seed);

/* A distribution; entries are 0 with the probability "zeros", others down to e^-spread of each other */
extern void random_law(PaRandom *random, int size, double spread, double zeros, double *law);

/* Uniform on [low, high), with 53 bits */
extern double uniform(PaRandom *random, double low, double high);

/* Draws per statistical test: 1000000, or PA_TEST_DRAWS of the environment. */
extern long draws_wanted(void);

/* Memory from malloc, and no interrupts. */
extern const PaEnvironment plain_memory;

/* Upper tail probability of Pearson's statistic; cells with expected < 10 are pooled. */
extern double chi_square_p(const double *seen, const double *expected, int cells);

#endif							/* PA_TEST_SOURCE_H */
