/*
 * book_states.c
 *		What answers make of the states.
 *
 * Each owner goes from a state to the state of the state's table with the
 * answer added.  Tables that come out alike, whatever the order of the answers
 * was, are one state: log-likelihoods are on a grid (likelihood.h), so equal
 * answers give equal tables, bit for bit.
 */
#include "postgres.h"

#include <math.h>

#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "environment.h"
#include "local/book.h"

#define NO_ANSWER PG_INT64_MIN
#define MOST_DIRECT (4 * 1024 * 1024)	/* transitions that are looked up by index */
#define MOST_NUMBERS ((Size) 1 << 27)	/* of all tables: 1 GB */
#define POOL_NUMBERS 8192		/* of tables, allocated at a time */

/* From a state and an answer to a state. */
typedef struct TransitionKey
{
	int64		output;
	int64		state;
} TransitionKey;

typedef struct Transition
{
	TransitionKey key;
	int			child;
} Transition;

/* The states to come. */
typedef struct Builder
{
	PaBook	   *book;
	PaQuestion *question;
	const double *bounds;		/* of parents; NULL: none */
	int			nbounds;
	MemoryContext context;
	PaOwnerState *state;
	uint32	   *hash;			/* of each */
	int			count;
	int			capacity;
	int		   *buckets;		/* by hash; -1: empty */
	uint32		mask;
	double	   *pool;
	size_t		pool_left;
	Size		numbers;		/* of all tables */
	int		   *direct;			/* transitions, or NULL: */
	int			outputs;
	HTAB	   *transitions;
} Builder;

static void
start_buckets(Builder *builder, uint32 mask)
{
	if (builder->buckets)
		pfree(builder->buckets);
	builder->mask = mask;
	builder->buckets = MemoryContextAllocHuge(builder->context, sizeof(int) * ((Size) mask + 1));
	memset(builder->buckets, 0xff, sizeof(int) * ((Size) mask + 1));
}

static void
start_transitions(Builder *builder)
{
	int64		size = (int64) builder->book->nstates * (builder->outputs + 1);
	HASHCTL		control = {.keysize = sizeof(TransitionKey),.entrysize = sizeof(Transition),.hcxt = builder->context};

	if (builder->outputs > 0 && size <= MOST_DIRECT)
	{
		builder->direct = MemoryContextAllocHuge(builder->context, sizeof(int) * size);
		memset(builder->direct, 0xff, sizeof(int) * size);
	}
	else
		builder->transitions = hash_create("privacct transitions", 1024, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static void
start_builder(Builder *builder, PaBook *book, PaQuestion *question, const PaAnswers *answers)
{
	memset(builder, 0, sizeof(Builder));
	builder->book = book;
	builder->question = question;
	builder->bounds = answers->bounds;
	builder->nbounds = answers->nbounds;
	builder->context = AllocSetContextCreate(book->context, "privacct states", ALLOCSET_DEFAULT_SIZES);
	builder->capacity = 64;
	builder->state = MemoryContextAlloc(builder->context, sizeof(PaOwnerState) * builder->capacity);
	builder->hash = MemoryContextAlloc(builder->context, sizeof(uint32) * builder->capacity);
	builder->outputs = pa_question_outputs(question);
	start_buckets(builder, 255);
	start_transitions(builder);
}

/* --- one table --- */

/* The next table's place; taken once the state is kept. */
static double *
next_table(Builder *builder)
{
	size_t		points = builder->book->domain.points;

	if (builder->pool_left < points)
	{
		builder->pool_left = Max(points, POOL_NUMBERS);
		builder->numbers += builder->pool_left;
		if (builder->numbers > MOST_NUMBERS)
			ereport(ERROR,
					errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					errmsg("the likelihood tables of the owners do not fit into memory"),
					errdetail("Owners have too many different histories for a domain of %zu points.", points),
					errhint("Declare a smaller domain."));
		builder->pool = MemoryContextAllocHuge(builder->context, sizeof(double) * builder->pool_left);
	}
	return builder->pool;
}

static void
take_table(Builder *builder)
{
	builder->pool += builder->book->domain.points;
	builder->pool_left -= builder->book->domain.points;
}

/* The certified loss afterwards: as recorded, else what the question can add at most. */
static void
add_regression(Builder *builder, PaOwnerState *state, int parent, int output)
{
	int		   *answers = palloc(sizeof(int) * 2 * (state->nanswers + 1));
	const double *bounds = builder->bounds + PA_BOUNDS * (Size) parent + 3 * output;

	memcpy(answers, state->answers, sizeof(int) * 2 * state->nanswers);
	answers[2 * state->nanswers] = builder->question->number;
	answers[2 * state->nanswers + 1] = output;
	state->answers = answers;
	state->nanswers++;
	if (builder->bounds && parent < builder->nbounds && bounds[0] >= 0)
		state->bounds = (PaRegressionState) {bounds[0], bounds[1], (int) bounds[2]};
	else
		state->bounds.loss += builder->question->level * (1 + 1e-15);
	state->borne.beside = state->bounds.loss;
}

static void
add_answer(Builder *builder, PaOwnerState *state, int parent, int64 output)
{
	PaQuestion *question = builder->question;
	PaQuery		cost = {.level = question->level,.rho = question->rho};

	if (question->kind == PA_ASK_CENTRAL)
	{
		pa_bear_central(&state->borne, question->level);
		return;
	}
	pa_bear_query(&state->borne, &cost);
	if (pa_question_is_regression(question))
		add_regression(builder, state, parent, (int) output);
	else if (pa_query_record(&question->query, output, &state->likelihood, pa_server_environment()) != PA_OK)
		elog(ERROR, "an answer to question %d is impossible", question->number);
}

/* --- equal states are one --- */

static uint32
hash_state(const PaOwnerState *state)
{
	uint32		hash = hash_bytes((const unsigned char *) state->likelihood.value,
								  (int) (sizeof(double) * state->likelihood.size));

	if (state->nanswers > 0)
		hash = hash_combine(hash, hash_bytes((const unsigned char *) state->answers, sizeof(int) * 2 * state->nanswers));
	return hash;
}

/* Sums of the same numbers in another order. */
static bool
same_sum(double a, double b)
{
	return fabs(a - b) <= 1e-12 * a;
}

static bool
same_state(const PaOwnerState *a, const PaOwnerState *b)
{
	return same_sum(a->borne.basic, b->borne.basic) && same_sum(a->borne.central, b->borne.central) &&
		same_sum(a->borne.rho, b->borne.rho) && a->nanswers == b->nanswers &&
		memcmp(a->likelihood.value, b->likelihood.value, sizeof(double) * a->likelihood.size) == 0 &&
		(a->nanswers == 0 || memcmp(a->answers, b->answers, sizeof(int) * 2 * a->nanswers) == 0);
}

/* The state stands for both: sums are bounds, and so is either certified loss. */
static void
merge(PaOwnerState *kept, const PaOwnerState *other)
{
	kept->likelihood.error = fmax(kept->likelihood.error, other->likelihood.error);
	kept->borne.basic = fmax(kept->borne.basic, other->borne.basic);
	kept->borne.central = fmax(kept->borne.central, other->borne.central);
	kept->borne.rho = fmax(kept->borne.rho, other->borne.rho);
	if (other->bounds.loss < kept->bounds.loss)
		kept->bounds = other->bounds;
	kept->borne.beside = kept->bounds.loss;
}

static void
grow_states(Builder *builder)
{
	if (builder->count == builder->capacity)
	{
		builder->capacity *= 2;
		builder->state = repalloc_huge(builder->state, sizeof(PaOwnerState) * builder->capacity);
		builder->hash = repalloc_huge(builder->hash, sizeof(uint32) * builder->capacity);
	}
	if ((uint32) builder->count * 2 < builder->mask)
		return;
	start_buckets(builder, builder->mask * 2 + 1);
	for (int i = 0; i < builder->count; i++)
	{
		uint32		at = builder->hash[i] & builder->mask;

		while (builder->buckets[at] >= 0)
			at = (at + 1) & builder->mask;
		builder->buckets[at] = i;
	}
}

/* Number of the state, which is new or equal to one that is there. */
static int
intern(Builder *builder, const PaOwnerState *state)
{
	uint32		hash = hash_state(state);
	uint32		at;
	PaOwnerState *kept;

	grow_states(builder);
	for (at = hash & builder->mask; builder->buckets[at] >= 0; at = (at + 1) & builder->mask)
	{
		kept = &builder->state[builder->buckets[at]];
		if (builder->hash[builder->buckets[at]] == hash && same_state(kept, state))
		{
			merge(kept, state);
			return builder->buckets[at];
		}
	}
	builder->buckets[at] = builder->count;
	builder->hash[builder->count] = hash;
	kept = &builder->state[builder->count];
	*kept = *state;
	take_table(builder);
	if (state->nanswers > 0)
	{
		kept->answers = MemoryContextAlloc(builder->context, sizeof(int) * 2 * state->nanswers);
		memcpy(kept->answers, state->answers, sizeof(int) * 2 * state->nanswers);
	}
	return builder->count++;
}

static int
make_child(Builder *builder, int parent, int64 output)
{
	PaOwnerState state = builder->book->state[parent];
	double	   *table = next_table(builder);

	memcpy(table, state.likelihood.value, sizeof(double) * state.likelihood.size);
	state.likelihood.value = table;
	state.owners = 0;
	if (output != NO_ANSWER)
		add_answer(builder, &state, parent, output);
	return intern(builder, &state);
}

static int
child_of(Builder *builder, int parent, int64 output)
{
	if (builder->direct)
	{
		int		   *child = &builder->direct[(Size) parent * (builder->outputs + 1) + (output == NO_ANSWER ? 0 : output + 1)];

		if (*child < 0)
			*child = make_child(builder, parent, output);
		return *child;
	}
	else
	{
		TransitionKey key = {output, parent};
		bool		found;
		Transition *transition = hash_search(builder->transitions, &key, HASH_ENTER, &found);

		if (!found)
			transition->child = make_child(builder, parent, output);
		return transition->child;
	}
}

/* --- all owners --- */

static void
move_owners(Builder *builder, const PaAnswers *answers)
{
	PaBook	   *book = builder->book;
	bool		central = builder->question->kind == PA_ASK_CENTRAL;
	int64		given = answers->width > 0 ? (int64) (answers->outputs_bytes * 8 / answers->width) : PG_INT64_MAX;
	int64		next = 0;

	for (int owner = 0; owner < book->nowners; owner++)
	{
		int			state = book->states[owner];
		int64		output = NO_ANSWER;

		if (central && state == 0 ? builder->question->everybody_new : pa_bit(answers->answered, answers->answered_bytes, owner))
		{
			if (next == given)
				elog(ERROR, "answers to question %d are missing", builder->question->number);
			output = central ? 0 : pa_outputs_get(answers->width, answers->outputs, next++);
			if (builder->outputs > 0 && (output < 0 || output >= builder->outputs))
				elog(ERROR, "an answer to question %d is impossible", builder->question->number);
		}
		book->states[owner] = child_of(builder, state, output);
		builder->state[book->states[owner]].owners++;
		if (owner % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
}

void
pa_book_remember(PaBook *book, const PaQuestion *question)
{
	MemoryContext caller = MemoryContextSwitchTo(book->context);
	PaQuestion *copy = palloc(sizeof(PaQuestion));

	*copy = *question;
	copy->text = NULL;
	copy->points = palloc(sizeof(double) * Max(question->npoints, 1));
	memcpy(copy->points, question->points, sizeof(double) * question->npoints);
	copy->regression.theta = copy->points;
	book->regressions = book->regressions ?
		repalloc(book->regressions, sizeof(PaQuestion *) * (book->nregressions + 1)) :
		palloc(sizeof(PaQuestion *));
	book->regressions[book->nregressions++] = copy;
	MemoryContextSwitchTo(caller);
}

void
pa_book_apply(PaBook *book, PaQuestion *question, const PaAnswers *answers)
{
	bool		central = question->kind == PA_ASK_CENTRAL;
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "privacct answers", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(scratch);
	Builder		builder;

	if (pa_question_is_regression(question))
		pa_book_remember(book, question);
	start_builder(&builder, book, question, answers);
	(void) child_of(&builder, 0, central && question->everybody_new ? 0 : NO_ANSWER);
	move_owners(&builder, answers);
	MemoryContextDelete(book->state_context);
	book->state_context = builder.context;
	book->state = builder.state;
	book->nstates = builder.count;
	book->question = question->number;
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
}
