/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arrays.h
 *		Arrays of numbers that a caller wrote by hand: checked, or refused.
 *
 * Refusals say which array and what is wrong with it; they quote none of its values.
 */
#ifndef PA_ARRAYS_H
#define PA_ARRAYS_H

#include "compat/version.h"

#include "fmgr.h"

#define PA_ARRAY_DIMENSIONS 3

/* How to speak of arguments when refusing them: all with 22PA5. */
typedef struct PaArguments
{
	const char *message;		/* "invalid argument of a privacy measure" */
	const char *hint;			/* NULL: none */
} PaArguments;

extern void pa_arguments_refuse(const PaArguments *arguments, const char *detail) PA_NORETURN;

typedef struct PaArray
{
	int			dimensions;		/* 0 if it is empty */
	int			size[PA_ARRAY_DIMENSIONS];
	size_t		length;
} PaArray;

/*
 * Argument i, which is of type float8[], and how large it is: its numbers are those of
 * the argument itself, and may be NaN or infinite.  Refused if it is null, has a null,
 * or fewer or more dimensions than that.  "name" begins a sentence: "The prior".
 */
extern const double *pa_array_floats(const PaArguments *arguments, FunctionCallInfo fcinfo, int i, const char *name,
									 int least_dimensions, int most_dimensions, PaArray *array);

/* The same of type int[], a copy; nulls become 0 if "nulls", else they are refused. */
extern const int *pa_array_ints(const PaArguments *arguments, FunctionCallInfo fcinfo, int i, const char *name,
								int least_dimensions, int most_dimensions, bool nulls, PaArray *array);

#endif							/* PA_ARRAYS_H */
