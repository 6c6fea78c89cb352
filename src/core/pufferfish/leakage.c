/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leakage.c
 *		All outputs of k runs, up to their order.
 *
 * The likelihood of k runs does not depend on their order, so it is enough to
 * go through sequences that do not fall.  Each level of the recursion adds one run
 * to the log-likelihoods of all data sets.
 */
#include "core/pufferfish/composable.h"

#include <math.h>

#define MOST_WORK 0x1p32		/* sequences times data sets times secrets and priors */

typedef struct Leakage
{
	const PaReleases *releases;
	const PaSecrets *secrets;
	const PaEnvironment *environment;
	const double *prior;
	int			priors;
	int			k;
	double	   *log_p;			/* [w * datasets + D] of one run */
	double	   *level;			/* [runs * datasets + D] */
	double	   *chance;			/* [secret] ln Pr[outputs | secret] */
	double		most;
	bool		interrupted;
} Leakage;

/* ln of sum of prior e^likelihood over the mask, minus the same without likelihood; NAN without mass */
static double
log_chance(const Leakage *leakage, const double *likelihood, const double *prior, const unsigned char *mask)
{
	double		high = -INFINITY;
	double		mass = 0;
	double		sum = 0;
	int			d;

	for (d = 0; d < leakage->releases->datasets; d++)
		if (mask[d] && prior[d] > 0)
		{
			mass += prior[d];
			high = fmax(high, likelihood[d]);
		}
	if (!(mass > 0))
		return NAN;
	if (high == -INFINITY)
		return -INFINITY;
	for (d = 0; d < leakage->releases->datasets; d++)
		if (mask[d] && prior[d] > 0)
			sum += prior[d] * exp(likelihood[d] - high);
	return high + log(sum / mass);
}

static void
compare(Leakage *leakage, const double *likelihood)
{
	int			n = leakage->releases->datasets;
	int			i;
	int			s;

	for (i = 0; i < leakage->priors; i++)
	{
		for (s = 0; s < leakage->secrets->secrets; s++)
			leakage->chance[s] = log_chance(leakage, likelihood, leakage->prior + (size_t) i * (size_t) n,
											leakage->secrets->mask + (size_t) s * (size_t) n);
		/* 0/0 and secrets without mass give NAN, which is not larger */
		for (s = 0; s < leakage->secrets->pairs; s++)
		{
			PaSecretPair pair = leakage->secrets->pair[s];
			double		loss = leakage->chance[pair.first] - leakage->chance[pair.second];

			if (loss > leakage->most)
				leakage->most = loss;
		}
	}
}

static void
add_run(Leakage *leakage, int runs, int from)
{
	int			n = leakage->releases->datasets;
	double	   *before = leakage->level + (size_t) runs * (size_t) n;
	int			w;
	int			d;

	if (runs == leakage->k)
	{
		compare(leakage, before);
		leakage->interrupted = leakage->environment->interrupted != NULL &&
			leakage->environment->interrupted(leakage->environment->context);
		return;
	}
	for (w = from; w < leakage->releases->mechanism[0].outputs && !leakage->interrupted; w++)
	{
		for (d = 0; d < n; d++)
			before[n + d] = before[d] + leakage->log_p[(size_t) w * (size_t) n + (size_t) d];
		add_run(leakage, runs + 1, w);
	}
}

static double
work_of(const Leakage *leakage)
{
	double		sequences = 1;
	int			i;

	for (i = 1; i <= leakage->k; i++)
		sequences *= (double) (leakage->releases->mechanism[0].outputs - 1 + i) / i;
	return sequences * leakage->releases->datasets * leakage->priors * (leakage->secrets->secrets + 1.0);
}

static PaStatus
run(Leakage *leakage, double *result)
{
	const PaMechanism *mechanism = &leakage->releases->mechanism[0];
	size_t		n = (size_t) leakage->releases->datasets;
	size_t		size = n * ((size_t) mechanism->outputs + (size_t) leakage->k + 1) + (size_t) leakage->secrets->secrets;
	size_t		d;
	int			w;

	leakage->log_p = leakage->environment->allocate(leakage->environment->context, size * sizeof(double));
	if (leakage->log_p == NULL)
		return PA_NO_MEMORY;
	leakage->level = leakage->log_p + n * (size_t) mechanism->outputs;
	leakage->chance = leakage->level + n * (size_t) (leakage->k + 1);
	for (d = 0; d < n; d++)
	{
		leakage->level[d] = 0;
		for (w = 0; w < mechanism->outputs; w++)
			leakage->log_p[(size_t) w * n + d] = log(mechanism->likelihood[d * (size_t) mechanism->outputs + (size_t) w]);
	}
	add_run(leakage, 0, 0);
	leakage->environment->release(leakage->environment->context, leakage->log_p);
	if (leakage->interrupted)
		return PA_INTERRUPTED;
	*result = leakage->most;
	return PA_OK;
}

static PaFault
fault_of(const PaReleases *releases, const PaFinite *finite, const double *prior, int priors, int k)
{
	PaFault		fault = PA_FAULT_NONE;
	int			i;

	if (releases->mechanisms != 1 || priors < 1 || k < 1)
		return PA_FAULT_ARGUMENT;
	if (k > 1000)
		return PA_FAULT_SIZE;
	if (finite->cells != releases->datasets)
		return PA_FAULT_SECRET;
	for (i = 0; fault == PA_FAULT_NONE && i < priors; i++)
		fault = pa_fault_of_distribution(prior + (size_t) i * (size_t) releases->datasets, (size_t) releases->datasets);
	return fault;
}

PaStatus
pa_release_leakage(const PaReleases *releases, const PaFinite *finite, const double *prior, int priors, int k,
				   const PaEnvironment *environment, double *leakage, PaFault *fault)
{
	PaSecrets	secrets;
	Leakage		work = {.releases = releases, .secrets = &secrets, .environment = environment,
		.prior = prior, .priors = priors, .k = k};
	PaStatus	status = pa_releases_check(releases, fault);
	PaFault		found;

	if (status != PA_OK)
		return status;
	found = fault_of(releases, finite, prior, priors, k);
	if (found != PA_FAULT_NONE)
		return pa_fault(fault, found);
	status = pa_secrets_open(finite, environment, &secrets, fault);
	if (status != PA_OK)
		return status;
	status = work_of(&work) > MOST_WORK ? pa_fault(fault, PA_FAULT_SIZE) : run(&work, leakage);
	pa_secrets_release(&secrets, environment);
	return status;
}
