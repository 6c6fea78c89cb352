/*
 * test_bayes_filter.c
 *		Likelihood tables and the Bayesian Privacy Filter against brute force.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bayes/filter.h"
#include "kernel_reference.h"
#include "source.h"
#include "unit.h"

#define STREAMS 150000			/* random streams of questions, a third for each filter */
#define MOST_STEPS 12
#define MOST_POINTS 6
#define MOST_OUTPUTS 4

static long
streams_wanted(void)
{
	long		wanted = draws_wanted() / 20 * 3;

	return wanted < STREAMS ? wanted : STREAMS;
}

static size_t
pick(PaRandom *random, size_t below)
{
	return (size_t) pa_random_below(random, below);
}

/* A question, and the law it was made of */
typedef struct Question
{
	PaQuery		query;
	double		cell[MOST_POINTS * MOST_OUTPUTS];	/* of a table: Pr[y | x] at [x * outputs + y] */
} Question;

/* A table with rows of 1, sometimes flat, sometimes with zeros */
static void
random_table(PaRandom *random, size_t size, size_t outputs, Question *question)
{
	double	   *cell = question->cell;
	double		spread = pick(random, 2) == 0 ? 0.3 : 3;
	bool		zeros = pick(random, 8) == 0;
	size_t		x;
	size_t		y;

	for (x = 0; x < size; x++)
	{
		double		sum = 0;

		for (y = 0; y < outputs; y++)
			sum += cell[x * outputs + y] = zeros && y > 0 && pick(random, 4) == 0 ? 0 : exp(uniform(random, 0, spread));
		for (y = 0; y < outputs; y++)
			cell[x * outputs + y] /= sum;
	}
	assert_int_equal(pa_query_table(cell, size, (int64_t) outputs, &plain_memory, &question->query), PA_OK);
}

static void
random_binary(PaRandom *random, size_t size, PaQuery *query)
{
	double		y[MOST_POINTS];
	PaBinary	binary;
	size_t		x;

	for (x = 0; x < size; x++)
		y[x] = uniform(random, -0.2, 1.2);
	assert_int_equal(pa_binary_make(0, 1, uniform(random, 0.01, 1.5), &binary), PA_OK);
	assert_int_equal(pa_query_binary(&binary, y, size, &plain_memory, query), PA_OK);
}

static void
random_response(PaRandom *random, size_t size, PaQuery *query)
{
	uint32_t	category[MOST_POINTS];
	uint32_t	k = 2 + (uint32_t) pick(random, MOST_OUTPUTS - 1);
	PaResponse	response;
	size_t		x;

	for (x = 0; x < size; x++)
		category[x] = (uint32_t) pick(random, k);
	assert_int_equal(pa_response_make(k, uniform(random, 0.01, 1.5), &response), PA_OK);
	assert_int_equal(pa_query_response(&response, category, size, &plain_memory, query), PA_OK);
}

static void
random_additive(PaRandom *random, size_t size, PaQuery *query)
{
	PaKernelKind kinds[] = {PA_KERNEL_LAPLACE, PA_KERNEL_LAPLACE, PA_KERNEL_GAUSSIAN};
	int64_t		value[MOST_POINTS];
	PaKernel	kernel;
	PaAdditive	additive;
	size_t		x;

	for (x = 0; x < size; x++)
		value[x] = (int64_t) pick(random, 4);
	assert_int_equal(pa_kernel_make(kinds[pick(random, 3)], uniform(random, 2, 20), &kernel), PA_OK);
	if (kernel.kind == PA_KERNEL_LAPLACE && pick(random, 2) == 0)
	{
		kernel.kind = PA_KERNEL_BRDP_LAPLACE;
		kernel.band = 2;
		kernel.keep = UINT64_C(3) << (PA_KEEP_BITS - 2);
	}
	assert_int_equal(pa_additive_make(&kernel, 0, 3, &additive), PA_OK);
	assert_int_equal(pa_query_additive(&additive, value, size, &plain_memory, query), PA_OK);
}

static void
random_question(PaRandom *random, size_t size, Question *question)
{
	switch (pick(random, 8))
	{
		case 0:
		case 1:
			random_binary(random, size, &question->query);
			break;
		case 2:
		case 3:
			random_response(random, size, &question->query);
			break;
		case 4:
			random_additive(random, size, &question->query);
			break;
		default:
			random_table(random, size, 2 + pick(random, MOST_OUTPUTS - 1), question);
	}
}

/*
 * Pr[y | x] from the numbers that define the law, without the logarithms under
 * test; of additive noise a multiple of it.
 */
static long double
chance_of(const Question *question, size_t x, int64_t y)
{
	const PaQuery *query = &question->query;

	if (query->kind == PA_QUERY_ADDITIVE)
		return reference_weight(&query->additive.kernel, y - query->truth[x]);
	if (query->kind == PA_QUERY_RESPONSE)
	{
		long double lie = query->response.lie;

		return lie / query->response.categories + (query->truth[x] == y ? 1 - lie : 0);
	}
	if (query->coin != NULL)
		return query->coin[x].likely == (y == 1) ? 1 - (long double) query->coin[x].rare : query->coin[x].rare;
	return question->cell[x * (size_t) query->outputs + (size_t) y];
}

/* The likelihood of all that was answered, kept apart from the code under test */
typedef struct Truth
{
	size_t		size;
	size_t		self;			/* the owner's value */
	long double chance[MOST_POINTS];	/* a product, one factor per answer */
} Truth;

static long double
truth_loss(const Truth *truth)
{
	long double high = 0;
	long double low = INFINITY;
	size_t		x;

	for (x = 0; x < truth->size; x++)
	{
		high = fmaxl(high, truth->chance[x]);
		low = fminl(low, truth->chance[x]);
	}
	return high == 0 ? -INFINITY : logl(high) - logl(low);
}

static Truth
truth_after(const Truth *truth, const Question *question, int64_t y)
{
	Truth		after = *truth;
	size_t		x;

	for (x = 0; x < truth->size; x++)
		after.chance[x] *= chance_of(question, x, y);
	return after;
}

/* Outputs to look at: all of them, but some of additive noise */
static void
outputs_of(const PaQuery *query, int64_t *first, int64_t *last)
{
	*first = query->kind == PA_QUERY_ADDITIVE ? -12 : 0;
	*last = query->kind == PA_QUERY_ADDITIVE ? 15 : query->outputs - 1;
}

typedef enum Mood
{
	HONEST,						/* by the law of the owner's value */
	ARBITRARY,					/* all that can happen to somebody are alike */
	HURTFUL						/* the one of the largest loss */
} Mood;

/* An answer that is possible for somebody: mostly the one that hurts most */
static int64_t
choose_answer(PaRandom *random, const Truth *truth, const Question *question)
{
	const Mood	moods[] = {HONEST, HONEST, ARBITRARY, HURTFUL, HURTFUL, HURTFUL};
	Mood		mood = moods[pick(random, 6)];
	long double most = -INFINITY;
	int64_t		first;
	int64_t		last;
	int64_t		chosen = 0;
	int64_t		y;

	outputs_of(&question->query, &first, &last);
	for (y = first; y <= last; y++)
	{
		Truth		after = truth_after(truth, question, y);
		long double score = truth_loss(&after);

		if (score == -INFINITY)
			continue;
		/* of waiting times with these rates the shortest is y's with its share of them */
		if (mood != HURTFUL)
			score = log(uniform(random, 0, 1)) / (mood == HONEST ? chance_of(question, truth->self, y) : 1);
		if (score >= most)
		{
			most = score;
			chosen = y;
		}
	}
	return chosen;
}

/* The largest loss over the outputs */
static long double
true_worst(const Truth *truth, const Question *question)
{
	long double worst = -INFINITY;
	int64_t		first;
	int64_t		last;
	int64_t		y;

	outputs_of(&question->query, &first, &last);
	for (y = first; y <= last; y++)
	{
		Truth		after = truth_after(truth, question, y);

		worst = fmaxl(worst, truth_loss(&after));
	}
	return worst;
}

typedef struct Owner
{
	Truth		truth;
	double		value[MOST_POINTS];
	PaLikelihood likelihood;
	PaBorne		borne;
	long double central;
} Owner;

static void
new_owner(Owner *owner, size_t size)
{
	size_t		x;

	memset(owner, 0, sizeof(*owner));
	owner->truth.size = size;
	for (x = 0; x < size; x++)
		owner->truth.chance[x] = 1;
	assert_int_equal(pa_likelihood_start(owner->value, size, &owner->likelihood), PA_OK);
}

/* A refusal must leave no trace. */
static void
ask(const PaFilter *filter, Owner *owner, const PaQuery *query, PaFilterVerdict *verdict)
{
	Owner		before = *owner;

	assert_int_equal(pa_filter_query(filter, &owner->borne, &owner->likelihood, query, &plain_memory, verdict), PA_OK);
	assert_memory_equal(&before, owner, sizeof(before));
}

static void
answer(Owner *owner, const Question *question, int64_t y)
{
	pa_bear_query(&owner->borne, &question->query);
	assert_int_equal(pa_query_record(&question->query, y, &owner->likelihood, &plain_memory), PA_OK);
	owner->truth = truth_after(&owner->truth, question, y);
	assert_true(pa_likelihood_valid(&owner->likelihood));
	assert_at_most(fabsl(pa_likelihood_loss(&owner->likelihood).loss - truth_loss(&owner->truth)),
				   pa_likelihood_loss(&owner->likelihood).error + 1e-16);
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
		cmocka_unit_test(no_stream_passes_the_cap),
		cmocka_unit_test(promises_are_kept_over_whole_trees),
		cmocka_unit_test(impossible_answers),
		cmocka_unit_test(long_histories),
		cmocka_unit_test(responses_are_tables),
		cmocka_unit_test(likelihoods_are_rounded_to_the_grid),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(worst_losses_are_those_recorded),
		cmocka_unit_test(ties_are_accepted),
		cmocka_unit_test(central_releases_count),
		cmocka_unit_test(loss_beside_the_table_counts),
		cmocka_unit_test(sums_alone_can_be_asked),
		cmocka_unit_test(losses_of_two_tables_add_up),
		cmocka_unit_test(gaussian_answers),
		cmocka_unit_test(declared_levels_only_raise),
		cmocka_unit_test(answers_are_drawn_from_the_accounted_law),
		cmocka_unit_test(scarce_memory_and_interrupts),
		cmocka_unit_test(refusals),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
