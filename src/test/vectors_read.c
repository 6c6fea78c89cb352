/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_read.c
 *		Arrays of test vectors.
 */
#include "vectors_read.h"

#include <stdlib.h>
#include <string.h>

#define ROOM ((size_t) 1 << 21)

static double memory[ROOM];
static size_t used;

void
read_afresh(void)
{
	used = 0;
}

double *
room(size_t count)
{
	double	   *from = memory + used;

	if (count > ROOM - used)
		abort();
	memset(from, 0, count * sizeof(double));
	used += count;
	return from;
}

static size_t
count_numbers(const json_t *value)
{
	size_t		count = 0;
	size_t		i;

	if (!json_is_array(value))
		return value == NULL || json_is_null(value) ? 0 : 1;
	for (i = 0; i < json_array_size(value); i++)
		count += count_numbers(json_array_get(value, i));
	return count;
}

static double *
copy_numbers(const json_t *value, double *to)
{
	size_t		i;

	if (!json_is_array(value))
	{
		*to = json_number(value);
		return to + 1;
	}
	for (i = 0; i < json_array_size(value); i++)
		to = copy_numbers(json_array_get(value, i), to);
	return to;
}

double *
read_numbers_of(const json_t *value, size_t *count)
{
	size_t		numbers = count_numbers(value);
	double	   *to = NULL;

	if (numbers > 0)
	{
		to = room(numbers);
		copy_numbers(value, to);
	}
	if (count != NULL)
		*count = numbers;
	return to;
}

double *
input_numbers(const Vector *vector, const char *name, size_t *count)
{
	return read_numbers_of(json_object_get(vector->input, name), count);
}

double *
expected_numbers(const Vector *vector, const char *name, size_t *count)
{
	return read_numbers_of(json_object_get(vector->expected, name), count);
}

int *
input_integers(const Vector *vector, const char *name, size_t *count)
{
	size_t		numbers;
	double	   *from = input_numbers(vector, name, &numbers);
	int		   *to = NULL;
	size_t		i;

	if (numbers > 0)
		to = (int *) room(numbers);
	for (i = 0; i < numbers; i++)
		to[i] = (int) from[i];
	if (count != NULL)
		*count = numbers;
	return to;
}

unsigned char *
input_bytes(const Vector *vector, const char *name, size_t *count)
{
	size_t		numbers;
	double	   *from = input_numbers(vector, name, &numbers);
	unsigned char *to = NULL;
	size_t		i;

	if (numbers > 0)
		to = (unsigned char *) room(numbers);
	for (i = 0; i < numbers; i++)
		to[i] = from[i] != 0;
	if (count != NULL)
		*count = numbers;
	return to;
}

Outcome
compare_all(const Vector *vector, const char *name, const double *got, size_t count)
{
	size_t		wanted;
	double	   *want = expected_numbers(vector, name, &wanted);
	size_t		i;

	if (wanted != count)
		return complain(vector, "%zu numbers of %s, expected %zu", count, name, wanted);
	for (i = 0; i < count; i++)
	{
		Outcome		outcome = compare(vector, name, got[i], want[i]);

		if (outcome != PASSED)
			return outcome;
	}
	return PASSED;
}
