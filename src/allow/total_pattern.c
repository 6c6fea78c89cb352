/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * total_pattern.c
 *		Regular expressions over the values of rows: NULL where the guard would have
 *		refused the expression (allow/pattern.h).
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "allow/pattern.h"

/* What a call has made of its expression, kept for the next row. */
typedef struct KeptPattern
{
	text	   *source;
	Oid			collation;
	PaPattern  *pattern;		/* NULL: it is not allowed */
} KeptPattern;

static bool
is_same(const text *a, const text *b)
{
	return VARSIZE_ANY_EXHDR(a) == VARSIZE_ANY_EXHDR(b) && memcmp(VARDATA_ANY(a), VARDATA_ANY(b), VARSIZE_ANY_EXHDR(a)) == 0;
}

static const PaPattern *
pattern_of(FunctionCallInfo fcinfo, bool ignore_case)
{
	KeptPattern *kept = fcinfo->flinfo->fn_extra;
	const text *source = PG_GETARG_TEXT_PP(1);
	MemoryContext before;
	const char *reason;

	if (kept && kept->collation == PG_GET_COLLATION() && is_same(kept->source, source))
		return kept->pattern;
	before = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	kept = palloc(sizeof(KeptPattern));
	kept->source = DatumGetTextPCopy(PointerGetDatum(source));
	kept->collation = PG_GET_COLLATION();
	kept->pattern = pa_pattern_make(VARDATA_ANY(source), VARSIZE_ANY_EXHDR(source), ignore_case, kept->collation, &reason);
	fcinfo->flinfo->fn_extra = kept;
	MemoryContextSwitchTo(before);
	return kept->pattern;
}

static Datum
matches(FunctionCallInfo fcinfo, bool ignore_case, bool result)
{
	const PaPattern *pattern = pattern_of(fcinfo, ignore_case);
	const text *value;

	if (pattern == NULL)
		PG_RETURN_NULL();
	value = PG_GETARG_TEXT_PP(0);
	PG_RETURN_BOOL(pa_pattern_matches(pattern, VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)) == result);
}

#define PATTERN(name, ignore_case, result) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	return matches(fcinfo, ignore_case, result); \
}

PATTERN(textregexeq, false, true)
PATTERN(textregexne, false, false)
PATTERN(texticregexeq, true, true)
PATTERN(texticregexne, true, false)
PATTERN(regexp_like_no_flags, false, true)
