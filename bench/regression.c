/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * regression.c
 *		The realised loss over a 9-dimensional box, after the paper's Section 6.
 *
 * The queries are those of stream.h.  The filter has epsilon 1, and a run ends with
 * the first query that is refused.  Nothing is grouped unless it says so.
 *
 *	 regression [RUNS [NAME [SEED]]]	RUNS of each experiment, or of one; SEED of the
 *									first run, 1 unless given
 *
 * Without RUNS there are 50 as in the paper, but 10 of logistic queries without
 * groups: a run that accepts many queries takes up to minutes there.  The steep
 * experiments have logistic queries with coefficients up to 10.
 *
 * Prints lines "what runs median_accepted median_seconds slowest_seconds"; accepted
 * is the number of queries.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "source.h"
#include "stream.h"

#define MOST_RUNS 1000
#define RUNS 50
#define FEW_RUNS 10
#define CAP 1.0
#define GAP 1e-3				/* of bounds after each query, and of closed groups */
#define NODES 200000
#define ROW 50					/* queries of the experiment without a filter */
#define STEEP 10.0				/* coefficients of steep queries are up to this */

/* The queries that a filter accepts; -1 for an error. */
static int
run_filter(Stream *stream, const PaRegressionRules *rules)
{
	if (!stream_filter(stream, rules))
		return -1;
	if (stream->undetermined)
		fprintf(stderr, "undetermined after %ld nodes\n", rules->nodes);
	return stream->answers;
}

/* Bounds after each of ROW queries, whatever the loss; the queries, or -1. */
static int
run_row(Stream *stream)
{
	PaRegressionBounds bounds;

	while (stream->answers < ROW)
	{
		stream_draw(stream);
		stream->answers++;
		if (pa_regression_bounds(&stream_box, stream->answer, stream->answers, GAP, NODES,
								 &plain_memory, &bounds) != PA_OK || bounds.loss_most - bounds.loss_least > GAP)
			return -1;
	}
	return stream->answers;
}

typedef struct Plan
{
	int			runs;
	uint64_t	seed;
	const char *only;			/* NULL: all */
} Plan;

static int
experiment(const char *name, PaRegressionKind kind, double reach, const PaRegressionRules *rules,
		   const Plan *plan)
{
	static Stream stream;
	double		accepted[MOST_RUNS];
	double		seconds[MOST_RUNS];
	bool		dear = kind == PA_REGRESSION_LOGISTIC && reach == 1 && rules != NULL && rules->group == 0;
	int			runs = plan->runs > 0 ? plan->runs : dear ? FEW_RUNS : RUNS;
	int			i;

	if (plan->only != NULL && strcmp(plan->only, name) != 0)
		return 0;
	for (i = 0; i < runs; i++)
	{
		double		start = seconds_now();
		int			count;

		stream_start(&stream, (StreamLaw) {kind, reach}, plan->seed + (uint64_t) i);
		count = rules == NULL ? run_row(&stream) : run_filter(&stream, rules);
		if (count < 0)
			return 1;
		seconds[i] = seconds_now() - start;
		accepted[i] = count;
	}
	printf("%s %d %.1f %.4f %.4f\n", name, runs, quantile(accepted, runs, 0.5), quantile(seconds, runs, 0.5),
		   quantile(seconds, runs, 1));
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
	return experiment("linear_row", PA_REGRESSION_LINEAR, 1, NULL, &plan) ||
		experiment("linear_groups_simplified", PA_REGRESSION_LINEAR, 1, &simplified_groups, &plan) ||
		experiment("linear_groups_full", PA_REGRESSION_LINEAR, 1, &full_groups, &plan) ||
		experiment("linear_simplified", PA_REGRESSION_LINEAR, 1, &simplified, &plan) ||
		experiment("linear_full", PA_REGRESSION_LINEAR, 1, &full, &plan) ||
		experiment("logistic_groups_simplified", PA_REGRESSION_LOGISTIC, 1, &simplified_groups, &plan) ||
		experiment("logistic_groups_full", PA_REGRESSION_LOGISTIC, 1, &full_groups, &plan) ||
		experiment("logistic_simplified", PA_REGRESSION_LOGISTIC, 1, &simplified, &plan) ||
		experiment("logistic_full", PA_REGRESSION_LOGISTIC, 1, &full, &plan) ||
		experiment("steep_simplified", PA_REGRESSION_LOGISTIC, STEEP, &simplified, &plan) ||
		experiment("steep_full", PA_REGRESSION_LOGISTIC, STEEP, &full, &plan);
}
