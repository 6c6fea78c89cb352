/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decimal.h
 *		The number a person meant when a double was read: its shortest decimal.
 */
#ifndef PA_DECIMAL_H
#define PA_DECIMAL_H

#include <stdint.h>

#include "core/status.h"

typedef struct PaDecimal
{
	uint64_t	digits;			/* below 10^17 */
	int			exponent;		/* value = digits * 10^exponent; digits % 10 != 0 unless 0 */
} PaDecimal;

/* value finite and >= 0 */
extern PaStatus pa_decimal_shortest(double value, PaDecimal *decimal);

/* 10^power, 0 <= power <= 38 */
extern unsigned __int128 pa_power_of_ten(int power);

#endif							/* PA_DECIMAL_H */
