/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * number.h
 *		Data of the types that count as numbers, as doubles; and of dates and times:
 *		days and seconds since 2000-01-01.
 */
#ifndef PA_NUMBER_H
#define PA_NUMBER_H

#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/date.h"
#include "utils/timestamp.h"

#include "compat.h"

/* Booleans count as 0 and 1. */
static inline bool
pa_is_number_type(Oid type)
{
	switch (type)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
			return true;
		default:
			return false;
	}
}

static inline bool
pa_is_time_type(Oid type)
{
	return type == DATEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID;
}

/* The whole number in a datum; false for other types. */
static inline bool
pa_read_whole(Oid type, Datum datum, int64 *value)
{
	switch (type)
	{
		case BOOLOID:
			*value = DatumGetBool(datum);
			return true;
		case INT2OID:
			*value = DatumGetInt16(datum);
			return true;
		case INT4OID:
			*value = DatumGetInt32(datum);
			return true;
		case INT8OID:
			*value = DatumGetInt64(datum);
			return true;
		default:
			return false;
	}
}

/* The number, date or time in a datum; false for NaN and infinities, and for other types. */
static inline bool
pa_read_number(Oid type, Datum datum, double *value)
{
	int64		whole;

	if (pa_read_whole(type, datum, &whole))
	{
		*value = (double) whole;
		return true;
	}
	switch (type)
	{
		case FLOAT4OID:
			*value = DatumGetFloat4(datum);
			return isfinite(*value);
		case FLOAT8OID:
			*value = DatumGetFloat8(datum);
			return isfinite(*value);
		case NUMERICOID:
			*value = pa_numeric_to_double(datum);
			return isfinite(*value);
		case DATEOID:
			*value = DatumGetDateADT(datum);
			return !DATE_NOT_FINITE(DatumGetDateADT(datum));
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			*value = DatumGetTimestamp(datum) / (double) USECS_PER_SEC;
			return !TIMESTAMP_NOT_FINITE(DatumGetTimestamp(datum));
		default:
			return false;
	}
}

#endif							/* PA_NUMBER_H */
