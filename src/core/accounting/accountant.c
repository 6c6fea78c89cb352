/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accountant.c
 *		See accountant.h.
 */
#include "core/accounting/accountant.h"

#include <stddef.h>
#include <string.h>

static const PaAccountantForm forms[PA_ACCOUNTANTS] = {
	[PA_ACCOUNTANT_BASIC] = {.name = "basic", .currency = PA_CURRENCY_EPSILON},
	[PA_ACCOUNTANT_ZCDP] = {.name = "zcdp", .currency = PA_CURRENCY_RHO},
	[PA_ACCOUNTANT_PLAN] = {.name = "plan", .currency = PA_CURRENCY_EPSILON, .counts_uses = true},
};

const PaAccountantForm *
pa_accountant(PaAccountant accountant)
{
	return &forms[accountant];
}

bool
pa_accountant_by_name(const char *name, PaAccountant *accountant)
{
	int			i;

	for (i = 0; i < PA_ACCOUNTANTS; i++)
	{
		if (strcmp(name, forms[i].name) == 0)
		{
			*accountant = (PaAccountant) i;
			return true;
		}
	}
	return false;
}

static const struct Currency
{
	const char *name;
	size_t		part;			/* of PaCost */
}			currencies[] = {
	[PA_CURRENCY_EPSILON] = {"epsilon", offsetof(PaCost, epsilon)},
	[PA_CURRENCY_RHO] = {"rho", offsetof(PaCost, rho)},
};

_Static_assert(sizeof(currencies) / sizeof(currencies[0]) == PA_CURRENCIES, "a currency is no part of costs");

const char *
pa_currency_name(PaCurrency currency)
{
	return currencies[currency].name;
}

PaAmount *
pa_currency_part(PaCurrency currency, PaCost *cost)
{
	return (PaAmount *) ((char *) cost + currencies[currency].part);
}

PaAmount
pa_currency_of(PaCurrency currency, const PaCost *cost)
{
	return *(const PaAmount *) ((const char *) cost + currencies[currency].part);
}
