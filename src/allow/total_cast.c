/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * total_cast.c
 *		Casts from text that yield NULL where the built-in ones raise an error.
 *
 * Input functions raise errors, so the text is looked at first.  Numbers, booleans
 * and UUIDs are read as the built-in casts read them; dates and times in the form
 * of ISO 8601 only, and of the years 1 to 9999, for what other forms mean depends
 * on settings.
 */
#include "postgres.h"

#include <ctype.h>
#include <float.h>
#include <math.h>

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/float.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "size_limits.h"

#define MAX_EXPONENT 64			/* of a numeric */

/* The argument as a string without spaces around; NULL: it is too long. */
static char *
trimmed(FunctionCallInfo fcinfo)
{
	text	   *value;
	const char *first;
	const char *end;

	if (toast_raw_datum_size(PG_GETARG_DATUM(0)) > VARHDRSZ + PA_MAX_WORD_BYTES)
		return NULL;
	value = PG_GETARG_TEXT_PP(0);
	first = VARDATA_ANY(value);
	end = first + VARSIZE_ANY_EXHDR(value);
	while (first < end && isspace((unsigned char) *first))
		first++;
	while (first < end && isspace((unsigned char) end[-1]))
		end--;
	return pnstrdup(first, end - first);
}

static int
digits(const char **next)
{
	int			count = 0;

	for (; isdigit((unsigned char) **next); (*next)++)
		count++;
	return count;
}

static void
sign(const char **next)
{
	if (**next == '+' || **next == '-')
		(*next)++;
}

/* --- numbers --- */

static bool
is_integer(const char *string)
{
	const char *next = string;

	sign(&next);
	return digits(&next) > 0 && *next == '\0';
}

#define INTEGER(name, bits, least, most) \
PG_FUNCTION_INFO_V1(pa_total_text_##name); \
PGDLLEXPORT Datum \
pa_total_text_##name(PG_FUNCTION_ARGS) \
{ \
	const char *string = trimmed(fcinfo); \
	long long	value; \
\
	if (string == NULL || !is_integer(string)) \
		PG_RETURN_NULL(); \
	errno = 0; \
	value = strtoll(string, NULL, 10); \
	if (errno != 0 || value < (least) || value > (most)) \
		PG_RETURN_NULL(); \
	PG_RETURN_INT##bits((int##bits) value); \
}

INTEGER(int2, 16, PG_INT16_MIN, PG_INT16_MAX)
INTEGER(int4, 32, PG_INT32_MIN, PG_INT32_MAX)
INTEGER(int8, 64, PG_INT64_MIN, PG_INT64_MAX)

/* Digits, perhaps with a point, perhaps with an exponent; *exponent is what it says. */
static bool
is_decimal(const char *string, int *before, int *after, int *exponent)
{
	const char *next = string;

	sign(&next);
	*before = digits(&next);
	*after = 0;
	*exponent = 0;
	if (*next == '.')
	{
		next++;
		*after = digits(&next);
	}
	if (*before + *after == 0)
		return false;
	if (*next == 'e' || *next == 'E')
	{
		const char *first = ++next;

		sign(&next);
		if (digits(&next) == 0 || next - first > 5)
			return false;
		*exponent = atoi(first);
	}
	return *next == '\0';
}

PG_FUNCTION_INFO_V1(pa_total_text_numeric);
PGDLLEXPORT Datum
pa_total_text_numeric(PG_FUNCTION_ARGS)
{
	char	   *string = trimmed(fcinfo);
	int			before;
	int			after;
	int			exponent;

	if (string == NULL || !is_decimal(string, &before, &after, &exponent) || abs(exponent) > MAX_EXPONENT ||
		before + exponent > PA_MAX_DIGITS_BEFORE || before > PA_MAX_DIGITS_BEFORE || after - exponent > PA_MAX_DIGITS_AFTER ||
		after > PA_MAX_DIGITS_AFTER)
		PG_RETURN_NULL();
	return DirectFunctionCall3(numeric_in, CStringGetDatum(string), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

static bool
read_double(FunctionCallInfo fcinfo, double *value)
{
	char	   *string = trimmed(fcinfo);
	int			before;
	int			after;
	int			exponent;

	if (string == NULL || !is_decimal(string, &before, &after, &exponent))
		return false;
	errno = 0;
	*value = strtod(string, NULL);
	return errno == 0 && isfinite(*value);
}

PG_FUNCTION_INFO_V1(pa_total_text_float8);
PGDLLEXPORT Datum
pa_total_text_float8(PG_FUNCTION_ARGS)
{
	double		value;

	if (!read_double(fcinfo, &value))
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(value);
}

PG_FUNCTION_INFO_V1(pa_total_text_float4);
PGDLLEXPORT Datum
pa_total_text_float4(PG_FUNCTION_ARGS)
{
	double		value;

	if (!read_double(fcinfo, &value) || !isfinite((float4) value) || (value != 0 && fabs(value) < FLT_MIN))
		PG_RETURN_NULL();
	PG_RETURN_FLOAT4(strtof(trimmed(fcinfo), NULL));
}

PG_FUNCTION_INFO_V1(pa_total_text_bool);
PGDLLEXPORT Datum
pa_total_text_bool(PG_FUNCTION_ARGS)
{
	const char *string = trimmed(fcinfo);
	bool		value;

	if (string == NULL || !parse_bool_with_len(string, strlen(string), &value))
		PG_RETURN_NULL();
	PG_RETURN_BOOL(value);
}

/* --- uuid --- */

/* Groups of four digits, with or without a hyphen after each, all in braces or not. */
static bool
is_uuid(const char *string)
{
	bool		braces = *string == '{';

	string += braces;
	for (int group = 0; group < 8; group++)
	{
		for (int digit = 0; digit < 4; digit++)
			if (!isxdigit((unsigned char) *string++))
				return false;
		if (*string == '-' && group < 7)
			string++;
	}
	return braces ? strcmp(string, "}") == 0 : *string == '\0';
}

PG_FUNCTION_INFO_V1(pa_total_text_uuid);
PGDLLEXPORT Datum
pa_total_text_uuid(PG_FUNCTION_ARGS)
{
	char	   *string = toast_raw_datum_size(PG_GETARG_DATUM(0)) > VARHDRSZ + PA_MAX_WORD_BYTES ? NULL :
		text_to_cstring(PG_GETARG_TEXT_PP(0));

	if (string == NULL || !is_uuid(string))
		PG_RETURN_NULL();
	return DirectFunctionCall1(uuid_in, CStringGetDatum(string));
}

/* --- dates and times --- */

typedef struct Moment
{
	int			date;			/* days */
	int64		time;			/* microseconds */
	bool		zoned;
	int			zone;			/* seconds east of UTC */
} Moment;

/* So many digits as a number. */
static bool
take_digits(const char **next, int count, int *value)
{
	*value = 0;
	for (; count > 0; count--, (*next)++)
	{
		if (!isdigit((unsigned char) **next))
			return false;
		*value = *value * 10 + (**next - '0');
	}
	return true;
}

static bool
take_character(const char **next, char character)
{
	if (**next != character)
		return false;
	(*next)++;
	return true;
}

static bool
take_date(const char **next, int *date)
{
	int			year,
				month,
				day;

	if (!take_digits(next, 4, &year) || !take_character(next, '-') || !take_digits(next, 2, &month) ||
		!take_character(next, '-') || !take_digits(next, 2, &day))
		return false;
	if (year < 1 || month < 1 || month > 12 || day < 1 || day > day_tab[isleap(year)][month - 1])
		return false;
	*date = date2j(year, month, day) - POSTGRES_EPOCH_JDATE;
	return true;
}

/* :SS[.ffffff] */
static bool
take_seconds(const char **next, int64 *time)
{
	int			second;
	int			fraction = 0;
	int			places = 6;

	if (!take_character(next, ':'))
		return true;
	if (!take_digits(next, 2, &second) || second > 59)
		return false;
	if (take_character(next, '.'))
		for (; places > 0 && isdigit((unsigned char) **next); places--)
			fraction = fraction * 10 + (*(*next)++ - '0');
	for (; places > 0; places--)
		fraction *= 10;
	*time += second * USECS_PER_SEC + fraction;
	return true;
}

static bool
take_time(const char **next, int64 *time)
{
	int			hour,
				minute;

	if (!take_digits(next, 2, &hour) || !take_character(next, ':') || !take_digits(next, 2, &minute) || hour > 23 || minute > 59)
		return false;
	*time = hour * USECS_PER_HOUR + minute * USECS_PER_MINUTE;
	return take_seconds(next, time);
}

/* Z, or hours and perhaps minutes */
static bool
take_zone(const char **next, Moment *moment)
{
	int			hour,
				minute = 0;
	bool		west = **next == '-';

	if (**next == '\0')
		return true;
	moment->zoned = true;
	if (take_character(next, 'Z'))
		return true;
	if ((!take_character(next, '+') && !take_character(next, '-')) || !take_digits(next, 2, &hour) || hour > 15)
		return false;
	if (**next != '\0' && ((void) take_character(next, ':'), !take_digits(next, 2, &minute) || minute > 59))
		return false;
	moment->zone = (hour * SECS_PER_HOUR + minute * SECS_PER_MINUTE) * (west ? -1 : 1);
	return true;
}

/* YYYY-MM-DD, or YYYY-MM-DD HH:MM[:SS[.ffffff]][zone] with a space or T between */
static bool
read_moment(FunctionCallInfo fcinfo, Moment *moment)
{
	const char *next = trimmed(fcinfo);

	*moment = (Moment) {0};
	if (next == NULL || !take_date(&next, &moment->date))
		return false;
	if (*next == '\0')
		return true;
	return (take_character(&next, ' ') || take_character(&next, 'T')) && take_time(&next, &moment->time) &&
		take_zone(&next, moment) && *next == '\0';
}

PG_FUNCTION_INFO_V1(pa_total_text_date);
PGDLLEXPORT Datum
pa_total_text_date(PG_FUNCTION_ARGS)
{
	Moment		moment;

	if (!read_moment(fcinfo, &moment))
		PG_RETURN_NULL();
	PG_RETURN_DATEADT(moment.date);
}

static Timestamp
local_time(const Moment *moment)
{
	return moment->date * USECS_PER_DAY + moment->time;
}

PG_FUNCTION_INFO_V1(pa_total_text_timestamp);
PGDLLEXPORT Datum
pa_total_text_timestamp(PG_FUNCTION_ARGS)
{
	Moment		moment;

	if (!read_moment(fcinfo, &moment))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMP(local_time(&moment));
}

PG_FUNCTION_INFO_V1(pa_total_text_timestamptz);
PGDLLEXPORT Datum
pa_total_text_timestamptz(PG_FUNCTION_ARGS)
{
	Moment		moment;

	if (!read_moment(fcinfo, &moment))
		PG_RETURN_NULL();
	if (moment.zoned)
		PG_RETURN_TIMESTAMPTZ(local_time(&moment) - moment.zone * USECS_PER_SEC);
	return DirectFunctionCall1(timestamp_timestamptz, TimestampGetDatum(local_time(&moment)));
}
