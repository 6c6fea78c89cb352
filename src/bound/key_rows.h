/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_rows.h
 *		The groups that public data makes: rows of values for those keys of a leaf
 *		that have no list of their own in a policy.
 */
#ifndef PA_KEY_ROWS_H
#define PA_KEY_ROWS_H

#include "postgres.h"

#include "access/tupdesc.h"

#include "bound/leaf_spec.h"

typedef struct PaKeyRows PaKeyRows;

/* No rows yet, in the current memory context, with a column for each key of the leaf that is listed. */
extern PaKeyRows *pa_key_rows_create(const PaLeafSpec *spec);

/* How many columns and rows there are. */
extern int	pa_key_rows_width(const PaKeyRows *rows);
extern int64 pa_key_rows_count(const PaKeyRows *rows);

/* Adds a row at the end; a row by its number, from 0.  Values are copied in, and live as long as the rows. */
extern void pa_key_rows_add(PaKeyRows *rows, const Datum *values, const bool *nulls);
extern void pa_key_rows_get(const PaKeyRows *rows, int64 number, Datum *values, bool *nulls);

/* In one piece of so many bytes, for another process; and back, in the current memory context. */
extern Size pa_key_rows_size(const PaKeyRows *rows);
extern void pa_key_rows_write(const PaKeyRows *rows, char *target);
extern PaKeyRows *pa_key_rows_read(const PaLeafSpec *spec, const char *source);

#endif							/* PA_KEY_ROWS_H */
