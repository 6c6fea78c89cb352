/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * synthetic.c
 *		Sequences of activities and of places, from one generator.
 */
#include <string.h>

#include "synthetic.h"

#define ACTIVITIES 11
#define TRAINED 119
#define TESTED 32
#define DAY 288
#define COUNTRIES 10
#define MILLION 1000000

static const uint64_t activity_self[ACTIVITIES] = {
	750000, 830000, 700000, 720000, 860000, 930000, 820000, 700000, 800000, 680000, 690000
};
static const uint64_t activity_pop[ACTIVITIES] = {20, 8, 110, 160, 420, 300, 12, 130, 90, 170, 60};

typedef uint64_t Weights[SYNTHETIC_STATES][SYNTHETIC_STATES];

uint64_t
splitmix_next(SplitMix *random)
{
	uint64_t	z = random->state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

uint64_t
splitmix_below(SplitMix *random, uint64_t n)
{
	return ((splitmix_next(random) >> 32) * n) >> 32;
}

double
splitmix_u01(SplitMix *random)
{
	return ((double) (splitmix_next(random) >> 11) + 0.5) * 0x1p-53;
}

static int
draw(SplitMix *random, const uint64_t *weight, int states)
{
	uint64_t	sum = 0;
	uint64_t	r;
	int			i;

	for (i = 0; i < states; i++)
		sum += weight[i];
	r = splitmix_below(random, sum);
	for (i = 0, sum = weight[0]; sum <= r; sum += weight[i])
		i++;
	return i;
}

/* Who is told of rows, and the number of the next owner */
typedef struct Teller
{
	SyntheticVisit visit;
	void	   *to;
	SplitMix	random;
	int			owner;
} Teller;

/* A sequence: rows before "trained" are for the prior, the rest for the query. */
static void
walk(Teller *teller, Weights weight, int states, int start, int trained, int length, int query)
{
	SyntheticRow row = {.owner = teller->owner++,.query = query,.state = start};

	for (row.at = 0; row.at < length; row.at++)
	{
		row.before = row.state;
		if (row.at > 0)
			row.state = draw(&teller->random, weight[row.state], states);
		row.train = row.at < trained;
		teller->visit(&row, teller->to);
	}
}

static void
person(SplitMix *random, Weights weight)
{
	uint64_t	pop[ACTIVITIES];
	uint64_t	sum = 0;
	int			i;
	int			j;

	for (j = 0; j < ACTIVITIES; j++)
		sum += pop[j] = activity_pop[j] * (200 + 8 * splitmix_below(random, 201));
	for (i = 0; i < ACTIVITIES; i++)
	{
		weight[i][i] = MILLION;
		for (j = 0; j < ACTIVITIES; j++)
			if (j != i)
			{
				weight[i][j] = (MILLION - activity_self[i]) * pop[j] / (sum - pop[i]);
				weight[i][i] -= weight[i][j];
			}
	}
}

static void
capture(const SyntheticKind *kind, Teller *teller)
{
	int			each = TESTED / kind->queries;
	Weights		weight;
	int			i;

	for (i = 0; i < TRAINED + TESTED; i++)
	{
		bool		trained = i < TRAINED;

		person(&teller->random, weight);
		walk(teller, weight, ACTIVITIES, 5, trained ? DAY : 0, DAY, trained ? -1 : (i - TRAINED) / each);
	}
}

static void
places(SplitMix *random, Weights weight)
{
	int			m = SYNTHETIC_STATES;
	int			i;
	int			j;

	for (i = 0; i < m; i++)
	{
		uint64_t	raw[SYNTHETIC_STATES];
		uint64_t	sum = 0;
		uint64_t	self;

		for (j = 0; j < m; j++)
		{
			bool		keep = splitmix_below(random, 100) < 35;
			uint64_t	jitter = 40 + splitmix_below(random, 121);

			raw[j] = (keep || j < 6) && j != i ? (uint64_t) (MILLION / (j + 3)) * jitter : 0;
			sum += raw[j];
		}
		self = 40000 + splitmix_below(random, 120001);
		weight[i][i] = MILLION;
		for (j = 0; j < m; j++)
			if (j != i)
			{
				weight[i][j] = (MILLION - self) * raw[j] / sum;
				weight[i][i] -= weight[i][j];
			}
	}
}

static void
foursquare(const SyntheticKind *kind, Teller *teller)
{
	Weights		base;
	int			c;
	int			i;
	int			u;

	places(&teller->random, base);
	for (c = 0; c < COUNTRIES; c++)
	{
		Weights		weight;
		int			liked[2];

		liked[0] = (int) splitmix_below(&teller->random, SYNTHETIC_STATES);
		liked[1] = (int) splitmix_below(&teller->random, SYNTHETIC_STATES);
		memcpy(weight, base, sizeof(weight));
		for (i = 0; i < SYNTHETIC_STATES; i++)
		{
			weight[i][liked[0]] *= 3;
			if (liked[1] != liked[0])
				weight[i][liked[1]] *= 3;
		}
		for (u = 0; u < kind->owners[c]; u++)
		{
			int			start = (int) splitmix_below(&teller->random, SYNTHETIC_STATES);

			walk(teller, weight, SYNTHETIC_STATES, start, kind->history, kind->history + kind->length, c);
		}
	}
}

static const int many[COUNTRIES] = {30, 45, 60, 90, 120, 160, 220, 300, 400, 550};
static const int few[COUNTRIES] = {3, 5, 6, 9, 12, 16, 22, 30, 40, 55};

const SyntheticKind synthetic_kinds[SYNTHETIC_KINDS] = {
	{"capture-participant", ACTIVITIES, DAY, TESTED, 24, 0, NULL},
	{"capture-group", ACTIVITIES, DAY, TESTED / 8, 24, 0, NULL},
	{"foursquare-short", SYNTHETIC_STATES, 40, COUNTRIES, 78, 160, many},
	{"foursquare-long", SYNTHETIC_STATES, 400, COUNTRIES, 79, 1600, few}
};

const SyntheticKind *
synthetic_kind(const char *config)
{
	int			i;

	for (i = 0; i < SYNTHETIC_KINDS; i++)
		if (strcmp(synthetic_kinds[i].config, config) == 0)
			return &synthetic_kinds[i];
	return NULL;
}

void
synthetic_rows(const SyntheticKind *kind, SyntheticVisit visit, void *to)
{
	Teller		teller = {visit, to, {kind->seed}, 0};

	if (kind->owners == NULL)
		capture(kind, &teller);
	else
		foursquare(kind, &teller);
}

static void
count_row(const SyntheticRow *row, void *to)
{
	Synthetic  *made = to;

	if (row->owner == 0 && row->at < SYNTHETIC_FIRST)
		made->first[row->at] = row->state;
	if (!row->train)
		made->count[row->query][row->state]++;
	else
	{
		made->train[row->state]++;
		if (row->at > 0)
			made->transitions[row->before * made->kind->states + row->state]++;
	}
}

bool
synthetic_make(const char *config, Synthetic *made)
{
	memset(made, 0, sizeof(*made));
	made->kind = synthetic_kind(config);
	if (made->kind == NULL)
		return false;
	synthetic_rows(made->kind, count_row, made);
	return true;
}
