/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accountant.c
 *		See accountant.h.
 */
#include "core/accounting/accountant.h"

#include <string.h>

static const PaAccountantForm forms[] = {
	[PA_ACCOUNTANT_BASIC] = {.name = "basic",.currency = PA_CURRENCY_EPSILON,.kernel = PA_KERNEL_LAPLACE},
	[PA_ACCOUNTANT_ZCDP] = {.name = "zcdp",.currency = PA_CURRENCY_RHO,.kernel = PA_KERNEL_GAUSSIAN},
	[PA_ACCOUNTANT_PLAN] = {
		.name = "plan",.currency = PA_CURRENCY_EPSILON,.kernel = PA_KERNEL_LAPLACE,.counts_uses = true
	},
};

_Static_assert(sizeof(forms) / sizeof(forms[0]) == PA_ACCOUNTANTS, "an accountant has no row");

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
