/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_read.h
 *		Arrays of test vectors, in memory that lasts until the next vector.
 */
#ifndef PA_TEST_VECTORS_READ_H
#define PA_TEST_VECTORS_READ_H

#include <stddef.h>

#include "vectors.h"

/* Forgets all that was read. */
extern void read_afresh(void);

/* Room for "count" doubles, all 0 */
extern double *room(size_t count);

/* All numbers of an array of arrays in their order; NULL and 0 if it is null or missing. */
extern double *read_numbers_of(const json_t *value, size_t *count);
extern double *input_numbers(const Vector *vector, const char *name, size_t *count);
extern double *expected_numbers(const Vector *vector, const char *name, size_t *count);

/* The same as integers, and as bytes */
extern int *input_integers(const Vector *vector, const char *name, size_t *count);
extern unsigned char *input_bytes(const Vector *vector, const char *name, size_t *count);

/* got[i] against the numbers of a member of expected, as many as there are */
extern Outcome compare_all(const Vector *vector, const char *name, const double *got, size_t count);

#endif							/* PA_TEST_VECTORS_READ_H */
