/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accountant.h
 *		How a budget is kept: in which currency, and what is guarded.
 *
 * There is a row for each accountant (accountant.c).  Whoever needs to know asks the
 * row, not for its name; SQL does so through src/function/accountants.c.
 *	 basic	sums of epsilon and delta
 *	 zcdp	sums of rho, and of the delta of approximate zCDP
 *	 plan	uses of slots (plan.h); sums are kept, and guard nothing
 */
#ifndef PA_ACCOUNTANT_H
#define PA_ACCOUNTANT_H

#include <stdbool.h>

#include "core/accounting/currency.h"
#include "core/noise/kernel.h"

typedef enum PaAccountant
{
	PA_ACCOUNTANT_BASIC,
	PA_ACCOUNTANT_ZCDP,
	PA_ACCOUNTANT_PLAN,
	PA_ACCOUNTANTS
} PaAccountant;

typedef struct PaAccountantForm
{
	const char *name;			/* as it is declared */
	PaCurrency	currency;		/* of caps, prices and refusals */
	PaKernelKind kernel;		/* of policies that name none */
	bool		counts_uses;	/* slots decide, not sums */
} PaAccountantForm;

extern const PaAccountantForm *pa_accountant(PaAccountant accountant);

/* False if there is none of that name (case matters). */
extern bool pa_accountant_by_name(const char *name, PaAccountant *accountant);

#endif							/* PA_ACCOUNTANT_H */
