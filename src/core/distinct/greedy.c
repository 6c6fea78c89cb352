/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * greedy.c
 *		Owners take free values in turn.
 *
 * What is taken stays taken, so each owner's search goes on where it ended: all rounds
 * together look at each pair once.  The rounds of a smaller cap are the first ones of a
 * larger one, so all caps are answered at once.
 *
 * Whether a value was taken decides how far an owner looks, and that may change for many
 * owners if one comes or goes.  So what was not looked at is looked at in the end: the
 * work is that of all pairs, and of cap rounds, whatever the values are.
 */
#include "core/distinct/greedy.h"

#include <string.h>

typedef struct Greedy
{
	const PaPairs *pairs;
	int64_t    *next;			/* [owner]: the first pair that was not looked at */
	unsigned char *taken;		/* [value] */
} Greedy;

/* Whether the owner found a free value */
static bool
take_first_free(Greedy *greedy, int32_t owner)
{
	while (greedy->next[owner] < greedy->pairs->start[owner + 1])
	{
		int32_t		value = greedy->pairs->value[greedy->next[owner]++];

		if (!greedy->taken[value])
		{
			greedy->taken[value] = 1;
			return true;
		}
	}
	return false;
}

static int64_t
play_round(Greedy *greedy)
{
	int64_t		found = 0;
	int32_t		owner;

	for (owner = 0; owner < greedy->pairs->owners; owner++)
		found += take_first_free(greedy, owner);
	return found;
}

static PaStatus
play(Greedy *greedy, const int32_t *cap, int caps, const PaEnvironment *environment, int64_t *covered)
{
	int64_t		sum = 0;
	int32_t		round = 0;
	int			i;

	for (i = 0; i < caps; i++)
	{
		for (; round < cap[i]; round++)
		{
			if (environment->interrupted && environment->interrupted(environment->context))
				return PA_INTERRUPTED;
			sum += play_round(greedy);
		}
		covered[i] = sum;
	}
	return PA_OK;
}

/* The work that was left. */
static void
look_at_rest(const Greedy *greedy)
{
	volatile int64_t found = 0;
	int32_t		owner;

	for (owner = 0; owner < greedy->pairs->owners; owner++)
	{
		int64_t		pair;

		for (pair = greedy->next[owner]; pair < greedy->pairs->start[owner + 1]; pair++)
			found += greedy->taken[greedy->pairs->value[pair]];
	}
	(void) found;
}

PaStatus
pa_distinct_greedy(const PaPairs *pairs, const int32_t *cap, int caps,
				   const PaEnvironment *environment, int64_t *covered)
{
	Greedy		greedy = {.pairs = pairs};
	int64_t		played[PA_MOST_CAP];
	size_t		room;
	PaStatus	status;

	if (!pa_caps_valid(cap, caps) || pa_pairs_check(pairs) != PA_OK)
		return PA_INVALID;
	room = (size_t) pairs->owners * sizeof(int64_t);
	greedy.next = environment->allocate(environment->context, room + (size_t) pairs->values + 1);
	if (greedy.next == NULL)
		return PA_NO_MEMORY;
	greedy.taken = (unsigned char *) greedy.next + room;
	memcpy(greedy.next, pairs->start, room);
	memset(greedy.taken, 0, (size_t) pairs->values);
	status = play(&greedy, cap, caps, environment, played);
	look_at_rest(&greedy);
	if (status == PA_OK)
		memcpy(covered, played, (size_t) caps * sizeof(*covered));
	environment->release(environment->context, greedy.next);
	return status;
}
