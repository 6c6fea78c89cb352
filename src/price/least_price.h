/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * least_price.h
 *		No release costs less than its policy wants.
 */
#ifndef PA_LEAST_PRICE_H
#define PA_LEAST_PRICE_H

#include "postgres.h"

#include "price/release.h"

/* Errors out, with the least epsilon to ask for, where a release costs less than the policy wants. */
extern void pa_require_least_price(const PaRelease *release);

/*
 * The same of one question to owners, which stands at that location of the statement;
 * sharing: how many of them share privacct.epsilon; 0: it has its own.
 */
extern void pa_require_least_price_of_question(const PaPolicy *policy, double epsilon, int sharing,
											   const char *source, int location);

#endif							/* PA_LEAST_PRICE_H */
