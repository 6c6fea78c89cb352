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
#include "core/pufferfish/chain.h"
#include "core/pufferfish/chain_fit.h"
#include "core/pufferfish/odometer.h"
#include "core/pufferfish/topk.h"
#include "source.h"
#include "synthetic.h"
#include "vectors.h"
#include "vectors_read.h"

#define MOST_K 8
#define MOST_RADIUS 288
#define TAU 1e-5

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

/* A configuration with its prior; the last one is kept. */
typedef struct Prepared
{
	char		config[32];
	Synthetic	data;
	double		transition[SYNTHETIC_STATES * SYNTHETIC_STATES];
	PaInfluence point[MOST_RADIUS];
	PaCurve		curve;
} Prepared;

static const Prepared *
prepare(const Vector *vector)
{
	static Prepared kept;
	const char *config = json_string_value(json_object_get(vector->input, "config"));
	PaChain		chain = {0, kept.transition, NULL, 0, NULL};

	if (config == NULL || strlen(config) >= sizeof(kept.config))
		return NULL;
	if (strcmp(kept.config, config) == 0)
		return &kept;
	kept.config[0] = '\0';
	if (!synthetic_make(config, &kept.data))
		return NULL;
	chain.states = kept.data.states;
	kept.curve = (PaCurve) {kept.point, kept.data.length < MOST_RADIUS ? kept.data.length : MOST_RADIUS,
		kept.data.length};
	if (pa_chain_fit(kept.data.transitions, chain.states, TAU, kept.transition, NULL) != PA_OK ||
		pa_chain_curve(&chain, kept.curve.points, &plain_memory, kept.point, NULL) != PA_OK)
		return NULL;
	strcpy(kept.config, config);
	return &kept;
}

static Outcome
compare_limits(const Vector *vector, const Prepared *prepared)
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
	const Prepared *prepared = prepare(vector);
	double		least = 1;
	double	   *histogram;
	const char *b;
	json_t	   *want;
	int			m;
	int			i;

	if (prepared == NULL)
		return complain(vector, "no sequences");
	m = prepared->data.states;
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
		compare(vector, "n_queries", prepared->data.queries, expected(vector, "n_queries")) != PASSED ||
		compare(vector, "P00", prepared->transition[0], expected(vector, "P00")) != PASSED ||
		compare(vector, "P01", prepared->transition[1], expected(vector, "P01")) != PASSED ||
		compare(vector, "minP", least, expected(vector, "minP")) != PASSED)
		return FAILED;
	return compare_limits(vector, prepared);
}

/* The noise of a mechanism of the paper's tables; NAN if there is none of the name */
static double
scale_of(const Vector *vector, const Prepared *prepared, PaTopKMechanism *mechanism)
{
	double		epsilon = input(vector, "eps");
	double		m = prepared->data.states;
	double		T = (double) prepared->curve.longest;
	double		limit;
	double		part;

	if (pa_pufferfish_limit(&prepared->curve, epsilon, &limit, NULL, NULL) != PA_OK ||
		pa_pufferfish_limit(&prepared->curve, epsilon / m, &part, NULL, NULL) != PA_OK)
		return NAN;
	*mechanism = PA_TOPK_EXPONENTIAL;
	if (input_is(vector, "mech", "Ours-Exp"))
		return pa_topk_scale(*mechanism, 3, limit);
	if (input_is(vector, "mech", "Group-DP-Exp"))
		return pa_topk_scale(*mechanism, 3, epsilon / T);
	*mechanism = PA_TOPK_HISTOGRAM;
	if (input_is(vector, "mech", "Lap-hist"))
		return pa_topk_scale(*mechanism, 3, limit);
	if (input_is(vector, "mech", "MQM"))
		return m / limit;
	if (input_is(vector, "mech", "MQM-splitpuf"))
		return 1 / part;
	return input_is(vector, "mech", "Group-DP-Lap") ? m * T / epsilon : NAN;
}

static Outcome
run_experiment(const Vector *vector)
{
	const Prepared *prepared = prepare(vector);
	PaTopKFigures mean = {0, 0, 0};
	double		right[3] = {0, 0, 0};
	PaTopKMechanism mechanism;
	double		scale;
	double	   *chance;
	int			i;
	int			r;

	if (prepared == NULL)
		return complain(vector, "no sequences");
	scale = scale_of(vector, prepared, &mechanism);
	chance = room((size_t) (3 * prepared->data.states));
	for (i = 0; i < prepared->data.queries; i++)
	{
		const double *count = prepared->data.count[i];
		PaTopKFigures figures;
		double		one[3];

		if (pa_topk_chances(mechanism, count, prepared->data.states, 3, scale, &plain_memory, chance, NULL) != PA_OK ||
			pa_topk_figures(count, prepared->data.states, 3, chance, &plain_memory, &figures, one) != PA_OK)
			return complain(vector, "no chances");
		mean.hits += figures.hits / prepared->data.queries;
		mean.ndcg += figures.ndcg / prepared->data.queries;
		mean.l1 += figures.l1 / prepared->data.queries;
		for (r = 0; r < 3; r++)
			right[r] += one[r] / prepared->data.queries;
	}
	return compare_figures(vector, &mean, right, 3);
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
