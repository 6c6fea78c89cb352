/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * joint.c
 *		Weighs every tuple of cells.
 *
 * With c_j the rank at which answer j divides the rows and e_j = c_j - q_j n, the sum is
 * |e_1| + |e_2 - e_1| + .. + |e_m|: the length of a path from 0 to 0 that passes through the
 * intervals [F<(y_j) - q_j n, F<=(y_j) - q_j n].  The shortest moves only when an interval
 * makes it, and no further than to its next end; its c_j do not fall.
 */
#include "core/order/joint.h"

#include <string.h>

#include "core/order/poll.h"
#include "core/order/quantiles.h"

typedef struct Joint
{
	const PaQuantiles *quantiles;
	int64_t		cells;
	int64_t		rows;
	int64_t    *below;			/* rows below each cell, and all at the end */
	PaRankLoss	loss;
} Joint;

int64_t
pa_joint_tuples(int64_t cells, int count)
{
	PaUint128	tuples = 1;
	int			j;

	/* (cells + j)! / (cells - 1)! / (j + 1)! after each step: whole, and rising */
	for (j = 0; j < count && tuples <= PA_JOINT_TUPLES; j++)
		tuples = tuples * (PaUint128) (cells + j) / (PaUint128) (j + 1);
	return tuples <= PA_JOINT_TUPLES ? (int64_t) tuples : PA_JOINT_TUPLES + 1;
}

static PaUint128
path_length(const Joint *joint, const int64_t *cell)
{
	const PaQuantiles *quantiles = joint->quantiles;
	PaUint128	length = 0;
	PaInt128	at = 0;
	int			j;

	for (j = 0; j < quantiles->count; j++)
	{
		PaInt128	wanted = (PaInt128) quantiles->numerator[j] * joint->rows;
		PaInt128	low = (PaInt128) joint->below[cell[j]] * quantiles->denominator - wanted;
		PaInt128	high = (PaInt128) joint->below[cell[j] + 1] * quantiles->denominator - wanted;
		PaInt128	next = at < low ? low : at > high ? high : at;

		length += (PaUint128) (next > at ? next - at : at - next);
		at = next;
	}
	return length + (PaUint128) (at > 0 ? at : -at);
}

/* The next tuple that does not fall; false after the last */
static bool
next_tuple(int64_t *cell, int count, int64_t cells)
{
	int			j = count - 1;
	int			i;

	while (j >= 0 && cell[j] == cells - 1)
		j--;
	if (j < 0)
		return false;
	cell[j]++;
	for (i = j + 1; i < count; i++)
		cell[i] = cell[j];
	return true;
}

static PaStatus
visit_tuples(const Joint *joint, const PaEnvironment *environment, PaJointVisit visit, void *context)
{
	int64_t		cell[PA_QUANTILES_MOST] = {0};
	size_t		step = 0;

	do
	{
		if (pa_poll(environment, step++))
			return PA_INTERRUPTED;
		visit(context, cell, pa_rank_loss_weight(&joint->loss, path_length(joint, cell)));
	} while (next_tuple(cell, joint->quantiles->count, joint->cells));
	return PA_OK;
}

/* D times the denominator */
static PaUint128
step_size(const PaQuantiles *quantiles, int32_t owner_rows)
{
	uint32_t	before = 0;
	uint32_t	least = quantiles->denominator;
	int			j;

	for (j = 0; j <= quantiles->count; j++)
	{
		uint32_t	next = j < quantiles->count ? quantiles->numerator[j] : quantiles->denominator;

		if (next - before < least)
			least = next - before;
		before = next;
	}
	return (PaUint128) owner_rows * 2 * (quantiles->denominator - least);
}

static void
add_up(const PaCells *data, int64_t *below)
{
	size_t		run = 0;
	int64_t		sum = 0;
	int64_t		cell;

	for (cell = 0; cell < data->cells; cell++)
	{
		below[cell] = sum;
		if (run < data->runs && data->run[run].cell == cell)
			sum += data->run[run++].rows;
	}
	below[cell] = sum;
}

static PaStatus
prepare(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows, const PaExponential *mechanism,
		const PaEnvironment *environment, Joint *joint)
{
	PaStatus	status = pa_cells_count(data, environment, &joint->rows);

	if (status != PA_OK)
		return status;
	if (!pa_quantiles_valid(quantiles) || owner_rows < 1)
		return PA_INVALID;
	if (data->cells > PA_JOINT_CELLS || pa_joint_tuples(data->cells, quantiles->count) > PA_JOINT_TUPLES)
		return PA_OUT_OF_RANGE;
	joint->quantiles = quantiles;
	joint->cells = data->cells;
	joint->loss.scale = quantiles->denominator;
	joint->loss.target = 0;
	joint->loss.step_size = step_size(quantiles, owner_rows);
	pa_rank_loss_set(&joint->loss, mechanism);
	joint->below = environment->allocate(environment->context, (size_t) (data->cells + 1) * sizeof(int64_t));
	if (joint->below == NULL)
		return PA_NO_MEMORY;
	add_up(data, joint->below);
	return PA_OK;
}

PaStatus
pa_joint_law(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows, const PaExponential *mechanism,
			 const PaEnvironment *environment, PaJointVisit visit, void *context)
{
	Joint		joint;
	PaStatus	status = prepare(data, quantiles, owner_rows, mechanism, environment, &joint);

	if (status != PA_OK)
		return status;
	status = visit_tuples(&joint, environment, visit, context);
	environment->release(environment->context, joint.below);
	return status;
}

typedef struct Search
{
	int			count;
	PaUint128	left;
	bool		found;
	int64_t		cell[PA_QUANTILES_MOST];
} Search;

static void
add(void *context, const int64_t *cell, uint64_t weight)
{
	PaUint128  *total = context;

	(void) cell;
	*total += weight;
}

static void
find(void *context, const int64_t *cell, uint64_t weight)
{
	Search	   *search = context;

	if (search->found)
		return;
	search->found = search->left < weight;
	if (search->found)
		memcpy(search->cell, cell, (size_t) search->count * sizeof(int64_t));
	else
		search->left -= weight;
}

static PaStatus
draw_tuple(const Joint *joint, PaRandom *random, const PaEnvironment *environment, Search *search)
{
	PaUint128	total = 0;
	PaStatus	status = visit_tuples(joint, environment, add, &total);

	if (status != PA_OK)
		return status;
	search->left = pa_random_below128(random, total);
	if (pa_random_status(random) != PA_OK)
		return pa_random_status(random);
	return visit_tuples(joint, environment, find, search);
}

PaStatus
pa_joint_draw(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows, const PaExponential *mechanism,
			  PaRandom *random, const PaEnvironment *environment, int64_t *cell)
{
	Search		search = {.count = quantiles->count,.found = false};
	Joint		joint;
	PaStatus	status = prepare(data, quantiles, owner_rows, mechanism, environment, &joint);

	if (status != PA_OK)
		return status;
	status = draw_tuple(&joint, random, environment, &search);
	environment->release(environment->context, joint.below);
	if (status == PA_OK)
		memcpy(cell, search.cell, (size_t) quantiles->count * sizeof(int64_t));
	return status;
}
