/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain_check.c
 *		Whether a chain can be used, and its stationary law.
 *
 * The law comes from elimination without subtraction (Grassmann, Taksar, Heyman):
 * states are taken out from the last to the first, the rest being the chain that
 * is watched only while it is among the states that remain.  Only sums, products
 * and quotients of numbers >= 0 occur, so each entry keeps its relative error.
 */
#include "core/pufferfish/chain.h"

#include <math.h>
#include <string.h>

static PaFault
fault_of_numbers(const PaChain *chain)
{
	PaFault		fault = PA_FAULT_NONE;
	int			i;

	if (chain->states < 2)
		return PA_FAULT_ARGUMENT;
	if (chain->states > PA_CHAIN_STATES)
		return PA_FAULT_SIZE;
	if (chain->length < 0 || (chain->length == 0 && chain->start != NULL))
		return PA_FAULT_ARGUMENT;
	if (chain->start != NULL && chain->length > PA_CHAIN_RADIUS)
		return PA_FAULT_SIZE;
	for (i = 0; fault == PA_FAULT_NONE && i < chain->states; i++)
		fault = pa_fault_of_distribution(chain->transition + i * chain->states, (size_t) chain->states);
	if (fault == PA_FAULT_NONE && chain->start != NULL)
		fault = pa_fault_of_distribution(chain->start, (size_t) chain->states);
	return fault;
}

/* Marks what can be reached from the marked states in at most "steps" steps, or against the arrows. */
static void
spread(const PaChain *chain, bool back, int64_t steps, bool *marked)
{
	bool		before[PA_CHAIN_STATES];
	bool		grown = true;
	int			m = chain->states;
	int			i;
	int			j;

	for (; grown && steps > 0; steps--)
	{
		grown = false;
		memcpy(before, marked, sizeof(before));
		for (i = 0; i < m; i++)
			for (j = 0; j < m; j++)
				if (before[i] && !marked[j] && chain->transition[back ? j * m + i : i * m + j] > 0)
					grown = marked[j] = true;
	}
}

static bool
all_marked(const bool *marked, int states)
{
	int			i;

	for (i = 0; i < states; i++)
		if (!marked[i])
			return false;
	return true;
}

/* With the stationary start: from each state to each other one */
static bool
irreducible(const PaChain *chain)
{
	bool		to[PA_CHAIN_STATES] = {true};
	bool		from[PA_CHAIN_STATES] = {true};

	spread(chain, false, chain->states, to);
	spread(chain, true, chain->states, from);
	return all_marked(to, chain->states) && all_marked(from, chain->states);
}

static bool
reached(const PaChain *chain)
{
	bool		marked[PA_CHAIN_STATES] = {false};
	int			i;

	for (i = 0; i < chain->states; i++)
		marked[i] = chain->start[i] > 0;
	spread(chain, false, chain->length - 1, marked);
	return all_marked(marked, chain->states);
}

PaStatus
pa_chain_check(const PaChain *chain, const PaEnvironment *environment, PaFault *fault)
{
	PaFault		found = fault_of_numbers(chain);

	(void) environment;
	if (found != PA_FAULT_NONE)
		return pa_fault(fault, found);
	if (!(chain->start == NULL ? irreducible(chain) : reached(chain)))
		return pa_fault(fault, PA_FAULT_UNREACHABLE);
	return PA_OK;
}

/* Takes out state k: its way out is spread over the states before it. */
static void
eliminate(double *p, int m, int k)
{
	double		out = 0;
	int			i;
	int			j;

	for (j = 0; j < k; j++)
		out += p[k * m + j];
	for (i = 0; i < k; i++)
		p[i * m + k] /= out;
	for (i = 0; i < k; i++)
		for (j = 0; j < k; j++)
			p[i * m + j] += p[i * m + k] * p[k * m + j];
}

PaStatus
pa_chain_stationary(const PaChain *chain, const PaEnvironment *environment, double *law, PaFault *fault)
{
	PaChain		any = {chain->states, chain->transition, NULL, 0, NULL};
	PaStatus	status = pa_chain_check(&any, environment, fault);
	int			m = chain->states;
	size_t		size = (size_t) m * (size_t) m * sizeof(double);
	double		sum = 1;
	double	   *p;
	int			i;
	int			k;

	if (status != PA_OK)
		return status;
	p = environment->allocate(environment->context, size);
	if (p == NULL)
		return PA_NO_MEMORY;
	memcpy(p, chain->transition, size);
	for (k = m - 1; k > 0; k--)
		eliminate(p, m, k);
	law[0] = 1;
	for (k = 1; k < m; k++)
	{
		law[k] = 0;
		for (i = 0; i < k; i++)
			law[k] += law[i] * p[i * m + k];
		sum += law[k];
	}
	for (k = 0; k < m; k++)
		law[k] /= sum;
	environment->release(environment->context, p);
	for (k = 0; k < m; k++)
		if (!(law[k] > 0x1p-900))	/* so rare that doubles do not hold it safely */
			return pa_fault(fault, PA_FAULT_UNREACHABLE);
	return PA_OK;
}
