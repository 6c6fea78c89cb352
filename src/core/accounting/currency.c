/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * currency.c
 *		See currency.h.
 */
#include "core/accounting/currency.h"

#include <math.h>

#include "core/accounting/zcdp.h"

static double
epsilon_of_loss(double epsilon)
{
	return epsilon;
}

/* Bun, Steinke (2016), Proposition 1.4; and no loss is larger than epsilon. */
static double
rho_of_loss(double epsilon)
{
	return fmin(epsilon, epsilon * epsilon / 2);
}

static const PaCurrencyForm forms[] = {
	[PA_CURRENCY_EPSILON] = {
		.name = "epsilon",.part = offsetof(PaCost, epsilon),.of_loss = epsilon_of_loss
	},
	[PA_CURRENCY_RHO] = {
		.name = "rho",.part = offsetof(PaCost, rho),.of_loss = rho_of_loss,
		.cap = pa_zcdp_rho,.worth = pa_zcdp_epsilon,.samples_bounded_loss = true
	},
};

_Static_assert(sizeof(forms) / sizeof(forms[0]) == PA_CURRENCIES, "a currency has no row");

const PaCurrencyForm *
pa_currency(PaCurrency currency)
{
	return &forms[currency];
}

bool
pa_currency_is_converted(PaCurrency currency)
{
	return forms[currency].cap != NULL;
}

PaAmount *
pa_currency_part(PaCurrency currency, PaCost *cost)
{
	return (PaAmount *) ((char *) cost + forms[currency].part);
}

PaAmount
pa_currency_of(PaCurrency currency, const PaCost *cost)
{
	return *(const PaAmount *) ((const char *) cost + forms[currency].part);
}
