/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exact.c
 *		The best noise of each kind by exact accounting, on the line.
 */
#include "exact.h"

#include <math.h>
#include <stdlib.h>

#include "core/accounting/pld.h"
#include "core/accounting/recycle.h"
#include "core/noise/continuous.h"

#define LEAST_ROUND 0x1p-12		/* as the module: a round is accepted at least that often */

bool
exact_plain(const Query *query, PaLaw *law)
{
	double		scale;
	PaStatus	status;

	if (query->shape == PA_GAUSSIAN)
		status = pa_gaussian_sigma(query->epsilon, query->delta, query->sensitivity, &scale);
	else
		status = pa_laplace_scale(query->epsilon, query->delta, query->sensitivity, &scale);
	return status == PA_OK && pa_law_plain(query->shape, PA_LINE, scale, law) == PA_OK;
}

bool
exact_recycled(const Query *query, PaLaw *law)
{
	return pa_recycle_best(query->shape, PA_LINE, query->theta, query->sensitivity,
						   query->epsilon, query->delta, LEAST_ROUND, law) == PA_OK;
}

bool
exact_staircase(const Query *query, PaLaw *law)
{
	return pa_law_staircase(PA_LINE, query->epsilon, query->sensitivity, query->theta, law) == PA_OK;
}

bool
exact_law(const Query *query, double scale, double q, PaLaw *law)
{
	return pa_law_recycled(query->shape, PA_LINE, scale, query->theta, 1 - q, law) == PA_OK;
}

double
exact_delta(const Query *query, double scale, double q)
{
	PaLaw		law;

	if (!exact_law(query, scale, q, &law))
		return NAN;
	return pa_law_delta(&law, query->sensitivity, query->epsilon);
}

double
exact_acceptance(bool (*choose) (const Query *query, PaLaw *law), const Query *query)
{
	PaLaw		law;

	return choose(query, &law) ? pa_law_acceptance(&law, query->theta) : NAN;
}

double
exact_composed_epsilon(const PaLaw *law, double sensitivity, int times, double delta)
{
	PaPart		part = {*law, sensitivity, 1};
	PaRun		run = {&part, 1, 0.0, 1.0, (uint64_t) times};
	double		epsilon;

	if (pa_compose_epsilon(&run, 1, delta, &plain_memory, &epsilon) != PA_OK)
		return NAN;
	return epsilon;
}
