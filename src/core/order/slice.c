/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slice.c
 *		Visits the candidates of a slice in one pass over its runs.
 *
 * Only candidates within the table's reach of the target are looked at by division, at most
 * once for each weight of the table in each cell; all others weigh the tail.
 */
#include "core/order/slice.h"

#include "core/order/poll.h"

typedef struct Walk
{
	const PaSlice *slice;
	const PaRankLoss *loss;
	const PaStretchVisitor *visitor;
	int64_t		cell;			/* what comes next, and the weight below it */
	uint64_t	part;
	PaUint128	below;
	size_t		run;
} Walk;

static PaInt128
distance(const PaRankLoss *loss, PaUint128 rank)
{
	return (PaInt128) (loss->scale * rank) - loss->target;
}

static PaUint128
size_of(PaInt128 number)
{
	return (PaUint128) (number < 0 ? -number : number);
}

/* Candidates that come next and weigh alike, without rows */
static void
visit_gap(const Walk *walk, int way, PaUint128 count)
{
	uint64_t	weight = pa_rank_loss_weight(walk->loss, size_of(distance(walk->loss, walk->below)));

	if (count > 0)
		walk->visitor->visit(walk->visitor->context, &(PaStretch)
					{
						walk->cell, walk->part, way, count, weight, walk->run, walk->below, 0
					});
}

/* --- cells --- */

/* What the slice has of a cell with rows */
static PaUint128
weight_of_cell(const PaSlice *slice, const PaCellRun *run)
{
	PaUint128	full = (PaUint128) run->rows * slice->fine;
	bool		begins = run->cell == slice->first.cell;
	bool		ends = run->cell == slice->last.cell;
	uint64_t	low = begins ? slice->first.part : 0;
	uint64_t	high = ends ? slice->last.part : slice->parts - 1;
	PaUint128	weight = begins ? slice->first.weight : full;

	if (low == high)
		return ends ? slice->last.weight : weight;
	return weight + (PaUint128) (high - low - 1) * full + (ends ? slice->last.weight : full);
}

static void
visit_cell(Walk *walk)
{
	PaUint128	weight = weight_of_cell(walk->slice, &walk->slice->data->run[walk->run]);
	PaInt128	above = distance(walk->loss, walk->below);
	PaInt128	beneath = -distance(walk->loss, walk->below + weight);
	PaInt128	number = above > beneath ? above : beneath;

	walk->visitor->visit(walk->visitor->context, &(PaStretch)
				{
					walk->cell, 0, 0, 1, pa_rank_loss_weight(walk->loss, number > 0 ? (PaUint128) number : 0),
					walk->run, walk->below, 0
				});
	walk->below += weight;
	walk->cell++;
}

PaStatus
pa_slice_cells(const PaSlice *slice, const PaRankLoss *loss, const PaEnvironment *environment,
			   const PaStretchVisitor *visitor)
{
	Walk		walk = {slice, loss, visitor, slice->first.cell, 0, 0, slice->low};

	for (; walk.run < slice->high; walk.run++)
	{
		int64_t		cell = slice->data->run[walk.run].cell;

		if (pa_poll(environment, walk.run))
			return PA_INTERRUPTED;
		visit_gap(&walk, 0, (PaUint128) (cell - walk.cell));
		walk.cell = cell;
		visit_cell(&walk);
	}
	visit_gap(&walk, 0, (PaUint128) (slice->last.cell + 1 - walk.cell));
	return PA_OK;
}

/* --- sub-cells --- */

/* Sub-cells part, part + way, ... whose numbers are start, start + step, ..., all of the weight "each" */
typedef struct Side
{
	const Walk *walk;
	uint64_t	part;
	int			way;
	PaUint128	count;
	PaUint128	start;
	PaUint128	step;
	PaUint128	below;			/* the first one's */
	PaUint128	each;
} Side;

/* Those from "done" up to "until", which are worth so many units: visited, or only weighed */
static inline PaUint128
units_of_side(const Side *side, bool visit, PaUint128 done, PaUint128 until, int32_t units)
{
	const Walk *walk = side->walk;
	uint64_t	weight = walk->loss->mechanism->weight[units];
	bool		up = side->way > 0;

	if (!visit)
		return (until - done) * weight;

	walk->visitor->visit(walk->visitor->context, &(PaStretch)
				{
					walk->cell, up ? side->part + (uint64_t) done : side->part - (uint64_t) done, side->way,
					until - done, weight, walk->run,
					up ? side->below + done * side->each : side->below - done * side->each, side->each
				});
	return 0;
}

/*
 * Each unit has sub-cells, one at least: as many as the last one had, give or take one.  So
 * where it ends follows by adding.
 */
static PaUint128
narrow_side(const Side *side, bool visit)
{
	const PaRankLoss *loss = side->walk->loss;
	int32_t		units = pa_rank_loss_units(loss, side->start);
	PaUint128	end = pa_rank_loss_beyond(loss, units);
	PaUint128	over = end * (PaUint128) loss->mechanism->steps - (PaUint128) (units + 1) * loss->step_size;
	PaUint128	least = loss->unit / side->step;	/* sub-cells of a unit */
	PaInt128	rest = (PaInt128) (loss->unit % side->step);
	PaUint128	done = 0;
	PaUint128	next = (end - side->start + side->step - 1) / side->step;
	PaInt128	gap = (PaInt128) (side->start + next * side->step - end);	/* from there to the next sub-cell */
	PaUint128	sum = 0;

	for (; units < loss->mechanism->entries - 1 && next < side->count; units++)
	{
		PaInt128	more = rest - gap + pa_rank_loss_carry(loss, &over);

		sum += units_of_side(side, visit, done, next, units);
		done = next;
		next += least + (more > 0);
		gap = more > 0 ? (PaInt128) side->step - more : -more;
	}
	return sum + units_of_side(side, visit, done, side->count, units);
}

/* A unit has one sub-cell at most: what each is worth follows by adding.  From the limit on all weigh the tail. */
static PaUint128
wide_side(const Side *side, bool visit)
{
	const PaRankLoss *loss = side->walk->loss;
	PaUint128	steps = (PaUint128) loss->mechanism->steps;
	PaUint128	step = (side->step < loss->limit ? side->step : loss->limit) * steps;
	PaUint128	each = step / loss->step_size;	/* units of a sub-cell, and what is left */
	PaUint128	rest = step % loss->step_size;
	PaUint128	units = side->start * steps / loss->step_size;
	PaUint128	over = side->start * steps % loss->step_size;
	PaUint128	tail = (PaUint128) loss->mechanism->entries - 1;
	PaUint128	sum = 0;
	PaUint128	done;

	for (done = 0; done < side->count && units < tail; done++)
	{
		sum += units_of_side(side, visit, done, done + 1, (int32_t) units);
		units += each;
		over += rest;
		if (over >= loss->step_size)
		{
			over -= loss->step_size;
			units++;
		}
	}
	return sum + (done < side->count ? units_of_side(side, visit, done, side->count, (int32_t) tail) : 0);
}

static PaUint128
side_of(const Side *side, bool visit)
{
	const PaRankLoss *loss = side->walk->loss;

	if (side->start >= loss->limit)
		return units_of_side(side, visit, 0, side->count, loss->mechanism->entries - 1);
	return side->step <= loss->unit ? narrow_side(side, visit) : wide_side(side, visit);
}

/* Weighed as a whole first, which takes a third of the time of visiting */
static void
visit_side(const Side *side)
{
	const PaStretchVisitor *visitor = side->walk->visitor;

	if (side->count == 1 || visitor->pass == NULL || !visitor->pass(visitor->context, side_of(side, false)))
		side_of(side, true);
}

/* The next "count" sub-cells, of one cell with rows, have the weight "each": first those below the target */
static void
visit_parts(Walk *walk, uint64_t count, PaUint128 each)
{
	PaUint128	step = walk->loss->scale * each;
	PaInt128	start = distance(walk->loss, walk->below + each / 2);
	PaInt128	end = start + (PaInt128) ((PaUint128) count * step);
	uint64_t	under = 0;

	if (end - (PaInt128) step < 0)
		under = count;
	else if (start < 0)
		under = (uint64_t) ((size_of(start) + step - 1) / step);
	if (under > 0)
		visit_side(&(Side)
				   {
					   walk, walk->part + under - 1, -1, under, size_of(start + (PaInt128) ((under - 1) * step)), step,
					   walk->below + (under - 1) * each, each
				   });
	if (under < count)
		visit_side(&(Side)
				   {
					   walk, walk->part + under, 1, count - under, size_of(start + (PaInt128) (under * step)), step,
					   walk->below + under * each, each
				   });
	walk->below += count * each;
	walk->part += count;
}

/* The sub-cells of a cell with rows that are in the slice, those at its edges apart */
static void
visit_cell_parts(Walk *walk)
{
	const PaSlice *slice = walk->slice;
	PaUint128	full = (PaUint128) slice->data->run[walk->run].rows * slice->fine;
	bool		ends = walk->cell == slice->last.cell;
	uint64_t	end = ends ? slice->last.part : slice->parts;	/* of those that are whole */

	if (walk->cell == slice->first.cell)
		visit_parts(walk, 1, slice->first.weight);
	if (walk->part < end)
		visit_parts(walk, end - walk->part, full);
	if (ends && walk->part == end)
		visit_parts(walk, 1, slice->last.weight);
	walk->cell++;
	walk->part = 0;
}

/* Sub-cells from what comes next up to a position */
static PaUint128
parts_until(const Walk *walk, int64_t cell, uint64_t part)
{
	return (PaUint128) (cell - walk->cell) * walk->slice->parts + part - walk->part;
}

PaStatus
pa_slice_sub_cells(const PaSlice *slice, const PaRankLoss *loss, const PaEnvironment *environment,
				   const PaStretchVisitor *visitor)
{
	Walk		walk = {slice, loss, visitor, slice->first.cell, slice->first.part, 0, slice->low};

	for (; walk.run < slice->high; walk.run++)
	{
		int64_t		cell = slice->data->run[walk.run].cell;

		if (pa_poll(environment, walk.run))
			return PA_INTERRUPTED;
		if (cell > walk.cell)
		{
			visit_gap(&walk, 1, parts_until(&walk, cell, 0));
			walk.cell = cell;
			walk.part = 0;
		}
		visit_cell_parts(&walk);
	}
	if (walk.cell <= slice->last.cell)
		visit_gap(&walk, 1, parts_until(&walk, slice->last.cell, slice->last.part) + 1);
	return PA_OK;
}

/* --- slices --- */

static PaUint128
weight_of_part(const PaCells *data, size_t run, int64_t cell, uint32_t fine)
{
	return run < data->runs && data->run[run].cell == cell ? (PaUint128) data->run[run].rows * fine : 0;
}

PaSlice
pa_slice_whole(const PaCells *data, int64_t rows, uint64_t parts, uint32_t fine)
{
	size_t		last = data->runs == 0 ? 0 : data->runs - 1;

	return (PaSlice)
	{
		.data = data,.low = 0,.high = data->runs,.parts = parts,.fine = fine,
			.first = {0, 0, weight_of_part(data, 0, 0, fine)},
			.last = {data->cells - 1, parts - 1, weight_of_part(data, last, data->cells - 1, fine)},
			.weight = (PaUint128) rows * parts * fine
	};
}

int64_t
pa_stretch_cell(const PaSlice *slice, const PaStretch *stretch, PaUint128 index)
{
	if (stretch->way == 0)
		return stretch->cell + (int64_t) index;
	if (stretch->way < 0)
		return stretch->cell;
	return stretch->cell + (int64_t) ((stretch->part + index) / slice->parts);
}

void
pa_slice_cut(const PaSlice *slice, const PaStretch *stretch, PaUint128 index, PaSlice *left, PaSlice *right)
{
	bool		down = stretch->way < 0;
	uint64_t	part = (uint64_t) ((down ? stretch->part - index : stretch->part + index) % slice->parts);
	PaUint128	half = stretch->each / 2;
	PaUint128	below = down ? stretch->below - index * stretch->each : stretch->below + index * stretch->each;
	PaSubCell	cut = {pa_stretch_cell(slice, stretch, index), part, half};

	*left = *right = *slice;
	left->last = right->first = cut;
	if (slice->first.cell == cut.cell && slice->first.part == part)
		left->first = cut;
	if (slice->last.cell == cut.cell && slice->last.part == part)
		right->last = cut;
	left->high = stretch->run + (stretch->each > 0);
	right->low = stretch->run;
	left->weight = below + half;
	right->weight = slice->weight - left->weight;
}
