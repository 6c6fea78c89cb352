/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bpf_streams.c
 *		Fig. 1 of the paper on the Bayesian filter: how many queries are accepted.
 *
 * The seeds are fixed, so all but the run times is the same each time.
 */
#include <math.h>
#include <stdio.h>

#include "core/bayes/filter.h"
#include "figures.h"
#include "markdown.h"
#include "source.h"
#include "stream.h"
#include "tables.h"

#define RUNS 50
#define FIRST_SEED 1
#define GROUP 10
#define GAP 1e-3				/* of closed groups */
#define LOSS_GAP 1e-2			/* of the loss at the end, which is not decided by */
#define NODES 20000				/* of one search; then the query is refused */
#define CAPS 5

static const double caps[CAPS] = {0.2, 0.4, 0.6, 0.8, 1};

typedef struct Family
{
	const char *name;
	StreamLaw	law;
	double		printed;		/* median at eps 1, groups of 10; NAN: the paper has no such queries */
} Family;

static const Family families[] = {
	{"linear", {PA_REGRESSION_LINEAR, 1}, 47},
	{"logistic, [-1, 1]", {PA_REGRESSION_LOGISTIC, 1}, NAN},
	{"logistic, [-10, 10]", {PA_REGRESSION_LOGISTIC, 10}, 21},
};

#define FAMILIES ((int) (sizeof(families) / sizeof(families[0])))

/* What the runs of one filter at one cap came to. */
typedef struct Outcome
{
	double		accepted[RUNS];
	double		seconds[RUNS];
	double		loss[RUNS];		/* of all answers together, certified; at the largest cap only */
	int			cut_short;		/* runs that the node limit ended */
} Outcome;

/* The loss of all answers together, at most; INFINITY for an error. */
static double
loss_together(const Stream *stream)
{
	PaRegressionBounds bounds;

	if (pa_regression_bounds(&stream_box, stream->answer, stream->answers, LOSS_GAP, NODES, &plain_memory,
							 &bounds) != PA_OK)
		return INFINITY;
	return fmin(bounds.loss_most, stream->known.loss);
}

static bool
run_once(const StreamLaw *law, const PaRegressionRules *rules, int run, Outcome *outcome)
{
	static Stream stream;
	double		start = seconds_now();

	stream_start(&stream, *law, FIRST_SEED + (uint64_t) run);
	if (!stream_filter(&stream, rules))
		return false;
	outcome->seconds[run] = seconds_now() - start;
	outcome->accepted[run] = stream.answers;
	outcome->cut_short += stream.undetermined;
	outcome->loss[run] = rules->cap < caps[CAPS - 1] ? NAN : loss_together(&stream);
	return true;
}

static bool
run_all(const StreamLaw *law, const PaRegressionRules *rules, Outcome *outcome)
{
	int			i;

	outcome->cut_short = 0;
	for (i = 0; i < RUNS; i++)
		if (!run_once(law, rules, i, outcome))
			return false;
	return true;
}

/* How many queries a sum of their epsilons bears. */
static int
basic_composition(double cap)
{
	int			n = 0;

	while ((n + 1) * STREAM_EPSILON <= cap + PA_FILTER_TIE)
		n++;
	return n;
}

static void
cell_percentiles(Outcome *outcome)
{
	char		text[32];

	snprintf(text, sizeof(text), "%g to %g", round(quantile(outcome->accepted, RUNS, 0.1)),
			 round(quantile(outcome->accepted, RUNS, 0.9)));
	cell_text(text);
}

static void
filter_row(const Family *family, int group, bool simplified)
{
	static Outcome outcome;
	int			i;

	cell_text(family->name);
	cell_text(group > 0 ? "groups of 10" : "none");
	cell_text(simplified ? "Algorithm 3" : "Algorithm 2");
	cell_fixed(group > 0 ? family->printed : NAN, 0);
	for (i = 0; i < CAPS; i++)
	{
		PaRegressionRules rules = {caps[i], simplified, group, GAP, NODES};

		if (!run_all(&family->law, &rules, &outcome))
			return;
		cell_short(quantile(outcome.accepted, RUNS, 0.5));
	}
	cell_percentiles(&outcome);
	cell_fixed(quantile(outcome.loss, RUNS, 0.5), 2);
	cell_count(outcome.cut_short);
	cell_rough(quantile(outcome.seconds, RUNS, 0.5));
	cell_rough(quantile(outcome.seconds, RUNS, 1));
	row_end();
	fflush(stdout);
}

static void
basic_row(void)
{
	int			i;

	cell_text("any");
	cell_text("none");
	cell_text("basic composition");
	cell_count(10);
	for (i = 0; i < CAPS; i++)
		cell_count(basic_composition(caps[i]));
	cell_text("10 to 10");
	for (i = 0; i < 4; i++)
		cell_text("-");
	row_end();
}

static void
figure_1(void)
{
	int			i;

	heading("3a. Fig. 1: accepted queries");
	paragraph("Each query has eps = .1. Medians of %d runs, the same queries in each line of a kind, by the budget eps of "
			  "the owner; the columns after these are for eps = 1. Loss: realised loss (log L) of all accepted queries "
			  "together, median. Cut short: runs that ended because a search came to %d nodes, which refuses the query. "
			  "The seconds are of this machine and differ from run to run.", RUNS, NODES);
	table("queries|grouping|filter|printed at 1|.2|.4|.6|.8|1|10th to 90th percentile|loss|cut short|seconds, median|slowest");
	basic_row();
	for (i = 0; i < FAMILIES; i++)
	{
		filter_row(&families[i], GROUP, true);
		filter_row(&families[i], GROUP, false);
		filter_row(&families[i], 0, true);
		filter_row(&families[i], 0, false);
	}
}

static void
group_sizes(void)
{
	static const int sizes[] = {5, 10, 15, 20, 25, 30};
	static Outcome outcome;
	int			i;
	int			k;

	heading("3b. Larger groups");
	paragraph("Algorithm 2, eps = 1, medians of %d runs; the columns are sizes of groups.", RUNS);
	table("queries|5|10|15|20|25|30");
	for (i = 0; i < FAMILIES; i++)
	{
		cell_text(families[i].name);
		for (k = 0; k < 6; k++)
		{
			PaRegressionRules rules = {1, false, sizes[k], GAP, NODES};

			if (!run_all(&families[i].law, &rules, &outcome))
				return;
			cell_short(quantile(outcome.accepted, RUNS, 0.5));
		}
		row_end();
		fflush(stdout);
	}
}

void
tables_of_streams(void)
{
	figure_1();
	group_sizes();
}
