/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * price.h
 *		The least that a release under a policy costs.
 *
 * A release may be noise and nothing else; what is looked at is then its time.
 * The floor bounds how many looks a budget buys.  It is decided here for
 * everybody: for previews, before a charge, and by the ledger as it charges.
 */
#ifndef PA_PRICE_H
#define PA_PRICE_H

#include "postgres.h"

#include "core/accounting/budget.h"

/*
 * The floor in the currency of the accountant, rounded up: what min_epsilon stands
 * for at cap->delta.  min_epsilon as decimal text; NULL: a ten-thousandth of the cap.
 * Under a plan 0: its slots are the floor.  False if min_epsilon is no amount, or
 * stands for none.
 */
extern bool pa_price_floor(PaAccountant accountant, const PaCost *cap, const char *min_epsilon, PaAmount *floor);

/* Whether a release of this cost may be made. */
extern bool pa_price_suffices(PaAccountant accountant, PaAmount floor, const PaCost *cost);

#endif							/* PA_PRICE_H */
