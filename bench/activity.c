/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * activity.c
 *		The experiment of the paper on Pufferfish composition: its rows, and what to expect.
 *
 *	 activity rows KIND			all rows: train, person, cohort, at, state (tabs between)
 *	 activity expected KIND RUNS	for each way, epsilon and figure: the exact mean, the standard
 *								deviation at most, and how far off the mean of RUNS may be
 *								(beyond it with a probability below FIGURE_FALSE_ALARM); epsilon 0
 *								stands for the sums over all epsilons
 *	 activity rates KIND		for each epsilon: that per row, and the point (b, a) that decides
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/pufferfish/odometer.h"
#include "experiment.h"

static const double epsilons[] = {0.5, 1, 2, 3, 4, 5};
static const char *const ways[] = {
	"Ours-Exp", "Lap-hist", "MQM", "MQM-splitpuf", "Group-DP-Exp", "Group-DP-Hist", "Group-DP-Lap"
};
static const char *const figure_names[EXPERIMENT_FIGURES] = {"acc1", "acc2", "acc3", "hits", "ndcg", "l1"};

#define FIGURE_FALSE_ALARM 5e-10

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void
print_row(const SyntheticRow *row, void *to)
{
	fprintf(to, "%c\t%d\t%d\t%d\t%d\n", row->train ? 't' : 'f', row->owner, row->query, row->at, row->state);
}

static int
print_rows(const char *kind)
{
	synthetic_rows(synthetic_kind(kind), print_row, stdout);
	return 0;
}

static void
print_figures(const char *way, double epsilon, const ExperimentFigure *figure, int runs)
{
	int			i;

	for (i = 0; i < EXPERIMENT_FIGURES; i++)
		printf("%s\t%g\t%s\t%.17g\t%.17g\t%.17g\n", way, epsilon, figure_names[i], figure[i].mean,
			   figure[i].deviation, experiment_allowed(&figure[i], runs, FIGURE_FALSE_ALARM));
}

static bool
print_way(const Experiment *experiment, const char *way, int runs)
{
	ExperimentFigure sum[EXPERIMENT_FIGURES] = {{0}};
	size_t		e;
	int			i;

	for (e = 0; e < LENGTH(epsilons); e++)
	{
		ExperimentNoise noise;
		ExperimentFigure figure[EXPERIMENT_FIGURES];

		if (!experiment_noise(experiment, way, epsilons[e], &noise) ||
			!experiment_figures(experiment, &noise, figure))
			return false;
		print_figures(way, epsilons[e], figure, runs);
		for (i = 0; i < EXPERIMENT_FIGURES; i++)
			experiment_add(&sum[i], &figure[i]);
	}
	print_figures(way, 0, sum, runs);
	return true;
}

static int
print_expected(const char *kind, int runs)
{
	static Experiment experiment;
	size_t		w;

	if (!experiment_prepare(kind, &experiment))
		return 1;
	for (w = 0; w < LENGTH(ways); w++)
		if (!print_way(&experiment, ways[w], runs))
			return 1;
	return 0;
}

static int
print_rates(const char *kind)
{
	static Experiment experiment;
	size_t		e;

	if (!experiment_prepare(kind, &experiment))
		return 1;
	for (e = 0; e < LENGTH(epsilons); e++)
	{
		double		row;
		PaInfluence point;

		if (pa_pufferfish_limit(&experiment.curve, epsilons[e], &row, &point, NULL) != PA_OK)
			return 1;
		printf("%g\t%.17g\t%d\t%.17g\n", epsilons[e], row, (int) point.b, point.a);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc >= 3 && synthetic_kind(argv[2]) != NULL)
	{
		if (argc == 3 && strcmp(argv[1], "rows") == 0)
			return print_rows(argv[2]);
		if (argc == 4 && strcmp(argv[1], "expected") == 0 && atoi(argv[3]) > 0)
			return print_expected(argv[2], atoi(argv[3]));
		if (argc == 3 && strcmp(argv[1], "rates") == 0)
			return print_rates(argv[2]);
	}
	fprintf(stderr, "usage: %s rows KIND | expected KIND RUNS | rates KIND\n", argv[0]);
	return 2;
}
