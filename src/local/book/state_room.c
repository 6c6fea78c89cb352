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

PaStateRoom *
pa_room_create(MemoryContext parent, size_t points)
{
	MemoryContext context = AllocSetContextCreate(parent, "privacct states", ALLOCSET_DEFAULT_SIZES);
	PaStateRoom *room = MemoryContextAllocZero(context, sizeof(PaStateRoom));

	room->context = context;
	room->answers = AllocSetContextCreate(context, "privacct answers of states", ALLOCSET_DEFAULT_SIZES);
	room->points = points;
	room->stride = sizeof(PaOwnerState) + sizeof(double) * points;
	while (room->stride << (room->shift + 1) <= PIECE_BYTES)
		room->shift++;
	return room;
}

void
pa_room_clear(PaStateRoom *room)
{
	room->count = 0;
	MemoryContextReset(room->answers);
}

static void
add_piece(PaStateRoom *room)
{
	Size		numbers = room->points << room->shift;

	int			most = (int) (PA_ROOM_NUMBERS / numbers) + SPARE_PIECES + PA_PENDING_STATES;

	/* pa_book_most_states() has seen to it */
	if (room->npieces == most)
		elog(ERROR, "the likelihood tables of the owners do not fit into memory");
	if (room->npieces == 0)
		room->pieces = MemoryContextAlloc(room->context, sizeof(char *));
	else if ((room->npieces & (room->npieces - 1)) == 0)
		room->pieces = repalloc_huge(room->pieces, sizeof(char *) * 2 * room->npieces);
	room->pieces[room->npieces] = MemoryContextAllocHuge(room->context, room->stride << room->shift);
	room->npieces++;
}

PaOwnerState *
pa_room_place(PaStateRoom *room, int number)
{
	PaOwnerState *state;

	if (number >> room->shift == room->npieces)
		add_piece(room);
	state = pa_room_state(room, number);
	state->likelihood.size = room->points;
	state->likelihood.value = (double *) (state + 1);
	return state;
}

void
pa_room_take(PaStateRoom *room)
{
	PaOwnerState *state = pa_room_state(room, room->count++);
	int		   *answers = state->answers;

	if (state->nanswers == 0)
		return;
	state->answers = MemoryContextAlloc(room->answers, sizeof(int) * 2 * state->nanswers);
	memcpy(state->answers, answers, sizeof(int) * 2 * state->nanswers);
}
