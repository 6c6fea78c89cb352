/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rank.c
 *		One quantile, or one order statistic, over whole cells.
 */
#include "core/order/rank.h"

#include <math.h>

#include "core/order/pick.h"

PaStatus
pa_quantile_decimal(double q, uint32_t *numerator)
{
	if (!(q >= 0 && q <= 1))
		return PA_INVALID;
	*numerator = (uint32_t) floor(q * PA_QUANTILE_DENOMINATOR + 0.5);
	return PA_OK;
}

PaStatus
pa_rank_default_k(int32_t owner_rows, double epsilon, int64_t cells, double beta, int64_t *k)
{
	double		rows;

	if (owner_rows < 1 || !(epsilon > 0) || cells < 1 || !(beta > 0 && beta < 1))
		return PA_INVALID;
	rows = ceil(2 * (double) owner_rows / epsilon * log((double) cells / beta));
	if (!(rows < (double) PA_CELLS_ROWS))
		return PA_OUT_OF_RANGE;
	*k = (int64_t) rows;
	return PA_OK;
}

/* Ranks are scaled by the denominator, so that the target is whole. */
static PaStatus
loss_of(const PaRank *rank, int64_t rows, int32_t owner_rows, const PaExponential *mechanism, PaRankLoss *loss)
{
	uint32_t	most = 1;

	loss->scale = 1;
	switch (rank->kind)
	{
		case PA_RANK_QUANTILE:
			if (rank->denominator < 1 || rank->denominator > PA_QUANTILE_DENOMINATORS ||
				rank->numerator > rank->denominator)
				return PA_INVALID;
			most = rank->numerator > rank->denominator / 2 ? rank->numerator : rank->denominator - rank->numerator;
			loss->scale = rank->denominator;
			loss->target = (PaInt128) rank->numerator * rows;
			break;
		case PA_RANK_SMALLEST:
			loss->target = rank->k;
			break;
		case PA_RANK_LARGEST:
			loss->target = (PaInt128) rows - rank->k;
			break;
	}
	if (owner_rows < 1 || (rank->kind != PA_RANK_QUANTILE && (rank->k < 1 || rank->k > PA_CELLS_ROWS)))
		return PA_INVALID;
	loss->step_size = (PaUint128) owner_rows * most;
	pa_rank_loss_set(loss, mechanism);
	return PA_OK;
}

static PaStatus
prepare(const PaCells *data, const PaRank *rank, int32_t owner_rows, const PaExponential *mechanism,
		const PaEnvironment *environment, PaSlice *slice, PaRankLoss *loss)
{
	int64_t		rows;
	PaStatus	status = pa_cells_count(data, environment, &rows);

	if (status == PA_OK)
		status = loss_of(rank, rows, owner_rows, mechanism, loss);
	if (status == PA_OK)
		*slice = pa_slice_whole(data, rows, 1, 1);
	return status;
}

PaStatus
pa_rank_draw(const PaCells *data, const PaRank *rank, int32_t owner_rows, const PaExponential *mechanism,
			 PaRandom *random, const PaEnvironment *environment, int64_t *cell)
{
	PaSlice		slice;
	PaRankLoss	loss;
	PaPick		pick;
	PaStatus	status = prepare(data, rank, owner_rows, mechanism, environment, &slice, &loss);

	if (status == PA_OK)
		status = pa_pick(pa_slice_cells, &slice, &loss, random, environment, &pick);
	if (status == PA_OK)
		*cell = pa_stretch_cell(&slice, &pick.stretch, pick.index);
	return status;
}

typedef struct Listener
{
	PaRankVisit visit;
	void	   *context;
	PaUint128	total;
} Listener;

static void
tell(void *context, const PaStretch *stretch)
{
	Listener   *listener = context;

	listener->total += stretch->count * stretch->weight;
	listener->visit(listener->context, stretch->cell, (int64_t) stretch->count, stretch->weight);
}

PaStatus
pa_rank_law(const PaCells *data, const PaRank *rank, int32_t owner_rows, const PaExponential *mechanism,
			const PaEnvironment *environment, PaRankVisit visit, void *context, PaUint128 *total)
{
	PaSlice		slice;
	PaRankLoss	loss;
	Listener	listener = {visit, context, 0};
	PaStatus	status = prepare(data, rank, owner_rows, mechanism, environment, &slice, &loss);

	if (status == PA_OK)
		status = pa_slice_cells(&slice, &loss, environment, &(PaStretchVisitor) {tell, NULL, &listener});
	if (status == PA_OK)
		*total = listener.total;
	return status;
}
