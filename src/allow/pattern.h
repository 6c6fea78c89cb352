/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pattern.h
 *		Regular expressions whose match takes as long as the text is, whatever is in it.
 */
#ifndef PA_PATTERN_H
#define PA_PATTERN_H

#include "postgres.h"

typedef struct PaPattern PaPattern;

/*
 * Takes a regular expression of PostgreSQL's apart, in the current memory context;
 * NULL: it is none, or one of another kind, and *reason says why.
 */
extern PaPattern *pa_pattern_make(const char *data, int length, bool ignore_case, Oid collation, const char **reason);

/* Whether a part of the text matches. */
extern bool pa_pattern_matches(const PaPattern *pattern, const char *data, int length);

#endif							/* PA_PATTERN_H */
