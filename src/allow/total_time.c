/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * total_time.c
 *		Date and time arithmetic that yields NULL where the built-in could raise
 *		an error.
 *
 * An argument counts only if it is ordinary: a finite date or timestamp of the
 * years 1 to 9999, an interval of at most a thousand years.  On such arguments
 * every built-in called here stays far inside the range of its type, so it
 * raises no error; on any other the answer is NULL.
 */
#include "postgres.h"

#include "fmgr.h"
#include "parser/scansup.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#include "compat/zones.h"
#include "allow/made_constants.h"
#include "allow/zone_name.h"

#define FIRST_DAY (-730119)		/* 0001-01-01 in days since 2000-01-01 */
#define LAST_DAY 2921939		/* 9999-12-31 */
#define MAX_DAYS 365250			/* a thousand years */

static bool
ordinary_days(int64 days)
{
	return days >= FIRST_DAY && days <= LAST_DAY;
}

static bool
ordinary_timestamp(Timestamp timestamp)
{
	return timestamp >= FIRST_DAY * USECS_PER_DAY && timestamp < (LAST_DAY + INT64CONST(1)) * USECS_PER_DAY;
}

static bool
ordinary_interval(const Interval *interval)
{
	return interval->month >= -12000 && interval->month <= 12000 &&
		interval->day >= -MAX_DAYS && interval->day <= MAX_DAYS &&
		interval->time >= -MAX_DAYS * USECS_PER_DAY && interval->time <= MAX_DAYS * USECS_PER_DAY;
}

#define D(n) ordinary_days(PG_GETARG_DATEADT(n))
#define N(n) (PG_GETARG_INT32(n) >= -MAX_DAYS && PG_GETARG_INT32(n) <= MAX_DAYS)
#define T(n) ordinary_timestamp(PG_GETARG_TIMESTAMP(n))
#define I(n) ordinary_interval(PG_GETARG_INTERVAL_P(n))

/* a divisor of at least one in size cannot enlarge */
#define Q(n) (PG_GETARG_FLOAT8(n) >= 1 || PG_GETARG_FLOAT8(n) <= -1)

/* NULL unless the condition holds, else what the expression says */
#define GUARDED(name, condition, expression) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	if (!(condition)) \
		PG_RETURN_NULL(); \
	return expression; \
}

#define SWAPPED(function) DirectFunctionCall2(function, PG_GETARG_DATUM(1), PG_GETARG_DATUM(0))

GUARDED(date_pli, D(0) && N(1), date_pli(fcinfo))
GUARDED(date_mii, D(0) && N(1), date_mii(fcinfo))
GUARDED(integer_pl_date, N(0) && D(1), SWAPPED(date_pli))
GUARDED(date_mi, D(0) && D(1), date_mi(fcinfo))
GUARDED(date_pl_interval, D(0) && I(1), date_pl_interval(fcinfo))
GUARDED(date_mi_interval, D(0) && I(1), date_mi_interval(fcinfo))
GUARDED(interval_pl_date, I(0) && D(1), SWAPPED(date_pl_interval))

GUARDED(timestamp_mi, T(0) && T(1), timestamp_mi(fcinfo))
GUARDED(timestamp_pl_interval, T(0) && I(1), timestamp_pl_interval(fcinfo))
GUARDED(timestamp_mi_interval, T(0) && I(1), timestamp_mi_interval(fcinfo))
GUARDED(timestamptz_pl_interval, T(0) && I(1), timestamptz_pl_interval(fcinfo))
GUARDED(timestamptz_mi_interval, T(0) && I(1), timestamptz_mi_interval(fcinfo))
GUARDED(interval_pl_timestamp, I(0) && T(1), SWAPPED(timestamp_pl_interval))
GUARDED(interval_pl_timestamptz, I(0) && T(1), SWAPPED(timestamptz_pl_interval))

GUARDED(timestamp_age, T(0) && T(1), timestamp_age(fcinfo))
GUARDED(timestamptz_age, T(0) && T(1), timestamptz_age(fcinfo))

/* today's midnight, as the date and in the zone of the session */
#define CURRENT_DAY DateADTGetDatum(GetSQLCurrentDate())
GUARDED(timestamp_age_today, T(0), DirectFunctionCall2(timestamp_age, DirectFunctionCall1(date_timestamp, CURRENT_DAY), PG_GETARG_DATUM(0)))
GUARDED(timestamptz_age_today, T(0), DirectFunctionCall2(timestamptz_age, DirectFunctionCall1(date_timestamptz, CURRENT_DAY), PG_GETARG_DATUM(0)))

GUARDED(date_timestamp, D(0) || DATE_NOT_FINITE(PG_GETARG_DATEADT(0)), date_timestamp(fcinfo))
GUARDED(date_timestamptz, D(0) || DATE_NOT_FINITE(PG_GETARG_DATEADT(0)), date_timestamptz(fcinfo))
GUARDED(timestamp_date, T(0) || TIMESTAMP_NOT_FINITE(PG_GETARG_TIMESTAMP(0)), timestamp_date(fcinfo))
GUARDED(timestamptz_date, T(0) || TIMESTAMP_NOT_FINITE(PG_GETARG_TIMESTAMPTZ(0)), timestamptz_date(fcinfo))
GUARDED(timestamp_timestamptz, T(0), timestamp_timestamptz(fcinfo))
GUARDED(timestamptz_timestamp, T(0), timestamptz_timestamp(fcinfo))

/* AT LOCAL, which since 17 is a function */
GUARDED(timestamp_at_local, T(0), timestamp_timestamptz(fcinfo))
GUARDED(timestamptz_at_local, T(0), timestamptz_timestamp(fcinfo))

GUARDED(interval_pl, I(0) && I(1), interval_pl(fcinfo))
GUARDED(interval_mi, I(0) && I(1), interval_mi(fcinfo))
GUARDED(interval_um, I(0), interval_um(fcinfo))

/*
 * A factor of at most 1000 keeps a thousand years inside int32 months and days
 * and int64 microseconds (3.2e19 would not fit, so the time part is bounded by
 * the same condition on a tenth of the range).
 */
#define I_SMALL(n) (I(n) && PG_GETARG_INTERVAL_P(n)->time <= MAX_DAYS * USECS_PER_DAY / 1000 && \
					PG_GETARG_INTERVAL_P(n)->time >= -MAX_DAYS * USECS_PER_DAY / 1000)
#define F_SMALL(n) (PG_GETARG_FLOAT8(n) >= -1000 && PG_GETARG_FLOAT8(n) <= 1000)

GUARDED(interval_mul, I_SMALL(0) && F_SMALL(1), interval_mul(fcinfo))
GUARDED(mul_d_interval, F_SMALL(0) && I_SMALL(1), mul_d_interval(fcinfo))
GUARDED(interval_div, I(0) && Q(1), interval_div(fcinfo))

/* units and formats are constants, validated by the guard */
GUARDED(timestamp_trunc, T(1), timestamp_trunc(fcinfo))
GUARDED(timestamptz_trunc, T(1), timestamptz_trunc(fcinfo))
GUARDED(interval_trunc, I(1), interval_trunc(fcinfo))
GUARDED(extract_date, D(1), extract_date(fcinfo))
GUARDED(extract_timestamp, T(1), extract_timestamp(fcinfo))
GUARDED(extract_timestamptz, T(1), extract_timestamptz(fcinfo))
GUARDED(extract_interval, I(1), extract_interval(fcinfo))
GUARDED(extract_time, true, extract_time(fcinfo))
GUARDED(timestamp_part, T(1), timestamp_part(fcinfo))
GUARDED(timestamptz_part, T(1), timestamptz_part(fcinfo))
GUARDED(interval_part, I(1), interval_part(fcinfo))
GUARDED(time_part, true, time_part(fcinfo))
GUARDED(date_part_date, D(1), DirectFunctionCall1(numeric_float8, extract_date(fcinfo)))
GUARDED(timestamp_to_char, T(0), timestamp_to_char(fcinfo))
GUARDED(timestamptz_to_char, T(0), timestamptz_to_char(fcinfo))

/* A stride of days and less, of a month at the longest that a thousand years have. */
#define STRIDE(n) (I(n) && PG_GETARG_INTERVAL_P(n)->month == 0 && \
				   PG_GETARG_INTERVAL_P(n)->day * USECS_PER_DAY + PG_GETARG_INTERVAL_P(n)->time > 0)

GUARDED(timestamp_bin, STRIDE(0) && T(1) && T(2), timestamp_bin(fcinfo))
GUARDED(timestamptz_bin, STRIDE(0) && T(1) && T(2), timestamptz_bin(fcinfo))

/* --- AT TIME ZONE --- */

/* timestamp2tm() and its like only read it. */
static pg_tz *
zone_of(FunctionCallInfo fcinfo, int argument)
{
	return unconstify(void *, pa_made_of(PA_MADE_ZONE, PG_GETARG_TEXT_PP(argument), InvalidOid));
}

/* What the clocks of the zone show then; false: that is no timestamp. */
static bool
to_zone(TimestampTz instant, pg_tz *zone, Timestamp *result)
{
	struct pg_tm tm;
	fsec_t		fsec;
	int			offset;

	return timestamp2tm(instant, &offset, &tm, &fsec, NULL, zone) == 0 && tm2timestamp(&tm, fsec, NULL, result) == 0;
}

/* When the clocks of the zone show that. */
static bool
from_zone(Timestamp shown, pg_tz *zone, TimestampTz *result)
{
	struct pg_tm tm;
	fsec_t		fsec;
	int			offset;

	if (timestamp2tm(shown, NULL, &tm, &fsec, NULL, zone) != 0)
		return false;
	offset = DetermineTimeZoneOffset(&tm, zone);
	return tm2timestamp(&tm, fsec, &offset, result) == 0;
}

PG_FUNCTION_INFO_V1(pa_total_timestamp_zone);
PGDLLEXPORT Datum
pa_total_timestamp_zone(PG_FUNCTION_ARGS)
{
	pg_tz	   *zone = T(1) ? zone_of(fcinfo, 0) : NULL;
	TimestampTz result;

	if (zone == NULL || !from_zone(PG_GETARG_TIMESTAMP(1), zone, &result))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(result);
}

PG_FUNCTION_INFO_V1(pa_total_timestamptz_zone);
PGDLLEXPORT Datum
pa_total_timestamptz_zone(PG_FUNCTION_ARGS)
{
	pg_tz	   *zone = T(1) ? zone_of(fcinfo, 0) : NULL;
	Timestamp	result;

	if (zone == NULL || !to_zone(PG_GETARG_TIMESTAMPTZ(1), zone, &result))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMP(result);
}

/* --- intervals in a zone of their own: date_add() and date_subtract(), built in since 16 --- */

/* By the calendar of the zone; what there is nothing of does not go there and back, where an hour that comes twice is lost. */
static bool
step_in_zone(TimestampTz *instant, pg_tz *zone, int32 months, int32 days)
{
	Interval	step = {.month = months,.day = days};
	Timestamp	shown;

	if (months == 0 && days == 0)
		return true;
	if (!to_zone(*instant, zone, &shown))
		return false;
	shown = DatumGetTimestamp(DirectFunctionCall2(timestamp_pl_interval, TimestampGetDatum(shown), IntervalPGetDatum(&step)));
	return from_zone(shown, zone, instant);
}

/* The built-in does so, too: months, then days, then time. */
static Datum
add_in_zone(FunctionCallInfo fcinfo, int sign)
{
	pg_tz	   *zone = T(0) && I(1) ? zone_of(fcinfo, 2) : NULL;
	TimestampTz instant = PG_GETARG_TIMESTAMPTZ(0);
	const Interval *span = PG_GETARG_INTERVAL_P(1);

	if (zone == NULL || !step_in_zone(&instant, zone, sign * span->month, 0) || !step_in_zone(&instant, zone, 0, sign * span->day))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(instant + sign * span->time);
}

PG_FUNCTION_INFO_V1(pa_total_timestamptz_pl_interval_at_zone);
PGDLLEXPORT Datum
pa_total_timestamptz_pl_interval_at_zone(PG_FUNCTION_ARGS)
{
	return add_in_zone(fcinfo, 1);
}

PG_FUNCTION_INFO_V1(pa_total_timestamptz_mi_interval_at_zone);
PGDLLEXPORT Datum
pa_total_timestamptz_mi_interval_at_zone(PG_FUNCTION_ARGS)
{
	return add_in_zone(fcinfo, -1);
}

/* Abbreviations may mean another zone than the one of that name. */
bool
pa_is_zone_name(const char *name)
{
	char	   *lower = downcase_truncate_identifier(name, strlen(name), false);

	if (strcmp(lower, "utc") != 0 && strcmp(lower, "gmt") != 0 && pa_abbreviates_zone(lower))
		return false;
	return strlen(name) <= TZ_STRLEN_MAX && pg_tzset(name) != NULL;
}
