/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment.c
 *		Priors, noises and exact figures of the paper's experiment.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/pufferfish/chain_fit.h"
#include "core/pufferfish/odometer.h"
#include "experiment.h"
#include "source.h"

bool
experiment_prepare(const char *config, Experiment *experiment)
{
	PaChain		chain = {.transition = experiment->transition};
	const SyntheticKind *kind;

	if (!synthetic_make(config, &experiment->data))
		return false;
	kind = experiment->data.kind;
	chain.states = kind->states;
	experiment->curve = (PaCurve) {experiment->point,
		kind->length < EXPERIMENT_RADIUS ? kind->length : EXPERIMENT_RADIUS, kind->length};
	return pa_chain_fit(experiment->data.transitions, kind->states, EXPERIMENT_SMOOTHING,
						experiment->transition, NULL) == PA_OK &&
		pa_chain_curve(&chain, experiment->curve.points, &plain_memory, experiment->point, NULL) == PA_OK;
}

bool
experiment_noise(const Experiment *experiment, const char *name, double epsilon, ExperimentNoise *noise)
{
	double		m = experiment->data.kind->states;
	double		T = experiment->data.kind->length;
	bool		group = strncmp(name, "Group-DP-", 9) == 0;
	double		row = epsilon / T;
	double		part;

	if (pa_pufferfish_limit(&experiment->curve, epsilon / m, &part, NULL, NULL) != PA_OK ||
		(!group && pa_pufferfish_limit(&experiment->curve, epsilon, &row, NULL, NULL) != PA_OK))
		return false;
	noise->mechanism = strcmp(name, "Ours-Exp") == 0 || strcmp(name, "Group-DP-Exp") == 0 ?
		PA_TOPK_EXPONENTIAL : PA_TOPK_HISTOGRAM;
	if (noise->mechanism == PA_TOPK_EXPONENTIAL || strcmp(name, "Lap-hist") == 0 || strcmp(name, "Group-DP-Hist") == 0)
		noise->scale = pa_topk_scale(noise->mechanism, EXPERIMENT_K, row);
	else if (strcmp(name, "MQM") == 0 || strcmp(name, "Group-DP-Lap") == 0)
		noise->scale = m / row;	/* a count by itself changes by 1 */
	else if (strcmp(name, "MQM-splitpuf") == 0)
		noise->scale = 1 / part;
	else
		return false;
	return true;
}

/* One query: its counts, its true ranking, and the law of the answer */
typedef struct Query
{
	int			states;
	const double *count;
	int			first[EXPERIMENT_K];
	double		ideal;			/* discounted sum of the true counts */
	const double *chance;
} Query;

static void
rank_truth(Query *query)
{
	bool		taken[SYNTHETIC_STATES] = {false};
	int			r;
	int			i;

	query->ideal = 0;
	for (r = 0; r < EXPERIMENT_K; r++)
	{
		int			best = -1;

		for (i = 0; i < query->states; i++)
			if (!taken[i] && (best < 0 || query->count[i] > query->count[best]))
				best = i;
		taken[best] = true;
		query->first[r] = best;
		query->ideal += query->count[best] / log2(r + 2);
	}
}

static bool
is_first(const Query *query, int state)
{
	int			r;

	for (r = 0; r < EXPERIMENT_K; r++)
		if (query->first[r] == state)
			return true;
	return false;
}

/* What a state at a rank adds to a figure: all figures are such sums. */
static double
worth(const Query *query, int figure, int rank, int state)
{
	switch (figure)
	{
		case EXPERIMENT_HITS:
			return is_first(query, state) ? 1.0 / EXPERIMENT_K : 0;
		case EXPERIMENT_NDCG:
			return query->ideal > 0 ? query->count[state] / log2(rank + 2) / query->ideal : 1.0 / EXPERIMENT_K;
		case EXPERIMENT_L1:
			return fabs(query->count[state] - query->count[query->first[rank]]);
		default:
			return rank == figure && query->first[rank] == state;
	}
}

#define LEAST_SLOPE 1e-4
#define STEEPER 1.5

/* ln E e^(slope (x - mean)) of the part of a figure that comes from one rank */
static double
cumulant(const double *chance, const double *off, int states, double slope)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < states; i++)
		if (chance[i] > 0)
			sum += chance[i] * exp(slope * off[i]);
	return log(sum);			/* infinite if it overflows: no bound from this slope */
}

/*
 * The part of a rank.  Whatever the ranks have to do with each other, the deviation of a
 * sum is at most the sum of those of its parts, and (Hoelder) E e^(x + y + ...) at most the
 * geometric mean of E e^(n x), E e^(n y), ... for n parts.
 */
static void
add_rank(const Query *query, int figure, int rank, int parts, int queries, ExperimentFigure *sum)
{
	const double *chance = query->chance + rank * query->states;
	double		off[SYNTHETIC_STATES];
	double		mean = 0;
	double		square = 0;
	double		slope = LEAST_SLOPE * parts / queries;
	int			i;

	for (i = 0; i < query->states; i++)
		mean += chance[i] * worth(query, figure, rank, i);
	for (i = 0; i < query->states; i++)
	{
		off[i] = worth(query, figure, rank, i) - mean;
		square += chance[i] * off[i] * off[i];
	}
	sum->deviation += sqrt(square) / queries;
	for (i = 0; i < EXPERIMENT_SLOPES; i++, slope *= STEEPER)
	{
		sum->rise[i] += cumulant(chance, off, query->states, slope) / parts;
		sum->fall[i] += cumulant(chance, off, query->states, -slope) / parts;
	}
}

void
experiment_add(ExperimentFigure *sum, const ExperimentFigure *one)
{
	int			i;

	sum->mean += one->mean;
	sum->deviation = hypot(sum->deviation, one->deviation);
	for (i = 0; i < EXPERIMENT_SLOPES; i++)
	{
		sum->rise[i] += one->rise[i];
		sum->fall[i] += one->fall[i];
	}
}

/* Chernoff's bound: each slope proves one, the best counts. */
double
experiment_allowed(const ExperimentFigure *figure, int runs, double chance)
{
	double		up = INFINITY;
	double		down = INFINITY;
	double		slope = LEAST_SLOPE;
	int			i;

	for (i = 0; i < EXPERIMENT_SLOPES; i++, slope *= STEEPER)
	{
		up = fmin(up, (log(2 / chance) / runs + figure->rise[i]) / slope);
		down = fmin(down, (log(2 / chance) / runs + figure->fall[i]) / slope);
	}
	return fmax(up, down);
}

static bool
add_query(const Query *query, int queries, ExperimentFigure *figure)
{
	PaTopKFigures mean;
	double		one[EXPERIMENT_FIGURES];
	int			i;
	int			r;

	if (pa_topk_figures(query->count, query->states, EXPERIMENT_K, query->chance, &plain_memory, &mean, one) != PA_OK)
		return false;
	one[EXPERIMENT_HITS] = mean.hits;
	one[EXPERIMENT_NDCG] = mean.ndcg;
	one[EXPERIMENT_L1] = mean.l1;
	for (i = 0; i < EXPERIMENT_FIGURES; i++)
	{
		ExperimentFigure of_query = {.mean = one[i] / queries};
		bool		single = i < EXPERIMENT_K;

		for (r = 0; r < EXPERIMENT_K; r++)
			if (!single || r == i)
				add_rank(query, i, r, single ? 1 : EXPERIMENT_K, queries, &of_query);
		experiment_add(&figure[i], &of_query);
	}
	return true;
}

bool
experiment_figures(const Experiment *experiment, const ExperimentNoise *noise,
				   ExperimentFigure figure[EXPERIMENT_FIGURES])
{
	const SyntheticKind *kind = experiment->data.kind;
	double		chance[EXPERIMENT_K * SYNTHETIC_STATES];
	int			i;

	memset(figure, 0, EXPERIMENT_FIGURES * sizeof(*figure));
	for (i = 0; i < kind->queries; i++)
	{
		Query		query = {.states = kind->states,.count = experiment->data.count[i],.chance = chance};

		if (pa_topk_chances(noise->mechanism, query.count, query.states, EXPERIMENT_K, noise->scale,
							&plain_memory, chance, NULL) != PA_OK)
			return false;
		rank_truth(&query);
		if (!add_query(&query, kind->queries, figure))
			return false;
	}
	return true;
}
