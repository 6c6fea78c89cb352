/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.c
 *		Marginals of every set of rows, for every secret.
 *
 * Marginals are sums of at most "cells" numbers >= 0, hence right within cells u;
 * a quotient of two conditional ones within 4 cells u, added to the logarithm.
 */
#include "core/pufferfish/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_WORK 0x1p34		/* cells times secrets times sets */

typedef struct Work
{
	const PaFinite *finite;
	const PaSecrets *secrets;
	const PaEnvironment *environment;
	int		   *key;
	double	   *marginal;		/* [secret * cells + key] */
	double	   *mass;			/* [secret] */
	double	   *most;			/* [pair]: largest influence of the set at hand, over the priors */
	double	   *least;			/* [pair * (entries + 1) + b]: smallest of these for b rows */
} Work;

static bool
interrupted(const PaEnvironment *environment)
{
	return environment->interrupted != NULL && environment->interrupted(environment->context);
}

static void
sum_up(Work *work, const double *prior)
{
	int			cells = work->finite->cells;
	int			secret;
	int			cell;

	memset(work->marginal, 0, (size_t) work->secrets->secrets * (size_t) cells * sizeof(double));
	for (secret = 0; secret < work->secrets->secrets; secret++)
	{
		const unsigned char *mask = work->secrets->mask + (size_t) secret * (size_t) cells;
		double	   *marginal = work->marginal + (size_t) secret * (size_t) cells;

		work->mass[secret] = 0;
		for (cell = 0; cell < cells; cell++)
			if (mask[cell])
			{
				marginal[work->key[cell]] += prior[cell];
				work->mass[secret] += prior[cell];
			}
	}
}

static double
influence(const Work *work, PaSecretPair pair, int keys)
{
	int			cells = work->finite->cells;
	const double *first = work->marginal + (size_t) pair.first * (size_t) cells;
	const double *second = work->marginal + (size_t) pair.second * (size_t) cells;
	double		most = 0;
	int			i;

	if (!(work->mass[pair.first] > 0 && work->mass[pair.second] > 0))
		return -INFINITY;
	if (keys == 1)
		return 0.0;
	for (i = 0; i < keys; i++)
		if (first[i] > 0)
			most = fmax(most, log(first[i] / work->mass[pair.first]) - log(second[i] / work->mass[pair.second]));
	return most + (4.0 * cells + 16 + 4 * most) * DBL_EPSILON;
}

/* One set of rows under all priors */
static void
try_set(Work *work, const double *prior, int priors, unsigned high)
{
	int			n = work->finite->entries;
	int			keys = pa_finite_keys(work->finite, high, work->key);
	int			k;
	int			i;

	for (i = 0; i < work->secrets->pairs; i++)
		work->most[i] = 0;
	for (k = 0; k < priors; k++)
	{
		sum_up(work, prior + (size_t) k * (size_t) work->finite->cells);
		for (i = 0; i < work->secrets->pairs; i++)
			work->most[i] = fmax(work->most[i], influence(work, work->secrets->pair[i], keys));
	}
	for (i = 0; i < work->secrets->pairs; i++)
	{
		double	   *least = &work->least[i * (n + 1) + __builtin_popcount(high)];

		*least = fmin(*least, work->most[i]);
	}
}

static PaStatus
try_sets(Work *work, const double *prior, int priors, PaInfluence *point)
{
	int			n = work->finite->entries;
	unsigned	high;
	int			i;
	int			b;

	for (i = 0; i < work->secrets->pairs * (n + 1); i++)
		work->least[i] = INFINITY;
	for (high = 1; high < 1u << n; high++)
	{
		if (interrupted(work->environment))
			return PA_INTERRUPTED;
		try_set(work, prior, priors, high);
	}
	for (b = 1; b <= n; b++)
	{
		point[b - 1] = (PaInfluence) {0.0, b, -1, -1};
		for (i = 0; i < work->secrets->pairs; i++)
			point[b - 1].a = fmax(point[b - 1].a, work->least[i * (n + 1) + b]);
	}
	return PA_OK;
}

static PaStatus
allocate(Work *work)
{
	size_t		cells = (size_t) work->finite->cells;
	size_t		secrets = (size_t) work->secrets->secrets;
	size_t		least = (size_t) work->secrets->pairs * (size_t) (work->finite->entries + 1);
	size_t		pairs = (size_t) work->secrets->pairs;
	size_t		doubles = (cells + 1) * secrets + pairs + least;

	work->marginal = work->environment->allocate(work->environment->context,
												 doubles * sizeof(double) + cells * sizeof(int));
	if (work->marginal == NULL)
		return PA_NO_MEMORY;
	work->mass = work->marginal + cells * secrets;
	work->most = work->mass + secrets;
	work->least = work->most + pairs;
	work->key = (int *) (work->least + least);
	return PA_OK;
}

static PaStatus
curve_of(Work *work, const double *prior, int priors, PaInfluence *point, PaFault *fault)
{
	int			cells = work->finite->cells;
	PaStatus	status;

	if (ldexp((double) cells * work->secrets->secrets * priors, work->finite->entries) > MOST_WORK)
		return pa_fault(fault, PA_FAULT_SIZE);
	status = allocate(work);
	if (status != PA_OK)
		return status;
	status = try_sets(work, prior, priors, point);
	work->environment->release(work->environment->context, work->marginal);
	if (status == PA_OK)
		pa_curve_settle(point, work->finite->entries);
	return status;
}

PaStatus
pa_table_curve(const PaFinite *finite, const double *prior, int priors,
			   const PaEnvironment *environment, PaInfluence *point, PaFault *fault)
{
	PaInfluence made[PA_FINITE_ENTRIES];
	PaSecrets	secrets;
	Work		work = {.finite = finite, .secrets = &secrets, .environment = environment};
	PaStatus	status;
	int			i;

	if (priors < 1 || finite->entries < 1)
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	status = pa_secrets_open(finite, environment, &secrets, fault);
	if (status != PA_OK)
		return status;
	for (i = 0; status == PA_OK && i < priors; i++)
	{
		PaFault		found = pa_fault_of_distribution(prior + (size_t) i * (size_t) finite->cells,
													 (size_t) finite->cells);

		if (found != PA_FAULT_NONE)
			status = pa_fault(fault, found);
	}
	if (status == PA_OK)
		status = curve_of(&work, prior, priors, made, fault);
	pa_secrets_release(&secrets, environment);
	if (status == PA_OK)
		memcpy(point, made, (size_t) finite->entries * sizeof(PaInfluence));
	return status;
}
