/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * state_room.h
 *		States of owners, and memory for them.
 */
#ifndef PA_STATE_ROOM_H
#define PA_STATE_ROOM_H

#include "postgres.h"

#include "core/bayes/filter.h"
#include "core/bayes/regression.h"

#include "local/book/spans.h"

typedef struct PaOwnerState
{
	PaLikelihood likelihood;	/* over the points of the domain */
	PaBorne		borne;			/* beside: folded, steps_loss and bounds.loss */
	double		folded;			/* bound of what answers gave away that neither table nor answers tell any more */
	int			nanswers;
	int		   *answers;		/* question, output, ...: linear and logistic ones as they came, then those with steps, sorted */
	PaRegressionState bounds;	/* of linear and logistic ones */
	double		steps_loss;		/* of those with steps (local/steps.h) */
} PaOwnerState;

/*
 * Memory of states, each with its table behind it.  A book has two rooms that take
 * turns: states are made in one from those in the other.  What a room has once
 * grown to it keeps, if it is the process's own, so that questions to owners with
 * many different histories do not take all of it from the system each time.
 */
typedef struct PaStateRoom
{
	int			count;			/* states that were taken */
	size_t		points;			/* of each table */
	Size		stride;			/* bytes from state to state */
	int			shift;			/* 1 << shift states in a piece */
	PaSpans		pieces;
	PaSpans		answers;		/* of the states */
	Size		answers_left;	/* in the last of these */
	MemoryContext context;		/* of all of it that is not shared; NULL: in an image */
} PaStateRoom;

static inline PaOwnerState *
pa_room_state(const PaStateRoom *room, int number)
{
	return (PaOwnerState *) (room->pieces.list[number >> room->shift].start + (number & ((1 << room->shift) - 1)) * room->stride);
}

/* The loss of a state's answers that its table does not hold; rounded up. */
static inline void
pa_state_set_beside(PaOwnerState *state)
{
	double		kept = state->folded > 0 || state->steps_loss > 0 ? (state->folded + state->steps_loss) * (1 + 1e-15) : 0;

	state->borne.beside = kept > 0 ? (kept + state->bounds.loss) * (1 + 1e-15) : state->bounds.loss;
}

extern PaStateRoom *pa_room_create(MemoryContext parent, size_t points);

/* Forgets the states. */
extern void pa_room_clear(PaStateRoom *room);

/* Whether all of it is shared: then an image can have it, which the room knows nothing of afterwards. */
extern bool pa_room_is_shared(const PaStateRoom *room);
extern void pa_room_hand_over(PaStateRoom *room);

/*
 * Where the state of that number is to be: one that is not taken, places being
 * asked for in order.  Its table has its place; the rest is the caller's to fill.
 */
extern PaOwnerState *pa_room_place(PaStateRoom *room, int number);

/* Children that wait to be compared with states, at places behind these. */
#define PA_PENDING_STATES 64

/* How many numbers the tables of a room may have together. */
#define PA_ROOM_NUMBERS ((Size) 1 << 27)

/* The lowest state that is not taken stays; its answers are copied. */
extern void pa_room_take(PaStateRoom *room);

#endif							/* PA_STATE_ROOM_H */
