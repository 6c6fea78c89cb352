/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_distinct.c
 *		Different values that owners cover: all small inputs against brute force.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/distinct/cap.h"
#include "core/distinct/greedy.h"
#include "core/distinct/matching.h"
#include "source.h"
#include "unit.h"

#define MOST_OWNERS 8
#define MOST_VALUES 8

static const int32_t caps[] = {1, 2, 3};

#define CAPS 3

/* Owners with sets of values, and each owner's order of values */
typedef struct World
{
	int			owners;
	int			values;
	unsigned	set[MOST_OWNERS];
	int			order[MOST_OWNERS][MOST_VALUES];
} World;

/* As the core wants it, without the owner "left" (-1: with all) */
static PaPairs
pairs_of(const World *world, int left, int64_t *start, int32_t *value)
{
	PaPairs		pairs = {0, world->values, start, value};
	int			owner;
	int			i;

	start[0] = 0;
	for (owner = 0; owner < world->owners; owner++)
	{
		int64_t		at = start[pairs.owners];

		if (owner == left)
			continue;
		for (i = 0; i < world->values; i++)
			if (world->set[owner] >> world->order[owner][i] & 1)
				value[at++] = world->order[owner][i];
		start[++pairs.owners] = at;
	}
	return pairs;
}

static void
count(const World *world, int left, int64_t *greedy, int64_t *exact)
{
	int64_t		start[MOST_OWNERS + 1];
	int32_t		value[MOST_OWNERS * MOST_VALUES];
	PaPairs		pairs = pairs_of(world, left, start, value);

	assert_int_equal(pa_distinct_greedy(&pairs, caps, CAPS, &plain_memory, greedy), PA_OK);
	assert_int_equal(pa_distinct_exact(&pairs, caps, CAPS, &plain_memory, exact), PA_OK);
}

static int
ones(unsigned set)
{
	return __builtin_popcount(set);
}

/* Which sets of values can be covered: one owner after the other, over all sets of at most cap of its values */
static int
most_covered(const World *world, int cap)
{
	bool		can[1 << MOST_VALUES] = {true};
	unsigned	all = 1u << world->values;
	int			best = 0;
	int			owner;
	unsigned	set;
	unsigned	part;

	for (owner = 0; owner < world->owners; owner++)
		for (set = all; set-- > 0;)
			for (part = 0; can[set] && part < all; part++)
				if ((part & ~world->set[owner]) == 0 && ones(part) <= cap)
					can[set | part] = true;
	for (set = 0; set < all; set++)
		if (can[set] && ones(set) > best)
			best = ones(set);
	return best;
}

/* The definition, word by word */
static int
taken_in_turn(const World *world, int cap)
{
	unsigned	taken = 0;
	int			round;
	int			owner;
	int			i;

	for (round = 0; round < cap; round++)
		for (owner = 0; owner < world->owners; owner++)
			for (i = 0; i < world->values; i++)
			{
				unsigned	bit = 1u << world->order[owner][i];

				if (world->set[owner] & bit & ~taken)
				{
					taken |= bit;
					break;
				}
			}
	return ones(taken);
}

static double
check_world(const World *world)
{
	int64_t		greedy[CAPS];
	int64_t		exact[CAPS];
	int64_t		without[2][CAPS];
	unsigned	seen = 0;
	double		worst = 1;
	int			left;
	int			i;

	count(world, -1, greedy, exact);
	for (i = 0; i < world->owners; i++)
		seen |= world->set[i];
	for (i = 0; i < CAPS; i++)
	{
		assert_int_equal(exact[i], most_covered(world, caps[i]));
		assert_int_equal(greedy[i], taken_in_turn(world, caps[i]));
		assert_in_range(exact[i], greedy[i], 2 * greedy[i]);
		assert_in_range(exact[i], 0, ones(seen));
		worst = greedy[i] ? fmax(worst, (double) exact[i] / (double) greedy[i]) : worst;
	}
	for (left = 0; left < world->owners; left++)
	{
		count(world, left, without[0], without[1]);
		for (i = 0; i < CAPS; i++)
		{
			assert_in_range(greedy[i] - without[0][i], 0, caps[i]);
			assert_in_range(exact[i] - without[1][i], 0, caps[i]);
		}
	}
	return worst;
}

static void
shuffle(World *world, PaRandom *random)
{
	int			owner;
	int			i;

	for (owner = 0; owner < world->owners; owner++)
		for (i = 0; i < world->values; i++)
		{
			int			j = (int) pa_random_below(random, (uint64_t) i + 1);

			world->order[owner][i] = world->order[owner][j];
			world->order[owner][j] = i;
		}
}

/* All sets of up to 4 owners over 3 values and of 3 owners over 4, with some orders each */
static void
all_small_worlds(void **state)
{
	static const int size[][2] = {{1, 3}, {2, 3}, {3, 3}, {4, 3}, {3, 4}};
	uint64_t	seed = 1;
	PaRandom	random = seeded(&seed);
	double		worst = 1;
	unsigned	s;
	unsigned	code;

	(void) state;
	for (s = 0; s < sizeof(size) / sizeof(size[0]); s++)
		for (code = 0; code < 1u << size[s][0] * size[s][1]; code++)
		{
			World		world = {.owners = size[s][0],.values = size[s][1]};
			int			owner;
			double		ratio;

			for (owner = 0; owner < world.owners; owner++)
				world.set[owner] = code >> owner * world.values & ((1u << world.values) - 1);
			shuffle(&world, &random);
			ratio = check_world(&world);
			worst = ratio > worst ? ratio : worst;
		}
	assert_true(worst == 2);	/* the bound is met */
}

static void
larger_worlds(void **state)
{
	uint64_t	seed = 2;
	PaRandom	random = seeded(&seed);
	int			n;

	(void) state;
	for (n = 0; n < 3000; n++)
	{
		World		world = {.owners = 5 + n % 4,.values = 5 + n % 3};
		int			owner;

		for (owner = 0; owner < world.owners; owner++)
			world.set[owner] = (unsigned) (pa_random_u64(&random) & pa_random_u64(&random)) & ((1u << world.values) - 1);
		shuffle(&world, &random);
		check_world(&world);
	}
}

/*
 * A chain in which every owner must hand on what it holds: owner i has values i and i + 1,
 * the last one only the last value, so one path goes through all of them.
 */
static void
long_paths(void **state)
{
	enum
	{
		OWNERS = 200000
	};
	int64_t    *start = malloc((OWNERS + 1) * sizeof(*start));
	int32_t    *value = malloc(2 * OWNERS * sizeof(*value));
	PaPairs		pairs = {OWNERS, OWNERS, start, value};
	int32_t		one = 1;
	int64_t		exact;
	int64_t		greedy;
	int32_t		i;

	(void) state;
	for (i = 0; i < OWNERS; i++)
	{
		start[i] = 2 * (int64_t) i;
		value[2 * i] = i + 1 < OWNERS ? i + 1 : 0;
		value[2 * i + 1] = i;
	}
	start[OWNERS] = 2 * (int64_t) OWNERS - 1;
	value[2 * OWNERS - 2] = OWNERS - 1;
	assert_int_equal(pa_distinct_exact(&pairs, &one, 1, &plain_memory, &exact), PA_OK);
	assert_int_equal(pa_distinct_greedy(&pairs, &one, 1, &plain_memory, &greedy), PA_OK);
	assert_int_equal(exact, OWNERS);
	assert_int_equal(greedy, OWNERS - 1);
	free(start);
	free(value);
}

/*
 * Why orders are keyed: if those of the other owners change as well, as orders of arrival do, one
 * more owner changes the greedy number by more than the cap.
 */
static void
orders_must_not_move(void **state)
{
	uint64_t	seed = 4;
	PaRandom	random = seeded(&seed);
	int64_t		most = 0;
	int			n;

	(void) state;
	for (n = 0; n < 20000; n++)
	{
		World		world = {.owners = 7,.values = 6};
		int64_t		greedy[CAPS];
		int64_t		without[CAPS];
		int64_t		exact[CAPS];
		int			owner;

		for (owner = 0; owner < world.owners; owner++)
			world.set[owner] = (unsigned) (pa_random_u64(&random) & pa_random_u64(&random)) & 63;
		shuffle(&world, &random);
		count(&world, -1, greedy, exact);
		shuffle(&world, &random);
		count(&world, world.owners - 1, without, exact);
		most = greedy[0] - without[0] > most ? greedy[0] - without[0] : most;
	}
	assert_in_range(most, 2, 7);
}

static void
what_is_not_pairs(void **state)
{
	static const int64_t falls[] = {0, 2, 1};
	static const int64_t start[] = {0, 1, 2};
	static const int32_t value[] = {0, 5};
	static const int32_t twice[] = {2, 2};
	static const int32_t none[] = {0};
	static const int32_t large[] = {PA_MOST_CAP + 1};
	PaPairs		falling = {2, 6, falls, value};
	PaPairs		beyond = {2, 5, start, value};
	PaPairs		good = {2, 6, start, value};
	int32_t		one = 1;
	int64_t		covered[2] = {-7, -7};

	(void) state;
	assert_int_equal(pa_distinct_greedy(&falling, &one, 1, &plain_memory, covered), PA_INVALID);
	assert_int_equal(pa_distinct_exact(&falling, &one, 1, &plain_memory, covered), PA_INVALID);
	assert_int_equal(pa_distinct_greedy(&beyond, &one, 1, &plain_memory, covered), PA_INVALID);
	assert_int_equal(pa_distinct_exact(&beyond, &one, 1, &plain_memory, covered), PA_INVALID);
	assert_int_equal(pa_distinct_exact(&good, twice, 2, &plain_memory, covered), PA_INVALID);
	assert_int_equal(pa_distinct_greedy(&good, none, 1, &plain_memory, covered), PA_INVALID);
	assert_int_equal(pa_distinct_greedy(&good, large, 1, &plain_memory, covered), PA_INVALID);
	assert_int_equal(pa_distinct_greedy(&good, &one, 0, &plain_memory, covered), PA_INVALID);
	assert_int_equal(covered[0], -7);
}

static bool
at_once(void *context)
{
	(void) context;
	return true;
}

static void *
no_room(void *context, size_t size)
{
	(void) context;
	(void) size;
	return NULL;
}

static void
stopped(void **state)
{
	static const int64_t start[] = {0, 1};
	static const int32_t value[] = {0};
	PaPairs		pairs = {1, 1, start, value};
	PaEnvironment hurried = plain_memory;
	PaEnvironment poor = plain_memory;
	int32_t		one = 1;
	int64_t		covered = -7;

	(void) state;
	hurried.interrupted = at_once;
	poor.allocate = no_room;
	assert_int_equal(pa_distinct_greedy(&pairs, &one, 1, &hurried, &covered), PA_INTERRUPTED);
	assert_int_equal(pa_distinct_exact(&pairs, &one, 1, &hurried, &covered), PA_INTERRUPTED);
	assert_int_equal(pa_distinct_greedy(&pairs, &one, 1, &poor, &covered), PA_NO_MEMORY);
	assert_int_equal(pa_distinct_exact(&pairs, &one, 1, &poor, &covered), PA_NO_MEMORY);
	assert_int_equal(covered, -7);
}

/* Counts how often it is asked, which is before each phase */
static bool
not_yet(void *context)
{
	++*(int *) context;
	return false;
}

static int
phases_of(PaPairs *pairs, const int32_t *cap, int several)
{
	PaEnvironment counting = plain_memory;
	int			phases = 0;
	int64_t		covered[CAPS];

	counting.interrupted = not_yet;
	counting.context = &phases;
	assert_int_equal(pa_distinct_exact(pairs, cap, several, &counting, covered), PA_OK);
	return phases;
}

/* However soon all is found */
static void
phases_tell_nothing(void **state)
{
	static const int64_t none[] = {0};
	static const int64_t start[] = {0, 2, 4, 5};
	static const int32_t value[] = {0, 1, 0, 1, 0};
	PaPairs		nobody = {0, 0, none, value};
	PaPairs		few = {3, 2, start, value};

	(void) state;
	assert_int_equal(phases_of(&nobody, caps, 1), PA_EXACT_PHASES);
	assert_int_equal(phases_of(&few, caps, 1), PA_EXACT_PHASES);
	assert_int_equal(phases_of(&few, caps, CAPS), PA_EXACT_PHASES);
}

static const int32_t choices[] = {1, 2, 4, 8};
static const PaCapTerms terms = {1.0, 0.001, 0.5, 0.05};

/* ln p of every choice */
static void
choice_law(const int64_t *value, double *log_p)
{
	int64_t		loss[4];
	double		sum = 0;
	int			i;

	assert_int_equal(pa_cap_losses(value, choices, 4, &terms, loss), PA_OK);
	for (i = 0; i < 4; i++)
		sum += exp(-terms.epsilon * (double) loss[i] / (2.0 * (double) PA_CAP_UNIT));
	for (i = 0; i < 4; i++)
		log_p[i] = -terms.epsilon * (double) loss[i] / (2.0 * (double) PA_CAP_UNIT) - log(sum);
}

/* One more owner, who covers anything from 0 to cap more: losses move by a unit, log ratios within epsilon */
static void
choices_are_private(void **state)
{
	uint64_t	seed = 3;
	PaRandom	random = seeded(&seed);
	double		widest = 0;
	int			n;

	(void) state;
	for (n = 0; n < 200000; n++)
	{
		int64_t		value[4];
		int64_t		more[4];
		int64_t		loss[2][4];
		double		log_p[2][4];
		double		low = INFINITY;
		double		high = -INFINITY;
		int			i;

		for (i = 0; i < 4; i++)
		{
			value[i] = (i ? value[i - 1] : 0) + (int64_t) pa_random_below(&random, i < 2 ? 60 : 400);
			more[i] = value[i] + (n % 2 ? (int64_t) pa_random_below(&random, 2) * choices[i] :
								  (int64_t) pa_random_below(&random, (uint64_t) choices[i] + 1));
		}
		assert_int_equal(pa_cap_losses(value, choices, 4, &terms, loss[0]), PA_OK);
		assert_int_equal(pa_cap_losses(more, choices, 4, &terms, loss[1]), PA_OK);
		choice_law(value, log_p[0]);
		choice_law(more, log_p[1]);
		for (i = 0; i < 4; i++)
		{
			assert_in_range(loss[0][i] - loss[1][i] + PA_CAP_UNIT, 0, 2 * PA_CAP_UNIT);
			low = fmin(low, log_p[1][i] - log_p[0][i]);
			high = fmax(high, log_p[1][i] - log_p[0][i]);
		}
		assert_at_most(high - low, terms.epsilon * (1 + 1e-12));
		widest = fmax(widest, high - low);
	}
	assert_at_most(0.99 * terms.epsilon, widest);
}

static void
choices_follow_the_law(void **state)
{
	static const int64_t value[] = {60, 90, 100, 101};
	long		draws = draws_wanted() / 10;
	double		seen[4] = {0};
	double		want[4];
	PaRandom	random;
	double		p;
	long		n;
	int			chosen;

	(void) state;
	choice_law(value, want);
	for (n = 0; n < 4; n++)
		want[n] = exp(want[n]) * (double) draws;
	pa_random_init(&random, source_system, NULL);
	for (n = 0; n < draws; n++)
	{
		assert_int_equal(pa_cap_choose(value, choices, 4, &terms, &random, &plain_memory, &chosen), PA_OK);
		seen[chosen]++;
	}
	p = chi_square_p(seen, want, 4);
	if (!(p > FALSE_ALARM))
		fail_msg("p = %g", p);
}

static void
choices_that_are_none(void **state)
{
	static const int64_t value[] = {1, 2, 3, 4};
	static const int64_t negative[] = {1, 2, 3, -4};
	static const PaCapTerms wrong[] = {
		{0, 0.001, 0.5, 0.05}, {1, 0, 0.5, 0.05}, {1, 0.6, 0.5, 0.05}, {1, 0.001, 0, 0.05},
		{1, 0.001, 0.5, 0}, {1, 0.001, 0.5, 1}, {1e-9, 0.001, 0.5, 0.05}, {NAN, 0.001, 0.5, 0.05}
	};
	int64_t		loss[4] = {-7};
	unsigned char zero = 0;
	PaRandom	stuck;
	size_t		i;
	int			chosen = -7;

	(void) state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(pa_cap_losses(value, choices, 4, &wrong[i], loss), PA_INVALID);
	assert_int_equal(pa_cap_losses(negative, choices, 4, &terms, loss), PA_INVALID);
	assert_int_equal(pa_cap_losses(value, choices, PA_CAP_CANDIDATES + 1, &terms, loss), PA_INVALID);
	assert_int_equal(loss[0], -7);
	pa_random_init(&stuck, source_stuck, &zero);
	pa_random_fail(&stuck);
	assert_int_equal(pa_cap_choose(value, choices, 4, &terms, &stuck, &plain_memory, &chosen), PA_NO_RANDOMNESS);
	assert_int_equal(chosen, -7);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_small_worlds),
		cmocka_unit_test(larger_worlds),
		cmocka_unit_test(long_paths),
		cmocka_unit_test(orders_must_not_move),
		cmocka_unit_test(what_is_not_pairs),
		cmocka_unit_test(stopped),
		cmocka_unit_test(phases_tell_nothing),
		cmocka_unit_test(choices_are_private),
		cmocka_unit_test(choices_follow_the_law),
		cmocka_unit_test(choices_that_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
