/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fractional.c
 *		Newton's method on V, and the linear program behind its multipliers.
 *
 * V is convex and piecewise linear in r with the slope -D at its maximiser, so
 * Newton's method from the left climbs to the root and stops there.
 *
 * Proof of the result in doubles: (1 - k) N - r D - l row with a small k > 0 must be at
 * most -l right for all laws; then N/D <= r/(1 - k).  Weights of cells are raised by
 * a bound of their rounding unless they are made of zeros only, and the sum must be
 * at most minus a bound of its own, which is 0 if all terms are.  So laws that give
 * mass to neither N nor D do not stand in the way, however small N and D may be
 * together.  r and k are raised together until the proof succeeds.
 */
#include "core/pufferfish/fractional.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/pufferfish/lp.h"

#define STEPS 200
#define NOISE 1e-7				/* of GLPK's multipliers: where the proof has to take over */
#define TRIFLE 1e-10			/* multipliers that are noise themselves */

typedef struct Cell
{
	double		weight;			/* of V at the r at hand */
	double		fixed;			/* -l row */
	double		low;
	double		room;			/* high - low */
	int			block;
	double		error;			/* of fixed */
	unsigned char over;
	unsigned char under;
} Cell;

typedef struct Program
{
	const PaPolytope *polytope;
	Cell	   *cell;
	double	   *left;			/* [block] mass that is not placed yet */
	double	   *multiplier;		/* l; NULL for none */
	double		constant;		/* l right */
	double		error;			/* of the constant */
} Program;

typedef struct Value
{
	double		v;
	double		over;			/* v + r under */
	double		under;
	double		error;			/* of v, given the weights */
} Value;

static int
heavier(const void *a, const void *b)
{
	double		left = ((const Cell *) a)->weight;
	double		right = ((const Cell *) b)->weight;

	return (left < right) - (left > right);
}

/* Weights at r, exact up to rounding, or (k > 0) bounds for the proof */
static void
weigh(Program *program, double r, double k)
{
	int			i;

	for (i = 0; i < program->polytope->cells; i++)
	{
		Cell	   *cell = &program->cell[i];

		cell->weight = cell->over * (1 - k) - r * cell->under + cell->fixed;
		if (k > 0)
			cell->weight += cell->error + 4 * DBL_EPSILON * (cell->over + r * cell->under);
	}
}

/* Puts what the lows leave to the heaviest cells first. */
static Value
evaluate(Program *program, double r, double k)
{
	const PaPolytope *polytope = program->polytope;
	Value		value = {program->constant, program->constant, 0, program->error};
	double		size = fabs(program->constant);
	bool		nothing = program->constant == 0;
	int			i;

	weigh(program, r, k);
	for (i = 0; i < polytope->blocks; i++)
		program->left[i] = 1;
	for (i = 0; i < polytope->cells; i++)
		if (program->cell[i].block >= 0)
			program->left[program->cell[i].block] -= program->cell[i].low;
	qsort(program->cell, (size_t) polytope->cells, sizeof(Cell), heavier);
	for (i = 0; i < polytope->cells; i++)
	{
		const Cell *cell = &program->cell[i];
		double		mass;

		if (cell->block < 0)
			continue;
		mass = fmax(0.0, fmin(cell->room, program->left[cell->block]));
		program->left[cell->block] -= mass;
		mass += cell->low;
		value.v += mass * cell->weight;
		value.over += mass * (cell->over + cell->fixed);
		value.under += mass * cell->under;
		size += fabs(cell->weight);
		nothing = nothing && mass * cell->weight == 0;
	}
	if (!nothing)
		value.error += 4 * DBL_EPSILON * (polytope->cells + 4) * size;
	return value;
}

/* The smallest r that is proved, or INFINITY */
static double
least_proved(Program *program)
{
	double		r = 0;
	double		more;
	int			i;

	for (i = 0; i < STEPS; i++)
	{
		Value		value = evaluate(program, r, 0);

		if (value.v <= 0 || (value.v <= NOISE && !(value.under > 0)))
			break;
		if (!(value.under > 0))
			return INFINITY;
		if (!(value.over / value.under > r))
			break;
		r = value.over / value.under;
	}
	for (more = 4 * DBL_EPSILON; more < 0.5; more *= 2)
	{
		double		raised = r * (1 + more) + DBL_MIN;
		Value		value = evaluate(program, raised, more);

		if (value.v + value.error <= 0)
			return raised / (1 - more) * (1 + 4 * DBL_EPSILON);
	}
	return INFINITY;
}

static void
set_cells(Program *program, const unsigned char *over, const unsigned char *under)
{
	const PaPolytope *polytope = program->polytope;
	int			constraints = program->multiplier == NULL ? 0 : polytope->constraints;
	double		each = 2 * DBL_EPSILON * (constraints + 2);
	int			i;
	int			k;

	program->constant = program->error = 0;
	for (k = 0; k < constraints; k++)
	{
		program->constant += program->multiplier[k] * polytope->right[k];
		program->error += each * fabs(program->multiplier[k] * polytope->right[k]);
	}
	for (i = 0; i < polytope->cells; i++)
	{
		Cell	   *cell = &program->cell[i];

		*cell = (Cell) {.low = polytope->low[i], .room = polytope->high[i] - polytope->low[i],
		.block = polytope->block[i], .over = over[i] != 0, .under = under[i] != 0};
		for (k = 0; k < constraints; k++)
		{
			cell->fixed -= program->multiplier[k] * polytope->row[k * polytope->cells + i];
			cell->error += each * fabs(program->multiplier[k] * polytope->row[k * polytope->cells + i]);
		}
	}
}

/*
 * Charnes and Cooper: theta = y/t, y = low t + z with z >= 0; columns z and t.
 * Rows: constraints, z - (high - low) t <= 0, block sums of y - t = 0, under y = 1.
 */
typedef struct Frame
{
	PaLp		lp;
	double	   *cost;
	double	   *row;
	double	   *right;
	double	   *x;
	double	   *multiplier;
} Frame;

static void
fill_frame(const PaPolytope *polytope, const unsigned char *over, const unsigned char *under, Frame *frame)
{
	int			n = polytope->cells;
	int			width = n + 1;
	int			boxes = polytope->constraints;
	int			blocks = boxes + n;
	double	   *last = frame->row + (size_t) (blocks + polytope->blocks) * (size_t) width;
	int			i;
	int			k;

	for (k = 0; k < polytope->blocks; k++)
		frame->row[(blocks + k) * width + n] = -1;
	for (k = 0; k < polytope->constraints; k++)
		frame->row[k * width + n] = -polytope->right[k];
	for (i = 0; i < n; i++)
	{
		bool		part = polytope->block[i] >= 0;

		frame->row[(boxes + i) * width + i] = 1;
		frame->row[(boxes + i) * width + n] = part ? polytope->low[i] - polytope->high[i] : 0.0;
		if (!part)
			continue;
		for (k = 0; k < polytope->constraints; k++)
		{
			frame->row[k * width + i] = polytope->row[k * n + i];
			frame->row[k * width + n] += polytope->row[k * n + i] * polytope->low[i];
		}
		frame->row[(blocks + polytope->block[i]) * width + i] = 1;
		frame->row[(blocks + polytope->block[i]) * width + n] += polytope->low[i];
		if (under[i])
		{
			last[i] = 1;
			last[n] += polytope->low[i];
		}
		if (over[i])
		{
			frame->cost[i] = -1;
			frame->cost[n] -= polytope->low[i];
		}
	}
	frame->right[blocks + polytope->blocks] = 1;
}

static PaStatus
open_frame(const PaPolytope *polytope, const unsigned char *over, const unsigned char *under,
		   const PaEnvironment *environment, Frame *frame)
{
	size_t		columns = (size_t) polytope->cells + 1;
	size_t		rows = (size_t) (polytope->constraints + polytope->cells + polytope->blocks) + 1;
	size_t		size = (columns * rows + 2 * columns + 2 * rows) * sizeof(double);

	frame->row = environment->allocate(environment->context, size);
	if (frame->row == NULL)
		return PA_NO_MEMORY;
	memset(frame->row, 0, size);
	frame->cost = frame->row + columns * rows;
	frame->x = frame->cost + columns;
	frame->right = frame->x + columns;
	frame->multiplier = frame->right + rows;
	fill_frame(polytope, over, under, frame);
	frame->lp = (PaLp) {(int) columns, (int) rows, polytope->constraints + polytope->cells,
		frame->cost, frame->row, frame->right};
	return PA_OK;
}

/* Multipliers must not be negative; those that are noise only spoil the proof. */
static void
clean(double *multiplier, int count)
{
	double		most = 0;
	int			k;

	for (k = 0; k < count; k++)
		most = fmax(most, multiplier[k]);
	for (k = 0; k < count; k++)
		if (!(multiplier[k] > TRIFLE * most && isfinite(multiplier[k])))
			multiplier[k] = 0;
}

/* Lowers *ratio by what GLPK's multipliers prove. */
static PaStatus
improve(Program *program, const unsigned char *over, const unsigned char *under,
		const PaEnvironment *environment, double *ratio)
{
	Frame		frame;
	PaStatus	status = open_frame(program->polytope, over, under, environment, &frame);

	if (status != PA_OK)
		return status;
	status = pa_lp_solve(&frame.lp, environment, NULL, frame.multiplier, NULL);
	if (status == PA_OK)
	{
		clean(frame.multiplier, program->polytope->constraints);
		program->multiplier = frame.multiplier;
		set_cells(program, over, under);
		*ratio = fmin(*ratio, least_proved(program));
	}
	environment->release(environment->context, frame.row);
	return status == PA_NO_SOLUTION || status == PA_INVALID ? PA_OK : status;
}

PaStatus
pa_fractional_bound(const PaPolytope *polytope, const unsigned char *over, const unsigned char *under,
					const PaEnvironment *environment, double *ratio)
{
	Program		program = {.polytope = polytope};
	size_t		cells = (size_t) polytope->cells * sizeof(Cell);
	double		found = 0;
	PaStatus	status = PA_OK;

	program.cell = environment->allocate(environment->context, cells + (size_t) polytope->blocks * sizeof(double));
	if (program.cell == NULL)
		return PA_NO_MEMORY;
	program.left = (double *) ((char *) program.cell + cells);
	set_cells(&program, over, under);
	if (evaluate(&program, 0.0, 0.0).v > 0)
	{
		found = least_proved(&program);
		if (polytope->constraints > 0)
			status = improve(&program, over, under, environment, &found);
	}
	environment->release(environment->context, program.cell);
	if (status == PA_OK)
		*ratio = found;
	return status;
}

static bool
boxes_meet(const PaPolytope *polytope)
{
	int			block;
	int			i;

	for (block = 0; block < polytope->blocks; block++)
	{
		double		low = 0;
		double		high = 0;

		for (i = 0; i < polytope->cells; i++)
			if (polytope->block[i] == block)
			{
				low += polytope->low[i];
				high += polytope->high[i];
			}
		if (!(low <= 1 + 1e-9 && high >= 1 - 1e-9))
			return false;
	}
	return true;
}

/* Asks for nothing over the first block, which has the mass 1. */
PaStatus
pa_polytope_check(const PaPolytope *polytope, const PaEnvironment *environment)
{
	size_t		cells = (size_t) polytope->cells;
	unsigned char *mark;
	Frame		frame;
	bool		infeasible = false;
	PaStatus	status;
	size_t		i;

	if (!boxes_meet(polytope))
		return PA_NO_SOLUTION;
	if (polytope->constraints == 0)
		return PA_OK;
	mark = environment->allocate(environment->context, 2 * cells);
	if (mark == NULL)
		return PA_NO_MEMORY;
	for (i = 0; i < cells; i++)
	{
		mark[i] = 0;
		mark[cells + i] = polytope->block[i] == 0;
	}
	status = open_frame(polytope, mark, mark + cells, environment, &frame);
	if (status == PA_OK)
	{
		status = pa_lp_solve(&frame.lp, environment, NULL, NULL, &infeasible);
		environment->release(environment->context, frame.row);
		if (status == PA_NO_SOLUTION && !infeasible)
			status = PA_OK;
	}
	environment->release(environment->context, mark);
	return status;
}
