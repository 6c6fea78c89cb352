/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_release.c
 *		Test vectors of what repeated releases give away.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/pufferfish/composable.h"
#include "core/pufferfish/odometer.h"
#include "chain_budget.h"
#include "source.h"
#include "vectors.h"
#include "vectors_read.h"

#define MOST_MECHANISMS 8

/* Releases of the input's "mechs", or of one table */
typedef struct Read
{
	PaMechanism mechanism[MOST_MECHANISMS];
	PaReleases	releases;
} Read;

static bool
read_tables(json_t *tables, Read *read)
{
	size_t		k;
	json_t	   *table;

	memset(read, 0, sizeof(*read));
	json_array_foreach(tables, k, table)
	{
		if (k >= MOST_MECHANISMS)
			return false;
		read->releases.datasets = (int) json_array_size(table);
		read->mechanism[k].outputs = (int) json_array_size(json_array_get(table, 0));
		read->mechanism[k].likelihood = read_numbers_of(table, NULL);
	}
	read->releases.mechanisms = (int) json_array_size(tables);
	read->releases.mechanism = read->mechanism;
	return true;
}

static void
one_table(Read *read, int datasets, int outputs, const double *likelihood)
{
	read->mechanism[0] = (PaMechanism) {outputs, likelihood};
	read->releases = (PaReleases) {datasets, 1, read->mechanism};
}

/* Marks data sets by their numbers. */
static void
mark(json_t *numbers, unsigned char *mask)
{
	size_t		i;
	json_t	   *one;

	json_array_foreach(numbers, i, one)
		mask[json_integer_value(one)] = 1;
}

static PaFinite
read_secrets(const Vector *vector, int datasets)
{
	json_t	   *secrets = json_object_get(vector->input, "secrets");
	PaFinite	finite = {0};
	unsigned char *mask;
	size_t		count;
	size_t		i;
	json_t	   *secret;

	finite.cells = datasets;
	finite.secrets = (int) json_array_size(secrets);
	finite.mask = mask = (unsigned char *) room((size_t) (finite.secrets * datasets));
	json_array_foreach(secrets, i, secret)
		mark(secret, mask + i * (size_t) datasets);
	finite.pair = (PaSecretPair *) input_integers(vector, "pairs", &count);
	finite.pairs = (int) count / 2;
	return finite;
}

static Outcome
run_nfc(const Vector *vector)
{
	Read		read;
	PaFinite	finite;
	PaEpsilonBounds bounds;
	unsigned char *support = NULL;
	double	   *by_dataset;
	Outcome		outcome;
	const char *name;
	json_t	   *want;

	if (!read_tables(json_object_get(vector->input, "mechs"), &read))
		return complain(vector, "too many mechanisms");
	finite = read_secrets(vector, read.releases.datasets);
	if (json_is_array(json_object_get(vector->input, "support")))
	{
		support = (unsigned char *) room((size_t) finite.cells);
		mark(json_object_get(vector->input, "support"), support);
	}
	by_dataset = room((size_t) (finite.pairs * finite.cells));
	if (pa_release_necessary(&read.releases, &finite, support, &plain_memory, &bounds, by_dataset, NULL) != PA_OK)
		return complain(vector, "no epsilon");
	outcome = compare(vector, "eps_min", bounds.epsilon, expected(vector, "eps_min"));
	if (outcome == PASSED)
		outcome = compare(vector, "eps_min from below", bounds.least, expected(vector, "eps_min"));
	json_object_foreach(json_object_get(vector->expected, "by_dataset"), name, want)
	{
		int			first = 0;
		int			second = 0;
		int			dataset = 0;
		int			i;

		sscanf(name, "%d,%d,%d", &first, &second, &dataset);
		for (i = 0; outcome == PASSED && i < finite.pairs; i++)
			if (finite.pair[i].first == first && finite.pair[i].second == second)
				outcome = compare(vector, name, by_dataset[i * finite.cells + dataset], json_number(want));
	}
	return outcome;
}

static Outcome
run_coupling(const Vector *vector)
{
	Read		read;
	unsigned char *first;
	unsigned char *second;
	double		epsilon;

	if (!read_tables(json_object_get(vector->input, "mechs"), &read))
		return complain(vector, "too many mechanisms");
	first = (unsigned char *) room((size_t) read.releases.datasets);
	second = (unsigned char *) room((size_t) read.releases.datasets);
	mark(json_object_get(vector->input, "S1"), first);
	mark(json_object_get(vector->input, "S2"), second);
	if (pa_release_transport(&read.releases, input_numbers(vector, "prior", NULL), first, second,
							 &plain_memory, &epsilon, NULL) != PA_OK)
		return complain(vector, "no epsilon");
	return compare_sound(vector, "eps", epsilon, expected(vector, "eps"));
}

static Outcome
run_postprocess(const Vector *vector)
{
	json_t	   *kernel = json_object_get(vector->input, "kernel");
	int			from = (int) json_array_size(kernel);
	int			to = (int) json_array_size(json_array_get(kernel, 0));
	size_t		count;
	double	   *table = input_numbers(vector, "table", &count);
	double	   *cell = input_numbers(vector, "kernel", NULL);
	double	   *beta = input_numbers(vector, "beta", NULL);
	int			rows = (int) count / from;
	double	   *after = room((size_t) (rows * to));
	Outcome		outcome;
	int			i;
	int			j;
	int			k;

	for (i = 0; i < rows; i++)
		for (j = 0; j < to; j++)
			for (k = 0; k < from; k++)
				after[i * to + j] += table[i * from + k] * cell[k * to + j];
	outcome = compare(vector, "slack_before", pa_release_slack(from, table, rows - 1, table + from, beta),
					  expected(vector, "slack_before"));
	return outcome == PASSED ? compare(vector, "slack_after",
									   pa_release_slack(to, after, rows - 1, after + to, beta),
									   expected(vector, "slack_after")) : outcome;
}

/* leak1, leak2 and nfc_eps_min of a mechanism, each prior on all its secrets' data sets */
static Outcome
compare_collapse(const Vector *vector, const Read *read, const PaFinite *finite, const double *prior, int priors)
{
	PaEpsilonBounds bounds;
	double		leak[2];
	Outcome		outcome;
	int			k;

	for (k = 1; k <= 2; k++)
		if (pa_release_leakage(&read->releases, finite, prior, priors, k, &plain_memory, &leak[k - 1], NULL) != PA_OK)
			return complain(vector, "no leakage");
	if (pa_release_necessary(&read->releases, finite, NULL, &plain_memory, &bounds, NULL, NULL) != PA_OK)
		return complain(vector, "no epsilon");
	outcome = compare(vector, "leak1", leak[0], expected(vector, "leak1"));
	if (outcome == PASSED)
		outcome = compare(vector, "leak2", leak[1], expected(vector, "leak2"));
	return outcome == PASSED ? compare(vector, "nfc_eps_min", bounds.epsilon, expected(vector, "nfc_eps_min")) : outcome;
}

static const PaSecretPair both_orders[2] = {{0, 1}, {1, 0}};

/* Runs until the part that changes shows which one is true, given the law of that part */
static double
expected_runs(const double *p, int count)
{
	double		runs = 1;
	int			i;

	for (i = 0; i < count; i++)
		runs += p[i] / (1 - p[i]);
	return runs;
}

/* Example 1: (D, fresh from the other secret), in the order of the secrets */
static Outcome
run_collapse1(const Vector *vector)
{
	size_t		n1;
	size_t		n2;
	double	   *p1 = input_numbers(vector, "p1", &n1);
	double	   *p2 = input_numbers(vector, "p2", &n2);
	double		first = input(vector, "prior1");
	size_t		n = n1 + n2;
	double	   *table = room(n * n1 * n2);
	double	   *prior = room(n);
	unsigned char *mask = (unsigned char *) room(2 * n);
	PaFinite	finite = {0, NULL, (int) n, 2, mask, 2, both_orders};
	double		most = 0;
	double		runs[2];
	Read		read;
	Outcome		outcome;
	size_t		i;
	size_t		j;

	for (i = 0; i < n1; i++)
		for (j = 0; j < n2; j++)
		{
			table[i * n1 * n2 + i * n2 + j] = p2[j];
			table[(n1 + j) * n1 * n2 + i * n2 + j] = p1[i];
			most = fmax(most, fmax(p1[i], p2[j]));
		}
	for (i = 0; i < n; i++)
	{
		prior[i] = i < n1 ? first * p1[i] : (1 - first) * p2[i - n1];
		mask[(i < n1 ? 0 : n) + i] = 1;
	}
	one_table(&read, (int) n, (int) (n1 * n2), table);
	runs[0] = expected_runs(p2, (int) n2);
	runs[1] = expected_runs(p1, (int) n1);
	outcome = compare_collapse(vector, &read, &finite, prior, 1);
	if (outcome == PASSED)
		outcome = compare(vector, "expected_runs_s1", runs[0], expected(vector, "expected_runs_s1"));
	if (outcome == PASSED)
		outcome = compare(vector, "expected_runs_s2", runs[1], expected(vector, "expected_runs_s2"));
	if (outcome == PASSED)
		outcome = compare(vector, "expected_runs", first * runs[0] + (1 - first) * runs[1],
						  expected(vector, "expected_runs"));
	return outcome == PASSED ? compare(vector, "paper_bound", 1 + 1 / (1 - most), expected(vector, "paper_bound")) : outcome;
}

/* Example 2: differences from the first bit, or the parity of an odd number of bits */
static Outcome
run_collapse2(const Vector *vector)
{
	int			n = (int) input(vector, "n");
	int			cells = 1 << n;
	int			outputs = cells / 2 + 2;
	double	   *table = room((size_t) (cells * outputs));
	double	   *prior = room((size_t) cells);
	int		   *shape = (int *) room((size_t) n);
	PaFinite	finite = {n, shape, cells, 0, NULL, 0, NULL};
	Read		read;
	Outcome		outcome;
	int			d;

	for (d = 0; d < cells; d++)
	{
		int			rest = d & (cells / 2 - 1);
		int			difference = d >= cells / 2 ? rest ^ (cells / 2 - 1) : rest;
		int			parity = __builtin_popcount((unsigned) (n % 2 == 1 ? d : rest)) & 1;

		table[d * outputs + difference] = 0.5;
		table[d * outputs + cells / 2 + parity] = 0.5;
		prior[d] = 1.0 / cells;
	}
	for (d = 0; d < n; d++)
		shape[d] = 2;
	one_table(&read, cells, outputs, table);
	outcome = compare_collapse(vector, &read, &finite, prior, 1);
	if (outcome == PASSED)
		outcome = compare(vector, "expected_runs", 1 + 1 / 0.5, expected(vector, "expected_runs"));
	return outcome == PASSED ? compare(vector, "prob_output_typeA", 0.5 * 2 / cells,
									   expected(vector, "prob_output_typeA")) : outcome;
}

/* Theorem of example 3, with the absolute value where it is printed, or outside of the logarithm */
static double
theorem3(double lt, double ut, double lf, double uf, bool outside)
{
	double		quotient[8] = {ut / lf, lt / uf, (1 - ut) / uf, (1 - lt) / lf,
	lt / (1 - lf), ut / (1 - uf), (1 - ut) / (1 - lf), (1 - lt) / (1 - uf)};
	double		most = -INFINITY;
	int			i;

	for (i = 0; i < 8; i++)
		most = fmax(most, outside ? fabs(log(quotient[i])) : log(quotient[i]));
	return most;
}

static Outcome
run_collapse3(const Vector *vector)
{
	static const double table[16] = {.5, .5, 0, 0, 0, 0, .5, .5, .5, 0, .5, 0, 0, .5, 0, .5};
	static const unsigned char mask[8] = {1, 1, 0, 0, 0, 0, 1, 1};
	PaFinite	finite = {0, NULL, 4, 2, mask, 2, both_orders};
	double		t[2] = {input(vector, "LT"), input(vector, "UT")};
	double		f[2] = {input(vector, "LF"), input(vector, "UF")};
	double		prior[16];
	Read		read;
	Outcome		outcome;
	int			i;

	for (i = 0; i < 4; i++)
	{
		prior[4 * i] = 0.5 * t[i / 2];
		prior[4 * i + 1] = 0.5 * (1 - t[i / 2]);
		prior[4 * i + 2] = 0.5 * f[i % 2];
		prior[4 * i + 3] = 0.5 * (1 - f[i % 2]);
	}
	one_table(&read, 4, 4, table);
	outcome = compare_collapse(vector, &read, &finite, prior, 4);
	if (outcome == PASSED)
		outcome = compare(vector, "eps_printed", theorem3(t[0], t[1], f[0], f[1], false), expected(vector, "eps_printed"));
	if (outcome == PASSED)
		outcome = compare(vector, "eps_correct", theorem3(t[0], t[1], f[0], f[1], true), expected(vector, "eps_correct"));
	return outcome == PASSED ? compare(vector, "expected_runs", 1 + 1 / 0.5, expected(vector, "expected_runs")) : outcome;
}

static Outcome
run_leakage(const Vector *vector)
{
	json_t	   *rows = json_object_get(vector->input, "table");
	int			datasets = (int) json_array_size(rows);
	PaFinite	finite = {0};
	Read		read;
	size_t		count;
	double	   *prior = input_numbers(vector, "priors", &count);
	int			priors = (int) count / datasets;
	double		leak;

	one_table(&read, datasets, (int) json_array_size(json_array_get(rows, 0)), input_numbers(vector, "table", NULL));
	finite.cells = datasets;
	finite.mask = input_bytes(vector, "masks", &count);
	finite.secrets = (int) count / datasets;
	finite.pair = (PaSecretPair *) input_integers(vector, "pairs", &count);
	finite.pairs = (int) count / 2;
	if (pa_release_leakage(&read.releases, &finite, prior, priors, (int) input(vector, "k"),
						   &plain_memory, &leak, NULL) != PA_OK)
		return complain(vector, "no leakage");
	return compare(vector, "leak", leak, expected(vector, "leak"));
}

/* All sequences of a short chain, with their probabilities */
typedef struct Sequences
{
	int			states;
	int			length;
	int			count;
	int		   *value;			/* [sequence * length + row] */
	double	   *prior;
	int		   *shape;
} Sequences;

static void
list_sequences(const PaChain *chain, Sequences *all)
{
	int			T = (int) chain->length;
	double	   *law = room((size_t) chain->states);
	int			i;
	int			t;

	all->states = chain->states;
	all->length = T;
	all->count = (int) lround(pow(chain->states, T));
	all->value = (int *) room((size_t) (all->count * T));
	all->prior = room((size_t) all->count);
	all->shape = (int *) room((size_t) T);
	pa_chain_stationary(chain, &plain_memory, law, NULL);
	for (i = 0; i < all->count; i++)
	{
		int		   *value = all->value + i * T;
		int			rest = i;

		for (t = T - 1; t >= 0; t--, rest /= chain->states)
			value[t] = rest % chain->states;
		all->prior[i] = law[value[0]];
		for (t = 1; t < T; t++)
			all->prior[i] *= chain->transition[value[t - 1] * chain->states + value[t]];
	}
	for (t = 0; t < T; t++)
		all->shape[t] = chain->states;
}

static int
occurrences(const Sequences *all, int i, int value)
{
	int			count = 0;
	int			t;

	for (t = 0; t < all->length; t++)
		count += all->value[i * all->length + t] == value;
	return count;
}

/* Randomised response on each row: outputs are sequences */
static double *
response_table(const Sequences *all, double epsilon, int *outputs)
{
	double		stay = exp(epsilon) / (exp(epsilon) + all->states - 1);
	double		move = 1 / (exp(epsilon) + all->states - 1);
	double	   *table = room((size_t) all->count * (size_t) all->count);
	int			i;
	int			j;
	int			t;

	*outputs = all->count;
	for (i = 0; i < all->count; i++)
		for (j = 0; j < all->count; j++)
		{
			double	   *cell = &table[(size_t) i * (size_t) all->count + (size_t) j];

			*cell = 1;
			for (t = 0; t < all->length; t++)
				*cell *= all->value[i * all->length + t] == all->value[j * all->length + t] ? stay : move;
		}
	return table;
}

/* Two-sided geometric noise on the number of ones; what is beyond 0..T says no more than its end. */
static double
geometric(int k, int count, int T, double epsilon)
{
	double		r = exp(-epsilon);
	double		p = (1 - r) / (1 + r) * pow(r, abs(k - count));

	return k == 0 || k == T ? p / (1 - r) : p;
}

static double *
count_table(const Sequences *all, double epsilon, int *outputs)
{
	int			width = all->length + 1;
	double	   *table = room((size_t) (all->count * width));
	int			i;
	int			k;

	*outputs = width;
	for (i = 0; i < all->count; i++)
		for (k = 0; k < width; k++)
			table[i * width + k] = geometric(k, occurrences(all, i, 1), all->length, epsilon);
	return table;
}

/* The exponential mechanism for the most frequent value */
static double *
mode_table(const Sequences *all, double epsilon, int *outputs)
{
	double	   *table = room((size_t) (all->count * all->states));
	int			i;
	int			v;

	*outputs = all->states;
	for (i = 0; i < all->count; i++)
	{
		double	   *row = table + i * all->states;
		double		sum = 0;

		for (v = 0; v < all->states; v++)
			sum += row[v] = exp(epsilon * occurrences(all, i, v) / 2);
		for (v = 0; v < all->states; v++)
			row[v] /= sum;
	}
	return table;
}

/* The largest loss between sequences that differ in one row */
static double
per_entry(const Sequences *all, const double *table, int outputs)
{
	double		most = 0;
	int			i;
	int			t;
	int			v;
	int			w;

	for (i = 0; i < all->count; i++)
	{
		int			stride = 1;

		for (t = all->length - 1; t >= 0; t--, stride *= all->states)
			for (v = 0; v < all->states; v++)
			{
				int			j = i + (v - all->value[i * all->length + t]) * stride;

				for (w = 0; w < outputs; w++)
					most = fmax(most, log(table[(size_t) i * (size_t) outputs + (size_t) w] /
										  table[(size_t) j * (size_t) outputs + (size_t) w]));
			}
	}
	return most;
}

static PaChain
read_chain(const Vector *vector)
{
	PaChain		chain = {0};

	chain.states = (int) json_array_size(json_object_get(vector->input, "P"));
	chain.transition = input_numbers(vector, "P", NULL);
	chain.length = (int64_t) input(vector, "T");
	return chain;
}

/* The leakage of a mechanism that was translated must be below the epsilon asked for. */
static Outcome
run_chain_mech(const Vector *vector)
{
	PaChain		chain = read_chain(vector);
	double		epsilon = input(vector, "eps_puffer");
	Sequences	all;
	PaChainLimits limits;
	PaFinite	finite = {0};
	Read		read;
	double	   *table;
	double		leak;
	int			outputs;
	Outcome		outcome;

	list_sequences(&chain, &all);
	if (pa_chain_limits(&chain, epsilon, &plain_memory, &limits, NULL) != PA_OK)
		return complain(vector, "no limits");
	table = input_is(vector, "mech", "rr") ? response_table(&all, limits.curve, &outputs) :
		input_is(vector, "mech", "geom_count") ? count_table(&all, limits.curve, &outputs) :
		mode_table(&all, limits.curve, &outputs);
	one_table(&read, all.count, outputs, table);
	finite.entries = all.length;
	finite.shape = all.shape;
	finite.cells = all.count;
	if (pa_release_leakage(&read.releases, &finite, all.prior, 1, 1, &plain_memory, &leak, NULL) != PA_OK)
		return complain(vector, "no leakage");
	if (!(leak <= epsilon))
		return complain(vector, "leaks %.17g, above %.17g", leak, epsilon);
	outcome = compare(vector, "eps_dp", limits.curve, expected(vector, "eps_dp"));
	if (outcome == PASSED)
		outcome = compare(vector, "leak", leak, expected(vector, "leak"));
	return outcome == PASSED ? compare(vector, "per_entry_dp", per_entry(&all, table, outputs),
									   expected(vector, "per_entry_dp")) : outcome;
}

/*
 * The law of the number of v among the rows after (or, with the reversed chain,
 * before) one with a given value: law[steps][value * width + count]
 */
static void
count_laws(const double *transition, int m, int T, int v, double *law)
{
	int			width = T + 1;
	int			t;
	int			x;
	int			y;
	int			c;

	for (x = 0; x < m; x++)
		law[x * width] = 1;
	for (t = 1; t < T; t++)
	{
		const double *before = law + (size_t) ((t - 1) * m * width);
		double	   *now = law + (size_t) (t * m * width);

		for (x = 0; x < m; x++)
			for (y = 0; y < m; y++)
				for (c = 0; c + (y == v) < width; c++)
					now[x * width + c + (y == v)] += transition[x * m + y] * before[y * width + c];
	}
}

/* Pr[noisy count = k | row t (from 0) = x] for all k */
static void
noisy_law(const double *before, const double *after, int m, int T, int t, int x, int v, double epsilon, double *noisy)
{
	int			width = T + 1;
	const double *left = before + (size_t) (t * m * width + x * width);
	const double *right = after + (size_t) ((T - 1 - t) * m * width + x * width);
	int			c;
	int			d;
	int			k;

	memset(noisy, 0, (size_t) width * sizeof(double));
	for (c = 0; c <= t; c++)
		for (d = 0; d <= T - 1 - t; d++)
			for (k = 0; k < width; k++)
				noisy[k] += left[c] * right[d] * geometric(k, c + d + (x == v), T, epsilon);
}

static Outcome
run_count_leakage(const Vector *vector)
{
	PaChain		chain = read_chain(vector);
	int			m = chain.states;
	int			T = (int) chain.length;
	double	   *law = room((size_t) m);
	double	   *back = room((size_t) (m * m));
	double	   *after = room((size_t) (T * m * (T + 1)));
	double	   *before = room((size_t) (T * m * (T + 1)));
	double	   *noisy = room((size_t) (m * (T + 1)));
	double		leak = 0;
	int			t;
	int			x;
	int			y;
	int			k;

	pa_chain_stationary(&chain, &plain_memory, law, NULL);
	for (x = 0; x < m; x++)
		for (y = 0; y < m; y++)
			back[x * m + y] = law[y] * chain.transition[y * m + x] / law[x];
	count_laws(chain.transition, m, T, (int) input(vector, "v"), after);
	count_laws(back, m, T, (int) input(vector, "v"), before);
	for (t = 0; t < T; t++)
	{
		for (x = 0; x < m; x++)
			noisy_law(before, after, m, T, t, x, (int) input(vector, "v"), input(vector, "eps_dp"), noisy + x * (T + 1));
		for (x = 0; x < m; x++)
			for (y = 0; y < m; y++)
				for (k = 0; k <= T; k++)
					leak = fmax(leak, log(noisy[x * (T + 1) + k] / noisy[y * (T + 1) + k]));
	}
	return compare(vector, "leak", leak, expected(vector, "leak"));
}

const Kind	vector_kinds_release[] = {
	{"nfc", run_nfc},
	{"coupling", run_coupling},
	{"postprocess", run_postprocess},
	{"collapse1", run_collapse1},
	{"collapse2", run_collapse2},
	{"collapse3", run_collapse3},
	{"leakage", run_leakage},
	{"chain_mech", run_chain_mech},
	{"count_leakage", run_count_leakage},
	{NULL, NULL}
};
