/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * amount.h
 *		Amounts of privacy as data of type numeric.
 */
#ifndef PA_AMOUNT_H
#define PA_AMOUNT_H

#include "postgres.h"

#include "core/accounting/budget.h"

/* The same number; nothing is lost. */
extern Datum pa_amount_datum(PaAmount amount);

#endif							/* PA_AMOUNT_H */
