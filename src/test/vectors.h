/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors.h
 *		What the functions that run one kind of test vector share.
 *
 * A kind's function compares what the core computes with what is expected, within
 * the vector's own tolerance: a value passes if it is within "abs" or within
 * "rel", whichever is given; rules in words are one-sided and are written out
 * in the function of their kind.  Each file of kinds ends in one array of them.
 */
#ifndef PA_TEST_VECTORS_H
#define PA_TEST_VECTORS_H

#include <jansson.h>
#include <stdbool.h>

typedef enum Outcome
{
	PASSED,
	FAILED
} Outcome;

typedef struct Vector
{
	const char *id;
	const char *kind;
	json_t	   *input;
	json_t	   *expected;
	json_t	   *tol;
} Vector;

typedef struct Kind
{
	const char *name;
	Outcome		(*run) (const Vector *vector);
} Kind;

/* The kinds of each subject of vectors_list.h, the last one {NULL, NULL} */
#define VECTOR_SUBJECT(name) extern const Kind vector_kinds_##name[];
#include "vectors_list.h"
#undef VECTOR_SUBJECT

/* A number; "inf" is infinity; NAN if it is none. */
extern double json_number(const json_t *value);

/* The same of a member of an object */
extern double number(const json_t *object, const char *name);
extern double input(const Vector *vector, const char *name);
extern double expected(const Vector *vector, const char *name);

extern bool input_is(const Vector *vector, const char *name, const char *value);

/* Prints what is wrong; always FAILED. */
extern Outcome complain(const Vector *vector, const char *format,...)
			__attribute__((format(printf, 2, 3)));

/* A vector that asks for what is not there: nothing is skipped, so it has failed. */
extern Outcome not_built(const Vector *vector);

/* Within abs or rel; without either the numbers must be equal. */
extern bool within(const Vector *vector, double got, double want);

extern Outcome compare(const Vector *vector, const char *what, double got, double want);

/* A number that protects: within the tolerance, and never below what is exact. */
extern Outcome compare_sound(const Vector *vector, const char *what, double got, double want);

#endif							/* PA_TEST_VECTORS_H */
