/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order_law.c
 *		Puts laws together from the whole weights that the core draws from.
 */
#include "order_law.h"

#include <math.h>
#include <string.h>

#include "source.h"


static void
set_cells(void *context, int64_t cell, int64_t cells, uint64_t weight)
{
	long double *probability = context;

	for (; cells > 0; cells--)
		probability[cell++] = (long double) weight;
}

PaStatus
rank_law(const PaCells *data, const PaRank *rank, int32_t owner_rows, const PaExponential *mechanism,
		 long double *probability)
{
	PaUint128	total;
	PaStatus	status = pa_rank_law(data, rank, owner_rows, mechanism, &plain_memory, set_cells, probability, &total);
	int64_t		cell;

	if (status != PA_OK)
		return status;
	for (cell = 0; cell < data->cells; cell++)
		probability[cell] /= (long double) total;
	return PA_OK;
}

/* --- the recursion: a tree of all that can be drawn --- */

typedef struct Tree
{
	const PaQuantiles *quantiles;
	int64_t		cells;
	int32_t		owner_rows;
	const PaExponential *mechanism;
	long double *probability;
} Tree;

/* Nodes that are still to be drawn, after what has been drawn with this probability */
typedef struct Path
{
	PaQuantileNode node[PA_QUANTILES_DEPTH + 1];
	int			nodes;
	int64_t		cell[PA_QUANTILES_MOST];
	long double probability;
} Path;

typedef struct Branch
{
	const Tree *tree;
	const Path *path;			/* without the node that is drawn */
	const PaQuantileNode *node;
	long double total;
} Branch;

static void grow(const Tree *tree, const Path *path);

static void
wait_for(Path *path, const PaQuantileNode *node)
{
	if (node->to > node->from)
		path->node[path->nodes++] = *node;
}

static void
branch_out(void *context, const PaStretch *stretch)
{
	const Branch *branch = context;
	PaUint128	index;

	for (index = 0; index < stretch->count; index++)
	{
		Path		next = *branch->path;

		next.probability *= (long double) stretch->weight / branch->total;
		next.cell[pa_quantile_own(branch->node)] = pa_stretch_cell(&branch->node->slice, stretch, index);
		if (pa_quantile_walk(branch->node) == pa_slice_sub_cells)
		{
			PaQuantileNode left;
			PaQuantileNode right;

			pa_quantile_split(branch->node, branch->tree->quantiles, stretch, index, &left, &right);
			wait_for(&next, &right);
			wait_for(&next, &left);
		}
		grow(branch->tree, &next);
	}
}

static void
grow(const Tree *tree, const Path *path)
{
	Path		rest = *path;
	PaQuantileNode node;
	PaRankLoss	loss;
	PaUint128	total = 0;
	int64_t		outcome = 0;
	int			i;

	if (path->nodes == 0)
	{
		for (i = 0; i < tree->quantiles->count; i++)
			outcome = outcome * tree->cells + path->cell[i];
		tree->probability[outcome] += path->probability;
		return;
	}
	node = rest.node[--rest.nodes];
	pa_quantile_loss(&node, tree->quantiles, tree->owner_rows, tree->mechanism, &loss);
	pa_pick_total(pa_quantile_walk(&node), &node.slice, &loss, NULL, &total);
	pa_quantile_walk(&node) (&node.slice, &loss, NULL,
							 &(PaStretchVisitor) {branch_out, NULL, &(Branch) {tree, &rest, &node, (long double) total}});
}

PaStatus
quantiles_law(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows, uint64_t parts,
			  const PaExponential *mechanism, long double *probability)
{
	Tree		tree = {quantiles, data->cells, owner_rows, mechanism, probability};
	Path		path = {.nodes = 0,.probability = 1};
	PaQuantileNode root;
	int64_t		rows;
	PaStatus	status = pa_cells_count(data, NULL, &rows);

	if (status != PA_OK || !pa_quantiles_valid(quantiles))
		return PA_INVALID;
	root = pa_quantile_root(data, rows, quantiles, parts);
	wait_for(&path, &root);
	grow(&tree, &path);
	return PA_OK;
}

/* --- tuples --- */

typedef struct Tuples
{
	int64_t		cells;
	int			count;
	long double *probability;
	long double total;
} Tuples;

static int64_t
outcome_of(const Tuples *tuples, const int64_t *cell)
{
	int64_t		outcome = 0;
	int			i;

	for (i = 0; i < tuples->count; i++)
		outcome = outcome * tuples->cells + cell[i];
	return outcome;
}

static void
add_tuple(void *context, const int64_t *cell, uint64_t weight)
{
	Tuples	   *tuples = context;

	tuples->total += (long double) weight;
	if (tuples->probability != NULL)
		tuples->probability[outcome_of(tuples, cell)] = (long double) weight;
}

PaStatus
joint_law(const PaCells *data, const PaQuantiles *quantiles, int32_t owner_rows, const PaExponential *mechanism,
		  long double *probability)
{
	Tuples		tuples = {data->cells, quantiles->count, probability, 0};
	PaStatus	status = pa_joint_law(data, quantiles, owner_rows, mechanism, &plain_memory, add_tuple, &tuples);
	int64_t		outcomes = 1;
	int			i;

	if (status != PA_OK)
		return status;
	for (i = 0; i < quantiles->count; i++)
		outcomes *= data->cells;
	while (outcomes-- > 0)
		probability[outcomes] /= tuples.total;
	return PA_OK;
}

/* --- neighbours --- */

bool
next_histogram(int64_t *rows, int cells, int most)
{
	int64_t		sum = 0;
	int			i;

	for (i = 0; i < cells; i++)
		sum += rows[i];
	for (i = 0; i < cells; i++)
	{
		if (sum < most)
		{
			rows[i]++;
			return true;
		}
		sum -= rows[i];
		rows[i] = 0;
	}
	return false;
}

PaCells
runs_of(const int64_t *rows, int cells, PaCellRun *run)
{
	size_t		runs = 0;
	int			i;

	for (i = 0; i < cells; i++)
		if (rows[i] > 0)
			run[runs++] = (PaCellRun) {i, rows[i]};
	return (PaCells) {run, runs, cells};
}

/* The law of a histogram; false if there is none */
static bool
law_at(LawOf law, const void *what, int cells, const int64_t *rows, long double *probability)
{
	PaCellRun	run[HISTOGRAM_CELLS];
	PaCells		data = runs_of(rows, cells, run);

	memset(probability, 0, HISTOGRAM_OUTCOMES * sizeof(long double));
	return law(what, &data, probability) == PA_OK;
}

static void
compare_laws(const long double *one, const long double *other, int outcomes, LossFound *found)
{
	long double high = 0;
	long double low = 0;
	int			i;

	for (i = 0; i < outcomes; i++)
		if (one[i] != other[i])
		{
			long double ratio = logl(one[i] / other[i]);

			high = fmaxl(high, ratio);
			low = fminl(low, ratio);
		}
	found->loss = fmaxl(found->loss, fmaxl(high, -low));
	found->range = fmaxl(found->range, high - low);
}

LossFound
loss_around(LawOf law, const void *what, int cells, const int64_t *rows, int owner_rows, int outcomes)
{
	long double one[HISTOGRAM_OUTCOMES];
	long double other[HISTOGRAM_OUTCOMES];
	int64_t		more[HISTOGRAM_CELLS] = {0};
	LossFound	found = {0, 0};
	int			i;

	if (!law_at(law, what, cells, rows, one))
		return (LossFound) {INFINITY, INFINITY};
	while (next_histogram(more, cells, owner_rows))
	{
		int64_t		sum[HISTOGRAM_CELLS];

		for (i = 0; i < cells; i++)
			sum[i] = rows[i] + more[i];
		if (!law_at(law, what, cells, sum, other))
			return (LossFound) {INFINITY, INFINITY};
		compare_laws(one, other, outcomes, &found);
	}
	return found;
}

LossFound
largest_loss(LawOf law, const void *what, int cells, int rows, int owner_rows, int outcomes)
{
	int64_t		histogram[HISTOGRAM_CELLS] = {0};
	LossFound	found = {0, 0};

	do
	{
		LossFound	here = loss_around(law, what, cells, histogram, owner_rows, outcomes);

		found.loss = fmaxl(found.loss, here.loss);
		found.range = fmaxl(found.range, here.range);
	} while (next_histogram(histogram, cells, rows));
	return found;
}
