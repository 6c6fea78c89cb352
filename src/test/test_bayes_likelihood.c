/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_bayes_likelihood.c
 *		Likelihood tables, and the losses that they show, against brute force.
 */
#include <gsl/gsl_errno.h>

#include "bayes_owner.h"

static void
impossible_answers(void **state)
{
	const double cell[] = {
		0.5, 0.5, 0.0,
		0.0, 1.0, 0.0,
		0.5, 0.5, 0.0
	};
	const PaFilter filter = {PA_FILTER_FULL, 20, 0};
	double		column[3] = {-INFINITY, 0, -INFINITY};
	PaFilterVerdict verdict;
	PaQuery		query;
	Owner		owner;
	Owner		before;

	(void) state;
	new_owner(&owner, 3);
	assert_int_equal(pa_query_table(cell, 3, 3, &plain_memory, &query), PA_OK);
	assert_true(query.level == INFINITY);
	ask(&filter, &owner, &query, &verdict);
	assert_false(verdict.accepted);
	assert_true(verdict.worst == INFINITY);
	before = owner;
	assert_int_equal(pa_query_record(&query, 2, &owner.likelihood, &plain_memory), PA_INVALID);
	assert_int_equal(pa_query_record(&query, 3, &owner.likelihood, &plain_memory), PA_INVALID);
	assert_int_equal(pa_query_record(&query, -1, &owner.likelihood, &plain_memory), PA_INVALID);
	assert_memory_equal(&before, &owner, sizeof(owner));
	assert_int_equal(pa_query_record(&query, 0, &owner.likelihood, &plain_memory), PA_OK);
	assert_true(pa_likelihood_loss(&owner.likelihood).loss == INFINITY);
	assert_true(pa_likelihood_valid(&owner.likelihood));
	before = owner;
	assert_int_equal(pa_likelihood_add(&owner.likelihood, column), PA_INVALID);
	assert_memory_equal(&before, &owner, sizeof(owner));
	column[0] = NAN;
	assert_int_equal(pa_likelihood_add(&owner.likelihood, column), PA_INVALID);
	column[0] = 1e-3;
	assert_int_equal(pa_likelihood_add(&owner.likelihood, column), PA_INVALID);
	assert_memory_equal(&before, &owner, sizeof(owner));
	pa_query_free(&query, &plain_memory);
}

/* Thousands of answers: products would underflow, and the error bound holds. */
static void
long_histories(void **state)
{
	double		y[] = {0, 0.3, 1};
	long double sum[3] = {0};
	long double high;
	double		value[3];
	PaLikelihood likelihood;
	PaBinary	binary;
	PaQuery		query;
	PaRealisedLoss realised;
	int			i;
	int			x;

	(void) state;
	assert_int_equal(pa_likelihood_start(value, 3, &likelihood), PA_OK);
	assert_int_equal(pa_binary_make(0, 1, 1, &binary), PA_OK);
	assert_int_equal(pa_query_binary(&binary, y, 3, &plain_memory, &query), PA_OK);
	for (i = 0; i < 100000; i++)
	{
		assert_int_equal(pa_query_record(&query, i % 3 == 1 || i % 100 == 0, &likelihood, &plain_memory), PA_OK);
		for (x = 0; x < 3; x++)
		{
			bool		likely = query.coin[x].likely == (i % 3 == 1 || i % 100 == 0);
			long double rare = query.coin[x].rare;

			sum[x] += likely ? log1pl(-rare) : logl(rare);
		}
	}
	high = fmaxl(sum[0], fmaxl(sum[1], sum[2]));
	realised = pa_likelihood_loss(&likelihood);
	assert_true(sum[0] < -50000);
	assert_at_most(fabsl(realised.loss - (high - fminl(sum[0], fminl(sum[1], sum[2])))), realised.error);
	assert_at_most(realised.error, 1e-6);
	pa_query_free(&query, &plain_memory);
}

/*
 * A response is a table with equal columns: same worst, same level.  What is
 * rounded once more on the way may go to another point of the grid, at both ends
 * of the loss.
 */
static void
responses_are_tables(void **state)
{
	uint64_t	seed = 3;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 2000; i++)
	{
		double		cell[MOST_POINTS * MOST_OUTPUTS];
		double		column[MOST_POINTS];
		size_t		size = 1 + pick(&random, MOST_POINTS);
		PaRealisedLoss worst[2];
		PaQuery		query;
		PaQuery		table;
		Owner		owner;
		size_t		x;
		int64_t		y;

		new_owner(&owner, size);
		random_response(&random, size, &query);
		for (x = 0; x < size; x++)
		{
			column[x] = -uniform(&random, 0, 2);
			for (y = 0; y < query.outputs; y++)
				cell[x * (size_t) query.outputs + (size_t) y] = exp(pa_query_log_likelihood(&query, x, y));
		}
		assert_int_equal(pa_likelihood_add(&owner.likelihood, column), PA_OK);
		assert_int_equal(pa_query_table(cell, size, query.outputs, &plain_memory, &table), PA_OK);
		assert_int_equal(pa_query_worst(&query, &owner.likelihood, &plain_memory, &worst[0]), PA_OK);
		assert_int_equal(pa_query_worst(&table, &owner.likelihood, &plain_memory, &worst[1]), PA_OK);
		assert_true(fabs(worst[0].loss - worst[1].loss) < 0x2.1p-44);
		assert_true(fabs(query.level - table.level) < 1e-13);
		pa_query_free(&query, &plain_memory);
		pa_query_free(&table, &plain_memory);
	}
}

static void
likelihoods_are_rounded_to_the_grid(void **state)
{
	const double kept[] = {0, -0x1p-44, -0x1p-1 - 0x1p-44, -0x1p8 + 0x1p-44, -0x1p8, -300.7, -1e300, -INFINITY};
	double		value[] = {0, -0x1.8p-44};
	PaLikelihood likelihood = {2, value, 0};
	uint64_t	seed = 31;
	PaRandom	random;
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		assert_true(pa_likelihood_grid(kept[i]) == kept[i]);
	assert_true(pa_likelihood_grid(-1e-300) == 0);
	assert_true(pa_likelihood_grid(-0x1.01p-45) == -0x1p-44);
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 100000; i++)
	{
		double		l = -exp(uniform(&random, -40, log(256)));

		assert_true(pa_likelihood_grid(l) == ldexp(rint(ldexp(l, 44)), -44));
	}
	assert_false(pa_likelihood_valid(&likelihood));
	value[1] = -0x1p-44;
	assert_true(pa_likelihood_valid(&likelihood));
}

#define ANSWERS 16				/* of at most 31 each: sums stay below 2^9 */

typedef struct Answer
{
	Question	question;
	int64_t		output;
} Answer;

/* Any answer that the first value can give: so they are possible in every order. */
static void
random_answer(PaRandom *random, size_t size, Answer *given)
{
	int64_t		first;
	int64_t		last;

	random_question(random, size, &given->question);
	outputs_of(&given->question.query, &first, &last);
	do
		given->output = first + (int64_t) pick(random, (size_t) (last - first + 1));
	while (chance_of(&given->question, 0, given->output) == 0);
}

static void
shuffle(PaRandom *random, const Answer **order, size_t count)
{
	size_t		i;

	for (i = count; i > 1; i--)
	{
		size_t		other = pick(random, i);
		const Answer *last = order[i - 1];

		order[i - 1] = order[other];
		order[other] = last;
	}
}

static void
record_all(const Answer *const *order, size_t count, Owner *owner)
{
	size_t		i;

	for (i = 0; i < count; i++)
		assert_int_equal(pa_query_record(&order[i]->question.query, order[i]->output, &owner->likelihood, &plain_memory), PA_OK);
	assert_true(pa_likelihood_valid(&owner->likelihood));
}

/* Owners who gave the same answers have the same table, bit for bit. */
static void
order_does_not_matter(void **state)
{
	uint64_t	seed = 19;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 3000; i++)
	{
		Answer		given[ANSWERS];
		const Answer *order[ANSWERS];
		size_t		size = 1 + pick(&random, MOST_POINTS);
		size_t		count = 2 + pick(&random, ANSWERS - 1);
		Owner		owner;
		Owner		other;
		size_t		j;

		for (j = 0; j < count; j++)
			random_answer(&random, size, &given[j]);
		for (j = 0; j < count; j++)
			order[j] = &given[j];
		new_owner(&owner, size);
		record_all(order, count, &owner);
		for (j = 0; j < 5; j++)
		{
			shuffle(&random, order, count);
			new_owner(&other, size);
			record_all(order, count, &other);
			assert_memory_equal(owner.value, other.value, sizeof(owner.value));
			assert_close(owner.likelihood.error, other.likelihood.error, 1e-14);
		}
		for (j = 0; j < count; j++)
			pa_query_free(&given[j].question.query, &plain_memory);
	}
}

/* Whether the answer y, if it is possible, leads to exactly the worst loss */
static bool
reaches_worst(const PaQuery *query, int64_t y, const Owner *owner, PaRealisedLoss worst)
{
	Owner		after = *owner;
	PaRealisedLoss recorded;

	after.likelihood.value = after.value;
	if (pa_query_record(query, y, &after.likelihood, &plain_memory) != PA_OK)
		return false;
	recorded = pa_likelihood_loss(&after.likelihood);
	assert_true(recorded.loss + recorded.error <= worst.loss + worst.error);
	return recorded.loss == worst.loss;
}

static void
check_worst(const PaQuery *query, const Owner *owner)
{
	bool		noise = query->kind == PA_QUERY_ADDITIVE;
	bool		reached = false;
	PaRealisedLoss worst;
	int64_t		y;

	assert_int_equal(pa_query_worst(query, &owner->likelihood, &plain_memory, &worst), PA_OK);
	for (y = noise ? -40 : 0; y < (noise ? 40 : query->outputs); y++)
		reached |= reaches_worst(query, y, owner, worst);
	assert_true(reached);
	if (!noise)
		return;
	for (y = 64; pa_query_has_output(query, y); y *= 2)
	{
		reaches_worst(query, y, owner, worst);
		reaches_worst(query, -y, owner, worst);
	}
}

/* The worst loss is that of a table that can follow, bit for bit, and no other is above. */
static void
worst_losses_are_those_recorded(void **state)
{
	uint64_t	seed = 23;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 3000; i++)
	{
		size_t		size = 1 + pick(&random, MOST_POINTS);
		size_t		count = pick(&random, i % 50 == 0 ? 400 : 8);
		Question	question;
		Owner		owner;

		new_owner(&owner, size);
		while (count-- > 0)
		{
			Answer		given;
			const Answer *order = &given;

			random_answer(&random, size, &given);
			record_all(&order, 1, &owner);
			pa_query_free(&given.question.query, &plain_memory);
		}
		do
		{
			random_question(&random, size, &question);
			if (pa_query_enumerable(&question.query))
				check_worst(&question.query, &owner);
			pa_query_free(&question.query, &plain_memory);
		} while (pick(&random, 3) > 0);
	}
}

/* Gaussian noise has no epsilon: only sums of rho can bear it. */
static void
gaussian_answers(void **state)
{
	const PaFilter full = {PA_FILTER_FULL, 5, 0};
	const PaFilter approximate = {PA_FILTER_APPROXIMATE, 1, 1e-5};
	int64_t		value[] = {0, 1};
	PaFilterVerdict verdict;
	PaAdditive	additive;
	PaKernel	kernel;
	Question	question;
	Owner		owner;
	int			count = 0;

	(void) state;
	new_owner(&owner, 2);
	assert_int_equal(pa_kernel_make(PA_KERNEL_GAUSSIAN, 20, &kernel), PA_OK);
	assert_int_equal(pa_additive_make(&kernel, 0, 1, &additive), PA_OK);
	assert_int_equal(pa_query_additive(&additive, value, 2, &plain_memory, &question.query), PA_OK);
	ask(&full, &owner, &question.query, &verdict);
	assert_false(verdict.accepted);
	for (ask(&approximate, &owner, &question.query, &verdict); verdict.accepted; ask(&approximate, &owner, &question.query, &verdict))
	{
		answer(&owner, &question, 3);
		count++;
	}
	/* n/800 + 2 sqrt(n/800 ln 1e5) <= 1 */
	assert_int_equal(count, 16);
	assert_true(owner.borne.basic == INFINITY);
	pa_query_free(&question.query, &plain_memory);
}

#define DRAWN 41				/* outputs counted, from -20; what is beyond goes to the ends */

static int
cell_of(int64_t y)
{
	return (int) (y < -DRAWN / 2 ? -DRAWN / 2 : y > DRAWN / 2 ? DRAWN / 2 : y) + DRAWN / 2;
}

/* Answers are drawn from the very law that is charged */
static void
draws_follow_their_law(const PaQuery *query, PaRandom *random)
{
	long		draws = draws_wanted() / 4;
	size_t		x;

	for (x = 0; x < query->size; x++)
	{
		double		seen[DRAWN] = {0};
		double		expected[DRAWN] = {0};
		int64_t		y;
		long		i;

		for (i = 0; i < draws; i++)
		{
			assert_int_equal(pa_query_draw(query, x, random, &y), PA_OK);
			assert_true(pa_query_has_output(query, y));
			seen[cell_of(y)]++;
		}
		for (y = -1000; y <= 1000; y++)
			if (pa_query_has_output(query, y))
				expected[cell_of(y)] += draws * exp(pa_query_log_likelihood(query, x, y));
		assert_true(chi_square_p(seen, expected, DRAWN) > FALSE_ALARM);
	}
}

static void
answers_are_drawn_from_the_accounted_law(void **state)
{
	void		(*const makers[]) (PaRandom *, size_t, PaQuery *) = {random_binary, random_response, random_additive};
	uint64_t	seed = 977;
	PaRandom	choice;
	PaRandom	random;
	Question	question;
	PaQuery		query;
	int64_t		y;
	size_t		i;

	(void) state;
	pa_random_init(&choice, source_seeded, &seed);
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < 3; i++)
	{
		makers[i] (&choice, 3, &query);
		draws_follow_their_law(&query, &random);
		assert_int_equal(pa_query_draw(&query, 3, &random, &y), PA_INVALID);
		pa_query_free(&query, &plain_memory);
	}
	random_table(&choice, 3, 2, &question);
	assert_int_equal(pa_query_draw(&question.query, 0, &random, &y), PA_INVALID);
	pa_query_free(&question.query, &plain_memory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(impossible_answers),
		cmocka_unit_test(long_histories),
		cmocka_unit_test(responses_are_tables),
		cmocka_unit_test(likelihoods_are_rounded_to_the_grid),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(worst_losses_are_those_recorded),
		cmocka_unit_test(gaussian_answers),
		cmocka_unit_test(answers_are_drawn_from_the_accounted_law),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
