/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * canonical_key.h
 *		One form for equal key values.
 */
#ifndef PA_CANONICAL_KEY_H
#define PA_CANONICAL_KEY_H

#include "postgres.h"

#include "lib/stringinfo.h"

/*
 * A value that is equal to the given one and depends on nothing but what it is
 * equal to: neither on how it was written nor on how a row stored it.  The
 * result lives in the current memory context.
 */
extern Datum pa_canonical_key(Oid type, Datum value);

/* Whether it does not take long to make such a form of it; a value is not looked at else. */
extern bool pa_key_is_short(Oid type, Datum value);

/*
 * Appends bytes that equal values have in common and others have not, whatever follows
 * them; isnull: those of a NULL.
 */
extern void pa_append_key(StringInfo bytes, Oid type, Datum value, bool isnull);

#endif							/* PA_CANONICAL_KEY_H */
