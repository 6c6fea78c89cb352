/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors.c
 *		Runs a file of test vectors against the core.
 *
 * A file is {"about": ..., "vectors": [{"id", "kind", "input", "expected",
 * "tol"}, ...]}.  Each kind has one function, in the vectors_*.c of its subject
 * (vectors_list.h).  A vector whose kind has no function, or whose input asks
 * for what is not built, has failed.  The last line is the count.  The exit
 * status is 0 if nothing failed, 1 if something did, 2 if the file cannot be used.
 */
#include "vectors.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "vectors_read.h"

static const Kind *const subjects[] = {
#define VECTOR_SUBJECT(name) vector_kinds_##name,
#include "vectors_list.h"
#undef VECTOR_SUBJECT
};

double
json_number(const json_t *value)
{
	if (json_is_string(value) && strcmp(json_string_value(value), "inf") == 0)
		return INFINITY;
	return json_is_number(value) ? json_number_value(value) : NAN;
}

double
number(const json_t *object, const char *name)
{
	return json_number(json_object_get(object, name));
}

double
input(const Vector *vector, const char *name)
{
	return number(vector->input, name);
}

double
expected(const Vector *vector, const char *name)
{
	return number(vector->expected, name);
}

bool
input_is(const Vector *vector, const char *name, const char *value)
{
	const char *got = json_string_value(json_object_get(vector->input, name));

	return got != NULL && strcmp(got, value) == 0;
}

Outcome
complain(const Vector *vector, const char *format,...)
{
	va_list		arguments;

	printf("failed %s: ", vector->id);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	return FAILED;
}

Outcome
not_built(const Vector *vector)
{
	return complain(vector, "kind %s with this input is not built", vector->kind);
}

bool
within(const Vector *vector, double got, double want)
{
	double		error = fabs(got - want);

	if (got == want)
		return true;
	return error <= number(vector->tol, "abs") ||
		error <= number(vector->tol, "rel") * fabs(want);
}

Outcome
compare(const Vector *vector, const char *what, double got, double want)
{
	if (within(vector, got, want))
		return PASSED;
	return complain(vector, "%s is %.17g, expected %.17g", what, got, want);
}

Outcome
compare_sound(const Vector *vector, const char *what, double got, double want)
{
	if (got < want * (1 - 1e-9))
		return complain(vector, "%s is %.17g, which under-reports %.17g", what, got, want);
	return compare(vector, what, got, want);
}

static Outcome
run_vector(const Vector *vector)
{
	const Kind *kind;
	size_t		i;

	for (i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		for (kind = subjects[i]; kind->name != NULL; kind++)
			if (strcmp(kind->name, vector->kind) == 0)
				return kind->run(vector);
	return not_built(vector);
}

static bool
read_vector(json_t *json, Vector *vector)
{
	vector->id = json_string_value(json_object_get(json, "id"));
	vector->kind = json_string_value(json_object_get(json, "kind"));
	vector->input = json_object_get(json, "input");
	vector->expected = json_object_get(json, "expected");
	vector->tol = json_object_get(json, "tol");
	return vector->id != NULL && vector->kind != NULL;
}

/* Runs all vectors; the number that failed, or -1 if the file is not of the form. */
static int
run_all(json_t *vectors)
{
	int			count[2] = {0, 0};
	size_t		i;
	json_t	   *json;

	if (!json_is_array(vectors))
		return -1;
	json_array_foreach(vectors, i, json)
	{
		Vector		vector;

		if (!read_vector(json, &vector))
			return -1;
		read_afresh();
		count[run_vector(&vector)]++;
	}
	printf("%d passed, %d failed\n", count[PASSED], count[FAILED]);
	return count[FAILED];
}

int
main(int argc, char **argv)
{
	json_error_t error;
	json_t	   *root;
	int			failed;

	if (argc != 2)
	{
		fprintf(stderr, "usage: %s file.json\n", argv[0]);
		return 2;
	}
	gsl_set_error_handler_off();
	root = json_load_file(argv[1], 0, &error);
	if (root == NULL)
	{
		fprintf(stderr, "%s:%d: %s\n", argv[1], error.line, error.text);
		return 2;
	}
	failed = run_all(json_object_get(root, "vectors"));
	if (failed < 0)
		fprintf(stderr, "%s: not a file of test vectors\n", argv[1]);
	json_decref(root);
	return failed < 0 ? 2 : failed > 0;
}
