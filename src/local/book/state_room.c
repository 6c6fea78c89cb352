/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * state_room.c
 *		Memory of states.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "local/book/state_room.h"

#define PIECE_BYTES (64 * 1024)
#define SPARE_PIECES 2			/* for the last piece and for children that wait */

/* What is shared does not go with the context by itself. */
static void
give_back(void *argument)
{
	PaStateRoom *room = argument;

	pa_spans_clear(&room->pieces, true);
	pa_spans_clear(&room->answers, true);
}

PaStateRoom *
pa_room_create(MemoryContext parent, size_t points)
{
	MemoryContext context = AllocSetContextCreate(parent, "privacct states", ALLOCSET_DEFAULT_SIZES);
	PaStateRoom *room = MemoryContextAllocZero(context, sizeof(PaStateRoom));
	MemoryContextCallback *callback = MemoryContextAllocZero(context, sizeof(MemoryContextCallback));

	room->context = room->pieces.context = room->answers.context = context;
	room->points = points;
	room->stride = sizeof(PaOwnerState) + sizeof(double) * points;
	while (room->stride << (room->shift + 1) <= PIECE_BYTES)
		room->shift++;
	callback->func = give_back;
	callback->arg = room;
	MemoryContextRegisterResetCallback(context, callback);
	return room;
}

void
pa_room_clear(PaStateRoom *room)
{
	room->count = 0;
	pa_spans_clear(&room->pieces, true);
	pa_spans_clear(&room->answers, false);
	room->answers_left = 0;
}

bool
pa_room_is_shared(const PaStateRoom *room)
{
	return pa_spans_are_shared(&room->pieces) && pa_spans_are_shared(&room->answers);
}

void
pa_room_hand_over(PaStateRoom *room)
{
	room->pieces.nspans = room->answers.nspans = 0;
	pa_room_clear(room);
}

static void
add_piece(PaStateRoom *room)
{
	Size		numbers = room->points << room->shift;
	int			most = (int) (PA_ROOM_NUMBERS / numbers) + SPARE_PIECES + PA_PENDING_STATES;

	/* pa_book_most_states() has seen to it */
	if (room->pieces.count == most)
		elog(ERROR, "the likelihood tables of the owners do not fit into memory");
	(void) pa_spans_add(&room->pieces, room->stride << room->shift);
}

PaOwnerState *
pa_room_place(PaStateRoom *room, int number)
{
	PaOwnerState *state;

	if (number >> room->shift == room->pieces.count)
		add_piece(room);
	state = pa_room_state(room, number);
	state->likelihood.size = room->points;
	state->likelihood.value = (double *) (state + 1);
	return state;
}

static int *
keep_answers(PaStateRoom *room, const int *answers, int nanswers)
{
	Size		size = sizeof(int) * 2 * nanswers;
	PaSpan	   *last;
	int		   *kept;

	if (room->answers_left < size)
	{
		room->answers_left = Max(size, PIECE_BYTES);
		(void) pa_spans_add(&room->answers, room->answers_left);
	}
	last = &room->answers.list[room->answers.count - 1];
	kept = (int *) (last->start + last->size - room->answers_left);
	room->answers_left -= size;
	memcpy(kept, answers, size);
	return kept;
}

void
pa_room_take(PaStateRoom *room)
{
	PaOwnerState *state = pa_room_state(room, room->count++);

	if (state->nanswers > 0)
		state->answers = keep_answers(room, state->answers, state->nanswers);
}
