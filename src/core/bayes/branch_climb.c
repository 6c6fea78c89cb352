/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch_climb.c
 *		Newton's method in a box.
 *
 * Nothing here has to converge for a bound to hold: steps only choose where the
 * tangents are taken.
 */
#include "core/bayes/branch_climb.h"

#include <math.h>
#include <string.h>

#define STEPS 40				/* of a climb without corners, */
#define CORNER_STEPS 8			/* and at each width of rounded corners */
#define HALVINGS 8
#define SETTLE 10				/* rounds of the quadratic programme */
#define ENOUGH 1e-4				/* of the promised rise, to take a step */

static const double roundings[] = {0.02, 1e-4};

#define ROUNDINGS ((int) (sizeof(roundings) / sizeof(roundings[0])))

PaClimb *
pa_climb_make(int terms, int dimensions, const PaEnvironment *environment)
{
	size_t		n = (size_t) terms;
	size_t		d = (size_t) dimensions;
	size_t		numbers = 2 * n + 6 * d + 2 * d * d;
	PaClimb    *climb = environment->allocate(environment->context, sizeof(PaClimb) +
											  n * sizeof(PaEnvelope) + numbers * sizeof(double));
	double	   *next;

	if (climb == NULL)
		return NULL;
	memset(climb, 0, sizeof(*climb));
	climb->envelope = (PaEnvelope *) (climb + 1);
	next = (double *) (climb->envelope + n);
	climb->slope = next;
	climb->curvature = next + n;
	next += 2 * n;
	climb->x = next;
	climb->bound_gradient = next + d;
	climb->gradient = next + 2 * d;
	climb->step = next + 3 * d;
	climb->trial = next + 4 * d;
	climb->right = next + 5 * d;
	climb->matrix = next + 6 * d;
	climb->factor = next + 6 * d + d * d;
	return climb;
}

/* --- at a point --- */

static double
inner(const double *a, const double *b, int n)
{
	double		sum = 0;
	int			j;

	for (j = 0; j < n; j++)
		sum += a[j] * b[j];
	return sum;
}

/* Beyond its interval an envelope goes on as its tangent there. */
static PaEnvelopeAt
extended_at(const PaEnvelope *envelope, const PaTerm *term, double w, double smooth)
{
	double		inside = fmin(fmax(w, envelope->low), envelope->high);
	PaEnvelopeAt at = pa_envelope_at(envelope, term, inside, smooth);

	if (w != inside)
	{
		at.value += at.slope * (w - inside);
		at.curvature = 0;
	}
	return at;
}

/* Value, slopes and curvatures at x; dual is the part of the bound that the terms make. */
static double
look(PaClimb *climb, const double *x, double smooth)
{
	const PaSum *sum = climb->sum;
	double		value = 0;
	double		dual = 0;
	double		magnitude = sum->level;
	int			i;

	for (i = 0; i < sum->terms; i++)
	{
		double		w = sum->constant[i] + inner(sum->theta + i * sum->dimensions, x, sum->dimensions);
		PaEnvelopeAt at;

		if (climb->plain)
		{
			PaTermAt	plain = pa_term_at(&sum->term[i], w);

			at.value = plain.value;
			at.slope = plain.slope;
			at.curvature = fmin(plain.curvature, 0.0);
			at.support = 0;
		}
		else
			at = extended_at(&climb->envelope[i], &sum->term[i], w, smooth);
		climb->slope[i] = at.slope;
		climb->curvature[i] = at.curvature;
		value += at.value;
		dual += at.support + at.slope * sum->constant[i];
		magnitude += at.slope * sum->scale[i];
	}
	climb->dual = dual + sum->error * magnitude;
	return value;
}

static void
make_gradient(PaClimb *climb)
{
	const PaSum *sum = climb->sum;
	int			i,
				j;

	memset(climb->gradient, 0, (size_t) sum->dimensions * sizeof(double));
	for (i = 0; i < sum->terms; i++)
		for (j = 0; j < sum->dimensions; j++)
			climb->gradient[j] += climb->slope[i] * sum->theta[i * sum->dimensions + j];
}

/* Keeps the bound of these tangents if it is the least; returns what x could gain by them. */
static double
take_bound(PaClimb *climb, const double *x)
{
	double		bound = climb->dual;
	double		gain = 0;
	int			j;

	for (j = 0; j < climb->sum->dimensions; j++)
	{
		double		g = climb->gradient[j];
		double		best = g > 0 ? climb->high[j] : climb->low[j];

		bound += g * best;
		gain += g * (best - x[j]);
	}
	if (!climb->plain && bound < climb->bound && bound > -INFINITY) /* no overflow */
	{
		climb->bound = bound;
		memcpy(climb->bound_gradient, climb->gradient, (size_t) climb->sum->dimensions * sizeof(double));
	}
	return gain;
}

/* --- the step --- */

/* Minus the second derivative, made definite. */
static void
make_matrix(PaClimb *climb)
{
	const PaSum *sum = climb->sum;
	int			d = sum->dimensions;
	double		trace = 0;
	int			i,
				j,
				k;

	memset(climb->matrix, 0, (size_t) (d * d) * sizeof(double));
	for (i = 0; i < sum->terms; i++)
	{
		const double *theta = sum->theta + i * d;

		if (climb->curvature[i] == 0)
			continue;
		for (j = 0; j < d; j++)
		{
			double		weight = -climb->curvature[i] * theta[j];

			for (k = 0; k <= j; k++)
				climb->matrix[j * d + k] += weight * theta[k];
		}
	}
	for (j = 0; j < d; j++)
		trace += climb->matrix[j * d + j];
	for (j = 0; j < d; j++)
	{
		climb->matrix[j * d + j] += 1e-9 * trace + 1e-200;
		for (k = 0; k < j; k++)
			climb->matrix[k * d + j] = climb->matrix[j * d + k];
	}
}

/* Solves for the m coordinates of free_list, right hand side and result in climb->right. */
static bool
solve(PaClimb *climb, const int *free_list, int m)
{
	int			d = climb->sum->dimensions;
	double	   *l = climb->factor;
	int			i,
				j,
				k;

	for (i = 0; i < m; i++)
		for (j = 0; j <= i; j++)
		{
			double		sum = climb->matrix[free_list[i] * d + free_list[j]];

			for (k = 0; k < j; k++)
				sum -= l[i * d + k] * l[j * d + k];
			if (i > j)
				l[i * d + j] = sum / l[j * d + j];
			else if (sum > 0)
				l[i * d + i] = sqrt(sum);
			else
				return false;
		}
	for (i = 0; i < m; i++)
	{
		for (k = 0; k < i; k++)
			climb->right[i] -= l[i * d + k] * climb->right[k];
		climb->right[i] /= l[i * d + i];
	}
	for (i = m - 1; i >= 0; i--)
	{
		for (k = i + 1; k < m; k++)
			climb->right[i] -= l[k * d + i] * climb->right[k];
		climb->right[i] /= l[i * d + i];
	}
	return true;
}

/* What the model's gradient is after the step. */
static double
residual(const PaClimb *climb, int j)
{
	int			d = climb->sum->dimensions;

	return climb->gradient[j] - inner(climb->matrix + j * d, climb->step, d);
}

/* Puts the step of a coordinate back into the box; whether it had left it. */
static bool
clip(PaClimb *climb, const double *x, int j)
{
	double		least = climb->low[j] - x[j];
	double		most = climb->high[j] - x[j];

	if (climb->step[j] >= least && climb->step[j] <= most)
		return false;
	climb->step[j] = climb->step[j] > most ? most : least;
	return true;
}

/* Solves for the free coordinates and fixes those that leave the box; whether some did. */
static bool
settle_free(PaClimb *climb, const double *x, bool *fixed)
{
	int			d = climb->sum->dimensions;
	int			free_list[PA_REGRESSION_DIMENSIONS];
	bool		left = false;
	int			m = 0;
	int			j;

	for (j = 0; j < d; j++)
		if (!fixed[j])
		{
			climb->step[j] = 0;
			free_list[m++] = j;
		}
	for (j = 0; j < m; j++)
		climb->right[j] = residual(climb, free_list[j]);
	if (!solve(climb, free_list, m))
		return false;
	for (j = 0; j < m; j++)
		climb->step[free_list[j]] = climb->right[j];
	for (j = 0; j < m; j++)
		if (clip(climb, x, free_list[j]))
			left = fixed[free_list[j]] = true;
	return left;
}

/* The best step for the model in the box; which coordinates end at its sides is guessed. */
static void
make_step(PaClimb *climb, const double *x)
{
	int			d = climb->sum->dimensions;
	bool		fixed[PA_REGRESSION_DIMENSIONS];
	int			i,
				j;

	for (j = 0; j < d; j++)
	{
		double		g = climb->gradient[j];

		climb->step[j] = 0;
		fixed[j] = (x[j] <= climb->low[j] && g <= 0) || (x[j] >= climb->high[j] && g >= 0);
	}
	for (i = 0; i < SETTLE; i++)
	{
		bool		freed = false;

		if (settle_free(climb, x, fixed))
			continue;
		for (j = 0; j < d; j++)
			if (fixed[j])
			{
				double		g = residual(climb, j);
				bool		inwards = x[j] + climb->step[j] <= climb->low[j] ? g > 0 : g < 0;

				if (inwards && climb->high[j] > climb->low[j])
				{
					fixed[j] = false;
					freed = true;
				}
			}
		if (!freed)
			break;
	}
	if (!(inner(climb->gradient, climb->step, d) > 0))
		for (j = 0; j < d; j++)
			climb->step[j] = (climb->gradient[j] > 0 ? climb->high[j] : climb->low[j]) - x[j];
}

/* Moves x along the step as far as it rises; false if it does not. */
static bool
walk(PaClimb *climb, double smooth)
{
	int			d = climb->sum->dimensions;
	double		promise = inner(climb->gradient, climb->step, d);
	double		length = 1;
	int			i,
				j;

	for (i = 0; i < HALVINGS; i++, length /= (i < 4 ? 2 : 4))
	{
		double		value;

		for (j = 0; j < d; j++)
		{
			double		to = climb->x[j] + length * climb->step[j];

			climb->trial[j] = fmin(fmax(to, climb->low[j]), climb->high[j]);
		}
		value = look(climb, climb->trial, smooth);
		if (value >= climb->value + ENOUGH * length * promise && value > climb->value)
		{
			memcpy(climb->x, climb->trial, (size_t) d * sizeof(double));
			climb->value = value;
			return true;
		}
	}
	return false;
}

static void
climb_smooth(PaClimb *climb, double smooth, int steps, double floor, double close)
{
	int			i;

	climb->value = look(climb, climb->x, smooth);
	for (i = 0; i < steps; i++)
	{
		double		gain;

		make_gradient(climb);
		gain = take_bound(climb, climb->x);
		if (gain <= close || climb->bound <= floor)
			return;
		make_matrix(climb);
		make_step(climb, climb->x);
		if (!walk(climb, smooth))
			return;
	}
}

static void
start(PaClimb *climb, const PaSum *sum, const double *low, const double *high)
{
	int			j;

	climb->sum = sum;
	climb->low = low;
	climb->high = high;
	climb->bound = INFINITY;
	for (j = 0; j < sum->dimensions; j++)
		climb->x[j] = fmin(fmax(climb->x[j], low[j]), high[j]);
}

void
pa_climb_bound(PaClimb *climb, const PaSum *sum, const double *low, const double *high,
			   double floor, double close)
{
	bool		corners = false;
	int			i;

	start(climb, sum, low, high);
	climb->plain = false;
	for (i = 0; i < sum->terms; i++)
		corners = corners || climb->envelope[i].corner < INFINITY;
	for (i = corners ? 0 : ROUNDINGS - 1; i < ROUNDINGS && climb->bound > floor; i++)
		climb_smooth(climb, roundings[i], corners ? CORNER_STEPS : STEPS, floor, close);
}

void
pa_climb_plain(PaClimb *climb, const PaSum *sum, const double *low, const double *high)
{
	start(climb, sum, low, high);
	climb->plain = true;
	climb_smooth(climb, 0, STEPS, -INFINITY, 1e-9);
}
