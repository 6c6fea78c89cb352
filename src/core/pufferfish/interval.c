/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * interval.c
 *		Every set of rows, every value of the others, every pair.
 *
 * Closed form for boxes on the joint law.  Let A be the mass of (x_L, s), A' the
 * rest of s, B that of (x_L, s'), B' the rest of s', C all else: five numbers in
 * intervals (sums of the cells'), of the sum 1.  The quotient is
 *		A/(A + A') (B + B')/B.
 * For given p = A + A', q = B + B' the best are A = min(A high, p - A' low) and
 * B = max(B low, q - B' high); then the first factor grows in p up to p* = A high +
 * A' low and falls beyond, the second does with q up to q* = B low + B' high.  C
 * allows s0 <= p + q <= s1.  If p* + q* is allowed, that is it.  If it is too large,
 * the best lies on p + q = s1 below both, where the logarithm is concave with its
 * top at p = sqrt(A' low s1); if too small, on p + q = s0 above both, where it is
 * convex, so at an end.  Where p may fall to 0, which takes A low = A' low = 0, the
 * largest quotient may be that limit, which no law attains.
 */
#include "core/pufferfish/interval.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/pufferfish/fractional.h"

#define MOST_WORK 0x1p30

typedef struct Work
{
	const PaFinite *finite;
	const PaIntervals *intervals;
	const PaSecrets *secrets;
	const PaEnvironment *environment;
	PaPolytope	polytope;
	int		   *key;
	int		   *block;
	unsigned char *over;
	unsigned char *under;
	double	   *least;			/* [pair * (entries + 1) + b] */
} Work;

typedef struct Range
{
	double		low;
	double		high;
} Range;

typedef struct Groups
{
	Range		a;
	Range		a_rest;
	Range		b;
	Range		b_rest;
	Range		c;
} Groups;

static const unsigned char *
mask_of(const Work *work, int secret)
{
	return work->secrets->mask + (size_t) secret * (size_t) work->secrets->cells;
}

static Groups
gather(const Work *work, PaSecretPair pair, int key)
{
	const unsigned char *first = mask_of(work, pair.first);
	const unsigned char *second = mask_of(work, pair.second);
	Groups		groups = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
	int			i;

	for (i = 0; i < work->finite->cells; i++)
	{
		bool		here = work->key[i] == key;
		Range	   *range = first[i] ? (here ? &groups.a : &groups.a_rest) :
			second[i] ? (here ? &groups.b : &groups.b_rest) : &groups.c;

		range->low += work->intervals->low[i];
		range->high += work->intervals->high[i];
	}
	return groups;
}

/*
 * ln of the quotient at p and q, or its limit as p falls to 0: then all of p may be
 * A.  "dust" is what rounding can have made of sums.  Nothing counts if one of the
 * masses cannot be above 0, which is known exactly.
 */
static double
quotient_at(const Groups *groups, double p, double q, double dust)
{
	double		a = fmax(0.0, fmin(groups->a.high, p - groups->a_rest.low)) + dust;
	double		b = fmax(groups->b.low, q - groups->b_rest.high - dust);

	if (groups->a.high == 0 || (groups->b.high == 0 && groups->b_rest.high == 0))
		return -INFINITY;
	return b > 0 ? (p > 0 ? log(fmin(a / p, 1.0)) : 0.0) + log(fmax(q, 0.0) / b) : INFINITY;
}

static double
clamp(double x, double low, double high)
{
	return fmax(low, fmin(high, x));
}

static double
joint_quotient(const Groups *groups, double dust)
{
	double		p = groups->a.high + groups->a_rest.low;
	double		q = groups->b.low + groups->b_rest.high;
	double		p_low = groups->a.low + groups->a_rest.low;
	double		p_high = groups->a.high + groups->a_rest.high;
	double		q_low = groups->b.low + groups->b_rest.low;
	double		q_high = groups->b.high + groups->b_rest.high;
	double		s = clamp(p + q, 1 - groups->c.high, 1 - groups->c.low);
	double		low;
	double		high;

	if (s < p + q)
	{
		low = fmax(p_low, s - q);
		high = fmin(p, s - q_low);
		p = clamp(sqrt(groups->a_rest.low * s), low, high);
		return quotient_at(groups, p, s - p, dust);
	}
	if (s > p + q)
	{
		low = fmax(p, s - q_high);
		high = fmin(p_high, s - q);
		return fmax(quotient_at(groups, low, s - low, dust), quotient_at(groups, high, s - high, dust));
	}
	return quotient_at(groups, p, q, dust);
}

/* over: cells of a secret with the key; under: all cells of a secret, or those with the key */
static void
mark(const Work *work, int secret, int key, unsigned char *cells)
{
	const unsigned char *mask = mask_of(work, secret);
	int			i;

	for (i = 0; i < work->finite->cells; i++)
		cells[i] = mask[i] && (key < 0 || work->key[i] == key);
}

static PaStatus
quotient(Work *work, PaSecretPair pair, int key, double *log_ratio)
{
	const PaEnvironment *environment = work->environment;
	double		first = 1;
	double		second = 1;
	PaStatus	status;

	if (work->intervals->mode == PA_INTERVAL_CONDITIONAL)
	{
		mark(work, pair.first, key, work->over);
		mark(work, pair.second, key, work->under);
		status = pa_fractional_bound(&work->polytope, work->over, work->under, environment, &first);
	}
	else
	{
		mark(work, pair.first, key, work->over);
		mark(work, pair.first, -1, work->under);
		status = pa_fractional_bound(&work->polytope, work->over, work->under, environment, &first);
		mark(work, pair.second, -1, work->over);
		mark(work, pair.second, key, work->under);
		if (status == PA_OK)
			status = pa_fractional_bound(&work->polytope, work->over, work->under, environment, &second);
		first = fmin(first, 1.0);
	}
	if (status == PA_OK)
		*log_ratio = first > 0 && second > 0 ? log(first) + log(second) : -INFINITY;
	return status;
}

/* The largest quotient over the values of the rows outside of H */
static PaStatus
influence(Work *work, PaSecretPair pair, int keys, double *most)
{
	double		dust = 4 * DBL_EPSILON * (work->finite->cells + 4);
	PaStatus	status = PA_OK;
	int			key;

	*most = 0;
	for (key = 0; status == PA_OK && keys > 1 && key < keys; key++)
	{
		double		log_ratio = -INFINITY;

		if (work->environment->interrupted != NULL && work->environment->interrupted(work->environment->context))
			return PA_INTERRUPTED;
		if (work->intervals->mode == PA_INTERVAL_JOINT)
		{
			Groups		groups = gather(work, pair, key);

			log_ratio = joint_quotient(&groups, dust);
		}
		else
			status = quotient(work, pair, key, &log_ratio);
		if (!(log_ratio <= 0))	/* also what is not a number, so that it cannot pass for little */
			*most = isnan(log_ratio) ? INFINITY : fmax(*most, log_ratio * (1 + 8 * DBL_EPSILON) + 8 * DBL_EPSILON);
	}
	return status;
}

static PaStatus
try_sets(Work *work)
{
	int			n = work->finite->entries;
	PaStatus	status = PA_OK;
	unsigned	high;
	int			i;

	for (i = 0; i < work->secrets->pairs * (n + 1); i++)
		work->least[i] = INFINITY;
	for (high = 1; status == PA_OK && high < 1u << n; high++)
	{
		int			keys = pa_finite_keys(work->finite, high, work->key);

		for (i = 0; status == PA_OK && i < work->secrets->pairs; i++)
		{
			double	   *least = &work->least[i * (n + 1) + __builtin_popcount(high)];
			double		most;

			status = influence(work, work->secrets->pair[i], keys, &most);
			if (status == PA_OK)
				*least = fmin(*least, most);
		}
	}
	return status;
}

/* Blocks: all cells together, or those of each secret */
static PaFault
make_blocks(Work *work)
{
	int			cells = work->finite->cells;
	bool		joint = work->intervals->mode != PA_INTERVAL_CONDITIONAL;
	int			secret;
	int			i;

	for (i = 0; i < cells; i++)
		work->block[i] = joint ? 0 : -1;
	for (secret = 0; !joint && secret < work->secrets->secrets; secret++)
		for (i = 0; i < cells; i++)
			if (mask_of(work, secret)[i])
			{
				if (work->block[i] >= 0)
					return PA_FAULT_SECRET;
				work->block[i] = secret;
			}
	work->polytope = (PaPolytope) {cells, work->intervals->low, work->intervals->high, work->block,
		joint ? 1 : work->secrets->secrets, work->intervals->constraints,
		work->intervals->row, work->intervals->right};
	return PA_FAULT_NONE;
}

static PaFault
fault_of(const PaFinite *finite, const PaIntervals *intervals)
{
	int			i;

	if (finite->entries < 1 || intervals->constraints < 0 ||
		(intervals->mode == PA_INTERVAL_JOINT && intervals->constraints > 0))
		return PA_FAULT_ARGUMENT;
	if (finite->cells > PA_INTERVAL_CELLS || intervals->constraints > PA_INTERVAL_CELLS)
		return PA_FAULT_SIZE;
	for (i = 0; i < finite->cells; i++)
		if (!(intervals->low[i] >= 0 && intervals->low[i] <= intervals->high[i] && intervals->high[i] <= 1))
			return PA_FAULT_ENTRY;
	for (i = 0; i < intervals->constraints * finite->cells; i++)
		if (!isfinite(intervals->row[i]))
			return PA_FAULT_ENTRY;
	for (i = 0; i < intervals->constraints; i++)
		if (!isfinite(intervals->right[i]))
			return PA_FAULT_ENTRY;
	return PA_FAULT_NONE;
}

static PaStatus
allocate(Work *work)
{
	size_t		cells = (size_t) work->finite->cells;
	size_t		least = (size_t) work->secrets->pairs * (size_t) (work->finite->entries + 1);

	work->least = work->environment->allocate(work->environment->context,
											  least * sizeof(double) + 2 * cells * (sizeof(int) + 1));
	if (work->least == NULL)
		return PA_NO_MEMORY;
	work->key = (int *) (work->least + least);
	work->block = work->key + cells;
	work->over = (unsigned char *) (work->block + cells);
	work->under = work->over + cells;
	return PA_OK;
}

static PaStatus
fill_points(Work *work, PaInfluence *point, PaFault *fault)
{
	int			n = work->finite->entries;
	PaFault		found = make_blocks(work);
	PaStatus	status;
	int			i;
	int			b;

	if (found != PA_FAULT_NONE)
		return pa_fault(fault, found);
	status = pa_polytope_check(&work->polytope, work->environment);
	if (status == PA_NO_SOLUTION)
		return pa_fault(fault, PA_FAULT_EMPTY);
	if (status == PA_OK)
		status = try_sets(work);
	for (b = 1; status == PA_OK && b <= n; b++)
	{
		point[b - 1] = (PaInfluence) {0.0, b, -1, -1};
		for (i = 0; i < work->secrets->pairs; i++)
			point[b - 1].a = fmax(point[b - 1].a, work->least[i * (n + 1) + b]);
	}
	return status;
}

PaStatus
pa_interval_curve(const PaFinite *finite, const PaIntervals *intervals,
				  const PaEnvironment *environment, PaInfluence *point, PaFault *fault)
{
	PaInfluence made[PA_FINITE_ENTRIES];
	PaSecrets	secrets;
	Work		work = {.finite = finite, .intervals = intervals, .secrets = &secrets, .environment = environment};
	PaFault		found = fault_of(finite, intervals);
	PaStatus	status;

	if (found != PA_FAULT_NONE)
		return pa_fault(fault, found);
	status = pa_secrets_open(finite, environment, &secrets, fault);
	if (status != PA_OK)
		return status;
	if (ldexp((double) finite->cells * finite->cells * secrets.pairs, finite->entries) > MOST_WORK)
		status = pa_fault(fault, PA_FAULT_SIZE);
	else
		status = allocate(&work);
	if (status == PA_OK)
	{
		status = fill_points(&work, made, fault);
		environment->release(environment->context, work.least);
	}
	pa_secrets_release(&secrets, environment);
	if (status != PA_OK)
		return status;
	pa_curve_settle(made, finite->entries);
	memcpy(point, made, (size_t) finite->entries * sizeof(PaInfluence));
	return PA_OK;
}
