/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * price.c
 *		See price.h.
 */
#include "postgres.h"

#include <float.h>

#include "catalog/price.h"

#define DEFAULT_PART 10000		/* of the cap */

/* What epsilon stands for; the conversion rounds down, what it lacks is put back. */
static bool
convert(PaCurrency currency, PaAmount delta, PaAmount *amount)
{
	double		epsilon = pa_amount_to_double(*amount) * (1 + 4 * DBL_EPSILON);
	double		value;

	return pa_currency(currency)->cap(epsilon, pa_amount_to_double(delta), &value) == PA_OK &&
		pa_amount_from_double_up(value * (1 + 1e-12), amount) == PA_OK;
}

bool
pa_price_floor(PaAccountant accountant, const PaCost *cap, const char *min_epsilon, PaAmount *floor)
{
	const PaAccountantForm *form = pa_accountant(accountant);

	*floor = 0;
	if (form->counts_uses)
		return true;
	if (min_epsilon == NULL)
	{
		*floor = (pa_currency_of(form->currency, cap) + DEFAULT_PART - 1) / DEFAULT_PART;
		return true;
	}
	if (pa_amount_parse(min_epsilon, floor) != PA_OK)
		return false;
	return !pa_currency_is_converted(form->currency) || convert(form->currency, cap->delta, floor);
}

bool
pa_price_suffices(PaAccountant accountant, PaAmount floor, const PaCost *cost)
{
	const PaAccountantForm *form = pa_accountant(accountant);

	return form->counts_uses || pa_currency_of(form->currency, cost) >= floor;
}
