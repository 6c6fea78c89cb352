/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * amount.c
 *		See amount.h.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "amount.h"

Datum
pa_amount_datum(PaAmount amount)
{
	char		text[PA_AMOUNT_TEXT];

	pa_amount_print(amount, text);
	return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}
