/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * binary.c
 *		The two corners of a box of chains.
 */
#include "core/pufferfish/binary.h"

#include <math.h>

static PaFault
fault_of(const PaBinaryChains *chains)
{
	double		p[4] = {chains->p_low, chains->p_high, chains->q_low, chains->q_high};
	PaFault		fault = pa_fault_of_entries(p, 4);

	if (fault != PA_FAULT_NONE)
		return fault;
	if (chains->p_low > chains->p_high || chains->q_low > chains->q_high ||
		chains->p_high > 1 || chains->q_high > 1)
		return PA_FAULT_ARGUMENT;
	return chains->p_high < 1 && chains->q_high < 1 ? PA_FAULT_NONE : PA_FAULT_UNREACHABLE;
}

static PaStatus
corner(double p, double q, const PaBinaryChains *chains, int most, const PaEnvironment *environment,
	   PaInfluence *point, PaFault *fault)
{
	double		transition[4] = {p, 1 - p, 1 - q, q};
	PaChain		chain = {2, transition, NULL, chains->length, NULL};

	return pa_chain_curve(&chain, most, environment, point, fault);
}

/* Joins the lower corner to the upper one. */
static PaStatus
add_lower(const PaBinaryChains *chains, int most, const PaEnvironment *environment,
		  PaInfluence *point, PaFault *fault)
{
	PaInfluence *lower = environment->allocate(environment->context, (size_t) most * sizeof(PaInfluence));
	PaStatus	status;

	if (lower == NULL)
		return PA_NO_MEMORY;
	status = corner(chains->p_low, chains->q_low, chains, most, environment, lower, fault);
	if (status == PA_OK)
		status = pa_curve_join(point, lower, most, fault);
	environment->release(environment->context, lower);
	return status;
}

PaStatus
pa_binary_curve(const PaBinaryChains *chains, int most, const PaEnvironment *environment,
				PaInfluence *point, PaFault *fault)
{
	PaFault		found = fault_of(chains);
	bool		upper = chains->p_high + chains->q_high > 1;
	bool		lower = chains->p_low + chains->q_low < 1;
	PaStatus	status;

	if (found != PA_FAULT_NONE)
		return pa_fault(fault, found);
	if (!upper && lower)
		return corner(chains->p_low, chains->q_low, chains, most, environment, point, fault);
	status = corner(chains->p_high, chains->q_high, chains, most, environment, point, fault);
	if (status == PA_OK && upper && lower)
		status = add_lower(chains, most, environment, point, fault);
	return status;
}
