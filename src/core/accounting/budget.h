/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * budget.h
 *		Amounts of privacy, accounts and the filters that guard them.
 *
 * An amount is a decimal fixed-point number with PA_AMOUNT_DIGITS digits after
 * the point, so that ten charges of 0.1 are exactly 1 and sums never drift.
 * A cost that comes from a computation is rounded up, a cap is rounded down.
 *
 * Filters (both valid when every query is chosen after seeing all answers):
 *	 basic	sum epsilon <= cap.epsilon and sum delta <= cap.delta
 *			(Rogers, Roth, Ullman, Vadhan 2016; sums are a filter)
 *	 zcdp	sum rho <= cap.rho and sum delta <= cap.delta, delta being that of
 *			approximate zCDP (Bun, Steinke 2016, section 8; Feldman, Zrnic 2021)
 */
#ifndef PA_BUDGET_H
#define PA_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "core/accounting/accountant.h"

#define PA_AMOUNT_DIGITS 30
#define PA_AMOUNT_TEXT 48		/* bytes that hold any amount in decimal, NUL included */

typedef struct PaAccount
{
	PaAccountant accountant;
	PaCost		cap;
	PaCost		spent;
} PaAccount;

/*
 * A number as an amount: its shortest decimal form that reads back as the same
 * double, rounded up (or down) where it has more than PA_AMOUNT_DIGITS digits.
 * 0 <= value <= 1e6, else PA_INVALID.
 */
extern PaStatus pa_amount_from_double_up(double value, PaAmount *amount);
extern PaStatus pa_amount_from_double_down(double value, PaAmount *amount);

/*
 * Plain decimal text ("0.25", "12", ".5"; no sign, blank or exponent) of at
 * most 1e6; more digits than fit are rounded up.  PA_INVALID otherwise.
 */
extern PaStatus pa_amount_parse(const char *text, PaAmount *amount);

/* Shortest plain decimal text of an amount >= 0, no exponent. */
extern void pa_amount_print(PaAmount amount, char text[PA_AMOUNT_TEXT]);
extern double pa_amount_to_double(PaAmount amount);

/*
 * True iff the cost fits beside what is spent.  Negative costs never fit, and
 * under a plan no cost does: there only a slot that is left admits a release.
 */
extern bool pa_filter_admits(const PaAccount *account, const PaCost *cost);

/* Adds an admitted cost to what is spent. */
extern void pa_account_charge(PaAccount *account, const PaCost *cost);

/* cap - spent per part that the accountant guards (others 0; all, under a plan); 0 everywhere once a part is passed */
extern PaCost pa_account_left(const PaAccount *account);

/* How often the cost still fits; INT64_MAX if it costs nothing; 0 under a plan. */
extern int64_t pa_account_releases_left(const PaAccount *account, const PaCost *cost);

#endif							/* PA_BUDGET_H */
