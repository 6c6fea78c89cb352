/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.c
 *		See order.h.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "price/order.h"
#include "server_environment.h"
#include "session_random.h"

#define BETA 0.05				/* that the least of all values is above, or the greatest below, what is drawn */

static bool
fails(PaProblem *problem, const PaStatistic *statistic, const char *detail, const char *hint)
{
	*problem = (PaProblem) {"quantiles, the least and the greatest value cannot be released here", detail, hint, statistic};
	return false;
}

bool
pa_order_allowed(const PaRelease *release, const PaStatistic *statistic, PaProblem *problem)
{
	if (release->policy->kernels != PA_KERNEL_ALL)
		return fails(problem, statistic, "The table's owner has declared which kernels may be used.", "Use counts, sums and averages.");
	if (pa_accountant(release->policy->accountant)->counts_uses || release->statistics->rate < 1)
		return fails(problem, statistic, "They cannot be drawn under a plan, nor from a sample of owners.",
					 "Use sample_rate 1, or counts, as in count(*) FILTER (WHERE x < 10).");
	if (statistic->max_rows > PA_MOST_KEPT)
		return fails(problem, statistic, psprintf("Of an owner %d rows are kept at most.", PA_MOST_KEPT),
					 "Use the option max_rows, as in 'max_rows=10'.");
	return true;
}

int
pa_order_levels(const PaStatistic *statistic)
{
	return statistic->order->kind == PA_ORDER_QUANTILES ? pa_quantiles_depth(statistic->order->nranks) : 1;
}

static int
by_numerator(const void *a, const void *b, void *quantiles)
{
	uint32		left = ((const uint32 *) quantiles)[*(const int *) a];
	uint32		right = ((const uint32 *) quantiles)[*(const int *) b];

	return left < right ? -1 : left > right;
}

/* The quantiles of an order in ascending order, and which ones they are. */
typedef struct Ascending
{
	uint32		numerators[PA_QUANTILES_MOST];
	int			ranks[PA_QUANTILES_MOST];
} Ascending;

static PaQuantiles
ascending(PaOrder *order, Ascending *sorted)
{
	for (int i = 0; i < order->nranks; i++)
		sorted->ranks[i] = i;
	qsort_arg(sorted->ranks, order->nranks, sizeof(int), by_numerator, order->quantiles);
	for (int i = 0; i < order->nranks; i++)
		sorted->numerators[i] = order->quantiles[sorted->ranks[i]];
	return (PaQuantiles) {sorted->numerators, order->nranks, PA_QUANTILE_DENOMINATOR};
}

static PaRank
rank_of(const PaOrder *order)
{
	return (PaRank) {order->kind == PA_ORDER_LEAST ? PA_RANK_SMALLEST : PA_RANK_LARGEST,.k = order->k};
}

PaRankError
pa_order_error(const PaStatistic *statistic, double confidence)
{
	PaOrder    *order = statistic->order;
	Ascending	sorted;
	PaQuantiles quantiles = ascending(order, &sorted);
	PaRank		rank = rank_of(order);
	PaRankError errors[PA_QUANTILES_MOST] = {{0}};
	PaStatus	status;
	PaRankError most = {0, 0};

	if (order->kind == PA_ORDER_QUANTILES)
		status = pa_quantiles_error(&quantiles, (int32) statistic->max_rows, pa_quantiles_parts(order->cells),
									&order->mechanism, order->cells, 1 - confidence, errors);
	else
		status = pa_rank_error(&rank, (int32) statistic->max_rows, &order->mechanism, order->cells, 1 - confidence, errors);
	for (int i = 0; i < order->nranks; i++)
		most = (PaRankError) {Max(most.certain, errors[i].certain), Max(most.dense, errors[i].dense)};
	return status == PA_OK ? most : (PaRankError) {INFINITY, INFINITY};
}

double
pa_order_scale(const PaStatistic *statistic)
{
	return 2 * statistic->max_rows / statistic->order->mechanism.epsilon;
}

/* epsilon of one level of a group. */
static PaStatus
make_mechanism(PaStatistic *statistic, double epsilon)
{
	PaOrder    *order = statistic->order;
	PaStatus	status;

	if (order->kind == PA_ORDER_QUANTILES)
		return pa_quantiles_mechanism(order->nranks, epsilon, 0, pa_server_environment(), &order->mechanism);
	status = pa_exponential_make(epsilon, pa_exponential_steps(epsilon), 1, pa_server_environment(), &order->mechanism);
	if (status == PA_OK)
		status = pa_rank_default_k((int32) statistic->max_rows, epsilon, order->cells, BETA, &order->k);
	return status;
}

bool
pa_order_calibrate(const PaRelease *release, PaStatistic *statistic, double epsilon, PaProblem *problem)
{
	double		draws = (double) release->max_groups * pa_order_levels(statistic);
	double		one = epsilon / draws * (1 - 4 * DBL_EPSILON);	/* so that all together are not more */
	PaStatus	status = PA_OUT_OF_RANGE;

	if (one >= PA_EXPONENTIAL_LEAST && one <= PA_EXPONENTIAL_MOST)
		status = make_mechanism(statistic, one);
	if (status != PA_OK)
		return fails(problem, statistic, psprintf("The computation reports: %s.", pa_status_text(status)), "Choose another epsilon.");
	statistic->calibration = (PaCalibration) {
		.epsilon = epsilon,
		.rho = draws * pa_exponential_rho(one) * (1 + 4 * DBL_EPSILON),
		.band = -1,.acceptance = 1
	};
	return true;
}

/* --- drawing --- */

/* The runs of one statistic of one group. */
typedef struct Runs
{
	PaCellRun  *run;
	size_t		count;
	size_t		room;
} Runs;

static void
add_run(Runs *runs, const PaGroupRun *next)
{
	if (runs->count == runs->room)
	{
		runs->room = Max(runs->room * 2, 1024);
		runs->run = runs->run ? repalloc_huge(runs->run, runs->room * sizeof(PaCellRun)) : palloc(runs->room * sizeof(PaCellRun));
	}
	runs->run[runs->count++] = (PaCellRun) {next->cell, next->count};
}

/* Those of a group's statistic, which come next, if there are any. */
static void
read_runs(Runs *runs, PaSortedCells *cells, int group, int statistic)
{
	PaGroupRun	next;

	runs->count = 0;
	while (pa_sorted_cells_next(cells, &next))
	{
		if (next.group != group || next.statistic != statistic)
		{
			pa_sorted_cells_put_back(cells);
			return;
		}
		add_run(runs, &next);
	}
}

static void
require_drawn(PaStatus status)
{
	CHECK_FOR_INTERRUPTS();
	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("drawing a quantile failed: %s", pa_status_text(status)));
}

static void
draw_quantiles(const PaStatistic *statistic, const PaCells *data, int64 *cell)
{
	PaOrder    *order = statistic->order;
	Ascending	sorted;
	int64		drawn[PA_QUANTILES_MOST];
	PaQuantiles quantiles = ascending(order, &sorted);

	require_drawn(pa_quantiles_draw(data, &quantiles, (int32) statistic->max_rows, pa_quantiles_parts(order->cells),
									&order->mechanism, pa_session_random(), pa_server_environment(), drawn));
	for (int i = 0; i < order->nranks; i++)
		cell[sorted.ranks[i]] = drawn[i];
}

static void
draw(const PaStatistic *statistic, const Runs *runs, double *released)
{
	const PaOrder *order = statistic->order;
	PaCells		data = {runs->run, runs->count, order->cells};
	PaRank		rank = rank_of(order);
	int64		cell[PA_QUANTILES_MOST];

	if (order->kind == PA_ORDER_QUANTILES)
		draw_quantiles(statistic, &data, cell);
	else
		require_drawn(pa_rank_draw(&data, &rank, (int32) statistic->max_rows, &order->mechanism,
								   pa_session_random(), pa_server_environment(), cell));
	for (int i = 0; i < order->nranks; i++)
		released[order->released + i] = pa_order_value(statistic, cell[i]);
}

double *
pa_orders_draw(const PaRelease *release, PaSortedCells *cells, int ngroups)
{
	const PaStatistics *set = release->statistics;
	double	   *released = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(double) * set->nreleased * Max(ngroups, 1));
	Runs		runs = {NULL};

	pa_sorted_cells_sort(cells);
	for (int group = 0; group < ngroups; group++)
		for (int i = 0; i < set->nstatistics; i++)
		{
			if (set->statistics[i].order == NULL)
				continue;
			read_runs(&runs, cells, group, i);
			draw(&set->statistics[i], &runs, released + (size_t) group * set->nreleased);
		}
	pa_sorted_cells_end(cells);
	return released;
}
