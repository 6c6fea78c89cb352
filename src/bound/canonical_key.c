/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * canonical_key.c
 *		One form for equal key values.
 *
 * Values that group together may still differ in what the client sees: 1.0 and
 * 1.00, 0 and -0, '1 day' and '24:00', 'a' and 'a  ' as char(n), and the same
 * text compressed or not (pg_column_size).  A group's values are those of the
 * row that was read first, so its form would be a fact about one owner that no
 * noise covers.  Keys that were not declared are therefore released in one form.
 */
#include "postgres.h"

#include <math.h>

#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "datatype/timestamp.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "compat/version.h"
#include "bound/canonical_key.h"
#include "compat.h"
#include "short_value.h"

/* No compression, no pointer to elsewhere; short header or long as forming a tuple decides. */
static Datum
plain(Datum value)
{
	struct varlena *copy = PG_DETOAST_DATUM_COPY(value);

	return PointerGetDatum(copy);
}

static double
canonical_float(double value)
{
	if (isnan(value))
		return get_float8_nan();
	return value == 0 ? 0 : value;
}

/*
 * Intervals are equal if they span the same time, a month being 30 days.  The
 * span is split anew.  One of more months than fit (178 million years) keeps the
 * rest in days, one of more days than fit in the time: as good a form, and
 * nothing overflows, since a month and a day count fit into 32 bits each.
 */
static Datum
canonical_interval(const Interval *value)
{
	const int64 month = DAYS_PER_MONTH * USECS_PER_DAY;
	int128		span = (int128) value->month * month + (int128) value->day * USECS_PER_DAY + value->time;
	int128		part;
	Interval   *result = palloc0(sizeof(Interval));

	part = span / month;
	result->month = (int32) Min(Max(part, PG_INT32_MIN), PG_INT32_MAX);
	span -= (int128) result->month * month;
	part = span / USECS_PER_DAY;
	result->day = (int32) Min(Max(part, PG_INT32_MIN), PG_INT32_MAX);
	result->time = (int64) (span - (int128) result->day * USECS_PER_DAY);
	return IntervalPGetDatum(result);
}

Datum
pa_canonical_key(Oid type, Datum value)
{
	switch (type)
	{
		case NUMERICOID:
			return DirectFunctionCall1(numeric_trim_scale, plain(value));
		case BPCHAROID:
			return DirectFunctionCall1(rtrim1, plain(value));
		case TEXTOID:
		case VARCHAROID:
			return plain(value);
		case FLOAT4OID:
			return Float4GetDatum((float4) canonical_float(DatumGetFloat4(value)));
		case FLOAT8OID:
			return Float8GetDatum(canonical_float(DatumGetFloat8(value)));
		case INTERVALOID:
			return canonical_interval(DatumGetIntervalP(value));
		default:				/* the other types of keys have one form only */
			return value;
	}
}

bool
pa_key_is_short(Oid type, Datum value)
{
	if (type == NUMERICOID)
		return pa_numeric_is_short(value);
	return get_typlen(type) != -1 || pa_value_is_short(value, PA_MAX_KEY_BYTES);
}

/* The length comes first, one that no value has for a NULL. */
void
pa_append_key(StringInfo bytes, Oid type, Datum value, bool isnull)
{
	int16		length;
	bool		by_value;
	int32		size = -1;
	char		word[sizeof(Datum)];
	const char *image = word;

	if (!isnull)
	{
		get_typlenbyval(type, &length, &by_value);
		value = pa_canonical_key(type, value);
		size = length == -1 ? (int32) VARSIZE_ANY_EXHDR(DatumGetPointer(value)) : length;
		if (by_value)
			store_att_byval(word, value, length);
		else
			image = length == -1 ? VARDATA_ANY(DatumGetPointer(value)) : DatumGetPointer(value);
	}
	appendBinaryStringInfo(bytes, (char *) &size, sizeof(size));
	if (!isnull)
		appendBinaryStringInfo(bytes, image, size);
}
