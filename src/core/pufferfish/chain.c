/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain.c
 *		All sets around all rows of a chain.
 *
 * For row i of T and b rows in all, the sets that matter are (others are no
 * larger and tell more, as influences do not grow with the distance):
 *
 *	 windows	dl - 1 rows before and dr - 1 after, dl + dr = b + 1, dl < i, dr <= T - i
 *	 left end	all i - 1 rows before, b - i after: right(b - i + 1)
 *	 right end	all T - i rows after: left(b - T + i)
 *	 the whole	T <= b: nothing is told
 *
 * A chain of the stationary start with T > 2 b has a row with all windows and
 * no others, and no row tells more; that is the row of length 0.
 *
 * The curve is a maximum over pairs of minima over sets.  Once a set tells no more
 * than another pair's best one, the pair does not matter for this b; and the set
 * that was best for the last pair is tried first.  So nearly all pairs are done
 * with after one sum.
 *
 * Most of the time goes into influences at large distances, which balanced sets do
 * not need.  So a row inside is first looked at with a table of NEAR of the
 * distances.  Any sets give a bound; it is the least one if the sets left out, each
 * of which ends closer than b - radius on one side, tell no less by that side alone.
 */
#include "core/pufferfish/chain.h"

#include <float.h>
#include <math.h>

#include "core/pufferfish/chain_sides.h"

#define UP (1 + 4 * DBL_EPSILON)
#define MOST_CELLS 0x1p25		/* of a table: 256 MB */
#define NEAR(most) ((most) / 2 + (most) / 8 + 1)
#define SLACK 1e-9				/* of what rounding adds to influences that are next to nothing */

typedef struct Choice
{
	double		a;
	int			left;			/* rows before the secret's */
	int			right;
} Choice;

static bool
interrupted(const PaEnvironment *environment)
{
	return environment->interrupted != NULL && environment->interrupted(environment->context);
}

static void
take(Choice *best, double a, int64_t left, int64_t right)
{
	if (a < best->a)
		*best = (Choice) {a, (int) left, (int) right};
}

/* Sets that reach an end */
static void
try_ends(const PaChainSides *sides, int b, Choice *best)
{
	if (sides->before < b && sides->after < b && sides->before + sides->after < b)
		take(best, 0.0, sides->before, sides->after);
	else
	{
		if (sides->before < b)
			take(best, sides->right[b - sides->before - 1], sides->before, b - sides->before - 1);
		if (sides->after < b)
			take(best, sides->left[b - sides->after - 1], b - sides->after - 1, sides->after);
	}
}

static int64_t
smallest(int64_t x, int64_t y, int64_t z)
{
	int64_t		least = x < y ? x : y;

	return least < z ? least : z;
}

/* The best set of at most b rows, or any that tells at most "enough"; hint: rows before to try first */
static Choice
best_set(const PaChainSides *sides, int b, double enough, int hint)
{
	int			most = (int) smallest(sides->before, sides->radius, b);
	int			least = b + 1 - (int) smallest(sides->after, sides->radius, b);
	Choice		best = {INFINITY, -1, -1};
	int			dl;

	if (hint + 1 >= least && hint + 1 <= most)
		take(&best, sides->left[hint] + sides->right[b - 1 - hint], hint, b - 1 - hint);
	if (best.a <= enough)
		return best;
	try_ends(sides, b, &best);
	for (dl = least; dl <= most && best.a > enough; dl++)
		take(&best, sides->left[dl - 1] + sides->right[b - dl], dl - 1, b - dl);
	return best;
}

typedef struct Scan
{
	const PaChain *chain;
	const PaChainTable *table;
	const PaEnvironment *environment;
	double	   *left;			/* of the pair at hand, for a given start */
	int			most;
	PaInfluence *point;
	PaChainSides *decisive;		/* of the pair that a point is of */
} Scan;

/* Raises the points from "from" on by what a pair tells; a point that is not raised leaves a hint. */
static void
scan_pair(Scan *scan, const PaChainSides *sides, int from)
{
	int			b;

	for (b = from; b <= scan->most; b++)
	{
		PaInfluence *point = &scan->point[b - 1];
		Choice		best = best_set(sides, b, point->a, point->left);

		if (best.a > point->a)
		{
			*point = (PaInfluence) {best.a, b, best.left, best.right};
			scan->decisive[b - 1] = *sides;
		}
	}
}

static PaStatus
scan_row(Scan *scan, int64_t node, int from)
{
	int			m = scan->chain->states;
	PaChainSides sides;
	int			s;
	int			t;

	for (s = 0; s < m; s++)
	{
		if (interrupted(scan->environment))
			return PA_INTERRUPTED;
		for (t = 0; t < m; t++)
			if (s != t && pa_chain_sides(scan->chain, scan->table, node, s, t, scan->left, &sides))
				scan_pair(scan, &sides, from);
	}
	return PA_OK;
}

/* Whether the row inside tells all points */
static bool
is_inside(const PaChain *chain, int most)
{
	return chain->start == NULL && (chain->length == 0 || chain->length > 2 * (int64_t) most);
}

/* Points below "from" need the row inside only, the others all rows. */
static PaStatus
scan_all(Scan *scan)
{
	int64_t		length = scan->chain->length;
	bool		inside = scan->chain->start == NULL && (length == 0 || length > 2);
	int64_t		from = !inside ? 1 : length == 0 ? scan->most + 1 : (length + 1) / 2;
	int			most = scan->most;
	PaStatus	status = PA_OK;
	int64_t		node;

	if (inside)
	{
		scan->most = from <= most ? (int) from - 1 : most;
		status = scan_row(scan, 0, 1);
		scan->most = most;
	}
	for (node = 1; status == PA_OK && from <= most && node <= length; node++)
		status = scan_row(scan, node, (int) from);
	return status;
}

/* Whether no set that the table is too small for tells less */
static bool
is_least(const Scan *scan)
{
	int			radius = scan->table->radius;
	int			b;

	for (b = radius + 1; b <= scan->most; b++)
	{
		const PaChainSides *sides = &scan->decisive[b - 1];
		double		a = scan->point[b - 1].a - SLACK;

		if (a > 0 && (sides->left[b - radius - 1] < a || sides->right[b - radius - 1] < a))
			return false;
	}
	return true;
}

static PaStatus
make_curve(const PaChain *chain, const PaChainTable *table, int most, const PaEnvironment *environment,
		   PaInfluence *point, bool *least)
{
	size_t		left = (size_t) table->radius * sizeof(double);
	Scan		scan = {chain, table, environment, NULL, most, point, NULL};
	PaStatus	status;
	int			b;

	scan.left = environment->allocate(environment->context, left + (size_t) most * sizeof(PaChainSides));
	if (scan.left == NULL)
		return PA_NO_MEMORY;
	scan.decisive = (PaChainSides *) (scan.left + table->radius);
	for (b = 1; b <= most; b++)
		point[b - 1] = (PaInfluence) {-INFINITY, b, (b - 1) / 2, b / 2};
	status = scan_all(&scan);
	*least = status == PA_OK && (!is_inside(chain, most) || is_least(&scan));
	environment->release(environment->context, scan.left);
	for (b = 0; b < most; b++)
		point[b].a *= UP;
	pa_curve_settle(point, most);
	return status;
}

/* Distances that matter: no more than b, nor than there are rows */
static int
reach(const PaChain *chain, int most)
{
	int64_t		rows = chain->length == 0 ? most : chain->length - 1;
	int64_t		radius = rows < most ? rows : most;

	return radius > 0 ? (int) radius : 1;
}

/* The curve by the sets that end at most so far from the secret; least: no other set tells less */
static PaStatus
look_up_to(const PaChain *chain, int radius, int most, const PaEnvironment *environment,
		   PaInfluence *point, bool *least, PaFault *fault)
{
	PaChainTable table;
	PaStatus	status = pa_chain_table(chain, radius, environment, &table, fault);

	if (status != PA_OK)
		return status;
	status = make_curve(chain, &table, most, environment, point, least);
	pa_chain_table_release(&table, environment);
	return status;
}

PaStatus
pa_chain_curve(const PaChain *chain, int most, const PaEnvironment *environment,
			   PaInfluence *point, PaFault *fault)
{
	PaStatus	status = pa_chain_check(chain, environment, fault);
	PaInfluence *made;
	bool		least = false;
	int			b;

	if (status != PA_OK)
		return status;
	if (most < 1)
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	if (most > PA_CHAIN_RADIUS || (double) most * chain->states * chain->states > MOST_CELLS)
		return pa_fault(fault, PA_FAULT_SIZE);
	made = environment->allocate(environment->context, (size_t) most * sizeof(PaInfluence));
	if (made == NULL)
		return PA_NO_MEMORY;
	if (is_inside(chain, most))
		status = look_up_to(chain, NEAR(most), most, environment, made, &least, fault);
	if (status == PA_OK && !least)
		status = look_up_to(chain, reach(chain, most), most, environment, made, &least, fault);
	for (b = 0; status == PA_OK && b < most; b++)
		point[b] = made[b];
	environment->release(environment->context, made);
	return status;
}
