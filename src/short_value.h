/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * short_value.h
 *		Which values of a row are looked at.
 *
 * A value that is long would take long.  One that is stored out of line would be
 * fetched, which takes long too, and leaves traces in the caches of the session.
 */
#ifndef PA_SHORT_VALUE_H
#define PA_SHORT_VALUE_H

#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_type.h"

#include "compat/version.h"
#include "size_limits.h"

/* Whether a value of variable length is stored in its row and has at most so many bytes; looks at its header only. */
static inline bool
pa_value_is_short(Datum value, Size bytes)
{
	return !VARATT_IS_EXTERNAL(DatumGetPointer(value)) && toast_raw_datum_size(value) <= VARHDRSZ + bytes;
}

/* Rows of owners with other names are nobody's. */
static inline bool
pa_owner_is_short(Oid type, Datum owner)
{
	return (type != TEXTOID && type != VARCHAROID) || pa_value_is_short(owner, PA_MAX_TEXT_BYTES);
}

#endif							/* PA_SHORT_VALUE_H */
