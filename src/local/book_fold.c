/*
 * book_fold.c
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

#include "local/book.h"

#define LEAST_STATES 64
#define UP (1 + 4 * DBL_EPSILON)

#define IDLE_BITS 2				/* of sums that decide nothing */

int			pa_book_memory = 256 * 1024;

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
loss_of(const PaOwnerState *state)
{
	PaRealisedLoss table = pa_likelihood_loss(&state->likelihood);
	double		more = table.loss + table.error + state->bounds.loss;

	return more > 0 ? (state->folded + more) * UP : state->folded;
}

/* A quarter of the states is for those that are folded. */
int
pa_fold_bits(int count, int most_states)
{
	static const struct
	{
		double		below;
		int			bits;
	}			steps[] = {{0.75, 0}, {0.85, 13}, {0.92, 10}, {0.97, 8}, {1, 6}, {1.1, 4}};

	for (int i = 0; i < lengthof(steps); i++)
		if (count < steps[i].below * most_states)
			return steps[i].bits;
	return IDLE_BITS;
}

void
pa_state_fold(const PaBook *book, PaOwnerState *state, int bits)
{
	int			sums = book->sums_matter ? bits : IDLE_BITS;

	state->folded = round_up(fmax(loss_of(state), DBL_EPSILON), bits);
	(void) pa_likelihood_start(state->likelihood.value, state->likelihood.size, &state->likelihood);
	state->nanswers = 0;
	state->answers = NULL;
	state->bounds = (PaRegressionState) {0};
	state->borne.basic = round_up(state->borne.basic, sums);
	state->borne.central = round_up(state->borne.central, bits);
	state->borne.rho = round_up(state->borne.rho, sums);
	pa_state_set_beside(state);
}
