/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * date_format.h
 *		Formats of dates, taken apart before the charge.
 *
 * A session keeps the formats by which to_char() wrote, taken apart, in memory of
 * its own; that it has one more would show that a row had come to be written.
 */
#ifndef PA_DATE_FORMAT_H
#define PA_DATE_FORMAT_H

#include "postgres.h"

#include "nodes/params.h"
#include "nodes/primnodes.h"

/* Whether a call writes a date by a format, its second argument. */
extern bool pa_writes_date(const FuncExpr *call);

/*
 * Whether a format writes the name of the session's time zone.  Whoever sets the zone
 * makes up its name, and to_char() complains of a long one when a row has reached it.
 */
extern bool pa_format_names_zone(const text *format);

#define PA_FORMAT_NAMES_ZONE "The format of a date writes the name of the session's time zone, which may be of any length."
#define PA_FORMAT_WITHOUT_ZONE "Write OF, the difference from UTC, or apply to_char() to the result of the block."

/* The format of such a call; NULL if it is null. */
extern text *pa_format_of(const FuncExpr *call, ParamListInfo params);

/* Has PostgreSQL take a format apart, and keep it as the one used last; errors are those of to_char(). */
extern void pa_use_format(const text *format);

#endif							/* PA_DATE_FORMAT_H */
