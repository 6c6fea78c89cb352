/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_bayes.c
 *		Test vectors of finite domains in the local regime, and of Bayesian measures.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bayes/estimate.h"
#include "core/bayes/filter.h"
#include "core/bayes/measures.h"
#include "source.h"
#include "vectors.h"

#define MOST_QUERIES 64
#define MOST_POINTS 64
#define MOST_OUTPUTS 256
#define MOST_CELLS (MOST_POINTS * MOST_OUTPUTS)

/* A stream of questions to one owner, and what the owner's answers said so far */
typedef struct Stream
{
	PaQuery		query[MOST_QUERIES];
	size_t		queries;
	double		value[MOST_POINTS];
	PaLikelihood likelihood;
	PaBorne		borne;
} Stream;

/* Numbers of an array, or -1 if there are too many or something else */
static int
read_numbers(const json_t *array, double *to, size_t room)
{
	size_t		count = json_array_size(array);
	size_t		i;

	if (!json_is_array(array) || count > room)
		return -1;
	for (i = 0; i < count; i++)
		to[i] = json_number(json_array_get(array, i));
	return (int) count;
}

/* [x][y] = Pr[y | x]: rows of equal length, one after the other */
static int
read_matrix(const json_t *rows, double *cell, size_t size)
{
	int			outputs = -1;
	size_t		x;

	if (json_array_size(rows) != size)
		return -1;
	for (x = 0; x < size; x++)
	{
		int			count = read_numbers(json_array_get(rows, x), cell + (x == 0 ? 0 : x * (size_t) outputs), MOST_OUTPUTS);

		if (count < 1 || (outputs >= 0 && count != outputs))
			return -1;
		outputs = count;
	}
	return outputs;
}

static void
close_stream(Stream *stream)
{
	while (stream->queries > 0)
		pa_query_free(&stream->query[--stream->queries], &plain_memory);
}

static bool
open_stream(const Vector *vector, Stream *stream)
{
	const json_t *tables = json_object_get(vector->input, "query_table");
	size_t		size = (size_t) input(vector, "domain_size");
	double		cell[MOST_CELLS];
	size_t		i;

	memset(stream, 0, sizeof(*stream));
	if (size > MOST_POINTS || json_array_size(tables) > MOST_QUERIES ||
		pa_likelihood_start(stream->value, size, &stream->likelihood) != PA_OK)
		return false;
	for (i = 0; i < json_array_size(tables); i++)
	{
		int			outputs = read_matrix(json_array_get(tables, i), cell, size);

		if (outputs < 1 || pa_query_table(cell, size, outputs, &plain_memory, &stream->query[i]) != PA_OK)
			return false;
		stream->queries++;
	}
	return true;
}

/* The question and the answer of a step; NULL if there is no such question */
static const PaQuery *
read_step(const Stream *stream, const json_t *step, int64_t *output)
{
	double		which = json_number(json_array_get(step, 0));

	*output = (int64_t) json_number(json_array_get(step, 1));
	return which >= 0 && which < (double) stream->queries ? &stream->query[(size_t) which] : NULL;
}

/* The i-th of an expected array, if there is one */
static Outcome
compare_at(const Vector *vector, const char *name, size_t i, double got)
{
	const json_t *array = json_object_get(vector->expected, name);

	return array == NULL ? PASSED : compare(vector, name, got, json_number(json_array_get(array, i)));
}

static Outcome
compare_if_there(const Vector *vector, const char *name, double got)
{
	return json_object_get(vector->expected, name) == NULL ? PASSED :
		compare(vector, name, got, expected(vector, name));
}

/* "likelihood" is not in logarithms: compared as quotients with its largest */
static Outcome
compare_likelihood(const Vector *vector, const Stream *stream)
{
	const json_t *want = json_object_get(vector->expected, "likelihood");
	Outcome		outcome = PASSED;
	double		largest = 0;
	size_t		x;

	for (x = 0; x < json_array_size(want); x++)
		largest = fmax(largest, json_number(json_array_get(want, x)));
	for (x = 0; outcome == PASSED && x < json_array_size(want); x++)
		outcome = compare(vector, "likelihood", largest * exp(stream->value[x]),
						  json_number(json_array_get(want, x)));
	return outcome;
}

static Outcome
follow_odometer(const Vector *vector, Stream *stream)
{
	const json_t *sequence = json_object_get(vector->input, "sequence");
	Outcome		outcome = PASSED;
	double		loss = 0;
	double		most = 0;
	size_t		i;

	for (i = 0; outcome == PASSED && i < json_array_size(sequence); i++)
	{
		int64_t		output;
		const PaQuery *query = read_step(stream, json_array_get(sequence, i), &output);

		if (query == NULL || pa_query_record(query, output, &stream->likelihood, &plain_memory) != PA_OK)
			return complain(vector, "step %zu cannot be taken", i);
		loss = pa_likelihood_loss(&stream->likelihood).loss;
		most = fmax(most, loss);
		outcome = compare_at(vector, "logL", i, loss);
		if (outcome == PASSED && i == 99)
			outcome = compare_if_there(vector, "logL_at_100", loss);
	}
	if (outcome == PASSED)
		outcome = compare_if_there(vector, "logL_last", loss);
	if (outcome == PASSED)
		outcome = compare_if_there(vector, "logL_max", most);
	return outcome == PASSED ? compare_likelihood(vector, stream) : outcome;
}

static Outcome
run_odometer(const Vector *vector)
{
	Stream		stream;
	Outcome		outcome;

	if (open_stream(vector, &stream))
		outcome = follow_odometer(vector, &stream);
	else
		outcome = complain(vector, "no stream");
	close_stream(&stream);
	return outcome;
}

typedef struct Count
{
	int			accepted;
	int			by_sums;
} Count;

/* One step through a filter; refused questions are skipped. */
static Outcome
filter_step(const Vector *vector, const PaFilter *filter, Stream *stream, size_t i, Count *count)
{
	const json_t *sequence = json_object_get(vector->input, "sequence");
	const json_t *accept = json_array_get(json_object_get(vector->expected, "accept"), i);
	int64_t		output;
	const PaQuery *query = read_step(stream, json_array_get(sequence, i), &output);
	PaFilterVerdict verdict;
	Outcome		outcome;

	if (query == NULL || pa_filter_query(filter, &stream->borne, &stream->likelihood, query,
										 &plain_memory, &verdict) != PA_OK)
		return complain(vector, "step %zu cannot be asked", i);
	if (verdict.accepted != json_is_true(accept))
		return complain(vector, "step %zu is %s", i, verdict.accepted ? "accepted" : "rejected");
	count->accepted += verdict.accepted;
	count->by_sums += verdict.by_sums;
	if (verdict.accepted)
	{
		pa_bear_query(&stream->borne, query);
		if (pa_query_record(query, output, &stream->likelihood, &plain_memory) != PA_OK)
			return complain(vector, "step %zu cannot be recorded", i);
	}
	outcome = compare_at(vector, "worst", i, verdict.worst);
	if (outcome == PASSED)
		outcome = compare_at(vector, "logL", i, pa_likelihood_loss(&stream->likelihood).loss);
	return outcome;
}

static Outcome
follow_filter(const Vector *vector, const PaFilter *filter, Stream *stream)
{
	size_t		steps = json_array_size(json_object_get(vector->input, "sequence"));
	Outcome		outcome = PASSED;
	Count		count = {0, 0};
	size_t		i;

	for (i = 0; outcome == PASSED && i < steps; i++)
		outcome = filter_step(vector, filter, stream, i, &count);
	if (outcome == PASSED && count.accepted != (int) expected(vector, "accepted"))
		outcome = complain(vector, "%d accepted", count.accepted);
	if (outcome == PASSED && filter->kind == PA_FILTER_APPROXIMATE && count.by_sums != (int) expected(vector, "n_F0"))
		outcome = complain(vector, "%d accepted by sums", count.by_sums);
	if (outcome == PASSED)
		outcome = compare_if_there(vector, "logL_last", pa_likelihood_loss(&stream->likelihood).loss);
	return outcome;
}

static Outcome
run_filter(const Vector *vector, const PaFilter *filter)
{
	Stream		stream;
	Outcome		outcome;

	if (open_stream(vector, &stream))
		outcome = follow_filter(vector, filter, &stream);
	else
		outcome = complain(vector, "no stream");
	close_stream(&stream);
	return outcome;
}

static Outcome
run_finite_filter(const Vector *vector)
{
	PaFilter	filter = {PA_FILTER_FULL, input(vector, "eps_g"), 0};

	if (input_is(vector, "alg", "simplified"))
		filter.kind = PA_FILTER_SIMPLIFIED;
	return run_filter(vector, &filter);
}

static Outcome
run_approx_filter(const Vector *vector)
{
	PaFilter	filter = {PA_FILTER_APPROXIMATE, input(vector, "eps_g"), input(vector, "delta_g")};

	return run_filter(vector, &filter);
}

/* Compares (got) for each name in turn; stops at the first that fails. */
typedef struct Named
{
	const char *name;
	double		got;
} Named;

static Outcome
compare_all(const Vector *vector, const Named *named, size_t count)
{
	Outcome		outcome = PASSED;
	size_t		i;

	for (i = 0; outcome == PASSED && i < count; i++)
		outcome = compare(vector, named[i].name, named[i].got, expected(vector, named[i].name));
	return outcome;
}

#define COMPARE_ALL(vector, named) compare_all(vector, named, sizeof(named) / sizeof(named[0]))

/*
 * tol, for the mean: relative to (b - a)(e^eps + 1)/(e^eps - 1), and never finer
 * than absolute.  pi_b need not be a share of n: n is taken 2^40 times as large.
 */
static Outcome
run_mean_estimate(const Vector *vector)
{
	uint64_t	n = (uint64_t) input(vector, "n") << 40;
	uint64_t	hits = (uint64_t) llround(input(vector, "pi_b") * (double) n);
	double		spread = (input(vector, "b") - input(vector, "a")) / tanh(input(vector, "eps") / 2);
	double		error;
	PaBinary	binary;
	PaLocalEstimate mean;

	if (pa_binary_make(input(vector, "a"), input(vector, "b"), input(vector, "eps"), &binary) != PA_OK ||
		pa_estimate_mean(&binary, hits, n, 0.95, &mean) != PA_OK)
		return complain(vector, "no estimate");
	error = fabs(mean.value - expected(vector, "mean"));
	if (!(error <= number(vector->tol, "abs") * fmax(1, spread)))
		return complain(vector, "mean is off by %g", error);
	return compare(vector, "variance", ldexp(mean.error * mean.error, 40), expected(vector, "variance"));
}

static Outcome
run_perturb(const Vector *vector)
{
	PaBinary	binary;
	PaCoin		coin;

	if (pa_binary_make(input(vector, "a"), input(vector, "b"), input(vector, "eps"), &binary) != PA_OK ||
		pa_binary_coin(&binary, input(vector, "y"), &coin) != PA_OK)
		return complain(vector, "no coin");
	{
		const Named named[] = {
			{"prob_b", coin.likely ? 1 - coin.rare : coin.rare},
			{"loglik_b", pa_coin_log_likelihood(&coin, true)},
			{"loglik_a", pa_coin_log_likelihood(&coin, false)},
		};

		return COMPARE_ALL(vector, named);
	}
}

static Outcome
run_krr(const Vector *vector)
{
	PaResponse	response;

	if (pa_response_make((uint32_t) input(vector, "k"), input(vector, "eps"), &response) != PA_OK)
		return complain(vector, "no response");
	{
		const Named named[] = {
			{"p_same", pa_response_same(&response)},
			{"p_other", pa_response_other(&response)},
			{"ldp", pa_response_level(&response)},
		};

		return COMPARE_ALL(vector, named);
	}
}

static double
least(const double *number, size_t count, double *second)
{
	double		first = INFINITY;
	size_t		i;

	*second = INFINITY;
	for (i = 0; i < count; i++)
	{
		*second = number[i] < first ? first : fmin(*second, number[i]);
		first = fmin(first, number[i]);
	}
	return first;
}

static Outcome
compare_channel(const Vector *vector, const PaChannel *channel)
{
	Outcome		outcome = PASSED;
	double		abp[MOST_POINTS];
	double		most = 0;
	double		level;
	double		mbp;
	double		second;
	double		first = least(channel->prior, channel->inputs, &second);
	size_t		i;

	if (pa_channel_level(channel, &plain_memory, &level) != PA_OK || pa_channel_mbp(channel, &plain_memory, &mbp) != PA_OK ||
		pa_channel_abp(channel, &plain_memory, abp) != PA_OK)
		return complain(vector, "no channel");
	for (i = 0; outcome == PASSED && i < channel->inputs; i++)
	{
		most = fmax(most, abp[i]);
		outcome = compare_at(vector, "abp_dataset", i, abp[i]);
	}
	if (outcome != PASSED)
		return outcome;
	{
		const Named named[] = {
			{"ldp", level},
			{"mbp", mbp},
			{"abp_max", most},
			{"ldp_to_mbp_tight", pa_mbp_of_ldp(level, first)},
			{"mbp_to_ldp_simple", pa_ldp_of_mbp(mbp)},
			{"mbp_to_ldp_exact", pa_ldp_of_mbp_tight(mbp, first, second)},
			{"mbp_to_abp_printed", pa_abp_of_mbp_printed(mbp)},
			{"mbp_to_js_tight", pa_abp_of_mbp(mbp)},
			{"mbp_to_abp_improved", pa_abp_of_mbp_near(mbp, 0)},
		};

		return COMPARE_ALL(vector, named);
	}
}

static Outcome
run_mbp_abp(const Vector *vector)
{
	const json_t *rows = json_object_get(vector->input, "channel");
	double		cell[MOST_CELLS];
	double		prior[MOST_POINTS];
	PaChannel	channel = {json_array_size(rows), 0, cell, prior};
	int			outputs;

	if (channel.inputs > MOST_POINTS || (outputs = read_matrix(rows, cell, channel.inputs)) < 1 ||
		read_numbers(json_object_get(vector->input, "prior"), prior, MOST_POINTS) != (int) channel.inputs)
		return complain(vector, "no channel");
	channel.outputs = (size_t) outputs;
	return compare_channel(vector, &channel);
}

static Outcome
run_realized(const Vector *vector)
{
	double		likelihood[MOST_POINTS];
	double		prior[MOST_POINTS];
	double		posterior[MOST_POINTS];
	int			size = read_numbers(json_object_get(vector->input, "likelihood"), likelihood, MOST_POINTS);
	PaRealisedMeasures measures;
	Outcome		outcome = PASSED;
	int			x;

	if (size < 1 || read_numbers(json_object_get(vector->input, "prior"), prior, MOST_POINTS) != size)
		return complain(vector, "no likelihood");
	for (x = 0; x < size; x++)
		likelihood[x] = log(likelihood[x]);
	if (pa_realised_measures(likelihood, prior, (size_t) size, &plain_memory, &measures, posterior) != PA_OK)
		return complain(vector, "no measures");
	for (x = 0; outcome == PASSED && x < size; x++)
		outcome = compare_at(vector, "posterior", (size_t) x, posterior[x]);
	if (outcome != PASSED)
		return outcome;
	{
		const Named named[] = {{"logL", measures.loss}, {"mbp", measures.mbp}, {"abp", measures.abp}};

		return COMPARE_ALL(vector, named);
	}
}

static Outcome
run_conversions(const Vector *vector)
{
	double		eps = input(vector, "eps");
	double		beta = input(vector, "beta");
	double		printed = pa_pac_gamma_printed(eps, beta);
	double		valid = pa_pac_gamma(eps, beta);
	const Named named[] = {
		{"ldp_to_mbp_tight", pa_mbp_of_ldp(eps, input(vector, "pi_min"))},
		{"mbp_to_abp_printed", pa_abp_of_mbp_printed(eps)},
		{"mbp_to_js_tight", pa_abp_of_mbp(eps)},
		{"mbp_to_abp_improved", pa_abp_of_mbp_near(eps, 0)},
		{"pac_gamma_printed", printed},
		{"pac_gamma_valid", valid},
	};

	if ((printed >= valid) != json_is_true(json_object_get(vector->expected, "printed_is_valid")))
		return complain(vector, "the printed gamma is taken to be %s", printed >= valid ? "valid" : "invalid");
	return COMPARE_ALL(vector, named);
}

const Kind	vector_kinds_bayes[] = {
	{"approx_filter", run_approx_filter},
	{"conversions", run_conversions},
	{"finite_filter", run_finite_filter},
	{"krr", run_krr},
	{"mbp_abp", run_mbp_abp},
	{"mean_estimate", run_mean_estimate},
	{"odometer", run_odometer},
	{"perturb", run_perturb},
	{"realized", run_realized},
	{NULL, NULL}
};
