/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quantiles.c
 *		The recursion over nodes, with a stack of its own.
 */
#include "core/order/quantiles.h"

#include <math.h>
#include <string.h>

#define STEPS_PER_DRAW 16
#define STEPS_PER_EPSILON 32
#define MANY_STEPS 64
#define MOST_FEW_UNITS 100		/* of both sides of a target in one node, where epsilon is what makes the steps */
#define MOST_PARTS (UINT64_C(1) << 32)
#define MOST_SUB_CELLS ((PaUint128) 1 << 65)	/* so that their weights add up to at most 2^127 */

int
pa_quantiles_depth(int count)
{
	int			depth = 0;

	for (; count > 0; count /= 2)
		depth++;
	return depth;
}

/* All levels but the last are full: it has what the others leave. */
int
pa_quantiles_widest(int count)
{
	int			full = 1 << (pa_quantiles_depth(count) - 1);
	int			last = count - full + 1;

	return last > full / 2 ? last : full / 2;
}

static double
steps_of_draws(int draws)
{
	return fmax(STEPS_PER_DRAW * (draws - 1), MANY_STEPS);
}

/*
 * How finely the loss of a sub-cell is told apart.  A row is seen in twice as many units on each
 * level, and takes that much work: so no more than what is drawn gets better by, and at most a
 * factor of e between the weights of two units.
 */
static int64_t
default_steps(double epsilon, int draws)
{
	double		fine = fmax(STEPS_PER_DRAW * (draws - 1), fmin(STEPS_PER_EPSILON * epsilon, MANY_STEPS));

	return (int64_t) ceil(fmax(fine, epsilon / 2));
}

/*
 * Either the steps are few, or epsilon is twice as many at least: then a table has at most
 * 2^-62 = e^-43, twice, and something for draws.
 */
int64_t
pa_quantiles_row_units(int count)
{
	int			left = count;	/* quantiles that levels above have not drawn */
	int			draws = pa_quantiles_widest(count);
	int64_t		units = 0;

	for (int nodes = 1; left > nodes; left -= nodes, nodes *= 2)
	{
		int			inner = left - nodes < nodes ? left - nodes : nodes;

		units += (int64_t) fmax(2 * steps_of_draws(draws), inner * MOST_FEW_UNITS);
	}
	return units;
}

PaStatus
pa_quantiles_mechanism(int count, double epsilon, int64_t steps, const PaEnvironment *environment,
					   PaExponential *mechanism)
{
	int			draws;

	if (count < 1 || count > PA_QUANTILES_MOST || steps < 0 || !(epsilon <= PA_EXPONENTIAL_MOST))
		return PA_INVALID;
	draws = pa_quantiles_widest(count);
	if (steps == 0)
		steps = count == 1 ? pa_exponential_steps(epsilon) : default_steps(epsilon, draws);
	return pa_exponential_make(epsilon, steps, draws, environment, mechanism);
}

uint64_t
pa_quantiles_parts(int64_t cells)
{
	PaUint128	parts = MOST_SUB_CELLS / (PaUint128) cells;

	return parts < MOST_PARTS ? (uint64_t) parts : MOST_PARTS;
}

bool
pa_quantiles_valid(const PaQuantiles *quantiles)
{
	int			i;

	if (quantiles->count < 1 || quantiles->count > PA_QUANTILES_MOST ||
		quantiles->denominator < 1 || quantiles->denominator > PA_QUANTILE_DENOMINATORS ||
		quantiles->numerator[quantiles->count - 1] > quantiles->denominator)
		return false;
	for (i = 1; i < quantiles->count; i++)
		if (quantiles->numerator[i] <= quantiles->numerator[i - 1])
			return false;
	return true;
}

/* What waits: each node that was split is replaced by its two sides, so one more than the depth. */
typedef struct Waiting
{
	PaQuantileNode node[PA_QUANTILES_DEPTH + 1];
	int			count;
} Waiting;

static void
wait_for(Waiting *waiting, const PaQuantileNode *node)
{
	if (node->to > node->from)
		waiting->node[waiting->count++] = *node;
}

typedef struct Draw
{
	const PaQuantiles *quantiles;
	int32_t		owner_rows;
	const PaExponential *mechanism;
	PaRandom   *random;
	const PaEnvironment *environment;
	int64_t    *cell;
} Draw;

static PaStatus
draw_node(const Draw *draw, const PaQuantileNode *node, Waiting *waiting)
{
	PaSliceWalk walk = pa_quantile_walk(node);
	PaRankLoss	loss;
	PaPick		pick;
	PaQuantileNode left;
	PaQuantileNode right;
	PaStatus	status;

	pa_quantile_loss(node, draw->quantiles, draw->owner_rows, draw->mechanism, &loss);
	status = pa_pick(walk, &node->slice, &loss, draw->random, draw->environment, &pick);
	if (status != PA_OK)
		return status;
	draw->cell[pa_quantile_own(node)] = pa_stretch_cell(&node->slice, &pick.stretch, pick.index);
	if (walk == pa_slice_cells)
		return PA_OK;
	pa_quantile_split(node, draw->quantiles, &pick.stretch, pick.index, &left, &right);
	wait_for(waiting, &right);
	wait_for(waiting, &left);
	return PA_OK;
}

PaStatus
pa_quantiles_draw(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows, uint64_t parts,
				  const PaExponential *mechanism, PaRandom *random, const PaEnvironment *environment, int64_t *cell)
{
	int64_t		drawn[PA_QUANTILES_MOST];
	Draw		draw = {quantiles, owner_rows, mechanism, random, environment, drawn};
	Waiting		waiting = {.count = 0};
	PaQuantileNode node;
	int64_t		rows;
	PaStatus	status = pa_cells_count(data, environment, &rows);

	if (status != PA_OK)
		return status;
	if (!pa_quantiles_valid(quantiles) || owner_rows < 1 || mechanism->draws < pa_quantiles_widest(quantiles->count) ||
		parts < 1 || parts > MOST_PARTS || (PaUint128) data->cells * parts > MOST_SUB_CELLS)
		return PA_INVALID;
	node = pa_quantile_root(data, rows, quantiles, parts);
	wait_for(&waiting, &node);
	while (status == PA_OK && waiting.count > 0)
	{
		node = waiting.node[--waiting.count];
		status = draw_node(&draw, &node, &waiting);
	}
	if (status == PA_OK)
		memcpy(cell, drawn, (size_t) quantiles->count * sizeof(int64_t));
	return status;
}
