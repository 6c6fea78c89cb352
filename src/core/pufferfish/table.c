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
	double	   *least;			/* [pair * (entries + 1) + b]: smallest influence of b rows */
} Work;

static bool
interrupted(const PaEnvironment *environment)
{
	return environment->interrupted != NULL && environment->interrupted(environment->context);
}

static void
sum_up(Work *work, const double *prior, unsigned high)
{
	int			cells = work->finite->cells;
	int			secret;
	int			cell;

	pa_finite_keys(work->finite, high, work->key);
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

static PaStatus
try_sets(Work *work, const double *prior)
{
	int			n = work->finite->entries;
	unsigned	high;

	for (high = 0; high < 1u << n; high++)
	{
		int			b = __builtin_popcount(high);
		int			keys;
		int			i;

		if (interrupted(work->environment))
			return PA_INTERRUPTED;
		sum_up(work, prior, high);
		keys = pa_finite_keys(work->finite, high, work->key);
		for (i = 0; i < work->secrets->pairs; i++)
		{
			double	   *least = &work->least[i * (n + 1) + b];

			*least = fmin(*least, influence(work, work->secrets->pair[i], keys));
		}
	}
	return PA_OK;
}

static PaStatus
add_prior(Work *work, const double *prior, PaInfluence *point)
{
	int			n = work->finite->entries;
	PaStatus	status;
	int			i;
	int			b;

	for (i = 0; i < work->secrets->pairs * (n + 1); i++)
		work->least[i] = INFINITY;
	status = try_sets(work, prior);
	for (i = 0; status == PA_OK && i < work->secrets->pairs; i++)
		for (b = 1; b <= n; b++)
			point[b - 1].a = fmax(point[b - 1].a, work->least[i * (n + 1) + b]);
	return status;
}

static PaStatus
allocate(Work *work)
{
	size_t		cells = (size_t) work->finite->cells;
	size_t		secrets = (size_t) work->secrets->secrets;
	size_t		least = (size_t) work->secrets->pairs * (size_t) (work->finite->entries + 1);
	size_t		doubles = (cells + 1) * secrets + least;

	work->marginal = work->environment->allocate(work->environment->context,
												 doubles * sizeof(double) + cells * sizeof(int));
	if (work->marginal == NULL)
		return PA_NO_MEMORY;
	work->mass = work->marginal + cells * secrets;
	work->least = work->mass + secrets;
	work->key = (int *) (work->least + least);
	return PA_OK;
}

static PaStatus
curve_of(Work *work, const double *prior, int priors, PaInfluence *point, PaFault *fault)
{
	int			cells = work->finite->cells;
	PaStatus	status;
	int			i;

	if (ldexp((double) cells * work->secrets->secrets * priors, work->finite->entries) > MOST_WORK)
		return pa_fault(fault, PA_FAULT_SIZE);
	status = allocate(work);
	for (i = 0; i < work->finite->entries; i++)
		point[i] = (PaInfluence) {0.0, i + 1, -1, -1};
	for (i = 0; status == PA_OK && i < priors; i++)
		status = add_prior(work, prior + (size_t) i * (size_t) cells, point);
	if (work->marginal != NULL)
		work->environment->release(work->environment->context, work->marginal);
	pa_curve_settle(point, work->finite->entries);
	return status;
}

PaStatus
pa_table_curve(const PaFinite *finite, const double *prior, int priors,
			   const PaEnvironment *environment, PaInfluence *point, PaFault *fault)
{
	PaInfluence made[PA_FINITE_ENTRIES];
	PaSecrets	secrets;
	Work		work = {finite, &secrets, environment, NULL, NULL, NULL, NULL};
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
