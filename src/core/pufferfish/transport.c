/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * transport.c
 *		Weights that satisfy the necessary condition and carry one law to another.
 *
 * Columns g(D, l) = theta(D | s) beta^D_l where l can produce all that D can, and
 * epsilon; rows
 *		sum over l of g(D, l) (-ln p_l(w)) - theta(D | s) epsilon <= -theta(D | s) ln p_D(w),
 *		sum over l of g(D, l) = theta(D | s),	sum over D of g(D, l) = theta(l | s').
 *
 * The solution misses the last rows by a little.  Weights that carry at most (1 + r)
 * theta(l | s') to each l prove that k runs leak at most k epsilon + ln(1 + r), so
 * ln(1 + r) is added; and the other rows are computed again.
 */
#include "core/pufferfish/composable.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/pufferfish/lp.h"

typedef struct Transport
{
	const PaReleases *releases;
	const PaEnvironment *environment;
	int			sources;
	int			targets;
	int			outputs;		/* of all mechanisms */
	int			columns;		/* pairs that may carry, without epsilon */
	int		   *source;			/* [i] data set */
	int		   *target;
	int		   *column;			/* [i * targets + j], -1 if nothing may be carried */
	double	   *from;			/* theta(. | s) */
	double	   *to;				/* theta(. | s') */
	double	   *log_p;			/* [D * outputs + w] */
} Transport;

static double
log_at(const Transport *t, int dataset, int w)
{
	return t->log_p[(size_t) dataset * (size_t) t->outputs + (size_t) w];
}

static void
take_logs(Transport *t)
{
	double	   *to = t->log_p;
	int			d;
	int			k;
	int			w;

	for (d = 0; d < t->releases->datasets; d++)
		for (k = 0; k < t->releases->mechanisms; k++)
		{
			const PaMechanism *mechanism = &t->releases->mechanism[k];

			for (w = 0; w < mechanism->outputs; w++)
				*to++ = log(mechanism->likelihood[(size_t) d * (size_t) mechanism->outputs + (size_t) w]);
		}
}

/* Data sets of a mask that have mass, and their law */
static int
gather(const unsigned char *mask, const double *prior, int datasets, int *index, double *law)
{
	double		sum = 0;
	int			count = 0;
	int			i;

	for (i = 0; i < datasets; i++)
		if (mask[i] && prior[i] > 0)
		{
			index[count] = i;
			sum += law[count++] = prior[i];
		}
	for (i = 0; i < count; i++)
		law[i] /= sum;
	return count;
}

static bool
carries(const Transport *t, int from, int to)
{
	int			w;

	for (w = 0; w < t->outputs; w++)
		if (log_at(t, from, w) > -INFINITY && log_at(t, to, w) == -INFINITY)
			return false;
	return true;
}

static PaStatus
number_columns(Transport *t)
{
	int			i;
	int			j;

	t->columns = 0;
	for (i = 0; i < t->sources; i++)
	{
		if (t->environment->interrupted != NULL && t->environment->interrupted(t->environment->context))
			return PA_INTERRUPTED;
		for (j = 0; j < t->targets; j++)
			t->column[i * t->targets + j] = carries(t, t->source[i], t->target[j]) ? t->columns++ : -1;
	}
	return PA_OK;
}

/* What one source's weights need; x are the columns. */
static double
needed(const Transport *t, int i, const double *x)
{
	double		sum = 0;
	double		most = 0;
	int			w;
	int			j;

	for (j = 0; j < t->targets; j++)
		if (t->column[i * t->targets + j] >= 0)
			sum += x[t->column[i * t->targets + j]];
	if (!(sum > 0))
		return INFINITY;
	for (w = 0; w < t->outputs; w++)
	{
		double		slack = log_at(t, t->source[i], w);

		for (j = 0; slack > -INFINITY && j < t->targets; j++)
			if (t->column[i * t->targets + j] >= 0 && x[t->column[i * t->targets + j]] > 0)
				slack -= x[t->column[i * t->targets + j]] / sum * log_at(t, t->target[j], w);
		most = fmax(most, slack);
	}
	return most;
}

/* The excess of what arrives at a target, as a share of its mass */
static double
excess(const Transport *t, int j, const double *x)
{
	double		arrived = 0;
	int			i;
	int			k;

	for (i = 0; i < t->sources; i++)
	{
		double		sum = 0;

		for (k = 0; k < t->targets; k++)
			if (t->column[i * t->targets + k] >= 0)
				sum += x[t->column[i * t->targets + k]];
		if (t->column[i * t->targets + j] >= 0)
			arrived += t->from[i] * x[t->column[i * t->targets + j]] / sum;
	}
	return arrived / t->to[j] - 1 + 8 * DBL_EPSILON;
}

static double
certified(const Transport *t, double *x)
{
	double		epsilon = 0;
	double		over = 0;
	int			i;

	for (i = 0; i < t->columns; i++)
		x[i] = fmax(0.0, x[i]);
	for (i = 0; i < t->sources; i++)
		epsilon = fmax(epsilon, needed(t, i, x));
	for (i = 0; epsilon < INFINITY && i < t->targets; i++)
		over = fmax(over, excess(t, i, x));
	return epsilon + log1p(over);
}

static void
fill(const Transport *t, double *row, double *right)
{
	int			columns = t->columns + 1;
	int			least = t->sources * t->outputs;
	int			i;
	int			j;
	int			w;

	for (i = 0; i < t->sources; i++)
		for (w = 0; w < t->outputs; w++)
		{
			double	   *at = row + (size_t) (i * t->outputs + w) * (size_t) columns;
			double		own = log_at(t, t->source[i], w);

			if (own == -INFINITY)
				continue;		/* 0 <= 0 */
			at[t->columns] = -t->from[i];
			right[i * t->outputs + w] = -t->from[i] * own;
			for (j = 0; j < t->targets; j++)
				if (t->column[i * t->targets + j] >= 0)
					at[t->column[i * t->targets + j]] = -log_at(t, t->target[j], w);
		}
	for (i = 0; i < t->sources; i++)
		for (j = 0; j < t->targets; j++)
			if (t->column[i * t->targets + j] >= 0)
			{
				row[(size_t) (least + i) * (size_t) columns + (size_t) t->column[i * t->targets + j]] = 1;
				row[(size_t) (least + t->sources + j) * (size_t) columns + (size_t) t->column[i * t->targets + j]] = 1;
			}
	for (i = 0; i < t->sources; i++)
		right[least + i] = t->from[i];
	for (j = 0; j < t->targets; j++)
		right[least + t->sources + j] = t->to[j];
}

static PaStatus
solve(Transport *t, double *epsilon)
{
	size_t		columns = (size_t) t->columns + 1;
	size_t		rows = (size_t) t->sources * (size_t) t->outputs + (size_t) (t->sources + t->targets);
	size_t		size = (columns * rows + rows + 2 * columns) * sizeof(double);
	double	   *row;
	double	   *cost;
	PaLp		lp;
	PaStatus	status;

	*epsilon = INFINITY;
	if (t->columns == 0)
		return PA_OK;
	if ((double) columns * (double) rows > PA_LP_CELLS)
		return PA_INVALID;
	row = t->environment->allocate(t->environment->context, size);
	if (row == NULL)
		return PA_NO_MEMORY;
	memset(row, 0, size);
	cost = row + columns * rows + rows;
	cost[t->columns] = 1;
	fill(t, row, row + columns * rows);
	lp = (PaLp) {(int) columns, (int) rows, t->sources * t->outputs, cost, row, row + columns * rows};
	status = pa_lp_solve(&lp, t->environment, cost + columns, NULL, NULL);
	if (status == PA_OK)
		*epsilon = certified(t, cost + columns);
	t->environment->release(t->environment->context, row);
	return status == PA_NO_SOLUTION ? PA_OK : status;
}

static PaFault
fault_of_masks(const PaReleases *releases, const double *prior, const unsigned char *first, const unsigned char *second)
{
	PaFault		fault = pa_fault_of_distribution(prior, (size_t) releases->datasets);
	double		mass[2] = {0, 0};
	int			i;

	for (i = 0; fault == PA_FAULT_NONE && i < releases->datasets; i++)
	{
		if (first[i] && second[i])
			return PA_FAULT_SECRET;
		mass[0] += first[i] ? prior[i] : 0.0;
		mass[1] += second[i] ? prior[i] : 0.0;
	}
	return fault != PA_FAULT_NONE || (mass[0] > 0 && mass[1] > 0) ? fault : PA_FAULT_SECRET;
}

PaStatus
pa_release_transport(const PaReleases *releases, const double *prior,
					 const unsigned char *first, const unsigned char *second,
					 const PaEnvironment *environment, double *epsilon, PaFault *fault)
{
	Transport	t = {.releases = releases, .environment = environment};
	size_t		n = (size_t) releases->datasets;
	PaStatus	status = pa_releases_check(releases, fault);
	PaFault		found;
	double		best;
	int			k;

	if (status != PA_OK)
		return status;
	found = fault_of_masks(releases, prior, first, second);
	if (found != PA_FAULT_NONE)
		return pa_fault(fault, found);
	for (k = 0; k < releases->mechanisms; k++)
		t.outputs += releases->mechanism[k].outputs;
	t.log_p = environment->allocate(environment->context,
									n * ((size_t) t.outputs + 2) * sizeof(double) + n * (n + 2) * sizeof(int));
	if (t.log_p == NULL)
		return PA_NO_MEMORY;
	t.from = t.log_p + n * (size_t) t.outputs;
	t.to = t.from + n;
	t.source = (int *) (t.to + n);
	t.target = t.source + n;
	t.column = t.target + n;
	take_logs(&t);
	t.sources = gather(first, prior, releases->datasets, t.source, t.from);
	t.targets = gather(second, prior, releases->datasets, t.target, t.to);
	status = number_columns(&t);
	if (status == PA_OK)
		status = solve(&t, &best);
	environment->release(environment->context, t.log_p);
	if (status == PA_OK)
		*epsilon = best;
	return status == PA_INVALID ? pa_fault(fault, PA_FAULT_SIZE) : status;
}
