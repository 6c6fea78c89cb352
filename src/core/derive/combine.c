/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * combine.c
 *		See combine.h.
 *
 * Parts are found by joining the cells of each answer.  Then cells, answers and targets are
 * sorted by part; a target is in every part that has one of its cells, and its weights are
 * those of its pieces there, since no answer is in two parts.
 */
#include "core/derive/combine.h"

#include <math.h>
#include <string.h>

#include "core/derive/least_squares.h"

#define MOST_CELLS 32768		/* of a part: what least_squares.h takes */
#define MOST_WORK 1e8			/* answers times squared cells, of all parts */

typedef struct Combination
{
	const PaSums *answers;
	const double *variance;
	const PaSums *targets;
	const PaEnvironment *environment;
	PaCombined *combined;
	int32_t		cells;
	int32_t    *part;			/* [cells]: first which cell leads its part, then the number of the part */
	int32_t    *place;			/* [cells]: which cell of its part it is */
	int32_t    *size;			/* [cells]: cells of each part */
	int32_t    *first_answer;	/* [cells]: of each part, -1: none; then by next_answer */
	int32_t    *next_answer;	/* [answers] */
	int32_t    *last_target;	/* [cells]: of each part, the last that was counted */
	int			parts;
} Combination;

/* --- parts --- */

static int32_t
leader(int32_t *part, int32_t cell)
{
	while (part[cell] != cell)
	{
		part[cell] = part[part[cell]];
		cell = part[cell];
	}
	return cell;
}

static void
join_cells(Combination *c)
{
	const PaSums *answers = c->answers;
	int32_t		i;

	for (i = 0; i < c->cells; i++)
		c->part[i] = i;
	for (i = 0; i < answers->count; i++)
	{
		int32_t		j;

		for (j = answers->start[i] + 1; j < answers->start[i + 1]; j++)
			c->part[leader(c->part, answers->cell[j])] = leader(c->part, answers->cell[answers->start[i]]);
	}
}

/* A part gets its number when its leader is met; until then the leader's place is -1. */
static void
number_parts(Combination *c)
{
	int32_t		i;

	for (i = 0; i < c->cells; i++)
		c->part[i] = leader(c->part, i);
	for (i = 0; i < c->cells; i++)
		c->last_target[i] = -1;
	for (i = 0; i < c->cells; i++)
		if (c->part[i] == i)
		{
			c->size[c->parts] = 0;
			c->last_target[i] = c->parts++;
		}
	for (i = 0; i < c->cells; i++)
		c->place[i] = c->last_target[c->part[i]];
	for (i = 0; i < c->cells; i++)
	{
		c->part[i] = c->place[i];
		c->place[i] = c->size[c->part[i]]++;
	}
}

static void
sort_answers(Combination *c)
{
	const PaSums *answers = c->answers;
	int32_t		i;

	for (i = 0; i < c->parts; i++)
		c->first_answer[i] = -1;
	for (i = answers->count - 1; i >= 0; i--)
	{
		int32_t		part;

		if (answers->start[i] == answers->start[i + 1])
			continue;			/* noise alone */
		part = c->part[answers->cell[answers->start[i]]];
		c->next_answer[i] = c->first_answer[part];
		c->first_answer[part] = i;
	}
}

static int
count_answers(const Combination *c, int part)
{
	int			count = 0;
	int32_t		i;

	for (i = c->first_answer[part]; i >= 0; i = c->next_answer[i])
		count++;
	return count;
}

/* --- one part --- */

/* Memory of a part, in one piece. */
typedef struct Part
{
	int			number;
	int			cells;
	int			answers;
	int			targets;
	int32_t    *answer;			/* which these are */
	int32_t    *target;
	int64_t    *query;
	int64_t    *wanted;
	double	   *variance;
	double	   *weight;
	double	   *spread;
	bool	   *estimable;
	bool	   *missing;
} Part;

static void
fill_row(const Combination *c, const PaSums *sums, int32_t which, int part, int64_t *row)
{
	int32_t		j;

	for (j = sums->start[which]; j < sums->start[which + 1]; j++)
		if (c->part[sums->cell[j]] == part)
			row[c->place[sums->cell[j]]] = 1;
}

static void
fill_part(const Combination *c, Part *part)
{
	int			i = 0;
	int32_t		answer;

	memset(part->query, 0, sizeof(int64_t) * (size_t) part->answers * (size_t) part->cells);
	memset(part->wanted, 0, sizeof(int64_t) * (size_t) part->targets * (size_t) part->cells);
	for (answer = c->first_answer[part->number]; answer >= 0; answer = c->next_answer[answer])
	{
		part->answer[i] = answer;
		part->variance[i] = c->variance[answer];
		fill_row(c, c->answers, answer, part->number, part->query + (size_t) i * (size_t) part->cells);
		i++;
	}
	for (i = 0; i < part->targets; i++)
		fill_row(c, c->targets, part->target[i], part->number, part->wanted + (size_t) i * (size_t) part->cells);
}

/* The cell of the whole table that is a cell of the part. */
static int32_t
cell_at(const Combination *c, int part, int place)
{
	int32_t		i;

	for (i = 0; i < c->cells; i++)
		if (c->part[i] == part && c->place[i] == place)
			return i;
	return -1;
}

static void
take_part(const Combination *c, const Part *part)
{
	int			t;

	for (t = 0; t < part->targets; t++)
	{
		int32_t		target = part->target[t];
		double	   *weight = c->combined->weight + (size_t) target * (size_t) c->answers->count;
		int			i;

		for (i = 0; part->estimable[t] && i < part->answers; i++)
			weight[part->answer[i]] = part->weight[(size_t) t * (size_t) part->answers + (size_t) i];
		c->combined->estimable[target] = c->combined->estimable[target] && part->estimable[t];
		for (i = 0; i < part->cells && c->combined->missing[target] < 0; i++)
			if (part->missing[(size_t) t * (size_t) part->cells + (size_t) i])
				c->combined->missing[target] = cell_at(c, part->number, i);
	}
}

static size_t
align(size_t bytes)
{
	return (bytes + 7) & ~(size_t) 7;
}

/* Places the arrays of a part from memory on (NULL: only measures them). */
static size_t
lay_out(Part *part, char *memory)
{
	size_t		n = (size_t) part->answers;
	size_t		m = (size_t) part->targets;
	size_t		k = (size_t) part->cells;
	size_t		at = 0;

#define PLACE(field, type, count) \
	do { \
		if (memory) \
			part->field = (type *) (void *) (memory + at); \
		at += align(sizeof(type) * (count)); \
	} while (0)
	PLACE(query, int64_t, n * k);
	PLACE(wanted, int64_t, m * k);
	PLACE(variance, double, n);
	PLACE(weight, double, m * n);
	PLACE(spread, double, m);
	PLACE(answer, int32_t, n);
	PLACE(estimable, bool, m);
	PLACE(missing, bool, m * k);
#undef PLACE
	return at + 1;
}

static PaStatus
solve_part(const Combination *c, Part *part)
{
	char	   *memory = c->environment->allocate(c->environment->context, lay_out(part, NULL));
	PaStatus	status;

	if (memory == NULL)
		return PA_NO_MEMORY;
	(void) lay_out(part, memory);
	fill_part(c, part);
	memset(part->missing, 0, (size_t) part->targets * (size_t) part->cells);
	status = pa_least_squares(&(PaAnswers) {part->answers, part->cells, part->query, part->variance},
							  part->wanted, part->targets, c->environment,
							  &(PaEstimates) {part->estimable, part->spread, part->weight, part->missing});
	if (status == PA_OK)
		take_part(c, part);
	c->environment->release(c->environment->context, memory);
	return status;
}

/* --- all parts --- */

/* The targets of each part, one after the other: how many there are, and which, if room is given. */
static int
list_targets(Combination *c, int32_t *first, int32_t *next, int32_t *target)
{
	int			pairs = 0;
	int32_t		t;
	int			i;

	for (i = 0; i < c->parts; i++)
	{
		c->last_target[i] = -1;
		if (first)
			first[i] = -1;
	}
	for (t = 0; t < c->targets->count; t++)
	{
		int32_t		j;

		for (j = c->targets->start[t]; j < c->targets->start[t + 1]; j++)
		{
			int32_t		part = c->part[c->targets->cell[j]];

			if (c->last_target[part] == t)
				continue;
			c->last_target[part] = t;
			if (first)
			{
				target[pairs] = t;
				next[pairs] = first[part];
				first[part] = pairs;
			}
			pairs++;
		}
	}
	return pairs;
}

static PaStatus
solve_parts(Combination *c, int32_t *first, const int32_t *next, const int32_t *target, int32_t *chosen)
{
	double		work = 0;
	int			i;

	for (i = 0; i < c->parts; i++)
		if (first[i] >= 0)
			work += (double) count_answers(c, i) * c->size[i] * c->size[i];
	if (work > MOST_WORK)
		return PA_OUT_OF_RANGE;
	for (i = 0; i < c->parts; i++)
	{
		Part		part = {.number = i, .cells = c->size[i], .target = chosen};
		PaStatus	status;
		int32_t		pair;

		if (first[i] < 0)
			continue;
		for (pair = first[i]; pair >= 0; pair = next[pair])
			chosen[part.targets++] = target[pair];
		part.answers = count_answers(c, i);
		if (part.cells > MOST_CELLS)
			return PA_OUT_OF_RANGE;
		if (c->environment->interrupted && c->environment->interrupted(c->environment->context))
			return PA_INTERRUPTED;
		status = solve_part(c, &part);
		if (status != PA_OK)
			return status;
	}
	return PA_OK;
}

static PaStatus
combine(Combination *c)
{
	int			pairs;
	int32_t    *memory;
	PaStatus	status;

	join_cells(c);
	number_parts(c);
	sort_answers(c);
	pairs = list_targets(c, NULL, NULL, NULL);
	memory = c->environment->allocate(c->environment->context,
									  sizeof(int32_t) * ((size_t) c->parts + 2 * (size_t) pairs + (size_t) c->targets->count + 1));
	if (memory == NULL)
		return PA_NO_MEMORY;
	(void) list_targets(c, memory, memory + c->parts, memory + c->parts + pairs);
	status = solve_parts(c, memory, memory + c->parts, memory + c->parts + pairs, memory + c->parts + 2 * (size_t) pairs);
	c->environment->release(c->environment->context, memory);
	return status;
}

static bool
valid_sums(const PaSums *sums, int32_t cells)
{
	int			i;
	int32_t		j;

	if (sums->count < 0 || sums->start[0] != 0)
		return false;
	for (i = 0; i < sums->count; i++)
		if (sums->start[i] > sums->start[i + 1])
			return false;
	for (j = 0; j < sums->start[sums->count]; j++)
		if (sums->cell[j] < 0 || sums->cell[j] >= cells)
			return false;
	return true;
}

static bool
valid(const PaSums *answers, const double *variance, int32_t cells, const PaSums *targets)
{
	int			i;

	if (cells < 1 || !valid_sums(answers, cells) || !valid_sums(targets, cells))
		return false;
	for (i = 0; i < answers->count; i++)
		if (!(variance[i] > 0) || isinf(variance[i]))
			return false;
	return true;
}

/* What is not estimable in one of its parts has no weights in others. */
static void
forget_weights(PaCombined *combined, int targets, int answers)
{
	int			t;
	int			i;

	for (t = 0; t < targets; t++)
		for (i = 0; !combined->estimable[t] && i < answers; i++)
			combined->weight[(size_t) t * (size_t) answers + (size_t) i] = 0;
}

PaStatus
pa_combine(const PaSums *answers, const double *variance, int32_t cells, const PaSums *targets,
		   const PaEnvironment *environment, PaCombined *combined)
{
	Combination c = {.answers = answers, .variance = variance, .targets = targets, .environment = environment,
	.combined = combined, .cells = cells};
	size_t		n = (size_t) cells;
	PaStatus	status;
	int			t;

	if (!valid(answers, variance, cells, targets))
		return PA_INVALID;
	c.part = environment->allocate(environment->context, sizeof(int32_t) * (5 * n + (size_t) answers->count + 1));
	if (c.part == NULL)
		return PA_NO_MEMORY;
	c.place = c.part + n;
	c.size = c.place + n;
	c.first_answer = c.size + n;
	c.last_target = c.first_answer + n;
	c.next_answer = c.last_target + n;
	memset(combined->weight, 0, sizeof(double) * (size_t) targets->count * (size_t) answers->count);
	for (t = 0; t < targets->count; t++)
	{
		combined->estimable[t] = true;
		combined->missing[t] = -1;
	}
	status = combine(&c);
	if (status == PA_OK)
		forget_weights(combined, targets->count, answers->count);
	environment->release(environment->context, c.part);
	return status;
}
