/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fault.c
 *		The words for each fault, and the checks that all priors share.
 */
#include "core/pufferfish/fault.h"

#include <math.h>

#define SUM_ERROR 1e-9

const char *
pa_fault_text(PaFault fault)
{
	switch (fault)
	{
		case PA_FAULT_NONE:
			return "nothing is wrong";
		case PA_FAULT_ENTRY:
			return "an entry is negative, infinite or not a number";
		case PA_FAULT_SUM:
			return "probabilities do not add up to 1";
		case PA_FAULT_UNREACHABLE:
			return "a state cannot be reached";
		case PA_FAULT_SYMMETRY:
			return "the covariance is not symmetric";
		case PA_FAULT_INDEFINITE:
			return "the covariance is not positive definite";
		case PA_FAULT_CONDITION:
			return "the covariance is too badly conditioned";
		case PA_FAULT_SECRET:
			return "a secret lies outside of the domain, or the secrets of a pair overlap";
		case PA_FAULT_EMPTY:
			return "no distribution meets the constraints";
		case PA_FAULT_SIZE:
			return "the prior is too large to be computed";
		case PA_FAULT_ARGUMENT:
			return "a parameter is out of its range";
	}
	return "unknown fault";
}

PaStatus
pa_fault(PaFault *where, PaFault fault)
{
	if (where != NULL)
		*where = fault;
	return PA_INVALID;
}

PaFault
pa_fault_of_entries(const double *p, size_t size)
{
	size_t		i;

	for (i = 0; i < size; i++)
		if (!(p[i] >= 0 && isfinite(p[i])))
			return PA_FAULT_ENTRY;
	return PA_FAULT_NONE;
}

PaFault
pa_fault_of_distribution(const double *p, size_t size)
{
	PaFault		fault = pa_fault_of_entries(p, size);
	double		sum = 0;
	size_t		i;

	for (i = 0; i < size; i++)
		sum += p[i];
	if (fault != PA_FAULT_NONE)
		return fault;
	return fabs(sum - 1.0) <= SUM_ERROR ? PA_FAULT_NONE : PA_FAULT_SUM;
}
