/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * total_text.c
 *		Text functions that yield NULL where the built-in raises an error or, given
 *		a huge argument, would take long or run out of memory.
 */
#include "postgres.h"

#include <limits.h>

#include "access/detoast.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "compat/names.h"
#include "allow/valid_text.h"
#include "size_limits.h"

#define MAX_FIXED_LENGTH 16		/* bytes of an interval or uuid */

#define SHORT_TEXT(n, limit) is_short(PG_GETARG_DATUM(n), limit)

/* Looks at nothing that is stored out of line. */
static bool
is_short(Datum value, int limit)
{
	return !VARATT_IS_EXTERNAL(DatumGetPointer(value)) && toast_raw_datum_size(value) <= VARHDRSZ + limit;
}

/* NULL if it is longer than the function says that would read it. */
#define SHORT_VALUE(name, limit) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	if (!SHORT_TEXT(0, limit)) \
		PG_RETURN_NULL(); \
	return PG_GETARG_DATUM(0); \
}

SHORT_VALUE(short, PG_GETARG_INT32(1))
SHORT_VALUE(parameter, PA_MAX_PARAMETER_BYTES)

PG_FUNCTION_INFO_V1(pa_total_text_parameter);
PGDLLEXPORT Datum
pa_total_text_parameter(PG_FUNCTION_ARGS)
{
	if (!SHORT_TEXT(0, PA_MAX_PARAMETER_BYTES) || !pa_is_valid_value(TEXTOID, PG_GETARG_DATUM(0)))
		PG_RETURN_NULL();
	return PG_GETARG_DATUM(0);
}

/*
 * An array that PL/pgSQL works on has a form of its own, whose length is added up
 * from its elements: only once it is known that there are few.
 */
static bool
has_few_elements(Datum value)
{
	const ExpandedArrayHeader *array;

	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		return !VARATT_IS_EXTERNAL(DatumGetPointer(value));
	array = (const ExpandedArrayHeader *) DatumGetEOHP(value);
	return ArrayGetNItems(array->ndims, array->dims) <= PA_MAX_ELEMENTS;
}

/* NULL: too long; else as the executor reads it. */
static ArrayType *
short_array(Datum value)
{
	ArrayType  *array;

	if (!has_few_elements(value) || toast_raw_datum_size(value) > VARHDRSZ + PA_MAX_ARRAY_BYTES + PA_MAX_ELEMENTS * MAX_FIXED_LENGTH)
		return NULL;
	array = DatumGetArrayTypeP(value);
	if (ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) > PA_MAX_ELEMENTS)
		return NULL;
	return get_typlen(ARR_ELEMTYPE(array)) > 0 || ARR_SIZE(array) <= PA_MAX_ARRAY_BYTES ? array : NULL;
}

PG_FUNCTION_INFO_V1(pa_total_array_parameter);
PGDLLEXPORT Datum
pa_total_array_parameter(PG_FUNCTION_ARGS)
{
	ArrayType  *array = short_array(PG_GETARG_DATUM(0));

	if (array == NULL || !pa_is_valid_value(get_array_type(ARR_ELEMTYPE(array)), PointerGetDatum(array)))
		PG_RETURN_NULL();
	PG_RETURN_ARRAYTYPE_P(array);
}

/* --- LIKE --- */

/*
 * Method: the built-in LIKE compares each part between two % at each place of
 * the text, which takes as long as the product of their lengths.  Here a part is
 * found by the shift-and method (Baeza-Yates, Gonnet 1992): bit i of a word says
 * that its first i + 1 elements end at this byte, so that a byte of the text
 * takes the same few instructions whatever the pattern.  An element is a byte, or
 * _, which stands for one character: it begins at any byte that does not
 * continue a character, and stays over those that do.
 */
typedef struct Part
{
	const char *start;			/* in the pattern, with its backslashes */
	const char *end;
} Part;

typedef struct Subject
{
	const char *data;
	int			length;
	bool		utf8;			/* else each byte is a character */
} Subject;

static bool
continues(const Subject *subject, int position)
{
	return subject->utf8 && position < subject->length && (subject->data[position] & 0xc0) == 0x80;
}

/* The part from here to the next %, or to the end. */
static Part
next_part(const char *start, const char *end)
{
	Part		part = {start, start};

	while (part.end < end && *part.end != '%')
		part.end += *part.end == '\\' ? 2 : 1;
	return part;
}

/* Takes one element off the part: a byte, or -1 for any character. */
static inline int
next_element(Part *part)
{
	if (*part->start == '_')
	{
		part->start++;
		return -1;
	}
	if (*part->start == '\\')
		part->start++;
	return (unsigned char) *part->start++;
}

static int
count_elements(Part part)
{
	int			count = 0;

	for (; part.start < part.end; count++)
		(void) next_element(&part);
	return count;
}

/* Where the part ends that begins at the position; -1: it does not begin there. */
static int
match_here(const Subject *subject, Part part, int position)
{
	while (part.start < part.end)
	{
		int			element = next_element(&part);

		if (position >= subject->length || (element >= 0 && (unsigned char) subject->data[position] != element))
			return -1;
		position++;
		while (element < 0 && continues(subject, position))
			position++;
	}
	return position;
}

/* Where the first occurrence of the part from the position on ends; -1: there is none. */
static int
find_part(const Subject *subject, Part part, int position)
{
	static uint64 masks[UCHAR_MAX + 1]; /* all zero between calls */
	uint64		any = 0;
	uint64		last = 0;
	uint64		state = 0;
	int			found = -1;

	for (Part rest = part; rest.start < rest.end;)
	{
		int			element = next_element(&rest);

		last = last ? last << 1 : 1;
		if (element < 0)
			any |= last;
		else
			masks[element] |= last;
	}
	for (; position < subject->length && found < 0; position++)
	{
		bool		inside = continues(subject, position);

		state = (((state << 1) | 1) & (masks[(unsigned char) subject->data[position]] | (inside ? 0 : any))) |
			(inside ? state & any : 0);
		if (state & last)
			found = position + 1;
	}
	while (part.start < part.end)
	{
		int			element = next_element(&part);

		if (element >= 0)
			masks[element] = 0;
	}
	while (found >= 0 && continues(subject, found))
		found++;
	return found;
}

/*
 * Where the part has to begin in order to end with the text; negative: the text
 * is too short.  Of characters all but the last have bytes of their own, so it is
 * by characters that one counts back.
 */
static int
place_at_end(const Subject *subject, Part part)
{
	int			position = subject->length;
	int			characters = 0;

	while (part.start < part.end)
	{
		int			element = next_element(&part);

		characters += !subject->utf8 || element < 0 || (element & 0xc0) != 0x80;
	}
	for (; characters > 0 && position >= 0; characters--)
		do
			position--;
		while (position > 0 && continues(subject, position));
	return position;
}

/* The pattern is one that pattern_is_fine(). */
static bool
match_like(const Subject *subject, const char *pattern, int length)
{
	const char *end = pattern + length;
	Part		part = next_part(pattern, end);
	int			position = match_here(subject, part, 0);

	if (part.end == end)
		return position == subject->length;
	while (position >= 0)
	{
		part = next_part(part.end + 1, end);
		if (part.end == end)
		{
			int			place = place_at_end(subject, part);

			return place >= position && match_here(subject, part, place) == subject->length;
		}
		if (part.start < part.end)
			position = find_part(subject, part, position);
	}
	return false;
}

/*
 * A pattern that ends in an odd run of backslashes is an error of the built-in
 * LIKE, but only once a value matches up to there.
 */
static bool
pattern_is_fine(const text *pattern)
{
	const char *data = VARDATA_ANY(pattern);
	const char *end = data + VARSIZE_ANY_EXHDR(pattern);
	int			run = 0;
	int			wildcards = 0;
	Part		part;

	if (end - data > PA_MAX_PATTERN_BYTES)
		return false;
	while (run < end - data && end[-1 - run] == '\\')
		run++;
	if (run % 2 == 1)
		return false;
	for (part = next_part(data, end); part.end < end; part = next_part(part.end + 1, end))
	{
		if (wildcards++ > 0 && count_elements(part) > PA_MAX_PATTERN_PART)
			return false;		/* between two of them */
	}
	return wildcards <= PA_MAX_WILDCARDS;
}

/* In the encodings of which a byte does not tell where a character begins, the built-in function. */
static Datum
like(FunctionCallInfo fcinfo, bool ignore_case, bool result, PGFunction built_in)
{
	text	   *pattern = PG_GETARG_TEXT_PP(1);
	text	   *value;
	Subject		subject;

	if (!pattern_is_fine(pattern))
		PG_RETURN_NULL();
	if (GetDatabaseEncoding() != PG_UTF8 && pg_database_encoding_max_length() > 1)
		return built_in(fcinfo);
	value = PG_GETARG_TEXT_PP(0);
	if (ignore_case)
	{
		value = DatumGetTextPP(DirectFunctionCall1Coll(lower, PG_GET_COLLATION(), PointerGetDatum(value)));
		pattern = DatumGetTextPP(DirectFunctionCall1Coll(lower, PG_GET_COLLATION(), PointerGetDatum(pattern)));
		if (!pattern_is_fine(pattern))
			PG_RETURN_NULL();
	}
	subject = (Subject) {VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value), GetDatabaseEncoding() == PG_UTF8};
	PG_RETURN_BOOL(match_like(&subject, VARDATA_ANY(pattern), VARSIZE_ANY_EXHDR(pattern)) == result);
}

#define LIKE(name, ignore_case, result) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	return like(fcinfo, ignore_case, result, name); \
}

LIKE(textlike, false, true)
LIKE(textnlike, false, false)
LIKE(texticlike, true, true)
LIKE(texticnlike, true, false)

/* --- others --- */

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

#define SHORT_TEXTS(name, condition) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	if (!(condition)) \
		PG_RETURN_NULL(); \
	return name(fcinfo); \
}

SHORT_TEXTS(textcat, SHORT_TEXT(0, PA_MAX_TEXT_BYTES) && SHORT_TEXT(1, PA_MAX_TEXT_BYTES))
SHORT_TEXTS(lower, SHORT_TEXT(0, PA_MAX_WORD_BYTES))
SHORT_TEXTS(casefold, SHORT_TEXT(0, PA_MAX_WORD_BYTES))
SHORT_TEXTS(upper, SHORT_TEXT(0, PA_MAX_WORD_BYTES))
SHORT_TEXTS(initcap, SHORT_TEXT(0, PA_MAX_WORD_BYTES))
SHORT_TEXTS(md5_text, SHORT_TEXT(0, PA_MAX_TEXT_BYTES))
SHORT_TEXTS(text_reverse, SHORT_TEXT(0, PA_MAX_TEXT_BYTES))

/* --- replace --- */

/* Where the first of the parts begins, or the end. */
static const char *
find_bytes(const char *data, const char *end, const text *part)
{
	const char *last = end - VARSIZE_ANY_EXHDR(part);

	for (; data <= last; data++)
		if (memcmp(data, VARDATA_ANY(part), VARSIZE_ANY_EXHDR(part)) == 0)
			return data;
	return end;
}

typedef struct Written
{
	char		bytes[PA_MAX_TEXT_BYTES];
	int			length;
	bool		full;
} Written;

static void
write_bytes(Written *written, const char *data, int length)
{
	if (length > (int) sizeof(written->bytes) - written->length)
	{
		written->full = true;
		return;
	}
	memcpy(written->bytes + written->length, data, length);
	written->length += length;
}

/* In the encodings in which the bytes of a character begin no other. */
PG_FUNCTION_INFO_V1(pa_total_replace_text);
PGDLLEXPORT Datum
pa_total_replace_text(PG_FUNCTION_ARGS)
{
	const text *from = PG_GETARG_TEXT_PP(1);
	const text *to = PG_GETARG_TEXT_PP(2);
	Written		written;
	const text *value;
	const char *data;
	const char *end;

	if (!SHORT_TEXT(0, PA_MAX_WORD_BYTES) || (GetDatabaseEncoding() != PG_UTF8 && pg_database_encoding_max_length() > 1))
		PG_RETURN_NULL();
	value = PG_GETARG_TEXT_PP(0);
	data = VARDATA_ANY(value);
	end = data + VARSIZE_ANY_EXHDR(value);
	written.length = 0;
	written.full = false;
	while (data < end && !written.full)
	{
		const char *found = VARSIZE_ANY_EXHDR(from) == 0 ? end : find_bytes(data, end, from);

		write_bytes(&written, data, found - data);
		if (found < end)
			write_bytes(&written, VARDATA_ANY(to), VARSIZE_ANY_EXHDR(to));
		data = found < end ? found + VARSIZE_ANY_EXHDR(from) : end;
	}
	if (written.full)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text_with_len(written.bytes, written.length));
}

/* A numeric of a row, likewise. */
PG_FUNCTION_INFO_V1(pa_total_short_numeric);
PGDLLEXPORT Datum
pa_total_short_numeric(PG_FUNCTION_ARGS)
{
	if (!pa_numeric_is_short(PG_GETARG_DATUM(0)))
		PG_RETURN_NULL();
	return PG_GETARG_DATUM(0);
}
