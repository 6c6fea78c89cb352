/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * total_pattern.c
 *		Regular expressions over the values of rows: NULL where the guard would have
 *		refused the expression (allow/pattern.h).
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "compat/version.h"
#include "allow/made_constants.h"
#include "allow/pattern.h"

static Datum
matches(FunctionCallInfo fcinfo, PaMadeKind kind, bool result)
{
	const PaPattern *pattern = pa_made_of(kind, PG_GETARG_TEXT_PP(1), PG_GET_COLLATION());
	const text *value;

	if (pattern == NULL)
		PG_RETURN_NULL();
	value = PG_GETARG_TEXT_PP(0);
	PG_RETURN_BOOL(pa_pattern_matches(pattern, VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)) == result);
}

#define PATTERN(name, kind, result) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	return matches(fcinfo, kind, result); \
}

PATTERN(textregexeq, PA_MADE_PATTERN, true)
PATTERN(textregexne, PA_MADE_PATTERN, false)
PATTERN(texticregexeq, PA_MADE_PATTERN_OF_ANY_CASE, true)
PATTERN(texticregexne, PA_MADE_PATTERN_OF_ANY_CASE, false)
PATTERN(regexp_like_no_flags, PA_MADE_PATTERN, true)
