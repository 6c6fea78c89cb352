/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * book.c
 *		Whose memory a book is in, owners and their numbers, questions that states refer
 *		to, and answers.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "bound/keyed_hash.h"
#include "local/book/book.h"
#include "local/book/image.h"

#define FIRST_OWNERS 1024

/* --- its memory --- */

static void
leave_image(PaBook *book)
{
	if (book->image)
		pa_image_leave(book->image);
	book->image = NULL;
}

void
pa_book_empty(PaBook *book)
{
	PaBook		before = *book;

	leave_image(book);
	MemoryContextReset(book->context);
	memset(book, 0, sizeof(PaBook));
	book->policy_id = before.policy_id;
	book->domain = before.domain;
	memcpy(book->secret, before.secret, PA_SECRET_BYTES);
	book->context = before.context;
	book->base = book->trail_base = book->question = -1;
	book->ahead = true;			/* until it is read */
	book->seen = before.seen;
}

void
pa_book_note_seen(PaBook *book)
{
	if (!book->ahead && book->lineage != 0 && book->trail_base == book->base)
		book->seen = (PaSeen) {book->question, book->nowners, book->base, book->origin, book->lineage, book->trail};
}

/* NULL of nothing. */
static void *
own_copy(const PaBook *book, const void *array, Size size, Size room)
{
	return array ? memcpy(MemoryContextAllocHuge(book->context, room), array, size) : NULL;
}

static void
add_regression(PaBook *book, const PaQuestion *question)
{
	MemoryContext caller = MemoryContextSwitchTo(book->context);
	PaQuestion *copy = palloc(sizeof(PaQuestion));

	*copy = *question;
	copy->text = NULL;
	copy->points = palloc(sizeof(double) * Max(question->npoints, 1));
	memcpy(copy->points, question->points, sizeof(double) * question->npoints);
	copy->regression.theta = copy->points;
	copy->cuts = palloc(sizeof(double) * Max(question->ncuts, 1));
	memcpy(copy->cuts, question->cuts ? question->cuts : copy->cuts, sizeof(double) * question->ncuts);
	memset(&copy->query, 0, sizeof(PaQuery));	/* local/steps.c makes those that it needs */
	book->regressions = book->regressions ?
		repalloc(book->regressions, sizeof(PaQuestion *) * (book->nregressions + 1)) :
		palloc(sizeof(PaQuestion *));
	book->regressions[book->nregressions++] = copy;
	MemoryContextSwitchTo(caller);
}

void
pa_book_own(PaBook *book)
{
	PaQuestion **regressions = book->regressions;
	int			nregressions = book->nregressions;
	Size		owners = book->nowners;
	Size		most = book->capacity;

	if (!book->borrowed)
		return;
	book->keys = own_copy(book, book->keys, sizeof(uint64) * owners, sizeof(uint64) * most);
	book->records = own_copy(book, book->records, sizeof(uint32) * owners, sizeof(uint32) * most);
	book->states = own_copy(book, book->states, sizeof(int) * owners, sizeof(int) * most);
	book->slots = own_copy(book, book->slots, sizeof(uint32) * 2 * most, sizeof(uint32) * 2 * most);
	book->regressions = NULL;
	book->nregressions = 0;
	book->borrowed = false;
	for (int i = 0; i < nregressions; i++)
		add_regression(book, regressions[i]);
}

/* The other room is the next to come, if it is not an image's. */
void
pa_book_move(PaBook *book)
{
	PaStateRoom *before = book->room;

	book->room = book->next_room;
	book->nstates = book->room->count;
	book->next_room = book->image ? NULL : before;
	if (book->next_room)
		pa_room_clear(book->next_room);
	leave_image(book);
}

/* --- questions that states refer to --- */

const PaQuestion *
pa_book_regression(const PaBook *book, int number)
{
	int			low = 0,
				high = book->nregressions;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (book->regressions[middle]->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == book->nregressions || book->regressions[low]->number != number)
		elog(ERROR, "question %d is missing", number);
	return book->regressions[low];
}

int
pa_book_first_alike(const PaBook *book, const PaQuestion *question)
{
	for (int i = 0; i < book->nregressions; i++)
		if (book->regressions[i]->ncuts > 0 && pa_question_is_alike(book->regressions[i], question))
			return book->regressions[i]->number;
	return question->number;
}

void
pa_book_remember(PaBook *book, const PaQuestion *question)
{
	pa_book_own(book);
	add_regression(book, question);
}

int64 *
pa_book_owners_of_states(const PaBook *book)
{
	int64	   *owners = MemoryContextAllocExtended(CurrentMemoryContext, sizeof(int64) * book->nstates, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	for (int owner = 0; owner < book->nowners; owner++)
		owners[book->states[owner]]++;
	return owners;
}

/* --- owners --- */

uint64
pa_book_key(const PaBook *book, Oid type, Datum owner)
{
	return pa_owner_hash64(book->secret, type, owner);
}

uint32
pa_book_record(const PaBook *book, const double *values)
{
	uint64		hash;
	uint64		bits;

	/* nobody who could look for collisions sees it: a cheap hash will do */
	memcpy(&hash, book->secret, sizeof(hash));
	for (int i = 0; i < book->domain.ncolumns; i++)
	{
		memcpy(&bits, &values[i], sizeof(bits));
		hash = pa_mix64(hash ^ bits);
	}
	return (uint32) (hash >> 32);
}

/* The slot of a key, or the empty one where it would be. */
static uint32
find_slot(const PaBook *book, uint64 key)
{
	uint32		at = key & book->slot_mask;

	while (book->slots[at] != 0 && book->keys[book->slots[at] - 1] != key)
		at = (at + 1) & book->slot_mask;
	return at;
}

int
pa_book_find(const PaBook *book, uint64 key)
{
	return book->slots ? (int) book->slots[find_slot(book, key)] - 1 : -1;
}

static void
put_slot(PaBook *book, int owner)
{
	uint32		at = book->keys[owner] & book->slot_mask;

	while (book->slots[at] != 0)
		at = (at + 1) & book->slot_mask;
	book->slots[at] = (uint32) owner + 1;
}

static void *
grow(PaBook *book, void *array, Size size)
{
	return array ? repalloc_huge(array, size) : MemoryContextAllocHuge(book->context, size);
}

/* Room for so many owners; slots are at most half full. */
void
pa_book_reserve(PaBook *book, int64 owners)
{
	int			capacity = Max(book->capacity, FIRST_OWNERS);

	pa_book_own(book);
	if (owners <= book->capacity)
		return;
	while (capacity < owners)
	{
		if (capacity > PG_INT32_MAX / 4)
			elog(ERROR, "too many owners");
		capacity *= 2;
	}
	book->keys = grow(book, book->keys, sizeof(uint64) * capacity);
	book->records = grow(book, book->records, sizeof(uint32) * capacity);
	book->states = grow(book, book->states, sizeof(int) * capacity);
	if (book->slots)
		pfree(book->slots);
	book->slots = MemoryContextAllocExtended(book->context, sizeof(uint32) * 2 * capacity, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	book->slot_mask = 2 * (uint32) capacity - 1;
	book->capacity = capacity;
	for (int i = 0; i < book->nowners; i++)
		put_slot(book, i);
}

int
pa_book_number(PaBook *book, uint64 key, uint32 record)
{
	int			owner = book->nowners;
	uint32		at;

	pa_book_reserve(book, (int64) owner + 1);
	at = find_slot(book, key);
	if (book->slots[at] != 0)
		return (int) book->slots[at] - 1;
	book->keys[owner] = key;
	book->records[owner] = record;
	book->states[owner] = 0;
	book->slots[at] = (uint32) owner + 1;
	return book->nowners++;
}

/* --- answers --- */

void
pa_book_rebase(PaBook *book, int question, PaOrigin origin)
{
	book->base = question;
	book->origin = origin;
	book->answer_bytes = 0;
	book->trail = 0;
	book->trail_base = book->question == question ? question : -1;
}

/* Whoever has not the policy's secret cannot make another copy that counts. */
static uint64
hash_part(const PaBook *book, uint64 hash, const void *bytes, size_t length)
{
	return pa_mix64(hash ^ pa_keyed_hash64(book->secret, bytes ? bytes : "", length));
}

uint64
pa_answers_trail(const PaBook *book, uint64 trail, int64 charge_id, const PaAnswers *answers)
{
	trail = hash_part(book, trail, &charge_id, sizeof(charge_id));
	trail = hash_part(book, trail, &answers->most_states, sizeof(answers->most_states));
	trail = hash_part(book, trail, answers->answered, answers->answered_bytes);
	trail = hash_part(book, trail, answers->outputs, answers->outputs_bytes);
	return hash_part(book, trail, answers->bounds, answers->bounds ? sizeof(double) * PA_BOUNDS * answers->nbounds : 0);
}

static uint64
hash_state(const PaBook *book, uint64 hash, const PaOwnerState *state)
{
	double		numbers[] = {state->likelihood.error, state->borne.basic, state->borne.central, state->borne.rho,
	state->bounds.loss, state->bounds.closed_loss, state->bounds.closed, state->folded, state->steps_loss};

	hash = hash_part(book, hash, state->likelihood.value, sizeof(double) * state->likelihood.size);
	hash = hash_part(book, hash, numbers, sizeof(numbers));
	return hash_part(book, hash, state->answers, sizeof(int) * 2 * state->nanswers);
}

uint64
pa_states_seal(const PaBook *book, int owners)
{
	uint64		seal = hash_part(book, 0, PA_EXTVERSION, sizeof(PA_EXTVERSION));

	for (int i = 0; i < book->nstates; i++)
	{
		CHECK_FOR_INTERRUPTS();
		seal = hash_state(book, seal, pa_book_state(book, i));
	}
	return hash_part(book, seal, book->states, sizeof(int) * owners);
}

size_t
pa_outputs_size(int width, int64 count)
{
	return ((size_t) count * width + 7) / 8;
}

void
pa_outputs_put(int width, uint8 *outputs, int64 at, int64 output)
{
	if (width == 1)
		outputs[at / 8] |= (uint8) ((output & 1) << (at % 8));
	else
		for (int i = 0; i < width / 8; i++)
			outputs[at * (width / 8) + i] = (uint8) ((uint64) output >> (8 * i));
}

/* Numbers of 8 and 16 bits are never negative. */
int64
pa_outputs_get(int width, const uint8 *outputs, int64 at)
{
	uint64		output = 0;

	if (width == 1)
		return outputs[at / 8] >> (at % 8) & 1;
	for (int i = 0; i < width / 8; i++)
		output |= (uint64) outputs[at * (width / 8) + i] << (8 * i);
	return (int64) output;
}
