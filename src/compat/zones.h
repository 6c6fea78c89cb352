/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zones.h
 *		Abbreviations of time zones.
 */
#ifndef PA_COMPAT_ZONES_H
#define PA_COMPAT_ZONES_H

#include "compat/version.h"

#include "utils/datetime.h"

/* Whether the name, in small letters, is an abbreviation, be it of a zone that is not there. */
static inline bool
pa_abbreviates_zone(char *name)
{
	int			offset;
	pg_tz	   *zone;
#if PG_VERSION_NUM >= 160000
	int			kind;
	DateTimeErrorExtra extra;

	return DecodeTimezoneAbbrev(0, name, &kind, &offset, &zone, &extra) != 0 || kind != UNKNOWN_FIELD;
#else
	return DecodeTimezoneAbbrev(0, name, &offset, &zone) != UNKNOWN_FIELD;
#endif
}

#endif							/* PA_COMPAT_ZONES_H */
