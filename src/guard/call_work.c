/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call_work.c
 *		See call_work.h.
 *
 * The constants were measured over the extremes of each function with
 * bench/row_time.sh, which fails where a query takes longer than its bound.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "compat/collation.h"
#include "guard/call_work.h"
#include "size_limits.h"

#define SHORTEST_COMPRESSED 32	/* bytes of a text that is stored compressed */
#define ICU_BYTE 50				/* a byte of a comparison in a collation of ICU: many accents, in languages that take groups of letters for one */
#define LIBC_SQUARE 150			/* ... of the C library, of all bytes with each other: characters without an order of their own */
#define BACKTRACK_BYTES 4		/* a byte of a text compared with one of a pattern by the built-in LIKE */
#define PA_NUMERIC_MADE (DBL_MAX_10_EXP + 8)

typedef struct WorkRule
{
	double		base;
	double		byte;
	double		product;
	int			limit;			/* of text arguments */
	int			other_limit;	/* of those after the first, if it is another */
} WorkRule;

static const WorkRule rules[] = {
	[WORK_QUICK] = {25, 0, 0, 0},
	[WORK_MATH] = {150, 0, 0, 0},
	[WORK_GAMMA] = {300, 0, 0, 0},
	[WORK_TIME] = {250, 0, 0, 0},
	[WORK_ZONE] = {900, 0, 0, 0},
	[WORK_FIELD] = {500, 0, 0, 0},
	[WORK_ZONE_FIELD] = {900, 0, 0, 0},
	[WORK_NAMED_ZONE] = {1500, 0, 0, 0},
	[WORK_NAMED_ZONE_STEPS] = {6000, 0, 0, 0},
	[WORK_FORMAT] = {1000, 120, 0, PA_MAX_FORMAT_BYTES},
	[WORK_NUMERIC_ORDER] = {60, 2, 0, 0},
	[WORK_NUMERIC_COPY] = {80, 3, 0, 0},
	[WORK_NUMERIC_SUM] = {120, 4, 0, 0},
	[WORK_NUMERIC_PRODUCT] = {120, 4, 0.25, 0},
	[WORK_NUMERIC_QUOTIENT] = {600, 15, 0.25, 0},
	[WORK_NUMERIC_ROUND] = {150, 4, 0, 0},
	[WORK_NUMERIC_FIT] = {1200, 8, 0, 0},
	[WORK_NUMERIC_READ] = {120, 10, 0, 0},
	[WORK_NUMERIC_MAKE] = {700, 0, 0, 0},
	[WORK_TEXT_EQUAL] = {40, 2, 0, PA_MAX_TEXT_BYTES},
	[WORK_BPCHAR_EQUAL] = {50, 3, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_ORDER] = {80, 3, 0, PA_MAX_WORD_BYTES},
	[WORK_TEXT_SCAN] = {50, 4, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_COPY] = {100, 11, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_HEAD] = {120, 11, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_JOIN] = {80, 2.2, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_TRIM] = {250, 8, 5, PA_MAX_WORD_BYTES, PA_MAX_NEEDLE_BYTES},
	[WORK_TEXT_FIND] = {300, 6, 0.6, PA_MAX_TEXT_BYTES, PA_MAX_NEEDLE_BYTES},
	[WORK_TEXT_SPLIT] = {300, 6, 0.6, PA_MAX_TEXT_BYTES, PA_MAX_NEEDLE_BYTES},
	[WORK_TEXT_START] = {100, 4, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_CASE] = {500, 14, 0, PA_MAX_WORD_BYTES},
	[WORK_TEXT_FOLD] = {500, 14, 0, PA_MAX_WORD_BYTES},
	[WORK_TEXT_INITCAP] = {600, 45, 0, PA_MAX_WORD_BYTES},
	[WORK_TEXT_DIGEST] = {700, 5, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_LIKE] = {250, 5, 0, PA_MAX_TEXT_BYTES, PA_MAX_PATTERN_BYTES},
	[WORK_TEXT_ILIKE] = {1000, 25, 0, PA_MAX_WORD_BYTES, PA_MAX_PATTERN_BYTES},
	[WORK_TEXT_REGEX] = {3000, 24, 0, PA_MAX_WORD_BYTES, PA_MAX_PATTERN_BYTES},
	[WORK_TEXT_REPLACE] = {400, 24, 0.6, PA_MAX_WORD_BYTES, PA_MAX_NEEDLE_BYTES},
	[WORK_TEXT_READ] = {1000, 8, 0, PA_MAX_WORD_BYTES},
};

StaticAssertDecl(lengthof(rules) == WORK_KINDS, "every kind of work has a bound");

/* --- lengths --- */

/* Bytes of a text column by its declared length; infinite: not declared. */
double
pa_declared_bytes(Oid type, int32 typmod)
{
	if (typmod < (int32) VARHDRSZ)
		return INFINITY;
	if (type == VARCHAROID || type == BPCHAROID)
		return (typmod - VARHDRSZ) * pg_database_encoding_max_length();
	if (type == NUMERICOID)
	{
		int			precision = ((typmod - VARHDRSZ) >> 16) & 0xffff;
		int			scale = (((typmod - VARHDRSZ) & 0x7ff) ^ 1024) - 1024;

		if (scale >= 0 && scale <= precision)
			return 2 + 2 * ((precision - scale + 3) / 4 + (scale + 3) / 4);
	}
	return INFINITY;
}

double
pa_constant_bytes(const Const *constant)
{
	if (constant->constisnull)
		return 0;
	return constant->constlen == -1 ? toast_raw_datum_size(constant->constvalue) - VARHDRSZ : constant->constlen;
}

bool
pa_is_text_type(Oid type)
{
	return type == TEXTOID || type == VARCHAROID || type == BPCHAROID;
}

bool
pa_is_limited_type(Oid type)
{
	return pa_is_text_type(type) || type == NUMERICOID;
}

/* Letters may take more bytes in the other case. */
static double
growth_of_case(Oid collation)
{
	if (pa_knows_ascii(collation))
		return 1;
	return pa_asks_libc(collation) ? 2 : 3;
}

/* The bytes at the head of a text that left(), or substr() up to somewhere, with constant lengths reads. */
double
pa_head_bytes(Oid function, List *args, double bytes)
{
	double		characters = 0;
	ListCell   *cell;

	if (function != F_LEFT && list_length(args) < 3)
		return bytes;
	for_each_from(cell, args, 1)
	{
		Const	   *length = lfirst(cell);

		if (!IsA(length, Const) || length->constisnull || DatumGetInt32(length->constvalue) < 0)
			return bytes;
		characters += DatumGetInt32(length->constvalue);
	}
	return fmin(bytes, (characters + 1) * pg_database_encoding_max_length());
}

bool
pa_like_is_built_in(void)
{
	return pg_database_encoding_max_length() > 1 && GetDatabaseEncoding() != PG_UTF8;
}

/* What LIKE reads of a text: all of it if it looks for a part between two %, else its ends. */
double
pa_searched_bytes(Node *pattern, double bytes, double pattern_bytes)
{
	int			wildcards = 0;

	if (!IsA(pattern, Const) || ((Const *) pattern)->constisnull || pa_like_is_built_in())
		return bytes;
	for (const char *c = TextDatumGetCString(((Const *) pattern)->constvalue); *c; c++)
		wildcards += *c == '%';
	return wildcards > 1 ? bytes : fmin(bytes, pattern_bytes * pg_database_encoding_max_length());
}

/* --- calls --- */

/* What a function of the kind makes of arguments of these lengths. */
double
pa_result_bytes(PaWorkKind kind, Oid type, Oid collation, double left, double right)
{
	int			length = get_typlen(type);

	if (length > 0)
		return length;
	switch (kind)
	{
		case WORK_QUICK:
			return sizeof(Datum);	/* a boolean as text */
		case WORK_FORMAT:
			return 12 * PA_MAX_FORMAT_BYTES;
		case WORK_FIELD:
		case WORK_ZONE_FIELD:
			return 20;			/* extract() */
		case WORK_NUMERIC_MAKE:
			return PA_NUMERIC_MADE;
		case WORK_NUMERIC_QUOTIENT:
			return fmin(2 * (left + right) + 20, 600);
		case WORK_NUMERIC_ROUND:
		case WORK_NUMERIC_FIT:
			return left + PA_MAX_ROUNDING / 2;
		case WORK_TEXT_CASE:
		case WORK_TEXT_FOLD:
		case WORK_TEXT_INITCAP:
			return left * growth_of_case(collation);
		case WORK_TEXT_DIGEST:
			return 32;
		case WORK_TEXT_COPY:
		case WORK_TEXT_HEAD:
		case WORK_TEXT_TRIM:
		case WORK_TEXT_SPLIT:
			return left;
		case WORK_TEXT_REPLACE:
			return PA_MAX_TEXT_BYTES;
		case WORK_TEXT_READ:
			return PA_NUMERIC_BYTES;
		case WORK_NUMERIC_ORDER:
		case WORK_NUMERIC_COPY:
		case WORK_NUMERIC_SUM:
		case WORK_NUMERIC_PRODUCT:
		case WORK_NUMERIC_READ:
		case WORK_TEXT_EQUAL:
		case WORK_BPCHAR_EQUAL:
		case WORK_TEXT_ORDER:
		case WORK_TEXT_SCAN:
		case WORK_TEXT_JOIN:
		case WORK_TEXT_FIND:
		case WORK_TEXT_START:
		case WORK_TEXT_LIKE:
		case WORK_TEXT_ILIKE:
		case WORK_TEXT_REGEX:
			return left + right;
		case WORK_MATH:
		case WORK_GAMMA:
		case WORK_TIME:
		case WORK_ZONE:
		case WORK_NAMED_ZONE:
		case WORK_NAMED_ZONE_STEPS:
		case WORK_UNKNOWN:
		case WORK_KINDS:
			break;				/* make no values of any length */
	}
	return INFINITY;
}

static double
work_of_order(const WorkRule *rule, Oid collation, double left, double right)
{
	if (pa_orders_bytes(collation))
		return rule->byte * (left + right);
	return pa_asks_libc(collation) ? LIBC_SQUARE * (left * left + right * right) : ICU_BYTE * (left + right);
}

/* A call of a function of the kind on arguments of these lengths. */
double
pa_call_work(PaWorkKind kind, Oid collation, double left, double right)
{
	const WorkRule *rule = &rules[kind];

	if (rule->base == 0)
		return INFINITY;
	if (rule->byte == 0)
		return rule->base;
	if (kind == WORK_FORMAT)
		return rule->base + rule->byte * right;
	if (kind == WORK_TEXT_REGEX)
		return rule->base + rule->byte * left;	/* it was taken apart before; finding it is part of the base */
	if (kind == WORK_TEXT_EQUAL)
		return rule->base + (rule->byte + (fmin(left, right) < SHORTEST_COMPRESSED ? 0 : 1)) * fmin(left, right);
	if (kind == WORK_TEXT_LIKE)
		return rule->base + rule->byte * (left + right) + (pa_like_is_built_in() ? BACKTRACK_BYTES * left * right : 0);
	if (kind == WORK_TEXT_ORDER)
		return rule->base + work_of_order(rule, collation, left, right);
	if (kind == WORK_NUMERIC_PRODUCT || kind == WORK_NUMERIC_QUOTIENT)
		return rule->base + rule->byte * (left + right) +
			rule->product * fmin(left, PA_MAX_NUMERIC_BYTES) * fmin(right, PA_MAX_NUMERIC_BYTES);
	return rule->base + rule->byte * (left + right) + (rule->product > 0 ? rule->product * left * right : 0);
}

int
pa_work_limit(PaWorkKind kind, int position)
{
	const WorkRule *rule = &rules[kind];

	return position > 0 && rule->other_limit > 0 ? rule->other_limit : rule->limit;
}

PaWorkKind
pa_comparison_work(Oid type)
{
	if (type == NUMERICOID)
		return WORK_NUMERIC_ORDER;
	return pa_is_limited_type(type) ? WORK_TEXT_ORDER : WORK_QUICK;
}

PaWorkKind
pa_element_work(Oid type)
{
	if (type == NUMERICOID)
		return WORK_NUMERIC_COPY;
	return pa_is_limited_type(type) ? WORK_TEXT_JOIN : WORK_QUICK;
}

double
pa_copied_bytes_work(double bytes)
{
	return rules[WORK_TEXT_COPY].byte * bytes;
}

double
pa_zone_work(void)
{
	return rules[WORK_ZONE].base;
}
