/*
 * total_text.c
 *		Text functions that yield NULL where the built-in raises an error.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

/*
 * A LIKE pattern that ends in an odd run of backslashes is an error, but only
 * once a value matches up to there.
 */
static bool
pattern_is_complete(const text *pattern)
{
	const char *data = VARDATA_ANY(pattern);
	int			length = VARSIZE_ANY_EXHDR(pattern);
	int			run = 0;

	while (run < length && data[length - 1 - run] == '\\')
		run++;
	return run % 2 == 0;
}

#define LIKE(name) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	if (!pattern_is_complete(PG_GETARG_TEXT_PP(1))) \
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
