/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bayes_owner.h
 *		Random questions, and an owner who answers them, kept apart from the code under test.
 */
#ifndef PA_TEST_BAYES_OWNER_H
#define PA_TEST_BAYES_OWNER_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bayes/filter.h"
#include "kernel_reference.h"
#include "source.h"
#include "unit.h"

#define MOST_POINTS 6
#define MOST_OUTPUTS 4

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
static inline void
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

static inline void
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

static inline void
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

static inline void
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

static inline void
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
static inline long double
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

static inline long double
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

static inline Truth
truth_after(const Truth *truth, const Question *question, int64_t y)
{
	Truth		after = *truth;
	size_t		x;

	for (x = 0; x < truth->size; x++)
		after.chance[x] *= chance_of(question, x, y);
	return after;
}

/* Outputs to look at: all of them, but some of additive noise */
static inline void
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
static inline long double
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

static inline void
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
static inline void
ask(const PaFilter *filter, Owner *owner, const PaQuery *query, PaFilterVerdict *verdict)
{
	Owner		before = *owner;

	assert_int_equal(pa_filter_query(filter, &owner->borne, &owner->likelihood, query, &plain_memory, verdict), PA_OK);
	assert_memory_equal(&before, owner, sizeof(before));
}

static inline void
answer(Owner *owner, const Question *question, int64_t y)
{
	pa_bear_query(&owner->borne, &question->query);
	assert_int_equal(pa_query_record(&question->query, y, &owner->likelihood, &plain_memory), PA_OK);
	owner->truth = truth_after(&owner->truth, question, y);
	assert_true(pa_likelihood_valid(&owner->likelihood));
	assert_at_most(fabsl(pa_likelihood_loss(&owner->likelihood).loss - truth_loss(&owner->truth)),
				   pa_likelihood_loss(&owner->likelihood).error + 1e-16);
}

#endif							/* PA_TEST_BAYES_OWNER_H */
