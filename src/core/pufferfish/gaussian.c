/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gaussian.c
 *		One Cholesky factor per node serves all b.
 *
 * With the rows ordered by |S_ij| from the least, L is a beginning of the order for
 * each b, its factor the upper left part of the whole one, and y = C^-1 S_Li the
 * beginning of one vector.  So sigma^2 = S_ii - |y_L|^2, and S_LL^-1 S_Li = C_LL^-T y_L
 * is one substitution per b.  In long double: the weights cancel much.
 *
 * The best r for a given mean lies at the end of the range of the mean: for r1 > r2
 * the difference h(r1) - h(r2) grows with mu, and r1 < r2 is the mirror image.
 */
#include "core/pufferfish/gaussian.h"

#include <gsl/gsl_sf_erf.h>
#include <math.h>
#include <string.h>

#include "core/optimize/golden.h"

#define GRID 256				/* intervals of r that are looked at before one is refined */
#define REFINED 1e-12			/* of an interval: then the maximum is known */

typedef struct Node
{
	const PaGaussianRows *rows;
	int			node;
	int			order[PA_GAUSSIAN_ROWS];	/* of the other rows */
	long double *factor;		/* lower, [i * n + j] in this order */
	long double y[PA_GAUSSIAN_ROWS];
	long double w[PA_GAUSSIAN_ROWS];
} Node;

typedef struct Gap
{
	double		mean;
	double		sigma;
	double		own;			/* deviation of the row by itself */
	double		width;
} Gap;

/* ln Pr[N(0, 1) > x] */
static double
log_tail(double x)
{
	return gsl_sf_log_erfc(x * M_SQRT1_2) - M_LN2;
}

/* ln Pr[low < N(0, 1) < high] */
static double
log_between(double low, double high)
{
	if (low < 0 && high > 0)
		return log1p(-exp(log_tail(-low)) - exp(log_tail(high)));
	if (high <= 0)
		return log_between(-high, -low);
	return log_tail(low) + log1p(-exp(log_tail(high) - log_tail(low)));
}

static double
h(const Gap *gap, double r)
{
	return log_between((r - gap->mean) / gap->sigma, (r + gap->width - gap->mean) / gap->sigma) -
		log_between(r / gap->own, (r + gap->width) / gap->own);
}

static double
h_at(void *gap, double r)
{
	return h(gap, r);
}

static double
minus_h_at(void *gap, double r)
{
	return -h(gap, r);
}

/* max - min of h over the secrets */
static double
spread(Gap *gap, double bound)
{
	double		low = -bound;
	double		high = bound - gap->width;
	double		step = (high - low) / GRID;
	double		best[2] = {-INFINITY, -INFINITY};	/* of h and of -h */
	int			at[2] = {0, 0};
	double		r;
	int			i;
	int			k;

	for (i = 0; i <= GRID; i++)
	{
		double		value = h(gap, i < GRID ? low + i * step : high);

		for (k = 0; k < 2; k++)
			if (!((k == 0 ? value : -value) <= best[k]))
			{
				best[k] = k == 0 ? value : -value;
				at[k] = i;
			}
	}
	for (k = 0; k < 2; k++)
		best[k] = fmax(best[k], pa_golden(k == 0 ? h_at : minus_h_at, gap, fmax(low, low + (at[k] - 1) * step),
										  fmin(high, low + (at[k] + 1) * step), REFINED * step, &r));
	return best[0] + best[1];
}

/* Least |S_ij| first; ties from the first row on, or from the last. */
static void
sort_rows(Node *node, bool backwards)
{
	int			n = node->rows->rows;
	const double *s = node->rows->covariance + node->node * n;
	int			count = 0;
	int			i;

	for (i = 0; i < n; i++)
	{
		int			row = backwards ? n - 1 - i : i;
		int			at = count;

		if (row == node->node)
			continue;
		for (; at > 0 && fabs(s[node->order[at - 1]]) > fabs(s[row]); at--)
			node->order[at] = node->order[at - 1];
		node->order[at] = row;
		count++;
	}
}

/* False if a pivot is not positive. */
static bool
factorise(Node *node)
{
	int			n = node->rows->rows;
	const double *s = node->rows->covariance;
	long double *c = node->factor;
	int			i;
	int			j;
	int			k;

	for (i = 0; i < n - 1; i++)
	{
		for (j = 0; j <= i; j++)
		{
			long double sum = s[node->order[i] * n + node->order[j]];

			for (k = 0; k < j; k++)
				sum -= c[i * n + k] * c[j * n + k];
			if (i == j && !(sum > 0))
				return false;
			c[i * n + j] = i == j ? sqrtl(sum) : sum / c[j * n + j];
		}
		node->y[i] = s[node->order[i] * n + node->node];
		for (k = 0; k < i; k++)
			node->y[i] -= c[i * n + k] * node->y[k];
		node->y[i] /= c[i * n + i];
	}
	return true;
}

/* ||S_LL^-1 S_Li||_1 for the first "size" rows of the order */
static double
weight(Node *node, int size)
{
	int			n = node->rows->rows;
	long double sum = 0;
	int			i;
	int			k;

	for (i = size - 1; i >= 0; i--)
	{
		node->w[i] = node->y[i];
		for (k = i + 1; k < size; k++)
			node->w[i] -= node->factor[k * n + i] * node->w[k];
		node->w[i] /= node->factor[i * n + i];
		sum += fabsl(node->w[i]);
	}
	return (double) sum;
}

static double
influence(Node *node, int size)
{
	const PaGaussianRows *rows = node->rows;
	long double own = rows->covariance[node->node * rows->rows + node->node];
	long double rest = own;
	Gap			gap;
	double		a;
	int			i;

	for (i = 0; i < size; i++)
		rest -= node->y[i] * node->y[i];
	gap = (Gap) {rows->bound * weight(node, size), (double) sqrtl(rest), (double) sqrtl(own), rows->width};
	if (gap.mean == 0)
		return 0.0;
	a = spread(&gap, rows->bound);
	return isnan(a) ? INFINITY : a;
}

/* Whether the first "size" rows of the order depend on how ties are broken */
static bool
tied(const Node *node, int size)
{
	const double *s = node->rows->covariance + node->node * node->rows->rows;

	return size > 0 && size < node->rows->rows - 1 &&
		fabs(s[node->order[size - 1]]) == fabs(s[node->order[size]]);
}

static PaStatus
find_points(Node *node, bool backwards, const PaEnvironment *environment, PaInfluence *point, PaFault *fault)
{
	int			n = node->rows->rows;
	int			b;

	sort_rows(node, backwards);
	if (!factorise(node))
		return pa_fault(fault, PA_FAULT_INDEFINITE);
	for (b = 1; b <= n; b++)
	{
		double		a;

		if (environment->interrupted != NULL && environment->interrupted(environment->context))
			return PA_INTERRUPTED;
		if (backwards && !tied(node, n - b))
			continue;
		a = influence(node, n - b);
		if (!backwards || a < point[b - 1].a)
			point[b - 1] = (PaInfluence) {a, b, -1, -1};
	}
	return PA_OK;
}

static PaStatus
node_curve(const PaGaussianRows *rows, int at, const PaEnvironment *environment,
		   PaInfluence *point, PaFault *fault)
{
	size_t		cells = (size_t) rows->rows * (size_t) rows->rows;
	size_t		align = _Alignof(long double);
	void	   *memory = environment->allocate(environment->context, cells * sizeof(long double) + align);
	Node		node = {.rows = rows, .node = at};
	PaStatus	status;

	if (memory == NULL)
		return PA_NO_MEMORY;
	/* the environment aligns for doubles only */
	node.factor = (long double *) (((uintptr_t) memory + align - 1) / align * align);
	status = find_points(&node, false, environment, point, fault);
	if (status == PA_OK)
		status = find_points(&node, true, environment, point, fault);
	environment->release(environment->context, memory);
	if (status == PA_OK)
		pa_curve_settle(point, rows->rows);
	return status;
}

PaStatus
pa_gaussian_node(const PaGaussianRows *rows, int node, const PaEnvironment *environment,
				 PaInfluence *point, PaFault *fault)
{
	PaInfluence made[PA_GAUSSIAN_ROWS];
	PaStatus	status = pa_gaussian_check(rows, environment, fault);

	if (status == PA_OK && (node < 0 || node >= rows->rows))
		return pa_fault(fault, PA_FAULT_SECRET);
	if (status == PA_OK)
		status = node_curve(rows, node, environment, made, fault);
	if (status == PA_OK)
		memcpy(point, made, (size_t) rows->rows * sizeof(PaInfluence));
	return status;
}

PaStatus
pa_gaussian_curve(const PaGaussianRows *rows, const PaEnvironment *environment,
				  PaInfluence *point, PaFault *fault)
{
	PaInfluence all[PA_GAUSSIAN_ROWS];
	PaInfluence one[PA_GAUSSIAN_ROWS];
	PaStatus	status = pa_gaussian_check(rows, environment, fault);
	int			node;

	for (node = 0; status == PA_OK && node < rows->rows; node++)
	{
		status = node_curve(rows, node, environment, node == 0 ? all : one, fault);
		if (status == PA_OK && node > 0)
			status = pa_curve_join(all, one, rows->rows, fault);
	}
	if (status == PA_OK)
		memcpy(point, all, (size_t) rows->rows * sizeof(PaInfluence));
	return status;
}
