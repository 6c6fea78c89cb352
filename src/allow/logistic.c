/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * logistic.c
 *		privacct.logistic(): a number of any size as a share.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"

/* An exponential that overflows is infinite, and its reciprocal 0: no error on any row. */
PG_FUNCTION_INFO_V1(pa_logistic);
PGDLLEXPORT Datum
pa_logistic(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(1 / (1 + exp(-PG_GETARG_FLOAT8(0))));
}
