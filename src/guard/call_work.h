/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call_work.h
 *		How long a call of an allowed function takes, and how long values are.
 *
 * A call's bound is base + byte * (bytes of its arguments) + product * (bytes of
 * one times bytes of the other), in nanoseconds.  Texts of a row may be stored
 * compressed, and each call decompresses them anew: that is part of what a byte takes.
 * What has no bound is infinite.
 */
#ifndef PA_CALL_WORK_H
#define PA_CALL_WORK_H

#include "postgres.h"

#include "nodes/primnodes.h"

#include "allow/allowlist.h"
#include "size_limits.h"

/* Of a numeric that was limited: all its digits, four to two bytes. */
#define PA_NUMERIC_BYTES ((PA_MAX_DIGITS_BEFORE + PA_MAX_DIGITS_AFTER) / 2 + 8)

/* A call of a function of the kind on arguments of these lengths. */
extern double pa_call_work(PaWorkKind kind, Oid collation, double left, double right);

/* The longest value that it makes of them. */
extern double pa_result_bytes(PaWorkKind kind, Oid type, Oid collation, double left, double right);

/* Copying so many bytes of a text; a look at the session's time zone. */
extern double pa_copied_bytes_work(double bytes);
extern double pa_zone_work(void);

/*
 * The longest text that a function of this kind is given as that argument, in
 * bytes; 0: it does not look at the bytes of a text.
 */
extern int	pa_work_limit(PaWorkKind kind, int position);

/* What GREATEST and LEAST do with values of the type, and what making an array does. */
extern PaWorkKind pa_comparison_work(Oid type);
extern PaWorkKind pa_element_work(Oid type);

/* Types whose values are limited in length before they are looked at; of these all but numeric. */
extern bool pa_is_limited_type(Oid type);
extern bool pa_is_text_type(Oid type);

/* Bytes of a column by its declared length, and of a constant. */
extern double pa_declared_bytes(Oid type, int32 typmod);
extern double pa_constant_bytes(const Const *constant);

/* Where allow/total_text.c leaves LIKE to the built-in matcher, which tries the pattern at each place of the text. */
extern bool pa_like_is_built_in(void);

/* What LIKE reads of a text: all of it if it looks for a part between two %, else its ends. */
extern double pa_searched_bytes(Node *pattern, double bytes, double pattern_bytes);

/* The bytes at the head of a text that left(), or substr() up to somewhere, with constant lengths reads. */
extern double pa_head_bytes(Oid function, List *args, double bytes);

#endif							/* PA_CALL_WORK_H */
