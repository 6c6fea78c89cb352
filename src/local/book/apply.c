/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * apply.c
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

#include "bound/keyed_hash.h"
#include "server_environment.h"
#include "local/book/apply.h"
#include "local/book/fold.h"
#include "local/incomplete.h"
#include "local/steps.h"

#define NO_ANSWER PG_INT64_MIN
#define MANY_STATES 1024		/* more than fit into the nearest cache */
#define BLOCK 32				/* owners whose states are fetched together */
#define MOST_FETCHED 512		/* bytes of it */
#define CACHE_LINE 64
#define FAR_PLACES 8			/* places from one that is filled to one that is fetched */
#define MOST_DIRECT (4 * 1024 * 1024)	/* transitions that are looked up by index */

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

typedef struct Bucket
{
	uint32		hash;
	int			number;			/* of the state; -1: empty */
} Bucket;

/*
 * The states to come.  Where owners have many different histories, looking for an
 * equal state is waiting for memory.  So children are made first, up to PA_PENDING_STATES of
 * them, while the buckets where they are to be looked for come into cache.
 */
typedef struct Builder
{
	PaBook	   *book;
	PaQuestion *question;
	const double *bounds;		/* of parents; NULL: none */
	int			nbounds;
	MemoryContext context;		/* of what follows */
	PaStateRoom *room;			/* pending children's places are behind the states */
	Bucket	   *buckets;
	uint32		mask;
	int		   *children;		/* numbers of states */
	int			nchildren;
	int			capacity;		/* of children */
	int			npending;		/* the last of them */
	uint32		pending[PA_PENDING_STATES];	/* their hashes */
	int			most_states;
	PaSteps    *steps;			/* of a question with steps, */
	int			alike;			/* and what states call it */
	int			outputs;
	int		   *direct;			/* children of each state: after no answer, 0, 1, ...; or NULL: */
	HTAB	   *transitions;
} Builder;

static void
start_buckets(Builder *builder, uint32 mask)
{
	builder->mask = mask;
	builder->buckets = MemoryContextAllocHuge(builder->context, sizeof(Bucket) * ((Size) mask + 1));
	memset(builder->buckets, 0xff, sizeof(Bucket) * ((Size) mask + 1));
}

/* Most questions make more states than there were. */
static void
start_children(Builder *builder, int states)
{
	builder->capacity = 2 * PA_PENDING_STATES;
	while (builder->capacity < states)
		builder->capacity *= 2;
	builder->children = MemoryContextAllocHuge(builder->context, sizeof(int) * builder->capacity);
	start_buckets(builder, 2 * (uint32) builder->capacity - 1);
}

/* A table of all that there can be, which those of two outputs always fit in; else a hash table. */
static void
start_transitions(Builder *builder)
{
	Size		size = (Size) builder->book->nstates * (builder->outputs + 1);
	HASHCTL		control = {.keysize = sizeof(TransitionKey),.entrysize = sizeof(Transition),.hcxt = builder->context};

	if (builder->outputs > 0 && (builder->outputs <= 2 || size <= MOST_DIRECT))
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
	builder->most_states = answers->most_states;
	builder->context = CurrentMemoryContext;
	if (book->next_room == NULL)
		book->next_room = pa_room_create(book->context, book->domain.points);
	builder->room = book->next_room;
	builder->outputs = pa_question_outputs(question);
	start_children(builder, book->nstates);
	start_transitions(builder);
}

/* --- one state --- */

static void
insert_answer(PaOwnerState *state, int place, int question, int output)
{
	int		   *answers = palloc(sizeof(int) * 2 * (state->nanswers + 1));

	for (int i = 0; i < 2 * place; i++)
		answers[i] = state->answers[i];
	answers[2 * place] = question;
	answers[2 * place + 1] = output;
	for (int i = 2 * place; i < 2 * state->nanswers; i++)
		answers[i + 2] = state->answers[i];
	state->answers = answers;
	state->nanswers++;
}

/* The certified loss afterwards: as recorded, else what the question can add at most. */
static void
add_regression(Builder *builder, PaOwnerState *state, int parent, int output)
{
	const double *bounds = builder->bounds + PA_BOUNDS * (Size) parent + 3 * output;
	int			place = state->nanswers;

	while (place > 0 && pa_book_regression(builder->book, state->answers[2 * (place - 1)])->ncuts > 0)
		place--;				/* answers with steps stay behind */
	insert_answer(state, place, builder->question->number, output);
	if (builder->bounds && parent < builder->nbounds && bounds[0] >= 0)
		state->bounds = (PaRegressionState) {bounds[0], bounds[1], (int) bounds[2]};
	else
		state->bounds.loss += builder->question->level * (1 + 1e-15);
	pa_state_set_beside(state);
}

/* Among those of the same law it does not matter which was answered how. */
static void
add_step(Builder *builder, PaOwnerState *state, int output)
{
	int			question = builder->alike;
	int			place = state->nanswers;

	while (place > 0)
	{
		const int  *before = &state->answers[2 * (place - 1)];

		if (pa_book_regression(builder->book, before[0])->ncuts == 0 ||
			before[0] < question || (before[0] == question && before[1] <= output))
			break;
		place--;
	}
	insert_answer(state, place, question, output);
	state->steps_loss = pa_steps_loss(builder->steps, state, -1);
	pa_state_set_beside(state);
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
	else if (question->ncuts > 0)
		add_step(builder, state, (int) output);
	else if (pa_query_record(&question->query, output, &state->likelihood, pa_server_environment()) != PA_OK)
		elog(ERROR, "an answer to question %d is impossible", question->number);
}

/* --- equal states are one --- */

/* Two polynomials in the bits of the numbers, side by side: much less work for short tables than hash_bytes. */
static uint64
hash_numbers(const double *numbers, size_t count)
{
	uint64		even = count;
	uint64		odd = 0;
	uint64		bits[2];

	for (; count >= 2; numbers += 2, count -= 2)
	{
		memcpy(bits, numbers, sizeof(bits));
		even = even * UINT64CONST(0x9fb21c651e98df25) + bits[0];
		odd = odd * UINT64CONST(0xd6e8feb86659fd93) + bits[1];
	}
	if (count > 0)
	{
		memcpy(bits, numbers, sizeof(bits[0]));
		even = even * UINT64CONST(0x9fb21c651e98df25) + bits[0];
	}
	return pa_mix64(even ^ pa_mix64(odd));
}

static uint32
hash_state(const PaOwnerState *state)
{
	uint32		hash = (uint32) hash_numbers(state->likelihood.value, state->likelihood.size);

	if (state->nanswers > 0)
		hash = hash_combine(hash, hash_bytes((const unsigned char *) state->answers, sizeof(int) * 2 * state->nanswers));
	if (state->folded > 0)
		hash = hash_combine(hash, (uint32) hash_numbers(&state->folded, 1));
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
		same_sum(a->borne.rho, b->borne.rho) && a->folded == b->folded && a->nanswers == b->nanswers &&
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
	pa_state_set_beside(kept);
}

/* The bucket of a state like this one, or the empty one where it would be; NULL: like none. */
static Bucket *
find_bucket(const Builder *builder, uint32 hash, const PaOwnerState *state)
{
	for (uint32 at = hash & builder->mask;; at = (at + 1) & builder->mask)
	{
		Bucket	   *bucket = &builder->buckets[at];

		if (bucket->number < 0 ||
			(bucket->hash == hash && state && same_state(pa_room_state(builder->room, bucket->number), state)))
			return bucket;
	}
}

/* Before pending children are put into them; at most five of eight are taken. */
static void
grow_buckets(Builder *builder)
{
	Bucket	   *old = builder->buckets;
	uint32		mask = builder->mask;

	if ((uint32) builder->room->count + PA_PENDING_STATES <= mask / 8 * 5)
		return;
	start_buckets(builder, mask * 2 + 1);
	for (uint32 i = 0; i <= mask; i++)
		if (old[i].number >= 0)
			*find_bucket(builder, old[i].hash, NULL) = old[i];
	pfree(old);
}

/* A state at a place further up gets the lowest one. */
static void
move_down(PaStateRoom *room, const PaOwnerState *state)
{
	PaOwnerState *to = pa_room_place(room, room->count);
	PaLikelihood table = to->likelihood;

	if (state == to)
		return;
	memcpy(table.value, state->likelihood.value, sizeof(double) * table.size);
	*to = *state;
	to->likelihood.value = table.value;
}

static int
take(Builder *builder, Bucket *bucket, uint32 hash, const PaOwnerState *state)
{
	PaStateRoom *room = builder->room;

	if (bucket->number >= 0)
		merge(pa_room_state(room, bucket->number), state);
	else
	{
		*bucket = (Bucket) {hash, room->count};
		move_down(room, state);
		pa_room_take(room);
	}
	return bucket->number;
}

/* A state that does not fit is folded; where there are too many of these it goes to one that bounds it. */
static int
intern_folded(Builder *builder, PaOwnerState *state)
{
	int			first = builder->most_states / 4 * 3;
	uint32		hash;
	Bucket	   *bucket;
	int			bound;

	pa_state_fold(state, builder->question);
	hash = hash_state(state);
	bucket = find_bucket(builder, hash, state);
	if (bucket->number >= 0 || builder->room->count < builder->most_states)
		return take(builder, bucket, hash, state);
	bound = pa_find_bound(builder->room, first, state);
	if (bound < 0)
		return take(builder, bucket, hash, state);
	merge(pa_room_state(builder->room, bound), state);
	return bound;
}

/* Number of the state, which is new or equal to one that is there.  A quarter of the states is for those that are folded. */
static int
intern(Builder *builder, uint32 hash, PaOwnerState *state)
{
	Bucket	   *bucket = find_bucket(builder, hash, state);

	if (bucket->number < 0 && builder->most_states > 0 && builder->room->count >= builder->most_states / 4 * 3)
		return intern_folded(builder, state);
	return take(builder, bucket, hash, state);
}

/* Pending children get their numbers; all buckets are touched first, so that one wait is for all. */
static void
settle(Builder *builder)
{
	int			place = builder->room->count;
	int		   *number = builder->children + builder->nchildren - builder->npending;

	grow_buckets(builder);
	for (int i = 0; i < builder->npending; i++)
		(void) *(const volatile int *) &builder->buckets[builder->pending[i] & builder->mask].number;
	for (int i = 0; i < builder->npending; i++)
		*number++ = intern(builder, builder->pending[i], pa_room_state(builder->room, place++));
	builder->npending = 0;
}

/* Its number among the children. */
static int
make_child(Builder *builder, int parent, int64 output)
{
	const PaOwnerState *from = pa_book_state(builder->book, parent);
	PaOwnerState *state;
	double	   *table;
	uint32		hash;

	if (builder->npending == PA_PENDING_STATES)
		settle(builder);
	if (builder->nchildren == builder->capacity)
	{
		builder->capacity *= 2;
		builder->children = repalloc_huge(builder->children, sizeof(int) * builder->capacity);
	}
	state = pa_room_place(builder->room, builder->room->count + builder->npending);
	table = state->likelihood.value;
	*state = *from;
	state->likelihood.value = table;
	memcpy(table, from->likelihood.value, sizeof(double) * from->likelihood.size);
	if (output != NO_ANSWER)
		add_answer(builder, state, parent, output);
	hash = hash_state(state);
	__builtin_prefetch((char *) state + FAR_PLACES * builder->room->stride, 1);
	builder->pending[builder->npending++] = hash;
	return builder->nchildren++;
}

static int
child_of(Builder *builder, int parent, int64 output)
{
	int64		place = output == NO_ANSWER ? 0 : output + 1;
	int		   *child;

	if (builder->direct)
		child = &builder->direct[(Size) parent * (builder->outputs + 1) + place];
	else
	{
		TransitionKey key = {output, parent};
		bool		found;
		Transition *transition = hash_search(builder->transitions, &key, HASH_ENTER, &found);

		child = &transition->child;
		if (!found)
			*child = -1;
	}
	if (*child < 0)
		*child = make_child(builder, parent, output);
	return *child;
}

/* --- all owners --- */

/*
 * Brings the states of some owners into cache.  A load that is not waited for does
 * so for all of them at once; a prefetch alone would wait where the page's address
 * is not known yet.
 */
static void
fetch_parents(const Builder *builder, int first)
{
	const PaBook *book = builder->book;
	int			end = Min(first + BLOCK, book->nowners);

	if (book->nstates < MANY_STATES)
		return;
	for (int owner = first; owner < end; owner++)
	{
		const PaOwnerState *state = pa_book_state(book, book->states[owner]);

		(void) *(const volatile int *) &state->nanswers;
		for (Size i = 0; i < Min(book->room->stride, MOST_FETCHED); i += CACHE_LINE)
			__builtin_prefetch((const char *) state + i);
	}
}

/* Whether somebody answered who has no number. */
static bool
answers_of_nobody(const PaBook *book, const PaAnswers *answers)
{
	size_t		whole = (size_t) book->nowners / 8;

	for (size_t i = whole; i < answers->answered_bytes; i++)
		if (answers->answered[i] >> (i == whole ? book->nowners % 8 : 0) != 0)
			return true;
	return false;
}

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

		if (owner % BLOCK == 0)
			fetch_parents(builder, owner);
		if (central && state == 0 ? builder->question->everybody_new : pa_bit(answers->answered, answers->answered_bytes, owner))
		{
			if (next == given)
				pa_books_incomplete(psprintf("answers to question %d are missing", builder->question->number));
			output = central ? 0 : pa_outputs_get(answers->width, answers->outputs, next++);
			if (builder->outputs > 0 && (output < 0 || output >= builder->outputs))
				elog(ERROR, "an answer to question %d is impossible", builder->question->number);
		}
		book->states[owner] = child_of(builder, state, output);
		if (owner % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	if (answers_of_nobody(book, answers) || (answers->width > 0 && next != given && given - next >= 8 / Min(answers->width, 8)))
		pa_books_incomplete(psprintf("owners who answered question %d are missing", builder->question->number));
}

/* From numbers of children to numbers of states. */
static void
number_states(Builder *builder)
{
	PaBook	   *book = builder->book;

	settle(builder);
	pa_book_move(book);
	for (int owner = 0; owner < book->nowners; owner++)
		book->states[owner] = builder->children[book->states[owner]];
}

void
pa_book_apply(PaBook *book, PaQuestion *question, const PaAnswers *answers)
{
	bool		central = question->kind == PA_ASK_CENTRAL;
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "privacct answers", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(scratch);
	Builder		builder;

	pa_book_own(book);
	if (pa_question_is_about_box(question))
		pa_book_remember(book, question);
	start_builder(&builder, book, question, answers);
	if (question->ncuts > 0)
	{
		builder.steps = pa_steps_make(book, NULL);
		builder.alike = pa_book_first_alike(book, question);
	}
	(void) child_of(&builder, 0, central && question->everybody_new ? 0 : NO_ANSWER);
	move_owners(&builder, answers);
	number_states(&builder);
	book->question = question->number;
	book->trail = pa_answers_trail(book, book->trail, question->charge_id, answers);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
}
