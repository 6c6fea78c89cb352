/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fold.c
 *		States that do not fit: their tables become numbers.
 *
 * What a table, and the answers beside it, gave away is bounded by a number, and
 * the owner starts a new table; the number adds to whatever that one will say
 * (docs/theory-local.md, C).  Numbers are rounded up to few digits, so that a few
 * states stand for all owners whose tables do not fit.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "local/book/fold.h"
#include "settings.h"

#define LEAST_STATES 64
#define UP (1 + 4 * DBL_EPSILON)

#define FINE_BITS 13			/* significant bits of what a table becomes */
#define MOST_TRIED 256			/* folded states that are looked through for one that bounds another */

/* Both rooms count, places behind their states, and what a state's answers take. */
int
pa_book_most_states(const PaBook *book)
{
	Size		points = book->domain.points;
	Size		state = sizeof(PaOwnerState) + sizeof(double) * points + 2 * sizeof(int) * ((Size) book->nregressions + 1);
	Size		places = Min((Size) pa_book_memory * 1024 / (2 * state), PA_ROOM_NUMBERS / points);

	return (int) Max(places, LEAST_STATES + PA_PENDING_STATES) - PA_PENDING_STATES;
}

/* The least number of so many bits that is not below. */
static double
round_up(double x, int bits)
{
	int			exponent;
	double		mantissa = frexp(x, &exponent);

	return ldexp(ceil(ldexp(mantissa, bits)), exponent - bits);
}

static double
loss_of_table(const PaOwnerState *state)
{
	PaRealisedLoss table = pa_likelihood_loss(&state->likelihood);

	return (table.loss + table.error + state->steps_loss + state->bounds.loss) * UP;
}

void
pa_state_fold(PaOwnerState *state, const PaQuestion *question)
{
	double		more = loss_of_table(state);

	/* the answer of who was folded before costs its level, whatever it was: so no more numbers come of it */
	if (state->folded > 0 && more > 0 && more <= question->level * (1 + 1e-9))
		more = fmax(more, question->level);
	else
		more = round_up(more, FINE_BITS);
	state->folded = fmax((state->folded + more) * (more > 0 ? UP : 1), DBL_EPSILON);
	(void) pa_likelihood_start(state->likelihood.value, state->likelihood.size, &state->likelihood);
	state->nanswers = 0;
	state->answers = NULL;
	state->bounds = (PaRegressionState) {0};
	state->steps_loss = 0;
	pa_state_set_beside(state);
}

static bool
is_folded(const PaOwnerState *state)
{
	PaRealisedLoss table = pa_likelihood_loss(&state->likelihood);

	return state->folded > 0 && state->nanswers == 0 && table.loss == 0 && table.error == 0;
}

int
pa_find_bound(const PaStateRoom *room, int first, const PaOwnerState *state)
{
	int			found = -1;

	for (int i = first; i < Min(room->count, first + MOST_TRIED); i++)
	{
		const PaOwnerState *other = pa_room_state(room, i);

		if (other->folded >= state->folded && is_folded(other) &&
			(found < 0 || other->folded < pa_room_state(room, found)->folded))
			found = i;
	}
	return found;
}
