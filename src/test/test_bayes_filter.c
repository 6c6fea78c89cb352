/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_bayes_filter.c
 *		The Bayesian Privacy Filter against brute force.
 */
#include <gsl/gsl_errno.h>

#include "bayes_owner.h"

#define STREAMS 150000			/* random streams of questions, a third for each filter */
#define MOST_STEPS 12

static long
streams_wanted(void)
{
	long		wanted = draws_wanted() / 20 * 3;

	return wanted < STREAMS ? wanted : STREAMS;
}

/* The promise, after something was accepted that sums alone do not bear. */
static void
check_cap(const PaFilter *filter, const Owner *owner)
{
	assert_at_most(truth_loss(&owner->truth) + owner->central, filter->epsilon + PA_FILTER_TIE);
}

static void
ask_central(PaRandom *random, const PaFilter *filter, Owner *owner)
{
	double		epsilon = uniform(random, 0, 0.3);
	PaFilterVerdict verdict;

	assert_int_equal(pa_filter_central(filter, &owner->borne, &owner->likelihood, epsilon, &verdict), PA_OK);
	if (!verdict.accepted)
		return;
	pa_bear_central(&owner->borne, epsilon);
	owner->central += epsilon;
	if (!verdict.by_sums)
		check_cap(filter, owner);
}

/*
 * What a decision must be, by brute force; the cap must hold for every answer.
 * The computed worst loss is off by less than 1e-12 (13 answers of 2^-44 and a
 * little), and a refusal counts its error bound as well.
 */
static void
check_verdict(const PaFilter *filter, const Owner *owner, const Question *question, const PaFilterVerdict *verdict)
{
	const PaQuery *query = &question->query;
	long double worst = true_worst(&owner->truth, question) + owner->central;
	bool		exact = filter->kind != PA_FILTER_SIMPLIFIED && pa_query_enumerable(query);

	if (verdict->by_sums)
		return;
	if (verdict->accepted)
		assert_at_most(worst, filter->epsilon + PA_FILTER_TIE);
	else if (exact)
		assert_at_most(filter->epsilon + PA_FILTER_TIE, worst + 2e-12);
	if (exact && isfinite(verdict->worst))
		assert_true(fabsl(verdict->worst - worst) < 1e-12);
	if (!exact)
		assert_at_most(worst, verdict->worst + 1e-12);
	if (query->level <= pa_filter_left(filter, &owner->borne, &owner->likelihood))
		assert_true(verdict->accepted);
}

static int
run_stream(PaRandom *random, const PaFilter *filter)
{
	Owner		owner;
	int			accepted = 0;
	int			step;

	new_owner(&owner, 2 + pick(random, MOST_POINTS - 1));
	owner.truth.self = pick(random, owner.truth.size);
	for (step = 0; step < MOST_STEPS; step++)
	{
		PaFilterVerdict verdict;
		Question	question;

		if (pick(random, 6) == 0)
			ask_central(random, filter, &owner);
		random_question(random, owner.truth.size, &question);
		ask(filter, &owner, &question.query, &verdict);
		check_verdict(filter, &owner, &question, &verdict);
		if (verdict.accepted)
			answer(&owner, &question, choose_answer(random, &owner.truth, &question));
		accepted += verdict.accepted;
		if (filter->kind != PA_FILTER_APPROXIMATE || (verdict.accepted && !verdict.by_sums))
			check_cap(filter, &owner);
		pa_query_free(&question.query, &plain_memory);
	}
	return accepted;
}

/*
 * The promise over random streams, mostly with the worst answers: a cap for
 * certain with two of the filters, and with the third after each step that its
 * sums do not bear.
 */
static void
no_stream_passes_the_cap(void **state)
{
	long		streams = streams_wanted();
	uint64_t	seed = 11;
	long		accepted[3] = {0};
	PaRandom	random;
	long		i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < streams; i++)
	{
		PaFilter	filter = {(PaFilterKind) (i % 3), exp(uniform(&random, log(0.05), log(6))), 0};

		if (filter.kind == PA_FILTER_APPROXIMATE)
			filter.delta = exp(uniform(&random, log(1e-9), log(0.1)));
		accepted[filter.kind] += run_stream(&random, &filter);
	}
	assert_true(accepted[0] > streams / 3);
	assert_true(accepted[0] > accepted[1]);
}

/*
 * One level of the tree of all that can happen to one owner, for each of two
 * values
 */
typedef struct Branch
{
	Owner		owner;
	uint64_t	history;
} Branch;

typedef struct Leak
{
	long double beyond;			/* Pr under the first value that the loss of the pair is above epsilon */
	long double stick;			/* sum of max(0, p - e^epsilon q) */
	int			by_bayes;		/* acceptances that sums alone would not have given */
} Leak;

/* The next question depends on all answers so far. */
static void
adaptive_question(const Branch *branch, Question *question)
{
	uint64_t	seed = branch->history * UINT64_C(0x9E3779B97F4A7C15) + 1;
	double		y[2];
	PaBinary	binary;
	PaRandom	random;
	bool		turned;

	pa_random_init(&random, source_seeded, &seed);
	turned = pick(&random, 3) == 0;
	y[0] = turned ? 1 : uniform(&random, 0, 0.1);
	y[1] = turned ? 0 : uniform(&random, 0.9, 1);
	assert_int_equal(pa_binary_make(0, 1, uniform(&random, 0.2, 0.35), &binary), PA_OK);
	assert_int_equal(pa_query_binary(&binary, y, 2, &plain_memory, &question->query), PA_OK);
}

static void
leaf(const PaFilter *filter, const Branch *branch, Leak *leak)
{
	const long double *chance = branch->owner.truth.chance;
	long double loss = logl(chance[0] / chance[1]);

	if (loss > filter->epsilon + PA_FILTER_TIE)
		leak->beyond += chance[0];
	leak->stick += fmaxl(0, chance[0] - expl(filter->epsilon + PA_FILTER_TIE) * chance[1]);
}

static void
grow(const PaFilter *filter, const Branch *branch, int depth, Leak *leak)
{
	PaFilterVerdict verdict;
	Question	question;
	int64_t		y;

	if (depth == 0)
	{
		leaf(filter, branch, leak);
		return;
	}
	adaptive_question(branch, &question);
	assert_int_equal(pa_filter_query(filter, &branch->owner.borne, &branch->owner.likelihood, &question.query,
									 &plain_memory, &verdict), PA_OK);
	leak->by_bayes += verdict.accepted && !verdict.by_sums;
	for (y = 0; y < (verdict.accepted ? 2 : 1); y++)
	{
		Branch		next = *branch;

		next.owner.likelihood.value = next.owner.value;
		next.history = branch->history * 3 + 1 + (verdict.accepted ? (uint64_t) y : 2);
		if (verdict.accepted)
			answer(&next.owner, &question, y);
		grow(filter, &next, depth - 1, leak);
	}
	pa_query_free(&question.query, &plain_memory);
}

/* All transcripts of an adaptive analyst: the promise itself, by enumeration. */
static void
promises_are_kept_over_whole_trees(void **state)
{
	const PaFilter filters[] = {
		{PA_FILTER_FULL, 1.0, 0}, {PA_FILTER_SIMPLIFIED, 1.0, 0},
		{PA_FILTER_APPROXIMATE, 1.2, 0.5}, {PA_FILTER_APPROXIMATE, 1.5, 0.3}
	};
	size_t		i;

	(void) state;
	for (i = 0; i < 4; i++)
	{
		Branch		root = {.history = i};
		Leak		leak = {0, 0, 0};

		new_owner(&root.owner, 2);
		root.owner.likelihood.value = root.owner.value;
		grow(&filters[i], &root, 11, &leak);
		assert_at_most(leak.beyond, filters[i].delta);
		assert_at_most(leak.stick, filters[i].delta + 1e-15);
		assert_true(leak.by_bayes > 0);
		if (filters[i].kind == PA_FILTER_APPROXIMATE)
			assert_true(leak.beyond > 0);
	}
}

/*
 * Equal counts, adding up exactly to the cap, in any order of asking: ties are
 * a yes.
 */
static void
ties_are_accepted(void **state)
{
	PaFilter	filter = {PA_FILTER_SIMPLIFIED, 1.0, 0};
	double		y[] = {0, 1};
	PaFilterVerdict verdict;
	PaBinary	binary;
	Question	question;
	Owner		owner;
	int			i;

	(void) state;
	assert_int_equal(pa_binary_make(0, 1, 0.1, &binary), PA_OK);
	assert_int_equal(pa_query_binary(&binary, y, 2, &plain_memory, &question.query), PA_OK);
	for (filter.kind = PA_FILTER_FULL; filter.kind <= PA_FILTER_SIMPLIFIED; filter.kind++)
	{
		new_owner(&owner, 2);
		for (i = 0; i < 10; i++)
		{
			ask(&filter, &owner, &question.query, &verdict);
			assert_true(verdict.accepted);
			answer(&owner, &question, 1);
		}
		ask(&filter, &owner, &question.query, &verdict);
		assert_false(verdict.accepted);
		assert_true(pa_filter_left(&filter, &owner.borne, &owner.likelihood) < 1e-12);
		assert_close(owner.borne.basic, 1, 1e-12);
		/* the full filter would go on if the answers had gone back and forth */
		assert_int_equal(pa_query_record(&question.query, 0, &owner.likelihood, &plain_memory), PA_OK);
		ask(&filter, &owner, &question.query, &verdict);
		assert_true(verdict.accepted);
	}
	pa_query_free(&question.query, &plain_memory);
}

static void
central_releases_count(void **state)
{
	PaFilter	filter = {PA_FILTER_FULL, 1.0, 0};
	double		y[] = {0, 1};
	PaFilterVerdict verdict;
	PaBinary	binary;
	PaQuery		query;
	Owner		owner;

	(void) state;
	new_owner(&owner, 2);
	assert_int_equal(pa_binary_make(0, 1, 0.4, &binary), PA_OK);
	assert_int_equal(pa_query_binary(&binary, y, 2, &plain_memory, &query), PA_OK);
	assert_int_equal(pa_filter_central(&filter, &owner.borne, &owner.likelihood, 0.7, &verdict), PA_OK);
	assert_true(verdict.accepted);
	pa_bear_central(&owner.borne, 0.7);
	ask(&filter, &owner, &query, &verdict);
	assert_false(verdict.accepted);
	assert_close(verdict.worst, 1.1, 1e-12);
	assert_int_equal(pa_filter_central(&filter, &owner.borne, &owner.likelihood, 0.3, &verdict), PA_OK);
	assert_true(verdict.accepted);
	assert_int_equal(pa_filter_central(&filter, &owner.borne, &owner.likelihood, 0.31, &verdict), PA_OK);
	assert_false(verdict.accepted);
	assert_int_equal(pa_filter_central(&filter, &owner.borne, &owner.likelihood, NAN, &verdict), PA_INVALID);
	assert_int_equal(pa_filter_central(&filter, &owner.borne, &owner.likelihood, -1, &verdict), PA_INVALID);
	assert_int_equal(pa_filter_central(&filter, &owner.borne, &owner.likelihood, INFINITY, &verdict), PA_OK);
	assert_false(verdict.accepted);
	pa_query_free(&query, &plain_memory);
}

/* Certified loss that is kept elsewhere counts as loss, and not in the sums. */
static void
loss_beside_the_table_counts(void **state)
{
	PaFilter	filter = {PA_FILTER_FULL, 1.0, 0};
	double		y[] = {0, 1};
	PaFilterVerdict verdict;
	PaBinary	binary;
	Question	question;
	Owner		owner;

	(void) state;
	new_owner(&owner, 2);
	assert_int_equal(pa_binary_make(0, 1, 0.25, &binary), PA_OK);
	assert_int_equal(pa_query_binary(&binary, y, 2, &plain_memory, &question.query), PA_OK);
	answer(&owner, &question, 1);
	pa_bear_central(&owner.borne, 0.25);
	owner.borne.beside = 0.25;
	for (filter.kind = PA_FILTER_FULL; filter.kind <= PA_FILTER_SIMPLIFIED; filter.kind++)
	{
		assert_close(pa_filter_left(&filter, &owner.borne, &owner.likelihood), 0.25, 1e-11);
		ask(&filter, &owner, &question.query, &verdict);
		assert_true(verdict.accepted);
		assert_close(verdict.worst, 1, 1e-12);
		owner.borne.beside += 1e-8;
		ask(&filter, &owner, &question.query, &verdict);
		assert_false(verdict.accepted);
		assert_int_equal(pa_filter_central(&filter, &owner.borne, &owner.likelihood, 0.25, &verdict), PA_OK);
		assert_false(verdict.accepted);
		owner.borne.beside -= 1e-8;
		assert_int_equal(pa_filter_central(&filter, &owner.borne, &owner.likelihood, 0.25, &verdict), PA_OK);
		assert_true(verdict.accepted);
		assert_false(pa_filter_sums(&filter, &owner.borne, 0, 0));
	}
	filter = (PaFilter) {PA_FILTER_APPROXIMATE, 1.0, 1e-6};
	owner.borne.beside = INFINITY;
	ask(&filter, &owner, &question.query, &verdict);
	assert_true(verdict.accepted && verdict.by_sums && verdict.worst == INFINITY);
	assert_close(pa_filter_left(&filter, &owner.borne, &owner.likelihood), 0.5, 1e-11);
	filter.kind = PA_FILTER_FULL;
	filter.delta = 0;
	assert_true(pa_filter_left(&filter, &owner.borne, &owner.likelihood) == 0);
	owner.borne.beside = NAN;
	ask(&filter, &owner, &question.query, &verdict);
	assert_false(verdict.accepted);
	assert_true(pa_filter_left(&filter, &owner.borne, &owner.likelihood) == 0);
	pa_query_free(&question.query, &plain_memory);
}

static void
sums_alone_can_be_asked(void **state)
{
	const PaFilter invalid = {PA_FILTER_APPROXIMATE, INFINITY, 0.1};
	PaFilter	filter = {PA_FILTER_APPROXIMATE, 1, 1e-5};
	PaBorne		borne = {.basic = 0.25,.central = 0.25,.rho = 1};

	(void) state;
	assert_true(pa_filter_sums(&filter, &borne, 0.5, 1));
	assert_false(pa_filter_sums(&filter, &borne, 0.5 + 1e-8, 1));
	/* 0.02 + 2 sqrt(0.02 ln 1e5) = 0.98 */
	borne.rho = 0.01;
	assert_true(pa_filter_sums(&filter, &borne, INFINITY, 0.01));
	assert_false(pa_filter_sums(&filter, &borne, INFINITY, 0.0109));
	borne.beside = 100;
	assert_true(pa_filter_sums(&filter, &borne, INFINITY, 0.01));
	assert_false(pa_filter_sums(&filter, &borne, NAN, NAN));
	assert_false(pa_filter_sums(&invalid, &borne, 0, 0));
	filter.kind = PA_FILTER_FULL;
	filter.delta = 0;
	assert_false(pa_filter_sums(&filter, &borne, 0, 0));
}

/* The loss over all pairs of values of two independent columns */
static long double
joint_loss(const Truth *one, const Truth *two)
{
	long double high = 0;
	long double low = INFINITY;
	size_t		a;
	size_t		b;

	for (a = 0; a < one->size; a++)
		for (b = 0; b < two->size; b++)
		{
			long double both = one->chance[a] * two->chance[b];

			high = fmaxl(high, both);
			low = fminl(low, both);
		}
	return logl(high) - logl(low);
}

/* One owner whose answers are kept in two tables, each beside the other */
static int
run_pair(PaRandom *random, const PaFilter *filter)
{
	PaBorne		borne = {0};
	Owner		part[2];
	int			accepted = 0;
	int			step;

	new_owner(&part[0], 2 + pick(random, MOST_POINTS - 1));
	new_owner(&part[1], 2 + pick(random, MOST_POINTS - 1));
	for (step = 0; step < MOST_STEPS; step++)
	{
		Owner	   *owner = &part[pick(random, 2)];
		PaRealisedLoss beside = pa_likelihood_loss(&part[owner == &part[0]].likelihood);
		PaFilterVerdict verdict;
		Question	question;

		random_question(random, owner->truth.size, &question);
		owner->borne = borne;
		owner->borne.beside = beside.loss + beside.error;
		ask(filter, owner, &question.query, &verdict);
		assert_int_equal(verdict.by_sums, pa_filter_sums(filter, &borne, question.query.level, question.query.rho));
		if (verdict.accepted)
		{
			answer(owner, &question, choose_answer(random, &owner->truth, &question));
			borne = owner->borne;
			accepted++;
			if (!verdict.by_sums)
				assert_at_most(joint_loss(&part[0].truth, &part[1].truth), filter->epsilon + PA_FILTER_TIE);
		}
		pa_query_free(&question.query, &plain_memory);
	}
	return accepted;
}

static void
losses_of_two_tables_add_up(void **state)
{
	long		streams = streams_wanted() / 10;
	uint64_t	seed = 41;
	long		accepted = 0;
	PaRandom	random;
	long		i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < streams; i++)
	{
		PaFilter	filter = {(PaFilterKind) (i % 3), exp(uniform(&random, log(0.1), log(6))), 0};

		if (filter.kind == PA_FILTER_APPROXIMATE)
			filter.delta = 1e-6;
		accepted += run_pair(&random, &filter);
	}
	assert_true(accepted > streams);
}

static void
declared_levels_only_raise(void **state)
{
	double		y[] = {0.2, 0.8};
	PaBinary	binary;
	PaQuery		query;
	double		level;

	(void) state;
	assert_int_equal(pa_binary_make(0, 1, 1, &binary), PA_OK);
	assert_int_equal(pa_query_binary(&binary, y, 2, &plain_memory, &query), PA_OK);
	level = query.level;
	assert_true(level < 0.6);
	assert_int_equal(pa_query_declare(&query, 0.1), PA_OK);
	assert_true(query.level == level);
	assert_int_equal(pa_query_declare(&query, 1), PA_OK);
	assert_true(query.level == 1 && query.rho >= 0.5);
	assert_int_equal(pa_query_declare(&query, NAN), PA_INVALID);
	pa_query_free(&query, &plain_memory);
}

/* Memory that ends after some allocations, and counts what was not given back */
typedef struct Little
{
	int			left;
	int			held;
	bool		stop;
} Little;

static void *
little_allocate(void *context, size_t size)
{
	Little	   *little = context;

	if (little->left-- <= 0)
		return NULL;
	little->held++;
	return malloc(size);
}

static void
little_release(void *context, void *memory)
{
	((Little *) context)->held--;
	free(memory);
}

static bool
little_interrupted(void *context)
{
	return ((Little *) context)->stop;
}

static void
scarce_memory_and_interrupts(void **state)
{
	Little		little = {0, 0, false};
	PaEnvironment scarce = {little_allocate, little_release, little_interrupted, &little};
	const double cell[] = {0.5, 0.5, 0.4, 0.6};
	const uint32_t category[] = {0, 1};
	const int64_t value[] = {0, 1};
	const double y[] = {0, 1};
	PaResponse	response;
	PaAdditive	additive;
	PaRealisedLoss worst;
	PaKernel	kernel;
	PaBinary	binary;
	PaQuery		query;
	Owner		owner;
	int			i;

	(void) state;
	new_owner(&owner, 2);
	assert_int_equal(pa_binary_make(0, 1, 1, &binary), PA_OK);
	assert_int_equal(pa_response_make(2, 1, &response), PA_OK);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, 1, &kernel), PA_OK);
	assert_int_equal(pa_additive_make(&kernel, 0, 1, &additive), PA_OK);
	for (i = 0; i < 2; i++)
	{
		little.left = i;
		assert_int_equal(pa_query_binary(&binary, y, 2, &scarce, &query), PA_NO_MEMORY);
		assert_int_equal(little.held, 0);
	}
	little.left = 0;
	assert_int_equal(pa_query_response(&response, category, 2, &scarce, &query), PA_NO_MEMORY);
	assert_int_equal(pa_query_table(cell, 2, 2, &scarce, &query), PA_NO_MEMORY);
	assert_int_equal(pa_query_additive(&additive, value, 2, &scarce, &query), PA_NO_MEMORY);
	little.left = 1;
	assert_int_equal(pa_query_additive(&additive, value, 2, &scarce, &query), PA_OK);
	assert_int_equal(pa_query_worst(&query, &owner.likelihood, &scarce, &worst), PA_NO_MEMORY);
	assert_int_equal(pa_query_record(&query, 0, &owner.likelihood, &scarce), PA_NO_MEMORY);
	little.left = 1;
	little.stop = true;
	assert_int_equal(pa_query_worst(&query, &owner.likelihood, &scarce, &worst), PA_INTERRUPTED);
	assert_int_equal(little.held, 1);
	pa_query_free(&query, &scarce);
	assert_int_equal(little.held, 0);
}

static void
refusals(void **state)
{
	const double bad[] = {0.5, 0.6, 0.4, 0.6};
	const uint32_t category[] = {0, 2};
	const double y[] = {0, NAN};
	const PaFilter invalid[] = {{PA_FILTER_FULL, -1, 0}, {PA_FILTER_FULL, NAN, 0}, {PA_FILTER_FULL, 1, 0.1},
	{PA_FILTER_FULL, INFINITY, 0}, {PA_FILTER_APPROXIMATE, 1, 0}, {PA_FILTER_APPROXIMATE, 1, 1}};
	PaResponse	response;
	PaFilterKind kind;
	PaBinary	binary;
	PaQuery		query;
	Owner		owner;
	size_t		i;

	(void) state;
	new_owner(&owner, 2);
	assert_int_equal(pa_query_table(bad, 2, 2, &plain_memory, &query), PA_INVALID);
	assert_int_equal(pa_query_table(bad, 0, 2, &plain_memory, &query), PA_INVALID);
	assert_int_equal(pa_response_make(2, 1, &response), PA_OK);
	assert_int_equal(pa_query_response(&response, category, 2, &plain_memory, &query), PA_INVALID);
	assert_int_equal(pa_binary_make(0, 1, 1, &binary), PA_OK);
	assert_int_equal(pa_query_binary(&binary, y, 2, &plain_memory, &query), PA_INVALID);
	assert_int_equal(pa_query_binary(&binary, y, PA_MOST_DOMAIN + 1, &plain_memory, &query), PA_INVALID);
	for (i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++)
		assert_false(pa_filter_valid(&invalid[i]));
	owner.value[0] = owner.value[1] = -1;
	assert_false(pa_likelihood_valid(&owner.likelihood));
	owner.value[0] = 0;
	assert_true(pa_likelihood_valid(&owner.likelihood));
	owner.value[1] = NAN;
	assert_false(pa_likelihood_valid(&owner.likelihood));
	assert_true(pa_filter_by_name("approximate", &kind) && kind == PA_FILTER_APPROXIMATE);
	assert_string_equal(pa_filter_name(kind), "approximate");
	assert_false(pa_filter_by_name("Full", &kind));
}


int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_stream_passes_the_cap),
		cmocka_unit_test(promises_are_kept_over_whole_trees),
		cmocka_unit_test(ties_are_accepted),
		cmocka_unit_test(central_releases_count),
		cmocka_unit_test(loss_beside_the_table_counts),
		cmocka_unit_test(sums_alone_can_be_asked),
		cmocka_unit_test(losses_of_two_tables_add_up),
		cmocka_unit_test(declared_levels_only_raise),
		cmocka_unit_test(scarce_memory_and_interrupts),
		cmocka_unit_test(refusals),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
