/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accountant.h
 *		How a budget is kept: in which currency, and what is guarded.
 *
 * There is a row for each accountant (accountant.c).  Whoever needs to know asks the
 * row, not for its name:
 *	 basic	sums of epsilon and delta
 *	 zcdp	sums of rho, and of the delta of approximate zCDP
 *	 plan	uses of slots (plan.h); sums are kept, and guard nothing
 */
#ifndef PA_ACCOUNTANT_H
#define PA_ACCOUNTANT_H

#include <stdbool.h>

#include "core/random/random.h"

typedef PaInt128 PaAmount;		/* budget.h */

typedef struct PaCost
{
	PaAmount	epsilon;
	PaAmount	delta;
	PaAmount	rho;
} PaCost;

typedef enum PaAccountant
{
	PA_ACCOUNTANT_BASIC,
	PA_ACCOUNTANT_ZCDP,
	PA_ACCOUNTANT_PLAN,
	PA_ACCOUNTANTS
} PaAccountant;

/* What is spent, beside delta. */
typedef enum PaCurrency
{
	PA_CURRENCY_EPSILON,
	PA_CURRENCY_RHO,
	PA_CURRENCIES
} PaCurrency;

/* "epsilon", "rho" */
extern const char *pa_currency_name(PaCurrency currency);
extern PaAmount *pa_currency_part(PaCurrency currency, PaCost *cost);
extern PaAmount pa_currency_of(PaCurrency currency, const PaCost *cost);

typedef struct PaAccountantForm
{
	const char *name;			/* as it is declared */
	PaCurrency	currency;		/* of caps, prices and refusals */
	bool		counts_uses;	/* slots decide, not sums */
} PaAccountantForm;

extern const PaAccountantForm *pa_accountant(PaAccountant accountant);

/* False if there is none of that name (case matters). */
extern bool pa_accountant_by_name(const char *name, PaAccountant *accountant);

#endif							/* PA_ACCOUNTANT_H */
