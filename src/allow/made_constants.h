/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * made_constants.h
 *		What functions make of their constant arguments: regular expressions taken
 *		apart, time zones opened.
 *
 * It is made before the charge, in every process that reads protected rows; a row
 * only finds it.  So no function of the allow list has a state of its own, which
 * the first row would create, and whose making would show that there was a row.
 */
#ifndef PA_MADE_CONSTANTS_H
#define PA_MADE_CONSTANTS_H

#include "postgres.h"

#include "nodes/pg_list.h"

typedef enum PaMadeKind
{
	PA_MADE_PATTERN,			/* PaPattern */
	PA_MADE_PATTERN_OF_ANY_CASE,
	PA_MADE_ZONE				/* pg_tz */
} PaMadeKind;

/*
 * From now on, until the current memory context goes, nothing is made when it is
 * looked for.  Changes nothing where this has begun already.
 */
extern void pa_made_begin(void);

/* Whether a call of the function, or of the one whose twin it is, makes something of a constant. */
extern bool pa_makes_constant(Oid function);

/* Makes it for a call of such a function with these arguments and this collation; errors out if they are no constants. */
extern void pa_make_constant(Oid function, const List *args, Oid collation);

/*
 * What was made of the text; NULL: it is not allowed.  Errors out if it was not made,
 * though pa_made_begin() was called; where it was not, as in queries of public tables,
 * it is made here, and kept for a while.
 */
extern const void *pa_made_of(PaMadeKind kind, const text *source, Oid collation);

#endif							/* PA_MADE_CONSTANTS_H */
