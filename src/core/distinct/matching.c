/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * matching.c
 *		Hopcroft and Karp's algorithm over owners with a capacity.
 *
 * A value is held by at most one owner, an owner holds at most cap values.  A path goes
 * from an owner that may hold more to one of its values, from there to the owner that
 * holds it, and so on to a value that nobody holds; along it every owner gives up a
 * value and gets another, and the first one gets one more.  If there is no such path
 * the number is the greatest (Berge 1957).
 *
 * A phase finds how far each owner is from those that may hold more, and then a largest
 * set of shortest paths that share no value.  Paths may share owners: each of them
 * leaves the number that an owner in its middle holds as it was.  The walk keeps its way on
 * a stack of its own: a path is as long as there are owners.
 *
 * One owner may decide which pairs a phase looks at, and how many phases there are.  So in
 * each phase the search looks at every pair once, and so do the walks, whether it is of use or not,
 * and there are PA_EXACT_PHASES of them even if the first ones find all.
 */
#include "core/distinct/matching.h"

#include <string.h>

#define NOBODY (-1)
#define FAR INT32_MAX

typedef struct Matching
{
	const PaPairs *pairs;
	int32_t		cap;
	int32_t		phases;			/* that were played */
	int32_t		reach;			/* the least distance of an owner that has a value that nobody holds */
	int64_t		found;
	int64_t    *next;			/* [owner]: the first pair that this phase has not looked at */
	int32_t    *holder;			/* [value]: its owner, or NOBODY */
	int32_t    *holds;			/* [owner]: how many */
	int32_t    *distance;		/* [owner]: steps from one that may hold more, or FAR */
	int32_t    *queue;			/* [owner]: of the search, then the way of a walk */
} Matching;

/* Pairs from there on, of which nothing is wanted but that it takes its time */
static void
look_at_rest(const Matching *m, int32_t owner, int64_t first)
{
	volatile int32_t seen = 0;
	int64_t		pair;

	for (pair = first; pair < m->pairs->start[owner + 1]; pair++)
		seen = m->holder[m->pairs->value[pair]];
	(void) seen;
}

/* Distances; whether a value that nobody holds can be reached, and how far it is */
static bool
measure(Matching *m)
{
	int32_t		from = 0;
	int32_t		to = 0;
	int32_t		owner;
	bool		reached = false;

	for (owner = 0; owner < m->pairs->owners; owner++)
	{
		m->distance[owner] = m->holds[owner] < m->cap ? 0 : FAR;
		if (m->distance[owner] == 0)
			m->queue[to++] = owner;
	}
	while (from < to)
	{
		int64_t		pair;

		owner = m->queue[from++];
		for (pair = m->pairs->start[owner]; pair < m->pairs->start[owner + 1]; pair++)
		{
			int32_t		other = m->holder[m->pairs->value[pair]];

			if (other == NOBODY)
			{
				m->reach = reached ? m->reach : m->distance[owner];
				reached = true;
			}
			else if (m->distance[other] == FAR)
			{
				m->distance[other] = m->distance[owner] + 1;
				m->queue[to++] = other;
			}
		}
	}
	for (owner = 0; owner < m->pairs->owners; owner++)
		if (m->distance[owner] == FAR)
			look_at_rest(m, owner, m->pairs->start[owner]);
	return reached;
}

/* The owners of the way take over, from its end, the values that they looked at last. */
static void
give(Matching *m, int32_t length)
{
	int32_t		i;

	for (i = 0; i < length; i++)
	{
		int32_t		owner = m->queue[i];

		m->holder[m->pairs->value[m->next[owner] - 1]] = owner;
	}
	m->holds[m->queue[0]]++;
	m->found++;
}

/*
 * The next pair of the last owner on the way: its value is free, or leads to an owner
 * that is one step further, on a shortest path.  False if there is none.
 */
static bool
step(Matching *m, int32_t owner, int32_t *holder)
{
	while (m->next[owner] < m->pairs->start[owner + 1])
	{
		*holder = m->holder[m->pairs->value[m->next[owner]++]];
		if (*holder == NOBODY ||
			(m->distance[*holder] == m->distance[owner] + 1 && m->distance[*holder] <= m->reach))
			return true;
	}
	return false;
}

/* Whether a path from this owner was found, and made the number one larger */
static bool
walk(Matching *m, int32_t owner)
{
	int32_t		length = 1;

	m->queue[0] = owner;
	while (length > 0)
	{
		int32_t		holder;

		if (!step(m, m->queue[length - 1], &holder))
			length--;
		else if (holder == NOBODY)
		{
			give(m, length);
			return true;
		}
		else
			m->queue[length++] = holder;
	}
	return false;
}

/* Searches, and walks; whether another one may find more */
static bool
play_phase(Matching *m)
{
	bool		reached = measure(m);
	int32_t		owner;

	m->phases++;
	memcpy(m->next, m->pairs->start, (size_t) m->pairs->owners * sizeof(*m->next));
	for (owner = 0; owner < m->pairs->owners && reached; owner++)
		while (m->holds[owner] < m->cap && walk(m, owner))
			;
	for (owner = 0; owner < m->pairs->owners; owner++)
		look_at_rest(m, owner, m->next[owner]);
	return reached;
}

static PaStatus
enlarge(Matching *m, const PaEnvironment *environment)
{
	do
	{
		if (environment->interrupted && environment->interrupted(environment->context))
			return PA_INTERRUPTED;
	} while (play_phase(m));
	return PA_OK;
}

/* Those that find nothing any more */
static PaStatus
play_rest(Matching *m, const PaEnvironment *environment)
{
	while (m->phases < PA_EXACT_PHASES)
	{
		if (environment->interrupted && environment->interrupted(environment->context))
			return PA_INTERRUPTED;
		(void) play_phase(m);
	}
	return PA_OK;
}

static PaStatus
enlarge_all(Matching *m, const int32_t *cap, int caps, const PaEnvironment *environment, int64_t *covered)
{
	int			i;

	for (i = 0; i < caps; i++)
	{
		PaStatus	status;

		m->cap = cap[i];
		status = enlarge(m, environment);
		if (status != PA_OK)
			return status;
		covered[i] = m->found;
	}
	return play_rest(m, environment);
}

PaStatus
pa_distinct_exact(const PaPairs *pairs, const int32_t *cap, int caps,
				  const PaEnvironment *environment, int64_t *covered)
{
	Matching	m = {.pairs = pairs};
	int64_t		found[PA_MOST_CAP];
	size_t		owners = (size_t) pairs->owners;
	size_t		values = (size_t) pairs->values;
	PaStatus	status;

	if (!pa_caps_valid(cap, caps) || pa_pairs_check(pairs) != PA_OK)
		return PA_INVALID;
	m.next = environment->allocate(environment->context,
								   owners * (sizeof(int64_t) + 3 * sizeof(int32_t)) + (values + 1) * sizeof(int32_t));
	if (m.next == NULL)
		return PA_NO_MEMORY;
	m.holds = (int32_t *) (m.next + owners);
	m.distance = m.holds + owners;
	m.queue = m.distance + owners;
	m.holder = m.queue + owners;
	memset(m.holds, 0, owners * sizeof(*m.holds));
	memset(m.holder, 0xff, values * sizeof(*m.holder));
	status = enlarge_all(&m, cap, caps, environment, found);
	if (status == PA_OK)
		memcpy(covered, found, (size_t) caps * sizeof(*covered));
	environment->release(environment->context, m.next);
	return status;
}
