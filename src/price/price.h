/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * price.h
 *		What a release costs beside its noise: the price of time.
 */
#ifndef PA_RELEASE_PRICE_H
#define PA_RELEASE_PRICE_H

#include "postgres.h"

#include "price/release.h"

#define PA_LONGEST_DELAY 10000000	/* microseconds that noise on time may hold a release back */

/*
 * The delay, in steps of PA_ROW_WORK_MICROSECONDS, under a policy with noise on time: it hides
 * the time of all rows that an owner may have, or of one row.  PA_OUT_OF_RANGE if it
 * could last longer than PA_LONGEST_DELAY.
 */
extern PaStatus pa_price_delay(const PaPolicy *policy, bool one_row, PaDelayLaw *delay);

/*
 * A part of a cost, rounded up; errors out if it is more than the ledger can record.
 * value >= 0.
 */
extern PaAmount pa_price_amount(double value);

/* What time costs under the policy with such a delay; all 0 without one. */
extern PaCost pa_price_of_time(const PaPolicy *policy, const PaDelayLaw *delay);

/* Where the policy has noise on time: chooses the delay of a release, and adds its price to the cost. */
extern bool pa_price_add_time(PaRelease *release, PaProblem *problem);

/* Whether rows are read at all: then the policy's least price holds. */
extern bool pa_price_is_look(const PaRelease *release);

#endif							/* PA_RELEASE_PRICE_H */
