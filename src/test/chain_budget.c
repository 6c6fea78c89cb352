/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain_budget.c
 *		What is spent of a chain row by row, and the epsilon per row that a pair bears.
 *
 * A set H = l..r around row i tells left(i - l + 1) + right(r - i + 1), where the side
 * that reaches the end tells nothing.  So both a(H) and the sum over H fall into a
 * part of l and one of r, and the minimum is taken over each alone.
 *
 * The limit of a pair is the largest E with g(E) <= eps for g(E) = min over H of
 * a(H) + E |H|.  From below, the H that attains g(E) has a limit of its own above E
 * unless g(E) = eps; each step is to another H with fewer rows, so there are at most
 * T of them (Dinkelbach's method).
 */
#include "chain_budget.h"

#include <float.h>
#include <math.h>

#include "core/pufferfish/chain_sides.h"
#include "core/pufferfish/odometer.h"

#define MOST_CELLS 0x1p25
#define UP(length) (1 + ((double) (length) + 8) * DBL_EPSILON)

typedef struct Rows
{
	const PaChain *chain;
	PaChainTable table;
	const PaEnvironment *environment;
	double	   *scratch;
	int			length;
} Rows;

/* Part of the best set on one side */
typedef struct Part
{
	double		cost;			/* influence + sum of what its rows cost */
	double		a;
	int			rows;			/* besides the secret's own */
} Part;

static bool
interrupted(const PaEnvironment *environment)
{
	return environment->interrupted != NULL && environment->interrupted(environment->context);
}

static PaStatus
open_rows(const PaChain *chain, const PaEnvironment *environment, Rows *rows, PaFault *fault)
{
	PaStatus	status = pa_chain_check(chain, environment, fault);
	int			radius = chain->length > 1 ? (int) chain->length - 1 : 1;

	if (status != PA_OK)
		return status;
	if (chain->length == 0)
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	if (chain->length > PA_CHAIN_RADIUS || (double) radius * chain->states * chain->states > MOST_CELLS)
		return pa_fault(fault, PA_FAULT_SIZE);
	*rows = (Rows) {chain, {0}, environment, NULL, (int) chain->length};
	rows->scratch = environment->allocate(environment->context, (size_t) radius * sizeof(double));
	if (rows->scratch == NULL)
		return PA_NO_MEMORY;
	status = pa_chain_table(chain, radius, environment, &rows->table, fault);
	if (status != PA_OK)
		environment->release(environment->context, rows->scratch);
	return status;
}

static void
close_rows(Rows *rows)
{
	pa_chain_table_release(&rows->table, rows->environment);
	rows->environment->release(rows->environment->context, rows->scratch);
}

/*
 * The cheapest part: k rows cost the sum of the first k of cost[0], cost[step], ...,
 * and tell side[k]; all "most" of them tell nothing.
 */
static Part
cheapest(const double *side, int64_t most, const double *cost, int step)
{
	Part		best = {INFINITY, INFINITY, 0};
	double		sum = 0;
	int			k;

	for (k = 0; k <= most; k++)
	{
		double		a = k < most ? side[k] : 0.0;

		if (k > 0)
			sum += cost[(k - 1) * step];
		if (a + sum < best.cost)
			best = (Part) {a + sum, a, k};
	}
	return best;
}

static double
spent_on(const PaChainSides *sides, const double *own)
{
	return *own + cheapest(sides->left, sides->before, own - 1, -1).cost +
		cheapest(sides->right, sides->after, own + 1, 1).cost;
}

PaStatus
pa_chain_spent(const PaChain *chain, const double *sum, const PaEnvironment *environment,
			   double *spent, PaFault *fault)
{
	double		most = 0;
	Rows		rows;
	PaStatus	status = open_rows(chain, environment, &rows, fault);
	PaChainSides sides;
	int			node;
	int			s;
	int			t;

	if (status != PA_OK)
		return status;
	if (pa_fault_of_entries(sum, (size_t) rows.length) != PA_FAULT_NONE)
		status = pa_fault(fault, PA_FAULT_ENTRY);
	for (node = 1; status == PA_OK && node <= rows.length; node++)
	{
		for (s = 0; s < chain->states; s++)
			for (t = 0; t < chain->states; t++)
				if (s != t && pa_chain_sides(chain, &rows.table, node, s, t, rows.scratch, &sides))
					most = fmax(most, spent_on(&sides, &sum[node - 1]));
		if (interrupted(environment))
			status = PA_INTERRUPTED;
	}
	close_rows(&rows);
	if (status == PA_OK)
		*spent = most * UP(rows.length);
	return status;
}

/* min over H of a(H) + E |H|, and that H */
static double
least_at(const PaChainSides *sides, double each, Part *whole)
{
	Part		left = cheapest(sides->left, sides->before, &each, 0);
	Part		right = cheapest(sides->right, sides->after, &each, 0);

	*whole = (Part) {left.cost + right.cost + each, left.a + right.a, left.rows + right.rows + 1};
	return whole->cost;
}

/* The limit of a pair if it is below "most", else "most" */
static double
limit_of(const PaChainSides *sides, double epsilon, double most)
{
	double		each = epsilon / (double) (sides->before + sides->after + 1);
	Part		best;

	if (least_at(sides, most, &best) <= epsilon)
		return most;
	for (;;)
	{
		double		better;

		least_at(sides, each, &best);
		better = (epsilon - best.a) / best.rows;
		if (!(better > each))
			return each;
		each = better;
	}
}

/* What H tells of the worst pair at a row, or anything above "enough" */
static double
told(Rows *rows, int node, int left, int right, double enough)
{
	int			m = rows->chain->states;
	double		most = 0;
	PaChainSides sides;
	int			s;
	int			t;

	for (s = 0; s < m && most <= enough; s++)
		for (t = 0; t < m && most <= enough; t++)
			if (s != t && pa_chain_sides(rows->chain, &rows->table, node, s, t, rows->scratch, &sides))
				most = fmax(most, (left < sides.before ? sides.left[left] : 0.0) +
							(right < sides.after ? sides.right[right] : 0.0));
	return most;
}

/* The limit of one H for all pairs, the best of a row */
static double
limit_of_row(Rows *rows, int node, double epsilon)
{
	double		best = epsilon / rows->length;
	int			left;
	int			right;

	for (left = 0; left < node; left++)
		for (right = 0; right <= rows->length - node; right++)
		{
			int			size = left + right + 1;

			if (epsilon / size > best)
				best = fmax(best, (epsilon - told(rows, node, left, right, epsilon - best * size)) / size);
		}
	return best;
}

static PaStatus
limit_rows(Rows *rows, double epsilon, PaChainLimits *limits)
{
	int			m = rows->chain->states;
	PaChainSides sides;
	int			node;
	int			s;
	int			t;

	limits->node = limits->pair = epsilon;
	for (node = 1; node <= rows->length; node++)
	{
		if (interrupted(rows->environment))
			return PA_INTERRUPTED;
		for (s = 0; s < m; s++)
			for (t = 0; t < m; t++)
				if (s != t && pa_chain_sides(rows->chain, &rows->table, node, s, t, rows->scratch, &sides))
					limits->pair = limit_of(&sides, epsilon, limits->pair);
		limits->node = fmin(limits->node, limit_of_row(rows, node, epsilon));
	}
	limits->node /= UP(rows->length);
	limits->pair /= UP(rows->length);
	return PA_OK;
}

static PaStatus
limit_curve(const PaChain *chain, double epsilon, const PaEnvironment *environment, double *limit, PaFault *fault)
{
	int			most = (int) chain->length;
	PaInfluence *point = environment->allocate(environment->context, (size_t) most * sizeof(PaInfluence));
	PaCurve		curve = {point, most, most};
	PaStatus	status;

	if (point == NULL)
		return PA_NO_MEMORY;
	status = pa_chain_curve(chain, most, environment, point, fault);
	if (status == PA_OK)
		status = pa_pufferfish_limit(&curve, epsilon, limit, NULL, fault);
	environment->release(environment->context, point);
	return status;
}

PaStatus
pa_chain_limits(const PaChain *chain, double epsilon, const PaEnvironment *environment,
				PaChainLimits *limits, PaFault *fault)
{
	PaChainLimits made;
	Rows		rows;
	PaStatus	status;

	if (!(epsilon >= 0 && isfinite(epsilon)))
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	status = open_rows(chain, environment, &rows, fault);
	if (status != PA_OK)
		return status;
	status = limit_rows(&rows, epsilon, &made);
	close_rows(&rows);
	if (status == PA_OK)
		status = limit_curve(chain, epsilon, environment, &made.curve, fault);
	if (status == PA_OK)
		*limits = made;
	return status;
}
