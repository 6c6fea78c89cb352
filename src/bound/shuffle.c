/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shuffle.c
 *		See shuffle.h.
 */
#include "postgres.h"

#include "bound/shuffle.h"
#include "session_random.h"

#define MOST_KEPT 65536

struct PaShuffle
{
	Size		size;
	PaTakeShuffled take;
	void	   *taker;
	char	   *kept;
	int			count;
};

PaShuffle *
pa_shuffle_create(Size size, PaTakeShuffled take, void *taker)
{
	PaShuffle  *shuffle = palloc(sizeof(PaShuffle));

	*shuffle = (PaShuffle) {.size = size,.take = take,.taker = taker,.kept = palloc(size * MOST_KEPT)};
	return shuffle;
}

static char *
place(const PaShuffle *shuffle, uint64 number)
{
	return shuffle->kept + shuffle->size * number;
}

static void
hand_on(PaShuffle *shuffle)
{
	for (int left = shuffle->count; left > 0; left--)
	{
		char	   *next = place(shuffle, pa_random_below(pa_session_random(), left));

		shuffle->take(shuffle->taker, next);
		memmove(next, place(shuffle, left - 1), shuffle->size);
	}
	shuffle->count = 0;
}

void
pa_shuffle_add(PaShuffle *shuffle, const void *element)
{
	memcpy(place(shuffle, shuffle->count++), element, shuffle->size);
	if (shuffle->count == MOST_KEPT)
		hand_on(shuffle);
}

void
pa_shuffle_end(PaShuffle *shuffle)
{
	hand_on(shuffle);
	pfree(shuffle->kept);
	pfree(shuffle);
}
