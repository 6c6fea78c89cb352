/*
 * fractional.c
 *		Newton's method on V, and the linear program behind its multipliers.
 *
 * V is convex and piecewise linear in r with the slope -D at its maximiser, so
 * Newton's method from the left climbs to the root and stops there.  The result is
 * then raised until V is below minus a bound of its own rounding.
 */
#include "core/pufferfish/fractional.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/pufferfish/lp.h"

#define STEPS 200

typedef struct Cell
{
	double		weight;			/* of V at the r at hand */
	double		fixed;			/* -l row */
	double		low;
	double		room;			/* high - low */
	int			block;
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
	double		scale;			/* of the numbers that V adds up, but for r */
} Program;

typedef struct Value
{
	double		v;
	double		over;			/* v + r under */
	double		under;
} Value;

static int
heavier(const void *a, const void *b)
{
	double		left = ((const Cell *) a)->weight;
	double		right = ((const Cell *) b)->weight;

	return (left < right) - (left > right);
}

/* Puts what the lows leave to the heaviest cells first. */
static Value
evaluate(Program *program, double r)
{
	const PaPolytope *polytope = program->polytope;
	Value		value = {0, program->constant, 0};
	int			i;

	for (i = 0; i < polytope->blocks; i++)
		program->left[i] = 1;
	for (i = 0; i < polytope->cells; i++)
	{
		Cell	   *cell = &program->cell[i];

		cell->weight = cell->over - r * cell->under + cell->fixed;
		if (cell->block >= 0)
			program->left[cell->block] -= cell->low;
	}
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
		value.over += mass * (cell->over + cell->fixed);
		value.under += mass * cell->under;
	}
	value.v = value.over - r * value.under;
	return value;
}

/* What rounding can make of V */
static double
margin(const Program *program, double r)
{
	return 16 * DBL_EPSILON * (program->polytope->cells + 4) * (program->scale + r);
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
		Value		value = evaluate(program, r);

		if (value.v <= 0)
			break;
		if (!(value.under > 0))
			return INFINITY;
		if (!(value.over / value.under > r))
			break;
		r = value.over / value.under;
	}
	for (more = 4 * DBL_EPSILON; more < 1; more *= 4)
	{
		double		raised = r + more * fmax(r, DBL_MIN);

		if (evaluate(program, raised).v <= -margin(program, raised))
			return raised;
	}
	return INFINITY;
}

static void
set_cells(Program *program, const unsigned char *over, const unsigned char *under)
{
	const PaPolytope *polytope = program->polytope;
	int			i;
	int			k;

	program->constant = 0;
	program->scale = 1;
	for (i = 0; i < polytope->cells; i++)
	{
		program->cell[i] = (Cell) {0, 0, polytope->low[i], polytope->high[i] - polytope->low[i],
			polytope->block[i], over[i] != 0, under[i] != 0};
		for (k = 0; program->multiplier != NULL && k < polytope->constraints; k++)
			program->cell[i].fixed -= program->multiplier[k] * polytope->row[k * polytope->cells + i];
	}
	for (k = 0; program->multiplier != NULL && k < polytope->constraints; k++)
	{
		program->constant += program->multiplier[k] * polytope->right[k];
		program->scale += program->multiplier[k] * fabs(polytope->right[k]);
		for (i = 0; i < polytope->cells; i++)
			program->scale += program->multiplier[k] * fabs(polytope->row[k * polytope->cells + i]);
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

/* Lowers *ratio by what GLPK's multipliers prove. */
static PaStatus
improve(Program *program, const unsigned char *over, const unsigned char *under,
		const PaEnvironment *environment, double *ratio)
{
	Frame		frame;
	PaStatus	status = open_frame(program->polytope, over, under, environment, &frame);
	int			k;

	if (status != PA_OK)
		return status;
	status = pa_lp_solve(&frame.lp, environment, NULL, frame.multiplier, NULL);
	if (status == PA_OK)
	{
		for (k = 0; k < program->polytope->constraints; k++)
			frame.multiplier[k] = frame.multiplier[k] > 0 ? frame.multiplier[k] : 0.0;
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
	Program		program = {polytope, NULL, NULL, NULL, 0, 1};
	size_t		cells = (size_t) polytope->cells * sizeof(Cell);
	double		found = 0;
	PaStatus	status = PA_OK;

	program.cell = environment->allocate(environment->context, cells + (size_t) polytope->blocks * sizeof(double));
	if (program.cell == NULL)
		return PA_NO_MEMORY;
	program.left = (double *) ((char *) program.cell + cells);
	set_cells(&program, over, under);
	if (evaluate(&program, 0.0).v > 0)
	{
		set_cells(&program, over, under);
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
