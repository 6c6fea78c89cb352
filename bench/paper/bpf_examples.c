/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bpf_examples.c
 *		Section 2.5 and Examples 1 to 3 of the paper on the Bayesian filter.
 *
 * Queries are tables of probabilities, so the log-likelihoods, losses and verdicts
 * are those that the core would use for an owner with such a domain.
 */
#include <math.h>
#include <stdio.h>

#include "core/bayes/estimate.h"
#include "core/bayes/filter.h"
#include "markdown.h"
#include "source.h"
#include "tables.h"

#define VALUES 11				/* of the running example: 0, 1, ..., 10 */
#define MOST_ASKED 8
#define RESPONSE 0.7			/* p of Example 1; the paper leaves it open */

/* What is known of an owner of the running example. */
typedef struct Owner
{
	double		value[VALUES];
	PaLikelihood likelihood;
	PaBorne		borne;
} Owner;

static bool
new_owner(Owner *owner, size_t values)
{
	owner->borne = (PaBorne) {0};
	return pa_likelihood_start(owner->value, values, &owner->likelihood) == PA_OK;
}

/* A query with outputs 0 and 1, from Pr[1 | x]. */
static bool
query_of(const double *one, size_t values, PaQuery *query)
{
	double		both[2 * VALUES];
	size_t		x;

	for (x = 0; x < values; x++)
	{
		both[2 * x] = 1 - one[x];
		both[2 * x + 1] = one[x];
	}
	return pa_query_table(both, values, 2, &plain_memory, query) == PA_OK;
}

/* Equation (11): the query of the i-th power. */
static double
power_one(int i, int x)
{
	return 0.2 * pow(x / 10.0, i) + 0.4;
}

static bool
power_query(int i, PaQuery *query)
{
	double		one[VALUES];
	int			x;

	for (x = 0; x < VALUES; x++)
		one[x] = power_one(i, x);
	return query_of(one, VALUES, query);
}

static void
mean_row(double a, double b, double y)
{
	const uint64_t n = 1000000000;
	double		share;
	PaBinary	binary;
	PaLocalEstimate mean;

	if (pa_binary_make(a, b, 1, &binary) != PA_OK)
		return;
	share = binary.flip + (1 - 2 * binary.flip) * (y - a) / (b - a);
	if (pa_estimate_mean(&binary, (uint64_t) llround(share * n), n, 0.95, &mean) != PA_OK)
		return;
	cell_short(a);
	cell_short(b);
	cell_short(y);
	cell_fixed(a + b * ((exp(1) + 1) * share - 1) / expm1(1), 4);
	cell_fixed(mean.value, 4);
	row_end();
}

static void
section_2_5(void)
{
	heading("1a. Section 2.5: the mean of many owners");
	paragraph("Every owner's value is y, eps = 1, and the share of answers b is what is expected of it.");
	table("a|b|y|as printed|computed");
	mean_row(0, 12, 7.5);
	mean_row(-1, 1, 0);
	mean_row(10, 50, 23);
}

static void
example_1(void)
{
	static const int answers[] = {0, 1, 1, 0};
	static const double one[] = {1 - RESPONSE, RESPONSE};
	Owner		owner;
	PaQuery		query;
	int			i;

	if (!new_owner(&owner, 2) || !query_of(one, 2, &query))
		return;
	heading("1b. Example 1: randomised response that contradicts itself");
	paragraph("p = %g. Printed: the belief is unchanged after the last answer (L = 1).", RESPONSE);
	table("answer|realised loss, log L|basic composition");
	for (i = 0; i < 4; i++)
	{
		if (pa_query_record(&query, answers[i], &owner.likelihood, &plain_memory) != PA_OK)
			break;
		pa_bear_query(&owner.borne, &query);
		cell_count(answers[i]);
		cell_fixed(pa_likelihood_loss(&owner.likelihood).loss, 4);
		cell_fixed(owner.borne.basic, 4);
		row_end();
	}
	pa_query_free(&query, &plain_memory);
}

/* Records the answer and adds its log-likelihoods; false if that fails. */
static bool
answer_power(int i, int answer, Owner *owner, double *sum)
{
	PaQuery		query;
	bool		done;
	int			x;

	if (!power_query(i, &query))
		return false;
	for (x = 0; x < VALUES; x++)
		sum[x] += pa_query_log_likelihood(&query, (size_t) x, answer);
	pa_bear_query(&owner->borne, &query);
	done = pa_query_record(&query, answer, &owner->likelihood, &plain_memory) == PA_OK;
	pa_query_free(&query, &plain_memory);
	return done;
}

static void
example_2(void)
{
	static const double printed[VALUES] = {0.096, 0.101, 0.109, [10] = 0.144};
	double		sum[VALUES] = {0};
	Owner		owner;
	int			x;

	if (!new_owner(&owner, VALUES) || !answer_power(1, 1, &owner, sum) ||
		!answer_power(2, 0, &owner, sum) || !answer_power(3, 1, &owner, sum))
		return;
	heading("1c. Example 2: answers 1, 0, 1 about X, X^2, X^3");
	table("x|printed probability|computed");
	for (x = 0; x < VALUES; x++)
	{
		cell_count(x);
		cell_fixed(printed[x] > 0 ? printed[x] : NAN, 3);
		cell_fixed(exp(sum[x]), 4);
		row_end();
	}
	paragraph("Printed: L = 1.5, basic composition 3.375. Computed: %.4f and %.4f.",
			  exp(pa_likelihood_loss(&owner.likelihood).loss), exp(owner.borne.basic));
}

static void
cells_of_verdict(PaFilterKind kind, double epsilon, const Owner *owner, const PaQuery *query, bool *accepted)
{
	PaFilter	filter = {kind, epsilon, 0};
	PaFilterVerdict verdict;

	*accepted = false;
	if (pa_filter_query(&filter, &owner->borne, &owner->likelihood, query, &plain_memory, &verdict) != PA_OK)
		return;
	*accepted = verdict.accepted;
	cell_fixed(exp(verdict.worst), 4);
	cell_text(verdict.accepted ? "yes" : "no");
}

/* Asks as Algorithms 2 and 3 would; records the answer if the former allows it. */
static void
example_3_row(const char *name, const PaQuery *query, int answer, double printed, double epsilon, Owner *owner)
{
	bool		full;
	bool		simplified;

	cell_text(name);
	cells_of_verdict(PA_FILTER_FULL, epsilon, owner, query, &full);
	cells_of_verdict(PA_FILTER_SIMPLIFIED, epsilon, owner, query, &simplified);
	if (full && answer >= 0 && pa_query_record(query, answer, &owner->likelihood, &plain_memory) == PA_OK)
	{
		pa_bear_query(&owner->borne, query);
		cell_count(answer);
	}
	else
		cell_text("-");
	cell_fixed(printed, 2);
	cell_fixed(exp(pa_likelihood_loss(&owner->likelihood).loss), 4);
	row_end();
}

/* Whether the value is 5: it tells nothing about which of the extremes is likelier. */
static bool
question_of_the_middle(PaQuery *query)
{
	double		one[VALUES];
	int			x;

	for (x = 0; x < VALUES; x++)
		one[x] = x == 5 ? 0.6 : 0.5;
	return query_of(one, VALUES, query);
}

/* max/min of the products of the first four queries, in doubles as they come. */
static double
naive_ratio(const int *answers)
{
	double		most = 0;
	double		least = 1;
	int			x;
	int			i;

	for (x = 0; x < VALUES; x++)
	{
		double		product = 1;

		for (i = 1; i <= 4; i++)
			product *= answers[i - 1] ? power_one(i, x) : 1 - power_one(i, x);
		most = fmax(most, product);
		least = fmin(least, product);
	}
	return most / least;
}

static void
example_3(void)
{
	static const int answers[MOST_ASKED] = {1, 0, 1, 1, 0, 1, 0, 1};
	static const double printed[] = {1.50, 1.15, 1.50, 2.25};
	double		epsilon = 2 * log(1.5);
	char		name[16];
	PaQuery		query;
	Owner		owner;
	int			i;

	if (!new_owner(&owner, VALUES))
		return;
	heading("1d. Example 3: a filter with e^eps = 2.25");
	paragraph("\"Worst\" is what the algorithm compares with 2.25.");
	table("query|Algorithm 2, worst|accepted|Algorithm 3, worst|accepted|answer|L printed|L");
	for (i = 0; i < MOST_ASKED && power_query(i + 1, &query); i++)
	{
		snprintf(name, sizeof(name), "X^%d", i + 1);
		example_3_row(name, &query, answers[i], i < 4 ? printed[i] : NAN, epsilon, &owner);
		pa_query_free(&query, &plain_memory);
	}
	if (question_of_the_middle(&query))
	{
		example_3_row("X = 5?", &query, -1, NAN, epsilon, &owner);
		pa_query_free(&query, &plain_memory);
	}
	paragraph("In doubles the quotient of the products after X^4 is %.16f.", naive_ratio(answers));
}

void
tables_of_examples(void)
{
	section_2_5();
	example_1();
	example_2();
	example_3();
}
