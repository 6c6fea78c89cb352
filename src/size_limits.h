/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * size_limits.h
 *		How large a thing may be that a guarded query works on.
 *
 * All together they keep the work that one row can cause below PA_MAX_ROW_WORK
 * (guard/work.c composes it).
 */
#ifndef PA_SIZE_LIMITS_H
#define PA_SIZE_LIMITS_H

/* The work that one row can cause in a block, in nanoseconds of the machine it was measured on. */
#define PA_MAX_ROW_WORK 20000
#define PA_ROW_WORK_MICROSECONDS (PA_MAX_ROW_WORK / 1000)

/* Longer constants are refused in a block, longer parameters are NULL there. */
#define PA_MAX_PARAMETER_BYTES 1000

/* As parameters, arrays of more elements are NULL, and those of texts or numerics if they are longer. */
#define PA_MAX_ELEMENTS 500
#define PA_MAX_ARRAY_BYTES 2048

/* Longer lists of IN and ANY are refused. */
#define PA_MAX_LIST 1000

/* Longer texts of a row are NULL as arguments of functions. */
#define PA_MAX_TEXT_BYTES 1024

/* Longer texts of a row are NULL as keys of groups. */
#define PA_MAX_KEY_BYTES 256

/* Longer texts are NULL where case is changed, ends are trimmed or collations compared. */
#define PA_MAX_WORD_BYTES 256

/* Longer texts that are not constants are NULL as what is looked for in a text, or trimmed off it. */
#define PA_MAX_NEEDLE_BYTES 8

/* What is not longer is never stored out of line. */
#define PA_INLINE_BYTES 20

/* Numerics of a row that take more bytes or digits before or after the point are NULL as arguments of functions. */
#define PA_MAX_NUMERIC_BYTES 64
#define PA_MAX_DIGITS_BEFORE 128
#define PA_MAX_DIGITS_AFTER 64

/* Rounding to more digits than this is NULL. */
#define PA_MAX_ROUNDING 64

/* Tables that a block joins, VALUES included: more would pass PA_MAX_ROW_WORK, and take long to be looked through. */
#define PA_MAX_PUBLIC_TABLES 64

/* Formats of to_char in a block: as many as PostgreSQL keeps (DCH_CACHE_ENTRIES). */
#define PA_MAX_DATE_FORMATS 20

/* A longer format of to_char is NULL. */
#define PA_MAX_FORMAT_BYTES 64

/* A LIKE pattern that is longer, or has more wildcards, or more bytes between two %, matches like NULL. */
#define PA_MAX_PATTERN_BYTES 256
#define PA_MAX_WILDCARDS 100
#define PA_MAX_PATTERN_PART 64

/* Joins with public tables turn one protected row into at most so many. */
#define PA_MAX_FANOUT 64

/* As how many groups, and rows in a group, of one owner may count: what a policy may say (_check_contribution), too. */
#define PA_MOST_GROUPS 1000000
#define PA_MOST_ROWS 1000000000

/* More groups of an owner take longer to look through than the work of a row: the policy alone may allow them. */
#define PA_QUICK_GROUPS 5000

/*
 * What an owner's rows may take in memory: in one group, which a row may begin, and in all of its groups
 * together.  No request for memory is larger, so that none fails.
 */
#define PA_MOST_GROUP_BYTES (20 * 1024)
#define PA_MOST_OWNER_BYTES (256 * 1024 * 1024)

#endif							/* PA_SIZE_LIMITS_H */
