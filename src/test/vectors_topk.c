/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_topk.c
 *		Test vectors of noisy counts, of top-k choices, and of the paper's experiments.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/noise/continuous.h"
#include "core/noise/law.h"
#include "core/pufferfish/odometer.h"
#include "experiment.h"
#include "ranking.h"
#include "source.h"
#include "vectors.h"
#include "vectors_read.h"

#define MOST_K 8

/* The noise that leaves u below it; its scale is the core's */
static Outcome
run_laplace(const Vector *vector)
{
	double		x = input(vector, "u") - 0.5;
	double		scale = NAN;

	if (pa_laplace_scale(input(vector, "eps_dp"), 0.0, input(vector, "L"), &scale) != PA_OK)
		return complain(vector, "no scale");
	return compare(vector, "noisy", input(vector, "value") - copysign(scale, x) * log1p(-2 * fabs(x)),
				   expected(vector, "noisy"));
}

static Outcome
run_discrete_laplace(const Vector *vector)
{
	size_t		count;
	double	   *k = input_numbers(vector, "k", &count);
	double	   *pmf = room(count);
	PaLaw		law;
	size_t		i;

	if (pa_law_plain(PA_LAPLACE, PA_LATTICE, input(vector, "sens") / input(vector, "eps"), &law) != PA_OK)
		return complain(vector, "no law");
	for (i = 0; i < count; i++)
		pmf[i] = pa_law_density(&law, k[i]);
	return compare_all(vector, "pmf", pmf, count);
}

/* The first index with a cumulative sum above u */
static size_t
choose(const double *probability, size_t items, double u)
{
	double		sum = 0;
	size_t		i;

	for (i = 0; i + 1 < items; i++)
	{
		sum += probability[i];
		if (sum > u)
			break;
	}
	return i;
}

static Outcome
run_exp_mech(const Vector *vector)
{
	size_t		items;
	size_t		count;
	double	   *score = input_numbers(vector, "scores", &items);
	double	   *u = input_numbers(vector, "u", &count);
	double	   *probability = room(items);
	double	   *index = room(count);
	Outcome		outcome;
	size_t		i;

	if (pa_exponential_choice(score, (int) items, input(vector, "eps_dp"), input(vector, "sens"),
							  probability, NULL) != PA_OK)
		return complain(vector, "no choice");
	for (i = 0; i < count; i++)
		index[i] = (double) choose(probability, items, u[i]);
	outcome = compare_all(vector, "probs", probability, items);
	return outcome == PASSED ? compare_all(vector, "index", index, count) : outcome;
}

static Outcome
run_topk_seq(const Vector *vector)
{
	size_t		items;
	size_t		draws;
	double	   *count = input_numbers(vector, "counts", &items);
	double	   *u = input_numbers(vector, "u", &draws);
	double	   *probability = room(items);
	double	   *name = room(items);
	double	   *sequence = room(draws);
	size_t		i;

	for (i = 0; i < items; i++)
		name[i] = (double) i;
	for (i = 0; i < draws; i++, items--)
	{
		size_t		at;

		if (pa_exponential_choice(count, (int) items, input(vector, "eps_dp") / (double) draws, 1.0,
								  probability, NULL) != PA_OK)
			return complain(vector, "no choice");
		at = choose(probability, items, u[i]);
		sequence[i] = name[at];
		memmove(count + at, count + at + 1, (items - at - 1) * sizeof(double));
		memmove(name + at, name + at + 1, (items - at - 1) * sizeof(double));
	}
	return compare_all(vector, "sequence", sequence, draws);
}

static Outcome
compare_figures(const Vector *vector, const PaTopKFigures *figures, const double *right, int k)
{
	Outcome		outcome = compare_all(vector, "acc", right, (size_t) k);

	if (outcome == PASSED)
		outcome = compare(vector, "hr", figures->hits, expected(vector, "hr"));
	if (outcome == PASSED)
		outcome = compare(vector, "ndcg", figures->ndcg, expected(vector, "ndcg"));
	return outcome == PASSED ? compare(vector, "l1", figures->l1, expected(vector, "l1")) : outcome;
}

static Outcome
run_rank_probs(const Vector *vector)
{
	size_t		items;
	double	   *count = input_numbers(vector, "counts", &items);
	int			k = (int) input(vector, "K");
	double	   *chance = room((size_t) k * items);
	double		right[MOST_K];
	bool		exponential = input_is(vector, "noise", "exp");
	double		scale = input(vector, "param");
	PaTopKFigures figures;
	Outcome		outcome;

	if (exponential)
		scale = pa_topk_scale(PA_TOPK_EXPONENTIAL, k, scale);
	if (pa_topk_chances(exponential ? PA_TOPK_EXPONENTIAL : PA_TOPK_HISTOGRAM, count, (int) items, k, scale,
						&plain_memory, chance, NULL) != PA_OK ||
		pa_topk_figures(count, (int) items, k, chance, &plain_memory, &figures, right) != PA_OK)
		return complain(vector, "no chances");
	outcome = compare_all(vector, "P", chance, (size_t) k * items);
	return outcome == PASSED ? compare_figures(vector, &figures, right, k) : outcome;
}

static Outcome
run_splitmix(const Vector *vector)
{
	uint64_t	seed = strtoull(json_string_value(json_object_get(vector->input, "seed")), NULL, 10);
	json_t	   *want = json_object_get(vector->expected, "u64");
	SplitMix	words = {seed};
	SplitMix	below = {seed};
	SplitMix	unit = {seed};
	double		got[16];
	json_t	   *word;
	size_t		count;
	size_t		i;
	Outcome		outcome;

	json_array_foreach(want, i, word)
	{
		uint64_t	next = splitmix_next(&words);

		if (next != strtoull(json_string_value(word), NULL, 10))
			return complain(vector, "word %zu is %" PRIu64, i, next);
	}
	count = json_array_size(json_object_get(vector->expected, "below100"));
	for (i = 0; i < count && i < 16; i++)
		got[i] = (double) splitmix_below(&below, 100);
	outcome = compare_all(vector, "below100", got, count);
	if (outcome != PASSED)
		return outcome;
	count = json_array_size(json_object_get(vector->expected, "u01"));
	for (i = 0; i < count && i < 16; i++)
		got[i] = splitmix_u01(&unit);
	return compare_all(vector, "u01", got, count);
}

/* The last one is kept: making it takes longer than asking it. */
static const Experiment *
prepare(const Vector *vector)
{
	static Experiment kept;
	const char *config = json_string_value(json_object_get(vector->input, "config"));

	if (config == NULL)
		return NULL;
	if (kept.data.kind != NULL && strcmp(kept.data.kind->config, config) == 0)
		return &kept;
	if (experiment_prepare(config, &kept))
		return &kept;
	kept.data.kind = NULL;
	return NULL;
}

static Outcome
compare_limits(const Vector *vector, const Experiment *prepared)
{
	const char *epsilon;
	json_t	   *want;

	json_object_foreach(json_object_get(vector->expected, "eps_dp"), epsilon, want)
	{
		double		got[3];
		PaInfluence point;
		int			i;

		if (pa_pufferfish_limit(&prepared->curve, atof(epsilon), &got[0], &point, NULL) != PA_OK)
			return complain(vector, "no limit");
		got[1] = point.a;
		got[2] = (double) point.b;
		for (i = 0; i < 3; i++)
			if (compare(vector, epsilon, got[i], json_number(json_array_get(want, (size_t) i))) != PASSED)
				return FAILED;
	}
	return PASSED;
}

static Outcome
run_synth(const Vector *vector)
{
	const Experiment *prepared = prepare(vector);
	double		least = 1;
	double	   *histogram;
	const char *b;
	json_t	   *want;
	int			m;
	int			i;

	if (prepared == NULL)
		return complain(vector, "no sequences");
	m = prepared->data.kind->states;
	histogram = room((size_t) (3 * m));
	for (i = 0; i < 3 * m; i++)
		histogram[i] = prepared->data.count[i / m][i % m];
	for (i = 0; i < m * m; i++)
		least = fmin(least, prepared->transition[i]);
	json_object_foreach(json_object_get(vector->expected, "curve"), b, want)
		if (compare(vector, b, prepared->point[atoi(b) - 1].a, json_number(want)) != PASSED)
			return FAILED;
	if (compare_all(vector, "first40", prepared->data.first, SYNTHETIC_FIRST) != PASSED ||
		compare_all(vector, "train_hist", prepared->data.train, (size_t) m) != PASSED ||
		compare_all(vector, "query_hist", histogram, (size_t) (3 * m)) != PASSED ||
		compare(vector, "n_queries", prepared->data.kind->queries, expected(vector, "n_queries")) != PASSED ||
		compare(vector, "P00", prepared->transition[0], expected(vector, "P00")) != PASSED ||
		compare(vector, "P01", prepared->transition[1], expected(vector, "P01")) != PASSED ||
		compare(vector, "minP", least, expected(vector, "minP")) != PASSED)
		return FAILED;
	return compare_limits(vector, prepared);
}

static Outcome
run_experiment(const Vector *vector)
{
	const Experiment *prepared = prepare(vector);
	const char *name = json_string_value(json_object_get(vector->input, "mech"));
	double		right[EXPERIMENT_K];
	ExperimentNoise noise;
	ExperimentFigure figure[EXPERIMENT_FIGURES];
	PaTopKFigures mean;
	int			r;

	if (prepared == NULL)
		return complain(vector, "no sequences");
	if (name == NULL || !experiment_noise(prepared, name, input(vector, "eps"), &noise) ||
		!experiment_figures(prepared, &noise, figure))
		return complain(vector, "no chances");
	for (r = 0; r < EXPERIMENT_K; r++)
		right[r] = figure[r].mean;
	mean = (PaTopKFigures) {figure[EXPERIMENT_HITS].mean, figure[EXPERIMENT_NDCG].mean, figure[EXPERIMENT_L1].mean};
	return compare_figures(vector, &mean, right, EXPERIMENT_K);
}

const Kind	vector_kinds_topk[] = {
	{"laplace", run_laplace},
	{"discrete_laplace", run_discrete_laplace},
	{"exp_mech", run_exp_mech},
	{"topk_seq", run_topk_seq},
	{"rank_probs", run_rank_probs},
	{"splitmix", run_splitmix},
	{"synth", run_synth},
	{"experiment", run_experiment},
	{NULL, NULL}
};
