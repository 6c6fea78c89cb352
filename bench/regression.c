/*
 * regression.c
 *		The realised loss over a 9-dimensional box, after the paper's Section 6.
 *
 * The owner's record is 0 in [-1, 1]^9.  Coefficients are uniform on [-1, 1]; of a
 * linear regression they are divided by the sum of their magnitudes, so that its
 * value is in [-1, 1].  Each query has eps 0.1, the filter 1, and a run ends with
 * the first query that is refused.  Nothing is grouped unless it says so.
 *
 *	 regression [RUNS [NAME [SEED]]]	RUNS of each experiment, or of one; SEED of the
 *									first run, 1 unless given
 *
 * Without RUNS there are 50 as in the paper, but 10 of logistic queries without
 * groups: a run that accepts many queries takes up to minutes there.
 *
 * Prints lines "what runs median_accepted median_seconds slowest_seconds"; accepted
 * is the number of queries.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/bayes/regression.h"
#include "source.h"

#define DIMENSIONS 9
#define MOST_QUERIES 400
#define MOST_RUNS 1000
#define RUNS 50
#define FEW_RUNS 10
#define EPSILON 0.1
#define CAP 1.0
#define GAP 1e-3				/* of bounds after each query, and of closed groups */
#define NODES 200000
#define ROW 50					/* queries of the experiment without a filter */

typedef struct Stream
{
	PaRegressionKind kind;
	PaRandom	random;
	uint64_t	seed;
	double		theta[MOST_QUERIES][DIMENSIONS];
	PaAnswer	answer[MOST_QUERIES];
	int			answers;
} Stream;

static const double box_low[DIMENSIONS] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
static const double box_high[DIMENSIONS] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
static const PaBox box = {DIMENSIONS, box_low, box_high};

static double
now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec + 1e-9 * at.tv_nsec;
}

static void
start_stream(Stream *stream, PaRegressionKind kind, uint64_t seed)
{
	stream->kind = kind;
	stream->seed = seed * UINT64_C(0x9E3779B97F4A7C15) ^ UINT64_C(0xD1B54A32D192ED03);
	stream->answers = 0;
	pa_random_init(&stream->random, source_seeded, &stream->seed);
}

/* Draws the next query, behind the last answer, and the output that it would have. */
static PaRegression *
next_query(Stream *stream)
{
	PaAnswer   *answer = &stream->answer[stream->answers];
	double	   *theta = stream->theta[stream->answers];
	double		constant = uniform(&stream->random, -1, 1);
	double		norm = fabs(constant);
	double		u;
	int			j;

	for (j = 0; j < DIMENSIONS; j++)
	{
		theta[j] = uniform(&stream->random, -1, 1);
		norm += fabs(theta[j]);
	}
	if (stream->kind == PA_REGRESSION_LINEAR)
	{
		for (j = 0; j < DIMENSIONS; j++)
			theta[j] /= norm;
		constant /= norm;
	}
	answer->query.kind = stream->kind;
	answer->query.theta = theta;
	answer->query.constant = constant;
	answer->query.a = -1;
	answer->query.b = 1;
	answer->query.epsilon = EPSILON;
	u = stream->kind == PA_REGRESSION_LINEAR ? (constant + 1) / 2 : 1 / (1 + exp(-constant));
	answer->output = uniform(&stream->random, 0, 1) < (1 + expm1(EPSILON) * u) / (exp(EPSILON) + 1);
	return &answer->query;
}

/* The queries that a filter accepts; -1 for an error. */
static int
run_filter(Stream *stream, const PaRegressionRules *rules)
{
	PaRegressionState	known = {.loss = 0};

	while (stream->answers < MOST_QUERIES)
	{
		PaRegressionDecision decision;
		PaRegression *query = next_query(stream);

		if (pa_regression_decide(&box, stream->answer, stream->answers, &known, query, rules,
								 &plain_memory, &decision) != PA_OK)
			return -1;
		if (decision.verdict == PA_REGRESSION_UNDETERMINED)
			fprintf(stderr, "undetermined after %ld nodes\n", decision.nodes);
		if (decision.verdict != PA_REGRESSION_ACCEPT)
			break;
		known = decision.after[stream->answer[stream->answers].output];
		stream->answers++;
	}
	return stream->answers;
}

/* Bounds after each of ROW queries, whatever the loss; the queries, or -1. */
static int
run_row(Stream *stream)
{
	PaRegressionBounds bounds;

	while (stream->answers < ROW)
	{
		next_query(stream);
		stream->answers++;
		if (pa_regression_bounds(&box, stream->answer, stream->answers, GAP, NODES,
								 &plain_memory, &bounds) != PA_OK || bounds.loss_most - bounds.loss_least > GAP)
			return -1;
	}
	return stream->answers;
}

static int
ascending(const void *a, const void *b)
{
	double		left = *(const double *) a;
	double		right = *(const double *) b;

	return (left > right) - (left < right);
}

static double
median(double *values, int n)
{
	qsort(values, (size_t) n, sizeof(double), ascending);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

typedef struct Plan
{
	int			runs;
	uint64_t	seed;
	const char *only;			/* NULL: all */
} Plan;

static int
experiment(const char *name, PaRegressionKind kind, const PaRegressionRules *rules, const Plan *plan)
{
	static Stream stream;
	double		accepted[MOST_RUNS];
	double		seconds[MOST_RUNS];
	bool		dear = kind == PA_REGRESSION_LOGISTIC && rules != NULL && rules->group == 0;
	int			runs = plan->runs > 0 ? plan->runs : dear ? FEW_RUNS : RUNS;
	double		middle;
	int			i;

	if (plan->only != NULL && strcmp(plan->only, name) != 0)
		return 0;
	for (i = 0; i < runs; i++)
	{
		double		start = now();
		int			count;

		start_stream(&stream, kind, plan->seed + (uint64_t) i);
		count = rules == NULL ? run_row(&stream) : run_filter(&stream, rules);
		if (count < 0)
			return 1;
		seconds[i] = now() - start;
		accepted[i] = count;
	}
	middle = median(seconds, runs);
	printf("%s %d %.1f %.4f %.4f\n", name, runs, median(accepted, runs), middle, seconds[runs - 1]);
	fflush(stdout);
	return 0;
}

int
main(int argc, char **argv)
{
	Plan		plan = {argc > 1 ? atoi(argv[1]) : 0, argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
		argc > 2 ? argv[2] : NULL};
	PaRegressionRules full = {CAP, false, 0, GAP, NODES};
	PaRegressionRules simplified = {CAP, true, 0, GAP, NODES};
	PaRegressionRules full_groups = {CAP, false, 10, GAP, NODES};
	PaRegressionRules simplified_groups = {CAP, true, 10, GAP, NODES};

	plan.runs = plan.runs > MOST_RUNS ? MOST_RUNS : plan.runs;
	return experiment("linear_row", PA_REGRESSION_LINEAR, NULL, &plan) ||
		experiment("linear_groups_simplified", PA_REGRESSION_LINEAR, &simplified_groups, &plan) ||
		experiment("linear_groups_full", PA_REGRESSION_LINEAR, &full_groups, &plan) ||
		experiment("linear_simplified", PA_REGRESSION_LINEAR, &simplified, &plan) ||
		experiment("linear_full", PA_REGRESSION_LINEAR, &full, &plan) ||
		experiment("logistic_groups_simplified", PA_REGRESSION_LOGISTIC, &simplified_groups, &plan) ||
		experiment("logistic_groups_full", PA_REGRESSION_LOGISTIC, &full_groups, &plan) ||
		experiment("logistic_simplified", PA_REGRESSION_LOGISTIC, &simplified, &plan) ||
		experiment("logistic_full", PA_REGRESSION_LOGISTIC, &full, &plan);
}
