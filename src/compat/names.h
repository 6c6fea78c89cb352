/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names.h
 *		Functions and constants of other names, and with arguments of names.
 */
#ifndef PA_COMPAT_NAMES_H
#define PA_COMPAT_NAMES_H

#include "compat/version.h"

#include "utils/fmgroids.h"
#include "utils/regproc.h"
#if PG_VERSION_NUM < 160000
#include "utils/builtins.h"
#include "utils/varlena.h"
#endif

#ifndef F_REVERSE_TEXT			/* until 17 there is no other one */
#define F_REVERSE_TEXT F_REVERSE
#endif

/* Rows of a list that a server of this version has, or a newer one. */
#if PG_VERSION_NUM >= 160000
#define PA_SINCE_16(...) __VA_ARGS__,
#else
#define PA_SINCE_16(...)
#endif
#if PG_VERSION_NUM >= 170000
#define PA_SINCE_17(...) __VA_ARGS__,
#else
#define PA_SINCE_17(...)
#endif
#if PG_VERSION_NUM >= 180000
#define PA_SINCE_18(...) __VA_ARGS__,
#else
#define PA_SINCE_18(...)
#endif

/* Since 18.  Before, nothing calls its twin, which is there so that pg_upgrade brings it. */
#if PG_VERSION_NUM < 180000
#define casefold(fcinfo) lower(fcinfo)
#endif

/* Cases of a switch over JoinType that no query has: what the planner makes of others. */
#if PG_VERSION_NUM >= 180000
#define PA_CASE_PLANNERS_JOINS case JOIN_UNIQUE_OUTER: case JOIN_UNIQUE_INNER: case JOIN_RIGHT_ANTI: case JOIN_RIGHT_SEMI
#elif PG_VERSION_NUM >= 160000
#define PA_CASE_PLANNERS_JOINS case JOIN_UNIQUE_OUTER: case JOIN_UNIQUE_INNER: case JOIN_RIGHT_ANTI
#else
#define PA_CASE_PLANNERS_JOINS case JOIN_UNIQUE_OUTER: case JOIN_UNIQUE_INNER
#endif

/* The parts of a qualified name; errors out where the text is none. */
static inline List *
pa_qualified_name(const char *text)
{
#if PG_VERSION_NUM >= 160000
	return stringToQualifiedNameList(text, NULL);
#else
	return stringToQualifiedNameList(text);
#endif
}

#endif							/* PA_COMPAT_NAMES_H */
