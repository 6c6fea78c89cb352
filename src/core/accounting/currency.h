/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * currency.h
 *		In what budgets are spent, beside delta: epsilon, or rho of zCDP.
 *
 * A promise is always an (epsilon, delta), and what is spent is always shown as one.
 * Other currencies are converted to it and from it, at a part of the promise's delta
 * that pays for this.  There is a row for each (currency.c).
 */
#ifndef PA_CURRENCY_H
#define PA_CURRENCY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/random/random.h"
#include "core/status.h"

typedef PaInt128 PaAmount;		/* budget.h */

typedef struct PaCost
{
	PaAmount	epsilon;
	PaAmount	delta;
	PaAmount	rho;
} PaCost;

typedef enum PaCurrency
{
	PA_CURRENCY_EPSILON,
	PA_CURRENCY_RHO,
	PA_CURRENCIES
} PaCurrency;

typedef struct PaCurrencyForm
{
	const char *name;			/* in messages, and of the columns that have amounts of it */
	size_t		part;			/* of PaCost */

	/*
	 * The largest amount that implies (epsilon, delta), rounded down.  NULL where the
	 * currency is epsilon itself: then nothing is converted, no delta is needed, and
	 * noise spends the delta that it was made with.
	 */
	PaStatus	(*cap) (double epsilon, double delta, double *amount);

	/* The epsilon that an amount implies at delta, rounded up; INFINITY if none.  NULL as cap. */
	double		(*worth) (double amount, double delta);

	/* What a loss that is never larger than epsilon costs; not rounded up. */
	double		(*of_loss) (double epsilon);

	/* Noise whose loss has no bound costs as much on a sample as on all owners. */
	bool		samples_bounded_loss;
} PaCurrencyForm;

extern const PaCurrencyForm *pa_currency(PaCurrency currency);

/* Whether amounts of it are converted to an epsilon and from it. */
extern bool pa_currency_is_converted(PaCurrency currency);

extern PaAmount *pa_currency_part(PaCurrency currency, PaCost *cost);
extern PaAmount pa_currency_of(PaCurrency currency, const PaCost *cost);

#endif							/* PA_CURRENCY_H */
