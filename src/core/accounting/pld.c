/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld.c
 *		Tight composition: what is planned, bounded, computed and returned.
 *
 * Three bounds, each valid, of which the least is returned:
 *	 pure	the sum of the largest losses, m: delta(epsilon) <= 1 - e^(epsilon - m)
 *	 Renyi	from the pilots' moments K(s) = ln E[e^(sL)]: since
 *			max over l of (1 - e^(epsilon - l)) e^(-s l) is at
 *			l = epsilon + ln(1 + 1/s),
 *			delta(epsilon) <= Pr[L = infinity] + e^(K(s) - s epsilon) s^s/(1+s)^(1+s)
 *	 grid	the law of the sum on a grid
 * The best s of the second is the tilt of the third.
 *
 * Width h of the grid.  Connecting dots adds at most h^2/6 or so to the variance
 * of a loss and h^2/12 to its mean.  Where the tilt t decides, n losses add
 * n h^2 (1 + t)/12 to epsilon, or n h/2 where that is less: h is such that this is
 * EXCESS of epsilon, or smaller where that costs nothing.  Rounding moves about 2 PA_LAW_ERROR/h of the mass by h
 * (pld_grid.c), which counts where n is many millions.  The grid becomes coarser
 * where it would have too many points; results are too large then, and at last the
 * Renyi bound is what remains.
 *
 * The pilots are coarse, so the tilt is corrected by what the grid says, and where
 * delta is sought the tails that may be cut off are found in rounds.  Each round is
 * valid by itself.
 *
 * A run's own delta is an infinite loss: 1 - prod(1 - delta)^times <= the sum; of
 * a sampled run it is rate delta.
 */
#include "core/accounting/pld.h"

#include <float.h>
#include <math.h>

#include "core/accounting/pld_convolve.h"
#include "core/accounting/pld_items.h"
#include "core/accounting/sampling.h"
#include "core/optimize/bisect.h"
#include "core/optimize/golden.h"

#define EXCESS 1.5e-4
#define LOST 1e-4				/* share of delta that tails may take */
#define LEAST_DELTA 1e-270		/* below, only the pure bound is tried */
#define MOST_TIMES 1e10			/* above, only the pure and Renyi bounds */
#define MOST_CELLS 0x1p21		/* points of all grids together */
#define CHEAP_CELLS 0x1p12		/* so many of them are always good */
#define CHEAP_SPAN 0x1p14		/* and so many of the sum */
#define TILTS 3					/* tries for a better tilt */
#define ATTEMPTS 10				/* of coarser grids */
#define ROUNDS 8				/* of smaller tails */

/* What is sought: delta at epsilon, or epsilon at delta. */
typedef struct Goal
{
	bool		seek_delta;
	double		epsilon;
	double		delta;			/* sought epsilon: what is left for losses of parts */
} Goal;

/* What the pilots say. */
typedef struct Plan
{
	double		tilt;
	double		bound;			/* Renyi: of epsilon or of ln delta */
	double		epsilon;		/* about which the grid is to be good */
	double		delta;
} Plan;

/* -ln(max over l of (1 - e^-l) e^(-s l)), at epsilon = 0 */
static double
renyi_gain(double s)
{
	return log1p(s) + s * log1p(1.0 / s);
}

/* epsilon, or ln delta, that order 1 + s implies */
static double
renyi_bound(const PaItems *items, const Goal *goal, double s)
{
	double		moment = pa_items_log_moment(items, s);

	if (goal->seek_delta)
		return moment - s * goal->epsilon - renyi_gain(s);
	return (moment - log(goal->delta) - renyi_gain(s)) / s;
}

typedef struct Order
{
	const PaItems *items;
	const Goal *goal;
} Order;

/* The less, the better. */
static double
merit_of_order(void *context, double log_s)
{
	const Order *order = context;

	return -renyi_bound(order->items, order->goal, exp(log_s));
}

/* About a guess; any s is valid. */
static Plan
best_order(const PaItems *items, const Goal *goal)
{
	Order		order = {items, goal};
	double		deviation = sqrt(items->variance) + DBL_MIN;
	double		guess = goal->seek_delta ? (goal->epsilon + deviation) / deviation / deviation :
		sqrt(1.0 - 2.0 * log(goal->delta)) / deviation;
	double		best;
	Plan		plan = {0};

	plan.bound = -pa_golden(merit_of_order, &order, log(guess) - 7.0, log(guess) + 7.0, 0.1, &best);
	plan.tilt = exp(best);
	plan.bound = isnan(plan.bound) ? INFINITY : fmax(plan.bound, -1e300);
	plan.bound += 1e-13 * fmin(fabs(plan.bound), 1e300);
	return plan;
}

/* Sum of the largest losses, rounded up; INFINITY if there is none. */
static double
most_loss(const PaRun *runs, int nruns, PaDirection direction)
{
	double		sum = 0;
	int			i;
	int			j;

	for (i = 0; i < nruns; i++)
	{
		double		release = 0;

		for (j = 0; j < runs[i].nparts; j++)
		{
			const PaPart *part = &runs[i].parts[j];
			PaPair		pair = {.law = &part->law, .shift = part->shift, .rate = 1.0};

			release += part->coordinates * pa_pair_most_loss(&pair);
		}
		sum += (double) runs[i].times * pa_sampled_loss(runs[i].rate, direction, release);
	}
	return sum * (1.0 + DBL_EPSILON * (4.0 + nruns));
}

/* Infinite losses that the runs bring with them, rounded up. */
static double
own_deltas(const PaRun *runs, int nruns)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < nruns; i++)
		sum += runs[i].delta * runs[i].rate * (double) runs[i].times;
	return fmin(1.0, nruns > 1 || runs[0].times > 1 || runs[0].rate < 1 ?
				sum * (1.0 + DBL_EPSILON * (2.0 + nruns)) : sum);
}

/* The largest loss of what counts most, if it is finite: an atom may be there. */
static double
main_atom(const PaItems *items)
{
	double		weight = 0;
	double		loss = INFINITY;
	int64_t		i;

	for (i = 0; i < items->count; i++)
		if (items->item[i].times * items->item[i].variance > weight)
		{
			double		most = pa_pair_most_loss(&items->item[i].pair);

			weight = items->item[i].times * items->item[i].variance;
			loss = most <= items->item[i].reach * 1.5 ? most : INFINITY;
		}
	return loss;
}

static double
choose_width(const PaItems *items, const Plan *plan)
{
	double		n = items->times;
	double		deviation = sqrt(items->variance);
	double		excess = EXCESS * fmax(plan->epsilon, 1e-3 * deviation);
	double		width = fmax(sqrt(12.0 * excess / (n * (1.0 + plan->tilt))), 2.0 * excess / n);
	double		span = (8.0 + sqrt(-2.0 * log(LOST * plan->delta / n))) * deviation;
	double		reaches = 0;
	double		longest = 0;
	double		atom = main_atom(items);
	int64_t		i;

	for (i = 0; i < items->count; i++)
	{
		reaches += 2.0 * items->item[i].reach;
		longest = fmax(longest, 2.0 * items->item[i].reach);
	}
	width = fmin(width, fmax(reaches / CHEAP_CELLS, span / CHEAP_SPAN));
	width = fmax(width, cbrt(10.0 * PA_LAW_ERROR * deviation / sqrt(n) / (1.0 + plan->tilt)));
	width = fmax(fmax(width, span / (0.9 * PA_CONVOLVE_MOST)),
				 fmax(reaches / MOST_CELLS, longest / (0.25 * PA_CONVOLVE_MOST)));
	if (isfinite(atom) && atom >= width)
		width = atom / floor(atom / width);
	return width;
}

/* The sum of all items on a grid of this width. */
static PaStatus
sum_items(PaConvolver *convolver, const PaItems *items, PaTilted *sum)
{
	PaTilted   *laws = pa_pool_get(convolver->pool, items->count, sizeof(PaTilted));
	PaStatus	status = PA_OK;
	int64_t		i;

	if (laws == NULL)
		return PA_NO_MEMORY;
	for (i = 0; i < items->count && status == PA_OK; i++)
	{
		const PaItem *item = &items->item[i];
		PaGrid		grid;

		status = pa_grid_make(&item->pair, convolver->width, item->reach, convolver->tilt, convolver->pool, &grid);
		if (status == PA_OK)
			status = pa_tilted_make(convolver, &grid, &laws[i]);
		if (status == PA_OK)
			status = pa_tilted_power(convolver, item->times, &laws[i]);
		if (status == PA_OK && pa_pool_interrupted(convolver->pool))
			status = PA_INTERRUPTED;
	}
	if (status == PA_OK)
		status = pa_tilted_sum(convolver, laws, items->count, sum);
	return status;
}

/*
 * epsilon or delta with the given width; PA_OUT_OF_RANGE if that is too fine.
 * *tilt becomes one that would have put the middle of the weights at epsilon, if
 * it is far from there.
 */
static PaStatus
by_width(const PaEnvironment *environment, const PaItems *items, const Goal *goal, const Plan *plan,
		 double width, double *tilt, double *result)
{
	double		budget = LOST * plan->delta / (2.0 * items->count + 2.0);
	PaConvolver convolver;
	PaTilted	sum;
	PaPool		pool;
	PaStatus	status;

	pa_pool_init(&pool, environment);
	pa_convolver_init(&convolver, &pool, width, *tilt, budget);
	status = sum_items(&convolver, items, &sum);
	if (status == PA_OK)
	{
		double		found = goal->seek_delta ? pa_tilted_delta(&convolver, &sum, goal->epsilon) :
			pa_tilted_epsilon(&convolver, &sum, goal->delta);
		double		epsilon = goal->seek_delta ? goal->epsilon : found;
		double		off = epsilon / width - sum.mean;

		*result = fmin(*result, found);
		if (isfinite(epsilon) && epsilon > 0 && fabs(off) > 1.5 * sqrt(sum.variance) + 2.0)
			*tilt = fmin(fmax(*tilt + off / (sum.variance + 1.0) / width, 0.25 * *tilt), 4.0 * *tilt);
	}
	pa_convolver_close(&convolver);
	pa_pool_release_all(&pool);
	return status;
}

/* epsilon or delta by the grid; INFINITY or 1 if the numbers do not allow one. */
static PaStatus
by_grid(const PaEnvironment *environment, const PaItems *items, const Goal *goal, const Plan *plan, double *result)
{
	double		width = choose_width(items, plan);
	double		tilt = plan->tilt;
	PaStatus	status = PA_OUT_OF_RANGE;
	int			tilts = TILTS;
	int			i;

	*result = goal->seek_delta ? 1.0 : INFINITY;
	for (i = 0; i < ATTEMPTS && status == PA_OUT_OF_RANGE; i++, width *= 2.0)
	{
		double		before;

		do
		{
			before = tilt;
			status = by_width(environment, items, goal, plan, width, &tilt, result);
		} while (status == PA_OK && tilt != before && --tilts > 0);
	}
	return status == PA_OUT_OF_RANGE ? PA_OK : status;
}

static PaStatus
seek_epsilon(PaPool *pool, const PaRun *runs, int nruns, PaDirection direction, const Goal *goal, double *epsilon)
{
	PaItems		items;
	Goal		rest = *goal;
	Plan		plan;
	double		finer;
	double		times = 0;
	PaStatus	status;
	int			i;
	int			j;

	for (i = 0; i < nruns; i++)
		for (j = 0; j < runs[i].nparts; j++)
			times += (double) runs[i].times * runs[i].parts[j].coordinates;
	*epsilon = INFINITY;
	status = pa_items_collect(runs, nruns, direction, LOST * goal->delta / fmax(times, 1.0), pool, &items);
	if (status != PA_OK)
		return status;
	if (items.count == 0)
	{
		*epsilon = 0;
		return PA_OK;
	}
	rest.delta = goal->delta - items.infinite;
	if (!(rest.delta > 0) || !(items.variance > 0))
		return PA_OK;
	plan = best_order(&items, &rest);
	*epsilon = fmax(0.0, plan.bound);
	if (*epsilon == 0 || items.times > MOST_TIMES)
		return PA_OK;
	plan.epsilon = plan.bound;
	plan.delta = goal->delta;
	status = by_grid(pool->environment, &items, goal, &plan, &finer);
	if (status == PA_OK)
		*epsilon = fmin(*epsilon, finer);
	return status;
}

/* One round: *tail is what may be lost for each time, and then what should be. */
static PaStatus
try_delta(PaPool *pool, const PaRun *runs, int nruns, PaDirection direction, const Goal *goal,
		  double *tail, double *delta)
{
	PaItems		items;
	Plan		plan;
	double		finer = 1.0;
	PaStatus	status = pa_items_collect(runs, nruns, direction, *tail, pool, &items);

	if (status != PA_OK)
		return status;
	if (items.count == 0)
		*delta = 0;
	if (items.count == 0 || !(items.variance > 0))
		return PA_OK;
	plan = best_order(&items, goal);
	plan.epsilon = goal->epsilon;
	plan.delta = fmax(exp(fmin(plan.bound, 0.0)) * (1.0 + 1e-9), LEAST_DELTA);
	*delta = fmin(*delta, items.infinite + plan.delta);
	if (items.times <= MOST_TIMES && *tail * items.times <= 2.0 * LOST * plan.delta)
		status = by_grid(pool->environment, &items, goal, &plan, &finer);
	*delta = fmin(*delta, finer);
	*tail = 0.1 * LOST * fmax(fmin(*delta, plan.delta), LEAST_DELTA) / items.times;
	return status;
}

/* What is lost has to be small against a delta that is not known: found in a few rounds. */
static PaStatus
seek_delta(PaPool *pool, const PaRun *runs, int nruns, PaDirection direction, const Goal *goal, double *delta)
{
	double		tail = 1e-14;
	PaStatus	status = PA_OK;
	int			i;

	*delta = 1.0;
	for (i = 0; i < ROUNDS && status == PA_OK; i++)
	{
		double		before = tail;

		status = try_delta(pool, runs, nruns, direction, goal, &tail, delta);
		if (*delta <= LEAST_DELTA || before <= 20.0 * tail)
			break;
		pa_pool_release_all(pool);
	}
	return status;
}

/* All of it in one direction, without the runs' own deltas. */
static PaStatus
seek(const PaRun *runs, int nruns, PaDirection direction, const Goal *goal,
	 const PaEnvironment *environment, double *result)
{
	double		most = most_loss(runs, nruns, direction);
	PaPool		pool;
	PaStatus	status = PA_OK;

	pa_pool_init(&pool, environment);
	if (goal->seek_delta && goal->epsilon >= most)
		*result = 0;
	else if (goal->seek_delta)
	{
		status = seek_delta(&pool, runs, nruns, direction, goal, result);
		*result = fmin(*result, -expm1(goal->epsilon - most) * (1.0 + 4 * DBL_EPSILON));
	}
	else
	{
		*result = INFINITY;
		if (goal->delta >= LEAST_DELTA)
			status = seek_epsilon(&pool, runs, nruns, direction, goal, result);
		*result = fmin(*result, fmax(0.0, most + log1p(-goal->delta) * (1.0 - 1e-15)));
	}
	pa_pool_release_all(&pool);
	return status;
}

static bool
valid_run(const PaRun *run)
{
	int			i;

	if (run->nparts < 0 || !(run->delta >= 0 && run->delta <= 1) ||
		!(run->rate > 0 && run->rate <= 1) || run->times < 1)
		return false;
	for (i = 0; i < run->nparts; i++)
		if (!(run->parts[i].shift >= 0 && isfinite(run->parts[i].shift)) || run->parts[i].coordinates < 1)
			return false;
	return true;
}

static bool
valid_runs(const PaRun *runs, int nruns, bool *sampled)
{
	int			i;

	*sampled = false;
	for (i = 0; i < nruns; i++)
	{
		if (!valid_run(&runs[i]))
			return false;
		*sampled = *sampled || runs[i].rate < 1;
	}
	return nruns >= 0;
}

/* A single release of one coordinate needs no grid. */
static bool
is_single(const PaRun *runs, int nruns)
{
	return nruns == 1 && runs[0].times == 1 && runs[0].nparts == 1 && runs[0].parts[0].coordinates == 1;
}

static double
single_delta(const PaRun *run, double epsilon)
{
	PaSampledDelta both = pa_sampled_delta(&run->parts[0].law, run->parts[0].shift, run->rate, epsilon);

	return fmax(both.remove, both.add);
}

typedef struct Single
{
	const PaRun *run;
	double		delta;
} Single;

static bool
single_suffices(void *context, double epsilon)
{
	const Single *single = context;

	return single_delta(single->run, epsilon) <= single->delta;
}

static double
single_epsilon(const PaRun *run, double delta)
{
	Single		single = {run, delta};
	PaPair		pair = {.law = &run->parts[0].law, .shift = run->parts[0].shift, .rate = 1.0};
	double		most = pa_sampled_loss(run->rate, PA_REMOVE, pa_pair_most_loss(&pair));
	double		epsilon;

	if (single_delta(run, 0.0) <= delta)
		return 0.0;
	if (!pa_bisect(single_suffices, &single, 1.0, &epsilon))
		epsilon = INFINITY;
	return fmin(epsilon, most);
}

/* In the worse direction; one is as good as the other without sampling. */
static PaStatus
seek_worst(const PaRun *runs, int nruns, bool sampled, const Goal *goal,
		   const PaEnvironment *environment, double *result)
{
	double		other = 0;
	PaStatus	status = seek(runs, nruns, PA_REMOVE, goal, environment, result);

	if (status == PA_OK && sampled)
		status = seek(runs, nruns, PA_ADD, goal, environment, &other);
	*result = fmax(*result, other);
	return status;
}

PaStatus
pa_compose_delta(const PaRun *runs, int nruns, double epsilon,
				 const PaEnvironment *environment, double *delta)
{
	Goal		goal = {.seek_delta = true, .epsilon = epsilon};
	bool		sampled;
	double		own;
	double		result;
	PaStatus	status = PA_OK;

	if (!valid_runs(runs, nruns, &sampled) || !(epsilon >= 0 && isfinite(epsilon)))
		return PA_INVALID;
	own = nruns > 0 ? own_deltas(runs, nruns) : 0.0;
	if (is_single(runs, nruns))
		result = single_delta(&runs[0], epsilon);
	else
		status = seek_worst(runs, nruns, sampled, &goal, environment, &result);
	if (status == PA_OK)
		*delta = fmin(1.0, own > 0 ? (own + result) * (1.0 + DBL_EPSILON) : result);
	return status;
}

PaStatus
pa_compose_epsilon(const PaRun *runs, int nruns, double delta,
				   const PaEnvironment *environment, double *epsilon)
{
	Goal		goal = {.seek_delta = false};
	bool		sampled;
	double		own;
	double		result = INFINITY;
	PaStatus	status = PA_OK;

	if (!valid_runs(runs, nruns, &sampled) || !(delta >= 0 && delta < 1))
		return PA_INVALID;
	own = nruns > 0 ? own_deltas(runs, nruns) : 0.0;
	goal.delta = own > 0 ? (delta - own) * (1.0 - DBL_EPSILON) : delta;
	if (goal.delta >= 0 && is_single(runs, nruns))
		result = single_epsilon(&runs[0], goal.delta);
	else if (goal.delta >= 0)
		status = seek_worst(runs, nruns, sampled, &goal, environment, &result);
	if (status == PA_OK)
		*epsilon = result;
	return status;
}
