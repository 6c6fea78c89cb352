/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_pufferfish.c
 *		Test vectors of influence curves and of Pufferfish budgets.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/pufferfish/binary.h"
#include "core/pufferfish/chain_fit.h"
#include "core/pufferfish/gaussian.h"
#include "core/pufferfish/interval.h"
#include "core/pufferfish/odometer.h"
#include "core/pufferfish/table.h"
#include "chain_budget.h"
#include "source.h"
#include "vectors.h"
#include "vectors_read.h"

#define MOST 512

/* The a of the b that are asked for, against what is expected under a name */
static Outcome
compare_curve(const Vector *vector, const char *name, const PaInfluence *point)
{
	size_t		count;
	int		   *b = input_integers(vector, "b", &count);
	double	   *a = room(count);
	size_t		i;

	for (i = 0; i < count; i++)
		a[i] = point[b[i] - 1].a;
	return compare_all(vector, name, a, count);
}

static int
largest_b(const Vector *vector)
{
	size_t		count;
	int		   *b = input_integers(vector, "b", &count);
	int			most = 1;
	size_t		i;

	for (i = 0; i < count; i++)
		most = b[i] > most ? b[i] : most;
	return most;
}

/* Theorem 6.4 as it stands: an upper bound, exact for p + q > 1 */
static double
printed(double p, double q, int b)
{
	double		pi = q > p ? (1 - q) / (2 - p - q) : (1 - p) / (2 - p - q);
	double		left = pow(p + q - 1, (b + 1) / 2);
	double		right = pow(p + q - 1, (b + 2) / 2);

	return fabs(log((pi + left * (1 - pi)) / (pi - left * pi))) +
		fabs(log((pi + right * (1 - pi)) / (pi - right * pi)));
}

static Outcome
run_binary_curve(const Vector *vector)
{
	PaBinaryChains chains = {input(vector, "p"), input(vector, "p"), input(vector, "q"), input(vector, "q"), 0};
	PaInfluence point[MOST];
	PaInfluence paper[MOST];
	int			most = largest_b(vector);
	Outcome		outcome;
	int			b;

	if (pa_binary_curve(&chains, most, &plain_memory, point, NULL) != PA_OK)
		return complain(vector, "no curve");
	for (b = 1; b <= most; b++)
		paper[b - 1].a = printed(chains.p_low, chains.q_low, b);
	outcome = compare_curve(vector, "printed", paper);
	return outcome == PASSED ? compare_curve(vector, "exact", point) : outcome;
}

static PaChain
read_chain(const Vector *vector)
{
	PaChain		chain = {0};

	chain.states = (int) json_array_size(json_object_get(vector->input, "P"));
	chain.transition = input_numbers(vector, "P", NULL);
	chain.start = input_numbers(vector, "init", NULL);
	if (json_is_number(json_object_get(vector->input, "T")))
		chain.length = (int64_t) input(vector, "T");
	return chain;
}

static Outcome
run_chain_curve(const Vector *vector)
{
	PaChain		chain = read_chain(vector);
	PaInfluence point[MOST];

	if (pa_chain_curve(&chain, largest_b(vector), &plain_memory, point, NULL) != PA_OK)
		return complain(vector, "no curve");
	return compare_curve(vector, "a", point);
}

static Outcome
run_gauss_curve(const Vector *vector)
{
	int			n = (int) input(vector, "n");
	double	   *covariance = room((size_t) (n * n));
	PaGaussianRows rows = {n, covariance, input(vector, "gamma"), input(vector, "delta")};
	PaInfluence point[PA_GAUSSIAN_ROWS];
	Outcome		outcome;
	int			i;

	for (i = 0; i < n * n; i++)
		covariance[i] = exp(-pow(i / n - i % n, 2) / input(vector, "ell"));
	if (pa_gaussian_node(&rows, (n + 1) / 2 - 1, &plain_memory, point, NULL) != PA_OK)
		return complain(vector, "no node");
	outcome = compare_curve(vector, "centre", point);
	if (outcome != PASSED)
		return outcome;
	if (pa_gaussian_curve(&rows, &plain_memory, point, NULL) != PA_OK)
		return complain(vector, "no curve");
	return compare_curve(vector, "all_nodes", point);
}

static PaFinite
read_finite(const Vector *vector)
{
	PaFinite	finite = {0};
	size_t		count;
	int			i;

	finite.shape = input_integers(vector, "shape", &count);
	finite.entries = (int) count;
	finite.cells = 1;
	for (i = 0; i < finite.entries; i++)
		finite.cells *= finite.shape[i];
	finite.mask = input_bytes(vector, "masks", &count);
	finite.secrets = (int) count / finite.cells;
	finite.pair = (PaSecretPair *) input_integers(vector, "pairs", &count);
	finite.pairs = (int) count / 2;
	return finite;
}

/* a[b = 0..n]: with all rows known the secret is known */
static Outcome
compare_finite(const Vector *vector, const PaFinite *finite, const PaInfluence *point)
{
	double		a[PA_FINITE_ENTRIES + 1] = {INFINITY};
	int			b;

	for (b = 1; b <= finite->entries; b++)
		a[b] = point[b - 1].a;
	return compare_all(vector, "a", a, (size_t) finite->entries + 1);
}

static Outcome
run_table_curve(const Vector *vector)
{
	PaFinite	finite = read_finite(vector);
	PaInfluence point[PA_FINITE_ENTRIES];
	size_t		count;
	double	   *prior = input_numbers(vector, "priors", &count);

	if (pa_table_curve(&finite, prior, (int) count / finite.cells, &plain_memory, point, NULL) != PA_OK)
		return complain(vector, "no curve");
	return compare_finite(vector, &finite, point);
}

static Outcome
run_interval_curve(const Vector *vector)
{
	PaFinite	finite = read_finite(vector);
	PaInfluence point[PA_FINITE_ENTRIES];
	PaIntervals intervals = {PA_INTERVAL_CONDITIONAL, NULL, NULL, 0, NULL, NULL};
	size_t		count;

	if (!input_is(vector, "mode", "conditional"))
		intervals.mode = input_is(vector, "mode", "joint_exact") ? PA_INTERVAL_JOINT : PA_INTERVAL_JOINT_BOUND;
	intervals.low = input_numbers(vector, "lo", NULL);
	intervals.high = input_numbers(vector, "hi", NULL);
	intervals.row = input_numbers(vector, "A_ub", NULL);
	intervals.right = input_numbers(vector, "b_ub", &count);
	intervals.constraints = (int) count;
	if (pa_interval_curve(&finite, &intervals, &plain_memory, point, NULL) != PA_OK)
		return complain(vector, "no curve");
	return compare_finite(vector, &finite, point);
}

/* curve: [[b, a], ...] */
static PaCurve
read_curve(const Vector *vector, PaInfluence *point)
{
	PaCurve		curve = {point, 0, (int64_t) input(vector, "n")};
	size_t		count;
	double	   *pairs = input_numbers(vector, "curve", &count);

	for (; curve.points < (int) count / 2; curve.points++)
		point[curve.points] = (PaInfluence) {pairs[2 * curve.points + 1], (int64_t) pairs[2 * curve.points], -1, -1};
	return curve;
}

/* Appendix B as it stands: the minimum, private but of no use */
static double
printed_limit(const PaCurve *curve, double epsilon)
{
	double		least = INFINITY;
	int			i;

	for (i = 0; i < curve->points; i++)
	{
		const PaInfluence *point = &curve->point[i];

		least = fmin(least, point->a < epsilon ? (epsilon - point->a) / (double) point->b :
					 epsilon / (double) curve->longest);
	}
	return least;
}

static Outcome
run_translate(const Vector *vector)
{
	PaInfluence points[MOST];
	PaCurve		curve = read_curve(vector, points);
	PaInfluence point;
	double		limit;
	Outcome		outcome;

	if (pa_pufferfish_limit(&curve, input(vector, "eps"), &limit, &point, NULL) != PA_OK)
		return complain(vector, "no limit");
	outcome = compare(vector, "eps_dp", limit, expected(vector, "eps_dp"));
	if (outcome == PASSED)
		outcome = compare(vector, "a", point.a, expected(vector, "a"));
	if (outcome == PASSED)
		outcome = compare(vector, "b", (double) point.b, expected(vector, "b"));
	if (outcome == PASSED)
		outcome = compare(vector, "printed_min", printed_limit(&curve, input(vector, "eps")),
						  expected(vector, "printed_min"));
	return outcome;
}

static Outcome
run_translate_pairs(const Vector *vector)
{
	PaChain		chain = read_chain(vector);
	PaChainLimits limits;
	Outcome		outcome;

	if (pa_chain_limits(&chain, input(vector, "eps"), &plain_memory, &limits, NULL) != PA_OK)
		return complain(vector, "no limits");
	outcome = compare(vector, "paper", limits.curve, expected(vector, "paper"));
	if (outcome == PASSED)
		outcome = compare(vector, "song", limits.node, expected(vector, "song"));
	return outcome == PASSED ? compare(vector, "pair", limits.pair, expected(vector, "pair")) : outcome;
}

static Outcome
run_compose(const Vector *vector)
{
	json_t	   *want = json_object_get(vector->expected, "odometer");
	PaInfluence points[MOST];
	PaCurve		curve = read_curve(vector, points);
	PaPufferfishRelease release[MOST];
	PaPufferfishSums sums;
	PaInfluence point;
	size_t		count;
	double	   *items = input_numbers(vector, "items", &count);
	Outcome		outcome;
	double		spent;
	size_t		i;

	for (i = 0; i < count / 3; i++)
		release[i] = (PaPufferfishRelease) {items[3 * i], items[3 * i + 1], (int64_t) items[3 * i + 2]};
	if (pa_pufferfish_sums(&curve, release, (int) count / 3, &sums, NULL) != PA_OK ||
		pa_pufferfish_spent(&curve, sums.per_row, &spent, &point, NULL) != PA_OK)
		return complain(vector, "no sums");
	outcome = compare(vector, "paper", sums.paper, expected(vector, "paper"));
	if (outcome == PASSED)
		outcome = compare(vector, "sum_eps_dp", sums.per_row, expected(vector, "sum_eps_dp"));
	if (outcome == PASSED)
		outcome = compare_sound(vector, "spent", spent, number(want, "spent"));
	if (outcome == PASSED)
		outcome = compare(vector, "a", point.a, number(want, "a"));
	return outcome == PASSED ? compare(vector, "b", (double) point.b, number(want, "b")) : outcome;
}

static Outcome
run_odometer_windows(const Vector *vector)
{
	PaChain		chain = read_chain(vector);
	double		spent;

	if (pa_chain_spent(&chain, input_numbers(vector, "E_t", NULL), &plain_memory, &spent, NULL) != PA_OK)
		return complain(vector, "nothing spent");
	return compare_sound(vector, "spent", spent, expected(vector, "spent"));
}

static Outcome
run_smooth(const Vector *vector)
{
	size_t		count;
	double	   *transition = input_numbers(vector, "P", &count);

	if (pa_chain_smooth(transition, (int) sqrt((double) count), input(vector, "tau"), NULL) != PA_OK)
		return complain(vector, "not smoothed");
	return compare_all(vector, "P", transition, count);
}

static Outcome
run_fit_chain(const Vector *vector)
{
	int			m = (int) input(vector, "m");
	json_t	   *sequences = json_object_get(vector->input, "sequences");
	double	   *counts = room((size_t) (m * m));
	json_t	   *sequence;
	size_t		i;

	json_array_foreach(sequences, i, sequence)
	{
		size_t		t;

		for (t = 1; t < json_array_size(sequence); t++)
			counts[json_integer_value(json_array_get(sequence, t - 1)) * m +
				   json_integer_value(json_array_get(sequence, t))]++;
	}
	if (pa_chain_fit(counts, m, input(vector, "tau"), counts, NULL) != PA_OK)
		return complain(vector, "no fit");
	return compare_all(vector, "P", counts, (size_t) (m * m));
}

const Kind	vector_kinds_pufferfish[] = {
	{"binary_curve", run_binary_curve},
	{"chain_curve", run_chain_curve},
	{"gauss_curve", run_gauss_curve},
	{"table_curve", run_table_curve},
	{"interval_curve", run_interval_curve},
	{"translate", run_translate},
	{"translate_pairs", run_translate_pairs},
	{"compose", run_compose},
	{"odometer_windows", run_odometer_windows},
	{"smooth", run_smooth},
	{"fit_chain", run_fit_chain},
	{NULL, NULL}
};
