/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * public_table.h
 *		Tables that their owners declared public, to be joined with protected ones.
 */
#ifndef PA_PUBLIC_TABLE_H
#define PA_PUBLIC_TABLE_H

#include "postgres.h"

#include "nodes/bitmapset.h"

/* True if the relation was declared with privacct.declare_public(). */
extern bool pa_is_public(Oid relation);

/*
 * The most rows of the relation that have the same values in the given columns:
 * 1 where they contain a unique key, else what was declared for some of them; 0
 * if nothing is known.
 */
extern int	pa_public_rows(Oid relation, const Bitmapset *columns);

/* True if the column's values are declared to be groups: set_keys() of a public table, without a list. */
extern bool pa_public_lists(Oid relation, AttrNumber column);

/* The columns of a unique key as "(a, b)", the primary key first; NULL if there is none. */
extern char *pa_public_key(Oid relation);

#endif							/* PA_PUBLIC_TABLE_H */
