/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain_fit.c
 *		Rows of counts to rows of probabilities.
 */
#include "core/pufferfish/chain_fit.h"

#include <math.h>

#include "core/pufferfish/chain.h"

static PaFault
fault_of(int states, double tau)
{
	if (states < 2 || states > PA_CHAIN_STATES)
		return PA_FAULT_SIZE;
	return tau > 0 && tau * states < 1 ? PA_FAULT_NONE : PA_FAULT_ARGUMENT;
}

PaStatus
pa_chain_smooth(double *transition, int states, double tau, PaFault *fault)
{
	PaFault		wrong = fault_of(states, tau);
	int			i;
	int			j;

	if (wrong != PA_FAULT_NONE)
		return pa_fault(fault, wrong);
	for (i = 0; i < states; i++)
	{
		PaFault		found = pa_fault_of_distribution(transition + i * states, (size_t) states);

		if (found != PA_FAULT_NONE)
			return pa_fault(fault, found);
	}
	for (i = 0; i < states; i++)
	{
		double	   *row = transition + i * states;
		double		added = 0;

		for (j = 0; j < states; j++)
			added += row[j] == 0 ? tau : 0.0;
		for (j = 0; j < states; j++)
			row[j] = row[j] == 0 ? tau : row[j] * (1 - added);
	}
	return PA_OK;
}

PaStatus
pa_chain_fit(const double *counts, int states, double tau, double *transition, PaFault *fault)
{
	PaFault		wrong = fault_of(states, tau);
	int			i;
	int			j;

	if (wrong != PA_FAULT_NONE)
		return pa_fault(fault, wrong);
	if (pa_fault_of_entries(counts, (size_t) states * (size_t) states) != PA_FAULT_NONE)
		return pa_fault(fault, PA_FAULT_ENTRY);
	for (i = 0; i < states; i++)
	{
		double		sum = 0;

		for (j = 0; j < states; j++)
			sum += counts[i * states + j];
		if (!isfinite(sum))
			return pa_fault(fault, PA_FAULT_ENTRY);
		for (j = 0; j < states; j++)
			transition[i * states + j] = sum > 0 ? counts[i * states + j] / sum : 1.0 / states;
	}
	return pa_chain_smooth(transition, states, tau, fault);
}
