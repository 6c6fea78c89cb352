/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decimal.c
 *		Shortest decimal form of a double, as integers.
 *
 * Tries 15, 16, then 17 significant digits; 17 always read back as the same
 * double.  The decimal point of printf follows the locale, so it is skipped,
 * whatever its bytes are, and digits are read back without one.
 */
#include "core/accounting/decimal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Takes "d<point>ddd...e+-xx" apart. */
static PaDecimal
read_scientific(const char *text, int precision)
{
	PaDecimal	decimal = {0, -precision};

	for (; *text != 'e' && *text != '\0'; text++)
	{
		if (isdigit((unsigned char) *text))
			decimal.digits = decimal.digits * 10 + (uint64_t) (*text - '0');
	}
	if (*text == 'e')
		decimal.exponent += atoi(text + 1);
	while (decimal.digits != 0 && decimal.digits % 10 == 0)
	{
		decimal.digits /= 10;
		decimal.exponent++;
	}
	return decimal;
}

static double
value_of(const PaDecimal *decimal)
{
	char		text[48];

	snprintf(text, sizeof(text), "%llue%d", (unsigned long long) decimal->digits, decimal->exponent);
	return strtod(text, NULL);
}

PaStatus
pa_decimal_shortest(double value, PaDecimal *decimal)
{
	int			precision;

	if (!isfinite(value) || value < 0)
		return PA_INVALID;
	for (precision = 14; precision <= 16; precision++)
	{
		char		text[48];

		snprintf(text, sizeof(text), "%.*e", precision, value);
		*decimal = read_scientific(text, precision);
		if (value_of(decimal) == value)
			break;
	}
	return PA_OK;
}

unsigned __int128
pa_power_of_ten(int power)
{
	unsigned __int128 result = 1;

	while (power-- > 0)
		result *= 10;
	return result;
}
