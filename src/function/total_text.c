/*
 * total_text.c
 *		Text functions that yield NULL where the built-in raises an error or, given
 *		a huge argument, would take long or run out of memory.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "size_limits.h"

/*
 * A LIKE pattern that ends in an odd run of backslashes is an error, but only
 * once a value matches up to there.  Each % is a level of recursion.
 */
static bool
pattern_is_fine(const text *pattern)
{
	const char *data = VARDATA_ANY(pattern);
	int			length = VARSIZE_ANY_EXHDR(pattern);
	int			run = 0;
	int			wildcards = 0;

	for (int i = 0; i < length; i++)
		wildcards += data[i] == '%';
	if (wildcards > PA_MAX_WILDCARDS)
		return false;
	while (run < length && data[length - 1 - run] == '\\')
		run++;
	return run % 2 == 0;
}

#define LIKE(name) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	if (!pattern_is_fine(PG_GETARG_TEXT_PP(1))) \
		PG_RETURN_NULL(); \
	return name(fcinfo); \
}

LIKE(textlike)
LIKE(textnlike)
LIKE(texticlike)
LIKE(texticnlike)

PG_FUNCTION_INFO_V1(pa_total_text_substr);
PGDLLEXPORT Datum
pa_total_text_substr(PG_FUNCTION_ARGS)
{
	if (PG_GETARG_INT32(2) < 0)
		PG_RETURN_NULL();
	return text_substr(fcinfo);
}

PG_FUNCTION_INFO_V1(pa_total_split_part);
PGDLLEXPORT Datum
pa_total_split_part(PG_FUNCTION_ARGS)
{
	if (PG_GETARG_INT32(2) == 0)
		PG_RETURN_NULL();
	return split_part(fcinfo);
}

#define SHORT_TEXT(n) (VARSIZE_ANY_EXHDR(PG_GETARG_TEXT_PP(n)) <= PA_MAX_TEXT_BYTES)

#define SHORT_TEXTS(name, condition) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	if (!(condition)) \
		PG_RETURN_NULL(); \
	return name(fcinfo); \
}

SHORT_TEXTS(textcat, SHORT_TEXT(0) && SHORT_TEXT(1))
SHORT_TEXTS(lower, SHORT_TEXT(0))
SHORT_TEXTS(upper, SHORT_TEXT(0))
SHORT_TEXTS(initcap, SHORT_TEXT(0))
SHORT_TEXTS(md5_text, SHORT_TEXT(0))
SHORT_TEXTS(text_reverse, SHORT_TEXT(0))

/* A parameter of a guarded query: NULL if it is longer than any honest one. */
#define SHORT_PARAMETER(name, limit) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	if (toast_raw_datum_size(PG_GETARG_DATUM(0)) > limit) \
		PG_RETURN_NULL(); \
	return PG_GETARG_DATUM(0); \
}

SHORT_PARAMETER(parameter, PA_MAX_PARAMETER_BYTES)
SHORT_PARAMETER(array_parameter, PA_MAX_ARRAY_BYTES)
