/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_regression.c
 *		Test vectors of the realised loss over continuous domains.
 *
 * Expected bounds are certified intervals: ours must meet them within the
 * tolerance and be no wider than the gap allows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bayes/regression.h"
#include "source.h"
#include "vectors.h"

#define MOST_ANSWERS 400
#define NODES 200000
#define GROUP_GAP 1e-6

/* A domain and its answers, with the memory that they point into */
typedef struct Case
{
	double		low[PA_REGRESSION_DIMENSIONS];
	double		high[PA_REGRESSION_DIMENSIONS];
	PaBox		box;
	double		theta[MOST_ANSWERS][PA_REGRESSION_DIMENSIONS];
	PaAnswer	answer[MOST_ANSWERS];
	int			answers;
} Case;

static bool
read_numbers(const json_t *array, int count, double *to)
{
	int			i;

	if (!json_is_array(array) || json_array_size(array) != (size_t) count)
		return false;
	for (i = 0; i < count; i++)
		to[i] = json_number(json_array_get(array, (size_t) i));
	return true;
}

static bool
read_box(const json_t *input, Case *item)
{
	const json_t *low = json_object_get(input, "lo");
	size_t		d = json_array_size(low);
	PaBox		box = {(int) d, item->low, item->high};

	item->box = box;
	item->answers = 0;
	return d >= 1 && d <= PA_REGRESSION_DIMENSIONS && read_numbers(low, (int) d, item->low) &&
		read_numbers(json_object_get(input, "hi"), (int) d, item->high);
}

/* Reads a query behind the last answer; it counts as one only once answers is raised. */
static bool
read_query(const json_t *json, Case *item)
{
	const char *type = json_string_value(json_object_get(json, "type"));
	double	   *theta = item->theta[item->answers];
	PaAnswer   *answer = &item->answer[item->answers];
	const json_t *out = json_object_get(json, "out");

	if (item->answers == MOST_ANSWERS - 1 || type == NULL)
		return false;
	answer->query.kind = strcmp(type, "logistic") == 0 ? PA_REGRESSION_LOGISTIC : PA_REGRESSION_LINEAR;
	answer->query.theta = theta;
	answer->query.constant = number(json, "c");
	answer->query.epsilon = number(json, "eps");
	answer->query.a = number(json, "a");
	answer->query.b = number(json, "b");
	answer->output = out == NULL ? 0 : (int) json_integer_value(out);
	return read_numbers(json_object_get(json, "theta"), item->box.dimensions, theta);
}

static bool
read_answers(const json_t *array, Case *item)
{
	size_t		i;
	json_t	   *json;

	json_array_foreach(array, i, json)
	{
		if (!read_query(json, item))
			return false;
		item->answers++;
	}
	return json_is_array(array);
}

static Case *
make_case(void)
{
	return calloc(1, sizeof(Case));
}

/* [least, most] against an expected interval */
static Outcome
meet(const Vector *vector, const char *what, double least, double most, double width)
{
	double		want[2];
	double		tol = number(vector->tol, "abs");

	if (!read_numbers(json_object_get(vector->expected, what), 2, want))
		return complain(vector, "no %s is expected", what);
	if (!(most >= want[0] - tol && least <= want[1] + tol && most - least <= width))
		return complain(vector, "%s is in [%.12g, %.12g], expected [%.12g, %.12g]",
						what, least, most, want[0], want[1]);
	return PASSED;
}

static Outcome
run_bounds_of(const Vector *vector, Case *item)
{
	PaRegressionBounds bounds;
	double		gap = input(vector, "gap");

	if (!read_box(vector->input, item) ||
		!read_answers(json_object_get(vector->input, "queries"), item))
		return complain(vector, "the input is not of the form");
	if (pa_regression_bounds(&item->box, item->answer, item->answers, gap, NODES, &plain_memory, &bounds) != PA_OK)
		return complain(vector, "no bounds");
	if (getenv("PA_VERBOSE"))
		printf("%s %ld nodes\n", vector->id, bounds.nodes);
	if (meet(vector, "max", bounds.max_least, bounds.max_most, gap) == FAILED ||
		meet(vector, "min", bounds.min_least, bounds.min_most, gap) == FAILED)
		return FAILED;
	return meet(vector, "logL", bounds.loss_least, bounds.loss_most, 2 * gap);
}

static Outcome
run_bounds(const Vector *vector)
{
	Case	   *item = make_case();
	Outcome		outcome = run_bounds_of(vector, item);

	free(item);
	return outcome;
}

static Outcome
compare_verdict(const Vector *vector, Case *item, bool simplified)
{
	const char *what = simplified ? "simplified" : "full";
	const char *want = json_string_value(json_object_get(vector->expected, what));
	PaRegressionRules rules = {input(vector, "eps_g"), simplified, 0, GROUP_GAP, NODES};
	PaRegressionState	known = {.loss = 0};
	PaRegressionDecision decision;
	double		worst[2];

	if (want == NULL || !read_numbers(json_object_get(vector->expected, "worst_logL"), 2, worst))
		return complain(vector, "no decision is expected");
	known.loss = PA_REGRESSION_EPSILON * item->answers;
	if (pa_regression_decide(&item->box, item->answer, item->answers, &known, &item->answer[item->answers].query,
							 &rules, &plain_memory, &decision) != PA_OK)
		return complain(vector, "no decision");
	if (getenv("PA_VERBOSE"))
		printf("%s %s %ld nodes\n", vector->id, what, decision.nodes);
	if (!simplified && decision.worst < worst[0] - number(vector->tol, "abs"))
		return complain(vector, "the worst loss %.12g is below %.12g", decision.worst, worst[0]);
	if (strcmp(want, "undetermined") != 0 &&
		(strcmp(want, "accept") == 0) != (decision.verdict == PA_REGRESSION_ACCEPT))
		return complain(vector, "%s filter: expected %s", what, want);
	return PASSED;
}

static Outcome
run_decision(const Vector *vector)
{
	Case	   *item = make_case();
	Outcome		outcome = FAILED;

	if (!read_box(vector->input, item) ||
		!read_answers(json_object_get(vector->input, "accepted"), item) ||
		!read_query(json_object_get(vector->input, "pending"), item))
		complain(vector, "the input is not of the form");
	else if (compare_verdict(vector, item, false) == PASSED)
		outcome = compare_verdict(vector, item, true);
	free(item);
	return outcome;
}

/* Query i of a stream, as an answer with the output that was realised */
static bool
read_streamed(const Vector *vector, size_t i, Case *item)
{
	double		row[PA_REGRESSION_DIMENSIONS + 1];
	int			d = item->box.dimensions;
	PaAnswer   *answer = &item->answer[item->answers];

	if (!read_numbers(json_array_get(json_object_get(vector->input, "theta0_first"), i), d + 1, row))
		return false;
	memcpy(item->theta[item->answers], row + 1, (size_t) d * sizeof(double));
	answer->query.kind = PA_REGRESSION_LINEAR;
	answer->query.theta = item->theta[item->answers];
	answer->query.constant = row[0];
	answer->query.a = input(vector, "a");
	answer->query.b = input(vector, "b");
	answer->query.epsilon = input(vector, "eps");
	answer->output = (int) json_integer_value(json_array_get(json_object_get(vector->input, "out"), i));
	return true;
}

/* How many queries of the stream a filter accepts before it rejects one; -1 for an error */
static int
accepted(const Vector *vector, Case *item, const PaRegressionRules *rules)
{
	size_t		queries = json_array_size(json_object_get(vector->input, "out"));
	PaRegressionState	known = {.loss = 0};
	size_t		i;

	item->answers = 0;
	for (i = 0; i < queries; i++)
	{
		PaRegressionDecision decision;

		if (!read_streamed(vector, i, item) ||
			pa_regression_decide(&item->box, item->answer, item->answers, &known,
								 &item->answer[item->answers].query, rules, &plain_memory, &decision) != PA_OK)
			return -1;
		if (decision.verdict != PA_REGRESSION_ACCEPT)
			break;
		known = decision.after[item->answer[item->answers].output];
		item->answers++;
	}
	return item->answers;
}

static Outcome
run_stream(const Vector *vector)
{
	static const struct
	{
		const char *name;
		bool		simplified;
		int			group;
	}			filters[] = {
		{"alg3_group10", true, 10}, {"alg2_group10", false, 10},
		{"alg3_group0", true, 0}, {"alg2_group0", false, 0}
	};
	Case	   *item = make_case();
	Outcome		outcome = read_box(vector->input, item) ? PASSED : complain(vector, "no box");
	size_t		i;

	for (i = 0; i < sizeof(filters) / sizeof(filters[0]) && outcome == PASSED; i++)
	{
		PaRegressionRules rules = {input(vector, "eps_g"), filters[i].simplified, filters[i].group, GROUP_GAP, NODES};

		outcome = compare(vector, filters[i].name, accepted(vector, item, &rules),
						  expected(vector, filters[i].name));
	}
	free(item);
	return outcome;
}

static Outcome
run_log_likelihood(const Vector *vector)
{
	Case	   *item = make_case();
	const json_t *x = json_object_get(vector->input, "x");
	double		value = NAN;
	Outcome		outcome;
	PaBox		box = {(int) json_array_size(x), item->low, item->low};

	item->box = box;
	if (box.dimensions > PA_REGRESSION_DIMENSIONS || !read_numbers(x, box.dimensions, item->low) ||
		!read_query(json_object_get(vector->input, "query"), item) ||
		pa_regression_log_likelihood(&box, &item->answer[0], item->low, &value) != PA_OK)
		outcome = complain(vector, "no log-likelihood");
	else
		outcome = compare(vector, "loglik", value, expected(vector, "loglik"));
	free(item);
	return outcome;
}

const Kind	vector_kinds_regression[] = {
	{"linear_stream", run_stream},
	{"loglik", run_log_likelihood},
	{"regression_bounds", run_bounds},
	{"regression_decision", run_decision},
	{NULL, NULL}
};
