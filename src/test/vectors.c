/*
 * vectors.c
 *		Runs a file of test vectors against the core.
 *
 * A file is {"about": ..., "vectors": [{"id", "kind", "input", "expected",
 * "tol"}, ...]}.  Each kind has one function here, which compares what it
 * computes with what is expected within the vector's own tolerance: a value
 * passes if it is within "abs" or within "rel", whichever is given; rules in
 * words are one-sided and are written out in the function of their kind.
 * A vector whose kind has no function, or whose input asks for what is not
 * built, is skipped by name.  The last line is the count.  The exit status is
 * 0 if nothing failed, 1 if something did, 2 if the file cannot be used.
 */
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/noise/continuous.h"
#include "core/noise/law.h"

typedef enum Outcome
{
	PASSED,
	FAILED,
	NOT_BUILT
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

/* A number of an object; "inf" is infinity; NAN if there is none. */
static double
number(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	if (json_is_string(value) && strcmp(json_string_value(value), "inf") == 0)
		return INFINITY;
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static double
input(const Vector *vector, const char *name)
{
	return number(vector->input, name);
}

static bool
input_is(const Vector *vector, const char *name, const char *value)
{
	const char *got = json_string_value(json_object_get(vector->input, name));

	return got != NULL && strcmp(got, value) == 0;
}

static Outcome complain(const Vector *vector, const char *format,...)
			__attribute__((format(printf, 2, 3)));

static Outcome
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

/* Within abs or rel; without either the numbers must be equal. */
static bool
within(const Vector *vector, double got, double want)
{
	double		error = fabs(got - want);

	if (got == want)
		return true;
	return error <= number(vector->tol, "abs") ||
		error <= number(vector->tol, "rel") * fabs(want);
}

static Outcome
compare(const Vector *vector, const char *what, double got, double want)
{
	if (within(vector, got, want))
		return PASSED;
	return complain(vector, "%s is %.17g, expected %.17g", what, got, want);
}

/* A delta that protects: within the tolerance, and never below what is exact. */
static Outcome
compare_sound(const Vector *vector, const char *what, double got, double want)
{
	if (got < want * (1 - 1e-9))
		return complain(vector, "%s is %.17g, which under-reports %.17g", what, got, want);
	return compare(vector, what, got, want);
}

static Outcome
run_laplace_b(const Vector *vector)
{
	double		b = NAN;

	if (pa_laplace_scale(input(vector, "eps"), input(vector, "delta"),
						 input(vector, "Delta"), &b) != PA_OK)
		return complain(vector, "no scale");
	return compare(vector, "b", b, number(vector->expected, "b"));
}

/* Rule: besides the tolerance, delta(sigma) <= delta * (1 + 1e-7). */
static Outcome
run_gaussian_sigma(const Vector *vector)
{
	double		sigma = NAN;
	double		delta = input(vector, "delta");
	double		reached;

	if (pa_gaussian_sigma(input(vector, "eps"), delta, input(vector, "Delta"), &sigma) != PA_OK)
		return complain(vector, "no sigma");
	reached = pa_gaussian_profile(sigma, input(vector, "Delta"), input(vector, "eps"));
	if (!(reached <= delta * (1 + 1e-7)))
		return complain(vector, "delta(sigma) is %.17g, above %.17g", reached, delta);
	return compare(vector, "sigma", sigma, number(vector->expected, "sigma"));
}

static Outcome
run_kernel_profile(const Vector *vector)
{
	double		delta;

	if (input_is(vector, "kernel", "laplace"))
		delta = pa_laplace_profile(input(vector, "par"), input(vector, "Delta"), input(vector, "eps"));
	else if (input_is(vector, "kernel", "gaussian"))
		delta = pa_gaussian_profile(input(vector, "par"), input(vector, "Delta"), input(vector, "eps"));
	else
		return NOT_BUILT;
	return compare(vector, "delta", delta, number(vector->expected, "delta"));
}

/* pmf: {"k": Pr[N = k]} */
static Outcome
compare_pmf(const Vector *vector, const PaLaw *law)
{
	const char *k;
	json_t	   *want;

	json_object_foreach(json_object_get(vector->expected, "pmf"), k, want)
	{
		Outcome		outcome = compare(vector, k, pa_law_pmf(law, atof(k)), json_number_value(want));

		if (outcome != PASSED)
			return outcome;
	}
	return PASSED;
}

/* Without recycling (q = 0) the lattice kernel is the plain law. */
static Outcome
run_lattice_profile(const Vector *vector)
{
	bool		laplace = input_is(vector, "kind", "dlap");
	PaLaw		law;
	Outcome		outcome;

	if (input(vector, "q") != 0 || !(laplace || input_is(vector, "kind", "dgauss")))
		return NOT_BUILT;
	law = pa_law_make(laplace ? PA_KERNEL_LAPLACE : PA_KERNEL_GAUSSIAN, input(vector, "par"));
	outcome = compare_sound(vector, "delta", pa_law_delta(&law, input(vector, "shift"), input(vector, "eps")),
							number(vector->expected, "delta"));
	if (outcome == PASSED)
		outcome = compare(vector, "acceptance", 1.0 - 2.0 * pa_law_tail(&law, input(vector, "m") + 1),
						  number(vector->expected, "acceptance"));
	return outcome == PASSED ? compare_pmf(vector, &law) : outcome;
}

static const Kind kinds[] = {
	{"gaussian_sigma", run_gaussian_sigma},
	{"kernel_profile", run_kernel_profile},
	{"laplace_b", run_laplace_b},
	{"lattice_profile", run_lattice_profile},
};

static Outcome
run_vector(const Vector *vector)
{
	size_t		i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, vector->kind) == 0)
			return kinds[i].run(vector);
	return NOT_BUILT;
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
	int			count[3] = {0, 0, 0};
	size_t		i;
	json_t	   *json;

	if (!json_is_array(vectors))
		return -1;
	json_array_foreach(vectors, i, json)
	{
		Vector		vector;
		Outcome		outcome;

		if (!read_vector(json, &vector))
			return -1;
		outcome = run_vector(&vector);
		if (outcome == NOT_BUILT)
			printf("skipped %s: kind %s not built yet\n", vector.id, vector.kind);
		count[outcome]++;
	}
	printf("%d passed, %d failed, %d skipped\n", count[PASSED], count[FAILED], count[NOT_BUILT]);
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
