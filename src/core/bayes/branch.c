/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch.c
 *		Best node first, on both ends at once.
 *
 * A node is a box with a bound and the point at which its envelopes were best.
 * Before it is bounded, coordinates in which the sum can only rise or only fall are
 * fixed at that side; afterwards it is cut where the linear bound g already
 * shows that nothing above the floor is left.  floor = least + share: what is cut
 * off or put aside is at most floor, and is remembered as such.  The shares of the
 * two ends together are less than what the goal leaves, so that putting aside
 * cannot make the goal unreachable unless a better point turns up later: then the
 * search starts again from the point.
 *
 * A node is split in the middle, where the envelopes exceed the terms most for the
 * width.  In the searches of branch_forms.h it is split at a value of one form instead:
 * it is then part of a box, on which coordinates are not fixed, and may be empty.
 */
#include "core/bayes/branch.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/bayes/branch_climb.h"
#include "core/bayes/branch_forms.h"
#include "core/bayes/linear.h"

#define STARTS 12				/* local searches at the root */
#define SHARE 0.49				/* of the slack of the goal, for each end */
#define RESTARTS 4
#define REFITS 3				/* times that a box is cut and bounded again */
#define SHRINK 0.8				/* a coordinate cut to less is worth it */
#define CLOSE 0.1				/* of the share: how well a node's maximum is found */
#define LEAST_CLOSE 1e-10
#define FIRST_NODES 64
#define CLIMBS 32				/* nodes before a search begins again with linear programs */
#define PROGRAMS 100			/* nodes bounded by these, or by climbs before, */
#define PROGRAM_SHARE 8			/* and this part of the limit */

typedef struct Side
{
	PaSum	   *sum;
	PaSearchEnd *end;
	double		aside;			/* what was put aside is at most this */
	double	   *node;			/* records of `record` numbers */
	int		   *heap;			/* nodes, the largest bound first */
	int		   *spare;			/* nodes that are free */
	int			open;
	int			spares;
	int			room;
} Side;

typedef struct Engine
{
	const PaBox *box;
	const PaSearchGoal *goal;
	const PaEnvironment *environment;
	PaClimb    *climb;
	PaForms    *forms;			/* NULL: boxes are split at coordinates only */
	bool		programs;		/* that forms are in use by now */
	double	   *parent;			/* the record that is being split */
	Side		side[2];
	int			dimensions;
	int			record;
	long		nodes;
} Engine;

/* --- nodes: bound, split coordinate or dimensions + form, split point, low, high, x, from, to --- */

#define NODE_BOUND 0
#define NODE_SPLIT 1
#define NODE_POINT 2
#define NODE_LOW 3

static double *
node_at(const Engine *engine, const Side *side, int index)
{
	return side->node + (size_t) index * (size_t) engine->record;
}

static bool
grow(Engine *engine, Side *side)
{
	const PaEnvironment *environment = engine->environment;
	int			room = side->room == 0 ? FIRST_NODES : 2 * side->room;
	size_t		bytes = (size_t) engine->record * sizeof(double);
	double	   *node = environment->allocate(environment->context,
											 (size_t) room * (bytes + 2 * sizeof(int)));
	int		   *heap = (int *) (node + (size_t) room * (size_t) engine->record);
	int			i;

	if (node == NULL)
		return false;
	if (side->node != NULL)
	{
		memcpy(node, side->node, (size_t) side->room * bytes);
		memcpy(heap, side->heap, (size_t) side->open * sizeof(int));
		environment->release(environment->context, side->node);
	}
	side->node = node;
	side->heap = heap;
	side->spare = heap + room;
	side->spares = 0;
	for (i = room - 1; i >= side->room; i--)	/* only a side without spares grows */
		side->spare[side->spares++] = i;
	side->room = room;
	return true;
}

static double
bound_of(const Engine *engine, const Side *side, int place)
{
	return node_at(engine, side, side->heap[place])[NODE_BOUND];
}

static void
swap(Side *side, int a, int b)
{
	int			node = side->heap[a];

	side->heap[a] = side->heap[b];
	side->heap[b] = node;
}

static void
push(const Engine *engine, Side *side, int node)
{
	int			place = side->open++;

	side->heap[place] = node;
	while (place > 0 && bound_of(engine, side, place) > bound_of(engine, side, (place - 1) / 2))
	{
		swap(side, place, (place - 1) / 2);
		place = (place - 1) / 2;
	}
}

static int
pop(const Engine *engine, Side *side)
{
	int			node = side->heap[0];
	int			place = 0;

	side->heap[0] = side->heap[--side->open];
	for (;;)
	{
		int			child = 2 * place + 1;

		if (child >= side->open)
			break;
		if (child + 1 < side->open && bound_of(engine, side, child + 1) > bound_of(engine, side, child))
			child++;
		if (bound_of(engine, side, child) <= bound_of(engine, side, place))
			break;
		swap(side, place, child);
		place = child;
	}
	return node;
}

/* --- where the search stands --- */

static void
take_most(const Engine *engine, Side *side)
{
	double		most = side->open > 0 ? bound_of(engine, side, 0) : -INFINITY;

	most = fmax(fmax(most, side->aside), side->end->least);
	side->end->most = fmin(side->end->most, most);
}

static double
loss_least(const Engine *engine)
{
	return engine->side[0].end->least + engine->side[1].end->least;
}

static double
loss_most(const Engine *engine)
{
	return engine->side[0].end->most + engine->side[1].end->most;
}

static double
share(const Engine *engine)
{
	double		slack = fmax(engine->goal->gap, engine->goal->accept - loss_least(engine));

	return SHARE * fmax(slack, 0.0);
}

static bool
decided(const Engine *engine)
{
	return loss_most(engine) - loss_least(engine) <= engine->goal->gap ||
		loss_most(engine) <= engine->goal->accept || loss_least(engine) > engine->goal->reject;
}

/* Keeps x if it is better than what was known. */
static void
take_point(Side *side, const double *x)
{
	double		error;
	double		value = pa_sum_value(side->sum, x, &error);

	if (value - error <= side->end->least)
		return;
	side->end->least = value - error;
	memcpy(side->end->x, x, (size_t) side->sum->dimensions * sizeof(double));
}

/* The same, after climbing from climb->x in the whole box. */
static void
take_climb(Engine *engine, Side *side)
{
	pa_climb_plain(engine->climb, side->sum, engine->box->low, engine->box->high);
	take_point(side, engine->climb->x);
}

/* --- one node --- */

/* On what the box leaves of the forms' intervals; false if that is nothing. */
static bool
make_envelopes(Engine *engine, const PaSum *sum, const double *low, const double *high)
{
	int			i;

	for (i = 0; i < sum->terms; i++)
	{
		double		least;
		double		most;

		pa_sum_range(sum, i, low, high, &least, &most);
		if (engine->forms != NULL)
		{
			least = fmax(least, engine->forms->from[i]);
			most = fmin(most, engine->forms->to[i]);
		}
		if (least > most)
			return false;
		engine->climb->envelope[i] = pa_envelope_make(&sum->term[i], least, most);
	}
	return true;
}

/* The range of the derivative in every coordinate. */
static void
derivatives(const PaSum *sum, const double *low, const double *high, double *least, double *most)
{
	int			i,
				j;

	memset(least, 0, (size_t) sum->dimensions * sizeof(double));
	memset(most, 0, (size_t) sum->dimensions * sizeof(double));
	for (i = 0; i < sum->terms; i++)
	{
		const double *theta = sum->theta + i * sum->dimensions;
		double		from,
					to,
					flat,
					steep;

		pa_sum_range(sum, i, low, high, &from, &to);
		pa_term_slopes(&sum->term[i], from, to, &flat, &steep);
		for (j = 0; j < sum->dimensions; j++)
		{
			least[j] += theta[j] * (theta[j] > 0 ? flat : steep) - sum->error * fabs(theta[j]) * steep;
			most[j] += theta[j] * (theta[j] > 0 ? steep : flat) + sum->error * fabs(theta[j]) * steep;
		}
	}
}

/* Fixes coordinates in which the sum only rises or falls, until no more are found. */
static void
fix_monotone(const PaSum *sum, double *low, double *high)
{
	double		least[PA_REGRESSION_DIMENSIONS];
	double		most[PA_REGRESSION_DIMENSIONS];
	bool		again = true;
	int			j;

	while (again)
	{
		again = false;
		derivatives(sum, low, high, least, most);
		for (j = 0; j < sum->dimensions; j++)
		{
			if (low[j] == high[j])
				continue;
			if (least[j] >= 0)
				low[j] = high[j];
			else if (most[j] <= 0)
				high[j] = low[j];
			else
				continue;
			again = true;
		}
	}
}

/*
 * Cuts off what the last bound shows to be at most floor; whether it is worth
 * another bound.  *cut says whether anything went.
 */
static bool
cut_box(const PaClimb *climb, double floor, double *low, double *high, bool *cut)
{
	bool		worth = false;
	int			j;

	for (j = 0; j < climb->sum->dimensions; j++)
	{
		double		g = climb->bound_gradient[j];
		double		width = high[j] - low[j];
		double		keep = (climb->bound - floor) / fabs(g) * (1.0 + 1e-9);

		if (!(keep < width * 0.999))
			continue;
		*cut = true;
		worth = worth || keep < SHRINK * width;
		if (g > 0)
			low[j] = fmax(low[j], high[j] - keep - 4 * DBL_EPSILON * fabs(high[j]));
		else
			high[j] = fmin(high[j], low[j] + keep + 4 * DBL_EPSILON * fabs(low[j]));
	}
	return worth;
}

/* The coordinate that the envelopes' excess depends on most; -1 if all are fixed. */
static int
choose_coordinate(const Engine *engine, const PaSum *sum, const double *low, const double *high)
{
	const PaClimb *climb = engine->climb;
	double		score[PA_REGRESSION_DIMENSIONS] = {0};
	int			best = -1;
	int			i,
				j;

	for (i = 0; i < sum->terms; i++)
	{
		const PaEnvelope *envelope = &climb->envelope[i];
		const double *theta = sum->theta + i * sum->dimensions;
		double		w = sum->constant[i];
		double		excess;

		if (envelope->knot == -INFINITY)
			continue;
		for (j = 0; j < sum->dimensions; j++)
			w += theta[j] * climb->x[j];
		excess = pa_envelope_value(envelope, &sum->term[i], w) - pa_term_value(&sum->term[i], w);
		excess = fmax(excess, 0.0) / (envelope->high - envelope->low);
		for (j = 0; j < sum->dimensions; j++)
			score[j] += excess * fabs(theta[j]) * (high[j] - low[j]);
	}
	for (j = 0; j < sum->dimensions; j++)
		if (low[j] < high[j] && (best < 0 || score[j] > score[best]))
			best = j;
	return best;
}

/*
 * Linear programs take many times as long as climbs: they are for the first nodes of
 * a search, so that the limit of nodes still bounds its time.
 */
static bool
programs_wanted(const Engine *engine)
{
	return engine->programs && engine->nodes <= PROGRAMS + engine->goal->nodes / PROGRAM_SHARE;
}

/* One bound of a box and the forms' intervals, with the points that it leads to; whether by a program. */
static bool
bound_once(Engine *engine, Side *side, const double *low, const double *high, double floor)
{
	double		close = fmax(CLOSE * share(engine), LEAST_CLOSE);

	if (programs_wanted(engine) &&
		pa_forms_bound(engine->forms, side->sum, side == &engine->side[1], low, high, floor, close))
	{
		take_point(side, engine->forms->relaxation.x);
		take_point(side, engine->climb->x);
		return true;
	}
	pa_climb_bound(engine->climb, side->sum, low, high, floor, close);
	take_point(side, engine->climb->x);
	return false;
}

/* Narrows the node before it is bounded; false if nothing is left of it. */
static bool
narrow(Engine *engine, const PaSum *sum, double *low, double *high)
{
	if (!engine->programs || !pa_forms_split(engine->forms, sum))
		fix_monotone(sum, low, high);
	else if (!pa_forms_narrow(engine->forms, sum, low, high))
		return false;
	return make_envelopes(engine, sum, low, high);
}

/* What to split a node at; -1 if it is a point.  Forms are chosen where a program bounded it. */
static int
choose_split(Engine *engine, const PaSum *sum, const double *low, const double *high,
			 bool by_program, double *point)
{
	int			split = by_program ? pa_forms_choose(engine->forms, sum, point) : -1;

	if (split >= 0)
		return engine->dimensions + split;
	split = choose_coordinate(engine, sum, low, high);
	if (split >= 0)
		*point = low[split] + 0.5 * (high[split] - low[split]);
	return split;
}

/* Opens a node that is to be split there. */
static PaStatus
open_node(Engine *engine, Side *side, const double *low, const double *high, double bound,
		  int split, double point)
{
	int			d = engine->dimensions;
	double	   *node;

	if (side->spares == 0 && !grow(engine, side))
		return PA_NO_MEMORY;
	node = node_at(engine, side, side->spare[--side->spares]);
	node[NODE_BOUND] = bound;
	node[NODE_SPLIT] = split;
	node[NODE_POINT] = point;
	memcpy(node + NODE_LOW, low, (size_t) d * sizeof(double));
	memcpy(node + NODE_LOW + d, high, (size_t) d * sizeof(double));
	memcpy(node + NODE_LOW + 2 * d, engine->climb->x, (size_t) d * sizeof(double));
	if (engine->forms != NULL)
		memcpy(node + NODE_LOW + 3 * d, engine->forms->from, 2 * (size_t) side->sum->terms * sizeof(double));
	push(engine, side, side->spare[side->spares]);
	return PA_OK;
}

/*
 * Bounds the box low to high and engine->forms from engine->climb's start point; opens it
 * as a node unless its bound, at most `bound`, is at most the floor.
 */
static PaStatus
bound_box(Engine *engine, Side *side, double *low, double *high, double bound)
{
	double		floor = 0;
	double		point = 0;
	bool		by_program = false;
	int			split = -1;
	int			i;

	engine->nodes++;
	for (i = 0; i < REFITS; i++)
	{
		bool		cut = false;
		bool		worth;

		if (!narrow(engine, side->sum, low, high))
			return PA_OK;
		by_program = bound_once(engine, side, low, high, side->end->least + share(engine));
		floor = side->end->least + share(engine);
		bound = fmin(bound, engine->climb->bound);
		if (bound <= floor)
			break;
		worth = cut_box(engine->climb, floor, low, high, &cut);
		if (by_program)
			worth = pa_forms_cut(engine->forms, side->sum, floor, &cut) || worth;
		if (cut)
			side->aside = fmax(side->aside, floor);
		if (!worth || i == REFITS - 1)
			break;
	}
	if (bound > floor)
		split = choose_split(engine, side->sum, low, high, by_program, &point);
	if (split >= 0)
		return open_node(engine, side, low, high, bound, split, point);
	side->aside = fmax(side->aside, bound);
	return PA_OK;
}

/* Splits the node with the largest bound. */
static PaStatus
expand(Engine *engine, Side *side)
{
	int			d = engine->dimensions;
	int			index = pop(engine, side);
	const double *parent = engine->parent;
	int			split;
	int			half;

	memcpy(engine->parent, node_at(engine, side, index), (size_t) engine->record * sizeof(double));
	side->spare[side->spares++] = index;
	split = (int) parent[NODE_SPLIT];
	for (half = 0; half < 2; half++)
	{
		double		low[PA_REGRESSION_DIMENSIONS];
		double		high[PA_REGRESSION_DIMENSIONS];
		PaStatus	status;

		memcpy(low, parent + NODE_LOW, (size_t) d * sizeof(double));
		memcpy(high, parent + NODE_LOW + d, (size_t) d * sizeof(double));
		memcpy(engine->climb->x, parent + NODE_LOW + 2 * d, (size_t) d * sizeof(double));
		if (engine->forms != NULL)
			memcpy(engine->forms->from, parent + NODE_LOW + 3 * d, 2 * (size_t) side->sum->terms * sizeof(double));
		if (split >= d)
			*(half == 0 ? &engine->forms->to[split - d] : &engine->forms->from[split - d]) = parent[NODE_POINT];
		else
			*(half == 0 ? &high[split] : &low[split]) = parent[NODE_POINT];
		status = bound_box(engine, side, low, high, parent[NODE_BOUND]);
		if (status != PA_OK)
			return status;
	}
	take_most(engine, side);
	return PA_OK;
}

/* --- the search --- */

/* The sum of the least upper bounds of all terms, each on its own. */
static double
plain_bound(const PaSum *sum, const PaBox *box)
{
	double		bound = sum->error * sum->level;
	int			i;

	for (i = 0; i < sum->terms; i++)
	{
		double		least;
		double		most;

		pa_sum_range(sum, i, box->low, box->high, &least, &most);
		bound += pa_term_value(&sum->term[i], most);
	}
	return bound;
}

/* Local searches from the middle and from points spread over the box. */
static void
spread_points(Engine *engine, Side *side)
{
	int			k,
				j;

	for (k = 0; k < STARTS; k++)
	{
		for (j = 0; j < engine->dimensions; j++)
		{
			double		step = fmod((k + 0.5) * sqrt((double) (j * j + 3 * j + 2) + 0.37), 1.0);

			engine->climb->x[j] = engine->box->low[j] +
				(k == 0 ? 0.5 : step) * (engine->box->high[j] - engine->box->low[j]);
		}
		take_climb(engine, side);
	}
}

static PaStatus
open_root(Engine *engine, Side *side)
{
	double		low[PA_REGRESSION_DIMENSIONS];
	double		high[PA_REGRESSION_DIMENSIONS];
	double		corner[PA_REGRESSION_DIMENSIONS];
	double		most;
	bool		known;
	PaStatus	status;

	side->aside = -INFINITY;
	while (side->open > 0)
		side->spare[side->spares++] = side->heap[--side->open];
	status = pa_linear_corners(side->sum, engine->box, engine->environment, &known, &most, corner);
	if (status != PA_OK)
		return status;
	if (known)
	{
		take_point(side, corner);
		side->aside = most;
		take_most(engine, side);
		return PA_OK;
	}
	memcpy(low, engine->box->low, (size_t) engine->dimensions * sizeof(double));
	memcpy(high, engine->box->high, (size_t) engine->dimensions * sizeof(double));
	memcpy(engine->climb->x, side->end->x, (size_t) engine->dimensions * sizeof(double));
	if (engine->forms != NULL)
		pa_forms_open(engine->forms, side->sum);
	status = bound_box(engine, side, low, high, plain_bound(side->sum, engine->box));
	take_most(engine, side);
	if (status == PA_OK && side->open > 0)
		take_climb(engine, side);
	return status;
}

static bool
out_of_nodes(const Engine *engine)
{
	return engine->nodes >= engine->goal->nodes;
}

static bool
interrupted(const Engine *engine)
{
	return engine->environment->interrupted != NULL &&
		engine->environment->interrupted(engine->environment->context);
}

/* Whether it is time to begin again with linear programs: small searches are not worth them. */
static bool
hard(const Engine *engine)
{
	return engine->forms != NULL && !engine->programs && engine->nodes >= CLIMBS;
}

/* Opens both roots and branches until nothing is open. */
static PaStatus
branch(Engine *engine)
{
	PaStatus	status = PA_OK;
	int			i;

	for (i = 0; i < 2 && status == PA_OK && !decided(engine) && !out_of_nodes(engine); i++)
		status = interrupted(engine) ? PA_INTERRUPTED : open_root(engine, &engine->side[i]);
	while (status == PA_OK && !decided(engine) && !out_of_nodes(engine) && !hard(engine))
	{
		const PaSearchEnd *max = engine->side[0].end;
		const PaSearchEnd *min = engine->side[1].end;
		int			worse = max->most - max->least >= min->most - min->least ? 0 : 1;

		if (engine->side[worse].open == 0)
			worse = 1 - worse;
		if (engine->side[worse].open == 0)
			break;
		status = interrupted(engine) ? PA_INTERRUPTED : expand(engine, &engine->side[worse]);
	}
	return status;
}

static PaStatus
run(Engine *engine)
{
	PaStatus	status = PA_OK;
	int			i;

	for (i = 0; i < 2; i++)
		spread_points(engine, &engine->side[i]);
	for (i = 0; i <= RESTARTS && status == PA_OK && !decided(engine) && !out_of_nodes(engine); i++)
	{
		status = branch(engine);
		engine->programs = engine->programs || hard(engine);
	}
	return status;
}

static PaStatus
prepare(Engine *engine, const PaAnswer *const *answers, int n, PaSearch *search)
{
	int			i;

	for (i = 0; i < 2; i++)
	{
		Side	   *side = &engine->side[i];

		side->end = i == 0 ? &search->max : &search->min;
		side->end->least = -INFINITY;
		memcpy(side->end->x, engine->box->low, (size_t) engine->dimensions * sizeof(double));
		side->aside = -INFINITY;
		side->sum = pa_sum_make(engine->box, answers, n, i == 1, engine->environment);
		if (side->sum == NULL)
			return PA_NO_MEMORY;
		side->end->most = plain_bound(side->sum, engine->box);
	}
	engine->climb = pa_climb_make(n, engine->dimensions, engine->environment);
	if (engine->climb == NULL)
		return PA_NO_MEMORY;
	if (engine->goal->nodes > 0 && pa_forms_wanted(engine->side[0].sum, engine->box))
	{
		engine->forms = pa_forms_make(engine->side[0].sum, engine->climb, engine->environment);
		if (engine->forms == NULL)
			return PA_NO_MEMORY;
		engine->record += 2 * n;
	}
	engine->parent = engine->environment->allocate(engine->environment->context,
												   (size_t) engine->record * sizeof(double));
	return engine->parent == NULL ? PA_NO_MEMORY : PA_OK;
}

static void
give_back(const Engine *engine, void *memory)
{
	if (memory != NULL)
		engine->environment->release(engine->environment->context, memory);
}

/* Adds the offsets, and the error of doing so. */
static void
finish(const Engine *engine, PaSearch *search)
{
	double		tiny = 8 * DBL_EPSILON * (engine->side[0].sum->level + 1);

	/* the offsets of the two ends cancel in the loss */
	search->least = fmax(loss_least(engine) - tiny, 0.0);
	search->most = fmax(loss_most(engine) + tiny, 0.0);
	search->max.least += engine->side[0].sum->offset - tiny;
	search->max.most += engine->side[0].sum->offset + tiny;
	search->min.least += engine->side[1].sum->offset - tiny;
	search->min.most += engine->side[1].sum->offset + tiny;
	search->nodes = engine->nodes;
}

PaStatus
pa_branch_search(const PaBox *box, const PaAnswer *const *answers, int n,
				 const PaSearchGoal *goal, const PaEnvironment *environment, PaSearch *search)
{
	Engine		engine = {.box = box, .goal = goal, .environment = environment,
		.dimensions = box->dimensions, .record = 3 + 3 * box->dimensions};
	PaSearch	found;
	PaStatus	status = prepare(&engine, answers, n, &found);
	int			i;

	if (status == PA_OK)
		status = run(&engine);
	if (status == PA_OK)
	{
		finish(&engine, &found);
		*search = found;
	}
	for (i = 0; i < 2; i++)
	{
		give_back(&engine, engine.side[i].node);
		give_back(&engine, engine.side[i].sum);
	}
	if (engine.forms != NULL)
		pa_forms_free(engine.forms);
	give_back(&engine, engine.parent);
	give_back(&engine, engine.climb);
	return status;
}
